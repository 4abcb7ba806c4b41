"""Which meld totals a player can lay in two-hand pinochle, who sees half of the pack over the deal.

A player may leave any meld unlaid, so a total is possible if some choice of melds adds up to it whose cards one player
can see; the order in which cards come and go isn't checked. Both players' totals are checked against the nines of trump
in the pack.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from math import gcd

from scoring.engine.pinochle.melds import CLASS_OF, DIAMONDS, MELDS, SPADES, SUIT_ORDER, SUITS, TRUMP_CLASSES, Suit
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandRules
from scoring.engine.pinochle.two_hand.melds_in_order import NO_NINES, Nines, nines_fit, ways_of_kind, ways_of_trump

TOGETHER = (Laying.ACES, Laying.KINGS, Laying.QUEENS, Laying.JACKS, Laying.PINOCHLE)


@lru_cache(maxsize=64)
def unit_of(rules: TwoHandRules) -> int:
    """The largest number that divides every meld."""
    values = [value for name in MELDS for value in getattr(rules, name)]
    return gcd(*values, rules.nine_of_trump, rules.added_to_run) or 1


# --- one player's cards ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def totals_of_cards(rules: TwoHandRules, trump: int, *, cards: int) -> int:
    """The totals, without nines, that one player can lay from so many cards: bit n is set for n times `unit_of`.

    Each choice of melds takes the fewest cards that make it, as one card serves in several kinds; the order of laying
    isn't checked.
    """
    many = range(rules.copies + 1)
    unit = unit_of(rules)
    sums = {kind: _by_number(ways_of_kind(kind, rules), unit) for kind in TOGETHER}
    found = 0
    for kings, queens, pinochles in product(many, many, many):
        plain = _marriages(rules, trump, kings=kings, queens=queens, pinochles=pinochles)
        for trumps, points in ways_of_trump(rules):
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


def _by_number(ways: Iterable[tuple[int, int]], unit: int) -> dict[int, frozenset[int]]:
    """How many melds of a kind lie, to the units that these can count."""
    found: dict[int, set[int]] = {}
    for lie, points in ways:
        found.setdefault(lie, set()).add(points // unit)
    return {lie: frozenset(points) for lie, points in found.items()}


def _spread(totals: int, units: Iterable[int]) -> int:
    made = 0
    for more in units:
        made |= totals << more
    return made


def _marriages(rules: TwoHandRules, trump: int, *, kings: int, queens: int, pinochles: int) -> dict[int, int]:
    """How many kings and queens of plain suits are needed, to the totals (as bits) of the marriages that they make
    beside so many kings around, queens around and pinochles."""
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


def can_lay(points: int, rules: TwoHandRules) -> bool:
    """Whether one player can lay exactly this under some trump."""
    return any(_alone(points, nines, trump=trump, rules=rules) for trump in TRUMP_CLASSES for nines in _nines(rules))


@lru_cache(maxsize=64)
def all_totals(rules: TwoHandRules) -> tuple[int, ...]:
    """Every total that `can_lay` allows, in rising order."""
    most = max(totals_of_cards(rules, trump, cards=rules.cards_seen) for trump in TRUMP_CLASSES).bit_length()
    top = most * unit_of(rules) + max(_nines(rules)) * rules.nine_of_trump
    return tuple(points for points in range(top + 1) if can_lay(points, rules))


def _nines(rules: TwoHandRules) -> range:
    return range(rules.copies + rules.turned_up_nine + 1) if rules.nine_of_trump else range(1)


def _alone(points: int, nines: int, *, trump: int, rules: TwoHandRules) -> bool:
    """Whether one player can lay so many points with so many nines; exchanging a nine shows one card more."""
    units, rest = divmod(points - nines * rules.nine_of_trump, unit_of(rules))
    cards = rules.cards_seen + bool(nines) - min(nines, rules.copies)
    return units >= 0 and not rest and bool(totals_of_cards(rules, trump, cards=cards) >> units & 1)


@lru_cache(maxsize=65536)
def can_lay_both(
    melds: tuple[int, int], rules: TwoHandRules, *, trump: Suit | None = None, nines: Nines = NO_NINES
) -> bool:
    """Whether each of the two can lay this under the same trump, with no more nines of trump than there are."""
    classes = TRUMP_CLASSES if trump is None else (CLASS_OF[SUIT_ORDER.index(trump)],)
    counts = [
        pair
        for pair in product(_nines(rules), repeat=2)
        if not rules.nine_of_trump or nines_fit(pair, nines, rules=rules)
    ]
    return any(
        all(_alone(meld, many, trump=of, rules=rules) for meld, many in zip(melds, pair, strict=True))
        for of in classes
        for pair in counts
    )
