"""Which meld totals two players can lay from one pack, when each sees half of it over the deal.

Every split of the cards that melds need is gone through once; a player may leave any meld unlaid, so what a
split allows is every total of some of its melds, with how many layings it takes. Exact in the cards of the pack
and in the number of layings. That a player sees half the pack is held against each player alone, and the order in
which cards come and go is left open: so no total that play can bring is refused, and few others are let pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import gcd
from typing import TypeAlias, TypeVar

from scoring.engine.pinochle.cards import SUITS
from scoring.engine.pinochle.meld_points import CLUBS, DIAMONDS, SPADES, TRUMP_CLASSES
from scoring.engine.pinochle.named_melds import Suit
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandRules
from scoring.engine.pinochle.two_hand.melds_in_order import nines_fit, ways_of_kind, ways_of_trump

T = TypeVar("T")

KINDS = (Laying.ACES, Laying.KINGS, Laying.QUEENS, Laying.JACKS, Laying.PINOCHLE)

MOST_COPIES = 4  # of a card in any pack

# By number of layings: a set of totals, bit n for n units.
Totals: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What one player's share of the pack can make: how many of each, with the trumps that runs and marriages need."""

    aces: int
    kings: int
    queens: int
    jacks: int
    pinochles: int
    marriages: int
    runs: int
    trump_kings: int
    trump_queens: int

    def without_both_aces(self, copies: int) -> Share:
        """The share with an ace of trump fewer where it had all of them: neither all aces nor all runs."""
        least = copies - 1
        return Share(min(self.aces, least), *self._others(), min(self.runs, least), *self._trumps())

    def _others(self) -> tuple[int, int, int, int, int]:
        return self.kings, self.queens, self.jacks, self.pinochles, self.marriages

    def _trumps(self) -> tuple[int, int]:
        return self.trump_kings, self.trump_queens

    def figures(self) -> tuple[int, ...]:
        """All numbers, for comparing."""
        return (self.aces, *self._others(), self.runs, *self._trumps())


def class_of(suit: Suit) -> int:
    """The class of a trump: hearts count as clubs do, as neither has a card of the pinochle."""
    place = tuple(Suit).index(suit)
    return place if place in TRUMP_CLASSES else CLUBS


@lru_cache(maxsize=64)
def unit_of(rules: TwoHandRules) -> int:
    """The largest number that divides every meld."""
    return gcd(*_every_value(rules)) or 1


def _every_value(rules: TwoHandRules) -> Iterator[int]:
    for values in (rules.run, rules.royal_marriage, rules.marriage, rules.pinochle):
        yield from values
    for values in (rules.aces_around, rules.kings_around, rules.queens_around, rules.jacks_around):
        yield from values
    yield from (rules.nine_of_trump, rules.added_to_run)


# --- the splits of the pack ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plain:
    """Kings and queens of the suits so far: fewest and most of the first player's, marriages of both, Q of spades."""

    least_kings: int
    most_kings: int
    least_queens: int
    most_queens: int
    marriages: tuple[int, int]
    spade_queens: int

    def figures(self) -> tuple[int, ...]:
        """Numbers of which more is better for one of the two, beside the queens of spades."""
        most = MOST_COPIES - self.most_kings, MOST_COPIES - self.most_queens
        return self.least_kings, self.least_queens, *most, *self.marriages


def _with_suit(known: Iterable[_Plain], copies: int, spades: bool) -> set[_Plain]:
    found = set()
    for so_far, k, q in product(known, range(copies + 1), range(copies + 1)):
        one, other = so_far.marriages
        marriages = (one + min(k, q), other + copies - max(k, q))
        kings = (min(so_far.least_kings, k), max(so_far.most_kings, k))
        queens = (min(so_far.least_queens, q), max(so_far.most_queens, q))
        found.add(_Plain(*kings, *queens, marriages, q if spades else so_far.spade_queens))
    return {
        plain
        for held in range(copies + 1)
        for plain in _not_worse({plain: plain.figures() for plain in found if plain.spade_queens == held})
    }


@lru_cache(maxsize=16)
def splits(copies: int, trump: int) -> tuple[tuple[Share, Share], ...]:
    """Every way to share the pack that isn't worse for both than another, the most even first.

    Plain aces, and the tens of trump, are split as the aces of trump are: nothing is gained otherwise. Plain
    jacks likewise between the jacks of trump and of diamonds.
    """
    plain = {_Plain(copies, 0, copies, 0, (0, 0), 0)}
    for suit in range(len(SUITS)):
        if suit != trump:
            plain = _with_suit(plain, copies, suit == SPADES)
    many = range(copies + 1)
    found = set()
    for rest, aces, kings, queens, jacks, of_diamonds in product(plain, many, many, many, many, many):
        if trump == DIAMONDS and jacks != of_diamonds:
            continue
        spade_queens = queens if trump == SPADES else rest.spade_queens
        one = Share(
            aces,
            min(rest.least_kings, kings),
            min(rest.least_queens, queens),
            min(jacks, of_diamonds),
            min(spade_queens, of_diamonds),
            rest.marriages[0],
            min(aces, kings, queens, jacks),
            kings,
            queens,
        )
        other = Share(
            copies - aces,
            copies - max(rest.most_kings, kings),
            copies - max(rest.most_queens, queens),
            copies - max(jacks, of_diamonds),
            copies - max(spade_queens, of_diamonds),
            rest.marriages[1],
            copies - max(aces, kings, queens, jacks),
            copies - kings,
            copies - queens,
        )
        found.add((one, other))
    best = _not_worse({pair: pair[0].figures() + pair[1].figures() for pair in found})
    return tuple(sorted(best, key=_unevenness))


