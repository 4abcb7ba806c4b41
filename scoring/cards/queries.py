"""What a game's card shows, and what another deal or other rules would change. Nothing here writes.

A card costs as many queries with thirty deals as with none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

from django.db.models import Max, QuerySet, prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.charts import Chart, Series, line_chart
from scoring import wording
from scoring.cards.deals import TABLE, carried_into, place_in_game, scores_before, sides_asked
from scoring.engine.core.family import check_in_game, judge_deals, needs_game, score_deal, score_deals
from scoring.engine.core.game import Progress, check_running_totals, check_set_marks, progress
from scoring.engine.core.ledger import Line, Problem, Score
from scoring.engine.core.ruleset import RuleSet
from scoring.engine.families import family_of, rules_of
from scoring.families import PAGES
from scoring.families.deal_form import player_names
from scoring.families.family_pages import Cell, Columns
from scoring.house_rules.in_words import NamedRules, family_rules, version_key
from scoring.models import Deal, DealVersion, Game, HouseRules, Side
from scoring.templatetags.figures import points

VERSIONS = DealVersion.objects.select_related("deal").prefetch_related("agreements")
CURRENT = VERSIONS.filter(current=True).order_by("deal__number")


LineRow: TypeAlias = dict[str, Any]
"""A reason for points: `side`, its `name`, `points`, `words`, `source` (document and section of the rule), `anchor`
(its place on the page of the rules)."""
LaterDeal: TypeAlias = dict[str, Any]
"""A deal, by `pk` and `number`, that a change to an earlier deal would put against the rules; `words` say why."""


@dataclass(frozen=True, slots=True)
class DealRow:
    """One version of a deal, as the card shows it.

    `points` and `cells` are per side; `cells` has one for each of `Card.items`. `running` are the totals after
    the deal, and empty where the deal counts nothing: void, or recorded after the end of the game.
    """

    pk: int  # of the Deal
    number: int
    version: int
    state: str
    state_words: str
    facts: Any
    points: tuple[int, ...]
    running: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]
    crossed: tuple[tuple[int, ...], ...]  # per side, the cells that a scorer crosses out
    lines: tuple[LineRow, ...]
    written: tuple[int | None, ...]
    written_sets: tuple[int, ...] | None  # None: not looked at
    slips: tuple[str, ...]  # what is wrong with the totals and set marks that the scorer wrote, in words
    by: str
    route: str
    at: datetime
    reason: str
    ruling: str
    overruled: tuple[str, ...]  # the problems that the ruling set aside, in words
    agreed: tuple[int, ...]  # the sides that have said that it is right
    agreed_by: str  # their names
    asked: tuple[int, ...]  # the sides that are still asked whether it is
    at_table: bool  # whether it was entered by its table's own link
    may_correct: bool  # whether its table's own link may: it entered the card's last deal, and no other side has agreed
    wrong_now: tuple[str, ...]  # what the rules forbid with the scores before it as they are now, in words

    @property
    def counts(self) -> bool:
        """Whether its points are in the totals."""
        return bool(self.running)


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that the card of one game shows besides its title and rules."""

    game: Game
    items: tuple[str | Promise, ...]  # headings of a side's figures in a deal, see `Columns`
    per_deal: bool  # a deal is a column on paper, an item a row
    sides: tuple[Side, ...]
    deals: tuple[DealRow, ...]
    state: str  # "playing", "over" or "not-played"
    state_words: str
    why: str  # see `explain_end`
    target: int | None
    deals_in_game: int | None
    signed: bool  # over, and every deal agreed: only a director changes it
    before_deal: str  # what players need to know before the next deal; "" once the game is over

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)

    @property
    def next_number(self) -> int:
        return max((deal.number for deal in self.deals), default=0) + 1

    @property
    def void_numbers(self) -> tuple[int, ...]:
        return tuple(deal.number for deal in self.deals if deal.state == DealVersion.State.VOID)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(side.total for side in self.sides)

    def deal(self, number: int) -> DealRow | None:
        return next((deal for deal in self.deals if deal.number == number), None)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a deal with these facts would do to its game."""

    problems: tuple[Problem, ...]
    lines: tuple[LineRow, ...]
    points: tuple[int, ...]
    before: Progress
    after: Progress
    later: tuple[LaterDeal, ...]
    dropped: tuple[int, ...] = ()  # numbers of deals that count, and would come after the end of the game
    regained: tuple[int, ...] = ()  # of deals after the end that would count

    @property
    def changes_winner(self) -> bool:
        """Whether the game would end, go on again, or have another winner."""
        return (self.before.over, self.before.winners) != (self.after.over, self.after.winners)

    @property
    def changes_end(self) -> bool:
        return self.changes_winner or bool(self.dropped or self.regained)


class Before(NamedTuple):
    """What went before a deal: the sides' totals, and its place among the deals that count, from 1."""

    totals: tuple[int, ...]
    place: int


