"""Formats of dates, times and figures, one folder for each language and place."""
