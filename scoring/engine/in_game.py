"""A card held against its game: what can only be said when the scores before the deal are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import add
from random import Random
from typing import Any

from scoring.engine import hand_and_foot_play
from scoring.engine.families import Family
from scoring.engine.hand_and_foot_card import HandAndFootDeal, HandAndFootRules
from scoring.engine.ledger import Problem, Score, Severity, named
from scoring.engine.two_hand_pinochle_facts import Ending, TwoHandDeal


def goes_by_scores(facts: Any, rules: Any) -> bool:
    """Whether anything on a card is to be held against the scores before the deal."""
    if isinstance(facts, HandAndFootDeal):
        return bool(rules.first_meld_scores)
    return isinstance(facts, TwoHandDeal) and facts.ending != Ending.PLAYED


def check_in_game(family: Family, facts: Any, rules: Any, before: Sequence[int] | None) -> tuple[Problem, ...]:
    """Everything wrong with a card, as the family says it, and what is wrong with it at this place of its game.

    Args:
        before: every side's score before the deal; None where it isn't known.

    A first meld that goes by the score is held against the score before the deal, unless the card has its own; a
    claim against the target (002, section 13: the first player to reach 150 points declares that he has won).

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.ruleset import shipped
    >>> from scoring.engine.two_hand_pinochle_facts import Ending, TwoHandDeal
    >>> card = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=Ending.CLAIM, claimant=0)
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> [p.code for p in check_in_game(FAMILIES["two-hand-pinochle"], card, fletcher, (123, 0))]
    ['two-hand.claim-short']
    >>> check_in_game(FAMILIES["two-hand-pinochle"], card, fletcher, (124, 0))
    ()
    """
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

    After such a deal the scores before a deal aren't known, and each is held against the rules by itself.
    """
    before: tuple[int, ...] | None = tuple(start) or (0,) * rules.shape.sides
    for facts in cards:
        problems = check_in_game(family, facts, rules, before)
        score = None if any(p.code in family.unscorable for p in problems) else family.score(facts, rules)
        before = tuple(map(add, before, score.totals)) if before is not None and score is not None else None
        yield problems, score


def play_in_game(family: Family, rng: Random, rules: Any, deals_before: int, before: Sequence[int]) -> Any:
    """A true deal at its place of a game; `before` are the sides' scores by then.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.ruleset import shipped
    >>> family, canasta = FAMILIES["hand-and-foot"], rules_of(shipped()["canasta"])
    >>> check_in_game(family, play_in_game(family, Random(2), canasta, 4, (3500, -20)), canasta, (3500, -20))
    ()
    """
    if isinstance(rules, HandAndFootRules):
        return hand_and_foot_play.play(rng, rules, deals_before, before)
    return family.play(rng, rules, deals_before)


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