def card_of(game: Game) -> Card:
    """Three queries, if `game` comes with `rules` and `club` (see `Game.get_or_404`)."""
    return _Reader(game).card(list(CURRENT.filter(deal__game=game)))


def cards_of(games: Sequence[Game]) -> list[Card]:
    """The cards of several games, in their order; as `card_of`, in three queries for all of them."""
    prefetch_related_objects(list(games), "sides")
    rules: dict[int, HouseRules] = {}
    versions: dict[int, list[DealVersion]] = {game.pk: [] for game in games}
    for version in CURRENT.filter(deal__game__in=versions):
        versions[version.deal.game_id].append(version)
    for game in games:
        game.rules = rules.setdefault(game.rules_id, game.rules)
    return [_Reader(game).card(versions[game.pk]) for game in games]


def deal_versions(deal: Deal) -> tuple[DealRow, ...]:
    """Oldest first, without `running` and `slips`, which belong to the card."""
    reader = _Reader(deal.game)
    carried = carried_into(deal.game, deal.number)
    versions = deal.versions.select_related("deal").prefetch_related("agreements").order_by("number")
    before = Before(scores_before(deal.game, deal.number), place_in_game(deal.game, deal.number))
    return tuple(
        reader.row(version, (), before=before, score=reader.score(reader.facts(version), carried))
        for version in versions
    )


def versions_by_deal(cards: Sequence[Card]) -> dict[int, tuple[DealRow, ...]]:
    """By the key of the deal, as `deal_versions`; in three queries for all cards.

    Problems that a ruling set aside are found without the scores before the deal or its place in the game.
    """
    games = {card.game.pk: card.game for card in cards}
    rows_by_deal: dict[int, list[DealRow]] = {}
    readers = {pk: _Reader(game) for pk, game in games.items()}
    carried = {deal: bags for card in cards for deal, bags in readers[card.game.pk].carried(card).items()}
    for version in VERSIONS.filter(deal__game__in=games).order_by("deal_id", "number"):
        reader = readers[version.deal.game_id]
        score = reader.score(reader.facts(version), carried.get(version.deal_id, ()))
        rows_by_deal.setdefault(version.deal_id, []).append(reader.row(version, (), score=score))
    return {deal: tuple(rows) for deal, rows in rows_by_deal.items()}


def preview_deal(game: Game, number: int, *, facts: Any) -> Effect:
    """What recording these facts as deal `number`, or correcting that deal, would do."""
    reader = _Reader(game)
    counting = _without_void(CURRENT.filter(deal__game=game))
    cards = {version.deal.number: reader.facts(version) for version in counting}
    scores, changed = reader.scores(cards), reader.scores(cards | {number: facts})
    before = {n: score for n, score in scores.items() if n < number}
    earlier = reader.progress(before)
    now, then = reader.progress(scores), reader.progress(changed)
    played = ((scores, now), (changed, then))
    unplayed, unplayed_then = (set(sorted(by_number)[len(progress.running) :]) for by_number, progress in played)
    return Effect(
        problems=check_in_game(reader.family, facts, rules=reader.rules, before=earlier.totals, place=len(before) + 1),
        lines=reader.lines(changed[number]),
        points=changed[number].totals,
        before=now,
        after=then,
        later=reader.later(counting, number, now=scores, then=changed),
        dropped=tuple(sorted((unplayed_then - unplayed) & scores.keys())),
        regained=tuple(sorted(unplayed - unplayed_then)),
    )


def wrong_after_void(game: Game, number: int) -> tuple[LaterDeal, ...]:
    reader = _Reader(game)
    counting = _without_void(CURRENT.filter(deal__game=game))
    cards = {version.deal.number: reader.facts(version) for version in counting}
    then = reader.scores({n: facts for n, facts in cards.items() if n != number})
    return reader.later(counting, number, now=reader.scores(cards), then=then)


