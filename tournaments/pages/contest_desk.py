"""What the desk of a competition shows: the one next action, groups, vacant places, what no longer agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from tournaments.cuts import cuts
from tournaments.draws.formats import entries_for, why_stale
from tournaments.draws.round_views import GroupView, RoundView, round_view
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.stages import fit_words
from tournaments.events.state import last_stage
from tournaments.models import Cut, Draw, Entry, Event, Group, Seat, Stage
from tournaments.standings.results import unchanged_result
from tournaments.standings.standings import standings_of


@dataclass(frozen=True, slots=True)
class StageView:
    """One stage and how far it is."""

    stage: Stage
    draw: Draw | None
    draft: Draw | None
    cut: Cut | None
    last: bool

    @property
    def state(self) -> str:
        """How far the stage is: planned, drafted, drawn or cut."""
        if self.cut:
            return "cut"
        return "drawn" if self.draw else "drafted" if self.draft else "planned"


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything on the desk of a competition. `next` is a code for the template, `at` the stage it is about."""

    event: Event
    stages: tuple[StageView, ...]
    here: int
    reserves: int
    withdrawn: int
    next: str  # names, fit, draw, stale, draft, playing, cut, bracket, result, corrected, finished
    at: StageView | None
    words: str  # what is in the way, for "fit" and "stale"
    playing: StageView | None  # the latest stage with a published draw
    groups: tuple[GroupView, ...]
    differences: tuple[tuple[StageView, cuts.CutDifference], ...]
    vacant: tuple[Entry, ...]  # who has gone and whose place can still be given on
    unseated: tuple[tuple[StageView, Entry], ...]  # who goes on into a stage that is drawn, and has no seat in it
    barred: tuple[Entry, ...]  # who goes on by the newest published cut, and may not any more

    def in_state(self, state: str) -> list[GroupView]:
        """Groups in a state, in order of tables."""
        return [group for group in self.groups if group.state == state]

    @property
    def by_state(self) -> list[tuple[str, list[GroupView]]]:
        """Groups playing first, then those waiting, then those that have finished."""
        return [(state, found) for state in ("playing", "waiting", "over") if (found := self.in_state(state))]


def desk_of(event: Event, round: RoundView | None = None) -> Desk:
    """The desk of a competition as it is now; `round` is the one being played, where it was read before."""
    stages = _stages(event)
    entries = list(event.entries.values_list("state", "stands_in"))
    states = [state for state, stands_in in entries if stands_in is None]
    gone = any(state == Entry.State.WITHDRAWN for state, _stands_in in entries)
    goes_on = event.state != Event.State.FINISHED
    playing = next((s for s in reversed(stages) if s.draw), None)
    groups = _groups(playing, round)
    code, at, words = _next(event, stages, playing=playing, groups=groups, here=states.count(Entry.State.HERE))
    return Desk(
        event=event,
        stages=tuple(stages),
        here=states.count(Entry.State.HERE),
        reserves=states.count(Entry.State.RESERVE),
        withdrawn=states.count(Entry.State.WITHDRAWN),
        next=code,
        at=at,
        words=words,
        playing=playing,
        groups=groups,
        differences=tuple((s, found) for s in stages if s.cut and (found := cuts.difference(s.cut))),
        vacant=tuple(_vacant(event, stages, playing=playing)) if gone and goes_on else (),
        unseated=tuple(_unseated(stages)) if goes_on else (),
        barred=tuple(_barred(event, stages)) if goes_on else (),
    )


def _groups(playing: StageView | None, round: RoundView | None) -> tuple[GroupView, ...]:
    if playing is None or playing.draw is None:
        return ()
    return (round if round and round.draw == playing.draw else round_view(playing.draw)).groups


def _stages(event: Event) -> list[StageView]:
    prefetch_related_objects([event], "stages")  # what asks for them later finds them here
    final = last_stage(event)
    stages = [stage for stage in event.stages.all() if final is None or stage.number <= final.number]
    found = Draw.objects.filter(round__stage__event=event).select_related("round").order_by("number")
    draws = grouped((draw.round.stage_id, draw) for draw in found)
    published_cuts = Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED).prefetch_related("lines")
    cut = {c.stage_id: c for c in published_cuts}
    views = []
    for stage in stages:
        if stage.pk in cut:
            cut[stage.pk].stage = stage
        for draw in draws[stage.pk]:
            draw.round.stage = stage
        published = next((draw for draw in reversed(draws[stage.pk]) if draw.state == Draw.State.PUBLISHED), None)
        newest = draws[stage.pk][-1] if draws[stage.pk] else None
        draft = newest if newest and newest.state == Draw.State.DRAFT and not published else None
        views.append(StageView(stage, published, draft, cut.get(stage.pk), last=stage == stages[-1]))
    return views


def _next(
    event: Event, stages: list[StageView], *, playing: StageView | None, groups: Sequence[GroupView], here: int
) -> tuple[str, StageView | None, str]:
    if event.state == Event.State.FINISHED:
        final = stages[-1]
        result = unchanged_result(event, standings_of(final.stage))
        return ("finished" if result else "corrected"), final, ""
    if playing and not playing.cut:
        if any(group.current for group in groups):
            return "playing", playing, ""
        return ("result" if playing.last else "cut"), playing, ""
    number = stages.index(playing) + 1 if playing else 0
    at = stages[number] if number < len(stages) else None
    if at is None:
        return "bracket", playing, ""
    if playing is None and not here:
        return "names", at, ""
    if at.draft:
        stale = why_stale(at.draft)
        return ("stale" if stale else "draft"), at, stale
    words = fit_words(event, len(_drawn(at.stage)))
    return ("fit" if words else "draw"), at, words


def _drawn(stage: Stage) -> list[Entry]:
    try:
        return entries_for(stage)
    except StepRefused:
        return []


def _vacant(event: Event, stages: list[StageView], *, playing: StageView | None) -> list[Entry]:
    """Who has withdrawn while a reserve or the next in line could still take the place."""
    gone, through = event.entries.filter(state=Entry.State.WITHDRAWN), _through(stages)
    if playing and playing.cut:
        return [entry for entry in gone if entry.pk in through]
    if playing is None or playing.draw is None:
        return []
    unbegun = set(
        Group.objects.filter(table__draw=playing.draw)
        .exclude(games__game__deals__isnull=False)
        .values_list("seats__entry_id", flat=True)
    )
    first = playing.stage.number == 1
    reserves = first and event.entries.filter(state=Entry.State.RESERVE).exists()
    return [entry for entry in gone if entry.pk in unbegun and (reserves or entry.pk in through)]


def _unseated(stages: list[StageView]) -> list[tuple[StageView, Entry]]:
    """Who may play in a stage that is drawn and has no seat in it, such as somebody who came back after the draw."""
    seats = Seat.objects.filter(draw__in=[part.draw for part in stages if part.draw])
    seated = set(seats.order_by().values_list("draw_id", "entry_id"))
    return [
        (part, entry)
        for part in stages
        if part.draw
        for entry in _drawn(part.stage)
        if (part.draw.pk, entry.pk) not in seated
    ]


def _barred(event: Event, stages: list[StageView]) -> list[Entry]:
    """Who goes on by the newest published cut and was barred after it."""
    barred = event.entries.filter(pk__in=_through(stages), eligible=False)
    return list(barred.exclude(state=Entry.State.WITHDRAWN).order_by("number"))


def _through(stages: list[StageView]) -> set[int]:
    """Who goes on by the newest published cut."""
    newest = next((part.cut for part in reversed(stages) if part.cut), None)
    return {line.entry_id for line in newest.lines.all() if line.advances} if newest else set()
