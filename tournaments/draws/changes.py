"""Change seats: swap two in a draft, replace a published draw by its next version, seat a reserve, add stand-ins.

Games move to the new version as they are: no deal is copied, lost or counted twice. What a change brings (repeated
meetings, broken wishes) is shown before it is made. `tournaments.rounds.seat_changes` decides whether the seats of a
round may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, count
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from clubsite.accounts.audit_log import log
from clubsite.accounts.languages import use_language
from clubsite.accounts.models import Actor
from clubsite.names import name_sort_key, side_name
from scoring.models import Deal, Game, HandicapEntry, Side
from scoring.pasted_names import name_key
from tournaments.draws import by_format, rotation
from tournaments.draws.drafts import (
    WITH_EVENT,
    WITH_SEATS,
    Chair,
    Drawn,
    GroupKey,
    Seated,
    earlier_draws,
    refuse_newer,
    save_draft,
    seats_in,
    walkovers_in,
    write_seats,
)
from tournaments.draws.making import entries_for, format_strategy, met_before
from tournaments.engine.rounds import grouped
from tournaments.engine.verify import WishOutcome
from tournaments.entries.actions import taken_names
from tournaments.errors import StepRefused
from tournaments.events.stages import event_sizes, find_misfit
from tournaments.events.state import (
    event_locked,
    lock_event,
    refuse_finished,
    refuse_published_cut,
    refuse_published_draw,
)
from tournaments.models import (
    Cut,
    Draw,
    Entry,
    Event,
    Group,
    GroupGame,
    Seat,
    Stage,
    group_letter,
    next_number,
)
from tournaments.table_links.links import move_links

# Keys of a statement about changes, taken over by the next version
MARKS = ("by_hand", "seat_taken", "moved", "late_tables")


@dataclass(frozen=True, slots=True)
class Change:
    """The change of seats by which one version follows another, stored so that it can be taken back."""

    kind: str  # "take": a seat is somebody else's; "for": somebody plays for an entry; "swap"; "move"; "cards"; "table"
    names: tuple[str, str] = ("", "")  # who leaves and who comes; the two who change places; the two tables' labels
    tables: tuple[int, ...] = ()  # numbers that are exchanged; that of a table that was added
    groups: tuple[GroupKey, ...] = ()  # where somebody else sits, or which have each other's cards
    deals: int = 0  # deals recorded in those groups before the change
    states: Mapping[str, str] = field(default_factory=dict)  # an entry's id, as text, to its state before the change

    @property
    def moved(self) -> dict[int, int]:
        if self.kind == "table":
            return {}
        return dict(zip(self.tables, reversed(self.tables), strict=True))

    @property
    def handed(self) -> dict[GroupKey, GroupKey]:
        """The groups that exchange their cards: each one to the one that gets them."""
        return dict(zip(self.groups, reversed(self.groups), strict=True)) if self.kind == "cards" else {}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Change:
        return CHANGE.validate_python(data)


CHANGE = TypeAdapter(Change)  # reads it from JSON


def recompute_report(draw: Draw, seated: Seated, **marks: Any) -> dict[str, Any]:
    """The statement of a draw with these seats: counted again, with its old marks of changes and the given ones."""
    old_marks = {name: draw.statement[name] for name in MARKS if name in draw.statement}
    return format_strategy(draw.round.stage.event).recompute_report(draw, seated) | old_marks | marks


def replace_published(
    *,
    draw: Draw,
    seated: Seated,
    statement: Mapping[str, Any],
    by: Actor,
    change: Change | None = None,
    undone: Change | None = None,
) -> Draw:
    """Publish other seats in place of a published draw's, as its next version, which takes over its games.

    Names on cards follow the seats that change. Tables and cards are exchanged as `change` has it, or back again where
    that change is `undone`. An added table has no game yet; one that is gone loses its games, which have no
    deal. Call it in the transaction of the verb that changes seats, with the event locked."""
    how = change or undone or Change("")
    version = Draw.objects.create(
        round=draw.round,
        number=next_number(draw.round.draws),
        seed=draw.seed,
        statement=dict(statement),
        ahead=draw.ahead,
        follows=draw if change else None,
        change=asdict(change) if change else {},
        made_by=by.user,
    )
    groups = write_seats(version, seated, walkovers=walkovers_in(draw))
    before = {(old.table.number, old.number): old for old in draw.groups.prefetch_related("seats__entry")}
    after = {}
    for place, old in before.items():
        new = groups.get((how.moved.get(old.table.number, old.table.number), old.number))
        if new is None:
            Game.objects.filter(group_game__group=old).delete()
            continue
        after[place], new.ended, new.follows = new, old.ended, old
        new.save(update_fields=["ended", "follows"])
        move_links(old, new)
    for place, old in before.items():
        if place not in after:
            continue
        new = after[how.handed.get(place, place)]
        GroupGame.objects.filter(group=old).update(group=new)
        _write_names(old, new)
    draw.state = Draw.State.WITHDRAWN
    draw.save(update_fields=["state"])
    version.state, version.published_at = Draw.State.PUBLISHED, timezone.now()
    version.save(update_fields=["state", "published_at"])
    return version


def _write_names(old: Group, new: Group) -> None:
    """Write the new names of changed seats on a group's cards. A finished card keeps its name where only the player of
    an entry has changed."""
    old_seats = {(seat.side, seat.position): seat for seat in old.seats.all()}
    changed = [s for s in new.seats.select_related("entry") if s.name != old_seats[s.side, s.position].name]
    if not changed:
        return
    for side in Side.objects.filter(game__group_game__group=new).select_related("game"):
        names = list(side.names)
        for seat in changed:
            if seat.side == side.number:
                same = seat.entry_id == old_seats[seat.side, seat.position].entry_id
                if not (same and side.game.state != "open"):
                    names[seat.position] = seat.name
        if names != side.names:
            side.names = names
            side.save(update_fields=["names"])


def successor(draw: Draw) -> Draw | None:
    if draw.state != Draw.State.WITHDRAWN or GroupGame.objects.filter(group__table__draw=draw).exists():
        return None
    return WITH_EVENT.filter(round=draw.round_id, state=Draw.State.PUBLISHED).first()


def changed_seats_message(old: Draw, new: Draw) -> str:
    """Whose seats have become somebody else's from one version to a later one, in a sentence."""
    taken = new.statement.get("seat_taken", [])[len(old.statement.get("seat_taken", [])) :]
    if not taken:
        return _("The seats have changed since you opened this page.")
    seats = "; ".join(
        _("%(new)s instead of %(old)s") % {"new": entering, "old": leaving} for leaving, entering in taken
    )
    return _("The seats have changed since you opened this page: %(seats)s") % {"seats": seats}


