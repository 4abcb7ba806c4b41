"""Names of sides and titles of games where a line is too narrow for them."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

DOT = " · "  # between the parts of a game's title
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
    return _wholes([first, *(format_html("&amp; {}", other) for other in others)]) if others else first


@register.filter
def listed(names: Iterable[str]) -> SafeString:
    """Names with commas between them, each of which stays on a line as long as it fits on one.

    >>> listed(["Ann Lee", "Bo Wu"])
    '<span class="whole">Ann Lee,</span> <span class="whole">Bo Wu</span>'
    """
    every = list(names)
    return _wholes([*(f"{name}," for name in every[:-1]), *every[-1:]])


@register.filter
def title_parts(title: str) -> SafeString:
    """A title of several parts, each of which stays on a line as long as it fits on one, with the dot behind it.

    >>> title_parts("Round 1 · Table 3")
    '<span class="whole">Round 1 ·</span> <span class="whole">Table 3</span>'
    """
    *before, last = title.split(DOT)
    return _wholes([*(f"{part} ·" for part in before), last]) if before else format_html("{}", title)


def _whole(text: str) -> SafeString:
    return format_html('<span class="whole">{}</span>', text)


def _wholes(parts: Iterable[str]) -> SafeString:
    return format_html_join(" ", "{}", ((_whole(part),) for part in parts))
