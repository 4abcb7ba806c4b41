"""The auction, and the checks of a deal that all games of pinochle share."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Annotated, Any

from scoring.engine.core.ledger import Line, Problem, against_rules, impossible, malformed, named, unlikely
from scoring.engine.core.ruleset import Range
from scoring.engine.pinochle.melds import (
    RANKS,
    SUIT_ORDER,
    MeldKind,
    PinochleRules,
    PlayerMelds,
    Suit,
    can_meld,
    cards_needed,
    counted_problems,
    meld_table,
    nearest_totals,
    one_pack,
    points_in_pack,
    side_points,
    sum_by_side,
)


def column_problems(
    figures: Sequence[object], needed: int, *, field: str, code: str = "pinochle.columns"
) -> Iterator[Problem]:
    if len(figures) != needed:
        yield malformed(code, field, needed=needed, given=len(figures))


def bid_problems(bid: int, rules: PinochleRules) -> Iterator[Problem]:
    """When all others pass, the dealer must take the dropped bid."""
    if bid == rules.dropped_bid:
        return
    yield from call_problems(bid, rules, field="bid")
    if bid > rules.ask_bid_above:
        yield unlikely("pinochle.bid-high", "bid", bid=bid)


def is_bid(bid: int, rules: PinochleRules) -> bool:
    """Whether a player may make this bid. The dropped bid isn't one."""
    start, step = rules.steps_at(bid)
    return bid >= rules.opening_bid and (bid - start) % step == 0


def all_bids(most: int, rules: PinochleRules) -> tuple[int, ...]:
    """Every bid that a card can have, up to `most`, in rising order."""
    return tuple(bid for bid in range(most + 1) if bid == rules.dropped_bid or is_bid(bid, rules))


def call_problems(bid: int, rules: PinochleRules, *, field: str) -> Iterator[Problem]:
    start, step = rules.steps_at(bid)
    if bid < rules.opening_bid:
        yield against_rules("pinochle.bid-too-low", field, bid=bid, lowest=rules.opening_bid, dropped=rules.dropped_bid)
    elif (bid - start) % step:
        yield against_rules("pinochle.bid-step", field, bid=bid, lowest=start, step=step)


def negative_problems(figures: Sequence[int], field: str) -> Iterator[Problem]:
    for side, points in enumerate(figures):
        if points < 0:
            yield impossible("pinochle.negative", field, side=side, points=points)


def meld_problems(
    melds: Sequence[int], rules: PinochleRules, *, partners: bool, trump: Suit | None = None
) -> Iterator[Problem]:
    """Melds that no hands can have, under the trump if it is known."""
    yield from negative_problems(melds, "meld")
    table, trump_suit = meld_table(rules), None if trump is None else SUIT_ORDER.index(trump)
    alone = True  # whether each by itself can be melded
    for side, meld in enumerate(melds):
        if meld >= 0 and not can_meld(table, meld, partners=partners, trump_suit=trump_suit):
            yield _impossible_meld(side, meld, rules=rules, partners=partners, trump_suit=trump_suit)
            alone = False
        elif meld > rules.ask_meld_above:
            yield unlikely("pinochle.meld-high", "meld", side=side, meld=meld)
    pack, together = one_pack(rules), sum(melds)
    if alone and pack is not None and together > pack.all_players:
        yield impossible("pinochle.meld-pack", "meld", meld=together, most=pack.all_players)


def noted_meld_problems(
    melds: Sequence[int], counted: Sequence[PlayerMelds], *, trump: Suit | None, rules: PinochleRules, least: int = 0
) -> Iterator[Problem]:
    """Problems of melds as totals, by name or both. A meld below the `least` may be written as 0."""
    one_each = len(melds) == rules.shape.sides
    if counted:
        yield from counted_problems(counted, trump, rules=rules)
        if one_each and len(counted) == rules.shape.players:
            yield from negative_problems(melds, "meld")
            for side, (written, points) in enumerate(zip(melds, side_points(counted, rules), strict=True)):
                if written != points and not (written == 0 and points < least):
                    yield malformed("pinochle.counted-differs", "meld", side=side, written=written, counted=points)
    elif one_each:
        yield from meld_problems(melds, rules, partners=rules.shape.per_side > 1, trump=trump)


def _impossible_meld(side: int, meld: int, *, rules: PinochleRules, partners: bool, trump_suit: int | None) -> Problem:
    below, above = nearest_totals(meld_table(rules), meld, partners=partners, trump_suit=trump_suit)
    pair, cards = "-pair" if partners else "", rules.hand_size
    if above is None:
        return impossible(f"pinochle.meld-most{pair}", "meld", side=side, meld=meld, cards=cards, most=below)
    code = f"pinochle.meld-impossible{pair}"
    return impossible(code, "meld", side=side, meld=meld, cards=cards, below=below, above=above)


def take_problems(take: Sequence[int], last_trick: int | None, *, rules: PinochleRules) -> Iterator[Problem]:
    """Takes that no tricks are worth, one by one."""
    yield from negative_problems(take, "take")
    step, possible = _takes(rules)
    for side, points in enumerate(take):
        if step > 1 and points % step:
            yield impossible("pinochle.take-step", "take", side=side, take=points, step=step)
        elif 0 <= points < possible.bit_length() and not possible >> points & 1:
            yield impossible("pinochle.take-cards", "take", side=side, take=points)
    if last_trick is not None and 0 <= (taken := take[last_trick]) < rules.last_trick:
        yield impossible("pinochle.last-trick-take", "take", side=last_trick, take=taken, last=rules.last_trick)


