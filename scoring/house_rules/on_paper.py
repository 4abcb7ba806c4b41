"""Rules on paper: the rules in words with their sources, and a table card with the essentials on one sheet.

Rules that the club hasn't saved are a shipped rule set, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Heading, Pages, Paper
from scoring.engine.core.ruleset import RuleSet, Setting
from scoring.house_rules.in_words import RulesInWords, rules_in_words, value_in_words
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import translated
from scoring.wording.sections import SECTIONS, section_of

NOT_ON_CARD = ("asks",)  # when the form asks once more is no rule of play

# The table card in millimetres and points, as print.css has it.
MARGINS = (24.0, 26.0)  # of a sheet, both sides together; top and bottom
HEAD = 26.0  # the heading of the card
GAP = 9.0  # between its two columns
LETTER, BOLD = 0.47, 0.56  # the usual width of a letter and of a bold one, in the size of the type
LINE = 1.22  # the height of a line, in the size of the type
ROW = 1.4  # white and hairline of a row
HEADING = 5.0  # white around a heading
SPARE = 0.95  # the share of the height that is used, as lines don't break exactly where reckoned
EVEN = 1.12  # how much longer a column may be where that keeps a heading from standing twice
POINT = 25.4 / 72
LARGEST, SMALLEST = 22.0, 6.0
BESIDE = 16  # letters of a value that stands beside its label; a longer one stands below


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

    @property
    def below(self) -> bool:
        """Whether the value stands on a line of its own."""
        return len(self.value) > BESIDE


@dataclass(frozen=True, slots=True)
class CardSection:
    """Lines under one heading."""

    heading: str
    rows: tuple[CardRow, ...]


Column: TypeAlias = tuple[CardSection, ...]


@dataclass(frozen=True, slots=True)
class TableCard:
    """The essentials on one sheet. `size` is that of the type, in points."""

    heading: Heading
    columns: tuple[Column, Column]
    size: float


def rules_pages(rules: HouseRules, paper: str) -> Pages:
    """The rules in words, on as many sheets as they need."""
    sheet = RulesSheet(
        _heading(rules, _("House rules, version %(n)d"), shipped=_("Rules as shipped, version %(n)d")),
        rules_in_words(rules.rule_set),
    )
    return _pages("documents/rules.html", sheet, paper=paper)


def card_pages(rules: HouseRules, paper: str) -> Pages:
    """The table card: one sheet, in the largest type that fits."""
    return _pages("documents/rules_card.html", table_card(rules, PAPERS[paper]), paper=paper)


DOCUMENTS: dict[str, Callable[[HouseRules, str], Pages]] = {"rules": rules_pages, "card": card_pages}
"""Name in the address to what it prints."""


def table_card(rules: HouseRules, paper: Paper) -> TableCard:
    """What stands on the table card."""
    columns, size = laid_out(tuple(card_sections(rules.rule_set)), paper)
    own, shipped = _("Table card · house rules, version %(n)d"), _("Table card · rules as shipped, version %(n)d")
    return TableCard(_heading(rules, own, shipped=shipped), columns, size)


def card_sections(rule_set: RuleSet) -> Iterator[CardSection]:
    """What players look up: only settings that the rules make use of."""
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
    label = re.sub(r"\s*\([^()]*\)", "", translated(setting.label))
    if isinstance(setting.value, str) and setting.value:  # a choice; "" is none
        label = label.partition(":")[0]
    return label.partition(";")[0].strip()


def laid_out(sections: tuple[CardSection, ...], paper: Paper) -> tuple[tuple[Column, Column], float]:
    """The card's two columns, and the largest type in points in which they fit on the sheet."""
    width = (paper.width - MARGINS[0] - GAP) / 2
    room = (paper.height - MARGINS[1] - HEAD) * SPARE
    size = LARGEST
    while True:
        columns = _split(sections, size, width=width)
        if size <= SMALLEST or max(_height(column, size, width=width) for column in columns) <= room:
            return columns, size
        size -= 0.5


def _split(sections: Column, size: float, *, width: float) -> tuple[Column, Column]:
    """Two columns as even as possible: between two headings if that is nearly as even, else a heading is repeated."""

    def worse(columns: tuple[Column, Column]) -> float:
        return max(_height(column, size, width=width) for column in columns)

    between = [(sections[:n], sections[n:]) for n in range(1, len(sections) + 1)]
    within = [
        (
            (*sections[:n], CardSection(section.heading, section.rows[:row])),
            (CardSection(section.heading, section.rows[row:]), *sections[n + 1 :]),
        )
        for n, section in enumerate(sections)
        for row in range(1, len(section.rows))
    ]
    best, even = min(between, key=worse), min(within, key=worse, default=between[0])
    return best if worse(best) <= EVEN * worse(even) else even


def _height(sections: Column, size: float, *, width: float) -> float:
    """Millimetres that a column takes up."""
    line = size * POINT * LINE
    rows = [row for section in sections for row in section.rows]
    lines = sum(_lines(row, size * POINT, width=width) for row in rows)
    headings = sum(ceil(len(section.heading) * BOLD * 1.3 * size * POINT / width) for section in sections)
    return (lines + headings) * line + len(rows) * ROW + len(sections) * HEADING


def _lines(row: CardRow, letter: float, *, width: float) -> int:
    """Lines that a row takes up in a column, in type of that height."""
    value = len(row.value) * BOLD * letter
    beside = 0 if row.below else value + letter
    label = ceil(len(row.label) * LETTER * letter / (width - beside) + 0.1)
    return label + (ceil(value / width + 0.1) if row.below else 0)


def _heading(rules: HouseRules, own: str, *, shipped: str) -> Heading:
    """The head of a document whose title is `own`, or `shipped`."""
    words = rules_in_words(rules.rule_set)
    title = own if rules.pk else shipped
    return Heading(
        club=rules.club.name,
        event=words.title,
        when=date_format(words.published),
        title=title % {"n": words.version},
        note=words.about,
    )


def _pages(template: str, sheet: RulesSheet | TableCard, *, paper: str) -> Pages:
    return Pages((render_to_string(template, {"sheet": sheet, "size": PAPERS[paper].size}),))
