"""Pinochle for two on pages and paper.

The bonus is for the last draw, the guess and the other player's errors; a game without bidding has none.
"""

from __future__ import annotations

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine.core.ledger import Score
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandRules
from scoring.engine.pinochle.two_hand.family import FAMILY
from scoring.families.family_pages import Boxes, Cell, Columns, FamilyPages
from scoring.families.pinochle.card import SET, boxes_under, crossed
from scoring.families.pinochle.two_hand.form import TwoHandPinochleForm
from scoring.families.pinochle.two_hand.words import WORDS
from scoring.families.pinochle.words import KIND

HEADS = (_("Bid"), pgettext_lazy("column", "Meld"), _("Bonus"), _("Take"), _("Set"))
HEADS_WITHOUT_BIDS = (pgettext_lazy("column", "Meld"), _("Take"))
BONUS = ("two-hand.last-draw", "two-hand.guess", "two-hand.cards-wrong", "two-hand.led-early")


def _columns(rules: TwoHandRules) -> Columns:
    def cells(deal: TwoHandDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        lines = [line for line in score.lines if line.side == side]
        laid = sum(line.points for line in lines if line.rule.startswith("two-hand.laid-"))
        meld = deal.meld[side] if deal.meld else laid
        take = deal.take[side] if deal.take else None  # a claim: nobody counted
        if not rules.bidding:
            return meld, take
        bonus = sum(line.points for line in lines if line.rule.startswith(BONUS))
        bid, failed = deal.bid if side == deal.bidder else None, SET if side in score.sets else None
        return bid, meld, bonus or None, take, failed

    return Columns(HEADS if rules.bidding else HEADS_WITHOUT_BIDS, cells, crossed=crossed)


def _boxes(rules: TwoHandRules) -> Boxes:
    if not rules.bidding:
        return boxes_under(HEADS_WITHOUT_BIDS, rules, widths=(14.0, 13.0, 17.0))
    note = _now("Contract not made: cross the line out; the running total stays as it was.")
    return boxes_under(HEADS, rules, note, widths=(12.0, 14.0, 13.0, 13.0, 9.0, 17.0))


PAGES = FamilyPages(family=FAMILY, kind=KIND, words=WORDS, form=TwoHandPinochleForm, columns=_columns, boxes=_boxes)