def _without_void(versions: Iterable[DealVersion]) -> list[DealVersion]:
    return [version for version in versions if version.state != DealVersion.State.VOID]


class _Reader:
    """Turns stored versions of one game into rows."""

    def __init__(self, game: Game) -> None:
        self.game, self.sides = game, tuple(game.sides.all())
        self.names = [side.name for side in self.sides]
        self.start = tuple(side.start for side in self.sides)
        self.players = player_names([side.names for side in self.sides], game.per_side)
        self.rules = game.engine_rules
        self.rule_set: RuleSet = game.rules.rule_set
        self.family = game.rules.family
        self.own_words = wording.own_words(self.rules)
        self.columns: Columns = PAGES[self.family.slug].columns(self.rules)

    def facts(self, version: DealVersion) -> Any:
        return self.family.read(version.facts)

    def score(self, facts: Any, carried: Sequence[int] = ()) -> Score:
        return score_deal(self.family, facts, rules=self.rules, carried=carried)

    def scores(self, cards: Mapping[int, Any]) -> dict[int, Score]:
        """By the deal's number; each with what the deals before it carried into it."""
        numbers = sorted(cards)
        return dict(zip(numbers, score_deals(self.family, self.rules, cards=(cards[n] for n in numbers)), strict=True))

    def carried(self, card: Card) -> dict[int, tuple[int, ...]]:
        """What is carried into each deal, by its key."""
        if not self.family.game_checks.carries(self.rules):
            return {}
        scores = self.scores({deal.number: deal.facts for deal in card.deals if deal.state != DealVersion.State.VOID})
        carried: dict[int, tuple[int, ...]] = {}
        now: tuple[int, ...] = ()
        for deal in sorted(card.deals, key=lambda deal: deal.number):
            carried[deal.pk] = now
            now = scores[deal.number].carried if deal.number in scores else now
        return carried

    def progress(self, scores: Mapping[int, Score]) -> Progress:
        return progress([scores[n] for n in sorted(scores)], self.rules, start=self.start)

    def before(self, scores: Mapping[int, Score]) -> dict[int, Before]:
        rows = zip(sorted(scores), (self.start, *self.progress(scores).running[:-1]), strict=False)
        return {number: Before(totals, place) for place, (number, totals) in enumerate(rows, start=1)}

    def wrong(self, version: DealVersion, before: Before) -> tuple[str, ...]:
        """What the rules forbid in a recorded deal after `before`, except what a ruling has set aside."""
        facts = self.facts(version)
        if not needs_game(self.family, facts, rules=self.rules, place=before.place):
            return ()
        problems = check_in_game(self.family, facts, rules=self.rules, before=before.totals, place=before.place)
        return self.words(p for p in problems if p.severity.stops and p.code not in version.overruled)

    def words(self, problems: Iterable[Problem]) -> tuple[str, ...]:
        return tuple(
            wording.describe_problem(p, self.names, words=self.own_words, players=self.players) for p in problems
        )

    def later(
        self, versions: Sequence[DealVersion], number: int, *, now: Mapping[int, Score], then: Mapping[int, Score]
    ) -> tuple[LaterDeal, ...]:
        """The deals after `number` that keep the rules with the scores as they are, but not as they would be."""
        before_now, before_then = self.before(now), self.before(then)
        later_deals = []
        for version in versions:
            later = version.deal.number
            if later <= number or later not in before_then or before_now.get(later) == before_then[later]:
                continue
            words = self.wrong(version, before_then[later])
            if words and not (later in before_now and self.wrong(version, before_now[later])):
                later_deals.append({"pk": version.deal_id, "number": later, "words": words})
        return tuple(later_deals)

    def lines(self, score: Score) -> tuple[LineRow, ...]:
        return tuple(self._line(line) for line in score.lines)

    def _line(self, line: Line) -> LineRow:
        rule = wording.line_rule(line, self.rule_set)
        return {
            "side": line.side,
            "name": self.names[line.side],
            "points": line.points,
            "words": wording.explain_line(line, self.own_words),
            "source": rule.source,
            "anchor": rule.anchor,
        }

    def row(
        self,
        version: DealVersion,
        running: tuple[int, ...],
        *,
        before: Before | None = None,
        score: Score | None = None,
        after_end: bool = False,
        last: bool = False,
    ) -> DealRow:
        facts = self.facts(version)
        agreed = tuple(row.side for row in version.agreements.all())
        score = score or self.score(facts)
        overruled = self._overruled(version, facts, before=before) if version.overruled else ()
        return DealRow(
            pk=version.deal_id,
            number=version.deal.number,
            version=version.number,
            state=version.state,
            state_words=_("after the end") if after_end else str(DealVersion.State(version.state).label),
            facts=facts,
            points=score.totals,
            running=running,
            cells=tuple(self.columns.cells(facts, score, side=side) for side in range(len(self.sides))),
            crossed=tuple(self.columns.crossed(score, side) for side in range(len(self.sides))),
            lines=self.lines(score),
            written=tuple(version.written) or (None,) * len(self.sides),
            written_sets=None if version.written_sets is None else tuple(version.written_sets),
            slips=(),
            by=version.actor,
            route=_route_label(version.route),
            at=version.at,
            reason=version.reason,
            ruling=version.ruling,
            overruled=overruled,
            wrong_now=self.wrong(version, before) if running and before is not None else (),
            agreed=agreed,
            agreed_by=wording.join_names([self.names[side] for side in agreed]),
            asked=sides_asked(version, self.game, agreed=agreed),
            at_table=version.route == TABLE,
            may_correct=last
            and version.route == TABLE
            and version.state in (DealVersion.State.ENTERED, DealVersion.State.DISPUTED)
            and all(side == version.entered_side for side in agreed),
        )

    def _overruled(self, version: DealVersion, facts: Any, *, before: Before | None) -> tuple[str, ...]:
        totals, place = (None, None) if before is None else (before.totals, before.place)
        problems = check_in_game(self.family, facts, rules=self.rules, before=totals, place=place)
        return self.words(problem for problem in problems if problem.code in version.overruled)

    def card(self, versions: Sequence[DealVersion]) -> Card:
        counting = _without_void(versions)
        by_number = self.scores({version.deal.number: self.facts(version) for version in counting})
        scores = list(by_number.values())
        now = progress(scores, self.rules, start=self.start)
        running = dict(zip((version.pk for version in counting), now.running, strict=False))
        after_end = {version.pk for version in counting[len(now.running) :]}
        slips: dict[int, list[str]] = {}
        numbers = [version.deal.number for version in counting]
        before = self.before(by_number)
        for slip in check_running_totals(scores, [version.written for version in counting], start=self.start):
            between, deal, until = (numbers[place - 1] for place in (slip.between, slip.deal, slip.until))
            named = replace(slip, between=between, deal=deal, until=until)
            slips.setdefault(counting[slip.deal - 1].pk, []).append(wording.slip_message(named, self.names))
        for mark in check_set_marks(scores, [version.written_sets for version in counting]):
            at_number = replace(mark, deal=numbers[mark.deal - 1])
            slips.setdefault(counting[mark.deal - 1].pk, []).append(wording.slip_message(at_number, self.names))
        return Card(
            game=self.game,
            items=self.columns.items,
            per_deal=self.columns.per_deal,
            sides=self.sides,
            deals=tuple(
                replace(
                    self.row(
                        v,
                        running.get(v.pk, ()),
                        before=before.get(v.deal.number) if v.pk in running else None,
                        score=by_number.get(v.deal.number),
                        after_end=v.pk in after_end,
                        last=bool(counting) and v.pk == counting[-1].pk,
                    ),
                    slips=tuple(slips.get(v.pk, ())),
                )
                for v in versions
            ),
            state="playing" if self.game.state == Game.State.OPEN else self.game.state,
            state_words=self._state_message(),
            why=explain_end(self.game, self.sides),
            target=self.rules.target,
            deals_in_game=self.rules.deals,
            signed=self.game.state != Game.State.OPEN
            and self.game.club.agreement != Club.Agreement.NONE
            and {version.state for version in counting} == {DealVersion.State.AGREED},
            before_deal=self._before_deal(len(counting) + 1, now.totals),
        )

    def _before_deal(self, place: int, totals: Sequence[int]) -> str:
        if self.game.state != Game.State.OPEN:
            return ""
        by_name = dict(zip(self.names, totals, strict=True))
        return PAGES[self.family.slug].before_deal(self.rules, place=place, totals=by_name)

    def _state_message(self) -> str:
        game = self.game
        if game.state == Game.State.OPEN:
            return _("Being played")
        winners = [side.name for side in self.sides if side.half_wins]
        if any(side.absent for side in self.sides):
            return walkover_message(winners)
        if game.state == Game.State.NOT_PLAYED:
            return _("Not played")
        return winners_message(winners) if winners else _("Over")


