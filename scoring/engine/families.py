"""The game families: which engine scores which rule set.

A family is one object (`scoring.engine.core.family`), made in its own module or package; a rule set is data for it.
This is the only place of the engine that lists them.
"""

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scoring.engine import contract, cribbage, hearts, points_only, trick_bids
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import RulesError, RuleSet, Shape
from scoring.engine.hand_and_foot import scoring as hand_and_foot
from scoring.engine.pinochle import partnership, three_hand
from scoring.engine.pinochle.two_hand import scoring as two_hand

FAMILIES: dict[str, Family] = {
    family.slug: family
    for family in (
        partnership.FAMILY,
        three_hand.FAMILY,
        two_hand.FAMILY,
        hand_and_foot.FAMILY,
        contract.FAMILY,
        trick_bids.FAMILY,
        hearts.FAMILY,
        cribbage.FAMILY,
        points_only.FAMILY,
    )
}
"""By slug; their rule sets are offered in this order."""


def family_of(rule_set: RuleSet) -> Family:
    """The family that scores a rule set. Raises RulesError for an unknown one."""
    try:
        return FAMILIES[rule_set.family]
    except KeyError:
        raise RulesError(f"{rule_set.slug}: no game family {rule_set.family!r}") from None


def rules_of(rule_set: RuleSet, shape: Shape | None = None) -> Any:
    """The family's rules from a rule set's settings, for one shape (its first when none is named).

    Raises:
        RulesError: the shape isn't one of the rule set's, a setting is missing or not one of the family's.

    A setting added to the family later may be missing from an earlier version: its default is what that version was
    played with.
    """
    shape = shape or rule_set.shapes[0]
    if shape not in rule_set.shapes:
        raise RulesError(f"{rule_set.slug} is not played by {shape.sides} sides of {shape.per_side}")
    return _build_rules(family_of(rule_set).slug, rule_set.slug, values=hashable(rule_set.values), shape=shape)


@lru_cache(maxsize=512)
def _build_rules(family: str, slug: str, *, values: tuple[tuple[str, Any], ...], shape: Shape) -> Any:
    kind = FAMILIES[family].rules
    fields = {f.name: f.default is dataclasses.MISSING for f in dataclasses.fields(kind) if f.name != "shape"}
    settings = dict(values)
    if unknown := settings.keys() - fields.keys():
        raise RulesError(f"{slug}: unknown setting {', '.join(sorted(unknown))}")
    if missing := {name for name, needed in fields.items() if needed} - settings.keys():
        raise RulesError(f"{slug}: {', '.join(sorted(missing))} is not set")
    return kind(shape=shape, **settings)


def hashable(value: Any) -> Any:
    """A setting's value as rules have it: lists become tuples and tables tuples of pairs."""
    if isinstance(value, Mapping):
        return tuple((key, hashable(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(hashable(item) for item in value)
    return value