def _not_worse(figures: Mapping[T, tuple[int, ...]]) -> Iterator[T]:
    """Those that no other equals or betters in every number."""
    kept: list[int] = []
    for what, numbers in sorted(figures.items(), key=lambda item: (-sum(item[1]), item[1])):
        packed = sum(number << WIDTH * place for place, number in enumerate(numbers))
        guard = sum(1 << WIDTH * (place + 1) - 1 for place in range(len(numbers)))
        if not any((better - packed) & guard == guard for better in kept):
            kept.append(packed | guard)
            yield what


WIDTH = 6  # bits for each number side by side; the highest stays set in a difference where nothing was borrowed


def _unevenness(pair: tuple[Share, Share]) -> tuple[int, tuple[int, ...]]:
    one, other = pair[0].figures(), pair[1].figures()
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)), one


# --- the totals of a share -------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def totals_of(share: Share, rules: TwoHandRules) -> Totals:
    """By the number of layings: every total of melds from this share, nines apart."""
    size = rules.most_layings + 1
    totals = [1] + [0] * (size - 1)
    many = dict(zip(KINDS, (share.aces, share.kings, share.queens, share.jacks, share.pinochles), strict=True))
    ways = [{(points, layings) for _lie, points, layings in ways_of_kind(kind, many[kind], rules)} for kind in KINDS]
    of_trump = ways_of_trump(share.trump_kings, share.trump_queens, share.runs, rules)
    ways.append({(points, layings) for _trumps, points, layings in of_trump})
    ways.append({(number * rules.marriage[0], number) for number in range(share.marriages + 1)})
    for options in ways:
        made = [0] * size
        for points, layings in options:
            for before in range(size - layings):
                made[before + layings] |= totals[before] << points // unit_of(rules)
        totals = made
    for layings in range(1, size):
        totals[layings] |= totals[layings - 1]
    return tuple(totals)


def _beside(mine: Totals, yours: Totals) -> Iterator[tuple[int, int]]:
    """Each total in units that the one can have, with the set of those that the other can have beside it."""
    before, most = 0, len(mine) - 1
    for layings, totals in enumerate(mine):
        new, before = totals & ~before, totals
        while new:
            lowest = new & -new
            yield lowest.bit_length() - 1, yours[most - layings]
            new ^= lowest


@lru_cache(maxsize=64)
def totals_together(rules: TwoHandRules, trump: int, takes_nothing: tuple[bool, bool]) -> dict[int, int]:
    """By a total of the one in units: the totals that the other can have in the same deal; nines apart."""
    found: dict[int, int] = {}
    for pair in splits(rules.copies, trump):
        held = [
            share.without_both_aces(rules.copies) if nothing else share
            for share, nothing in zip(pair, takes_nothing, strict=True)
        ]
        for units, beside in _beside(totals_of(held[0], rules), totals_of(held[1], rules)):
            found[units] = found.get(units, 0) | beside
    return found


# --- one player's cards ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def totals_of_cards(rules: TwoHandRules, trump: int, cards: int) -> int:
    """The totals, nines apart, that one player can lay from so many cards: exact in the cards, whatever the order.

    The fewest cards for each choice of melds; between kinds the same card serves.
    """
    many = range(rules.copies + 1)
    unit = unit_of(rules)
    sums = {kind: _by_number(ways_of_kind(kind, rules.copies, rules), unit) for kind in KINDS}
    found = 0
    for kings, queens, pinochles in product(many, many, many):
        plain = _marriages(rules, trump, kings, queens, pinochles)
        for trumps, points, _layings in ways_of_trump(rules.copies, rules.copies, rules.copies, rules):
            used_kings, used_queens = rules.copies - trumps.fresh_kings, rules.copies - trumps.fresh_queens
            of_trump = max(kings, used_kings) + max(queens, used_queens, pinochles if trump == SPADES else 0)
            melded = sums[Laying.KINGS][kings], sums[Laying.QUEENS][queens], sums[Laying.PINOCHLE][pinochles]
            for aces, jacks in product(many, many):
                runs = trumps.runs
                fixed = of_trump + runs + 3 * aces + max(aces, runs)
                if trump == DIAMONDS:
                    fixed += 3 * jacks + max(jacks, runs, pinochles)
                else:
                    fixed += 2 * jacks + max(jacks, runs) + max(jacks, pinochles)
                with_marriages = 0
                for cost, totals in plain.items():
                    if fixed + cost <= cards:
                        with_marriages |= totals
                if with_marriages:
                    for of in (*melded, sums[Laying.ACES][aces], sums[Laying.JACKS][jacks]):
                        with_marriages = _spread(with_marriages, of)
                    found |= with_marriages << points // unit
    return found


