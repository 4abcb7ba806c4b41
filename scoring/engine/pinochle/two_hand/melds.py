"""Melds of pinochle for two, one by one as they are laid, and the totals that are possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import gcd

from scoring.engine.pinochle.melds import (
    CLASS_OF,
    DIAMONDS,
    KINDS,
    KING,
    MELDS,
    QUEEN,
    SPADES,
    SUIT_ORDER,
    SUITS,
    TRUMP_CLASSES,
    MeldKind,
    Suit,
    cards_of,
)
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandRules

MARRIAGES = {Laying(f"marriage-{suit}"): suit for suit in Suit}
DOUBLES = {double: Laying(double.removeprefix("double-")) for double in Laying if double.startswith("double-")}
KIND_OF = {single: MeldKind(single) for single in DOUBLES.values()} | dict.fromkeys(MARRIAGES, MeldKind.MARRIAGE)
"""What kind of meld each single is; royal marriages, cards added to a run and nines count by rules of their own."""
OF_TRUMP = (Laying.RUN, Laying.DOUBLE_RUN, Laying.ADDED_KING, Laying.ADDED_QUEEN, Laying.ROYAL_MARRIAGE)
UNCOUNTED = frozenset({Laying.NINE, Laying.ADDED_KING, Laying.ADDED_QUEEN})
"""Layings that need no trick won: they may come beside the one meld of a trick."""


@dataclass(frozen=True, slots=True)
class OfTrump:
    """One player's kings and queens of trump: not laid yet ("fresh"), in a royal marriage only, or added to a run.

    The rest of them are in the runs.
    """

    fresh_kings: int
    fresh_queens: int
    wed: int = 0  # royal marriages with neither card in a run
    added_kings: int = 0
    added_queens: int = 0
    runs: int = 0

    def after(self, laying: Laying, rules: TwoHandRules) -> tuple[OfTrump, int] | None:
        """The trumps after another laying, and its points; None where it can't be laid."""
        if laying is Laying.ROYAL_MARRIAGE:
            if not (self.fresh_kings and self.fresh_queens):
                return None
            wed = replace(self, fresh_kings=self.fresh_kings - 1, fresh_queens=self.fresh_queens - 1, wed=self.wed + 1)
            return wed, rules.royal_marriage[0]
        if laying is Laying.ADDED_KING:
            can = self.runs and rules.added_to_run and self.fresh_kings
            added = replace(self, fresh_kings=self.fresh_kings - 1, added_kings=self.added_kings + 1)
            return (added, rules.added_to_run) if can else None
        if laying is Laying.ADDED_QUEEN:
            can = self.runs and rules.added_to_run and self.fresh_queens
            added = replace(self, fresh_queens=self.fresh_queens - 1, added_queens=self.added_queens + 1)
            return (added, rules.added_to_run) if can else None
        points = laying_points(laying, self.runs, rules=rules)
        if points is None:
            return None
        grown = self if laying is Laying.RUN else self._without_added()
        for _run in range(1 if laying is Laying.RUN else len(rules.run) - self.runs):
            larger = grown._another_run()
            if larger is None:
                return None
            grown = larger
        return grown, points

    def _without_added(self) -> OfTrump:
        """Cards added to a run are fresh again: they can be part of a double's second run."""
        kings, queens = self.fresh_kings + self.added_kings, self.fresh_queens + self.added_queens
        return replace(self, fresh_kings=kings, fresh_queens=queens, added_kings=0, added_queens=0)

    def _another_run(self) -> OfTrump | None:
        if self.wed:
            return replace(self, wed=self.wed - 1, runs=self.runs + 1)
        if self.fresh_kings and self.fresh_queens:
            kings, queens = self.fresh_kings - 1, self.fresh_queens - 1
            return replace(self, fresh_kings=kings, fresh_queens=queens, runs=self.runs + 1)
        return None


def laying_points(laying: Laying, lying: int, *, rules: TwoHandRules) -> int | None:
    """Points of a single or a double when `lying` of its kind lie already; None where it can't be laid.

    If the rules allow it, a double may grow from a single that lies whole; not from two singles.
    """
    values: tuple[int, ...] = getattr(rules, KIND_OF[DOUBLES.get(laying, laying)].setting)
    single, *doubled = values
    if laying not in DOUBLES:
        return single if lying < rules.copies else None
    if lying > 1 or rules.copies < 2 or not doubled or (lying and rules.grown_double == "never"):
        return None
    return doubled[0] - (single if lying and rules.grown_double == "difference" else 0)


@dataclass(frozen=True, slots=True)
class Laid:
    """One player's melds, followed in order."""

    points: tuple[int, ...]  # of each laying; 0 of one that can't be
    wrong: tuple[int, ...]  # places of layings that can't be, from 0
    kinds: dict[Laying, int]  # by single: how many of the kind lie, a double as two
    trumps: OfTrump

    @property
    def total(self) -> int:
        return sum(self.points)

    @property
    def nines(self) -> int:
        """How many nines of trump were declared."""
        return self.kinds.get(Laying.NINE, 0)


