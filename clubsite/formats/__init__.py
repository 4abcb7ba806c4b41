"""Forms of dates and times, one folder a language."""
