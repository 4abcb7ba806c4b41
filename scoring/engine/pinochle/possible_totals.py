"""Which meld totals the cards of one player can give, exactly; and of two partners, as the sum of two of these, without
those that no one pack gives, where they are known.

A player may leave a meld undeclared (a ruling: no rule forbids it, and nobody can prove it). So the melds on a card are
*some* of those that the cards make: a total is possible if some melds add up to it and their cards fit in a hand.

How many of a card a player's melds need: within one kind of meld, the sum of what its melds need; over all kinds, the
most that any kind needs (a card serves in melds of different kinds). Runs and royal marriages count as one kind, for
the king and queen of a run make no royal marriage. Source: 004 "The Meld".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from scoring.engine.pinochle.meld_points import (
    ACE,
    AROUND,
    CLASS_OF,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    SPADES,
    TEN,
    MeldKind,
    MeldTable,
)


def can_meld(table: MeldTable, meld: int, *, partners: bool, known: int | None = None) -> bool:
    """Whether one player, or two partners together, can meld this under some trump, or the `known` one."""
    return meld >= 0 and bool(_totals(table, partners, known=known) >> meld & 1)


def nearest(table: MeldTable, meld: int, *, partners: bool, known: int | None = None) -> tuple[int, int | None]:
    """The next totals below and above this one that can be melded; the second is None above the highest."""
    totals = _totals(table, partners, known=known)
    below = (totals & (1 << min(meld, totals.bit_length())) - 1).bit_length() - 1
    above = totals >> meld + 1 if meld < totals.bit_length() else 0
    return below, meld + (above & -above).bit_length() if above else None


def all_totals(table: MeldTable, *, partners: bool) -> tuple[int, ...]:
    """Every total that one player, or two partners together, can meld under some trump, in rising order."""
    totals = _totals(table, partners, known=None)
    return tuple(points for points in range(totals.bit_length()) if totals >> points & 1)


@lru_cache(maxsize=256)
def _totals(table: MeldTable, partners: bool, *, known: int | None) -> int:
    """The totals that can be melded, as bits: bit n is set if n points can be."""
    suits = table.suits if known is None else (known,)
    found = 0
    for trump in {CLASS_OF[suit] for suit in suits}:
        alone = totals_of_player(table, trump)
        together = 0
        for one in alone if partners else (0,):
            together |= sum(1 << other for other in alone) << one
        found |= together
    if partners and table.partners_most is not None:
        found &= (2 << table.partners_most) - 1
        found &= ~sum(1 << points for gap in table.partners_gaps for points in gap)
    return found


@lru_cache(maxsize=64)
def totals_of_player(table: MeldTable, trump: int) -> frozenset[int]:
    """Every total that the cards of one hand can meld under this trump.

    For each choice of runs, arounds and pinochles that fits, nines and then marriages, suit by suit, are added in every
    number, keeping the fewest cards that each total needs.
    """
    values = [_worth(table, MeldKind.RUN, ranks=(ACE, TEN, KING, QUEEN, JACK))]
    values += [_worth(table, kind, ranks=(rank,)) for kind, rank in AROUND.items()]
    values.append(_worth(table, MeldKind.PINOCHLE, ranks=(QUEEN, JACK), suits=(SPADES, DIAMONDS)))
    nine = _worth(table, MeldKind.NINE_OF_TRUMP, ranks=(NINE,))
    royal, plain = (_worth(table, kind, ranks=(KING, QUEEN)) for kind in (MeldKind.ROYAL_MARRIAGE, MeldKind.MARRIAGE))
    beside = [nine, royal, *[plain] * (len(table.suits) - 1)]
    found: set[int] = set()
    for many in product(*(range(len(worth)) for worth in values)):
        if sum(many[1:5]) * len(table.suits) > table.hand_size:
            continue
        fixed, rows = _cards(table, trump, melds=many)
        if fixed + sum(row[0] for row in rows) > table.hand_size:
            continue
        points = sum(worth[n] for worth, n in zip(values, many, strict=True))
        found.update(_with_marriages(points, fixed, kinds=zip(rows, beside, strict=True), most=table.hand_size))
    return frozenset(found)


def _worth(table: MeldTable, kind: MeldKind, *, ranks: Iterable[int], suits: Iterable[int] = ()) -> tuple[int, ...]:
    """Points of none, one, two ... of a meld; only those of none if the pack hasn't these ranks and suits."""
    there = set(ranks) <= set(table.ranks) and set(suits) <= set(table.suits)
    return table.worth[kind][: table.copies + 1 if there else 1]


def _cards(table: MeldTable, trump: int, *, melds: Sequence[int]) -> tuple[int, list[list[int]]]:
    """How many cards melds need: so many runs, aces, kings, queens and jacks around, and pinochles.

    First their cards without kings and queens. Then a row for the nines, and one for the kings and queens of each suit,
    trump first: the cards needed, by how many nines, royal marriages or marriages of the suit there are as well.
    """
    runs, aces, kings, queens, jacks, pinochles = melds
    others = [suit for suit in table.suits if suit != trump]
    of_jacks = {suit: max(jacks, pinochles) if suit == DIAMONDS else jacks for suit in table.suits}
    of_jacks[trump] = max(of_jacks[trump], runs)
    of_queens = {suit: max(queens, pinochles) if suit == SPADES else queens for suit in table.suits}
    fixed = runs + max(runs, aces) + aces * len(others) + sum(of_jacks.values())
    up_to = range(table.copies + 1)
    rows = [[*up_to], [max(many, kings) + max(many, of_queens[trump]) for many in up_to[runs:]]]
    return fixed, rows + [[max(many, kings) + max(many, of_queens[suit]) for many in up_to] for suit in others]


def _with_marriages(
    points: int, cards: int, *, kinds: Iterable[tuple[list[int], tuple[int, ...]]], most: int
) -> Iterable[int]:
    """The totals that `points` in `cards` make with any number of each kind, in at most `most` cards; a kind is its
    cards and its points, both by number."""
    fewest = {points: cards}
    for row, worth in kinds:
        made: dict[int, int] = {}
        for more, points_more in zip(row, worth, strict=False):
            for total, held in fewest.items():
                if held + more <= min(most, made.get(total + points_more, most)):
                    made[total + points_more] = held + more
        fewest = made
    return fewest