def explain_end(game: Game, sides: Sequence[Side]) -> str:
    """Why a game ended as it did, or goes on with the target reached; "" where that is plain. Quotes the director's
    reason, which not everybody may read."""
    if game.ended_by == "director":
        return " ".join([_("Ended by the director:"), game.reason])
    totals = tuple(side.total for side in sides)
    return explain_totals(game, totals=totals, winners=tuple(side.number for side in sides if side.half_wins))


def explain_totals(game: Game, *, totals: tuple[int, ...], winners: tuple[int, ...]) -> str:
    """As `explain_end`, for everybody, from totals and winners."""
    now = Progress(totals, (), game.state == Game.State.OVER, winners, game.ended_by)
    return "" if game.state == Game.State.NOT_PLAYED else wording.outcome_message(now, game.engine_rules)


def winners_message(winners: Sequence[str]) -> str:
    if len(winners) == 1:
        return _("Over: %(side)s won") % {"side": winners[0]}
    return _("Over: shared by %(sides)s") % {"sides": wording.join_names(winners)}


def result_message(card: Card) -> str:
    """Who won a game that is over, with all totals; "" where nobody did alone, or without cards."""
    winners = [side for side in card.sides if side.won]
    if card.state != "over" or len(winners) != 1:
        return ""
    losers = [side for side in card.sides if side is not winners[0]]
    figures = " : ".join(points(side.total) for side in (winners[0], *losers))
    return _("%(side)s won %(points)s") % {"side": winners[0].name, "points": figures}