def changed_groups(event: Event) -> list[Group]:
    """Groups that wait for their first deal and whose names or table aren't those of when the round was published. Four
    queries, or one where no seats were changed."""
    waiting = Group.objects.filter(
        ~Exists(Deal.objects.filter(game__group_game__group=OuterRef("pk"))),
        table__draw__round__stage__event=event,
        table__draw__state=Draw.State.PUBLISHED,
        table__draw__round__closed=False,
        follows__isnull=False,
        games__game__state=Game.State.OPEN,
    )
    now = list(waiting.distinct().select_related("table__draw").prefetch_related("seats__entry"))
    if not now:
        return []
    every = Group.objects.filter(table__draw__round__in={group.table.draw.round_id for group in now})
    versions = {group.pk: group for group in every.select_related("table").prefetch_related("seats__entry")}
    changed = []
    for group in now:
        first = versions[group.pk]
        while first.follows_id in versions:
            first = versions[first.follows_id]
        if (first.names, first.table.number) != (group.names, group.table.number):
            changed.append(group)
    return changed


def update_card_names(game: Game) -> None:
    """Write today's names on a card that is opened again: while it was closed, somebody may have begun to play for one
    of them."""
    seats = Seat.objects.filter(group__games__game=game).select_related("entry").order_by("side", "position")
    names = grouped((seat.side, seat.name) for seat in seats)
    for side in game.sides.all():
        if side.number in names and side.names != names[side.number]:
            side.names = names[side.number]
            side.save(update_fields=["names"])


Pair = frozenset[int]
# Two who have met before and would meet again, by name; as "partner", "opponent" or "table" (of an earlier stage); how
# often, this round included (0 where that isn't counted)
Repeat = tuple[tuple[str, ...], str, int]


@dataclass(frozen=True, slots=True)
class SwapUnit:
    """A person, or a side that stays together and changes places as one. Without a table they sit out."""

    entries: tuple[int, ...]
    names: str
    table: int | None
    group: str = ""  # its letter, where a table has several groups

    @property
    def key(self) -> int:
        return self.entries[0]


@dataclass(frozen=True, slots=True)
class SwapEffect:
    seated: Seated
    statement: dict[str, Any]
    units: tuple[SwapUnit, SwapUnit]
    again: tuple[Repeat, ...]  # meetings repeated by the exchange and not by the draft
    broken: tuple[WishOutcome, ...]  # wishes that the draft meets and the exchange breaks


