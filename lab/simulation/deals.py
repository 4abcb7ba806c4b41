"""Testing a rule set with true deals: each is played with a real pack, then checked and scored as a card would be.

A true deal that is refused is a fault of the program, not of the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Any, Protocol, TypeAlias

from lab.simulation import contract, cribbage, hand_and_foot, pinochle, tricks, two_hand
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import RuleSet, shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.points_only import draw_deal

BLOCK = 250  # deals that share a seed: blocks can be played in any order, in any process
DEALS_IN_A_GAME = 8  # where the rules name no number of deals

Deals: TypeAlias = list[tuple[Any, Any]]  # rules and facts


class Play(Protocol):
    """Deals and plays one deal by the rules, in a game that has had `deals_before` deals. `before` are the sides'
    scores by then; None: they may be anything."""

    def __call__(
        self, rng: Random, rules: Any, /, *, deals_before: int, before: Sequence[int] | None = None
    ) -> Any: ...


PLAYS: dict[str, Play] = {
    "contract": contract.play,
    "hand-and-foot": hand_and_foot.play,
    "partnership-pinochle": pinochle.play_partnership,
    "three-hand-pinochle": pinochle.play_three_hand,
    "two-hand-pinochle": two_hand.play,
    "trick-bids": tricks.play_bids,
    "hearts": tricks.play_hearts,
    "cribbage": cribbage.play,
    "points-only": lambda rng, rules, *, deals_before, before=None: draw_deal(rng, rules),
}
PLAYS_BOTH: dict[str, Play] = {
    "hand-and-foot": hand_and_foot.play_both_ways
}  # a deal twice: its figures, its cards counted


def true_deal(
    family: Family, rng: Random, rules: Any, *, deals_before: int, before: Sequence[int] | None = None
) -> Any:
    return PLAYS[family.slug](rng, rules, deals_before=deals_before, before=before)


@dataclass(frozen=True, slots=True)
class Tally:
    played: int = 0
    refused: int = 0  # found to be impossible or against the rules
    asked_again: int = 0  # found to be unlikely
    codes: tuple[str, ...] = ()  # of the problems that refused a deal

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.played + other.played,
            self.refused + other.refused,
            self.asked_again + other.asked_again,
            tuple(sorted({*self.codes, *other.codes})),
        )


def true_deals(rule_set: RuleSet, *, seed: str, count: int) -> Deals:
    """Rules and facts of so many true deals, over all shapes of the rule set in turn. The same seed, the same deals."""
    family, rng = family_of(rule_set), Random(seed)
    turns = cycle(rules_of(rule_set, shape) for shape in rule_set.shapes)
    played = []
    for number, rules in enumerate(islice(turns, count)):
        before = number // len(rule_set.shapes) % (rules.deals or DEALS_IN_A_GAME)
        played.append((rules, true_deal(family, rng, rules, deals_before=before)))
    return played


def judge(rule_set: RuleSet, deals: Deals) -> Tally:
    """Check and score deals.

    >>> judge(shipped()["points-only"], true_deals(shipped()["points-only"], seed="a", count=16))
    Tally(played=16, refused=0, asked_again=0, codes=())
    """
    family = family_of(rule_set)
    refused = asked = 0
    codes: set[str] = set()
    for rules, facts in deals:
        problems = family.check(facts, rules)
        stopping = [p.code for p in problems if p.severity.stops]
        codes.update(stopping)
        refused += bool(stopping)
        asked += bool(problems) and not stopping
        family.score(facts, rules)  # raises where it can't be scored
    return Tally(len(deals), refused, asked, tuple(sorted(codes)))


@dataclass(frozen=True, slots=True)
class TrialBlock:
    """So many deals of a shipped rule set, to be played in another process."""

    slug: str
    seed: int
    number: int
    count: int


def try_block(block: TrialBlock) -> Tally:
    rule_set = shipped()[block.slug]
    deals = true_deals(rule_set, seed=f"{block.seed}/{block.slug}/{block.number}", count=block.count)
    return judge(rule_set, deals)


def block_sizes(count: int) -> list[int]:
    """The sizes of the blocks of so many deals.

    >>> block_sizes(600)
    [250, 250, 100]
    """
    return [min(BLOCK, count - start) for start in range(0, count, BLOCK)]
