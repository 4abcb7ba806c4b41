"""Melds by name, as the players lay them down: what they are worth, the cards they need, and whether one pack has them.

A player may leave a meld undeclared (a ruling: 004 says "may now lay down"), so nobody is told of a meld that is
missing. Whoever holds the cards of the declared melds can fill the hand with any others, which makes the checks
exact: melds that fit one by one and together are the melds of a deal, and others are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import le
from typing import Annotated, Any

from scoring.engine.core.facts import Json, from_data
from scoring.engine.core.ledger import Line, Problem, Severity, impossible, malformed, named
from scoring.engine.pinochle.cards import KINDS, RANKS, PinochleRules, meld_table
from scoring.engine.pinochle.meld_points import (
    AROUND,
    JACK,
    KING,
    NINE,
    OF_TRUMP,
    QUEEN,
    SUIT_ORDER,
    MeldKind,
    Suit,
    melds_of,
)


@dataclass(frozen=True, slots=True)
class Meld:
    """So many melds of one kind, in one player's cards. Only a marriage needs its suit."""

    kind: Annotated[MeldKind, "what kind of meld"]
    suit: Annotated[Suit | None, "the suit of a plain marriage; other kinds need none"] = None
    count: Annotated[int, "how many of it"] = 1


@dataclass(frozen=True, slots=True)
class PlayerMelds:
    """The melds that one player laid down."""

    melds: Annotated[tuple[Meld, ...], "the melds that the player laid down; of each kind (and suit) one entry"] = ()


# --- worth and cards -----------------------------------------------------------------------------------


def points_of_player(player: PlayerMelds, rules: PinochleRules) -> int:
    """Points of all melds of one player.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> st_hilary = rules_of(shipped()["st-hilary-v3"])
    >>> plain = [Meld(MeldKind.MARRIAGE, suit) for suit in (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)]
    >>> around = [Meld(MeldKind.KINGS), Meld(MeldKind.QUEENS)]
    >>> every_suit = PlayerMelds((Meld(MeldKind.ROYAL_MARRIAGE), *plain, *around))
    >>> points_of_player(every_suit, st_hilary)  # 004: a marriage in every suit, "a convenient way to add"
    24
    """
    worth, copies = meld_table(rules).worth, rules.copies
    return sum(worth[meld.kind][max(0, min(meld.count, copies))] for meld in player.melds)


def melded(melds: Sequence[Json], rules: PinochleRules) -> int:
    """Points of one player's melds as they stand in `counted` of a deal file."""
    return points_of_player(from_data(PlayerMelds, {"melds": list(melds)}), rules)


def points_of_sides(counted: Sequence[PlayerMelds], rules: PinochleRules) -> tuple[int, ...]:
    """Points of every side's melds: side 0's players come first, then side 1's."""
    return by_side([points_of_player(player, rules) for player in counted], rules)


def with_melds(deal: Any, rules: PinochleRules) -> Any:
    """The deal with each side's meld: as it stands on the card, else as it is counted."""
    return deal if deal.meld else replace(deal, meld=points_of_sides(deal.counted, rules))


def by_side(each: Sequence[int], rules: PinochleRules) -> tuple[int, ...]:
    """What the players of each side have together."""
    per_side = rules.shape.per_side
    return tuple(sum(each[start : start + per_side]) for start in range(0, len(each), per_side))


@lru_cache(maxsize=16)  # the checks of one deal ask several times
def cards_needed(player: PlayerMelds, trump: Suit | None) -> tuple[int, ...]:
    """The fewest cards that make one player's melds: 24 counts, one per kind of card.

    Within a kind of meld the cards add up; the kings and queens of runs make no royal marriage. Between kinds the same
    card serves. Without a trump, melds that need one are left out.

    >>> run_and_pinochle = PlayerMelds((Meld(MeldKind.RUN), Meld(MeldKind.PINOCHLE)))
    >>> sum(cards_needed(run_and_pinochle, Suit.SPADES)), sum(cards_needed(run_and_pinochle, Suit.HEARTS))
    (6, 7)
    """
    by_kind: dict[str, dict[int, int]] = {}
    for meld in player.melds:
        group = "of-trump" if meld.kind in (MeldKind.RUN, MeldKind.ROYAL_MARRIAGE) else meld.kind.value
        packet = by_kind.setdefault(group, {})
        for card in cards_of(meld.kind, trump if meld.kind in OF_TRUMP else meld.suit):
            packet[card] = packet.get(card, 0) + max(0, meld.count)
    needed = [0] * KINDS
    for packet in by_kind.values():
        for card, many in packet.items():
            needed[card] = max(needed[card], many)
    return tuple(needed)


@lru_cache(maxsize=64)
def cards_of(kind: MeldKind, suit: Suit | None) -> tuple[int, ...]:
    """The cards of one such meld; none where it needs a suit that isn't known."""
    if kind in AROUND:
        return tuple(6 * place + AROUND[kind] for place in range(len(SUIT_ORDER)))
    if kind is MeldKind.PINOCHLE:
        return 6 * SUIT_ORDER.index(Suit.SPADES) + QUEEN, 6 * SUIT_ORDER.index(Suit.DIAMONDS) + JACK
    if suit is None:
        return ()
    base = 6 * SUIT_ORDER.index(suit)
    if kind is MeldKind.RUN:
        return tuple(range(base, base + NINE))
    return (base + NINE,) if kind is MeldKind.NINE_OF_TRUMP else (base + KING, base + QUEEN)


def all_melds(counts: Sequence[int], trump: Suit) -> PlayerMelds:
    """Every meld in one player's cards; `counts` are the 24 counts of the cards."""
    plain = (suit for suit in SUIT_ORDER if suit is not trump)
    each = [
        Meld(kind, next(plain) if kind is MeldKind.MARRIAGE else None, many)
        for kind, many in melds_of(counts, SUIT_ORDER.index(trump))
    ]
    return PlayerMelds(tuple(meld for meld in each if meld.count))


