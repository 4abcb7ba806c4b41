"""What can stand in each setting of a rule set: figures and their range, a choice, yes or no, a list, a table.

The kind comes from the type of the setting in its family's rules; ranges and choices stand here by the setting's name,
which means the same in every family. A figure may be below nought where a shipped rule set of the family has it so.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from scoring.engine.core.ruleset import Plain, RuleSet, Setting, shipped
from scoring.engine.families import FAMILIES, family_of
from scoring.engine.hand_and_foot.card import BLACK_THREE, JOKER, TWO
from scoring.engine.pinochle.cards import RANKS

MOST = 1_000_000  # points; no game goes beyond


class Form(StrEnum):
    """How a setting is written."""

    FIGURE = "figure"
    YES_NO = "yes-no"
    CHOICE = "choice"
    FIGURES = "figures"  # a list of figures
    NAMES = "names"  # a list of names: the ranks of a pack
    TABLE = "table"  # names and a figure for each
    STEPS = "steps"  # pairs of figures: from which score on what holds
    SPANS = "spans"  # three figures each: beside which figure what can be, from the least to the most


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most that a figure can be."""

    least: int = 0
    most: int = MOST


@dataclass(frozen=True, slots=True)
class Kind:
    """What can stand in a setting. `range` holds for every figure of a list or table."""

    form: Form
    none: bool = False  # it may be left empty: no such limit
    range: Range = Range()
    choices: tuple[str, ...] = ()


CARD_VALUES = (JOKER, TWO, "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", BLACK_THREE)
"""The cards of Hand and Foot, by value."""

CARDS = Range(1, 60)  # in a packet
MELD = Range(0, 10_000)  # points
DECKS = Range(0, 20)

RANGES: dict[str, Range] = {
    "target": Range(1),
    "deals": Range(1, 100),
    "lose_at": Range(-MOST, -1),
    "step": Range(1),
    "bid_step": Range(1, 1000),
    "opening_bid": Range(1),
    "dropped_bid": Range(1),
    "copies": Range(1, 4),
    "hand_size": CARDS,
    "hand": CARDS,
    "foot": Range(0, 60),
    "knee": Range(0, 60),
    "widow": Range(0, 60),
    "cards_passed": Range(0, 60),
    "decks_added": DECKS,
    "decks_in_all": Range(1, 12),
    "jokers_per_deck": Range(0, 10),
    "meld_least": Range(2, 20),
    "pile_size": Range(3, 20),
    "naturals_per_wild": Range(0, 20),
    "draw": Range(1, 20),
    "take_most": Range(1, 500),
    "later_steps": Range(1, 10_000),
    "counters": Range(0, 100),
    "last_trick": Range(0, 1000),
    **dict.fromkeys(("run", "royal_marriage", "marriage", "nine_of_trump", "pinochle"), MELD),
    **dict.fromkeys(("aces_around", "kings_around", "queens_around", "jacks_around"), MELD),
}
"""Of figures that can't be just anything from nought on."""

CHOICES: dict[str, tuple[str, ...]] = {
    "meld_savers": ("other-side", "both", "nobody"),
    "renege_bid_side": ("meld", "nothing"),
    "renege_other_side": ("bid", "nothing"),
    "lay_down_forfeit": ("nobody", "opponents"),
    "set_points": ("deducted", "reverted", "given"),
    "grown_double": ("full", "difference", "never"),
    "revoke_loses": ("all", "take", "nothing"),
}
"""What a setting in words can be."""

TABLES: dict[str, tuple[str, ...]] = {
    "counters": RANKS,
    "card_values": CARD_VALUES,
    "special_books": CARD_VALUES[2:-1],
}
"""What a table can name."""


@cache
def kinds_of(family: str) -> dict[str, Kind]:
    """Setting name to kind, for all settings of a family."""
    rules = FAMILIES[family].rules
    hints = typing.get_type_hints(rules)
    return {f.name: _kind(f.name, hints[f.name], family) for f in dataclasses.fields(rules) if f.name != "shape"}


def _kind(name: str, hint: Any, family: str) -> Kind:
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    none = type(None) in options
    hint = next(option for option in options if option is not type(None))
    figures = RANGES.get(name) or Range(-MOST if _below_nought(name, family) else 0)
    if hint is bool:
        return Kind(Form.YES_NO)
    if hint is str:
        return Kind(Form.CHOICE, choices=CHOICES[name])
    forms = {
        int: Form.FIGURE,
        tuple[int, ...]: Form.FIGURES,
        tuple[str, ...]: Form.NAMES,
        tuple[tuple[str, int], ...]: Form.TABLE,
        tuple[tuple[int, int], ...]: Form.STEPS,
        tuple[tuple[int, int, int], ...]: Form.SPANS,
    }
    return Kind(forms[hint], none, figures)


def names_of(setting: Setting) -> tuple[str, ...]:
    """What the table of a setting can name."""
    return TABLES[setting.name]


def _below_nought(name: str, family: str) -> bool:
    values = (s.value for r in shipped().values() if r.family == family for s in r.settings if s.name == name)
    return any(figure < 0 for value in values for figure in figures_in(value))


def figures_in(value: Plain) -> list[int]:
    """All figures of a value, whatever its form; names, choices and yes or no are none."""
    if value is None or isinstance(value, bool | str):
        return []
    if isinstance(value, int):
        return [value]
    items = value.values() if isinstance(value, Mapping) else value
    return [figure for item in items for figure in figures_in(item)]


def normal(value: Plain) -> Plain:
    """A value as rules have it, in which two that mean the same are equal: tables as pairs, lists as tuples, None.

    >>> normal({"A": 10}) == normal([["A", 10]]), normal("")
    (True, None)
    """
    if isinstance(value, Mapping):
        return tuple((key, normal(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(normal(item) for item in value)
    return None if value == "" else value


def as_data(value: Plain, form: Form) -> Plain:
    """A value as files and stored versions have it: "" for none, tables as such."""
    if value is None:
        return ""
    if form is Form.TABLE:
        return dict(value)
    if isinstance(value, list | tuple):
        return [list(item) if isinstance(item, list | tuple) else item for item in value]
    return value


def defaults_of(family: str) -> dict[str, Plain]:
    """The settings that came to a family later, with the value by which versions published before were played."""
    fields = dataclasses.fields(FAMILIES[family].rules)
    return {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}


def completed(rule_set: RuleSet) -> RuleSet:
    """A rule set with the settings that came to its family after it was published, as it was played all the same.

    Their labels and sources are those of the shipped rule set of the same name, or else of one of the family.
    """
    known = {setting.name for setting in rule_set.settings}
    family = family_of(rule_set).slug
    later = {name: value for name, value in defaults_of(family).items() if name not in known}
    if not later:
        return rule_set
    like = sorted(
        (r for r in shipped().values() if r.family == family), key=lambda r: (r.slug != rule_set.slug, r.slug)
    )
    more = []
    for name, value in later.items():
        setting = next(s for r in like for s in r.settings if s.name == name)  # shipped files name every setting
        data = as_data(value, kinds_of(family)[name].form)
        source = setting.source if normal(setting.value) == normal(data) else rule_set.title
        more.append(Setting(name, data, setting.label, source, setting.ruling))
    return dataclasses.replace(rule_set, settings=(*rule_set.settings, *more))
