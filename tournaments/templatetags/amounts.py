"""Amounts of money in templates: an amount of the smallest unit with the sign of its currency."""

from __future__ import annotations

from django import template

from clubsite.currency import money

register = template.Library()
register.filter(money)
