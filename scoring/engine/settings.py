"""The settings of rule sets: the values that each can have, how they are changed, and which rules can be played.

The kind of a setting comes from its type in the family's rules, see `Rules`: figures and their range, a choice, yes or
no, a list, a table. A figure without a range may be below zero only if one in a shipped rule set of the family is.

A rule set with a problem is never published. Problems are codes with arguments and the name of the setting to look
at; "" is the rule set as a whole. Sentences are in `scoring.house_rules.in_words`.
"""

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any

from scoring.engine.core.family import fits
from scoring.engine.core.ledger import named
from scoring.engine.core.ruleset import (
    MOST,
    Plain,
    Range,
    RuleSet,
    Setting,
    SettingProblem,
    shapes_in_family,
    shipped_in_family,
)
from scoring.engine.families import FAMILIES, family_of, hashable, rules_of


class Form(StrEnum):
    """How a setting is written."""

    FIGURE = "figure"
    YES_NO = "yes-no"
    CHOICE = "choice"
    FIGURES = "figures"  # a list of figures
    NAMES = "names"  # a list of names: the ranks of a pack
    TABLE = "table"  # names and a figure for each
    STEPS = "steps"  # pairs of figures: a score, and what holds from that score on
    SPANS = "spans"  # three figures each: a figure, and the least and the most that can stand beside it


TYPES: dict[Form, Any] = {
    Form.FIGURE: int,
    Form.YES_NO: bool,
    Form.CHOICE: str,
    Form.FIGURES: tuple[int, ...],
    Form.NAMES: tuple[str, ...],
    Form.TABLE: tuple[tuple[str, int], ...],
    Form.STEPS: tuple[tuple[int, int], ...],
    Form.SPANS: tuple[tuple[int, int, int], ...],
}
"""The type of such a setting in a family's rules."""

FROM_ZERO = Range()


@dataclass(frozen=True, slots=True)
class Kind:
    """The values that a setting can have. `range` holds for every figure of a list or table."""

    form: Form
    none: bool = False  # it may be left empty: no such limit
    range: Range = FROM_ZERO
    choices: tuple[str, ...] = ()  # or, for a table, what it can name


@cache
def setting_kinds(family: str) -> dict[str, Kind]:
    rules = FAMILIES[family].rules
    hints = typing.get_type_hints(rules, include_extras=True)
    return {f.name: _kind(f.name, hints[f.name], family=family) for f in dataclasses.fields(rules) if f.name != "shape"}


def _kind(name: str, hint: Any, *, family: str) -> Kind:
    metadata = getattr(hint, "__metadata__", ())
    hint = hint.__origin__ if metadata else hint
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    none = type(None) in options
    hint = next(option for option in options if option is not type(None))
    choices: tuple[str, ...] = next((names for names in metadata if isinstance(names, tuple)), ())
    figures = next((item for item in metadata if isinstance(item, Range)), None)
    values = (s.value for r in shipped_in_family(family) for s in r.settings if s.name == name)
    figures = figures or Range(-MOST if any(figure < 0 for value in values for figure in figures_in(value)) else 0)
    form = next(form for form, form_type in TYPES.items() if form_type == hint)
    return Kind(form, none, figures, choices)


def figures_in(value: Plain) -> list[int]:
    """All figures of a value of any form; names, choices and yes or no have none."""
    if value is None or isinstance(value, bool | str):
        return []
    if isinstance(value, int):
        return [value]
    items = value.values() if isinstance(value, Mapping) else value
    return [figure for item in items for figure in figures_in(item)]


def normalise(value: Plain) -> Plain:
    """A value as rules have it, so that equal ones compare equal: tables as pairs, lists as tuples, "" as None.

    >>> normalise({"A": 10}) == normalise([["A", 10]]), normalise("")
    (True, None)
    """
    return None if value == "" else hashable(value)


def setting_data(value: Plain, form: Form) -> Plain:
    """A value as files and stored versions have it: "" for None, tables as dicts."""
    if value is None:
        return ""
    if form is Form.TABLE:
        return dict(value)
    if isinstance(value, list | tuple):
        return [list(item) if isinstance(item, list | tuple) else item for item in value]
    return value


def later_defaults(family: str) -> dict[str, Plain]:
    """The settings added to a family later, with the values that earlier versions were played with."""
    fields = dataclasses.fields(FAMILIES[family].rules)
    return {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}


def complete_settings(rule_set: RuleSet) -> RuleSet:
    """A rule set with the settings added to its family since it was published, at the values it was played with.

    Their labels and sources are those of the shipped rule set of the same name, or else of another of the family.
    """
    family, values = family_of(rule_set).slug, rule_set.values
    later = {name: value for name, value in later_defaults(family).items() if name not in values}
    if not later:
        return rule_set
    like = sorted(shipped_in_family(family), key=lambda r: (r.slug != rule_set.slug, r.slug))
    settings = []
    for name, value in later.items():
        setting = next(r.by_name[name] for r in like if name in r.by_name)  # shipped files name every setting
        data = setting_data(value, setting_kinds(family)[name].form)
        source = setting.source if normalise(setting.value) == normalise(data) else rule_set.title
        settings.append(Setting(name, data, setting.label, source, setting.ruling))
    return dataclasses.replace(rule_set, settings=(*rule_set.settings, *settings))


