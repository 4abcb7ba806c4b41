"""House rules on paper: the rules in words with their sources, and a table card with the essentials on one sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS, Paper
from scoring.engine.ruleset import RuleSet, Setting
from scoring.engine.setting_kinds import CHOICES
from scoring.models import HouseRules
from scoring.rules_in_words import RulesInWords, rules_in_words, value_in_words
from scoring.wording.settings import SECTIONS, section_of

NOT_ON_CARD = ("asks",)  # what the scorer is asked is no rule of play

# The table card in millimetres and points, as print.css has it.
MARGINS = (24.0, 26.0)  # of a sheet, both sides together; top and bottom
HEAD = 26.0  # the heading of the card
GAP = 9.0  # between its two columns
LETTER = 0.52  # the usual width of a letter, in the size of its type
LINE = 1.22  # the height of a line, likewise
ROW = 1.4  # white and hairline of a row
SPARE = 0.9  # of the height that is used: columns are never quite even
POINT = 25.4 / 72
LARGEST, SMALLEST = 17.0, 6.0


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a document, as `templates/documents/list.html` shows it."""

    club: str
    event: str
    when: str
    title: str
    note: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules in words."""

    heading: Heading
    words: RulesInWords


@dataclass(frozen=True, slots=True)
class CardRow:
    """One line of the table card. Without a `value` the label says it all."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class CardSection:
    """Lines under one heading."""

    heading: str
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class TableCard:
    """The essentials on one sheet. `size` is that of the type, in points."""

    heading: Heading
    sections: tuple[CardSection, ...]
    sittings: tuple[str, ...]
    size: float


def rules_pages(rules: HouseRules, paper: str) -> Pages:
    """The rules in words, on as many sheets as they need."""
    sheet = RulesSheet(_heading(rules, _("House rules, version %(n)d")), rules_in_words(rules.rule_set))
    return _pages("documents/rules.html", sheet, paper)


def card_pages(rules: HouseRules, paper: str) -> Pages:
    """The table card: one sheet, in the largest type that fits."""
    return _pages("documents/rules_card.html", table_card(rules, PAPERS[paper]), paper)


DOCUMENTS: dict[str, Callable[[HouseRules, str], Pages]] = {"rules": rules_pages, "card": card_pages}
"""Name in the address to what it prints."""


def table_card(rules: HouseRules, paper: Paper) -> TableCard:
    """What stands on the table card."""
    sections = tuple(card_sections(rules.rule_set))
    heading = _heading(rules, _("Table card · house rules, version %(n)d"))
    return TableCard(heading, sections, rules_in_words(rules.rule_set).sittings, size_for(sections, paper))


def card_sections(rule_set: RuleSet) -> Iterator[CardSection]:
    """What players look up: what the rules have, not what they don't have."""
    for key, heading in SECTIONS.items():
        settings = [s for s in rule_set.settings if section_of(s.name) == key and _tells(s)]
        if settings and key not in NOT_ON_CARD:
            yield CardSection(str(heading), tuple(_row(setting) for setting in settings))


def _tells(setting: Setting) -> bool:
    return setting.value not in ("", 0, False, [], {}, None)


def _row(setting: Setting) -> CardRow:
    return CardRow(short_label(setting), "" if setting.value is True else value_in_words(setting.value))


def short_label(setting: Setting) -> str:
    """A label without its remarks, and without the choices that weren't taken.

    >>> short_label(Setting("opening_bid", 15, "Lowest opening bid (neighbouring clubs: 16)", "004"))
    'Lowest opening bid'
    """
    label = re.sub(r"\s*\([^()]*\)", "", setting.label)
    if setting.name in CHOICES:
        label = label.partition(":")[0]
    return label.partition(";")[0].strip()


def size_for(sections: tuple[CardSection, ...], paper: Paper) -> float:
    """The largest type in which the card fits on its sheet, in points."""
    column = (paper.width - MARGINS[0] - GAP) / 2
    room = 2 * (paper.height - MARGINS[1] - HEAD) * SPARE
    size = LARGEST
    while size > SMALLEST and _height(sections, size, column) > room:
        size -= 0.5
    return size


def _height(sections: tuple[CardSection, ...], size: float, column: float) -> float:
    """Millimetres that the card takes up in one column of that width."""
    letters = column / (size * POINT * LETTER)
    line = size * POINT * LINE
    rows = [row for section in sections for row in section.rows]
    lines = sum(ceil((len(row.label) + 2 + len(row.value)) / letters + 0.15) for row in rows)
    return lines * line + len(rows) * ROW + len(sections) * (1.2 * line + 5.0)


def _heading(rules: HouseRules, title: str) -> Heading:
    words = rules_in_words(rules.rule_set)
    return Heading(
        club=rules.club.name,
        event=words.title,
        when=date_format(words.published),
        title=title % {"n": words.version},
        note=words.about,
    )


def _pages(template: str, sheet: RulesSheet | TableCard, paper: str) -> Pages:
    return Pages((render_to_string(template, {"sheet": sheet, "size": PAPERS[paper].size}),))
