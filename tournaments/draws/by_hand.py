"""A draft draw changed by hand: two change places, or one of them sits out instead of the other.

Seats never change: each exchange is another version of the draw, marked as changed by hand wherever it is shown. What
it brings (meetings repeated, wishes broken) is told before it is made; the director decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from clubsite.names import in_order
from tournaments.draws import brackets, rotation
from tournaments.draws.formats.contest import met_before
from tournaments.draws.keeping import (
    WITH_EVENT,
    WITH_SEATS,
    Chair,
    Drawn,
    Seated,
    draws_before,
    keep,
    seated_in,
    walkovers_in,
)
from tournaments.draws.succession import restated
from tournaments.engine.grouping import grouped
from tournaments.engine.verify import Fate
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import Cut, Draw, Entry, Event
from tournaments.models.events import group_letter

Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class Unit:
    """A person, or a side that stays together and changes places as one. Without a table they sit out."""

    entries: tuple[int, ...]
    names: str
    table: int | None
    group: str = ""  # its letter, where a table has several groups

    @property
    def key(self) -> int:
        """The id of the entry by which forms name it."""
        return self.entries[0]


@dataclass(frozen=True, slots=True)
class Again:
    """Two who have met before and would meet again, as "partner", "opponent" or "table" (of an earlier stage)."""

    names: tuple[str, ...]
    role: str
    times: int  # how often, this round included; 0 where that isn't counted


@dataclass(frozen=True, slots=True)
class ExchangeEffect:
    """What an exchange would make of a draft."""

    seated: Seated
    statement: dict[str, Any]
    units: tuple[Unit, Unit]
    again: tuple[Again, ...]  # meetings repeated by the exchange and not by the draft
    broken: tuple[Fate, ...]  # wishes that the draft meets and the exchange breaks


def units_of(draw: Draw) -> list[Unit]:
    """Who can change places in a draw, by name. Five queries at most."""
    return _units(draw.round.stage.event, seated_in(draw))


def looked_at(*, draw: Draw, one: int, other: int) -> ExchangeEffect:
    """What would change if these two changed places. Units are named by one of their entries.

    Raises:
        StepRefused: they can't change places.
    """
    event, before = draw.round.stage.event, seated_in(draw)
    units = {pk: unit for unit in _units(event, before) for pk in unit.entries}
    if one not in units or other not in units:
        raise StepRefused(_("Choose two who are in this draw."))
    a, b = units[one], units[other]
    if a == b:
        raise StepRefused(_("Choose two who aren't the same."))
    if a.table is None and b.table is None:
        raise StepRefused(_("Both sit out. Choose somebody who plays."))
    _refuse_format(event, draw.round.number, units=(a, b))
    swapped = dict(zip((*a.entries, *b.entries), (*b.entries, *a.entries), strict=True))
    of = {chair.entry: chair for chair in before.chairs()}  # whoever plays for an entry moves with it
    now = before.with_chairs(
        lambda chair: of.get(entry := swapped.get(chair.entry, chair.entry), Chair(entry)),
        tuple(swapped.get(entry, entry) for entry in before.sit_outs),
    )
    statement = restated(draw, now, by_hand=[*draw.statement.get("by_hand", ()), [a.names, b.names]])
    return ExchangeEffect(now, statement, (a, b), *brought(draw, before=before, now=now, statement=statement))


def brought(
    draw: Draw, *, before: Seated, now: Seated, statement: Mapping[str, Any]
) -> tuple[tuple[Again, ...], tuple[Fate, ...]]:
    """What other seats in a draw bring: meetings that it didn't repeat before, and wishes that it didn't break before,
    by its new statement."""
    was = {fate.wish for fate in rotation.fates_of(draw.statement) if fate.met is False}
    broken = tuple(fate for fate in rotation.fates_of(statement) if fate.met is False and fate.wish not in was)
    return _again(draw, before=before, now=now), broken


def exchange(*, draw: Draw, one: int, other: int, by: Actor) -> Draw:
    """Let two change places in a draft: its next version, marked as changed by hand.

    Raises:
        StepRefused: the draw isn't a draft, or there is a newer one; or they can't change places.
    """
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
        draw = WITH_EVENT.get(pk=draw.pk)
        refuse_unless_open(draw)
        change = looked_at(draw=draw, one=one, other=other)
        statement = change.statement
        if event.traits.bracket:
            statement |= brackets.exchanged(draw, (change.units[0].entries, change.units[1].entries))
        seated = change.seated
        drawn = Drawn(
            draw.round.number, seated.seating, draw.seed, statement, seated.sit_outs, draw.ahead, walkovers_in(draw)
        )
        made = keep(stage=draw.round.stage, drawn=drawn, by=by)
        a, b = change.units
        old = {"version": draw.number, a.names: a.table, b.names: b.table}
        new = {"version": made.number, a.names: b.table, b.names: a.table}
        log(club=event.club, by=by, verb="draw.by-hand", subject=event.about(made), old=old, new=new)
    return made


def refuse_unless_open(draw: Draw) -> None:
    """Raises StepRefused unless a draw is the newest draft of its round, and nothing of the round is published."""
    stage = draw.round.stage
    others = draw.round.draws.exclude(pk=draw.pk)
    published = others.filter(state=Draw.State.PUBLISHED).exists()
    if draw.state != Draw.State.DRAFT or published or stage.cuts.filter(state=Cut.State.PUBLISHED).exists():
        raise StepRefused(_("Only a draft can be changed by hand. Take the published draw back first."))
    refuse_finished(stage.event)
    refuse_newer(draw, than=draw.number)


def refuse_newer(draw: Draw, *, than: int) -> None:
    """Raises StepRefused where the draw's round has a version after this number."""
    if draw.round.draws.filter(number__gt=than).exists():
        raise StepRefused(_("There is a newer version of this draw. Look at that one."))


