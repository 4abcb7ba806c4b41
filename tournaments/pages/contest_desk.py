"""What the desk of a competition shows: its next step, groups, vacant places, results that no longer match a cut."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _, ngettext

from tournaments.cuts import cuts
from tournaments.draws.making import entries_for, why_stale
from tournaments.draws.round_views import GroupView, RoundView, round_view
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.stages import groups_warning, misfit_message
from tournaments.events.state import following_bracket, result_stage
from tournaments.models import Cut, Draw, Entry, Event, Group, Seat, Stage
from tournaments.pages.next_steps import Action, NextStep, Urgency, link
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
        """planned, drafted, drawn or cut"""
        if self.cut:
            return "cut"
        return "drawn" if self.draw else "drafted" if self.draft else "planned"


def _stage_views(event: Event) -> list[StageView]:
    prefetch_related_objects([event], "stages")  # for whatever reads them later
    final = result_stage(event)
    stages = [stage for stage in event.stages.all() if final is None or stage.number <= final.number]
    all_draws = Draw.objects.filter(round__stage__event=event).select_related("round").order_by("number")
    draws = grouped((draw.round.stage_id, draw) for draw in all_draws)
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


class ContestDesk:
    """Everything on the desk of a competition as it is now.

    `next` is a code (names, fit, draw, stale, draft, playing, cut, bracket, result, corrected, finished), `at` the
    stage that it is about, and `words` why it can't be drawn or published, for "fit" and "stale". `playing` is the
    latest stage with a published draw. `vacant`: withdrawn entries whose place can still be given away; `unseated`:
    entries that go on to a drawn stage without a seat in it; `barred`: those that go on by the newest cut, but may no
    longer play.
    """

    def __init__(self, event: Event, round: RoundView | None = None) -> None:
        """`round`: the one in play, if it has been read already."""
        self.event, self.stages = event, _stage_views(event)
        entries = list(event.entries.values_list("state", "stands_in"))
        states = [state for state, stands_in in entries if stands_in is None]
        self.here, self.reserves = states.count(Entry.State.HERE), states.count(Entry.State.RESERVE)
        self.withdrawn = states.count(Entry.State.WITHDRAWN)
        self.playing = next((part for part in reversed(self.stages) if part.draw), None)
        self.groups: tuple[GroupView, ...] = ()
        if self.playing and (draw := self.playing.draw):
            self.groups = (round if round and round.draw == draw else round_view(draw)).groups
        self.next, self.at, self.words = self._next()
        self.differences = [(part, d) for part in self.stages if part.cut and (d := cuts.difference(part.cut))]
        newest = next((part.cut for part in reversed(self.stages) if part.cut), None)
        through = {line.entry_id for line in newest.lines.all() if line.advances} if newest else set()
        self.vacant: list[Entry] = []
        self.unseated: list[tuple[StageView, Entry]] = []
        self.barred: list[Entry] = []
        if event.state == Event.State.FINISHED:
            return
        if any(state == Entry.State.WITHDRAWN for state, _stands_in in entries):
            self.vacant = self._vacant(through)
        seats = Seat.objects.filter(draw__in=[part.draw for part in self.stages if part.draw])
        seated = set(seats.order_by().values_list("draw_id", "entry_id"))
        for part in self.stages:
            entries_of_stage = _entries_to_draw(part.stage) if part.draw else []
            self.unseated += [(part, e) for e in entries_of_stage if part.draw and (part.draw.pk, e.pk) not in seated]
        barred = event.entries.filter(pk__in=through, eligible=False).exclude(state=Entry.State.WITHDRAWN)
        self.barred = list(barred.order_by("number"))

    def in_state(self, state: str) -> list[GroupView]:
        return [group for group in self.groups if group.state == state]

    @property
    def by_state(self) -> list[tuple[str, list[GroupView]]]:
        return [(state, groups) for state in ("playing", "waiting", "over") if (groups := self.in_state(state))]

    def tasks(self) -> list[NextStep]:
        return [*contest_alerts(self), contest_step(self)]

    def _next(self) -> tuple[str, StageView | None, str]:
        playing, stages = self.playing, self.stages
        if self.event.state == Event.State.FINISHED:
            same = unchanged_result(self.event, standings_of(stages[-1].stage))
            return ("finished" if same else "corrected"), stages[-1], ""
        if playing and not playing.cut:
            if any(group.current for group in self.groups):
                return "playing", playing, ""
            return ("result" if playing.last else "cut"), playing, ""
        number = stages.index(playing) + 1 if playing else 0
        if number == len(stages):
            return "bracket", playing, ""
        at = stages[number]
        if playing is None and not self.here:
            return "names", at, ""
        if at.draft:
            stale = why_stale(at.draft)
            return ("stale" if stale else "draft"), at, stale
        words = misfit_message(self.event, len(_entries_to_draw(at.stage)))
        return ("fit" if words else "draw"), at, words

    def _vacant(self, through: set[int]) -> list[Entry]:
        """Withdrawn entries whose place a reserve or the next in line could still take."""
        gone, playing = self.event.entries.filter(state=Entry.State.WITHDRAWN), self.playing
        if playing and playing.cut:
            return [entry for entry in gone if entry.pk in through]
        if playing is None:
            return []
        groups = Group.objects.filter(table__draw=playing.draw).exclude(games__game__deals__isnull=False)
        unbegun = set(groups.values_list("seats__entry_id", flat=True))
        first = playing.stage.number == 1
        reserves = first and self.event.entries.filter(state=Entry.State.RESERVE).exists()
        return [entry for entry in gone if entry.pk in unbegun and (reserves or entry.pk in through)]


def _entries_to_draw(stage: Stage) -> list[Entry]:
    try:
        return entries_for(stage)
    except StepRefused:
        return []


def contest_alerts(desk: ContestDesk) -> Iterator[NextStep]:
    """What a competition's director has to look at besides the next step."""
    event = desk.event
    to_entry = {
        entry: Action(_("To the entry"), link(event, "entry", entry.pk))
        for entry in (*(entry for _part, entry in desk.unseated), *desk.barred)
    }
    for part, entry in desk.unseated:
        title = _("%(name)s plays on but has no seat in the draw: %(stage)s") % {"name": entry, "stage": part.stage}
        words = _("Take the draw back and make it again, or withdraw them.")
        to_draw = Action(_("To the draw"), link(event, "stage_draw", part.stage.number))
        yield NextStep(Urgency.NOW, title, words, (to_draw, to_entry[entry]))
    for entry in desk.barred:
        title = _("%(name)s is in the published cut, but may no longer play") % {"name": entry}
        why = _("Why: “%(note)s”.") % {"note": entry.note}
        words = _("Withdraw them to offer the place to the next in line, or let them go on.")
        yield NextStep(Urgency.NOW, title, f"{why} {words}", (to_entry[entry],))
    for part, difference in desk.differences:
        if part.cut:
            title = _("Points have changed since the cut of %(stage)s was published") % {"stage": part.stage}
            action = Action(_("Check the cut"), link(event, "cut_step", part.cut.pk))
            yield NextStep(Urgency.NOW, title, " ".join(difference.sentences), (action,))
    for entry in desk.vacant:
        gone = _("%(name)s is disqualified") if entry.disqualified else _("%(name)s has withdrawn")
        action = Action(_("See who is next in line for the place"), link(event, "entry", entry.pk))
        words = _("The director can give the place to the next in line.")
        yield NextStep(Urgency.SOON, gone % {"name": entry}, words, (action,))
    before = desk.playing if desk.playing and desk.playing in desk.stages[-2:-1] and not desk.playing.cut else None
    if before and (words := groups_warning(desk.stages[-1].stage, before.stage.advance)):  # its groups wouldn't meet
        action = Action(_("Change the stages"), link(event, "event_change", anchor="stages"))
        yield NextStep(Urgency.KNOW, _("How the final is played"), words, (action,))


