"""Rules in words: settings with their values, problems with settings, and the games that a club can start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext

from clubsite.accounts.models import Club
from clubsite.names import name_matches
from scoring.engine.core.ruleset import RuleSet, Setting, SettingProblem, Shape, shipped
from scoring.engine.settings import differences, normalise
from scoring.models import HouseRules
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import source_titles, title_with_version, translated
from scoring.wording import (
    CHOICES,
    SECTIONS,
    Figure,
    offer_heading,
    offer_order,
    section_anchor,
    section_key,
    setting_anchor,
)

PROBLEMS: dict[str, Promise] = {
    "setting.missing": _("Fill this in."),
    "setting.unknown": _("The game doesn't have that setting."),
    "setting.form": _("This can't be read. Write it in the same form as before."),
    "setting.low": _("{figure} is too low: write at least {least}."),
    "setting.high": _("{figure} is too high: write at most {most}."),
    "setting.choice": _("Choose one of: {choices}."),
    "setting.ranks": _("Write the ranks from high to low, each once, as in: {ranks}. Only the 9 may be left out."),
    "setting.values-of": _("Write a value for {names} too; 0 for nothing."),
    "setting.not-in-pack": _("The pack has no {names}. Empty that box."),
    "setting.how-many": _(
        "Write {count:figures}: for single, double and so on, as far as the pack allows. There are {written}."
    ),
    "setting.falling": _("{later} comes after {earlier}: more of the same can't be worth less."),
    "setting.pack": _("All players together would get {dealt:cards}; the pack has {cards}."),
    "setting.pack-left": _("All players together would get {dealt} of the {cards:cards}, and none may be left over."),
    "setting.more-than": _("{figure} is too high: “{other}” is {most}."),
    "setting.steps": _("The scores must rise: {later} comes after {earlier}."),
    "setting.rising": _("The first figures of the lines must rise: {later} comes after {earlier}."),
    "setting.span": _("For {figure}, the least ({least}) is more than the most ({most})."),
    "setting.out-wild": _("Nobody could go out: this asks for melds of wild cards, and they aren't allowed."),
    "setting.two-packets": _("Players can choose their foot only if they have two packets; here they have {packets}."),
    "setting.ways-to-score": _(
        "Points come from a bid, from making trump or from tricks over half. Fill in the numbers for only one of these."
    ),
    "rules.shape": _("The game isn't played by {sides:sides} of {players}."),
    "rules.no-deal": _("No deal can be played with all these settings. Check the numbers of cards and the limits."),
}

IMPLAUSIBLE: dict[str, Promise] = {
    "setting.lowest-wins": _(
        "In this game bids, melds and bonuses earn points, so the lowest total can't win. Choose “No”. For a game "
        "where it wins, use one with points only."
    ),
    "setting.never": _("No deal gives {figures}: the lowest, the highest or the step doesn't allow it."),
    "setting.beside-nobody": _("No side has {figures} in a deal. Write lines only for what one side can have."),
    "setting.no-one-side": _("Empty this, or say first what one side has in every deal."),
    "setting.out-by-contract": _(
        "Say first which points one side has for a contract, and with what score a game ends; or say no here."
    ),
    "setting.first-meld-scores": _(
        "For {melds:figures} for the first meld, write one score fewer: {scores}. The first figure applies below all "
        "scores."
    ),
    "setting.out-special": _("No rank's pile has a bonus of its own: name one, or say no here."),
    "setting.lost-when-low": _("Clear this box: where the lowest total wins, no score is too low."),
}
"""For `scoring.engine.settings.implausible_settings`."""


def choice_label(choice: str) -> str:
    return str(CHOICES.get(choice, choice.replace("-", " ")))


def labelled_problem(problem: SettingProblem, rule_set: RuleSet) -> str:
    """With the label of its setting, for a list away from the form."""
    words = problem_message(problem, rule_set)
    label = next((translated(s.label) for s in rule_set.settings if s.name == problem.setting), "")
    return f"{label}: {words}" if label else words


def problem_message(problem: SettingProblem, rule_set: RuleSet) -> str:
    shown = {name: Figure(value) if isinstance(value, int) else value for name, value in problem.args}
    if "other" in shown:
        shown["other"] = next(translated(s.label) for s in rule_set.settings if s.name == shown["other"])
    return str({**PROBLEMS, **IMPLAUSIBLE}[problem.code]).format_map(shown)


def matches_search(rule_set: RuleSet, search: str) -> bool:
    """By the name, in English or the reader's language, or by the description."""
    return name_matches(" ".join([rule_set.title, translated(rule_set.title), translated(rule_set.about)]), search)


SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A rule set that the club can play, in one shape."""

    rule_set: RuleSet
    shape: Shape
    version: int | None  # the club's; None: only shipped

    @property
    def key(self) -> str:
        """In an address: "st-hilary-v3:2x2"."""
        return f"{self.rule_set.slug}:{self.shape}"

    @property
    def kind(self) -> str:
        return offer_heading(self.rule_set, of_club=self.version is not None)

    @property
    def sitting(self) -> str:
        return describe_shape(self.shape)


@dataclass(frozen=True, slots=True)
class NamedRules:
    """An option of a menu of rules."""

    key: str  # in an address
    words: str
    heading: str  # above it in the menu
    rule_set: RuleSet


def version_key(slug: str, version: int | str) -> str:
    """How an address names a version of rules, or `SHIPPED` ones."""
    return f"{slug}:{version}"


def family_rules(club: Club, family: str) -> tuple[NamedRules, ...]:
    """Every version of the club's rules of a family, then the shipped ones."""
    club_rules = HouseRules.objects.filter(club=club).order_by("title", "slug", "-version")
    options = []
    for rules in club_rules:
        words = title_with_version(rules.title, rules.version)
        key = version_key(rules.slug, rules.version)
        options.append(NamedRules(key, words, _now("The club's house rules"), rules.rule_set))
    options += [
        NamedRules(version_key(slug, SHIPPED), translated(rule_set.title), _now("As shipped"), rule_set)
        for slug, rule_set in sorted(shipped().items(), key=lambda item: offer_order(item[1]))
    ]
    return tuple(option for option in options if option.rule_set.family == family)


