"""What a printed score card has a place for, by game family: the figures of one side in one deal.

Source: the score card of 004 (bid, meld, total, take, set, running total) and the Hand and Foot card of 001
and 003 (a column per deal, a row per item).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine.core.ledger import Score
from scoring.engine.hand_and_foot.card import HandAndFootDeal, HandAndFootRules
from scoring.engine.hand_and_foot.counted_cards import totals_of
from scoring.engine.hand_and_foot.family import FAMILY as HAND_AND_FOOT
from scoring.engine.pinochle.partnership import FAMILY as PARTNERSHIP_PINOCHLE
from scoring.engine.pinochle.partnership_card import PartnershipDeal
from scoring.engine.pinochle.three_hand import FAMILY as THREE_HAND_PINOCHLE
from scoring.engine.pinochle.three_hand import ThreeHandDeal
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandRules
from scoring.engine.pinochle.two_hand.family import FAMILY as TWO_HAND_PINOCHLE
from scoring.engine.points_only import FAMILY as POINTS_ONLY
from scoring.wording.hand_and_foot import figure_name, own_words

Cell = int | str | Promise | None
"""A figure, a word, or nothing."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of one side's card.

    `items` are their headings, without the points and the running total that every card ends with;
    `per_deal` says that a deal is a column and an item a row.
    """

    items: tuple[str | Promise, ...]
    cells: Callable[[Any, Score, int], tuple[Cell, ...]]  # facts, score, side -> one cell per item
    per_deal: bool = False


def _pinochle(bid_side: int, deal: PartnershipDeal | ThreeHandDeal, score: Score, side: int) -> tuple[Cell, ...]:
    take = deal.take[side] if deal.take else None
    was_set = _("set") if side in score.sets else None
    meld = deal.meld[side] if deal.meld else _melded(score, side)
    if side != bid_side:
        return None, meld, None, take, was_set
    return deal.bid, meld, None if meld is None else meld + (take or 0), take, was_set


def _melded(score: Score, side: int) -> int | None:
    """A side's meld that isn't on the card as a total: as its lines have it."""
    lines = [line for line in score.lines if line.side == side]
    by_name = [line.points for line in lines if line.rule.startswith("pinochle.counted-")]
    told = [value for line in lines for name, value in line.args if name == "meld" and isinstance(value, int)]
    return sum(by_name) if by_name else next(iter(told), None)


def _partnership(deal: PartnershipDeal, score: Score, side: int) -> tuple[Cell, ...]:
    return _pinochle(deal.bid_side, deal, score, side)


def _three_hand(deal: ThreeHandDeal, score: Score, side: int) -> tuple[Cell, ...]:
    return _pinochle(deal.bidder, deal, score, side)


BONUS = ("two-hand.last-draw", "two-hand.guess", "two-hand.cards-wrong", "two-hand.led-early")


def _two_hand(rules: TwoHandRules) -> Columns:
    """The bonus is for the last draw, the guess and the other player's errors; a game without bidding has none."""

    def cells(deal: TwoHandDeal, score: Score, side: int) -> tuple[Cell, ...]:
        lines = [line for line in score.lines if line.side == side]
        laid = sum(line.points for line in lines if line.rule.startswith("two-hand.laid-"))
        meld = deal.meld[side] if deal.meld else laid
        if not rules.bidding:
            return meld, deal.take[side]
        bonus = sum(line.points for line in lines if line.rule.startswith(BONUS))
        bid, failed = deal.bid if side == deal.bidder else None, _("set") if side in score.sets else None
        return bid, meld, bonus or None, deal.take[side], failed

    bidding = (_("Bid"), _("Meld"), _("Bonus"), _("Take"), _("Set"))
    return Columns(bidding if rules.bidding else (_("Meld"), _("Take")), cells)


def _hand_and_foot(rules: HandAndFootRules) -> Columns:
    own = own_words(rules)

    def cells(deal: HandAndFootDeal, score: Score, side: int) -> tuple[Cell, ...]:
        card = totals_of(deal.sides[side], rules)
        out = _("concealed") if deal.concealed else _("out")
        return (*(card.figure(name, rules) for name in rules.figures), out if deal.out == side else None)

    return Columns((*(figure_name(name, own) for name in rules.figures), _("Went out")), cells, per_deal=True)


PINOCHLE_ITEMS = (_("Bid"), _("Meld"), _("Total"), _("Take"), _("Set"))

COLUMNS: dict[str, Columns | Callable[[Any], Columns]] = {
    PARTNERSHIP_PINOCHLE.slug: Columns(PINOCHLE_ITEMS, _partnership),
    THREE_HAND_PINOCHLE.slug: Columns(PINOCHLE_ITEMS, _three_hand),
    TWO_HAND_PINOCHLE.slug: _two_hand,
    HAND_AND_FOOT.slug: _hand_and_foot,
    POINTS_ONLY.slug: Columns((), lambda deal, score, side: ()),
}
"""Family slug to the places of its card, or to what makes them from the rules."""


def columns_of(family: str, rules: Any) -> Columns:
    """The places of a card of these rules."""
    known = COLUMNS[family]
    return known if isinstance(known, Columns) else known(rules)
