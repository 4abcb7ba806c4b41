"""Save a draw as a draft, and read the draws of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from scoring.models import Deal
from tournaments.engine.rounds import SeatedRound, grouped
from tournaments.errors import StepRefused
from tournaments.events.state import published_draws
from tournaments.models import Draw, Event, Group, GroupGame, Round, Seat, SitOut, Stage, Table, next_number

WITH_EVENT = Draw.objects.select_related("round__stage__event__club", "round__stage__event__rules")
WITH_SEATS = ("tables__groups__seats", "sit_outs")  # to be prefetched, where it is read who sat where

GroupKey = tuple[int, int]  # numbers of the table and of the group at it
# tables -> groups -> sides -> entry ids, in order of seats
Seating = Sequence[Sequence[Sequence[Sequence[int]]]]


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat: the entry that has it, and the name of who plays for it ("" where it plays itself)."""

    entry: int
    player: str = ""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits where in a draw: by number of the table its groups, their sides, and the chairs of each side in order of
    seats; and the entries that sit out."""

    tables: Mapping[int, list[list[list[Chair]]]]
    sit_outs: tuple[int, ...] = ()

    def chairs(self) -> Iterator[Chair]:
        return (c for number in sorted(self.tables) for group in self.tables[number] for side in group for c in side)

    def with_chairs(self, other: Callable[[Chair], Chair], sit_outs: tuple[int, ...] | None = None) -> Seated:
        """The same seats with `other(chair)` in place of each chair, and with these sit-outs if any are given."""
        tables = {
            number: [[[other(chair) for chair in side] for side in group] for group in groups]
            for number, groups in self.tables.items()
        }
        return Seated(tables, self.sit_outs if sit_outs is None else tuple(sorted(sit_outs)))

    def with_numbers(self, moved: Mapping[int, int]) -> Seated:
        return Seated({moved.get(number, number): groups for number, groups in self.tables.items()}, self.sit_outs)

    @property
    def seating(self) -> Seating:
        """Ids of entries by table, group and side, from table 1 on; a number without a table is left empty."""
        return [
            [[[chair.entry for chair in side] for side in group] for group in self.tables.get(number, ())]
            for number in range(1, 1 + max(self.tables, default=0))
        ]

    @property
    def seats(self) -> SeatedRound:
        """The seats in the engine's shape, in which each group is a table of its own and no table is empty."""
        groups = (group for number in sorted(self.tables) for group in self.tables[number])
        return SeatedRound(tuple(tuple(tuple(c.entry for c in side) for side in g) for g in groups), self.sit_outs)

    @property
    def numbered(self) -> SeatedRound:
        """The seats without groups, each table at its own number; a number that no table has is left empty."""
        return SeatedRound(tuple(tuple(map(tuple, table[0])) if table else () for table in self.seating), self.sit_outs)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who sits where in a round, as a format found it. Entries are given by id."""

    round: int  # the round's number
    seating: Seating
    seed: int
    statement: Mapping[str, Any]
    sit_outs: Sequence[int] = ()
    ahead: Sequence[Mapping[str, Any]] = ()  # rounds planned after it
    walkovers: Mapping[int, int] = field(default_factory=dict)  # who sits out and wins a match: to one who has left


def save_draft(*, stage: Stage, drawn: Drawn, by: Actor) -> Draw:
    """Save a stage's draw as a draft, the next version of its round. Raises StepRefused: somebody has two seats."""
    seating, out, statement = drawn.seating, list(drawn.sit_outs), dict(drawn.statement)
    with transaction.atomic():
        Club.acquire_lock(stage.event.club_id)
        round_, _made = Round.objects.get_or_create(stage=stage, number=drawn.round)
        ids = [e for table in seating for group in table for side in group for e in side] + out
        if len(set(ids)) != len(ids):
            raise StepRefused(_("Somebody has two seats in this draw. Make the draw again."))
        draw = Draw.objects.create(
            round=round_,
            number=next_number(round_.draws),
            seed=drawn.seed,
            statement=statement,
            ahead=list(drawn.ahead),
            made_by=by.user,
        )
        chairs = [[[[Chair(entry) for entry in side] for side in group] for group in table] for table in seating]
        write_seats(draw, Seated(dict(enumerate(chairs, start=1)), tuple(out)), walkovers=drawn.walkovers)
        new = {"seed": drawn.seed, "statement": statement}
        log(club=stage.event.club, by=by, verb="draw.make", subject=stage.event.about(draw), new=new)
    return draw