def _units(event: Event, seated: Seated) -> list[Unit]:
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
        Unit(tuple(members), " & ".join(entries[pk].name for pk in members), *where[members[0]])
        for members in together.values()
    ]
    return sorted(units, key=lambda unit: in_order(unit.names))


def _refuse_format(event: Event, number: int, *, units: tuple[Unit, Unit]) -> None:
    """Raises StepRefused where the format itself says who meets whom, or whose side somebody is on."""
    a, b = units
    if len(a.entries) != len(b.entries):
        raise StepRefused(_("These sides aren't of the same size."))
    if event.traits.bracket and number > 1:
        raise StepRefused(_("From round 2 on the bracket of a knock-out says who meets whom."))
    if event.traits.between_clubs:
        clubs = dict(Entry.objects.filter(pk__in=(a.key, b.key)).values_list("pk", "plays_for"))
        if clubs[a.key] != clubs[b.key]:
            raise StepRefused(_("They play for different clubs. Choose two of the same club."))


def _again(draw: Draw, *, before: Seated, now: Seated) -> tuple[Again, ...]:
    """Earlier meetings that are repeated by the new seats and weren't by the old ones."""
    found: list[tuple[Pair, str, int]] = []
    if not draw.round.stage.event.by_rounds:
        met = {pair for table in met_before(draw.round.stage) for pair in _pairs(table)}
        found = [(pair, "table", 0) for pair in (_at_table(now) - _at_table(before)) & met]
    else:
        played = [seated_in(one).seats for one in draws_before(draw).prefetch_related(*WITH_SEATS)]
        for role, meetings in (("partner", _partners), ("opponent", _opponents)):
            times = Counter(pair for one in played for pair in meetings(one.tables))
            new = meetings(now.seats.tables) - meetings(before.seats.tables)
            found += [(pair, role, times[pair] + 1) for pair in new if times[pair]]
    name = dict(Entry.objects.filter(pk__in={e for pair, _r, _t in found for e in pair}).values_list("pk", "name"))
    return tuple(
        sorted(
            (Again(tuple(sorted((name[e] for e in pair), key=in_order)), role, times) for pair, role, times in found),
            key=lambda one: (one.role != "partner", -one.times, one.names),
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