def walkover_message(winners: Sequence[str]) -> str:
    if not winners:
        return _("Walkover: nobody won, as neither side was there")
    return _("Walkover: %(side)s won, as the other side wasn't there") % {"side": wording.join_names(winners)}


def _route_label(route: str) -> str:
    routes = {
        "desk": _("at the desk"),
        TABLE: _("at the table"),
        "paper": _("from the paper card"),
        "photo": _("from a photo of the card"),
        "simulated": _("made up for practice"),
    }
    return routes.get(route, route)


# --- the ruled columns of a card ---------------------------------------------------------------------


def card_sheets(card: Card) -> list[dict[str, Any]]:
    """A sheet for each side, like the halves of the paper card, with a row or a column for each deal."""
    make = _column_per_deal if card.per_deal else _row_per_deal
    return [{"side": side, "corner": _("Deal"), **make(card, side)} for side in card.sides]


def sheet_row(head: str | Promise, cells: Sequence[Cell], *, kind: str = "") -> dict[str, Any]:
    """A ruled line, a cell for each heading of the sheet. `kind`: "", "void" (the deal counts nothing) or "total"."""
    return {"head": head, "cells": cells, "kind": kind}


def _running_cell(deal: DealRow, side: Side) -> Cell:
    return deal.running[side.number] if deal.counts else deal.state_words


def _row_per_deal(card: Card, side: Side) -> dict[str, Any]:
    rows = []
    for deal in card.deals:
        cells = deal.cells[side.number] or (deal.points[side.number],)
        kind = "" if deal.counts else "void"
        rows.append(sheet_row(str(deal.number), (*cells, _running_cell(deal, side)), kind=kind))
    return {"heads": (*(card.items or (_("Points"),)), _("Running")), "rows": rows}


def _column_per_deal(card: Card, side: Side) -> dict[str, Any]:
    rows = [
        sheet_row(item, [deal.cells[side.number][place] for deal in card.deals])
        for place, item in enumerate(card.items)
    ]
    rows.append(sheet_row(_("Points"), [deal.points[side.number] for deal in card.deals], kind="total"))
    rows.append(sheet_row(_("Running"), [_running_cell(deal, side) for deal in card.deals], kind="total"))
    return {"heads": [str(deal.number) for deal in card.deals], "rows": rows}


