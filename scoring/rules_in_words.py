"""A rule set for readers: every setting with its value in words; and the games that a club can start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from scoring.engine.ruleset import RuleSet, Shape, shipped
from scoring.models import HouseRules
from scoring.templatetags.figures import points
from scoring.wording import kind_of, order_of

LISTS = 2  # values of a table are pairs


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting: what it means, its value in words, where it comes from, and whether that is a ruling."""

    label: str
    value: str
    source: str
    ruling: bool


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """A rule set for readers."""

    title: str
    version: int
    published: date
    about: str
    sittings: tuple[str, ...]
    settings: tuple[SettingRow, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule set that the club can play, with one way to sit down. `version` is the club's, None when only shipped."""

    rule_set: RuleSet
    shape: Shape
    version: int | None

    @property
    def key(self) -> str:
        """Stable name of the offer in an address: "st-hilary-v3:2x2"."""
        return f"{self.rule_set.slug}:{self.shape.sides}x{self.shape.per_side}"

    @property
    def kind(self) -> str:
        """The heading under which the offer stands."""
        return kind_of(self.rule_set, own=self.version is not None)

    @property
    def sitting(self) -> str:
        """Who plays against whom."""
        return sitting(self.shape)


def sitting(shape: Shape) -> str:
    """Who plays against whom, in words.

    >>> sitting(Shape(2, 2)), sitting(Shape(3, 1))
    ('2 sides of 2 players', '3 players, each alone')
    """
    if shape.per_side == 1:
        return ngettext("%(n)d player, each alone", "%(n)d players, each alone", shape.sides) % {"n": shape.sides}
    return _("%(sides)d sides of %(players)d players") % {"sides": shape.sides, "players": shape.per_side}


def rules_in_words(rule_set: RuleSet) -> RulesInWords:
    """Every setting of a rule set, in its order."""
    return RulesInWords(
        title=rule_set.title,
        version=rule_set.version,
        published=date.fromisoformat(rule_set.published),
        about=rule_set.about,
        sittings=tuple(sitting(shape) for shape in rule_set.shapes),
        settings=tuple(SettingRow(s.label, value_in_words(s.value), s.source, s.ruling) for s in rule_set.settings),
    )


def value_in_words(value: Any) -> str:
    """A setting's value: yes or no, figures, a list, or a table of names and figures."""
    if value is None or value in ("", []):
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return points(value)
    if isinstance(value, Mapping):
        return " · ".join(f"{name} {value_in_words(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        if all(isinstance(item, list | tuple) and len(item) == LISTS for item in value):
            return value_in_words(dict(value))
        return " · ".join(value_in_words(item) for item in value)
    return str(value)


def offers_of(club: Club) -> list[Offer]:
    """The games that a club can start: its newest house rules, then by kind the shipped rule sets it hasn't adopted."""
    own: dict[str, HouseRules] = {}
    for rules in HouseRules.objects.filter(club=club).order_by("slug", "-version"):
        own.setdefault(rules.slug, rules)
    offers = [Offer(r.rule_set, shape, r.version) for r in own.values() for shape in r.rule_set.shapes]
    more = sorted((rule_set for slug, rule_set in shipped().items() if slug not in own), key=order_of)
    return offers + [Offer(rule_set, shape, None) for rule_set in more for shape in rule_set.shapes]
