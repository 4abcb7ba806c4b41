"""A season's totals: whole, or with one decimal where they are averages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import number_format

from scoring.templatetags.figures import MINUS, points

register = template.Library()


@register.filter
def total(value: Fraction) -> str:
    """A total: whole as it is, else with one decimal.

    >>> total(Fraction(-12)), total(Fraction(25, 2))
    ('−12', '12.5')
    """
    return points(int(value)) if value.denominator == 1 else decimal(value)


@register.filter
def decimal(value: Fraction) -> str:
    """One decimal, a half up, with a true minus sign.

    >>> decimal(Fraction(-7, 2)), decimal(Fraction(4))
    ('−3.5', '4.0')
    """
    tenths = (2 * abs(value.numerator) * 10 + value.denominator) // (2 * value.denominator)
    shown = number_format(f"{tenths // 10}.{tenths % 10}", decimal_pos=1, force_grouping=True)
    return f"{MINUS}{shown}" if value < 0 and tenths else shown


@register.filter
def place(line: Any) -> str:
    """The place of a line of standings (with `place` and `shared`), as on every screen and sheet: "3", or "3=" where it
    is shared; nothing for a line without a place."""
    if not line.place:
        return ""
    return f"{line.place}=" if line.shared else str(line.place)