def _by_number(ways: Iterable[tuple[int, int, int]], unit: int) -> dict[int, frozenset[int]]:
    """How many lie, to the units that they can count."""
    found: dict[int, set[int]] = {}
    for lie, points, _layings in ways:
        found.setdefault(lie, set()).add(points // unit)
    return {lie: frozenset(points) for lie, points in found.items()}


def _spread(totals: int, units: Iterable[int]) -> int:
    made = 0
    for more in units:
        made |= totals << more
    return made


def _marriages(rules: TwoHandRules, trump: int, kings: int, queens: int, pinochles: int) -> dict[int, int]:
    """Cards of the plain suits' kings and queens, to the totals of marriages that they make."""
    found = {0: 1}
    for suit in range(len(SUITS)):
        if suit == trump:
            continue
        least = max(queens, pinochles) if suit == SPADES else queens
        made: dict[int, int] = {}
        for cost, totals in found.items():
            for number in range(rules.copies + 1):
                with_suit = cost + max(kings, number) + max(least, number)
                units = number * rules.marriage[0] // unit_of(rules)
                made[with_suit] = made.get(with_suit, 0) | totals << units
        found = made
    return found


# --- the question ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Nines:
    """What the card says of nines of trump drawn last: how many per player, and who drew the one put back.

    `undeclared` are those that a player held without declaring them, as far as that was noted.
    """

    drawn: tuple[int, int] = (0, 0)
    put_back: int | None = None
    undeclared: tuple[int, int] = (0, 0)


def can_lay(points: int, rules: TwoHandRules) -> bool:
    """Whether one player can lay exactly this under some trump."""
    return any(_alone(points, nines, trump, rules) for trump in TRUMP_CLASSES for nines in _nines(rules))


def _nines(rules: TwoHandRules) -> range:
    return range(rules.copies + rules.turned_up_nine + 1) if rules.nine_of_trump else range(1)


def _alone(points: int, nines: int, trump: int, rules: TwoHandRules) -> bool:
    """A player sees one card more by the exchange of a nine."""
    units, rest = divmod(points - nines * rules.nine_of_trump, unit_of(rules))
    cards = rules.cards_seen + bool(nines) - min(nines, rules.copies)
    return units >= 0 and not rest and bool(totals_of_cards(rules, trump, cards) >> units & 1)


@lru_cache(maxsize=65536)
def can_lay_both(
    melds: tuple[int, int],
    rules: TwoHandRules,
    trump: Suit | None = None,
    nines: Nines | None = None,
    takes_nothing: tuple[bool, bool] = (False, False),
) -> bool:
    """Whether one pack, shared between the two, can give both these melds.

    `takes_nothing`: who won no trick with a card that counts, and so hadn't both aces of trump: the first of
    them that is played can't be beaten.
    """
    of_nines = nines or Nines()
    classes = TRUMP_CLASSES if trump is None else (class_of(trump),)
    counts = [
        pair
        for pair in product(_nines(rules), repeat=2)
        if not rules.nine_of_trump or nines_fit(pair, of_nines.drawn, of_nines.put_back, rules, of_nines.undeclared)
    ]
    return any(_both(melds, pair, of, rules, takes_nothing) for of in classes for pair in counts)


def _both(
    melds: tuple[int, int], nines: tuple[int, ...], trump: int, rules: TwoHandRules, nothing: tuple[bool, bool]
) -> bool:
    if not all(_alone(melds[player], nines[player], trump, rules) for player in (0, 1)):
        return False
    unit = unit_of(rules)
    one, other = ((melds[player] - nines[player] * rules.nine_of_trump) // unit for player in (0, 1))
    if not any(nothing) and _half(rules)[-1] >> one & _half(rules)[-1] >> other & 1 and _few(one, other, rules):
        return True
    return bool(totals_together(rules, trump, nothing).get(one, 0) >> other & 1)


@lru_cache(maxsize=64)
def _half(rules: TwoHandRules) -> Totals:
    """The totals from half of every card, whatever is trump: enough for most deals, and asked first."""
    half = rules.copies // 2
    return totals_of(Share(half, half, half, half, half, (len(SUITS) - 1) * half, half, half, half), rules)


def _few(one: int, other: int, rules: TwoHandRules) -> bool:
    """Whether half of every card makes both with no more layings than there are."""
    half = _half(rules)
    fewest = [next(n for n, totals in enumerate(half) if totals >> units & 1) for units in (one, other)]
    return sum(fewest) <= rules.most_layings