def all_takes(rules: PinochleRules) -> tuple[int, ...]:
    """Every number of points that one side can take in a deal, in rising order."""
    step, possible = _takes(rules)
    return tuple(points for points in range(0, points_in_pack(rules) + 1, step or 1) if possible >> points & 1)


@lru_cache(maxsize=64)
def _takes(rules: PinochleRules) -> tuple[int, int]:
    """The step of all takes, and the possible takes as bits: bit n for n points, with the last trick or without."""
    sums = 1
    for _rank, worth in rules.counters:
        for _card in range(len(SUIT_ORDER) * rules.copies):
            sums |= sums << worth
    return gcd(rules.last_trick, *(worth for _rank, worth in rules.counters)), sums | sums << rules.last_trick


def sure_trump_points(trumps: Sequence[int], rules: PinochleRules) -> int:
    """The least points in cards that one player's trumps are sure to take; `trumps` are six counts, from the ace down.

    A player who has every copy of the highest trumps, rank after rank, wins a trick with each, even if others lead.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> st_hilary = rules_of(shipped()["st-hilary-v3"])
    >>> hands = ((2, 2, 2, 2, 2, 2), (2, 0, 2, 2, 2, 2), (1, 2, 2, 2, 2, 2))
    >>> [sure_trump_points(trumps, st_hilary) for trumps in hands]
    [6, 2, 0]
    """
    points, worth = 0, dict(rules.counters)
    for rank, many in zip(RANKS, trumps, strict=True):
        if many < rules.copies:
            break
        points += many * worth.get(rank, 0)
    return points


def sure_takes(
    counted: Sequence[PlayerMelds], trump: Suit | None, *, rules: PinochleRules
) -> Iterator[tuple[int, ...]]:
    """For each suit that can be trump, the points that each side is sure to take with the trumps that it melded;
    nothing where the melds aren't counted by name."""
    if not counted:
        return
    married = {meld.suit for player in counted for meld in player.melds if meld.kind is MeldKind.MARRIAGE}
    for suit in SUIT_ORDER if trump is None else (trump,):
        if trump is None and suit in married:
            continue
        base = len(RANKS) * SUIT_ORDER.index(suit)
        each = [sure_trump_points(cards_needed(player, suit)[base : base + len(RANKS)], rules) for player in counted]
        yield sum_by_side(each, rules)


def sure_take_problems(take: Sequence[int], least: Iterable[Sequence[int]]) -> Iterator[Problem]:
    """Takes lower than what melded trumps are sure to win. `least`: for each suit that can be trump, what each side is
    sure to win."""
    problems_by_suit = [
        [
            impossible("pinochle.sure-take", "take", side=side, least=sure, take=taken)
            for side, (taken, sure) in enumerate(zip(take, sides, strict=True))
            if 0 <= taken < sure
        ]
        for sides in least
    ]
    if problems_by_suit and all(problems_by_suit):
        yield from problems_by_suit[0]


def whole_take_problems(take: Sequence[int], rules: PinochleRules) -> Iterator[Problem]:
    """The takes of a deal that was played out add up to the points of the pack."""
    if sum(take) != (needed := points_in_pack(rules)):
        yield impossible("pinochle.take-total", "take", total=sum(take), needed=needed)


PASS = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionRules(PinochleRules):
    """Settings of a pinochle in which all players bid."""

    # (from this bid on, by this step), in rising order
    later_steps: Annotated[tuple[tuple[int, int], ...], Range(1, 10_000)] = ()
    # a failed bid: "with-meld" deducts the meld too; "reverted" scores nothing for the deal, "given" the same, and each
    # of the others scores the bid
    set_points: Annotated[str, ("deducted", "with-meld", "reverted", "given")] = "deducted"

    def steps_at(self, bid: int) -> tuple[int, int]:
        """See `PinochleRules`; later steps count from the bid with which they begin."""
        reached = [(start, step) for start, step in self.later_steps if bid >= start]
        return reached[-1] if reached else (self.opening_bid, self.bid_step)


# --- the auction, as it is held or was written down ----------------------------------------------------


@dataclass(slots=True)
class Bidding:
    """Where an auction is: seats still bidding, whose turn it is among them, the last bid and who made it."""

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
    """Problems of dealer and auction, where they were noted. Only the first wrong call is reported.

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
    if wrong := _first_wrong_call(auction, deal.bids, rules=rules):
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


def _first_wrong_call(auction: Bidding, bids: Sequence[int], *, rules: AuctionRules) -> Problem | None:
    """Make the calls, up to the first one that the auction doesn't allow."""
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


def other_sides(side: int, rules: AuctionRules) -> list[int]:
    return [(side + turn) % rules.shape.sides for turn in range(1, rules.shape.sides)]


def set_lines(
    code: str, bid_side: int, *, bid: int, melded: int, rules: AuctionRules, **args: int
) -> tuple[Line, list[Line]]:
    """The bid side's line of a failed bid, and further lines: what its meld costs, or what the others gain. `melded` is
    the recorded meld."""
    reason = named(bid=bid, **args)
    if rules.set_points == "deducted":
        return Line(bid_side, -bid, code, reason), []
    if rules.set_points == "with-meld":
        meld = [Line(bid_side, -melded, "pinochle.set-meld", named(meld=melded))] if melded else []
        return Line(bid_side, -bid, code, reason), meld
    gains = [Line(side, bid, "pinochle.set-given", named(bid=bid)) for side in other_sides(bid_side, rules)]
    return Line(bid_side, 0, f"{code}-reverted", reason), gains if rules.set_points == "given" else []
