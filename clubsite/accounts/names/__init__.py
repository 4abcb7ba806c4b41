"""Names where they are shown: hidden behind initials, found in text, kept in English and read in each language."""