def contest_step(desk: ContestDesk) -> NextStep:
    event, number = desk.event, desk.at.stage.number if desk.at else 1
    stage = {"stage": desk.at.stage if desk.at else ""}
    draw, to_draw = link(event, "stage_draw", number), _("To the draw")
    result = Action(_("Check the result"), link(event, "result"))
    actions: tuple[Action, ...] = ()
    match desk.next:
        case "names":
            title, places = _("Enter the names"), event.places or 0
            words = ngettext(
                "The competition has %(n)d place. Choose a file with the names, paste them, or write them one by one.",
                "The competition has %(n)d places. Choose a file with the names, paste them, or write them one by one.",
                places,
            ) % {"n": places}
            actions = (
                Action(_("Enter a list of names"), link(event, "entries_import")),
                Action(_("One by one"), link(event, "entries")),
            )
        case "fit":
            title, words = _("%(stage)s can't be drawn yet") % stage, desk.words
            actions = (Action(_("To the entries"), link(event, "entries")),)
        case "draw":
            title, actions = _("Draw the tables: %(stage)s") % stage, (Action(to_draw, draw),)
            words = _("The cut is published. The people who go on get new tables, away from people they have met.")
            if number == 1:
                many = ngettext("%(n)d name is on the list.", "%(n)d names are on the list.", desk.here)
                words = f"{many % {'n': desk.here}} {_('You see the draw before anyone else.')}"
                actions += (Action(_("Check the entries"), link(event, "entries")),)
        case "stale":
            title, words = _("Make the draw again: %(stage)s") % stage, desk.words
            actions = (Action(to_draw, draw),)
        case "draft":
            title = _("Check the draw, then publish it: %(stage)s") % stage
            words, actions = _("Nobody sees it until then."), (Action(_("Check the draw"), draw),)
        case "playing":
            title, counts = _("%(stage)s is being played") % stage, {"over": len(desk.in_state("over"))}
            counts["all"] = len(desk.groups)
            over = ngettext(
                "%(over)d of %(all)d set is finished.", "%(over)d of %(all)d sets are finished.", counts["all"]
            )
            words = f"{over % counts} {_('Enter the cards as they come in.')}"
            first = desk.by_state[0][0] if desk.groups else ""  # the groups that come first on the page
            actions = (
                Action(_("To the cards"), f"{event.get_desk_url()}#{first}", director=False),
                Action(_("Print cards and seats"), link(event, "print"), director=False),
            )
        case "cut":
            title = _("All sets are finished. See who goes on: %(stage)s") % stage
            words = _("Before you publish the cut, you see the reason for every name.")
            actions = (Action(_("To the cut"), link(event, "cut", number)),)
        case "bracket":
            bracket = following_bracket(event)
            title = _("Those who go on play %(bracket)s") % {"bracket": bracket}
            words = _("The result of this competition is the order of %(stage)s; the knock-out has its own.") % stage
            actions = (Action(_("To the knock-out"), (bracket or event).get_desk_url(), director=False), result)
        case "result":
            title, words = _("The final is played. Publish the result"), _("The order of the final is the result.")
            actions = (result,)
        case "corrected":
            title = _("A deal has changed since the result was published")
            words = _("The published result is official until you publish the next version.")
            actions = (Action(_("See what changes"), link(event, "result")),)
        case _finished:
            title, words = _("The competition is over"), _("Its result is published.")
            actions = (
                Action(_("Print the result"), link(event, "print", anchor="results"), director=False),
                result,
            )
    return NextStep(Urgency.NEXT, title, words, actions)
