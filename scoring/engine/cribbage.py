"""Cribbage by deal: what each side pegs in the play, its hand, and the dealer's crib, up to the game hole.

Sources: American Cribbage Congress, Tournament Rules: 1.6 (the game hole, number 121), 1.7 (what scores), 6.3 (his
heels), 9.2 (counted in order: the other hands from the dealer's left, the dealer's hand, the crib); pagat.com, Six Card
Cribbage: three players, and partners.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from scoring.engine.core.family import Family, GameChecks
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules

HANDS = frozenset(range(30)) - {19, 25, 26, 27}
"""What four cards and the starter can be worth, in a hand and in a crib: `tests/scoring/engine/test_cribbage.py` counts
all of them."""
PARTNERS = frozenset(hand + other for hand in HANDS for other in HANDS) - {58}  # the pack has four fives: not twice 29
HEELS = 2  # for a jack as the starter, to the dealer
MOST_PEGGED = (24, 30)
"""In the play between two, by the other player and by the dealer: the most of all ways to play four cards each,
tried one by one."""
A_CARD = 14  # the most that one card can peg: the fourth of a kind that makes 15 or 31


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageRules(Rules):
    __hash__ = Rules.__hash__

    target: Annotated[int, Range(31, 241)]

    @property
    def hands(self) -> frozenset[int]:
        """What a side's hands can be worth: partners write theirs together."""
        return HANDS if self.shape.per_side == 1 else PARTNERS

    def most_pegged(self, *, dealer: bool) -> int:
        play = MOST_PEGGED[dealer] if self.shape.players == 2 else 4 * A_CARD * self.shape.per_side
        return play + HEELS * dealer


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageDeal:
    """One deal. Whatever is left uncounted once a side is in the game hole is 0; that side has only what it needed."""

    dealer: Annotated[int, "the side that dealt, and has the crib"]
    pegging: Annotated[tuple[int, ...], "what each side pegged in the play, his heels included"]
    hands: Annotated[tuple[int, ...], "what each side's hand was worth; partners' hands together"]
    crib: Annotated[int, "what the crib was worth"]
    before: Annotated[tuple[int, ...], "each side's score before the deal; empty where the game says it"] = ()


UNSCORABLE = frozenset({"cribbage.sides", "cribbage.dealer"})


def counting_order(deal: CribbageDeal, rules: CribbageRules) -> Iterator[tuple[str, int, int]]:
    """The figures after the play in the order in which they are counted, each with its name and side."""
    sides = rules.shape.sides
    for place in range(1, sides + 1):
        side = (deal.dealer + place) % sides
        yield "hands", side, deal.hands[side]
    yield "crib", deal.dealer, deal.crib


def score(deal: CribbageDeal, rules: CribbageRules) -> Score:
    """The points of a deal.

    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.families import rules_of
    >>> rules = rules_of(shipped()["cribbage-by-deal"])
    >>> score(CribbageDeal(dealer=1, pegging=(2, 3), hands=(8, 12), crib=4), rules).totals
    (10, 19)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal, rules), None):
        raise ValueError(problem.code)
    lines = [Line(side, points, "cribbage.pegging", named(points=points)) for side, points in enumerate(deal.pegging)]
    for name, side, points in counting_order(deal, rules):
        lines.append(Line(side, points, f"cribbage.{name}", named(points=points)))
    return Score(rules.shape.sides, tuple(lines))


def check(deal: CribbageDeal, rules: CribbageRules) -> tuple[Problem, ...]:
    return tuple(_shape_problems(deal, rules)) or tuple(_figure_problems(deal, rules))


def _shape_problems(deal: CribbageDeal, rules: CribbageRules) -> Iterator[Problem]:
    sides = rules.shape.sides
    for name, figures in (("pegging", deal.pegging), ("hands", deal.hands), ("before", deal.before or (0,) * sides)):
        if len(figures) != sides:
            yield malformed("cribbage.sides", name, written=len(figures), sides=sides)
            return
    if not 0 <= deal.dealer < sides:
        yield malformed("cribbage.dealer", "dealer")


def _figure_problems(deal: CribbageDeal, rules: CribbageRules) -> Iterator[Problem]:
    """Figures that no cards give. A side that goes out counts only what it needs, so any hand can be cut short."""
    if not any(deal.pegging):  # the last card, if nothing else, gives somebody a point
        yield impossible("cribbage.nothing-pegged", "pegging")
    for side, points in enumerate(deal.pegging):
        most = rules.most_pegged(dealer=side == deal.dealer)
        if not 0 <= points <= most:
            yield impossible("cribbage.pegging", "pegging", side=side, points=points, most=most)
    totals = [*map(sum, zip(deal.before, deal.pegging, strict=True))] if deal.before else []
    for name, side, points in counting_order(deal, rules):
        can = rules.hands if name == "hands" else HANDS
        if totals:
            totals[side] += points
        short = bool(totals) and totals[side] == rules.target and 0 <= points < max(can)
        if points not in can and not short:
            where = {"side": side} if name == "hands" else {}
            yield impossible(f"cribbage.{name}", name, points=points, **where)


class _GameChecks(GameChecks):
    def needs_scores(self, facts: CribbageDeal, rules: CribbageRules) -> bool:
        return True

    def add_context(
        self, facts: CribbageDeal, rules: CribbageRules, *, before: Sequence[int] | None, place: int | None
    ) -> CribbageDeal:
        return facts if facts.before or before is None else replace(facts, before=tuple(before))

    def score_problems(self, facts: CribbageDeal, rules: CribbageRules, *, before: Sequence[int]) -> Iterator[Problem]:
        """The game ends as soon as a side is in the game hole, so it has just the target, and nothing counts after."""
        totals = [score + points for score, points in zip(before, facts.pegging, strict=True)]
        for name, side, points in counting_order(facts, rules):
            out = max(totals) >= rules.target
            if out and points and (name == "crib" or rules.shape.per_side == 1):  # partners' hands take turns
                yield against_rules("cribbage.after-end", name, side=side if name == "hands" else None, points=points)
            totals[side] += points
        if sum(total >= rules.target for total in totals) > 1:
            yield against_rules("cribbage.two-out", "pegging", target=rules.target)
        for side, total in enumerate(totals):
            if total > rules.target:
                yield against_rules(
                    "cribbage.past", "pegging", side=side, total=total, target=rules.target, past=total - rules.target
                )


FAMILY = Family(
    slug="cribbage",
    rules=CribbageRules,
    facts=CribbageDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    game_checks=_GameChecks(),
)
