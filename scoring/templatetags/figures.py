"""Figures in columns: a true minus sign, separators, a mark for minus points."""

from django import template
from django.utils.formats import number_format

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.filter
def points(value: int | None) -> str:
    """Points with a true minus sign; nothing where there are none.

    >>> points(-15), points(0), points(None)
    ('−15', '0', '')
    """
    if value is None:
        return ""
    # Below a thousand no language separates anything: asking for its format took most of the time of long tables.
    shown = str(abs(value)) if -1000 < value < 1000 else number_format(abs(value), decimal_pos=0, force_grouping=True)
    return f"{MINUS}{shown}" if value < 0 else shown


@register.filter
def signed(value: int) -> str:
    """Points gained or lost, with their sign: +25, −15, ±0."""
    return f"+{points(value)}" if value > 0 else points(value)


@register.filter
def below(value: int | None) -> str:
    return "minus" if value is not None and value < 0 else ""


@register.filter
def cell(value: object) -> str:
    """A figure or a word of a ruled column; nothing for None."""
    return points(value) if isinstance(value, int) else "" if value is None else str(value)


@register.filter
def below_cell(value: object) -> str:
    """The class for a cell with a figure below zero, or nothing."""
    return below(value) if isinstance(value, int) else ""
