"""Which meld totals one pack can give, exactly: to one player, to two partners, to all sides in the same deal.

**R** A player may leave a meld undeclared: no rule forbids it, and nobody can prove it. So the melds on a card are
*some* of those that the cards make, and the question is one of packing: are there declared melds with exactly these
totals whose cards fit in each player's hand and, over all players, in the pack? All other cards fill up the hands.

A player's melds need of each kind of card the most that any one kind of meld needs (a card serves in melds of
different kinds), and within a kind the sum; runs and royal marriages count as one kind, for the king and queen of a
run make no royal marriage. Source: 004 "The Meld".

Only the kinds of card in a `Need` can run short. Tens of trump are in runs only, as many as aces of trump at most;
aces and jacks of a suit that isn't trump (but the jack of diamonds) are in no other meld than those around, which
need as many of trump. A need is one int of `PLACES` fields: aces, kings, queens, jacks and nines of trump, kings
and queens of each other suit, jacks of diamonds when they aren't trump.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from operator import getitem
from typing import TypeAlias

from scoring.engine.pinochle_melds import (
    ACE,
    CLUBS,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    SPADES,
    TEN,
    TRUMP_CLASSES,
    MeldTable,
)

Need: TypeAlias = int
PLACES, WIDTH = 12, 5
FIELD = (1 << WIDTH) - 1
EACH = sum(1 << place * WIDTH for place in range(PLACES))  # one in every field
CARD = 1 << PLACES * WIDTH  # above the fields of a need, while it is made: the number of all its cards
FEW, MORE = 96, 1536  # needs tried first, and then: nearly every true card is proved by a few, most others by more
LISTED = 100_000  # pairs of ways of two partners that are soon listed, and kept; of more only those that fit are tried
SHARES = 16  # sharings of a total between partners from which they are taken, if they fit at once


class Ways:
    """Needs, each a way to meld a total, none of them at least another in every place."""

    def __init__(self, copies: int, needs: Iterable[Need]) -> None:
        """Of `needs` only the least are kept."""
        self.needs: list[Need] = []
        self._at_most = [[0] * (copies + 1) for _place in range(PLACES)]  # by place and cards: bit n for needs[n]
        for need in sorted(set(needs)):  # whatever another is at least of is the greater number
            if not self.within(need):
                self._add(need, copies)

    def _add(self, need: Need, copies: int) -> None:
        bit = 1 << len(self.needs)
        self.needs.append(need)
        for by_cards in self._at_most:
            for cards in range(need & FIELD, copies + 1):
                by_cards[cards] |= bit
            need >>= WIDTH

    def within(self, room: Need) -> int:
        """Those that so many cards meet: bit n for `needs[n]`."""
        found = (1 << len(self.needs)) - 1
        for by_cards in self._at_most:
            found &= by_cards[room & FIELD]
            if not found:
                break
            room >>= WIDTH
        return found

    def fitting(self, room: Need) -> Iterator[Need]:
        """Those that so many cards meet, one after another."""
        found = self.within(room)
        while found:
            lowest = found & -found
            yield self.needs[lowest.bit_length() - 1]
            found ^= lowest


# --- one player ----------------------------------------------------------------------------------------


_Rows: TypeAlias = tuple[tuple[int, ...], ...]  # needs and cards by how many nines, royal marriages, marriages by suit


def trump_classes(table: MeldTable, known: int | None) -> tuple[int, ...]:
    """Suits to try as trump: the one that is known, or those of the pack."""
    if known is not None:
        return (known if known in TRUMP_CLASSES else CLUBS,)
    return tuple(suit for suit in TRUMP_CLASSES if suit in table.suits)


def _worth(table: MeldTable, values: tuple[int, ...], ranks: Iterable[int], suits: Iterable[int] = ()) -> list[int]:
    """Points of none, one, two ... of a meld; only none when the pack hasn't these ranks and suits."""
    there = set(ranks) <= set(table.ranks) and set(suits) <= set(table.suits)
    return [0, *values[: table.copies]] if there else [0]