def describe_shape(shape: Shape) -> str:
    """
    >>> describe_shape(Shape(2, 2)), describe_shape(Shape(3, 1))
    ('2 sides of 2 players', '3 players, each alone')
    """
    if shape.per_side == 1:
        return ngettext("%(n)d player, each alone", "%(n)d players, each alone", shape.sides) % {"n": shape.sides}
    return _now("%(sides)d sides of %(players)d players") % {"sides": shape.sides, "players": shape.per_side}


def describe_rules(rule_set: RuleSet) -> dict[str, Any]:
    """Who can play, and every setting, in order and by section, with its value, its source and its place on the page of
    the rules (`anchor`)."""
    rows = {setting.name: _setting_row(setting) for setting in rule_set.settings}
    return {
        "title": translated(rule_set.title),
        "version": rule_set.version,
        "published": date.fromisoformat(rule_set.published),
        "about": translated(rule_set.about),
        "sittings": [describe_shape(shape) for shape in rule_set.shapes],
        "settings": list(rows.values()),
        "sections": [
            {"heading": str(SECTIONS[key]), "settings": [rows[s.name] for s in settings], "anchor": section_anchor(key)}
            for key, settings in settings_by_section(rule_set)
        ],
    }


def settings_by_section(rule_set: RuleSet) -> Iterator[tuple[str, list[Setting]]]:
    for key in SECTIONS:
        if settings := [setting for setting in rule_set.settings if section_key(setting.name) == key]:
            yield key, settings


def describe_changes(old: RuleSet, new: RuleSet) -> list[dict[str, str]]:
    rows = []
    if set(old.shapes) != set(new.shapes):
        sat, sit = ("; ".join(map(describe_shape, rule_set.shapes)) for rule_set in (old, new))
        rows.append({"anchor": "players", "label": _now("Who can play"), "old": sat, "new": sit, "source": ""})
    for changed in differences(old, new):
        rows.append(
            {
                "anchor": setting_anchor(changed.name),
                "label": translated(changed.label),
                "old": describe_value(changed.old.value) if changed.old else _now("not known then"),
                "new": describe_value(changed.new.value) if changed.new else _now("no longer there"),
                "source": source_titles(changed.new.source) if changed.new else "",
            }
        )
    return rows


def _setting_row(setting: Setting) -> dict[str, Any]:
    return {
        "anchor": setting_anchor(setting.name),
        "label": translated(setting.label),
        "value": describe_value(setting.value),
        "source": source_titles(setting.source),
        "ruling": setting.ruling,
    }


def describe_value(value: Any) -> str:
    """A setting's value: yes or no, a choice, figures, a list, a table of names and figures, or spans.

    >>> describe_value([15, 150]), describe_value("other-side")
    ('15 · 150', 'the other side')
    """
    if value is None or value in ("", [], {}, ()):
        return _now("none")
    if isinstance(value, bool):
        return _now("yes") if value else _now("no")
    if isinstance(value, int):
        return points(value)
    if isinstance(value, str):
        return choice_label(value)
    pairs = normalise(value)
    if all(isinstance(item, tuple) for item in pairs):
        return _describe_spans(pairs) if len(pairs[0]) == 3 else _describe_table(pairs)
    return " · ".join(str(item) if isinstance(item, str) else points(item) for item in pairs)


def _describe_table(pairs: Sequence[tuple[Any, int]]) -> str:
    """Names with equal figures together; steps one by one."""
    if any(isinstance(name, int) for name, _figure in pairs):
        words = _now("from %(score)s: %(figure)s")
        return " · ".join(words % {"score": points(score), "figure": points(figure)} for score, figure in pairs)
    alike: dict[int, list[str]] = {}
    for name, figure in pairs:
        alike.setdefault(figure, []).append(str(CHOICES.get(name, name)))
    return " · ".join(f"{', '.join(names)}: {points(figure)}" for figure, names in alike.items())


def _describe_spans(rows: Sequence[tuple[int, int, int]]) -> str:
    """Figures with their least and most; figures with the same limits together.

    >>> _describe_spans([(40, 0, 40), (60, 0, 40), (250, 100, 100)])
    'with 40, 60: 0 to 40 · with 250: 100'
    """
    alike: dict[tuple[int, int], list[str]] = {}
    for figure, least, most in rows:
        alike.setdefault((least, most), []).append(points(figure))
    words = []
    for (least, most), figures in alike.items():
        span = points(least)
        if least != most:
            span = _now("%(least)s to %(most)s") % {"least": points(least), "most": points(most)}
        words.append(_now("with %(figures)s: %(span)s") % {"figures": ", ".join(figures), "span": span})
    return " · ".join(words)


def game_offers(club: Club) -> list[GameOffer]:
    """The club's latest house rules, then by kind the shipped rule sets that it hasn't adopted."""
    by_slug: dict[str, HouseRules] = {}
    for rules in HouseRules.objects.filter(club=club).order_by("slug", "-version"):
        by_slug.setdefault(rules.slug, rules)
    offers = [GameOffer(r.rule_set, shape, r.version) for r in by_slug.values() for shape in r.rule_set.shapes]
    unadopted = sorted((rule_set for slug, rule_set in shipped().items() if slug not in by_slug), key=offer_order)
    return offers + [GameOffer(rule_set, shape, None) for rule_set in unadopted for shape in rule_set.shapes]
