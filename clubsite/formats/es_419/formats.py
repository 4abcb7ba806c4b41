"""Spanish in Mexico: twelve hours, and figures as they are written there.

Under the code of Latin America, because Django has words of its own for es_MX.
"""

TIME_FORMAT = "g:i\u00a0a"
DATETIME_FORMAT = "j \\d\\e F \\d\\e Y, g:i\u00a0a"
SHORT_DATETIME_FORMAT = "j b Y, g:i\u00a0a"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