@lru_cache(maxsize=4096)
def follow(layings: tuple[Laying, ...], rules: TwoHandRules) -> Laid:
    """A player's melds in order, each with its points.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> follow((Laying.ROYAL_MARRIAGE, Laying.RUN), fletcher).points  # the marriage stays, the run counts 15
    (4, 15)
    >>> follow((Laying.RUN, Laying.ADDED_KING, Laying.ADDED_QUEEN), fletcher).points  # 2 for every K or Q added
    (15, 2, 2)
    >>> follow((Laying.RUN, Laying.ROYAL_MARRIAGE, Laying.ROYAL_MARRIAGE), fletcher).wrong  # not of the run's own
    (2,)
    """
    trumps = OfTrump(rules.copies, rules.copies)
    kinds: dict[Laying, int] = {}
    points, wrong = [], []
    for place, laying in enumerate(layings):
        single = DOUBLES.get(laying, laying)
        worth: int | None
        if laying in OF_TRUMP:
            after = trumps.after(laying, rules)
            trumps, worth = after or (trumps, None)
        elif laying is Laying.NINE:
            most = rules.copies + rules.turned_up_nine
            worth = rules.nine_of_trump if kinds.get(single, 0) < most else None
        else:
            worth = laying_points(laying, kinds.get(single, 0), rules=rules)
        if worth is None:
            wrong.append(place)
        else:
            kinds[single] = rules.copies if laying in DOUBLES else kinds.get(single, 0) + 1
        points.append(worth or 0)
    return Laid(tuple(points), tuple(wrong), kinds, trumps)


def cards_needed(laid: Laid, trump: Suit, *, rules: TwoHandRules) -> tuple[int, ...]:
    """The fewest cards that make one player's melds, nines of trump apart: 24 counts, one per kind of card."""
    needed = [0] * KINDS
    for laying, many in laid.kinds.items():
        if kind := KIND_OF.get(laying):
            for card in cards_of(kind, MARRIAGES.get(laying, trump)):
                needed[card] = max(needed[card], many)
    base, trumps = 6 * SUIT_ORDER.index(trump), laid.trumps
    for rank, fresh in ((KING, trumps.fresh_kings), (QUEEN, trumps.fresh_queens)):
        needed[base + rank] = max(needed[base + rank], rules.copies - fresh)
    return tuple(needed)


@dataclass(frozen=True, slots=True)
class Nines:
    """What a card says about nines of trump that weren't laid.

    `drawn` are those drawn last, per player. `put_back`: the player who drew again the nine that the same player had
    put under the stock. `undeclared`: nines that a player held and didn't declare; one drawn last may be the same.
    """

    drawn: tuple[int, int] = (0, 0)
    put_back: int | None = None
    undeclared: tuple[int, int] = (0, 0)

    @property
    def declared(self) -> Nines:
        return replace(self, undeclared=(0, 0))


NO_NINES = Nines()


def nines_fit(laid: Sequence[int], noted: Nines, *, rules: TwoHandRules) -> bool:
    """Whether all these nines of trump can be counted: `laid` by each player, and `noted` besides.

    The pack has two. The one that is exchanged for the card turned up is counted when it is declared, and again when
    the other player draws it last.
    """
    most = rules.copies + rules.turned_up_nine
    drawn, put_back = noted.drawn, noted.put_back
    if put_back is not None and not laid[put_back]:
        return False
    silent = [0 if drawn[n] or put_back == n else noted.undeclared[n] for n in (0, 1)]
    nines = [declared + held for declared, held in zip(laid, silent, strict=True)]
    counted = sum(nines) + sum(drawn)
    if max(nines) > most or counted <= most:
        return max(nines) <= most
    again = any(drawn[player] and nines[1 - player] for player in (0, 1))
    return counted == most + 1 and put_back is None and again


def possible_trumps(layings: Sequence[Sequence[Laying]], trump: Suit | None) -> list[Suit]:
    """The suits that can be trump: the one that is noted, else those without a plain marriage."""
    if trump is not None:
        return [trump]
    married = {MARRIAGES[laying] for player in layings for laying in player if laying in MARRIAGES}
    return [suit for suit in SUIT_ORDER if suit not in married]


def ways_to_lay_trump(rules: TwoHandRules) -> Iterator[tuple[OfTrump, int]]:
    """Every way to lay runs, royal marriages and added cards from one pack: how they lie, and the points."""
    start = OfTrump(rules.copies, rules.copies)
    seen, todo = {(start, 0)}, [(start, 0)]
    while todo:
        trumps, points = todo.pop()
        yield trumps, points
        for laying in OF_TRUMP:
            if after := trumps.after(laying, rules):
                state = (after[0], points + after[1])
                if state not in seen:
                    seen.add(state)
                    todo.append(state)


def ways_to_lay_kind(single: Laying, rules: TwoHandRules) -> Iterator[tuple[int, int]]:
    """Every way to lay melds of one kind from the cards of one pack: how many lie, and the points."""
    doubles = [double for double, of in DOUBLES.items() if of is single]
    for length in range(rules.copies + 1):
        for choice in product((single, *doubles), repeat=length):
            lying = points = 0
            for laying in choice:
                worth = laying_points(laying, lying, rules=rules)
                if worth is None:
                    break
                points, lying = points + worth, rules.copies if laying in DOUBLES else lying + 1
            else:
                yield lying, points


