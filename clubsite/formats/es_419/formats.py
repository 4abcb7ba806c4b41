"""Twelve hours, and figures as they are written there."""

TIME_FORMAT = "g:i a"
DATETIME_FORMAT = r"j \d\e F \d\e Y, g:i a"
SHORT_DATETIME_FORMAT = "j b Y, g:i a"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
