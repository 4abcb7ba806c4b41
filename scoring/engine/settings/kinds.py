"""What can stand in each setting of a rule set: figures and their range, a choice, yes or no, a list, a table.

The kind comes from the type of the setting in its family's rules, see `Rules`. Without a range there a figure may be
below zero where a shipped rule set of the family has it so.
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

from scoring.engine.core.ruleset import MOST, Plain, Range, RuleSet, Setting, shipped_of
from scoring.engine.families import FAMILIES, family_of, hashable


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
    """What can stand in a setting. `range` holds for every figure of a list or table."""

    form: Form
    none: bool = False  # it may be left empty: no such limit
    range: Range = FROM_ZERO
    choices: tuple[str, ...] = ()  # or, for a table, what it can name


@cache
def kinds_of(family: str) -> dict[str, Kind]:
    rules = FAMILIES[family].rules
    hints = typing.get_type_hints(rules, include_extras=True)
    return {f.name: _kind(f.name, hints[f.name], family=family) for f in dataclasses.fields(rules) if f.name != "shape"}


def _kind(name: str, hint: Any, *, family: str) -> Kind:
    said = getattr(hint, "__metadata__", ())
    hint = hint.__origin__ if said else hint
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    none = type(None) in options
    hint = next(option for option in options if option is not type(None))
    choices: tuple[str, ...] = next((names for names in said if isinstance(names, tuple)), ())
    figures = next((found for found in said if isinstance(found, Range)), None)
    figures = figures or Range(-MOST if _below_zero(name, family) else 0)
    form = next(form for form, known in TYPES.items() if known == hint)
    return Kind(form, none, figures, choices)


def _below_zero(name: str, family: str) -> bool:
    values = (s.value for r in shipped_of(family) for s in r.settings if s.name == name)
    return any(figure < 0 for value in values for figure in figures_in(value))


def figures_in(value: Plain) -> list[int]:
    """All figures of a value, whatever its form; names, choices and yes or no have none."""
    if value is None or isinstance(value, bool | str):
        return []
    if isinstance(value, int):
        return [value]
    items = value.values() if isinstance(value, Mapping) else value
    return [figure for item in items for figure in figures_in(item)]


def normal(value: Plain) -> Plain:
    """A value as rules have it, so that two that mean the same are equal: tables as pairs, lists as tuples, "" as None.

    >>> normal({"A": 10}) == normal([["A", 10]]), normal("")
    (True, None)
    """
    return None if value == "" else hashable(value)


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
    """A rule set with the settings that came to its family after it was published, at the values by which it was
    played.

    Their labels and sources are those of the shipped rule set of the same name, or else of one of the family.
    """
    family, known = family_of(rule_set).slug, rule_set.values
    later = {name: value for name, value in defaults_of(family).items() if name not in known}
    if not later:
        return rule_set
    like = sorted(shipped_of(family), key=lambda r: (r.slug != rule_set.slug, r.slug))
    more = []
    for name, value in later.items():
        setting = next(r.by_name[name] for r in like if name in r.by_name)  # shipped files name every setting
        data = as_data(value, kinds_of(family)[name].form)
        source = setting.source if normal(setting.value) == normal(data) else rule_set.title
        more.append(Setting(name, data, setting.label, source, setting.ruling))
    return dataclasses.replace(rule_set, settings=(*rule_set.settings, *more))