@lru_cache(maxsize=64)
def _cores(table: MeldTable, trump: int) -> dict[int, list[_Rows]]:
    """By points: runs, arounds and pinochles that fit in one hand, each with what it and all beside it need."""
    run = _worth(table, table.run, (ACE, TEN, KING, QUEEN, JACK))
    arounds = zip((table.aces, table.kings, table.queens, table.jacks), (ACE, KING, QUEEN, JACK), strict=True)
    values = [run, *(_worth(table, worth, (rank,)) for worth, rank in arounds)]
    values.append(_worth(table, table.pinochle, (QUEEN, JACK), (SPADES, DIAMONDS)))
    found: dict[int, list[_Rows]] = {}
    for many in product(*(range(len(worth)) for worth in values)):
        if sum(many[1:5]) * len(table.suits) > table.hand_size:
            continue
        rows = _rows(table, trump, *many)
        if sum(row[0] for row in rows) < (table.hand_size + 1) * CARD:
            points = sum(worth[n] for worth, n in zip(values, many, strict=True))
            found.setdefault(points, []).append(rows)
    return found


def _rows(
    table: MeldTable, trump: int, runs: int, aces: int, kings: int, queens: int, jacks: int, pinochles: int
) -> _Rows:
    """What these melds need with so many nines, royal marriages and, suit by suit, marriages: one of each row."""
    others = [suit for suit in table.suits if suit != trump]
    in_trump = [pinochles if trump == SPADES else 0, pinochles if trump == DIAMONDS else 0]  # queens and jacks
    fixed = _cards(0, max(runs, aces)) + _cards(3, max(runs, jacks, in_trump[1]))
    fixed += (runs + (aces + jacks) * len(others)) * CARD  # the tens; aces and jacks of other suits
    if DIAMONDS in others:
        fixed += _cards(PLACES - 1, max(jacks, pinochles)) - jacks * CARD
    up_to = range(table.copies + 1)
    royals = [_cards(1, max(many, kings)) + _cards(2, max(many, queens, in_trump[0])) for many in up_to[runs:]]
    rows = [[fixed + _cards(4, nines) for nines in up_to], royals + [(table.hand_size + 1) * CARD] * runs]
    for place, suit in enumerate(others):
        least = max(queens, pinochles) if suit == SPADES else queens
        rows.append([_cards(5 + 2 * place, max(m, kings)) + _cards(6 + 2 * place, max(m, least)) for m in up_to])
    return tuple(map(tuple, rows))


def _cards(place: int, many: int) -> int:
    return many * (CARD + (1 << place * WIDTH))


@lru_cache(maxsize=64)
def _extras(table: MeldTable) -> dict[int, list[tuple[int, ...]]]:
    """By points, the nines, royal marriages and marriages by suit that may come beside them."""
    royal = _worth(table, table.royal_marriage, (KING, QUEEN))
    plain = _worth(table, table.marriage, (KING, QUEEN))
    nine = _worth(table, tuple(n * table.nine_of_trump for n in range(1, table.copies + 1)), (NINE,))
    values = [nine, royal, *[plain] * (len(table.suits) - 1)]
    found: dict[int, list[tuple[int, ...]]] = {}
    for many in product(*(range(len(worth)) for worth in values)):
        found.setdefault(sum(worth[n] for worth, n in zip(values, many, strict=True)), []).append(many)
    return found


@lru_cache(maxsize=16384)
def ways(table: MeldTable, trump: int, meld: int, aces: int = 0) -> Ways:
    """The ways in which one player can meld exactly this, holding so many aces of trump at least."""
    cores, extras = _cores(table, trump), _extras(table)
    needs = []
    for points, beside in extras.items():
        for rows in cores.get(meld - points, ()):
            for many in beside:
                need = sum(map(getitem, rows, many))
                need += _cards(0, max(0, aces - (need & FIELD)))
                if need < (table.hand_size + 1) * CARD:
                    needs.append(need % CARD)
    return Ways(table.copies, needs)


@lru_cache(maxsize=64)
def _totals(table: MeldTable, trump: int) -> tuple[int, ...]:
    """Totals that one player may have, and a few more, from the lowest."""
    return tuple(sorted({core + extra for core in _cores(table, trump) for extra in _extras(table)}))


