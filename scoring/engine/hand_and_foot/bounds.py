"""What the pack and the melding rules allow: bounds that every true Hand and Foot card keeps.

Each bound is *sound*: it may be wider than the truth, never narrower, so no true card breaks it.
Values in card points.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import accumulate
from math import gcd
from typing import NamedTuple

from scoring.engine.hand_and_foot.card import JOKER, RED_SUITS, SPECIAL, SUITS, TWO, HandAndFootRules


class Piles(NamedTuple):
    """How many piles there are of each kind."""

    clean: int = 0
    dirty: int = 0
    wild: int = 0


class Limits:
    """The bounds for one rule set and shape. Made once by `limits_of`.

    Four players use five decks: 10 jokers and 20 twos, 10 red threes, 2,950 points of cards.

    >>> from scoring.engine.core.ruleset import shipped, Shape
    >>> from scoring.engine.families import rules_of
    >>> limits = limits_of(rules_of(shipped()["hand-and-foot"], Shape(2, 2)))
    >>> [limits.least_melded(piles) for piles in (Piles(clean=3), Piles(dirty=1), Piles(wild=1))]
    [105, 50, 140]
    >>> limits.wilds, limits.red_threes, limits.pack_points
    (30, 10, 2950)
    """

    def __init__(self, rules: HandAndFootRules) -> None:
        decks, values = rules.decks, rules.values
        self._rules = rules
        self.dealt = rules.dealt  # cards to each side, kept as every card asks for them
        self.jokers = rules.jokers_per_deck * decks
        self.twos = SUITS * decks
        self.wilds = self.jokers + self.twos
        self.red_threes = RED_SUITS * decks
        self.per_rank = SUITS * decks
        self.unit = gcd(*values.values())
        self.naturals = sorted(values[rank] for rank in rules.natural_ranks)
        self._wild_values = sorted([values[JOKER]] * self.jokers + [values[TWO]] * self.twos, reverse=True)
        self._ascending_cards = sorted(
            self._wild_values
            + [value for value in self.naturals for _ in range(self.per_rank)]
            + [values["3"]] * (RED_SUITS * decks)
        )
        self._least_points = list(accumulate(self._ascending_cards, initial=0))
        self.pack_points = sum(self._ascending_cards)
        if rules.black_three_melds and RED_SUITS * decks >= rules.pile_size:
            # black threes can make a pile; the bound takes them to be as many as the cards of any rank
            self.naturals = sorted([*self.naturals, values["3"]])
        self.smallest_card = self._ascending_cards[0]
        cheapest_wild = self._wild_values[-1]
        self._cheapest_slots = [min(value, cheapest_wild) for value in self.naturals]  # to add to incomplete melds
        if rules.wild_melds:
            self._cheapest_slots.append(cheapest_wild)
        self.least_melded = lru_cache(maxsize=4096)(self._least_melded)

    def most_of(self, figure: str) -> int:
        """The most that one side can have of a figure of the card (see `HandAndFootRules.figures`)."""
        if figure in ("red_threes", "red_threes_missed"):
            return self.red_threes
        if figure == "perfect":
            return self._rules.shape.per_side
        if figure in ("melded", "left"):
            return self.pack_points
        if figure.startswith(SPECIAL):
            return self.per_rank // self._rules.pile_size
        most = 0
        while self.piles_fit(Piles(**{figure: most + 1})):
            most += 1
        return most

    # Piles

    def piles_fit(self, piles: Piles) -> bool:
        """Whether one pack can hold so many piles at once, those of all sides together."""
        clean, dirty, wild = piles
        wilds_left = self.wilds - self._rules.pile_size * wild
        if dirty > wilds_left:
            return False
        if clean + dirty <= len(self.naturals) * (self.per_rank // self._rules.pile_size):
            return True
        needed = self._wilds_needed.get((clean, dirty))
        return needed is not None and needed <= wilds_left

    @cached_property
    def _wilds_needed(self) -> dict[tuple[int, int], int]:
        """(clean piles, dirty piles) -> fewest wild cards that they take, over all ranks of the pack."""
        one_rank = self._one_rank_piles()
        best = {(0, 0): 0}
        for _ in self.naturals:
            wider: dict[tuple[int, int], int] = {}
            for (clean, dirty), wilds in best.items():
                for more_clean, more_dirty, more_wilds in one_rank:
                    key, total = (clean + more_clean, dirty + more_dirty), wilds + more_wilds
                    if total <= self.wilds and total < wider.get(key, total + 1):
                        wider[key] = total
            best = wider
        return best

    def _one_rank_piles(self) -> list[tuple[int, int, int]]:
        size = self._rules.pile_size
        most_wilds = self._rules.wilds_in(size)  # in a dirty pile
        found = []
        for clean in range(self.per_rank // size + 1):
            naturals = self.per_rank - clean * size
            dirty = 0
            while (wilds := max(dirty, dirty * size - naturals)) <= dirty * most_wilds:
                found.append((clean, dirty, wilds))
                dirty += 1
                if dirty > self.wilds:
                    break
        return found

    # Card points of melds

    def _least_melded(self, piles: Piles) -> int:
        """The least card points of these piles, which must fit (`piles_fit`): 35 for a clean one, 50 for a dirty one
        and 140 for a wild one, as long as the low ranks and the twos last."""
        clean, dirty, wild = piles
        size = self._rules.pile_size
        total, ranks_fit = 0, self.per_rank // size
        for value in self.naturals:
            here = min(clean, ranks_fit)
            total += here * size * value
            clean -= here
        cheapest_wild = self._wild_values[-1]
        if cheapest_wild >= self.naturals[0]:
            total += dirty * (size - 1) * self.naturals[0] + self._cheapest_wilds(size * wild + dirty)
        else:
            total += dirty * size * cheapest_wild + self._cheapest_wilds(size * wild)
        return total

    def _cheapest_wilds(self, count: int) -> int:
        return sum(self._wild_values[-count:]) if count else 0

    # Cards that must be somewhere

    def most_cards_melded(self, piles: Piles, melded: int) -> int:
        """The most cards that can be on the table (red threes apart) with these piles and card points; the points must
        be enough for the piles."""
        size = self._rules.pile_size
        cards = size * sum(piles)
        points = melded - self.least_melded(piles)
        if self._rules.black_three_melds or not self._rules.pile_closed:
            return cards + points // self.smallest_card if self.smallest_card else len(self._ascending_cards)
        for value in self._cheapest_slots:
            if points < value:
                break
            here = min(size - 1, points // value) if value else size - 1
            cards += here
            points -= here * value
        return cards

    def least_points_of(self, cards: int) -> int:
        """The least points of so many cards (red threes apart)."""
        return self._least_points[min(max(0, cards), len(self._ascending_cards))]

    def least_left(self, *, out: bool, missed: int = 0) -> int:
        """The least card points left of a side, with so many red threes not tabled: whoever isn't out holds a card."""
        if self._rules.may_float:
            return 0
        return self.least_points_of(self._rules.shape.per_side - out - missed)


@lru_cache(maxsize=64)
def limits_of(rules: HandAndFootRules) -> Limits:
    """The bounds of a rule set and shape."""
    return Limits(rules)
