"""Spanish in Britain and Ireland: figures as they are written there."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
