"""Amounts of money in templates."""

from __future__ import annotations

from django import template

from clubsite.accounts.currency import money as in_words

register = template.Library()


@register.filter
def money(amount: int, currency: str) -> str:
    """An amount of the smallest unit with the sign of its currency."""
    return in_words(amount, currency)
