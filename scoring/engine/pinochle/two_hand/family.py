"""Pinochle for two as a family. A claim of the game is checked against the target (002, section 13: the first player to
reach 150 points declares that he has won)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from scoring.engine.core.facts import Json
from scoring.engine.core.family import Family, InGame
from scoring.engine.core.ledger import Problem, against_rules
from scoring.engine.pinochle.melds import setting_problems
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandDeal, TwoHandEnding, TwoHandRules
from scoring.engine.pinochle.two_hand.melds_in_order import follow
from scoring.engine.pinochle.two_hand.scoring import UNSCORABLE, check, score


class _InGame(InGame):
    def goes_by_scores(self, facts: TwoHandDeal, rules: TwoHandRules) -> bool:
        return facts.ending != TwoHandEnding.PLAYED

    def against_scores(self, facts: TwoHandDeal, rules: TwoHandRules, *, before: Sequence[int]) -> Iterator[Problem]:
        """A claim of the game by a side that hasn't reached the target."""
        if facts.ending == TwoHandEnding.PLAYED or rules.target is None:
            return
        points = score(facts, rules)
        if (side := points.claimant) is None:
            return
        if (total := before[side] + points.totals[side]) < rules.target:
            yield against_rules("two-hand.claim-short", "claimant", side=side, total=total, target=rules.target)


def _melded(melds: Sequence[Json], rules: TwoHandRules) -> int:
    return follow(tuple(Laying(meld) for meld in melds), rules).total


FAMILY = Family(
    slug="two-hand-pinochle",
    rules=TwoHandRules,
    facts=TwoHandDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=partial(setting_problems, all_dealt=False),
    in_game=_InGame(),
    is_counted=lambda deal: bool(deal.laid),
    melded=_melded,
)
