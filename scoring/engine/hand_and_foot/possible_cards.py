"""Whether the cards of one pack can lie as a Hand and Foot card says: for all sides at once, exactly.

The model. A card gives for each side its piles by kind, the points melded and left, its red threes and who went out.
It is possible when the cards of the pack can be dealt out so that, for every side,
- each rank meld has `meld_least` or more cards of one rank, with wild cards as `Rules.wilds_in` allows; each wild
  meld has as many wild cards; those of `pile_size` are the piles of the card, clean, special, dirty and wild, no more
  and no fewer; beside them lie at most one incomplete meld of each rank and one of wild cards;
- the cards melded are worth what the card says, and so are the cards left; black threes are only left, or melded
  without wild cards by the side that went out where the rules allow it;
- the cards melded and left and all red threes are at least the cards dealt, for no turn discards more than it takes;
- each player who didn't go out holds a card, unless the rules let a player float;
and no card is used twice. The first meld's minimum asks for no more than that the points melded reach it: nothing
limits what a first turn lays, and a hand grows from turn to turn until it holds all that will be melded.

What is left out, so that a true card is never refused: whose hand a card was in, the order of turns, and what the
stock and the discards hold. Those can only tell against a card that the model passes.

The search goes side by side, rank by rank, and only along melds that the exact sets of `melds` can
complete. It is spared where the figures keep far from all limits (`is_roomy`); and it is cut off after `STEPS` steps,
which then gives the card the benefit of the doubt. Neither happens with a small pack, where the answer is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.hand_and_foot.bounds import limits_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, HandAndFootRules, Totals
from scoring.engine.hand_and_foot.melds import FROM_LEAST, FROM_MOST, Melds, Piles, Stock, melds_of

STEPS = 1_000  # options looked at; a side's melds from cards not yet looked at count as `NEW_STOCK` of them
NEW_STOCK = 40
MANY_DECKS = 5  # with which even more of the dear cards may be asked for
NEAR = 60  # units to look for a possible figure

Span: TypeAlias = Callable[["Wanted"], tuple[int, int] | None]
Pool: TypeAlias = tuple[tuple[int, int], ...]  # (units of a card, cards), dearest first


@dataclass(frozen=True, slots=True, order=True)
class Wanted:
    """What one side's cards must come to; points in units."""

    melded: int
    left: int
    piles: Piles  # without wild ones
    wild_piles: int = 0
    cards: int = 0  # melded and left together, at least
    held: int = 0  # left, at least
    black_threes: bool = False  # whether this side may have melded black threes


@dataclass(frozen=True, slots=True)
class Rest:
    """The cards that nobody has taken yet."""

    stock: Stock
    twos: int
    jokers: int
    black_threes: int  # beside those of the stock


class OutOfSteps(Exception):
    """The search was cut off."""


