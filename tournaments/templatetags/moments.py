"""Moments for scripts, which know the server's time by them."""

from __future__ import annotations

from datetime import datetime

from django import template

register = template.Library()


@register.filter
def milliseconds(moment: datetime | None) -> str:
    """A moment in milliseconds, as scripts count it; "" for none."""
    return str(int(moment.timestamp() * 1000)) if moment else ""
