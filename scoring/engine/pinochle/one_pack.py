"""What the players can meld together from one pack, which is less than each of their hands could by itself.

The figures are those of the shipped tables of melds, found by the exhaustive search of
`tests/scoring/engine/pinochle/one_pack.py`. By other values of melds only the hands are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.meld_points import MeldKind

BY = ("ranks", "copies", "hand_size", *(kind.setting for kind in MeldKind))
"""The settings from which the figures follow."""


@dataclass(frozen=True, slots=True)
class OnePack:
    """The most that all players can meld together and, of two partners, the most and the totals below it that there
    can't be, though two hands could make them."""

    all_players: int
    partners: int | None = None
    gaps: tuple[range, ...] = ()


FOUND = {
    "st-hilary-v3": OnePack(282, partners=222, gaps=(range(205, 210),)),
    "double-deck-partnership-pinochle": OnePack(636, partners=572, gaps=(range(503, 504), range(513, 572, 2))),
    "three-hand-double-pinochle": OnePack(10_700),
}
"""By the rule set whose melds they are."""


@lru_cache(maxsize=64)
def one_pack(rules: Any) -> OnePack | None:
    """What one pack gives by these rules; None where that isn't known."""
    for slug, found in FOUND.items():
        values, shape = shipped()[slug].values, shipped()[slug].shapes[0]
        if shape == rules.shape and all(_plain(values[name]) == getattr(rules, name) for name in BY):
            return found
    return None


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
