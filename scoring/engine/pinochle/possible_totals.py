"""Which meld totals one pack can give, exactly: to one player, to two partners, to all sides in the same deal.

**R** A player may leave a meld undeclared: no rule forbids it, and nobody can prove it. So the melds on a card are
*some* of those that the cards make, and the question is one of packing: are there declared melds with exactly these
totals whose cards fit in each player's hand and, over all players, in the pack? All other cards fill up the hands.

A player's melds need of each kind of card the most that any one kind of meld needs (a card serves in melds of
different kinds), and within a kind the sum; runs and royal marriages count as one kind, for the king and queen of a
run make no royal marriage. Source: 004 "The Meld".

Only the kinds of card in a `Need` can run short. Tens of trump are in runs only, as many as aces of trump at most;
aces and jacks of a suit that isn't trump (but the jack of diamonds) are in no other meld than those around, which
need as many of trump. Its places: aces, kings, queens, jacks and nines of trump, kings and queens of each other
suit, jacks of diamonds when they aren't trump.

Most true totals can be melded from shares of so many of each card, which are looked up; the others are searched for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from operator import getitem
from typing import TypeAlias

from scoring.engine.pinochle.fit_in_pack import FIELD, PLACES, WIDTH, Need, Sharing, Ways, fit_in_pack, soon_fit
from scoring.engine.pinochle.meld_points import (
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

LOOKED_UP = 2  # of each card, at most, in the share of one player; more takes longer than it saves
TRIED = 3  # sharings of each total that are tried first
NO_SUIT = ((0,), (0,), (0,))  # in place of suits that a small pack hasn't
CARD = 1 << PLACES * WIDTH  # above the fields of a need, while it is made: the number of all its cards


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


def _cores_of(table: MeldTable, trump: int, share: int) -> Iterator[tuple[int, _Rows]]:
    """Points of runs, arounds and pinochles from so many of each card that fit in a hand; what all beside them need."""
    run = _worth(table, table.run, (ACE, TEN, KING, QUEEN, JACK))
    arounds = zip((table.aces, table.kings, table.queens, table.jacks), (ACE, KING, QUEEN, JACK), strict=True)
    values = [run, *(_worth(table, worth, (rank,)) for worth, rank in arounds)]
    values.append(_worth(table, table.pinochle, (QUEEN, JACK), (SPADES, DIAMONDS)))
    shared = replace(table, copies=share)
    for many in product(*(range(min(len(worth), share + 1)) for worth in values)):
        others = len(table.suits) - 1
        if sum(many[1:5]) * others + sum(max(many[0], n) for n in many[1:5]) + many[0] > table.hand_size:
            continue
        rows = _rows(shared, trump, *many)
        if sum(row[0] for row in rows) < (table.hand_size + 1) * CARD:
            yield sum(worth[n] for worth, n in zip(values, many, strict=True)), rows


@lru_cache(maxsize=64)
def _cores(table: MeldTable, trump: int) -> dict[int, list[_Rows]]:
    """By points: runs, arounds and pinochles that fit in one hand, each with what it and all beside it need."""
    found: dict[int, list[_Rows]] = {}
    for points, rows in _cores_of(table, trump, table.copies):
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


def _values_beside(table: MeldTable) -> list[list[int]]:
    """Points of none, one, two ... nines, royal marriages, and marriages of each other suit."""
    royal = _worth(table, table.royal_marriage, (KING, QUEEN))
    plain = _worth(table, table.marriage, (KING, QUEEN))
    nine = _worth(table, tuple(n * table.nine_of_trump for n in range(1, table.copies + 1)), (NINE,))
    return [nine, royal, *[plain] * (len(table.suits) - 1)]


@lru_cache(maxsize=64)
def _extras(table: MeldTable) -> dict[int, list[tuple[int, ...]]]:
    """By points, the nines, royal marriages and marriages by suit that may come beside them."""
    values = _values_beside(table)
    found: dict[int, list[tuple[int, ...]]] = {}
    for many in product(*(range(len(worth)) for worth in values)):
        points = sum(worth[n] for worth, n in zip(values, many, strict=True))
        found.setdefault(points, []).append((*many, 0, 0, 0)[:5])
    return found


@lru_cache(maxsize=16384)
def ways(table: MeldTable, trump: int, meld: int, aces: int = 0) -> Ways:
    """The ways in which one player can meld exactly this, holding so many aces of trump at least."""
    cores, extras = _cores(table, trump), _extras(table)
    most = (table.hand_size + 1) * CARD
    needs: list[int] = []
    for points, beside in extras.items():
        for nines, royals, *others in cores.get(meld - points, ()):
            first, second, third = (*others, *NO_SUIT)[:3]
            needs += [
                need
                for n, r, a, b, c in beside
                if (need := nines[n] + royals[r] + first[a] + second[b] + third[c]) < most
            ]
    if aces:
        held = (need + _cards(0, max(0, aces - (need & FIELD))) for need in needs)
        needs = [need for need in held if need < most]
    return Ways(table.copies, {need % CARD for need in needs})


@lru_cache(maxsize=64)
def _totals(table: MeldTable, trump: int) -> tuple[int, ...]:
    """Totals that one player may have, and a few more, from the lowest."""
    return tuple(sorted({core + extra for core in _cores(table, trump) for extra in _extras(table)}))


# --- two partners --------------------------------------------------------------------------------------


def _sharings(table: MeldTable, trump: int, meld: int, partners: bool, aces: int = 0) -> Iterator[Sharing]:
    """Every way to share a total between partners, the evenest first; one player has it alone.

    `aces`: what one of them holds of trump at least.
    """
    if not partners:
        alone = ways(table, trump, meld, aces)
        if alone.needs:
            yield Sharing.of(alone)
        return
    totals = _totals(table, trump)
    known = set(totals)
    for one in sorted((one for one in totals if meld - one in known), key=lambda one: abs(2 * one - meld)):
        if aces or 2 * one >= meld:
            first, second = ways(table, trump, one, aces), ways(table, trump, meld - one)
            if first.needs and second.needs:
                yield Sharing.of(first, second)


# --- shares of the pack ---------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _from_share(table: MeldTable, trump: int, share: int) -> frozenset[int]:
    """What one player can meld from so many of each card, whatever the others meld from theirs."""
    found: set[int] = set()
    beside = _values_beside(table)
    for points, rows in _cores_of(table, trump, share):
        fewest = {points: sum(row[0] for row in rows) // CARD}  # cards, by points
        for row, worth in zip(rows, beside, strict=True):
            made: dict[int, int] = {}
            for n, more in enumerate(worth[: share + 1]):
                added = (row[n] - row[0]) // CARD
                for total, cards in fewest.items():
                    if cards + added <= min(table.hand_size, made.get(total + more, table.hand_size)):
                        made[total + more] = cards + added
            fewest = made
        found.update(fewest)
    return frozenset(found)


@lru_cache(maxsize=256)
def _from_share_of_two(table: MeldTable, trump: int, share: int) -> frozenset[int]:
    """What two partners can meld together from so many of each card; of more than one, each from a whole share."""
    if share != 1:
        splits = [(share - one, one) for one in range(share // 2 + 1) if share - one <= LOOKED_UP]
        return frozenset(
            first + second
            for split in splits
            for first, second in product(*(_from_share(table, trump, own) for own in split))
        )
    beside = _values_beside(table)
    by_need: dict[Need, set[int]] = {}
    for points, rows in _cores_of(table, trump, 1):
        for many in product(*(range(min(len(worth), 2)) for worth in beside)):
            need = sum(map(getitem, rows, many))
            if need < (table.hand_size + 1) * CARD:
                by_need.setdefault(need % CARD, set()).add(points + sum(map(getitem, beside, many)))
    found: set[int] = set()
    for (first, ones), (second, others) in product(by_need.items(), repeat=2):
        if not first & second:
            found.update(one + other for one in ones for other in others)
    return frozenset(found)


@lru_cache(maxsize=65536)
def _least_share(table: MeldTable, trump: int, meld: int, partners: bool) -> int | None:
    """From how many of each card a side can surely meld this; None from more than is looked up."""
    from_share, most = (_from_share_of_two, 2 * LOOKED_UP) if partners else (_from_share, LOOKED_UP)
    shares = range(min(table.copies, most) + 1)
    return next((share for share in shares if meld in from_share(table, trump, share)), None)


def _shares(table: MeldTable, trump: int, melds: Sequence[int], partners: bool) -> list[int] | None:
    """How many of each card are enough for each side, when the pack has as many for all of them."""
    shares: list[int] = []
    for meld in melds:
        share = _least_share(table, trump, meld, partners)
        if share is None or sum(shares) + share > table.copies:
            return None
        shares.append(share)
    return shares


# --- all sides -----------------------------------------------------------------------------------------


def can_meld(table: MeldTable, meld: int, *, partners: bool, known: int | None = None) -> bool:
    """Whether one player, or two partners together, can meld exactly this under some trump, or the `known` one."""
    return _fit(table, (meld,), partners, known)


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
        if fit_together(table, (near[middle], *others), partners=partners, known=known):
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
    trumps = trump_classes(table, known)
    if any(_shares(table, trump, melds, partners) for trump in trumps):
        return True
    for trump in trumps:
        if soon_fit([list(islice(_sharings(table, trump, meld, partners), TRIED)) for meld in melds], table.copies):
            return True
    return any(
        fit_in_pack([list(_sharings(table, trump, meld, partners)) for meld in melds], table.copies) for trump in trumps
    )


@lru_cache(maxsize=4096)
def _fit_without_aces(
    table: MeldTable, melds: tuple[int, ...], partners: bool, nothing: int, known: int | None
) -> bool:
    """As `fit_together`: an ace of trump is with another side, or, when not all cards are dealt, may be with nobody."""
    kinds, held = len(table.suits) * len(table.ranks), (1 + partners) * table.hand_size
    holders = [side for side in range(len(melds)) if side != nothing]
    for trump in trump_classes(table, known):
        shares = _shares(table, trump, melds, partners) or ()
        for side in holders if shares else ():
            share = max(1, shares[side])  # held as a whole, an ace of trump in it
            if share * kinds <= held and sum(shares) - shares[side] + share <= table.copies:
                return True
    spare = kinds * table.copies > len(melds) * held
    for trump in trump_classes(table, known):
        sides = [list(_sharings(table, trump, meld, partners)) for meld in melds]
        if spare and fit_in_pack([*sides, [Sharing.of(Ways(table.copies, [1]))]], table.copies):
            return True
        for holder in holders:
            with_ace = list(_sharings(table, trump, melds[holder], partners, 1))
            if fit_in_pack([*sides[:holder], with_ace, *sides[holder + 1 :]], table.copies):
                return True
    return False
