"""Texts of rule sets, in the reader's language.

Titles, descriptions, labels and sources stand in the rule sets as they come with the program (`scoring/rules`), in
English; a club's rules hold copies of them. They are translated where they are shown. What a club wrote itself is in no
catalogue and stays as it is.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

register = template.Library()

OWN_SOURCE = re.compile(r"House rules, version (\d+) of (.+)")
BEFORE = "%d %B %Y"  # how the day was written until dates were shown in the style of a place


def own_source(version: int, day: date) -> str:
    """The source of a setting that a club changed, as it is kept."""
    return f"House rules, version {version} of {day.isoformat()}"


@register.filter
def translated(text: str) -> str:
    """A text of a rule set for readers.

    >>> translated(own_source(3, date(2026, 11, 22)))
    'House rules, version 3 of 22 November 2026'
    >>> translated("House rules, version 2 of 5 May 2026"), translated("")
    ('House rules, version 2 of 5 May 2026', '')
    """
    if found := OWN_SOURCE.fullmatch(text):
        return _("House rules, version %(version)s of %(day)s") % {"version": found[1], "day": _day(found[2])}
    return _(text) if text else ""


def _day(text: str) -> str:
    with suppress(ValueError):
        return date_format(date.fromisoformat(text))
    with suppress(ValueError):
        return date_format(datetime.strptime(text, BEFORE))
    return text
