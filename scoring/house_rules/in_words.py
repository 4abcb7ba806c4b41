"""A rule set for readers: every setting with its value in words; and the games that a club can start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from scoring.engine.core.ruleset import RuleSet, Setting, Shape, shipped
from scoring.engine.settings.changed import differences
from scoring.engine.settings.kinds import normal
from scoring.house_rules.setting_words import choice_words
from scoring.models import HouseRules
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import source_named, translated, with_version
from scoring.wording import kind_of, order_of
from scoring.wording.named_rules import anchor_of, section_anchor
from scoring.wording.sections import SECTIONS, section_of

SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting: what it means, its value in words, where it comes from, and whether that is a ruling.

    `anchor` is its place on the page of the rules, so that others can point to it.
    """

    anchor: str
    label: str
    value: str
    source: str
    ruling: bool


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """Settings under one heading."""

    heading: str
    settings: tuple[SettingRow, ...]
    anchor: str  # id on the page


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """A rule set for readers. `settings` are all of its settings, in its order."""

    title: str
    version: int
    published: date
    about: str
    sittings: tuple[str, ...]
    settings: tuple[SettingRow, ...]
    sections: tuple[SettingsSection, ...]


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A setting that differs between two versions, in words. `source` is where the newer value comes from."""

    anchor: str
    label: str
    old: str
    new: str
    source: str


@dataclass(frozen=True, slots=True)
class GameOffer:
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


@dataclass(frozen=True, slots=True)
class NamedRules:
    """Rules that can be chosen. `key` names them in an address; `heading` is the heading above them in a menu."""

    key: str
    words: str
    heading: str
    rule_set: RuleSet


def key_of(slug: str, version: int | str) -> str:
    """How an address names a version of rules; `SHIPPED` is the one that comes with the program."""
    return f"{slug}:{version}"


def rules_of_family(club: Club, family: str) -> tuple[NamedRules, ...]:
    """All rules of a family that the club can choose from: every version of its own, then those shipped."""
    own = HouseRules.objects.filter(club=club).order_by("title", "slug", "-version")
    found = []
    for rules in own:
        words = with_version(rules.title, rules.version)
        key = key_of(rules.slug, rules.version)
        found.append(NamedRules(key, words, _("The club's house rules"), rules.rule_set))
    found += [
        NamedRules(key_of(slug, SHIPPED), translated(rule_set.title), _("As shipped"), rule_set)
        for slug, rule_set in sorted(shipped().items(), key=lambda item: order_of(item[1]))
    ]
    return tuple(one for one in found if one.rule_set.family == family)


def sitting(shape: Shape) -> str:
    """Who plays against whom, in words.

    >>> sitting(Shape(2, 2)), sitting(Shape(3, 1))
    ('2 sides of 2 players', '3 players, each alone')
    """
    if shape.per_side == 1:
        return ngettext("%(n)d player, each alone", "%(n)d players, each alone", shape.sides) % {"n": shape.sides}
    return _("%(sides)d sides of %(players)d players") % {"sides": shape.sides, "players": shape.per_side}


def rules_in_words(rule_set: RuleSet) -> RulesInWords:
    """Every setting of a rule set, in its order and under headings."""
    return RulesInWords(
        title=translated(rule_set.title),
        version=rule_set.version,
        published=date.fromisoformat(rule_set.published),
        about=translated(rule_set.about),
        sittings=tuple(sitting(shape) for shape in rule_set.shapes),
        settings=tuple(_row(setting) for setting in rule_set.settings),
        sections=tuple(
            SettingsSection(str(SECTIONS[key]), tuple(_row(setting) for setting in settings), section_anchor(key))
            for key, settings in sectioned(rule_set)
        ),
    )


def sectioned(rule_set: RuleSet) -> Iterator[tuple[str, list[Setting]]]:
    """The keys of the headings under which a rule set has settings, each with those settings."""
    for key in SECTIONS:
        if settings := [setting for setting in rule_set.settings if section_of(setting.name) == key]:
            yield key, settings


def changes_in_words(old: RuleSet, new: RuleSet) -> tuple[ChangeRow, ...]:
    """What differs in the newer version, what it was and what it is: who can play, and the settings."""
    sat, sit = ("; ".join(map(sitting, rule_set.shapes)) for rule_set in (old, new))
    players = () if set(old.shapes) == set(new.shapes) else (ChangeRow("players", _("Who can play"), sat, sit, ""),)
    return players + tuple(
        ChangeRow(
            anchor_of(found.name),
            translated(found.label),
            value_in_words(found.old.value) if found.old else _("not known then"),
            value_in_words(found.new.value) if found.new else _("no longer there"),
            source_named(found.new.source) if found.new else "",
        )
        for found in differences(old, new)
    )


def _row(setting: Setting) -> SettingRow:
    return SettingRow(
        anchor_of(setting.name),
        translated(setting.label),
        value_in_words(setting.value),
        source_named(setting.source),
        setting.ruling,
    )


def value_in_words(value: Any) -> str:
    """A setting's value: yes or no, a choice, figures, a list, a table of names and figures, or spans.

    >>> value_in_words([15, 150]), value_in_words("other-side")
    ('15 · 150', 'the other side')
    """
    if value is None or value in ("", [], {}, ()):
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return points(value)
    if isinstance(value, str):
        return choice_words(value)
    pairs = normal(value)
    if all(isinstance(item, tuple) for item in pairs):
        return _spans(pairs) if len(pairs[0]) == 3 else _table(pairs)
    return " · ".join(str(item) if isinstance(item, str) else points(item) for item in pairs)


def _table(pairs: Sequence[tuple[Any, int]]) -> str:
    """Names with their figures, names with equal figures together; steps one by one."""
    if any(isinstance(name, int) for name, _figure in pairs):
        words = _("from %(score)s: %(figure)s")
        return " · ".join(words % {"score": points(score), "figure": points(figure)} for score, figure in pairs)
    alike: dict[int, list[str]] = {}
    for name, figure in pairs:
        alike.setdefault(figure, []).append(name)
    return " · ".join(f"{', '.join(names)}: {points(figure)}" for figure, names in alike.items())


def _spans(rows: Sequence[tuple[int, int, int]]) -> str:
    """Figures with their least and most; figures with the same limits stand together.

    >>> _spans([(40, 0, 40), (60, 0, 40), (250, 100, 100)])
    'beside 40, 60: 0 to 40 · beside 250: 100'
    """
    alike: dict[tuple[int, int], list[str]] = {}
    for figure, least, most in rows:
        alike.setdefault((least, most), []).append(points(figure))
    words = []
    for (least, most), figures in alike.items():
        span = (
            points(least)
            if least == most
            else _("%(least)s to %(most)s") % {"least": points(least), "most": points(most)}
        )
        words.append(_("beside %(figures)s: %(span)s") % {"figures": ", ".join(figures), "span": span})
    return " · ".join(words)


def offers_of(club: Club) -> list[GameOffer]:
    """The games that a club can start: its newest house rules, then by kind the shipped rule sets it hasn't adopted."""
    own: dict[str, HouseRules] = {}
    for rules in HouseRules.objects.filter(club=club).order_by("slug", "-version"):
        own.setdefault(rules.slug, rules)
    offers = [GameOffer(r.rule_set, shape, r.version) for r in own.values() for shape in r.rule_set.shapes]
    more = sorted((rule_set for slug, rule_set in shipped().items() if slug not in own), key=order_of)
    return offers + [GameOffer(rule_set, shape, None) for rule_set in more for shape in rule_set.shapes]
