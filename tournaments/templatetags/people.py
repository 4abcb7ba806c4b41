"""A name that leads to the page of the person, for users who may open it."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def persons(row: Any, *, pages: Any) -> SafeString:
    """Everybody of a line of the standings (`standings.standings.Row`), as `person` shows each."""
    return format_html_join(" & ", "{}", ((person(each.name, each.member, pages=pages),) for each in row.persons))


@register.simple_tag
def person(name: str, member: int | None, *, pages: Any) -> SafeString:
    """The name of a member, or of a guest, as lists show it: a link where `pages` (`tournaments.people`) has one."""
    address = pages.of(member) if pages else ""
    if not address:
        return format_html('<span class="name">{}</span>', name)
    return format_html('<a class="name" href="{}">{}</a>', address, name)
