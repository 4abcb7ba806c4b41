"""The names of those who score together, on buttons too narrow for them in one line."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

AND = " & "  # as a side is named (`scoring.models.Side.name`)


@register.filter
def unbroken(side: str) -> SafeString:
    """A side's name in parts that stay on a line as long as they fit on one: each person, and in it each word with a
    hyphen, at which a browser would break it first of all.

    >>> unbroken("Ann Lee")
    'Ann Lee'
    >>> unbroken("Ann & Bo Wu-Li")
    '<span class="whole">Ann</span> <span class="whole">&amp; Bo <span class="whole">Wu-Li</span></span>'
    """
    first, *others = (
        format_html_join(" ", "{}", ((_whole(word) if "-" in word else word,) for word in person.split()))
        for person in side.split(AND)
    )
    if not others:
        return first
    return format_html_join(" ", "{}", ((_whole(part),) for part in (first, *(_and(other) for other in others))))


def _whole(text: str) -> SafeString:
    return format_html('<span class="whole">{}</span>', text)


def _and(name: str) -> SafeString:
    return format_html("&amp; {}", name)
