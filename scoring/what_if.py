"""What a game would have come to under other rules: a preview of its card. Nothing here writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import wording
from scoring.engine.families import family_of, rules_of
from scoring.engine.game import Progress, progress
from scoring.engine.in_game import judge_in_game
from scoring.engine.ledger import Severity
from scoring.engine.ruleset import RuleSet, shipped
from scoring.models import DealVersion, Game, HouseRules
from scoring.queries import Card

SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class OtherRules:
    """Rules under which a card could be counted. `key` names them in an address; `heading` is that of a menu."""

    key: str
    words: str
    heading: str
    rule_set: RuleSet


@dataclass(frozen=True, slots=True)
class DealThen:
    """A deal as it is and as it would be: points per side, None where it doesn't count because the game is over
    before it.

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
    """A game's card under other rules. `now` and `then` are the sides' totals; `complete` says that every deal counts
    under the other rules."""

    rules: OtherRules
    deals: tuple[DealThen, ...]
    now: tuple[int, ...]
    then: tuple[int, ...]
    state_then: str
    complete: bool

    @property
    def totals(self) -> tuple[tuple[int, int], ...]:
        """Per side, its total now and then."""
        return tuple(zip(self.now, self.then, strict=True))


def other_rules(game: Game) -> tuple[OtherRules, ...]:
    """The rules under which a game's card could be counted: those of its family and shape, but for its own."""
    own = HouseRules.objects.filter(club=game.club).exclude(pk=game.rules_id).order_by("title", "slug", "-version")
    words = _("%(title)s, version %(version)d")
    found = [
        OtherRules(
            f"{rules.slug}:{rules.version}",
            words % {"title": rules.title, "version": rules.version},
            _("The club's house rules"),
            rules.rule_set,
        )
        for rules in own
    ]
    found += [
        OtherRules(f"{slug}:{SHIPPED}", rule_set.title, _("As shipped"), rule_set)
        for slug, rule_set in sorted(shipped().items(), key=lambda item: wording.order_of(item[1]))
    ]
    family = game.rules.family.slug
    return tuple(o for o in found if o.rule_set.family == family and game.shape in o.rule_set.shapes)


def what_if(card: Card, other: OtherRules) -> WhatIf:
    """The card's deals scored and counted under other rules, void deals left out.

    Raises:
        RulesError: the rules don't know the game's shape.
    """
    rules, family = rules_of(other.rule_set, card.game.shape), family_of(other.rule_set)
    own = wording.own_words(rules)
    deals = [deal for deal in card.deals if deal.state != DealVersion.State.VOID]
    start = [side.start for side in card.sides]
    judged = list(judge_in_game(family, rules, [deal.facts for deal in deals], start))
    known = [score for _problems, score in judged if score is not None]
    then = progress(known, rules, start)
    rows, counted = [], 0
    nothing = (None,) * len(start)
    for deal, (found, score) in zip(deals, judged, strict=True):
        counts_then = score is not None and counted < len(then.running)
        counted += score is not None
        stopping = [p for p in found if p.severity is not Severity.UNLIKELY]
        rows.append(
            DealThen(
                number=deal.number,
                now=deal.points if deal.counts else nothing,
                then=score.totals if score is not None and counts_then else nothing,
                scored=score is not None,
                refused=tuple(wording.wrong(problem, card.names, own) for problem in stopping),
            )
        )
    return WhatIf(
        rules=other,
        deals=tuple(rows),
        now=card.totals,
        then=then.totals,
        state_then=_state(then, card.names),
        complete=len(known) == len(deals) and not any(row.refused for row in rows),
    )


def _state(then: Progress, names: Sequence[str]) -> str:
    if not then.over:
        return _("Not over yet")
    winners = [names[side] for side in then.winners]
    if len(winners) == 1:
        return _("Over: %(side)s won") % {"side": winners[0]}
    return _("Over: shared by %(sides)s") % {"sides": wording.list_of(winners)}
