"""English in the United States: the month first, twelve hours."""

DATE_FORMAT = "M j, Y"
TIME_FORMAT = "g:i\u00a0A"
DATETIME_FORMAT = "M j, Y, g:i\u00a0A"
SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "M j, Y, g:i\u00a0A"
MONTH_DAY_FORMAT = "M j"
