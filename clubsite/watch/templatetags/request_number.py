"""The number of the request, for pages of faults: they are made without a context."""

from __future__ import annotations

from django import template

from clubsite.watch.logs import current

register = template.Library()


@register.simple_tag
def request_number() -> str:
    """The number by which this request is found in the logs; "" outside of requests."""
    info = current()
    return info.request if info else ""
