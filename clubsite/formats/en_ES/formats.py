"""English in Spain: figures as they are written there."""

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
