"""Twelve hours."""

TIME_FORMAT = "g:i A"
DATETIME_FORMAT = "j F Y, g:i A"
SHORT_DATETIME_FORMAT = "j M Y, g:i A"
