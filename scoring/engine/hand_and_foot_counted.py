"""Hand and Foot cards counted one by one: the figures that they come to."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from scoring.engine.hand_and_foot_card import (
    JOKER,
    NEVER_IN_A_RANK_MELD,
    TWO,
    WILD,
    Counted,
    HandAndFootRules,
    Left,
    Meld,
    SideCard,
    Totals,
)


def totals_of(card: SideCard, rules: HandAndFootRules) -> Totals:
    """A side's figures: those noted on the card, the others as counted, or nothing."""
    counted = Totals() if card.counted is None else totals_counted(card.counted, rules)
    books = len(rules.special_books)
    special = (*card.special, *(None for _ in range(books - len(card.special))))
    implied = (*counted.special, *(0 for _ in range(len(special) - len(counted.special))))
    return Totals(
        clean=counted.clean if card.clean is None else card.clean,
        dirty=counted.dirty if card.dirty is None else card.dirty,
        wild=counted.wild if card.wild is None else card.wild,
        special=tuple(there if noted is None else noted for noted, there in zip(special, implied, strict=True)),
        red_threes=card.red_threes,
        red_threes_missed=card.red_threes_missed,
        perfect=card.perfect,
        melded=counted.melded if card.melded is None else card.melded,
        left=counted.left if card.left is None else card.left,
    )


def totals_counted(counted: Counted, rules: HandAndFootRules) -> Totals:
    """The figures that counted cards come to. Cards of names that the rules don't have are worth nothing."""
    books = [rank for rank, _ in rules.special_books]
    special = [0] * len(books)
    clean = dirty = wild = 0
    for meld in counted.melds:
        if meld.cards < rules.pile_size:
            continue
        if meld.rank == WILD:
            wild += 1
        elif meld.wilds:
            dirty += 1
        elif meld.rank in books:
            special[books.index(meld.rank)] += 1
        else:
            clean += 1
    return Totals(
        clean=clean,
        dirty=dirty,
        wild=wild,
        special=tuple(special),
        melded=sum(points_of(meld, rules) for meld in counted.melds),
        left=sum(_left_points(left, rules) for left in counted.left),
    )


def points_of(meld: Meld, rules: HandAndFootRules) -> int:
    """Card points of a meld, without any bonus."""
    values = rules.values
    return meld.naturals * values.get(meld.rank, 0) + meld.twos * values[TWO] + meld.jokers * values[JOKER]


def _left_points(left: Left, rules: HandAndFootRules) -> int:
    ranks = kinds_of(rules).get(left.of, ())
    return left.count * rules.values[ranks[0]] if ranks else 0


@lru_cache(maxsize=64)
def kinds_of(rules: HandAndFootRules) -> dict[str, tuple[str, ...]]:
    """The names by which cards left are counted, and the ranks of each: every rank by itself, and neighbouring ranks
    of one value together.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.ruleset import shipped
    >>> kinds = kinds_of(rules_of(shipped()["hand-and-foot"]))
    >>> kinds["8-K"], kinds["4-7"], kinds["A"]
    (('K', 'Q', 'J', '10', '9', '8'), ('7', '6', '5', '4'), ('A',))
    """
    values = rules.values
    kinds: dict[str, tuple[str, ...]] = {rank: (rank,) for rank in values}
    melded = [rank for rank in values if rank not in NEVER_IN_A_RANK_MELD]
    for _, group in groupby(melded, key=values.__getitem__):
        ranks = tuple(group)
        if len(ranks) > 1:
            kinds[f"{ranks[-1]}-{ranks[0]}"] = ranks
    return kinds
