"""English in Mexico: twelve hours."""

TIME_FORMAT = "g:i\u00a0A"
DATETIME_FORMAT = "j F Y, g:i\u00a0A"
SHORT_DATETIME_FORMAT = "j M Y, g:i\u00a0A"
