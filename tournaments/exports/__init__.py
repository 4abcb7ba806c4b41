"""What leaves the site for other programs: calendars, spreadsheets, and published pages as JSON."""