# --- the picture of a finished game ------------------------------------------------------------------


FEWEST_DEALS = 2  # deals; with fewer there is nothing to see


def running_chart(card: Card) -> Chart | None:
    """The running totals of a finished game; the winner's line is highlighted. None while it is being played, and for
    fewer than two deals that count."""
    deals = [deal for deal in card.deals if deal.counts]
    if card.state == "playing" or len(deals) < FEWEST_DEALS:
        return None
    return line_chart(
        [
            Series(side.name, (side.start, *(deal.running[side.number] for deal in deals)), lit=side.half_wins == 2)
            for side in card.sides
        ],
        ["0", *(str(deal.number) for deal in deals)],
        heads=[_("Start"), *(_("Deal %(number)d") % {"number": deal.number} for deal in deals)],
        write=points,
    )


# --- under other rules -------------------------------------------------------------------------------


def other_rules(game: Game) -> tuple[NamedRules, ...]:
    """Rules of the game's family and shape, except its own."""
    current_key = version_key(game.rules.slug, game.rules.version)
    candidates = family_rules(game.club, game.rules.family.slug)
    return tuple(other for other in candidates if other.key != current_key and game.shape in other.rule_set.shapes)


def what_if(card: Card, other: NamedRules) -> dict[str, Any]:
    """The card's deals, except void ones, scored and counted under other rules. `complete`: those score every deal and
    refuse none. `pairs`: each side's points now and then; None where the deal doesn't count.

    Raises:
        RulesError: the rules don't know the game's shape.
    """
    rules, family = rules_of(other.rule_set, card.game.shape), family_of(other.rule_set)
    words, players = wording.own_words(rules), player_names([side.names for side in card.sides], card.game.per_side)
    deals = [deal for deal in card.deals if deal.state != DealVersion.State.VOID]
    start = [side.start for side in card.sides]
    judged = list(judge_deals(family, rules, cards=[deal.facts for deal in deals], start=start))
    scores = [score for _problems, score in judged if score is not None]
    accepted = [
        score is not None and (bool(deal.ruling) or not _refusing_problems(problems))
        for deal, (problems, score) in zip(deals, judged, strict=True)
    ]
    then = progress(scores, rules, start=start, accepted=[*accepted, False].index(False))
    rows, counted = [], 0
    nothing = (None,) * len(start)
    for deal, (problems, score) in zip(deals, judged, strict=True):
        points_then = score.totals if score is not None and counted < len(then.running) else nothing
        counted += score is not None
        pairs = list(zip(deal.points if deal.counts else nothing, points_then, strict=True))
        refused = [
            wording.describe_problem(problem, card.names, words=words, players=players)
            for problem in _refusing_problems(problems)
        ]
        rows.append({"number": deal.number, "pairs": pairs, "scored": score is not None, "refused": refused})
    return {
        "rules": other,
        "deals": rows,
        "totals": list(zip(card.totals, then.totals, strict=True)),
        "state_then": winners_message([card.names[side] for side in then.winners]) if then.over else _("Not over yet"),
        "why_then": wording.outcome_message(then, rules),
        "complete": len(scores) == len(deals) and not any(row["refused"] for row in rows),
    }


def _refusing_problems(problems: Sequence[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity.stops]


# --- what is new ----------------------------------------------------------------------------------------


NEWS_FIELDS = ("state", "ended_by", "reason", "set_aside")


def news_address(game: Game) -> str:
    """Where a page asks for news. Call it before the card is read, so that changes in between are news."""
    at = reverse("card_news", args=[game.club.slug, game.pk])
    return add_version(at, games_version(Game.objects.filter(pk=game.pk)))


def games_version(games: QuerySet[Game], *beside: str) -> str:
    """A hash of these games' deals, agreements, state and the fields `beside`; "" for no game. One query."""
    last, agreement = Max("deals__versions"), Max("deals__versions__agreements")
    rows = list(games.order_by("pk").values_list("pk", *NEWS_FIELDS, *beside).annotate(last=last, said=agreement))
    return sha256(repr(rows).encode()).hexdigest()[:16] if rows else ""


def add_version(address: str, version: str) -> str:
    return f"{address}?{urlencode({'v': version})}"


def has_version(request: HttpRequest, version: str) -> bool:
    return bool(version) and request.GET.get("v") == version
