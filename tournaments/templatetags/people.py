"""A name that leads to the page of the person, for users who may open it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def member(self) -> int | None: ...


class Line(Protocol):
    """A line of the standings: `tournaments.standings.standings.Row`."""

    @property
    def persons(self) -> Sequence[Named]: ...


class PersonAddresses(Protocol):
    """Where persons' pages are: `tournaments.people.PersonPages`."""

    def of(self, member: int | None) -> str: ...


@register.simple_tag
def persons(row: Line, *, pages: PersonAddresses | None) -> SafeString:
    """Everybody of a line of the standings, as `person` shows each."""
    return format_html_join(" & ", "{}", ((person(one.name, one.member, pages=pages),) for one in row.persons))


@register.simple_tag
def person(name: str, member: int | None, *, pages: PersonAddresses | None) -> SafeString:
    """The name of a member, or of a guest, as lists show it. Without `pages`, where a page has none, it is the name."""
    address = pages.of(member) if pages else ""
    if not address:
        return format_html('<span class="name">{}</span>', name)
    return format_html('<a class="name" href="{}">{}</a>', address, name)
