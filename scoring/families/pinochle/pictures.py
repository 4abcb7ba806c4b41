"""Melds of pinochle as pictures of cards, to be tapped: the cards of each, and the parts of a form that show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from django.forms import BoundField
from django.template.loader import render_to_string
from django.utils.functional import Promise

from scoring.engine.pinochle.cards import RANKS
from scoring.engine.pinochle.meld_points import OF_TRUMP, SUIT_ORDER, MeldKind, Suit
from scoring.engine.pinochle.named_melds import cards_of
from scoring.engine.pinochle.two_hand.card import Laying
from scoring.engine.pinochle.two_hand.melds_in_order import DOUBLES, MARRIAGES
from scoring.families.deal_form import Block
from scoring.families.pinochle.words import MULTIPLES

TRUMP = "trump"  # the suit of a card that is of trump, whichever that is
SYMBOLS = {Suit.SPADES: "spade", Suit.HEARTS: "heart", Suit.DIAMONDS: "diamond", Suit.CLUBS: "club"}
"""The ids of the suits in static/suits.svg."""

Cards: TypeAlias = tuple[tuple[str, str], ...]
"""Ranks and symbols of suits, left to right."""


def _cards(kind: MeldKind, suit: Suit = Suit.SPADES) -> Cards:
    """The cards of a meld; where it is of trump, of whichever suit that is."""
    return tuple(
        (RANKS[card % 6], TRUMP if kind in OF_TRUMP else SYMBOLS[SUIT_ORDER[card // 6]])
        for card in cards_of(kind, suit)
    )


OF_FIGURE: dict[str, Cards] = {
    **{kind: _cards(kind) for kind in MeldKind if kind is not MeldKind.MARRIAGE},
    **{suit: _cards(MeldKind.MARRIAGE, suit) for suit in Suit},
}
"""The cards of each figure by which a player's melds are counted."""

_SINGLE: dict[str, Cards] = {
    **OF_FIGURE,
    Laying.ADDED_KING: (("K", TRUMP),),
    Laying.ADDED_QUEEN: (("Q", TRUMP),),
    **{laying: OF_FIGURE[suit] for laying, suit in MARRIAGES.items()},
    Laying.NINE: OF_FIGURE[MeldKind.NINE_OF_TRUMP],
}
OF_LAYING = {laying: _SINGLE[DOUBLES.get(laying, laying)] for laying in Laying}
"""The cards of each laying of two-hand pinochle; of a double once, its name says that it is one."""


@dataclass(frozen=True, slots=True)
class Pictured:
    """One figure of a player's melds with its cards as `drawn`. `suit`: that of a marriage (a royal one if the suit is
    trump), else ""; `many`: what two, three, ... of it are called."""

    field: BoundField
    drawn: str
    suit: str
    many: tuple[Promise, ...]


@dataclass(frozen=True, slots=True)
class PictureBlock(Block):
    """A player's melds, as a block of kind "pictures"."""

    rows: tuple[Pictured, ...]


@dataclass(frozen=True, slots=True)
class LaidBlock(Block):
    """A player's melds in the order in which they were laid, as a block of kind "laid": what can be laid (value, words,
    cards as `drawn`), beside a field for each place."""

    layings: tuple[tuple[str, Promise, str], ...]


@lru_cache(maxsize=128)  # the same few on every card of a hall
def drawn(cards: Cards) -> str:
    """Cards side by side, as HTML."""
    return render_to_string("scoring/cards/form/_cards.html", {"cards": cards})


def pictured(field: BoundField, what: MeldKind | Suit) -> Pictured:
    """A figure with its cards."""
    suit = what.value if isinstance(what, Suit) else ""
    return Pictured(field, drawn(OF_FIGURE[what]), suit, MULTIPLES.get(what.value, ())[1:])
