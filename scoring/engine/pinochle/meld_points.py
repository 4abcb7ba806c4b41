"""Counting melds. Which totals a hand can have is in `possible_totals`.

Melds are counted per player, never pooled. A card may serve in melds of different kinds, not twice in one
kind; the kings and queens of a run make no royal marriage with each other.
Source: 004 "The Meld" and "Meld Points Scoring Sheet".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SPADES, HEARTS, DIAMONDS, CLUBS = SUITS = range(4)
ACE, TEN, KING, QUEEN, JACK, NINE = range(6)
CLASS_OF = (SPADES, CLUBS, DIAMONDS, CLUBS)  # as trump, hearts count as clubs do: neither has a card of the pinochle
TRUMP_CLASSES = (SPADES, DIAMONDS, CLUBS)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldTable:
    """What melds are worth; a tuple has the value of one such meld, of two together, and so on."""

    copies: int
    hand_size: int
    ranks: tuple[int, ...]  # in the pack
    run: tuple[int, ...]
    royal_marriage: tuple[int, ...]
    marriage: tuple[int, ...]
    nine_of_trump: int
    aces: tuple[int, ...]
    kings: tuple[int, ...]
    queens: tuple[int, ...]
    jacks: tuple[int, ...]
    pinochle: tuple[int, ...]
    suits: tuple[int, ...] = tuple(SUITS)  # in the pack; smaller packs are for proofs


def melds_of(counts: Sequence[int], trump: int, *, table: MeldTable) -> list[tuple[str, int, int]]:
    """The melds of one player as (kind, how many, points); `counts` are the 24 counts of the player's cards.

    As many runs are counted as there can be: in no table are other melds of the same cards worth more.
    """
    found = []
    base = 6 * trump
    runs = min(counts[base : base + 5])
    royal = min(counts[base + KING], counts[base + QUEEN]) - runs
    if runs:
        found.append(("run", runs, table.run[runs - 1]))
    if royal:
        found.append(("royal_marriage", royal, table.royal_marriage[royal - 1]))
    for suit in table.suits:
        if suit != trump and (plain := min(counts[6 * suit + KING], counts[6 * suit + QUEEN])):
            found.append(("marriage", plain, table.marriage[plain - 1]))
    if nines := counts[base + NINE]:
        found.append(("nine_of_trump", nines, nines * table.nine_of_trump))
    arounds = (
        ("aces", ACE, table.aces),
        ("kings", KING, table.kings),
        ("queens", QUEEN, table.queens),
        ("jacks", JACK, table.jacks),
    )
    for name, rank, values in arounds:
        if around := min(counts[6 * suit + rank] for suit in table.suits):
            found.append((name, around, values[around - 1]))
    if pinochles := min(counts[6 * SPADES + QUEEN], counts[6 * DIAMONDS + JACK]):
        found.append(("pinochle", pinochles, table.pinochle[pinochles - 1]))
    return found


def meld_points(counts: Sequence[int], trump: int, *, table: MeldTable) -> int:
    """Points of all melds of one player."""
    return sum(points for _kind, _many, points in melds_of(counts, trump, table=table))