def swap_units(draw: Draw) -> list[SwapUnit]:
    return _swap_units(draw.round.stage.event, seats_in(draw))


def preview_swap(*, draw: Draw, entry: int, other: int) -> SwapEffect:
    """What would change if these two changed places. Units are named by one of their entries. Raises StepRefused: they
    can't change places."""
    event, before = draw.round.stage.event, seats_in(draw)
    units = {pk: unit for unit in _swap_units(event, before) for pk in unit.entries}
    if entry not in units or other not in units:
        raise StepRefused(_("Choose two who are in this draw."))
    a, b = units[entry], units[other]
    if a == b:
        raise StepRefused(_("Choose two different people."))
    if a.table is None and b.table is None:
        raise StepRefused(_("Both sit out. Choose somebody who plays."))
    _refuse_swap(event, draw.round.number, units=(a, b))
    swapped = dict(zip((*a.entries, *b.entries), (*b.entries, *a.entries), strict=True))
    of = {chair.entry: chair for chair in before.chairs()}  # a substitute moves with the entry
    now = before.with_chairs(
        lambda chair: of.get(entry := swapped.get(chair.entry, chair.entry), Chair(entry)),
        tuple(swapped.get(entry, entry) for entry in before.sit_outs),
    )
    statement = recompute_report(draw, now, by_hand=[*draw.statement.get("by_hand", ()), [a.names, b.names]])
    return SwapEffect(
        now, statement, (a, b), *new_repeats_and_broken_wishes(draw, before=before, now=now, statement=statement)
    )


def new_repeats_and_broken_wishes(
    draw: Draw, *, before: Seated, now: Seated, statement: Mapping[str, Any]
) -> tuple[tuple[Repeat, ...], tuple[WishOutcome, ...]]:
    """The meetings that only the new seats repeat, and the wishes that only they break by the new statement."""
    already = {outcome.wish for outcome in rotation.stored_outcomes(draw.statement) if outcome.met is False}
    broken = tuple(
        outcome
        for outcome in rotation.stored_outcomes(statement)
        if outcome.met is False and outcome.wish not in already
    )
    return _new_repeats(draw, before=before, now=now), broken


def swap_in_draft(*, draw: Draw, entry: int, other: int, by: Actor) -> Draw:
    """Swap two in a draft: its next version, marked as changed by hand. Raises StepRefused: the draw isn't the newest
    draft, or they can't change places."""
    with event_locked(draw.round.stage.event) as event:
        draw = WITH_EVENT.get(pk=draw.pk)
        refuse_unless_open(draw)
        change = preview_swap(draw=draw, entry=entry, other=other)
        statement = change.statement
        if event.traits.bracket:
            statement |= by_format.exchanged_order(draw, (change.units[0].entries, change.units[1].entries))
        seated = change.seated
        drawn = Drawn(
            draw.round.number, seated.seating, draw.seed, statement, seated.sit_outs, draw.ahead, walkovers_in(draw)
        )
        version = save_draft(stage=draw.round.stage, drawn=drawn, by=by)
        a, b = change.units
        old = {"version": draw.number, a.names: a.table, b.names: b.table}
        new = {"version": version.number, a.names: b.table, b.names: a.table}
        log(club=event.club, by=by, verb="draw.by-hand", subject=event.about(version), old=old, new=new)
    return version


def refuse_unless_open(draw: Draw) -> None:
    """Raises StepRefused unless a draw is the newest draft of its round, and nothing of the round is published."""
    stage = draw.round.stage
    versions = draw.round.draws.exclude(pk=draw.pk)
    published = versions.filter(state=Draw.State.PUBLISHED).exists()
    if draw.state != Draw.State.DRAFT or published or stage.cuts.filter(state=Cut.State.PUBLISHED).exists():
        raise StepRefused(_("Only a draft can be changed by hand. Take the published draw back first."))
    refuse_finished(stage.event)
    refuse_newer(draw, than=draw.number)


def _swap_units(event: Event, seated: Seated) -> list[SwapUnit]:
    chairs = [chair.entry for chair in seated.chairs()]
    entries = Entry.objects.in_bulk([*chairs, *seated.sit_outs])
    where: dict[int, tuple[int | None, str]] = dict.fromkeys(seated.sit_outs, (None, ""))
    for number, table in seated.tables.items():
        for n, group in enumerate(table, start=1):
            letter = group_letter(n) if event.shares_tables else ""
            where.update((chair.entry, (number, letter)) for side in group for chair in side)
    teams = {pk: entries[pk].team if event.fixed_sides else None for pk in where}
    together = grouped((("alone", pk) if team is None else ("team", team), pk) for pk, team in teams.items())
    units = [
        SwapUnit(tuple(members), side_name(entries[pk].name for pk in members), *where[members[0]])
        for members in together.values()
    ]
    return sorted(units, key=lambda unit: name_sort_key(unit.names))


