"""Texts of rule sets, in the reader's language.

Titles, descriptions, labels and sources are in English in the rule sets of the program (`scoring/rules`), and copied
into clubs' rules. They are translated when they are shown. What a club wrote itself is in no catalogue and stays as it
is.
"""

import re
from contextlib import suppress
from datetime import date, datetime

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

register = template.Library()

OWN_SOURCE = re.compile(r"House rules, version (\d+) of (.+)")
TITLES = {
    "000": "Pinochle – Card Game Rules",
    "001": "How to play head and foot card game",
    "002": "Two-Handed Pinochle Rules (with Bidding)",
    "003": "Hand and Foot, 5 decks for 4 players",
    "004": "St. Hilary House Rules, Version 3",
}
"""Titles of the source documents, in their own language, by their numbers in the rule sets."""
NUMBER = re.compile(r"(?<![\d.,])00[0-4](?![.,]?\d)")
BEFORE = "%d %B %Y"  # the format of stored days before ISO dates


def own_source(version: int, day: date) -> str:
    """The source of a setting that a club changed, as it is stored."""
    return f"House rules, version {version} of {day.isoformat()}"


@register.filter
def translated(text: str) -> str:
    """A text of a rule set for readers.

    >>> translated(own_source(3, date(2026, 11, 22)))
    'House rules, version 3 of 22 November 2026'
    >>> translated("House rules, version 2 of 5 May 2026"), translated("")
    ('House rules, version 2 of 5 May 2026', '')
    """
    if match := OWN_SOURCE.fullmatch(text):
        return _("House rules, version %(version)s of %(day)s") % {"version": match[1], "day": _day(match[2])}
    return _(text) if text else ""


def title_with_version(title: str, version: int) -> str:
    """It says "house rules, version", since the title may have a version of its own."""
    return _("%(title)s (house rules, version %(version)d)") % {"title": translated(title), "version": version}


@register.filter
def source_titles(text: str) -> str:
    """A source for readers, with the titles of its documents instead of their numbers.

    >>> source_titles("002 and 004: aces, 1,000 points")
    '“Two-Handed Pinochle Rules (with Bidding)” and “St. Hilary House Rules, Version 3”: aces, 1,000 points'
    """
    return NUMBER.sub(lambda match: f"“{TITLES[match[0]]}”", translated(text))


def _day(text: str) -> str:
    with suppress(ValueError):
        return date_format(date.fromisoformat(text))
    with suppress(ValueError):
        return date_format(datetime.strptime(text, BEFORE))
    return text
