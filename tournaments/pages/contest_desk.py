"""What the desk of a competition shows: its next step, groups, vacant places, what no longer agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.cuts import cuts
from tournaments.draws.formats import entries_for, why_stale
from tournaments.draws.round_views import GroupView, RoundView, round_view
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.stages import apart_words, fit_words
from tournaments.events.state import bracket_of, last_stage
from tournaments.models import Cut, Draw, Entry, Event, Group, Seat, Stage
from tournaments.pages.steps import Action, NextStep, Urgency, link
from tournaments.standings.results import unchanged_result
from tournaments.standings.standings import standings_of


@dataclass(frozen=True, slots=True)
class StageView:
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
        return [group for group in self.groups if group.state == state]

    @property
    def by_state(self) -> list[tuple[str, list[GroupView]]]:
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


Said = tuple[str, str, tuple[Action, ...]]


def cut_differs(desk: Desk) -> Iterator[NextStep]:
    """Points have changed since a cut was published, and somebody would be on the other side of its line."""
    for part, found in desk.differences:
        if part.cut:
            title = _("Points have changed since the cut of %(stage)s was published") % {"stage": part.stage}
            action = Action(_("Look at the cut"), link(desk.event, "cut_step", part.cut.pk))
            yield NextStep(Urgency.NOW, title, " ".join(found.sentences), (action,))


def unseated(desk: Desk) -> Iterator[NextStep]:
    """Who goes on into a stage that is drawn, and has no seat in it."""
    for part, entry in desk.unseated:
        title = _("%(name)s plays on, and has no seat in the draw: %(stage)s") % {"name": entry, "stage": part.stage}
        words = _("Take the draw back and make it again, or withdraw them.")
        actions = (Action(_("To the draw"), link(desk.event, "stage_draw", part.stage.number)), _to_entry(desk, entry))
        yield NextStep(Urgency.NOW, title, words, actions)


def barred(desk: Desk) -> Iterator[NextStep]:
    """Who goes on by the newest published cut, and may not any more."""
    for entry in desk.barred:
        title = _("%(name)s goes on by the published cut, and may not any more") % {"name": entry}
        why = _("Why: “%(note)s”.") % {"note": entry.note}
        words = _("Withdraw them, and the next in line is offered the place; or let them go on.")
        yield NextStep(Urgency.NOW, title, f"{why} {words}", (_to_entry(desk, entry),))


def vacant(desk: Desk) -> Iterator[NextStep]:
    """Who has gone and whose place can still be given on."""
    for entry in desk.vacant:
        gone = _("%(name)s is disqualified") if entry.disqualified else _("%(name)s has withdrawn")
        action = Action(_("See who is next in line for the place"), link(desk.event, "entry", entry.pk))
        words = _("The director can give the place to the next in line.")
        yield NextStep(Urgency.SOON, gone % {"name": entry}, words, (action,))


def final_apart(desk: Desk) -> Iterator[NextStep]:
    """The stage before the final is being played, and the final would be in groups that don't meet."""
    if len(desk.stages) > 1 and desk.playing == desk.stages[-2] and not desk.playing.cut:
        before, final = desk.playing.stage, desk.stages[-1].stage
        if words := apart_words(final, before.advance):
            action = Action(_("Change the stages"), link(desk.event, "event_change", anchor="stages"))
            yield NextStep(Urgency.KNOW, _("How the final is played"), words, (action,))


def contest_step(desk: Desk) -> Iterator[NextStep]:
    title, words, actions = STEPS[desk.next](desk)
    yield NextStep(Urgency.NEXT, title, words, actions)


def _names(desk: Desk) -> Said:
    places = desk.event.places or 0
    words = ngettext(
        "The competition has %(n)d place. Choose a file with the names, paste them, or write them one by one.",
        "The competition has %(n)d places. Choose a file with the names, paste them, or write them one by one.",
        places,
    )
    actions = (
        Action(_("Enter a list of names"), link(desk.event, "entries_import")),
        Action(_("One by one"), link(desk.event, "entries")),
    )
    return _("Enter the names"), words % {"n": places}, actions


