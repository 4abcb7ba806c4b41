"""Hand and Foot as a family. Its cards are checked against their game for the first meld, which goes by the deal or by
the side's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.engine.core.family import Family, InGame
from scoring.engine.hand_and_foot.card import HandAndFootDeal, HandAndFootRules, contradictions, setting_problems
from scoring.engine.hand_and_foot.scoring import UNSCORABLE, check, score


class _InGame(InGame):
    def goes_by_scores(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> bool:
        return bool(rules.first_meld_scores)

    def goes_by_place(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> bool:
        return bool(rules.first_meld) and not rules.first_meld_scores

    def placed(
        self, facts: HandAndFootDeal, rules: HandAndFootRules, *, before: Sequence[int] | None, place: int | None
    ) -> HandAndFootDeal:
        """The card with the scores or the place by which its first meld goes. A later number than `place` stays, and so
        does one that no deal can have."""
        if rules.first_meld_scores and before is not None:
            sides = tuple(
                replace(card, score_before=before[side]) if card.score_before is None and side < len(before) else card
                for side, card in enumerate(facts.sides)
            )
            return replace(facts, sides=sides)
        if place is None or not self.goes_by_place(facts, rules) or not _is_number(place, rules):
            return facts
        late = facts.number is not None and (facts.number >= place or not _is_number(facts.number, rules))
        return facts if late else replace(facts, number=place)

    def place_noted(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> int | None:
        return facts.number if self.goes_by_place(facts, rules) and _is_number(facts.number, rules) else None


def _is_number(number: int | None, rules: HandAndFootRules) -> bool:
    """Whether a deal of the game can have that number."""
    return number is not None and number >= 1 and (rules.deals is None or number <= rules.deals)


FAMILY = Family(
    slug="hand-and-foot",
    rules=HandAndFootRules,
    facts=HandAndFootDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=setting_problems,
    contradictions=contradictions,
    in_game=_InGame(),
    is_counted=lambda deal: any(side.counted is not None for side in deal.sides),
)
