"""What a game would have come to under other rules: a preview of its card. Nothing here writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import wording
from scoring.cards.queries import Card, over_words
from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Problem
from scoring.engine.families import family_of, rules_of
from scoring.engine.in_game import judge_in_game
from scoring.house_rules.in_words import NamedRules, key_of, rules_of_family
from scoring.models import DealVersion, Game
from scoring.players import players_of


@dataclass(frozen=True, slots=True)
class DealThen:
    """A deal as it is and as it would be: points per side, None where it doesn't count (the game is over before it, or
    the other rules can't score it).

    `scored`: the other rules can score the card. `refused`: why they would refuse it.
    """

    number: int
    now: tuple[int | None, ...]
    then: tuple[int | None, ...]
    scored: bool
    refused: tuple[str, ...]

    @property
    def pairs(self) -> tuple[tuple[int | None, int | None], ...]:
        """Per side, its points now and then."""
        return tuple(zip(self.now, self.then, strict=True))


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A game's card under other rules. `now` and `then` are the sides' totals; `complete` says that the other rules
    score every deal and refuse none."""

    rules: NamedRules
    deals: tuple[DealThen, ...]
    now: tuple[int, ...]
    then: tuple[int, ...]
    state_then: str
    complete: bool

    @property
    def totals(self) -> tuple[tuple[int, int], ...]:
        """Per side, its total now and then."""
        return tuple(zip(self.now, self.then, strict=True))


def other_rules(game: Game) -> tuple[NamedRules, ...]:
    """The rules under which a game's card could be counted: those of its family and shape, but for its own."""
    own = key_of(game.rules.slug, game.rules.version)
    found = rules_of_family(game.club, game.rules.family.slug)
    return tuple(other for other in found if other.key != own and game.shape in other.rule_set.shapes)


def what_if(card: Card, other: NamedRules) -> WhatIf:
    """The card's deals scored and counted under other rules, void deals left out.

    Raises:
        RulesError: the rules don't know the game's shape.
    """
    rules, family = rules_of(other.rule_set, card.game.shape), family_of(other.rule_set)
    own = wording.own_words(rules)
    deals = [deal for deal in card.deals if deal.state != DealVersion.State.VOID]
    start = [side.start for side in card.sides]
    judged = list(judge_in_game(family, rules, cards=[deal.facts for deal in deals], start=start))
    known = [score for _problems, score in judged if score is not None]
    stands = [
        score is not None and (bool(deal.ruling) or not _stopping(problems))
        for deal, (problems, score) in zip(deals, judged, strict=True)
    ]
    then = progress(known, rules, start=start, accepted=stands.index(False) if False in stands else len(stands))
    players = players_of([side.names for side in card.sides], card.game.per_side)
    rows, counted = [], 0
    nothing = (None,) * len(start)
    for deal, (found, score) in zip(deals, judged, strict=True):
        counts_then = score is not None and counted < len(then.running)
        counted += score is not None
        rows.append(
            DealThen(
                number=deal.number,
                now=deal.points if deal.counts else nothing,
                then=score.totals if score is not None and counts_then else nothing,
                scored=score is not None,
                refused=tuple(
                    wording.wrong(problem, card.names, own=own, players=players) for problem in _stopping(found)
                ),
            )
        )
    return WhatIf(
        rules=other,
        deals=tuple(rows),
        now=card.totals,
        then=then.totals,
        state_then=over_words([card.names[side] for side in then.winners]) if then.over else _("Not over yet"),
        complete=len(known) == len(deals) and not any(row.refused for row in rows),
    )


def _stopping(problems: Sequence[Problem]) -> list[Problem]:
    """The problems for which a deal would be refused."""
    return [problem for problem in problems if problem.severity.stops]