def _fit(desk: Desk) -> Said:
    actions = (Action(_("To the entries"), link(desk.event, "entries")),)
    return _("%(stage)s can't be drawn yet") % _stage(desk), desk.words, actions


def _draw(desk: Desk) -> Said:
    actions = [_to_draw(desk, _("To the draw"))]
    words = _("The cut is published. Those who go on get new tables, away from those they have met.")
    if _number(desk) == 1:
        many = ngettext("%(n)d name is on the list.", "%(n)d names are on the list.", desk.here) % {"n": desk.here}
        words = f"{many} {_('You see the draw before anybody else does.')}"
        actions.append(Action(_("Look at the entries"), link(desk.event, "entries")))
    return _("Draw the tables: %(stage)s") % _stage(desk), words, tuple(actions)


def _stale(desk: Desk) -> Said:
    return _("Make the draw again: %(stage)s") % _stage(desk), desk.words, (_to_draw(desk, _("To the draw")),)


def _draft(desk: Desk) -> Said:
    title = _("Look at the draw, then publish it: %(stage)s") % _stage(desk)
    return title, _("Nobody sees it until then."), (_to_draw(desk, _("Look at the draw")),)


def _playing(desk: Desk) -> Said:
    words = {"over": len(desk.in_state("over")), "all": len(desk.groups)}
    said = ngettext("%(over)d of %(all)d set is finished.", "%(over)d of %(all)d sets are finished.", words["all"])
    first = desk.by_state[0][0] if desk.groups else ""  # the groups that come first on the page
    actions = (
        Action(_("To the cards"), f"{desk.event.get_desk_url()}#{first}", director=False),
        Action(_("Print cards and seats"), link(desk.event, "print"), director=False),
    )
    return (
        _("%(stage)s is being played") % _stage(desk),
        f"{said % words} {_('Enter the cards as they come in.')}",
        actions,
    )


def _cut(desk: Desk) -> Said:
    title = _("All sets are finished. See who goes on: %(stage)s") % _stage(desk)
    actions = (Action(_("To the cut"), link(desk.event, "cut", _number(desk))),)
    return title, _("You see the reason for every name before the cut is published."), actions


def _bracket(desk: Desk) -> Said:
    bracket = bracket_of(desk.event)
    words = _("The result of this competition is the order of %(stage)s; the knock-out has its own.") % _stage(desk)
    actions = (
        Action(_("To the knock-out"), bracket.get_desk_url() if bracket else desk.event.get_desk_url(), director=False),
        Action(_("Look at the result"), link(desk.event, "result")),
    )
    return _("Those who go on play %(bracket)s") % {"bracket": bracket}, words, actions


def _result(desk: Desk) -> Said:
    actions = (Action(_("Look at the result"), link(desk.event, "result")),)
    return _("The final is played. Publish the result"), _("The order of the final is the result."), actions


def _corrected(desk: Desk) -> Said:
    words = _("The published result stands until you publish the next version.")
    actions = (Action(_("See what changes"), link(desk.event, "result")),)
    return _("A deal has changed since the result was published"), words, actions


def _finished(desk: Desk) -> Said:
    actions = (
        Action(_("Print the result"), link(desk.event, "print", anchor="results"), director=False),
        Action(_("Look at the result"), link(desk.event, "result")),
    )
    return _("The competition is over"), _("Its result is published."), actions


STEPS: dict[str, Callable[[Desk], Said]] = {
    "names": _names,
    "fit": _fit,
    "draw": _draw,
    "stale": _stale,
    "draft": _draft,
    "playing": _playing,
    "cut": _cut,
    "bracket": _bracket,
    "result": _result,
    "corrected": _corrected,
    "finished": _finished,
}


def _stage(desk: Desk) -> dict[str, object]:
    return {"stage": desk.at.stage if desk.at else ""}


def _number(desk: Desk) -> int:
    return desk.at.stage.number if desk.at else 1


def _to_draw(desk: Desk, words: str) -> Action:
    return Action(words, link(desk.event, "stage_draw", _number(desk)))


def _to_entry(desk: Desk, entry: Entry) -> Action:
    return Action(_("To the entry"), link(desk.event, "entry", entry.pk))