def write_seats(draw: Draw, seated: Seated, *, walkovers: Mapping[int, int]) -> dict[GroupKey, Group]:
    """Write the seats of a new draw; returns its groups. `walkovers` as in `Drawn`."""
    tables = {n: Table(draw=draw, number=n) for n in sorted(seated.tables)}
    Table.objects.bulk_create(tables.values())
    groups = {
        (n, g): Group(table=table, number=g)
        for n, table in tables.items()
        for g, _sides in enumerate(seated.tables[n], start=1)
    }
    Group.objects.bulk_create(groups.values())
    Seat.objects.bulk_create(
        Seat(draw=draw, group=group, entry_id=chair.entry, player=chair.player, side=side, position=position)
        for (n, g), group in groups.items()
        for side, chairs in enumerate(seated.tables[n][g - 1])
        for position, chair in enumerate(chairs)
    )
    SitOut.objects.bulk_create(
        SitOut(draw=draw, entry_id=entry, against_id=walkovers.get(entry)) for entry in seated.sit_outs
    )
    return groups


def earlier_draws(draw: Draw) -> QuerySet[Draw]:
    return published_draws(draw.round.stage.event).filter(round__number__lt=draw.round.number)


def has_begun(draw: Draw) -> bool:
    return Deal.objects.filter(game__group_game__group__table__draw=draw).exists()


def played_draws(event: Event) -> list[Draw]:
    return list(published_draws(event).select_related("round").prefetch_related(*WITH_SEATS))


def next_drafts(event: Event) -> QuerySet[Draw]:
    """The unpublished draws of a night's next round, newest first, without those whose games a later version has."""
    games = GroupGame.objects.filter(group__table__draw=OuterRef("pk"))
    return (
        Draw.objects.filter(round__stage__event=event, round__number=1 + len(published_numbers(event)))
        .exclude(~Exists(games), state=Draw.State.WITHDRAWN)
        .select_related("round__stage__event")
        .order_by("-number")
    )


def next_draft(event: Event) -> Draw | None:
    number = 1 + len(published_numbers(event))
    drafts = Draw.objects.filter(round__stage__event=event, round__number=number, state=Draw.State.DRAFT)
    return drafts.select_related("round__stage__event").order_by("-number").first()


def seats_in(draw: Draw) -> Seated:
    prefetch_related_objects([draw], *WITH_SEATS)
    tables = grouped(
        (table.number, [[Chair(seat.entry_id, seat.player) for seat in side] for side in group.sides])
        for table in draw.tables.all()
        for group in table.groups.all()
    )
    return Seated(tables, tuple(sorted(sit_out.entry_id for sit_out in draw.sit_outs.all())))


def walkovers_in(draw: Draw) -> dict[int, int]:
    return {sit_out.entry_id: sit_out.against_id for sit_out in draw.sit_outs.all() if sit_out.against_id is not None}


def engine_round(draw: Draw) -> SeatedRound:
    """The seats of a draw in the engine's shape, in which each group is a table of its own."""
    return seats_in(draw).seats


def published_numbers(event: Event) -> list[int]:
    return list(published_draws(event).values_list("round__number", flat=True))


def refuse_newer(draw: Draw, *, than: int) -> None:
    if draw.round.draws.filter(number__gt=than).exists():
        raise StepRefused(_("There is a newer version of this draw. Use that one."))
