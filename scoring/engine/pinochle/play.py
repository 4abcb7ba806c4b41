"""The auction and the tricks, for true deals: what a table of sane players does with a real pack.

Trick rules, strict: follow suit and head the highest card of the suit led if you can; else trump, over the
highest trump if you can; else any card. Of equal cards the first wins. Source: 004 "RULES of PLAY".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from scoring.engine.pinochle.auction import PASS, AuctionRules, Bidding, next_bid
from scoring.engine.pinochle.cards import PinochleRules, counted, meld_table, pack, points_by_kind
from scoring.engine.pinochle.meld_points import SUIT_ORDER, meld_points
from scoring.engine.pinochle.named_melds import PlayerMelds, all_melds, by_side, points_of_sides

COUNTED = 0.4  # the chance that melds are counted by name
UNDECLARED = 0.1  # the chance that a meld stays undeclared


@dataclass(frozen=True, slots=True)
class Tricks:
    """What each seat took: `points` in cards (without the last trick), `scoring`: tricks with points in them."""

    points: tuple[int, ...]
    scoring: tuple[int, ...]
    last: int | None  # seat that won the last trick; None when play stopped before it


def shuffled(rng: Random, rules: PinochleRules, *, seats: int) -> tuple[list[list[int]], list[int]]:
    """The cards of every seat, and the widow: what is left of a shuffled pack."""
    cards = pack(rules)
    rng.shuffle(cards)
    size = rules.hand_size
    return [cards[seat * size : (seat + 1) * size] for seat in range(seats)], cards[seats * size :]


def best_trump(cards: Sequence[int], rules: PinochleRules, *, suits: Sequence[int] = range(4)) -> tuple[int, int]:
    """The suit that melds most with the cards as trump (of equals the longest), and the points of that meld."""
    counts = counted(cards)
    table = meld_table(rules)
    melds = [(meld_points(counts, suit, table=table), sum(counts[6 * suit : 6 * suit + 6]), suit) for suit in suits]
    meld, _length, suit = max(melds)
    return suit, meld


def melds_noted(rng: Random, hands: Sequence[Sequence[int]], *, trump: int, rules: PinochleRules) -> dict[str, Any]:
    """The facts of what players melded, with their cards side by side: as totals, by name, or both; of those by name,
    now and then one stays undeclared."""
    counts = [counted(cards) for cards in hands]
    if rng.random() >= COUNTED:
        return {"meld": by_side([meld_points(each, trump, table=meld_table(rules)) for each in counts], rules)}
    suit = SUIT_ORDER[trump]
    melds = [all_melds(each, suit).melds for each in counts]
    laid = tuple(PlayerMelds(tuple(meld for meld in held if rng.random() >= UNDECLARED)) for held in melds)
    noted = {"trump": suit, "counted": laid}
    return noted | ({"meld": points_of_sides(laid, rules)} if rng.random() < COUNTED else {})


def auction(rng: Random, worth: Sequence[int], *, dealer: int, rules: AuctionRules) -> tuple[int, int, tuple[int, ...]]:
    """An auction in which each seat would go as far as its `worth`: the seat that holds the bid, the bid, and all calls
    from the dealer's left (a pass is 0).

    From the dealer's left, up by a step or a small jump; who passes is out. When all others pass, the dealer
    must take it at the dropped bid. Source: 004 "The Bid".
    """
    seats = len(worth)
    now = Bidding([(dealer + 1 + i) % seats for i in range(seats)])
    calls: list[int] = []
    while not now.over and not now.dropped:
        most, lowest = worth[now.bidding[now.turn]], next_bid(now.highest, rules)
        calls.append(_jump(rng, lowest, most=most, rules=rules) if most >= lowest else PASS)
        now.call(calls[-1])
    return now.bidding[0], rules.dropped_bid if now.dropped else now.highest, tuple(calls)


def _jump(rng: Random, lowest: int, *, most: int, rules: AuctionRules) -> int:
    """The lowest bid, or now and then up to three steps above it."""
    bid = lowest
    for _step in range(rng.choice((0, 0, 0, rng.randint(0, 3)))):
        if (higher := next_bid(bid, rules)) <= most:
            bid = higher
    return bid


def legal(cards: Sequence[int], trick: Sequence[int], *, trump: int) -> list[int]:
    """The cards that may be played to a trick (cards in order of play; none: any card may be led)."""
    if not trick:
        return list(cards)
    led = trick[0] // 6
    for suit in (led, trump):
        if held := [card for card in cards if card // 6 == suit]:
            highest = min((card for card in trick if card // 6 == suit), default=6 * suit + 6)
            return [card for card in held if card < highest] or held
    return list(cards)


def winner(trick: Sequence[int], trump: int) -> int:
    """Place in the trick of the card that wins it; of equal cards the first."""
    suit = trump if any(card // 6 == trump for card in trick) else trick[0] // 6
    return trick.index(min(card for card in trick if card // 6 == suit))


def play_tricks(
    rng: Random,
    hands: Sequence[Sequence[int]],
    *,
    leader: int,
    trump: int,
    rules: PinochleRules,
    stop_after: int | None = None,
) -> Tricks:
    """Legal play to the last trick, or for `stop_after` tricks. Each seat leans, at random, to high or to low cards."""
    seats = len(hands)
    held = [list(cards) for cards in hands]
    lean = [rng.choice((0.0, 0.0, 0.5, -0.5, 0.9, -0.9)) for _seat in range(seats)]
    worth = points_by_kind(rules)
    points, scoring = [0] * seats, [0] * seats
    last: int | None = None
    for number in range(len(held[0])):
        if number == stop_after:
            return Tricks(tuple(points), tuple(scoring), None)
        trick: list[int] = []
        for turn in range(seats):
            seat = (leader + turn) % seats
            card = _chosen(rng, legal(held[seat], trick, trump=trump), lean=lean[seat])
            held[seat].remove(card)
            trick.append(card)
        leader = last = (leader + winner(trick, trump)) % seats
        taken = sum(worth[card] for card in trick)
        points[leader] += taken
        scoring[leader] += taken > 0
    return Tricks(tuple(points), tuple(scoring), last)


def _chosen(rng: Random, cards: list[int], *, lean: float) -> int:
    if len(cards) == 1:
        return cards[0]
    if rng.random() < abs(lean):
        return (min if lean > 0 else max)(cards, key=lambda card: card % 6)
    return cards[int(rng.random() * len(cards))]


def without_least(cards: Sequence[int], many: int, *, trump: int, rules: PinochleRules) -> tuple[list[int], list[int]]:
    """Cards to keep and `many` to give away: one at a time the card that costs least meld; of equals one not of trump,
    then a low one."""
    table = meld_table(rules)
    kept = list(cards)
    given = []
    counts = counted(kept)
    for _card in range(many):
        costs = []
        for card in set(kept):
            counts[card] -= 1
            costs.append((-meld_points(counts, trump, table=table), card // 6 == trump, -(card % 6), card))
            counts[card] += 1
        card = min(costs)[-1]
        kept.remove(card)
        counts[card] -= 1
        given.append(card)
    return kept, given
