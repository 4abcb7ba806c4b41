"""A card checked against its game: problems that show only when the scores before the deal, or its place, are known.

A deal's place in its game is 1 for the first that counts, 2 for the next. A card may name it (`number` of Hand and
Foot); where it doesn't, or names one too low for what went before, the place counted in the game is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import add
from typing import Any

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Problem, Score


def goes_by_game(family: Family, facts: Any, *, rules: Any, place: int) -> bool:
    """Whether checking a card needs to know what went before it in its game, beyond what the card itself notes."""
    ways = family.in_game
    return ways.goes_by_scores(facts, rules) or bool(ways.placed(facts, rules, before=None, place=place) != facts)


def check_in_game(
    family: Family, facts: Any, *, rules: Any, before: Sequence[int] | None, place: int | None = None
) -> tuple[Problem, ...]:
    """Everything wrong with a card, as the family says it, and what is wrong with it at this place of its game.

    Args:
        before: every side's score before the deal; None where it isn't known.
        place: of the deal among those that count, from 1; None where it isn't known.

    A first meld that goes by the score is checked against the score before the deal, unless the card notes that score
    itself; one that goes by the deal, against its place; a claim of the game, against the target.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding
    >>> card = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=TwoHandEnding.CLAIM, claimant=0)
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> [p.code for p in check_in_game(FAMILIES["two-hand-pinochle"], card, rules=fletcher, before=(123, 0))]
    ['two-hand.claim-short']
    >>> check_in_game(FAMILIES["two-hand-pinochle"], card, rules=fletcher, before=(124, 0))
    ()
    """
    facts = family.in_game.placed(facts, rules, before=before, place=place)
    problems = family.check(facts, rules)
    if before is None or any(problem.code in family.unscorable for problem in problems):
        return problems
    return (*problems, *family.in_game.against_scores(facts, rules, before=before))


def judge_in_game(
    family: Family, rules: Any, *, cards: Iterable[Any], start: Sequence[int] = ()
) -> Iterator[tuple[tuple[Problem, ...], Score | None]]:
    """What is wrong with each deal of a game, in order, and its score; None where the card doesn't say what to score.

    After a deal without a score the scores before later deals aren't known, and these are checked without them. A game
    may begin with a later deal than the first, if its card says so: the places go on from there.
    """
    before: tuple[int, ...] | None = tuple(start) or (0,) * rules.shape.sides
    place = 0
    for facts in cards:
        place = place_after(family, place, facts=facts, rules=rules)
        problems = check_in_game(family, facts, rules=rules, before=before, place=place)
        score = None if any(p.code in family.unscorable for p in problems) else family.score(facts, rules)
        before = tuple(map(add, before, score.totals)) if before is not None and score is not None else None
        yield problems, score


def place_after(family: Family, place: int, *, facts: Any, rules: Any) -> int:
    """The place of the deal that comes after one at `place`: the next, or a later one that its card names.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.hand_and_foot.card import HandAndFootDeal
    >>> family, rules = FAMILIES["hand-and-foot"], rules_of(shipped()["hand-and-foot"])
    >>> deals = [HandAndFootDeal(sides=(), number=number) for number in (None, 1, 3, 9)]
    >>> [place_after(family, 1, facts=deal, rules=rules) for deal in deals]
    [2, 2, 3, 2]
    """
    return max(place + 1, family.in_game.place_noted(facts, rules) or 1)
