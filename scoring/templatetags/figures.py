"""Figures in columns: a true minus sign, separators, a class for negative ones."""

from django import template
from django.utils.formats import number_format

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.filter
def points(value: int | None) -> str:
    """With a true minus sign; "" for None.

    >>> points(-15), points(0), points(None)
    ('−15', '0', '')
    """
    if value is None:
        return ""
    # Below a thousand no language needs separators; asking for its format took most of the time of long tables.
    shown = str(abs(value)) if -1000 < value < 1000 else number_format(abs(value), decimal_pos=0, force_grouping=True)
    return f"{MINUS}{shown}" if value < 0 else shown


@register.filter
def signed(value: int) -> str:
    """Points gained or lost: +25, −15, 0."""
    return f"+{points(value)}" if value > 0 else points(value)


@register.filter
def minus_class(value: int | None) -> str:
    return "minus" if value is not None and value < 0 else ""


@register.filter
def cell(value: object) -> str:
    """A figure or a word; "" for None."""
    return points(value) if isinstance(value, int) else "" if value is None else str(value)


@register.filter
def cell_class(value: object) -> str:
    """`minus_class` of a cell with a figure or a word."""
    return minus_class(value) if isinstance(value, int) else ""