def _refuse_swap(event: Event, number: int, *, units: tuple[SwapUnit, SwapUnit]) -> None:
    """Raises StepRefused where the format itself says who meets whom, or whose side somebody is on."""
    a, b = units
    if len(a.entries) != len(b.entries):
        raise StepRefused(_("These sides aren't of the same size."))
    if event.traits.bracket and number > 1:
        raise StepRefused(_("From round 2 on, the bracket of a knock-out decides who meets."))
    if event.traits.between_clubs:
        clubs = dict(Entry.objects.filter(pk__in=(a.key, b.key)).values_list("pk", "plays_for"))
        if clubs[a.key] != clubs[b.key]:
            raise StepRefused(_("They play for different clubs. Choose two of the same club."))


def _new_repeats(draw: Draw, *, before: Seated, now: Seated) -> tuple[Repeat, ...]:
    repeats: list[tuple[Pair, str, int]] = []
    if not draw.round.stage.event.by_rounds:
        met = {pair for table in met_before(draw.round.stage) for pair in _pairs(table)}
        repeats = [(pair, "table", 0) for pair in (_at_table(now) - _at_table(before)) & met]
    else:
        played = [seats_in(earlier).seats for earlier in earlier_draws(draw).prefetch_related(*WITH_SEATS)]
        for role, meetings in (("partner", _partners), ("opponent", _opponents)):
            times = Counter(pair for round_ in played for pair in meetings(round_.tables))
            new = meetings(now.seats.tables) - meetings(before.seats.tables)
            repeats += [(pair, role, times[pair] + 1) for pair in new if times[pair]]
    name = dict(Entry.objects.filter(pk__in={e for pair, _r, _t in repeats for e in pair}).values_list("pk", "name"))
    return tuple(
        sorted(
            ((tuple(sorted((name[e] for e in pair), key=name_sort_key)), role, times) for pair, role, times in repeats),
            key=lambda again: (again[1] != "partner", -again[2], again[0]),
        )
    )


def _pairs(people: Sequence[int]) -> set[Pair]:
    return {frozenset(pair) for pair in combinations(people, 2)}


def _partners(tables: Sequence[Sequence[Sequence[int]]]) -> set[Pair]:
    return {pair for table in tables for side in table for pair in _pairs(side)}


def _opponents(tables: Sequence[Sequence[Sequence[int]]]) -> set[Pair]:
    return {frozenset((a, b)) for table in tables for x, y in combinations(table, 2) for a in x for b in y}


def _at_table(seated: Seated) -> set[Pair]:
    return {pair for table in seated.seating for pair in _pairs([e for group in table for side in group for e in side])}


def seat_of(entry: Entry, stage: Stage | None = None) -> Seat | None:
    seats = Seat.objects.filter(entry=entry, draw__state=Draw.State.PUBLISHED)
    if stage is not None:
        seats = seats.filter(draw__round__stage=stage)
    return seats.select_related("group__table", "draw__round__stage").order_by("-draw__round__stage__number").first()


def table_has_begun(group: Group) -> bool:
    return Deal.objects.filter(game__group_game__group=group).exists()


