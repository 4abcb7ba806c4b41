"""The auction of a pinochle: which bids there are, who may make them, and what a failed bid costs.

From the dealer's left, each bid higher than the last; who passes is out; when one bidder remains the bid is that
player's. When all others pass, the dealer must take it at the dropped bid. Source: 004 "The Bid".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from scoring.engine.core.ledger import Line, Problem, against_rules, malformed, named
from scoring.engine.core.ruleset import Range
from scoring.engine.pinochle.cards import PinochleRules
from scoring.engine.pinochle.checks import call_problems, is_bid

PASS = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionRules(PinochleRules):
    """Settings of a pinochle in which all players bid."""

    # (from this bid on, by this step), in rising order
    later_steps: Annotated[tuple[tuple[int, int], ...], Range(1, 10_000)] = ()
    # a failed bid: "reverted" scores nothing for the deal, "given" the same, and each of the others scores the bid
    set_points: Annotated[str, ("deducted", "reverted", "given")] = "deducted"

    def steps_at(self, bid: int) -> tuple[int, int]:
        """See `PinochleRules`; later steps count from the bid with which they begin."""
        reached = [(start, step) for start, step in self.later_steps if bid >= start]
        return reached[-1] if reached else (self.opening_bid, self.bid_step)


def next_bid(bid: int, rules: AuctionRules) -> int:
    """The lowest bid above this one."""
    bid = max(bid + 1, rules.opening_bid)
    while not is_bid(bid, rules):
        bid += 1
    return bid


# --- the auction, as it is held or was written down ----------------------------------------------------


@dataclass(slots=True)
class Bidding:
    """Where an auction stands: seats still bidding, whose turn it is among them, the last bid and who made it."""

    bidding: list[int]
    turn: int = 0
    highest: int = PASS
    holder: int | None = None

    @property
    def dropped(self) -> bool:
        """Whether all but the dealer have passed, who must then take the dropped bid."""
        return len(self.bidding) == 1 and self.holder is None

    @property
    def over(self) -> bool:
        """Whether the bid is the last bidder's."""
        return len(self.bidding) == 1 and self.holder is not None

    def call(self, bid: int) -> None:
        """A bid, or a pass, of the seat whose turn it is."""
        if bid == PASS:
            self.bidding.pop(self.turn)
        else:
            self.highest, self.holder = bid, self.bidding[self.turn]
            self.turn += 1
        self.turn %= len(self.bidding)


def auction_problems(deal: Any, rules: AuctionRules, *, holder: str) -> Iterator[Problem]:
    """What is wrong with dealer and auction of a deal, where they were noted. Only the first wrong call is reported.

    `holder` is the facts' field for the side that holds the bid; seat `s` is of side `s % sides`. `bids` are all calls
    in order from the dealer's left, a pass is 0; of a bid that was dropped on the dealer the dealer's own call may be
    left out.
    """
    seats, sides = rules.shape.players, rules.shape.sides
    dealer, bid, bid_side = deal.dealer, deal.bid, getattr(deal, holder)
    if dealer is not None and dealer not in range(seats):
        yield malformed("pinochle.dealer", "dealer", seats=seats)
        return
    if not deal.bids:
        if dealer is not None and bid == rules.dropped_bid < rules.opening_bid and dealer % sides != bid_side:
            yield against_rules("pinochle.dropped-not-dealer", holder, bid=bid, lowest=rules.opening_bid)
        return
    if dealer is None:
        yield malformed("pinochle.dealer-needed", "dealer")
    left = (dealer or 0) + 1
    auction = Bidding([(left + turn) % seats for turn in range(seats)])
    if wrong := _wrong_call(auction, deal.bids, rules=rules):
        yield wrong
        return
    if not auction.over and not auction.dropped:
        yield against_rules("pinochle.auction-open", "bids", left=len(auction.bidding))
        return
    highest = rules.dropped_bid if auction.dropped else auction.highest
    if highest != bid:
        yield against_rules("pinochle.auction-bid", "bids", highest=highest, bid=bid)
    if dealer is not None and auction.bidding[0] % sides != bid_side:
        yield against_rules("pinochle.auction-holder", holder)


def _wrong_call(auction: Bidding, bids: Sequence[int], *, rules: AuctionRules) -> Problem | None:
    """The first call that the auction doesn't allow; those before it are made."""
    for place, bid in enumerate(bids, start=1):
        if auction.over:
            return against_rules("pinochle.auction-long", "bids", enough=place - 1, given=len(bids))
        if auction.dropped:
            if bid != rules.dropped_bid:
                return against_rules("pinochle.auction-dropped", "bids", dropped=rules.dropped_bid)
            auction.highest, auction.holder = bid, auction.bidding[0]
            continue
        if bid != PASS:
            if wrong := next(call_problems(bid, rules, field="bids"), None):
                return wrong
            if bid <= auction.highest:
                return against_rules("pinochle.auction-low", "bids", place=place, bid=bid, highest=auction.highest)
        auction.call(bid)
    return None


# --- a failed bid --------------------------------------------------------------------------------------


def others_than(side: int, rules: AuctionRules) -> list[int]:
    """The other sides, from that side's left."""
    return [(side + turn) % rules.shape.sides for turn in range(1, rules.shape.sides)]


def set_lines(code: str, bid_side: int, *, bid: int, rules: AuctionRules, **args: int) -> tuple[Line, list[Line]]:
    """What a failed bid costs: the line of the bid side, with its reason, and the lines of what the others gain."""
    reason = named(bid=bid, **args)
    if rules.set_points == "deducted":
        return Line(bid_side, -bid, code, reason), []
    given = [Line(side, bid, "pinochle.set-given", named(bid=bid)) for side in others_than(bid_side, rules)]
    return Line(bid_side, 0, f"{code}-reverted", reason), given if rules.set_points == "given" else []