class Search:
    """One search through a pack for the cards of all sides."""

    def __init__(self, melds: Melds, steps: int = STEPS) -> None:
        self.melds, self.steps = melds, steps
        values = [each.value for each in melds.classes]
        self.cheapest = min([*values, melds.black_three, melds.two, melds.joker])
        self.cheapest_natural = min(values)
        self.hopeless: set[tuple[object, ...]] = set()

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise OutOfSteps

    def fits(self, sides: Sequence[Wanted]) -> bool:
        """Whether the pack holds the cards of all sides.

        Raises:
            OutOfSteps: too many ways to try.
        """
        melds = self.melds
        beside = 0 if melds.rules.black_three_melds else melds.black_threes
        whole = Rest(melds.fresh, melds.twos, melds.jokers, beside)
        return self._laid_out(tuple(sorted(sides, key=self._room)), whole, ())

    def _room(self, side: Wanted) -> int:
        """How far the points melded are from the least and the most that the side's piles could be worth."""
        points = self.melds.points(side.piles, side.wild_piles, side.black_threes)
        return min(side.melded - (points & -points).bit_length() + 1, points.bit_length() - 1 - side.melded)

    # Melds, side by side

    def _laid_out(self, sides: tuple[Wanted, ...], rest: Rest, lefts: tuple[tuple[int, int], ...]) -> bool:
        """Whether these sides can lay their melds from the rest, and all sides keep what is left; `lefts` are the
        points and the least cards left of the sides that have laid theirs."""
        if not sides:
            return self._left_over(self._pool(rest), tuple(sorted(lefts, reverse=True)))
        key = len(sides), rest, lefts
        if key in self.hopeless:
            return False
        first, others = sides[0], sides[1:]
        share = first.melded / (sum(side.melded for side in sides) or 1)
        for after, cards in self._melds(first, rest, share):
            held = max(first.held, first.cards - cards)
            if self._laid_out(others, after, tuple(sorted((*lefts, (first.left, held))))):
                return True
        self.hopeless.add(key)
        return False

    def _melds(self, side: Wanted, rest: Rest, share: float) -> Iterator[tuple[Rest, int]]:
        """The cards that the side's melds leave to the others, and how many they are; near its share first."""
        melds = self.melds
        stock = rest.stock if side.black_threes else tuple(rank for rank in rest.stock if melds.classes[rank[0]].wilds)
        not_mine = rest.stock[len(stock) :]
        naturals = melds.naturals(stock, side.piles)
        if not naturals:
            return
        self.steps -= NEW_STOCK
        ways, only = [], (1 << melds.row) - 1
        for in_wild_melds in melds.wild_melds(side.wild_piles):
            for in_ranks in range(rest.twos + rest.jokers - in_wild_melds + 1):
                wilds, row = in_wild_melds + in_ranks, naturals >> in_ranks * melds.row & only
                for jokers in range(max(0, wilds - rest.twos), min(wilds, rest.jokers) + 1 if row else 0):
                    points = side.melded - melds.wild_points(wilds, jokers)
                    if points >= 0 and row >> points & 1:
                        far = abs(jokers - share * rest.jokers) + abs(wilds - jokers - share * rest.twos)
                        ways.append((far, in_ranks, wilds, jokers, points))
        needed = side.cards - side.left // self.cheapest if self.cheapest else 0
        for _, in_ranks, wilds, jokers, points in sorted(ways):
            found: set[Stock] = set()
            seen: set[tuple[object, ...]] = set()
            for left, cards in self._ranks(stock, (), side.piles, points, in_ranks, needed - wilds, share, seen):
                if left not in found:
                    found.add(left)
                    twos = rest.twos - (wilds - jokers)
                    yield Rest(left + not_mine, twos, rest.jokers - jokers, rest.black_threes), wilds + cards

    def _ranks(
        self,
        stock: Stock,
        before: Stock,
        piles: Piles,
        points: int,
        wilds: int,
        needed: int,
        share: float,
        seen: set[tuple[object, ...]],
    ) -> Iterator[tuple[Stock, int]]:
        """The stocks left when the ranks of `stock` give exactly those piles, points and wild cards, with how many
        naturals they took, `needed` at least; `before` is what the ranks before left."""
        if not stock:  # nor are points: whoever came here has all the cards that are needed
            yield before, 0
            return
        key = len(stock), piles, points, wilds, needed, before
        if key in seen:
            return
        seen.add(key)
        (number, cards), rest = stock[0], stock[1:]
        melds, value, cheapest = self.melds, self.melds.classes[number].value, self.cheapest_natural
        reached: dict[Piles, int] = {}  # by the ranks behind this one
        for naturals, wild, after in melds.options(number, cards, piles, round(share * cards)):
            self._step()
            points_left, wilds_left = points - naturals * value, wilds - wild
            if points_left < 0 or wilds_left < 0:
                continue
            if cheapest and needed - naturals > points_left // cheapest:
                continue
            if after not in reached:
                reached[after] = melds.naturals(rest, after)
            if not reached[after] >> wilds_left * melds.row + points_left & 1:
                continue
            left = _with_rank(before, number, cards - naturals)
            for others, more in self._ranks(rest, left, after, points_left, wilds_left, needed - naturals, share, seen):
                yield others, naturals + more

    # Cards left

    def _pool(self, rest: Rest) -> Pool:
        naturals = [(self.melds.classes[number].value, count) for number, count in rest.stock]
        return self._pool_of(naturals, rest.twos, rest.jokers, rest.black_threes)

    def _pool_of(self, naturals: list[tuple[int, int]], twos: int, jokers: int, black_threes: int) -> Pool:
        melds = self.melds
        cards: dict[int, int] = {}
        for value, count in (*naturals, (melds.two, twos), (melds.joker, jokers), (melds.black_three, black_threes)):
            cards[value] = cards.get(value, 0) + count
        return tuple(sorted(cards.items(), reverse=True))

    def _left_over(self, pool: Pool, lefts: tuple[tuple[int, int], ...]) -> bool:
        """Whether each side can keep cards of so many points, and so many cards at least."""
        if not lefts:
            return True
        if not _roughly(pool, sum(points for points, _ in lefts), sum(cards for _, cards in lefts)):
            return False
        key = pool, lefts
        if key in self.hopeless:
            return False
        points, cards = lefts[0]
        if any(self._left_over(after, lefts[1:]) for after in self._kept(pool, points, cards)):
            return True
        self.hopeless.add(key)
        return False

    def _kept(self, pool: Pool, points: int, cards: int) -> Iterator[Pool]:
        """What is left of the pool when one side keeps so many points in so many cards at least; dear cards first."""
        if not pool:
            if not points and cards <= 0:
                yield ()
            return
        self._step()
        if not _roughly(pool, points, cards):
            return
        (value, count), rest = pool[0], pool[1:]
        most = count if not value else min(count, points // value)
        for kept in range(most, -1, -1):
            for after in self._kept(rest, points - kept * value, cards - kept):
                yield ((value, count - kept), *after)


def _with_rank(stock: Stock, number: int, cards: int) -> Stock:
    """The stock with one more rank, of its last class or a later one; within a class the most cards stand first."""
    place = len(stock)
    while place and stock[place - 1][0] == number and stock[place - 1][1] < cards:
        place -= 1
    return (*stock[:place], (number, cards), *stock[place:])


def _roughly(pool: Pool, points: int, cards: int) -> bool:
    """Whether the pool has so many points, and its cheapest cards so many for no more."""
    if sum(value * count for value, count in pool) < points:
        return False
    for value, count in reversed(pool):
        taken = min(count, cards)
        points, cards = points - taken * value, cards - taken
        if cards <= 0:
            break
    return points >= 0 and cards <= 0


def exact_span(melds: Melds) -> Span:
    """The least and the most units of a side's piles, from the exact set."""

    def span(side: Wanted) -> tuple[int, int] | None:
        points = melds.points(side.piles, side.wild_piles, side.black_threes)
        return ((points & -points).bit_length() - 1, points.bit_length() - 1) if points else None

    return span


def quick_span(melds: Melds) -> Span:
    """Narrower ends, known without the exact set; None for piles where they aren't."""

    def span(side: Wanted) -> tuple[int, int] | None:
        found = melds.sure_span(side.piles, side.wild_piles)
        return found and (found[0] - FROM_LEAST, found[1] + FROM_MOST)

    return span


def is_roomy(melds: Melds, sides: Sequence[Wanted], span: Span) -> bool:
    """Whether the figures keep so far from all limits that the search can be spared: from three decks on no such card
    was found that an integer program couldn't deal, among some thousands made to be hard.

    Each side's points keep away from the least and the most of its piles, and those of all from the least of all piles;
    together they don't ask for all the dear cards, and what is left is no less than 3 units for every 2 cards. Where it
    is less, black threes are enough for it, which nobody melds.
    `span` gives the least and the most units of a side's piles: the exact ones, or narrower ones that are known sooner.
    """
    rules, size = melds.rules, melds.rules.pile_size
    if rules.decks < 3 or not rules.pile_closed:
        return False
    used, few, melded = 0, 0, 0
    for side in sides:
        ends = span(side)
        if ends is None:
            return False
        least, most = ends
        if side.melded and not least + FROM_LEAST <= side.melded <= most - FROM_MOST:
            return False
        piles = sum(side.piles) + side.wild_piles
        needed = max(side.held, side.cards - size * piles - (side.melded - least) // 2)
        if 2 * side.left < 3 * needed:
            few += side.left
            if side.left < needed:
                return False
        used += 100 * side.melded // (most or 1)
        melded += side.melded
    all_piles = tuple(map(sum, zip(*(side.piles for side in sides), strict=True)))
    enough = melds.enough_for(all_piles, sum(side.wild_piles for side in sides))
    threes = melds.black_threes if melds.black_three == 1 and not rules.black_three_melds else 0
    return (
        few <= threes
        and used <= (90 if rules.decks >= MANY_DECKS else 75) + 22 * len(sides)
        and 20 * melded * melds.unit <= 19 * limits_of(rules).meldable_points
        and enough is not None
        and enough + FROM_LEAST * len(sides) <= melded
    )


@lru_cache(maxsize=4_096)
def one_pack_holds(rules: HandAndFootRules, sides: tuple[Wanted, ...]) -> bool:
    """Whether one pack can hold the cards of all sides; yes when the search is cut off. The order of sides is all one:
    pass them sorted."""
    try:
        melds = melds_of(rules)
        return any(is_roomy(melds, sides, span) for span in (quick_span(melds), exact_span(melds))) or Search(
            melds
        ).fits(sides)
    except OutOfSteps:
        return True


def wanted_of(card: Totals, out: bool, melds: Melds) -> Wanted:
    """What the cards of a side must come to that has these figures, and went out or not."""
    rules, unit = melds.rules, melds.unit
    holders = 0 if rules.may_float else rules.shape.per_side - out
    return Wanted(
        melded=card.melded // unit,
        left=card.left // unit,
        piles=piles_of(card),
        wild_piles=card.wild,
        cards=max(0, rules.dealt - card.red_threes - card.red_threes_missed),
        held=max(0, holders - card.red_threes_missed),
        black_threes=out and rules.black_three_melds,
    )


def piles_of(card: Totals) -> Piles:
    """A side's piles, without wild ones."""
    return (card.clean, *card.special, card.dirty)


def check_exactly(cards: Sequence[Totals], facts: HandAndFootDeal, rules: HandAndFootRules) -> Iterator[Problem]:
    """Whether one pack can hold a card on which every figure by itself is possible."""
    melds = melds_of(rules)
    unit = melds.unit
    sides = [wanted_of(card, facts.out == side, melds) for side, card in enumerate(cards)]
    if one_pack_holds(rules, tuple(sorted(sides))):
        return
    alone = True
    for side, (card, wanted) in enumerate(zip(cards, sides, strict=True)):
        piles = named(clean=card.all_clean, dirty=card.dirty, wild=card.wild, melded=card.melded, left=card.left)
        if not one_pack_holds(rules, (wanted,)) and (near := _possible_left(wanted, rules)) is not None:
            alone = False
            args = piles + named(next=near * unit)
            yield Problem("hand-and-foot.left-never", Severity.IMPOSSIBLE, "left", args, side)
    if alone:
        melded, left = sum(card.melded for card in cards), sum(card.left for card in cards)
        args = named(decks=rules.decks, melded=melded, left=left)
        yield Problem("hand-and-foot.together", Severity.IMPOSSIBLE, "sides", args)


def _possible_left(side: Wanted, rules: HandAndFootRules) -> int | None:
    """The units left nearest to what the card says with which a side by itself is possible; None: none is near."""
    for far in range(1, NEAR + 1):
        for left in (side.left + far, side.left - far):
            if left >= 0 and one_pack_holds(rules, (replace(side, left=left),)):
                return left
    return None
