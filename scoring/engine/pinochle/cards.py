"""What every pinochle shares: the pack, the points in it, and the settings that name them.

A card is an int, `6 * suit + rank`; ranks run from the highest (ace, 0) to the lowest (nine, 5). A packet
of cards is a plain sequence of cards, or 24 counts, one per kind of card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.engine.core.ruleset import Rules
from scoring.engine.pinochle.meld_points import MeldTable

SUITS = ("spades", "hearts", "diamonds", "clubs")
RANKS = ("A", "10", "K", "Q", "J", "9")
KINDS = len(SUITS) * len(RANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinochleRules(Rules):
    """Settings that every pinochle has. Points are in the rule set's own scale.

    The melds that come once, twice, ... have a tuple: the value of one, of two, up to `copies` of them
    together (not added to one another).
    """

    ranks: tuple[str, ...]  # in the pack, high to low
    copies: int  # of each card in the pack
    hand_size: int  # cards each player melds and plays with
    opening_bid: int  # lowest bid
    dropped_bid: int  # what the dealer must take it at when all others pass
    bid_step: int  # bids are the opening bid plus a multiple of this
    counters: tuple[tuple[str, int], ...]  # points of a card taken, by rank; ranks not named are worth nothing
    last_trick: int  # points for the last trick
    run: tuple[int, ...]  # A 10 K Q J of trump
    royal_marriage: tuple[int, ...]  # K Q of trump, beyond those in runs
    marriage: tuple[int, ...]  # K Q of another suit
    nine_of_trump: int  # each
    aces_around: tuple[int, ...]
    kings_around: tuple[int, ...]
    queens_around: tuple[int, ...]
    jacks_around: tuple[int, ...]
    pinochle: tuple[int, ...]  # queen of spades and jack of diamonds
    ask_bid_above: int  # the form asks once more above this
    ask_meld_above: int  # likewise


@lru_cache(maxsize=64)
def meld_table(rules: PinochleRules) -> MeldTable:
    """The meld values of a rule set."""
    return MeldTable(
        copies=rules.copies,
        hand_size=rules.hand_size,
        ranks=tuple(RANKS.index(rank) for rank in rules.ranks),
        run=rules.run,
        royal_marriage=rules.royal_marriage,
        marriage=rules.marriage,
        nine_of_trump=rules.nine_of_trump,
        aces=rules.aces_around,
        kings=rules.kings_around,
        queens=rules.queens_around,
        jacks=rules.jacks_around,
        pinochle=rules.pinochle,
    )


@lru_cache(maxsize=64)
def points_by_kind(rules: PinochleRules) -> tuple[int, ...]:
    """Points of each kind of card when taken: 24 values, in the rule set's scale."""
    worth = dict(rules.counters)
    return tuple(worth.get(rank, 0) for rank in RANKS) * len(SUITS)


def points_in_pack(rules: PinochleRules) -> int:
    """All that can be taken in one deal, the last trick included: 25 at St. Hilary, 500 in the x10 scale."""
    return len(SUITS) * rules.copies * sum(worth for _rank, worth in rules.counters) + rules.last_trick


def pack(rules: PinochleRules) -> list[int]:
    """All cards of the pack, in order."""
    return [
        6 * suit + RANKS.index(rank)
        for suit in range(len(SUITS))
        for rank in rules.ranks
        for _copy in range(rules.copies)
    ]


def counted(cards: Iterable[int]) -> list[int]:
    """How many of each of the 24 kinds of card."""
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    return counts


def points_of(cards: Sequence[int], rules: PinochleRules) -> int:
    """Points of cards taken, without the last trick."""
    worth = points_by_kind(rules)
    return sum(worth[card] for card in cards)
