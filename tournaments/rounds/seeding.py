"""The seeds of a knock-out: by hand, by points, or by a season's table, an event's result or a cut.

An event keeps what its people are seeded by, the lowest number first (`Event.seeding`); a draw of the first round makes
the order of its bracket from that, and keeps it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.names import SEPARATOR, english_name, name_sort_key
from scoring.engine.core.ruleset import Shape
from scoring.pasted_names import name_key
from tournaments.draws.by_format import seed_of
from tournaments.entries.partners import sides_and_singles
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.stages import fits
from tournaments.events.state import (
    event_locked,
    following_bracket,
    is_drawn,
    lock_open_event,
    refuse_finished,
    refuse_next_stages,
)
from tournaments.models import Cut, CutLine, Entry, Event, PublishedStandings, Season, Stage, rows_by_person
from tournaments.rounds.attendance import arrive, leave, return_to_event
from tournaments.seasons.table import season_tables

NEWEST = 20  # results and cuts that are offered

Placed = tuple[int | None, str, int]  # a member's key, or None; the name; the place


def sides_here(event: Event) -> list[list[Entry]]:
    sides, alone = sides_and_singles(event)
    if not event.makes_sides:
        sides = [[entry] for entry in alone]
    return sorted(
        sides, key=lambda side: (seed_of(event, tuple(entry.pk for entry in side)), name_sort_key(side[0].name))
    )


def sources_for(event: Event) -> list[tuple[str, str]]:
    club = event.club
    seasons = [(f"season:{season.pk}", season.name) for season in Season.objects.filter(club=club)[:NEWEST]]
    finished = club.events.filter(state=Event.State.FINISHED, called_off="").exclude(pk=event.pk)[:NEWEST]
    cuts = _cuts(club).exclude(stage__event=event).order_by("-published_at")[:NEWEST]
    return [
        *seasons,
        *((f"event:{e.pk}", _("Result of %(name)s") % {"name": e.name}) for e in finished),
        *((f"cut:{cut.pk}", _("Cut of %(name)s") % {"name": _cut_name(cut)}) for cut in cuts),
    ]


def seed_by_numbers(*, event: Event, numbers: Mapping[int, int], points: bool, by: Actor) -> None:
    """Seed entries by numbers given by hand: seeds, 1 for the best, or `points`, of which many are good. Raises
    StepRefused: the knock-out has begun."""
    sign = -1 if points else 1
    stored = {str(entry): sign * number for entry, number in numbers.items()}
    seed_event(event, {"by": "points" if points else "hand", "numbers": stored} if stored else {}, by=by)


def seed_from(*, event: Event, source: str, by: Actor, enter: bool = False) -> int:
    """Seed the entries by one of `sources_for` an event, each by their place there. With `enter` those who go on from a
    cut are marked as here first. Returns how many are seeded. Raises StepRefused: the source no longer exists,
    nobody of it is here, or the knock-out has begun."""
    with transaction.atomic():
        event = _lock_unstarted(event)
        seeding, placed = _read_source(event.club, source)
        if enter and seeding["by"] == "cut":
            entered = {name_key(entry.name): entry for entry in event.entries.all()}
            for member, name, _place in placed:
                if entry := entered.get(name_key(name)):
                    return_to_event(entry=entry, by=by)
                else:
                    arrive(event=event, by=by, member=Member.objects.get(pk=member) if member else None, name=name)
        members = Member.every.filter(pk__in=[member for member, _name, _place in placed if member])
        merged = dict(members.exclude(merged_into=None).values_list("pk", "merged_into"))
        by_member = {merged.get(member, member): place for member, _name, place in placed if member}
        by_name = {name_key(name): place for member, name, place in placed if not member}
        numbers = {}
        for entry in event.entries.all():
            place = by_member.get(entry.member_id or 0) or by_name.get(name_key(entry.name))
            if place is not None:
                numbers[str(entry.pk)] = place
        if not numbers:
            raise StepRefused(_("Nobody in this event is in that table. Mark who is here first, or choose another."))
        seed_event(event, {**seeding, "numbers": numbers}, by=by)
    return len(numbers)


def bracket_shape(event: Event) -> Shape | None:
    """The sides of a knock-out of a competition's game: the competition's own, if two such sides play it; else the
    smallest that two sides can have. None where two sides can't play it."""
    fitting = [shape for shape in event.rules.rule_set.shapes if fits(Event.Format.KNOCK_OUT, shape)]
    return event.shape if event.shape in fitting else min(fitting, key=lambda shape: shape.players, default=None)


