"""What the site's owner sees: its health and its faults; and how long personal data are kept."""