def take_seat(*, leaving: Entry, entering: Entry, stage: Stage, by: Actor, begun: bool = False) -> Draw:
    """Give a seat to somebody else, as long as no deal of its group is recorded. All other seats and games stay. With
    `begun` the seat is given with what is recorded at it, which then counts for the newcomer.

    The published draw becomes a version taken back, and its games go over to the new version.

    Raises StepRefused: no such seat, the group has begun, or the stage's cut is published; with `begun`, a game there
    has moved a handicap."""
    with event_locked(stage.event) as event:
        seat = seat_of(leaving, stage)
        if seat is None:
            if done := seat_of(entering, stage):
                return done.draw
            raise StepRefused(_("%(name)s has no seat in %(stage)s.") % {"name": leaving, "stage": stage})
        if seat_of(entering, stage):
            raise StepRefused(_("%(name)s already has a seat in %(stage)s.") % {"name": entering, "stage": stage})
        if begun and HandicapEntry.objects.filter(game__group_game__group=seat.group, current=True).exists():
            raise StepRefused(
                _("A game at table %(table)s has changed a handicap, so its seats can't change.")
                % {"table": seat.group}
            )
        if table_has_begun(seat.group) and not begun:
            raise StepRefused(
                _(
                    "The games at table %(table)s have begun, so nobody can take the seat. End the set early instead, "
                    "with a reason."
                )
                % {"table": seat.group}
            )
        refuse_published_cut(stage)
        draw = WITH_EVENT.get(pk=seat.draw_id)
        now = seats_in(draw).with_chairs(lambda chair: Chair(entering.pk) if chair.entry == leaving.pk else chair)
        taken = [*draw.statement.get("seat_taken", []), [leaving.name, entering.name]]
        statement = recompute_report(draw, now, seat_taken=taken)
        version = replace_published(draw=draw, seated=now, statement=statement, by=by)
        old, new = {"name": leaving.name, "draw": draw.number}, {"name": entering.name, "draw": version.number}
        subject = event.about(f"{stage} · {seat.group}")
        log(club=event.club, by=by, verb="seat.take", subject=subject, old=old, new=new)
    return version


def seat_reserve(*, leaving: Entry, entering: Entry, by: Actor) -> Draw:
    """Give a reserve of the event the seat of somebody who has withdrawn from the first stage. Raises StepRefused: as
    for `take_seat`; or the one still plays, or the other isn't a reserve."""
    with event_locked(leaving.event) as event:
        leaving, entering = event.entries.get(pk=leaving.pk), event.entries.get(pk=entering.pk)
        first = event.stages.get(number=1)
        if leaving.state != Entry.State.WITHDRAWN:
            raise StepRefused(_("%(name)s still plays. Withdraw them first.") % {"name": leaving})
        if entering.state == Entry.State.WITHDRAWN:
            raise StepRefused(_("%(name)s has withdrawn.") % {"name": entering})
        version = take_seat(leaving=leaving, entering=entering, stage=first, by=by)
        if entering.state != Entry.State.HERE:
            entering.state = Entry.State.HERE
            entering.save()
    return version


def latest_group(entry: Entry) -> str:
    """The last stage in which the entry has a seat, and its group there: "Semi-final · 2A"; "" where it has none."""
    seat = seat_of(entry)
    return f"{seat.draw.round.stage} · {seat.group}" if seat else ""


def stand_ins_for(stage: Stage) -> int | None:
    """How many stand-ins make the groups of a stage full; None when no number does, or nobody is in the stage. Raises
    StepRefused: the cut before isn't published."""
    playing = sum(entry.stands_in_id is None for entry in entries_for(stage))
    misfit = find_misfit(event_sizes(stage.event), playing) if playing else None
    return None if not playing or (misfit and misfit.add is None) else misfit.add if misfit else 0


def fill_with_stand_ins(*, stage: Stage, by: Actor) -> list[Entry]:
    """Give a stage as few stand-ins as make its groups full; any that it has beyond that are withdrawn.

    A stand-in plays like anybody, can't go on, and stands after all others in the standings.

    Raises StepRefused: the stage is drawn, or no number of stand-ins makes it fit."""
    with transaction.atomic(), use_language(stage.event.club):  # their names are kept, in the club's language
        event = lock_event(stage.event)
        stage = event.stages.get(pk=stage.pk)
        refuse_published_draw(stage)
        stage.event = event
        needed = stand_ins_for(stage)
        if needed is None:
            raise StepRefused(_("No number of stand-ins makes the groups full. Change the number of entries."))
        stand_ins = list(event.entries.filter(stands_in=stage))
        old = {"names": [entry.name for entry in stand_ins if entry.state == Entry.State.HERE]}
        numbers, taken = count(next_number(event.entries)), taken_names(event)
        free = (name for n in count(1) if name_key(name := _("Stand-in %(n)d") % {"n": n}) not in taken)
        while len(stand_ins) < needed:
            entry = Entry(event=event, number=next(numbers), name=next(free), eligible=False, note=_("stand-in"))
            entry.stands_in = stage
            stand_ins.append(entry)
        for position, entry in enumerate(stand_ins):
            state = Entry.State.HERE if position < needed else Entry.State.WITHDRAWN
            if entry.pk is None or entry.state != state:
                entry.state = state
                entry.save()
        new = {"names": [entry.name for entry in stand_ins[:needed]]}
        if new != old:
            log(club=event.club, by=by, verb="stand-ins.fill", subject=event.about(stage), old=old, new=new)
    return stand_ins[:needed]