def _over(need: Need, copies: int) -> int:
    """Whether (not 0) some field, each up to twice `copies`, is more than `copies`."""
    return need + EACH * (FIELD // 2 - copies) & EACH * (FIELD // 2 + 1)


# --- two partners --------------------------------------------------------------------------------------


def _shares(table: MeldTable, trump: int, meld: int, aces: int) -> Iterator[tuple[Ways, Ways]]:
    """The ways of one partner and of the other, for each sharing of a total, the evenest first."""
    totals = _totals(table, trump)
    known = set(totals)
    for one in sorted((one for one in totals if meld - one in known), key=lambda one: abs(2 * one - meld)):
        if aces or 2 * one >= meld:
            first, second = ways(table, trump, one, aces), ways(table, trump, meld - one)
            if first.needs and second.needs:
                yield first, second


def _pairs(table: MeldTable, trump: int, meld: int, spread: int) -> Iterator[Need]:
    """What two partners need together: for some ways of the one, a first and a last way of the other that fits."""
    full = EACH * table.copies
    for first, second in _shares(table, trump, meld, 0):
        for need in first.needs[:: len(first.needs) // spread + 1]:
            if fitting := second.within(full - need):
                yield need + second.needs[fitting.bit_length() - 1]
                yield need + second.needs[(fitting & -fitting).bit_length() - 1]


@lru_cache(maxsize=4096)
def ways_of_two(table: MeldTable, trump: int, meld: int, aces: int = 0) -> Ways:
    """The ways in which two partners can meld exactly this together, one of them with so many aces of trump."""
    limit = table.copies
    return Ways(
        limit,
        {
            both
            for first, second in _shares(table, trump, meld, aces)
            for one in first.needs
            for other in second.needs
            if not _over(both := one + other, limit)
        },
    )


@lru_cache(maxsize=16384)
def _some(table: MeldTable, trump: int, meld: int, partners: bool, most: int) -> Ways:
    """Some of the ways; none only when there is none."""
    if partners:
        some = Ways(table.copies, islice(_pairs(table, trump, meld, most // SHARES), most))
        return some if some.needs else Ways(table.copies, islice(_pairs(table, trump, meld, CARD), 1))
    needs = ways(table, trump, meld).needs
    return Ways(table.copies, needs[:: len(needs) // most + 1])


# --- all sides -----------------------------------------------------------------------------------------


def can_meld(table: MeldTable, meld: int, *, partners: bool, known: int | None = None) -> bool:
    """Whether one player, or two partners together, can meld exactly this under some trump, or the `known` one."""
    return any(_some(table, trump, meld, partners, FEW).needs for trump in trump_classes(table, known))


@lru_cache(maxsize=16)
def _near(table: MeldTable, partners: bool, known: int | None) -> tuple[int, ...]:
    """Every total that can be melded, and more, up to the highest that can."""
    ones = {total for trump in trump_classes(table, known) for total in _totals(table, trump)}
    totals = sorted({one + other for one in ones for other in ones} if partners else ones)
    while not can_meld(table, totals[-1], partners=partners, known=known):
        totals.pop()
    return tuple(totals)


def nearest(table: MeldTable, meld: int, *, partners: bool, known: int | None = None) -> tuple[int, int | None]:
    """The next totals below and above this one that can be melded; above the highest there is none."""
    near = _near(table, partners, known)
    place = bisect_left(near, meld)
    below = next(total for total in reversed(near[:place]) if can_meld(table, total, partners=partners, known=known))
    return below, next(
        (total for total in near[place:] if can_meld(table, total, partners=partners, known=known)), None
    )


def possible_instead(table: MeldTable, melds: Sequence[int], *, partners: bool, known: int | None = None) -> int | None:
    """What the highest of these melds could be beside the others: a lower total, close to those that can't be.

    None when the others can't be in one deal even beside nothing.
    """
    *others, highest = sorted(melds)
    if not fit_together(table, (0, *others), partners=partners, known=known):
        return None
    near = _near(table, partners, known)
    fits, too_high = 0, bisect_left(near, highest)
    while too_high - fits > 1:
        middle = (fits + too_high) // 2
        if _soon(table, (near[middle], *others), partners, known, MORE):
            fits = middle
        else:
            too_high = middle
    return near[fits]


def fit_together(
    table: MeldTable, melds: Sequence[int], *, partners: bool, nothing: int | None = None, known: int | None = None
) -> bool:
    """Whether one pack can give all these melds, under one trump: one per player, or per pair of `partners`.

    `known`: the trump, when the card has it. `nothing`: the side that won no trick with an ace in it. Who holds every
    ace of trump wins one: the first ace of trump played can't be beaten.
    """
    if nothing is None:
        return _fit(table, tuple(sorted(melds)), partners, known)
    return _fit_without_aces(table, tuple(melds), partners, nothing, known)


@lru_cache(maxsize=65536)
def _fit(table: MeldTable, melds: tuple[int, ...], partners: bool, known: int | None) -> bool:
    if _soon(table, melds, partners, known, FEW) or _soon(table, melds, partners, known, MORE):
        return True
    return any(
        _proved(table, trump, melds, partners)
        for trump in trump_classes(table, known)
        if all(_some(table, trump, meld, partners, FEW).needs for meld in melds)
    )


def _proved(table: MeldTable, trump: int, melds: tuple[int, ...], partners: bool) -> bool:
    """Whether the melds, lowest first, fit together under one trump, by all the ways there are."""
    if not partners:
        return _in_one_pack([ways(table, trump, meld) for meld in melds], table.copies)
    if sum(len(one.needs) * len(other.needs) for one, other in _shares(table, trump, melds[0], 0)) < LISTED:
        return _in_one_pack([ways_of_two(table, trump, meld) for meld in melds], table.copies)
    others = {0}
    for meld in melds[1:]:
        others = set(_beside(others, ways_of_two(table, trump, meld).needs, table.copies))
    held, room = Ways(table.copies, others), _room_beside(others, table.copies)
    return any(
        held.within(EACH * table.copies - one - other)
        for first, second in _shares(table, trump, melds[0], 0)
        for one in first.fitting(room)
        for other in second.fitting(room - one)
    )


def _beside(used: Iterable[Need], needs: Iterable[Need], copies: int) -> Iterator[Need]:
    """What those need together that fit together."""
    return (both for so_far in used for need in needs if not _over(both := so_far + need, copies))


def _room_beside(used: Iterable[Need], copies: int) -> Need:
    """Of each kind of card the most that is left beside one of these."""
    fields = [min((need >> place * WIDTH & FIELD for need in used), default=copies) for place in range(PLACES)]
    return sum((copies - least) << place * WIDTH for place, least in enumerate(fields))


def _soon(table: MeldTable, melds: Sequence[int], partners: bool, known: int | None, most: int) -> bool:
    """Whether some of the ways already fit together."""
    return any(
        _in_one_pack([_some(table, trump, meld, partners, most) for meld in melds], table.copies)
        for trump in trump_classes(table, known)
    )


def _all(table: MeldTable, trump: int, meld: int, partners: bool, aces: int = 0) -> Ways:
    return ways_of_two(table, trump, meld, aces) if partners else ways(table, trump, meld, aces)


@lru_cache(maxsize=4096)
def _fit_without_aces(
    table: MeldTable, melds: tuple[int, ...], partners: bool, nothing: int, known: int | None
) -> bool:
    """As `fit_together`: an ace of trump is with another side, or, when not all cards are dealt, may be with nobody."""
    limit = table.copies
    spare = len(table.suits) * len(table.ranks) * limit > len(melds) * (1 + partners) * table.hand_size
    holders = [None] if spare else [side for side in range(len(melds)) if side != nothing]
    for trump, holder in product(trump_classes(table, known), holders):
        sides = [_all(table, trump, meld, partners, int(side == holder)) for side, meld in enumerate(melds)]
        sides[nothing] = Ways(limit, (need for need in sides[nothing].needs if need & FIELD < limit))
        if _in_one_pack(sides, limit):
            return True
    return False


def _in_one_pack(sides: Sequence[Ways], copies: int) -> bool:
    """Whether there is a way for each side such that the pack has all cards that they need."""
    if not all(ways.needs for ways in sides):
        return False
    *others, last = sorted(sides, key=lambda ways: len(ways.needs))
    used = {0}
    for ways in others:
        used = set(_beside(used, ways.needs, copies))
    return any(last.within(EACH * copies - need) for need in used)
