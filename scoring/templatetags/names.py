"""Names of sides and titles of games on narrow screens: where their lines break."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from clubsite.names import AND

register = template.Library()

DOT = " · "  # between the parts of a game's title


@register.filter
def whole_names(side: str) -> SafeString:
    """A side's name, which breaks between persons first, and at hyphens last.

    >>> whole_names("Ann Lee")
    'Ann Lee'
    >>> whole_names("Ann & Bo Wu-Li")
    '<span class="whole">Ann</span> <span class="whole">&amp; Bo <span class="whole">Wu-Li</span></span>'
    """
    first, *people = (
        format_html_join(" ", "{}", ((_whole(word) if "-" in word else word,) for word in person.split()))
        for person in side.split(AND)
    )
    return _wholes([first, *(format_html("&amp; {}", other) for other in people)]) if people else first


@register.filter
def name_list(names: Iterable[str]) -> SafeString:
    """Names with commas between them, which breaks between names first.

    >>> name_list(["Ann Lee", "Bo Wu"])
    '<span class="whole">Ann Lee,</span> <span class="whole">Bo Wu</span>'
    """
    every = list(names)
    return _wholes([*(f"{name}," for name in every[:-1]), *every[-1:]])


@register.filter
def title_parts(title: str) -> SafeString:
    """A title, which breaks after its dots first.

    >>> title_parts("Round 1 · Table 3")
    '<span class="whole">Round 1 ·</span> <span class="whole">Table 3</span>'
    """
    *before, last = title.split(DOT)
    return _wholes([*(f"{part} ·" for part in before), last]) if before else format_html("{}", title)


def _whole(text: str) -> SafeString:
    return format_html('<span class="whole">{}</span>', text)


def _wholes(parts: Iterable[str]) -> SafeString:
    return format_html_join(" ", "{}", ((_whole(part),) for part in parts))
