"""Whether settings make rules that can be played: every figure in its range, settings that go together.

A rule set with a problem is never published. Problems are codes with arguments and the name of the setting to look
at; "" is the rule set as a whole. Sentences stand in `scoring.house_rules.in_words`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from scoring.engine.core.facts import fits
from scoring.engine.core.ledger import named
from scoring.engine.core.ruleset import Plain, RuleSet, SettingProblem, shapes_of
from scoring.engine.families import family_of, rules_of
from scoring.engine.settings.kinds import TYPES, Form, Kind, defaults_of, figures_in, kinds_of


def setting_problems(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """Everything wrong with a rule set's settings; empty means that games can be played and scored by it.

    First each setting by itself, then those that belong together, if the first found nothing.
    """
    found = tuple(_each(rule_set))
    if found:
        return found
    together = family_of(rule_set).setting_problems
    return tuple(dict.fromkeys(p for shape in rule_set.shapes for p in together(rules_of(rule_set, shape))))


def not_meant(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """Settings that nobody can mean, though games could be scored by them: the lowest total wins although bids, melds
    and bonuses reward points; where the lowest total wins, a low score loses; what the family calls contradictions.

    Kept apart from `setting_problems`, so that a club's games by an earlier version of that kind can still be taken in.
    """
    found = []
    if rule_set.lowest_wins and family_of(rule_set).points_are_good:
        found.append(SettingProblem("lowest_wins", "setting.lowest-wins"))
    elif rule_set.lowest_wins and rule_set.values.get("lose_at") is not None:
        found.append(SettingProblem("lose_at", "setting.lost-when-low"))
    if next(_each(rule_set), None) is None:
        contradictions = family_of(rule_set).contradictions
        found += (problem for shape in rule_set.shapes for problem in contradictions(rules_of(rule_set, shape)))
    return tuple(dict.fromkeys(found))


def _each(rule_set: RuleSet) -> Iterator[SettingProblem]:
    kinds = kinds_of(family_of(rule_set).slug)
    values, later = rule_set.values, defaults_of(rule_set.family)
    for shape in sorted(set(rule_set.shapes) - shapes_of(rule_set.family)):
        yield SettingProblem("", "rules.shape", named(sides=shape.sides, players=shape.per_side))
    for name in sorted(values.keys() - kinds.keys()):
        yield SettingProblem(name, "setting.unknown")
    for name, kind in kinds.items():
        if name in values:
            yield from _one(name, values[name], kind=kind)
        elif name not in later:
            yield SettingProblem(name, "setting.missing")


def _one(name: str, value: Plain, *, kind: Kind) -> Iterator[SettingProblem]:
    if value is None:
        if not kind.none:
            yield SettingProblem(name, "setting.missing")
        return
    if not _is(value, kind.form):
        yield SettingProblem(name, "setting.form")
        return
    if kind.form is Form.CHOICE and value not in kind.choices:
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


def _is(value: Plain, form: Form) -> bool:
    """Whether a value is written as its form wants it; a table may be written as pairs, too."""
    return fits(TYPES[form], value) or (form is Form.TABLE and fits(dict[str, int], value))
