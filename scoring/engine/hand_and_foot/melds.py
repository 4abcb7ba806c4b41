"""Which melds one side can lay from given cards: exact sets, not bounds, kept as bits of whole numbers.

The cards of a rank are a *stock* that all sides share. From the stock of one rank a side lays any number of piles and
at most one incomplete meld beside them; how many of the wild cards in a meld are jokers matters only for the points, so
jokers and twos are dealt out at the end. Points are counted in units (the greatest common divisor of all card
values), so that bit n of a set means n units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd
from typing import TypeAlias

from scoring.engine.hand_and_foot.card import BLACK_THREE, JOKER, NEVER_IN_A_RANK_MELD, TWO, HandAndFootRules

SUITS = 4
RED_SUITS = 2

FROM_LEAST, FROM_MOST = 10, 60  # units from the ends of what piles can be worth within which there may be gaps

Piles: TypeAlias = tuple[int, ...]  # clean, each special book, dirty: how many are still to be laid
Stock: TypeAlias = tuple[tuple[int, int], ...]  # (class, cards of a rank still there), one for each rank
Laid: TypeAlias = tuple[Piles, int, int]  # piles, naturals, wild cards laid from the stock of one rank


@dataclass(frozen=True, slots=True)
class RankClass:
    """Ranks that are alike: of one value, and whose clean piles count as one kind of pile."""

    value: int  # of a card, in units
    ranks: int
    clean_kind: int  # place of its clean piles in `Piles`
    wilds: bool  # whether wild cards may be melded with it
    copies: int  # cards of a rank in the pack


class Melds:
    """The melds that the rules allow to one side. Made once by `melds_of`.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped, Shape
    >>> melds = melds_of(rules_of(shipped()["hand-and-foot"], Shape(2, 2)))
    >>> [(c.value, c.ranks, c.copies) for c in melds.classes], melds.jokers, melds.twos
    ([(1, 4, 20), (2, 6, 20), (4, 1, 20)], 10, 20)
    >>> melds.points_near((3, 0), 0, 40 // melds.unit)  # three clean piles for 40? They are 105 at least
    (None, 21)
    >>> melds.points_near((3, 0), 0, 110 // melds.unit)  # for 110? 105 or 120
    (21, 24)
    """

    def __init__(self, rules: HandAndFootRules) -> None:
        values = rules.values
        self.rules = rules
        self.unit = gcd(*values.values()) or 1
        self.jokers, self.twos = rules.jokers_per_deck * rules.decks, SUITS * rules.decks
        self.wilds = self.jokers + self.twos
        self.joker, self.two = values[JOKER] // self.unit, values[TWO] // self.unit
        self.black_three = values[BLACK_THREE] // self.unit
        self.black_threes = RED_SUITS * rules.decks
        self.classes = self._classes()
        self.fresh: Stock = tuple(
            (number, each.copies) for number, each in enumerate(self.classes) for _ in range(each.ranks)
        )
        naturals = sum(each.value * each.ranks * each.copies for each in self.classes)
        self.most_open = rules.pile_size - 1  # cards of an incomplete meld
        self.row = naturals + 1  # bits for the points of naturals; one row for each number of wild cards
        self._within = (1 << self.row * (self.wilds + 1)) - 1
        self.laid = lru_cache(maxsize=None)(self._laid)
        self._laid_by_piles = lru_cache(maxsize=None)(self._by_piles)
        self._most_piles = lru_cache(maxsize=20_000)(self._most_piles_from)
        self.open_melds = lru_cache(maxsize=None)(self._open_melds)
        self.options = lru_cache(maxsize=100_000)(self._options)
        self._open_too = lru_cache(maxsize=20_000)(self._with_open_meld)
        self.naturals = lru_cache(maxsize=20_000)(self._naturals)
        self.enough_for = lru_cache(maxsize=4_096)(self._enough_for)
        self.sure_span = lru_cache(maxsize=4_096)(self._sure_span)
        self.points = lru_cache(maxsize=2_000)(self._points)

    def _classes(self) -> tuple[RankClass, ...]:
        rules, books = self.rules, [rank for rank, _ in self.rules.special_books]
        found: dict[tuple[int, int], int] = {}
        for rank, value in rules.card_values:
            if rank not in NEVER_IN_A_RANK_MELD:
                key = value // self.unit, books.index(rank) + 1 if rank in books else 0
                found[key] = found.get(key, 0) + 1
        classes = [
            RankClass(value, ranks, kind, True, SUITS * rules.decks)
            for (value, kind), ranks in sorted(found.items(), key=lambda item: (-item[0][1], item[0][0]))
        ]
        if rules.black_three_melds:
            classes.append(RankClass(self.black_three, 1, 0, False, self.black_threes))
        return tuple(classes)

    @cached_property
    def no_piles(self) -> Piles:
        """No pile of any kind."""
        return (0,) * (len(self.rules.special_books) + 2)

    # One rank

    def _pile_shapes(self, cards: int, wilds: bool) -> Iterator[tuple[int, int]]:
        """(naturals, wild cards) of one pile from so many naturals."""
        size = self.rules.pile_size
        for in_all in range(size, size + 1 if self.rules.pile_closed else cards + self.wilds + 1):
            for wild in range((min(self.rules.wilds_in(in_all), self.wilds) if wilds else 0) + 1):
                if in_all - wild <= cards:
                    yield in_all - wild, wild

    def _laid(self, number: int, cards: int) -> tuple[Laid, ...]:
        """The piles that one side can lay from so many naturals of a rank of that class."""
        each = self.classes[number]
        shapes = list(self._pile_shapes(cards, each.wilds))
        found: set[Laid] = set()
        ahead: set[Laid] = {(self.no_piles, 0, 0)}
        while ahead:
            found |= ahead
            wider = set()
            for piles, naturals, wilds in ahead:
                for more, wild in shapes:
                    if naturals + more <= cards and wilds + wild <= self.wilds:
                        kind = len(piles) - 1 if wild else each.clean_kind
                        wider.add((_one_more(piles, kind), naturals + more, wilds + wild))
            ahead = wider - found
        return tuple(sorted(found, key=lambda laid: (laid[1], laid[2])))

    def _open_melds(self, number: int, cards: int) -> tuple[tuple[int, int], ...]:
        """(naturals, wild cards) of an incomplete meld from so many naturals; (0, 0) for none."""
        rules, wild_ones = self.rules, self.classes[number].wilds
        melds = (
            (size - wild, wild)
            for size in range(rules.meld_least, rules.pile_size)
            for wild in range((rules.wilds_in(size) if wild_ones else 0) + 1)
            if size - wild <= cards and wild <= self.wilds
        )
        return ((0, 0), *melds)

    def _options(self, number: int, cards: int, piles: Piles, near: int) -> tuple[tuple[int, int, Piles], ...]:
        """What one side may lay of a rank of which so many naturals are there: (naturals, wild cards, piles still to be
        laid), those with about `near` naturals first."""
        found = set()
        for laid, naturals, wilds in self.laid(number, cards):
            after = tuple(map(int.__sub__, piles, laid))
            if min(after) >= 0:
                for more, wild in self.open_melds(number, min(cards - naturals, self.most_open)):
                    found.add((naturals + more, wilds + wild, after))
        return tuple(sorted(found, key=lambda option: (abs(option[0] - near), option)))

    # All ranks

    def _naturals(self, stock: Stock, piles: Piles) -> int:
        """Bit `wilds * row + points`: exactly those piles can be laid from the stock, and with incomplete melds come to
        so many points of naturals and so many wild cards beside them."""
        if not stock:
            return 0 if any(piles) else 1
        if any(map(int.__gt__, piles, self._most_piles(stock))):
            return 0
        (number, cards), rest = stock[0], stock[1:]
        found = 0
        for laid, ways in self._laid_by_piles(number, cards):
            left = tuple(map(int.__sub__, piles, laid))
            if min(left) >= 0:
                for beside, shift in ways:
                    found |= self._open_too(number, beside, rest, left) << shift
        return found & self._within

    def _by_piles(self, number: int, cards: int) -> tuple[tuple[Piles, tuple[tuple[int, int], ...]], ...]:
        """What `laid` has, by its piles: the cards for an incomplete meld beside them, and the bits that they move."""
        value, found = self.classes[number].value, dict[Piles, list[tuple[int, int]]]()
        for piles, naturals, wilds in self.laid(number, cards):
            beside = min(cards - naturals, self.most_open)
            found.setdefault(piles, []).append((beside, wilds * self.row + naturals * value))
        return tuple((piles, tuple(ways)) for piles, ways in found.items())

    def _most_piles_from(self, stock: Stock) -> Piles:
        """Of each kind so many piles at most."""
        size = self.rules.pile_size
        most = list(self.no_piles)
        for number, cards in stock:
            each = self.classes[number]
            most[each.clean_kind] += cards // size
            most[-1] += cards // max(1, size - self.rules.wilds_in(size)) if each.wilds else 0
        return tuple(most)

    def _with_open_meld(self, number: int, cards: int, rest: Stock, piles: Piles) -> int:
        others = self.naturals(rest, piles)
        if not others:
            return 0
        value, found = self.classes[number].value, 0
        for naturals, wilds in self.open_melds(number, cards):
            found |= others << (wilds * self.row + naturals * value)
        return found

    def without_black_threes(self, stock: Stock) -> Stock:
        """The ranks that any side may meld."""
        return tuple(rank for rank in stock if self.classes[rank[0]].wilds)

    # With wild cards

    def wild_melds(self, wild_piles: int) -> tuple[int, ...]:
        """How many wild cards may lie in so many wild piles and an incomplete wild meld."""
        rules = self.rules
        piled = rules.pile_size * wild_piles
        if piled > self.wilds or (wild_piles and not rules.wild_melds):
            return ()
        more = {0}
        if rules.wild_melds:
            more.update(range(rules.meld_least, rules.pile_size))
            if not rules.pile_closed and wild_piles:
                more.update(range(self.wilds))
        return tuple(piled + cards for cards in sorted(more) if piled + cards <= self.wilds)

    def _points(self, piles: Piles, wild_piles: int, black_threes: bool = False) -> int:
        """Bit n: a side with exactly those piles can have melded n units, had it the whole pack for itself, with black
        threes or without."""
        naturals = self.naturals(self.fresh if black_threes else self.without_black_threes(self.fresh), piles)
        only = (1 << self.row) - 1
        by_wilds = [0] * (self.wilds + 1)
        for in_wild_melds in self.wild_melds(wild_piles):
            for in_ranks in range(self.wilds - in_wild_melds + 1):
                by_wilds[in_wild_melds + in_ranks] |= naturals >> in_ranks * self.row & only
        found = 0
        for wilds, points in enumerate(by_wilds):
            if points:
                for jokers in range(max(0, wilds - self.twos), min(wilds, self.jokers) + 1):
                    found |= points << self.wild_points(wilds, jokers)
        return found

    def wild_points(self, wilds: int, jokers: int) -> int:
        """Units of so many wild cards, so many of them jokers."""
        return jokers * self.joker + (wilds - jokers) * self.two

    def _enough_for(self, piles: Piles, wild_piles: int) -> int | None:
        """Units that are enough for those piles, laid one by one from the cheapest cards; a little more than the least.
        None when they don't fit so."""
        size, two = self.rules.pile_size, self.two
        most = self.rules.wilds_in(size)
        cheap = sorted(self.classes, key=lambda each: each.value)
        units = size * wild_piles * two
        whole: list[int] = []  # card values of the places for whole piles
        booked_too: list[int] = []  # of those for dirty piles alone: a clean one there would be a special book
        short: list[int] = []  # of those for dirty piles in what is left of a rank
        for each in cheap:
            if each.wilds:
                booked = piles[each.clean_kind] if each.clean_kind else 0
                places = each.ranks * (each.copies // size) - booked
                if places < 0:
                    return None
                units += booked * size * each.value
                (booked_too if each.clean_kind else whole).extend([each.value] * places)
                short += [each.value] * (each.ranks if each.copies % size >= size - most else 0)
        clean, dirty = piles[0], piles[-1]
        one = [((size - 1) * value + two, 1) for value in sorted(whole[clean:] + booked_too)[:dirty]]
        two_in = [((size - most) * value + most * two, most) for value in short[:dirty]]
        for ways in (sorted(one + two_in), one):  # the cheapest; failing that, those with the fewest wild cards
            taken = ways[:dirty]
            wilds = size * wild_piles + sum(wild for _, wild in taken)
            if len(whole) >= clean and len(taken) == dirty and wilds <= self.wilds:
                jokers = max(0, wilds - self.twos)
                laid = units + size * sum(whole[:clean]) + sum(points for points, _ in taken)
                return laid + jokers * (self.joker - two)
        return None

    def _sure_span(self, piles: Piles, wild_piles: int) -> tuple[int, int] | None:
        """The least and the most units between which such piles can be worth any number of units, found without the
        exact set and a little narrower; None where that isn't known.

        It lies `FROM_LEAST` above the cheapest way to lay the piles and `FROM_MOST` below a dear one: near both ends
        the exact set has gaps, between them it has none (a test holds the spans against it).
        """
        enough, most = self.enough_for(piles, wild_piles), self._dear(piles, wild_piles)
        if enough is None or most is None or enough + FROM_LEAST > most - FROM_MOST:
            return None
        return enough + FROM_LEAST, most - FROM_MOST

    def _dear(self, piles: Piles, wild_piles: int) -> int | None:
        """Units of those piles and incomplete melds beside them, laid one by one from the dearest cards."""
        size = self.rules.pile_size
        if not self.rules.pile_closed or not self.rules.wilds_in(size):
            return None
        wilds = sorted([self.joker] * self.jokers + [self.two] * self.twos, reverse=True)
        dirty, wild_cards = piles[-1], size * wild_piles + piles[-1]
        if wild_cards > self.wilds:
            return None
        open_wilds = min(self.most_open, self.wilds - wild_cards) if self.rules.wild_melds else 0
        if open_wilds >= self.rules.meld_least:
            wild_cards += open_wilds
        units = sum(wilds[:wild_cards])
        clean = list(piles[:-1])
        for each in sorted(self.classes, key=lambda each: (each.clean_kind == 0, -each.value)):
            for _ in range(each.ranks if each.wilds else 0):
                cards = each.copies
                while cards >= size and clean[each.clean_kind]:
                    clean[each.clean_kind] -= 1
                    cards, units = cards - size, units + size * each.value
                while cards >= size - 1 and dirty and not clean[each.clean_kind]:
                    dirty -= 1
                    cards, units = cards - size + 1, units + (size - 1) * each.value
                if cards >= self.rules.meld_least:
                    units += min(cards, self.most_open) * each.value
        return None if any(clean) or dirty else units

    def points_near(
        self, piles: Piles, wild_piles: int, wanted: int, black_threes: bool = False
    ) -> tuple[int | None, int | None]:
        """The units next below, and the same or next above, that such piles can be worth; None where there are none."""
        points = self.points(piles, wild_piles, black_threes)
        below = (points & ((1 << min(wanted, points.bit_length())) - 1)).bit_length() - 1
        above = points >> wanted
        lowest = (above & -above).bit_length() - 1
        return below if below >= 0 else None, wanted + lowest if above else None


def _one_more(piles: Piles, kind: int) -> Piles:
    return (*piles[:kind], piles[kind] + 1, *piles[kind + 1 :])


@lru_cache(maxsize=64)
def melds_of(rules: HandAndFootRules) -> Melds:
    """The melds of a rule set and shape."""
    return Melds(rules)