TOGETHER = (Laying.ACES, Laying.KINGS, Laying.QUEENS, Laying.JACKS, Laying.PINOCHLE)


@lru_cache(maxsize=64)
def common_unit(rules: TwoHandRules) -> int:
    """The largest number that divides every meld."""
    values = [value for name in MELDS for value in getattr(rules, name)]
    return gcd(*values, rules.nine_of_trump, rules.added_to_run) or 1


# --- one player's cards ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def totals_of_cards(rules: TwoHandRules, trump: int, *, cards: int) -> int:
    """The totals, without nines, that one player can lay from `cards` cards: bit n is set for n times `common_unit`.

    Each choice of melds takes the fewest cards that make it, as one card serves in several kinds; the order of laying
    isn't checked.
    """
    many = range(rules.copies + 1)
    unit = common_unit(rules)
    sums = {kind: _units_by_number(ways_to_lay_kind(kind, rules), unit) for kind in TOGETHER}
    possible = 0
    for kings, queens, pinochles in product(many, many, many):
        plain = _marriage_totals(rules, trump, kings=kings, queens=queens, pinochles=pinochles)
        for trumps, points in ways_to_lay_trump(rules):
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
                        with_marriages = _add_units(with_marriages, of)
                    possible |= with_marriages << points // unit
    return possible


def _units_by_number(ways: Iterable[tuple[int, int]], unit: int) -> dict[int, frozenset[int]]:
    """The units that melds of a kind can count, by how many of them lie."""
    units_by_number: dict[int, set[int]] = {}
    for lie, points in ways:
        units_by_number.setdefault(lie, set()).add(points // unit)
    return {lie: frozenset(points) for lie, points in units_by_number.items()}


def _add_units(totals: int, units: Iterable[int]) -> int:
    spread = 0
    for unit in units:
        spread |= totals << unit
    return spread


def _marriage_totals(rules: TwoHandRules, trump: int, *, kings: int, queens: int, pinochles: int) -> dict[int, int]:
    """Totals of marriages (as bits) beside these kings around, queens around and pinochles, by how many kings and
    queens of plain suits they need."""
    totals_by_cost = {0: 1}
    for suit in range(len(SUITS)):
        if suit == trump:
            continue
        least = max(queens, pinochles) if suit == SPADES else queens
        extended: dict[int, int] = {}
        for cost, totals in totals_by_cost.items():
            for number in range(rules.copies + 1):
                with_suit = cost + max(kings, number) + max(least, number)
                units = number * rules.marriage[0] // common_unit(rules)
                extended[with_suit] = extended.get(with_suit, 0) | totals << units
        totals_by_cost = extended
    return totals_by_cost


# --- the question ----------------------------------------------------------------------------------------


def can_lay(points: int, rules: TwoHandRules) -> bool:
    """Whether one player can lay exactly this under some trump."""
    return any(
        _can_lay_with_nines(points, nines, trump=trump, rules=rules)
        for trump in TRUMP_CLASSES
        for nines in _nine_counts(rules)
    )


@lru_cache(maxsize=64)
def all_totals(rules: TwoHandRules) -> tuple[int, ...]:
    """Every total that `can_lay` allows, in rising order."""
    most = max(totals_of_cards(rules, trump, cards=rules.cards_seen) for trump in TRUMP_CLASSES).bit_length()
    top = most * common_unit(rules) + max(_nine_counts(rules)) * rules.nine_of_trump
    return tuple(points for points in range(top + 1) if can_lay(points, rules))


def _nine_counts(rules: TwoHandRules) -> range:
    return range(rules.copies + rules.turned_up_nine + 1) if rules.nine_of_trump else range(1)


def _can_lay_with_nines(points: int, nines: int, *, trump: int, rules: TwoHandRules) -> bool:
    """Whether one player can lay these points with this many nines; exchanging a nine shows one card more."""
    units, remainder = divmod(points - nines * rules.nine_of_trump, common_unit(rules))
    cards = rules.cards_seen + bool(nines) - min(nines, rules.copies)
    return units >= 0 and not remainder and bool(totals_of_cards(rules, trump, cards=cards) >> units & 1)


@lru_cache(maxsize=65536)
def can_lay_both(
    melds: tuple[int, int], rules: TwoHandRules, *, trump: Suit | None = None, nines: Nines = NO_NINES
) -> bool:
    """Whether both players can lay their `melds` under the same trump, with no more nines of trump than there are."""
    classes = TRUMP_CLASSES if trump is None else (CLASS_OF[SUIT_ORDER.index(trump)],)
    counts = [
        pair
        for pair in product(_nine_counts(rules), repeat=2)
        if not rules.nine_of_trump or nines_fit(pair, nines, rules=rules)
    ]
    return any(
        all(_can_lay_with_nines(meld, many, trump=of, rules=rules) for meld, many in zip(melds, pair, strict=True))
        for of in classes
        for pair in counts
    )