# --- changed ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting whose value differs between two versions. None: that version has no such setting."""

    name: str
    old: Setting | None
    new: Setting | None

    @property
    def label(self) -> str:
        setting = self.new or self.old
        return setting.label if setting else self.name


def differences(old: RuleSet, new: RuleSet) -> tuple[SettingDifference, ...]:
    """The settings whose values differ, in the order of the newer version. Labels and sources aren't compared.

    A setting added to the family after a version was published has the value which that version was played with.
    """
    before, after = complete_settings(old).by_name, complete_settings(new).by_name
    pairs = [SettingDifference(name, before.get(name), after.get(name)) for name in {**after, **before}]
    return tuple(pair for pair in pairs if _value(pair.old) != _value(pair.new))


def _value(setting: Setting | None) -> Plain:
    return normalise(setting.value) if setting is not None else None


def change_settings(base: RuleSet, values: Mapping[str, Plain], *, original: RuleSet | None, source: str) -> RuleSet:
    """`base` with these values. All else stays: settings not named, version, date, title and description.

    A changed setting is the club's ruling, with `source` as its source. One that is changed back to what the
    `original` has gets the original's source again.
    """
    base = complete_settings(base)
    kinds = setting_kinds(base.family)
    original_settings = original.by_name if original is not None else {}
    settings = []
    for setting in base.settings:
        value = values.get(setting.name, setting.value)
        if normalise(value) == normalise(setting.value):
            settings.append(setting)
        elif setting.name in original_settings and normalise(original_settings[setting.name].value) == normalise(value):
            settings.append(original_settings[setting.name])
        else:
            data = setting_data(value, kinds[setting.name].form)
            settings.append(Setting(setting.name, data, setting.label, source, ruling=True))
    return dataclasses.replace(base, settings=tuple(settings))


# --- sound -----------------------------------------------------------------------------------------------


def setting_problems(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """Everything wrong with a rule set's settings; empty means that games can be played and scored by it.

    First each setting by itself, then those that belong together, if the first found nothing.
    """
    problems = tuple(_single_problems(rule_set))
    if problems:
        return problems
    together = family_of(rule_set).setting_problems
    return tuple(dict.fromkeys(p for shape in rule_set.shapes for p in together(rules_of(rule_set, shape))))


def implausible_settings(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """Settings that nobody wants, though games could be scored by them: the lowest total wins although bids, melds and
    bonuses reward points; where the lowest total wins, a low score loses; and the family's `contradictions`.

    They aren't among `setting_problems`, so that games played by such a version can still be imported.
    """
    problems = []
    if rule_set.lowest_wins and family_of(rule_set).points_are_good:
        problems.append(SettingProblem("lowest_wins", "setting.lowest-wins"))
    elif rule_set.lowest_wins and rule_set.values.get("lose_at") is not None:
        problems.append(SettingProblem("lose_at", "setting.lost-when-low"))
    if next(_single_problems(rule_set), None) is None:
        contradictions = family_of(rule_set).contradictions
        problems += (problem for shape in rule_set.shapes for problem in contradictions(rules_of(rule_set, shape)))
    return tuple(dict.fromkeys(problems))


def _single_problems(rule_set: RuleSet) -> Iterator[SettingProblem]:
    kinds = setting_kinds(family_of(rule_set).slug)
    values, later = rule_set.values, later_defaults(rule_set.family)
    for shape in sorted(set(rule_set.shapes) - shapes_in_family(rule_set.family)):
        yield SettingProblem("", "rules.shape", named(sides=shape.sides, players=shape.per_side))
    for name in sorted(values.keys() - kinds.keys()):
        yield SettingProblem(name, "setting.unknown")
    for name, kind in kinds.items():
        if name in values:
            yield from _value_problems(name, values[name], kind=kind)
        elif name not in later:
            yield SettingProblem(name, "setting.missing")


def _value_problems(name: str, value: Plain, *, kind: Kind) -> Iterator[SettingProblem]:
    if value is None:
        if not kind.none:
            yield SettingProblem(name, "setting.missing")
        return
    as_table = kind.form is Form.TABLE and fits(dict[str, int], value)  # a table may be written as pairs, too
    if not (as_table or fits(TYPES[kind.form], value)):
        yield SettingProblem(name, "setting.form")
        return
    names = [value] if kind.form is Form.CHOICE else value if kind.form is Form.NAMES else ()
    if kind.choices and not set(names) <= set(kind.choices):
        yield SettingProblem(name, "setting.choice", named(choices=", ".join(kind.choices)))
    if kind.form is Form.STEPS:
        for (earlier, _held), (later, _holds) in pairwise(value):
            if later <= earlier:
                yield SettingProblem(name, "setting.steps", named(later=later, earlier=earlier))
    if kind.form is Form.SPANS:
        for (earlier, *_before), (later, *_after) in pairwise(value):
            if later < earlier:
                yield SettingProblem(name, "setting.rising", named(later=later, earlier=earlier))
        for figure, least, most in value:
            if least > most:
                yield SettingProblem(name, "setting.span", named(figure=figure, least=least, most=most))
    for figure in figures_in(value):
        if figure < kind.range.least:
            yield SettingProblem(name, "setting.low", named(figure=figure, least=kind.range.least))
        if figure > kind.range.most:
            yield SettingProblem(name, "setting.high", named(figure=figure, most=kind.range.most))
