"""A card held against its game: what can only be said when the scores before the deal, or its place, are known.

A deal's place in its game is 1 for the first that counts, 2 for the next. A card may have it (`number` of Hand and
Foot); where it has none, or one that is too low for what went before, the place goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import add
from random import Random
from typing import Any

from scoring.engine.core.ledger import Problem, Score, Severity, named
from scoring.engine.families import Family
from scoring.engine.hand_and_foot import play as hand_and_foot_play
from scoring.engine.hand_and_foot.card import HandAndFootDeal, HandAndFootRules
from scoring.engine.pinochle.two_hand.card import Ending, TwoHandDeal


def goes_by_scores(facts: Any, rules: Any) -> bool:
    """Whether anything on a card is to be held against the scores before the deal."""
    if isinstance(facts, HandAndFootDeal):
        return bool(rules.first_meld_scores)
    return isinstance(facts, TwoHandDeal) and facts.ending != Ending.PLAYED


def goes_by_place(facts: Any, rules: Any) -> bool:
    """Whether anything on a card is to be held against the deal's place in its game."""
    return isinstance(facts, HandAndFootDeal) and bool(rules.first_meld) and not rules.first_meld_scores


def goes_by_game(facts: Any, rules: Any, place: int) -> bool:
    """Whether a card has to be held against what was before it in its game, beside what it says of that itself."""
    return goes_by_scores(facts, rules) or (goes_by_place(facts, rules) and _placed(facts, rules, place) != facts)


def check_in_game(
    family: Family, facts: Any, rules: Any, before: Sequence[int] | None, place: int | None = None
) -> tuple[Problem, ...]:
    """Everything wrong with a card, as the family says it, and what is wrong with it at this place of its game.

    Args:
        before: every side's score before the deal; None where it isn't known.
        place: of the deal among those that count, from 1; None where it isn't known.

    A first meld that goes by the score is held against the score before the deal, unless the card has its own; one
    that goes by the deal against its place; a claim against the target (002, section 13: the first player to reach
    150 points declares that he has won).

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.pinochle.two_hand.card import Ending, TwoHandDeal
    >>> card = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=Ending.CLAIM, claimant=0)
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> [p.code for p in check_in_game(FAMILIES["two-hand-pinochle"], card, fletcher, (123, 0))]
    ['two-hand.claim-short']
    >>> check_in_game(FAMILIES["two-hand-pinochle"], card, fletcher, (124, 0))
    ()
    """
    if place is not None and goes_by_place(facts, rules):
        return family.check(_placed(facts, rules, place), rules)
    if before is None or not goes_by_scores(facts, rules):
        return family.check(facts, rules)
    if isinstance(facts, HandAndFootDeal):
        return family.check(_told(facts, before), rules)
    problems = family.check(facts, rules)
    if any(problem.code in family.unscorable for problem in problems):
        return problems
    return (*problems, *_claim_short(family.score(facts, rules), rules, before))


def judge_in_game(
    family: Family, rules: Any, cards: Iterable[Any], start: Sequence[int] = ()
) -> Iterator[tuple[tuple[Problem, ...], Score | None]]:
    """What is wrong with each deal of a game, in order, and its score; None where the card doesn't say what to score.

    After such a deal the scores before a deal aren't known, and each is held against the rules by itself. A game may
    begin with a later deal than the first, as its card says: the places go on from there.
    """
    before: tuple[int, ...] | None = tuple(start) or (0,) * rules.shape.sides
    place = 0
    for facts in cards:
        place = place_after(place, facts, rules)
        problems = check_in_game(family, facts, rules, before, place)
        score = None if any(p.code in family.unscorable for p in problems) else family.score(facts, rules)
        before = tuple(map(add, before, score.totals)) if before is not None and score is not None else None
        yield problems, score


def place_after(place: int, facts: Any, rules: Any) -> int:
    """The place of the deal that comes after one at `place`: the next, or a later one that its card names.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> rules = rules_of(shipped()["hand-and-foot"])
    >>> [place_after(1, HandAndFootDeal(sides=(), number=number), rules) for number in (None, 1, 3, 9)]
    [2, 2, 3, 2]
    """
    noted = facts.number if goes_by_place(facts, rules) and _is_number(facts.number, rules) else 1
    return max(place + 1, noted or 1)


def play_in_game(family: Family, rng: Random, rules: Any, deals_before: int, before: Sequence[int]) -> Any:
    """A true deal at its place of a game; `before` are the sides' scores by then.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> family, canasta = FAMILIES["hand-and-foot"], rules_of(shipped()["canasta"])
    >>> check_in_game(family, play_in_game(family, Random(2), canasta, 4, (3500, -20)), canasta, (3500, -20))
    ()
    """
    if isinstance(rules, HandAndFootRules):
        return hand_and_foot_play.play(rng, rules, deals_before, before)
    return family.play(rng, rules, deals_before)


def _placed(facts: HandAndFootDeal, rules: HandAndFootRules, place: int) -> HandAndFootDeal:
    """The card with its place as its number, where it has none or a lower one. A number that no deal can have stays."""
    wrong = facts.number is not None and not _is_number(facts.number, rules)
    if wrong or not _is_number(place, rules) or (facts.number or 0) >= place:
        return facts
    return replace(facts, number=place)


def _is_number(number: int | None, rules: HandAndFootRules) -> bool:
    """Whether a deal of the game can have that number."""
    return number is not None and number >= 1 and (rules.deals is None or number <= rules.deals)


def _told(facts: HandAndFootDeal, before: Sequence[int]) -> HandAndFootDeal:
    """The card with the scores before the deal, where none is noted."""
    sides = tuple(
        replace(card, score_before=before[side]) if card.score_before is None and side < len(before) else card
        for side, card in enumerate(facts.sides)
    )
    return replace(facts, sides=sides)


def _claim_short(score: Score, rules: Any, before: Sequence[int]) -> Iterator[Problem]:
    """A claim of the game by a side that hasn't reached the target."""
    side = score.claimant
    if side is None or rules.target is None:
        return
    if (total := before[side] + score.totals[side]) < rules.target:
        args = named(total=total, target=rules.target)
        yield Problem("two-hand.claim-short", Severity.AGAINST_RULES, "claimant", args, side)