def lead_into_bracket(*, cut: Cut, by: Actor, again: bool = False) -> Event:
    """The knock-out of those who go on from a published cut, seeded by its order: it is made, unless there is one. With
    `again` one that hasn't begun gets those who go on by the cut as it is now. Raises StepRefused: the cut isn't
    published, the next stage is drawn, two sides can't play the game; or `again` for a knock-out that has begun."""
    with event_locked(cut.stage.event) as contest:
        published = _cuts(contest.club).filter(pk=cut.pk).first()
        if published is None:
            raise StepRefused(_("The cut has changed since you opened this page. Check it again."))
        bracket, stage = following_bracket(contest), published.stage
        if bracket and not (again and bracket.from_stage == stage):
            return bracket
        if bracket is None:
            refuse_finished(contest)
            refuse_next_stages(stage)
            shape = bracket_shape(contest)
            if shape is None:
                raise StepRefused(_("%(game)s isn't played by two sides.") % {"game": contest.rules})
            bracket = make_bracket(stage, by=by, shape=shape)
        _lock_unstarted(bracket)
        through = _qualifiers(published)
        lines = CutLine.objects.filter(cut=published).select_related("entry")
        out = [line.entry for line in lines if line.entry not in through]
        gone = {entry.member_id for entry in out if entry.member_id} | {name_key(entry.name) for entry in out}
        for entry in bracket.entries.filter(state=Entry.State.HERE):
            if entry.member_id in gone or name_key(entry.name) in gone:
                leave(entry=entry, by=by)
        seed_from(event=bracket, source=f"cut:{published.pk}", by=by, enter=True)
    return bracket


def make_bracket(stage: Stage, *, by: Actor, shape: Shape) -> Event:
    """The knock-out, still empty, that a stage leads into."""
    before = stage.event
    facts = EventFacts(
        name=_("%(event)s: knock-out") % {"event": before.name[:60]},
        game=GameChoice(before.rules.slug, before.rules.rule_set, before.rules),
        shape=shape,
        starts_at=max(before.starts_at, timezone.now().replace(second=0, microsecond=0)),
        place=before.place,
    )
    bracket = create_event(club=before.club, by=by, format=Event.Format.KNOCK_OUT, facts=facts)
    bracket.from_stage = stage
    bracket.save(update_fields=["from_stage"])
    return bracket


def seed_event(event: Event, seeding: dict[str, Any], *, by: Actor) -> None:
    with transaction.atomic():
        event = _lock_unstarted(event)
        if event.seeding == seeding:
            return
        old, event.seeding = event.seeding, seeding
        event.save(update_fields=["seeding"])
        log(club=event.club, by=by, verb="event.seeds", subject=event, old={"seeding": old}, new={"seeding": seeding})


def _lock_unstarted(event: Event) -> Event:
    event = lock_open_event(event)
    if not event.has_bracket:
        raise StepRefused(_("Only a knock-out has seeds."))
    if is_drawn(event):
        raise StepRefused(_("The knock-out has begun, so its seeds can't be changed."))
    return event


def _cuts(club: Club) -> Any:
    published = Cut.objects.filter(stage__event__club=club, state=Cut.State.PUBLISHED)
    return published.select_related("stage__event")


def _qualifiers(cut: Cut) -> list[Entry]:
    lines = CutLine.objects.filter(cut=cut, advances=True, entry__member__erased_at=None)
    return [line.entry for line in lines.exclude(entry__state=Entry.State.WITHDRAWN).select_related("entry")]


def _cut_name(cut: Cut) -> str:
    return SEPARATOR.join([cut.stage.event.name, english_name(cut.stage.name)])


def _read_source(club: Club, source: str) -> tuple[dict[str, Any], list[Placed]]:
    """What a source is, and everybody's place in it. Raises StepRefused where it isn't there."""
    by, _colon, number = source.partition(":")
    gone = StepRefused(_("Choose one of the club's tables, results or cuts."))
    if not number.isdecimal():
        raise gone
    if by == "season" and (season := Season.objects.filter(club=club, pk=int(number)).first()):
        return {"by": by, "name": season.name}, list(_season_order(season))
    if by == "event":
        rows = PublishedStandings.objects.filter(event__club=club, event__state=Event.State.FINISHED, final=True)
        result = rows.filter(event=int(number)).select_related("event").order_by("-number").first()
        if result:
            people = rows_by_person(result.rows)
            return {"by": by, "name": result.event.name}, [(p["member"], p["name"], p["place"]) for p in people]
    if by == "cut" and (cut := _cuts(club).filter(pk=int(number)).first()):
        return {"by": by, "name": _cut_name(cut)}, [
            (entry.member_id, entry.name, place) for place, entry in enumerate(_qualifiers(cut), start=1)
        ]
    raise gone


def _season_order(season: Season) -> Iterator[Placed]:
    """Everybody with a place in a season; a lower division comes after the ones above it."""
    before = 0
    for part in season_tables([season])[0].parts:
        for line in part.lines:
            yield line.member, line.name, before + (line.place or 0)
        before += len(part.lines)
