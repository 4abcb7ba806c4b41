"""Figures as they are written there."""

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
