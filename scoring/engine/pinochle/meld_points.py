"""The kinds of meld, and counting melds. Which totals a hand can have is in `possible_totals`.

Melds are counted per player, never pooled. A card may serve in melds of different kinds, not twice in one
kind; the kings and queens of a run make no royal marriage with each other.
Source: 004 "The Meld" and "Meld Points Scoring Sheet".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

SPADES, HEARTS, DIAMONDS, CLUBS = SUITS = range(4)
ACE, TEN, KING, QUEEN, JACK, NINE = range(6)
CLASS_OF = (SPADES, CLUBS, DIAMONDS, CLUBS)  # as trump, hearts count as clubs do: neither has a card of the pinochle
TRUMP_CLASSES = (SPADES, DIAMONDS, CLUBS)


class Suit(StrEnum):
    """The suits, in the order of the engine's cards."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"


class MeldKind(StrEnum):
    """The kinds of meld. A card may serve in melds of different kinds, not twice in one kind."""

    RUN = "run"  # A 10 K Q J of trump
    ROYAL_MARRIAGE = "royal-marriage"  # K Q of trump, beyond those in runs
    MARRIAGE = "marriage"  # K Q of another suit
    NINE_OF_TRUMP = "nine-of-trump"
    ACES = "aces"  # one of each suit, likewise the next three
    KINGS = "kings"
    QUEENS = "queens"
    JACKS = "jacks"
    PINOCHLE = "pinochle"  # queen of spades and jack of diamonds

    @property
    def setting(self) -> str:
        """The setting that says what it is worth."""
        return f"{self}_around" if self in AROUND else self.replace("-", "_")


SUIT_ORDER = tuple(Suit)
OF_TRUMP = frozenset({MeldKind.RUN, MeldKind.ROYAL_MARRIAGE, MeldKind.NINE_OF_TRUMP})
AROUND = {MeldKind.ACES: ACE, MeldKind.KINGS: KING, MeldKind.QUEENS: QUEEN, MeldKind.JACKS: JACK}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldTable:
    """What melds are worth."""

    copies: int
    hand_size: int
    ranks: tuple[int, ...]  # in the pack
    worth: Mapping[MeldKind, tuple[int, ...]] = field(hash=False)  # points of none, of one, of two together, and so on
    suits: tuple[int, ...] = tuple(SUITS)  # in the pack; smaller packs are for proofs
    partners_most: int | None = None  # what two partners can meld from one pack, where that is known
    partners_gaps: tuple[range, ...] = ()  # totals below it that no two hands of one pack make


def melds_of(counts: Sequence[int], trump: int) -> list[tuple[MeldKind, int]]:
    """How many of each kind of meld one player has, marriages suit by suit; `counts` are the 24 counts of the cards.

    As many runs are counted as there can be: in no table are other melds of the same cards worth more.
    """
    married = [min(counts[6 * suit + KING], counts[6 * suit + QUEEN]) for suit in SUITS]
    base = 6 * trump
    runs = min(counts[base : base + NINE])
    return [
        (MeldKind.RUN, runs),
        (MeldKind.ROYAL_MARRIAGE, married.pop(trump) - runs),
        *[(MeldKind.MARRIAGE, many) for many in married],
        (MeldKind.NINE_OF_TRUMP, counts[base + NINE]),
        *[(kind, min(counts[rank::6])) for kind, rank in AROUND.items()],
        (MeldKind.PINOCHLE, min(counts[6 * SPADES + QUEEN], counts[6 * DIAMONDS + JACK])),
    ]


def meld_points(counts: Sequence[int], trump: int, *, table: MeldTable) -> int:
    """Points of all melds of one player."""
    return sum([table.worth[kind][many] for kind, many in melds_of(counts, trump) if many])