# --- checks --------------------------------------------------------------------------------------------


def counted_problems(counted: Sequence[PlayerMelds], trump: Suit | None, *, rules: PinochleRules) -> Iterator[Problem]:
    """What is wrong with the melds of all players of a deal.

    `player` in the arguments is the player's place among all of them, from 1.
    """
    together = [0] * KINDS
    told: set[int] = set()
    for place, player in enumerate(counted, start=1):
        side = (place - 1) // rules.shape.per_side
        yield from _melds_alone(player, place, side=side, trump=trump, rules=rules)
        needed = cards_needed(player, trump)
        together = [one + other for one, other in zip(together, needed, strict=True)]
        alone: set[int] = set()
        for args in _too_many(needed, rules, told=alone):
            yield impossible("pinochle.counted-copies", "counted", side=side, player=place, **args)
        told |= alone
        if (many := sum(needed)) > (cards := rules.hand_size):
            yield impossible("pinochle.counted-cards", "counted", side=side, player=place, needed=many, cards=cards)
    for args in _too_many(together, rules, told=told):
        yield impossible("pinochle.counted-pack", "counted", side=None, **args)
    if trump is None and any(meld.kind in OF_TRUMP for player in counted for meld in player.melds):
        yield malformed("pinochle.trump-needed", "trump")


def _too_many(needed: Sequence[int], rules: PinochleRules, *, told: set[int]) -> Iterator[dict[str, int | str]]:
    """Cards of which more are needed than the pack has, as arguments of a problem. Cards in `told` are left out, and
    the others are added to it."""
    pack = _pack(rules.ranks, rules.copies)
    if all(map(le, needed, pack)):
        return
    short = [card for card, many in enumerate(needed) if many > pack[card] and card not in told]
    told.update(short)
    for copies in sorted({pack[card] for card in short}):
        yield {"lacking": lacking({card: needed[card] for card in short if pack[card] == copies}), "there": copies}


def lacking(needed: Mapping[int, int]) -> str:
    """How many of which cards, as an argument of a problem: "3 A spades, 3 A hearts"."""
    return ", ".join(f"{many} {RANKS[card % 6]} {SUIT_ORDER[card // 6].value}" for card, many in needed.items())


@lru_cache(maxsize=16)
def _pack(ranks: tuple[str, ...], copies: int) -> tuple[int, ...]:
    """How many of each of the 24 cards a pack has."""
    return tuple(copies if rank in ranks else 0 for rank in RANKS) * len(SUIT_ORDER)


def _melds_alone(
    player: PlayerMelds, place: int, *, side: int, trump: Suit | None, rules: PinochleRules
) -> Iterator[Problem]:
    """What is wrong with how one player's melds are written down."""

    def problem(code: str, severity: Severity = Severity.FORM, **args: int | str) -> Problem:
        return severity.problem(code, "counted", side=side, player=place, **args)

    written = [(meld.kind, meld.suit if meld.kind is MeldKind.MARRIAGE else None) for meld in player.melds]
    if len(set(written)) < len(written):
        yield problem("pinochle.counted-twice")
    for meld in player.melds:
        if not 1 <= meld.count <= rules.copies:
            yield problem("pinochle.counted-number", Severity.AGAINST_RULES, count=meld.count, copies=rules.copies)
        if meld.kind is MeldKind.MARRIAGE:
            if meld.suit is None:
                yield problem("pinochle.marriage-suit")
            elif meld.suit is trump:
                yield problem("pinochle.marriage-of-trump", Severity.AGAINST_RULES, suit=trump.value)
        elif meld.suit is not None and not (meld.kind in OF_TRUMP and meld.suit is trump):
            yield problem("pinochle.counted-suit")


def leaves_a_marriage(counted: Sequence[PlayerMelds], side: int, *, trump: Suit, rules: PinochleRules) -> bool:
    """Whether a player of the `side` can hold a marriage in trump, given all that the players melded."""
    base, per_side = 6 * SUIT_ORDER.index(trump), rules.shape.per_side
    marriage = (base + KING, base + QUEEN)
    needed = [cards_needed(player, trump) for player in counted]
    for held in needed[per_side * side :][:per_side]:
        lacking = [card for card in marriage if not held[card]]
        together = [sum(each[card] for each in needed) + (card in lacking) for card in marriage]
        if sum(held) + len(lacking) <= rules.hand_size and max(together) <= rules.copies:
            return True
    return False


# --- lines ---------------------------------------------------------------------------------------------


def meld_lines(players: Sequence[PlayerMelds], side: int, *, rules: PinochleRules) -> list[Line]:
    """A line for every meld of a side's players, with its points."""
    lines, worth, copies = [], meld_table(rules).worth, rules.copies
    for meld in (meld for player in players for meld in player.melds):
        marriage = meld.kind is MeldKind.MARRIAGE
        suit = {"suit": meld.suit.value} if marriage and meld.suit else {}
        rule = "some-marriage" if marriage and not suit else meld.kind.value
        points = worth[meld.kind][max(0, min(meld.count, copies))]
        lines.append(Line(side, points, f"pinochle.counted-{rule}", named(count=meld.count, **suit)))
    return lines


def recorded(meld: int, players: Sequence[PlayerMelds], *, side: int, rules: PinochleRules) -> list[Line]:
    """The lines of a side's meld that counts: meld by meld where they were counted."""
    by_name = meld_lines(players, side, rules=rules) if players else []
    if by_name and sum(line.points for line in by_name) == meld:
        return by_name
    return [Line(side, meld, "pinochle.meld", named(meld=meld))] if meld else []
