"""Verbs on draws: keep a draft, publish it with its games, take it back.

Which draw is a good one is decided in `tournaments.engine`; here it becomes seats and games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from scoring.deals import start_game
from scoring.models import Game
from tournaments.engine.rounds import Round as Seats
from tournaments.errors import StepRefused
from tournaments.models import Draw, Event, Group, GroupGame, Round, Seat, SitOut, Stage, Table
from tournaments.state import refuse_cut, refuse_later_round

# tables -> groups -> sides -> entry ids, in order of seats
Seating = Sequence[Sequence[Sequence[Sequence[int]]]]


def save_draw(
    *,
    round: Round,
    seating: Seating,
    by: Actor,
    seed: int,
    sit_outs: Iterable[int] = (),
    statement: Mapping[str, Any] = {},
    ahead: Sequence[Mapping[str, Any]] = (),
) -> Draw:
    """Keep a draw of a round as a draft, its next version. Entries are given by id. `ahead` are rounds to follow.

    Raises:
        StepRefused: somebody has two seats.
    """
    with transaction.atomic():
        _lock(round)
        out = list(sit_outs)
        ids = [e for table in seating for group in table for side in group for e in side] + out
        if len(set(ids)) != len(ids):
            raise StepRefused(_("Somebody has two seats in this draw. Make the draw again."))
        last = round.draws.aggregate(n=Max("number"))["n"] or 0
        draw = Draw.objects.create(
            round=round,
            number=last + 1,
            seed=seed,
            statement=dict(statement),
            ahead=list(ahead),
            made_by=by.user,
        )
        tables = Table.objects.bulk_create(Table(draw=draw, number=n) for n, _t in enumerate(seating, start=1))
        groups = Group.objects.bulk_create(
            Group(table=tables[t], number=n) for t, table in enumerate(seating) for n, _g in enumerate(table, start=1)
        )
        flat = [group for table in seating for group in table]
        Seat.objects.bulk_create(
            Seat(draw=draw, group=groups[g], entry_id=entry, side=side, position=position)
            for g, group in enumerate(flat)
            for side, entries in enumerate(group)
            for position, entry in enumerate(entries)
        )
        SitOut.objects.bulk_create(SitOut(draw=draw, entry_id=entry) for entry in out)
        log(
            club=round.stage.event.club,
            by=by,
            verb="draw.make",
            subject=f"{round.stage.event}: {draw}",
            new={"seed": seed, "statement": dict(statement)},
        )
    return draw


def publish_draw(*, draw: Draw, by: Actor) -> Draw:
    """Publish a draw: its seats can be seen and its games are open. A draw taken back comes back with its games.

    Whether it may still be published is asked before, see `basis.refuse_stale`.

    Raises:
        StepRefused: the round has another published draw, or its stage a published cut.
    """
    with transaction.atomic():
        round_ = _lock(draw.round)
        draw.refresh_from_db()
        if draw.state == Draw.State.PUBLISHED:
            return draw
        if round_.draws.filter(state=Draw.State.PUBLISHED).exists():
            raise StepRefused(_("This round has a published draw already. Take that one back first."))
        refuse_cut(round_.stage)
        draw.state, draw.published_at = Draw.State.PUBLISHED, timezone.now()
        draw.save()
        Game.objects.filter(group_game__group__table__draw=draw).update(set_aside=False)
        open_games(draw)
        event = round_.stage.event
        Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
        log(club=event.club, by=by, verb="draw.publish", subject=f"{event}: {draw}")
    return draw


def withdraw_draw(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take a published draw back. Its games are kept but don't count, until the same draw is published again.

    Raises:
        StepRefused: something that rests on it is published: the stage's cut, or a later round.
    """
    with transaction.atomic():
        round_ = _lock(draw.round)
        draw.refresh_from_db()
        if draw.state != Draw.State.PUBLISHED:
            return draw
        refuse_cut(round_.stage)
        refuse_later_round(round_)
        draw.state = Draw.State.WITHDRAWN
        draw.save()
        Game.objects.filter(group_game__group__table__draw=draw).update(set_aside=True)
        log(
            club=round_.stage.event.club,
            by=by,
            verb="draw.withdraw",
            subject=f"{round_.stage.event}: {draw}",
            new={"reason": reason},
        )
    return draw


def stage_of(event: Event) -> Stage:
    """The one stage of an event that goes round by round; made when it has none yet."""
    stage, _made = Stage.objects.get_or_create(event=event, number=1, defaults={"name": _("Club night"), "games": 1})
    return stage


def played_draws(event: Event) -> list[Draw]:
    """The published draws of a night in order of rounds, with their seats and sit-outs. Five queries at most."""
    return list(
        Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED)
        .select_related("round")
        .prefetch_related("tables__groups__seats", "sit_outs")
        .order_by("round__number")
    )


def next_drafts(event: Event) -> QuerySet[Draw]:
    """Draws of a night's next round, which isn't published; the newest first."""
    number = 1 + Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED).count()
    return (
        Draw.objects.filter(round__stage__event=event, round__number=number)
        .select_related("round__stage__event")
        .order_by("-number")
    )


def seating_of(draw: Draw) -> tuple[list[list[list[list[int]]]], list[int]]:
    """Who sits where, by id: tables, their groups, sides, entries in order of seats; and who sits out."""
    tables = []
    for table in draw.tables.all():
        groups = []
        for group in table.groups.all():
            groups.append(group.people)
        tables.append(groups)
    return tables, sorted(s.entry_id for s in draw.sit_outs.all())


def as_played(draw: Draw) -> Seats:
    """The seats of a draw as the engine reads them: those of a group are at one table."""
    tables, sit_outs = seating_of(draw)
    return Seats(tuple(tuple(map(tuple, group)) for table in tables for group in table), tuple(sit_outs))


def open_games(draw: Draw) -> None:
    """Open the games of every group of a draw that has none yet: a set of `stage.games` each."""
    stage = draw.round.stage
    event = stage.event
    groups = Group.objects.filter(table__draw=draw, games=None).select_related("table")
    for group in groups.prefetch_related("seats__entry"):
        for number in range(1, stage.games + 1):
            game = start_game(
                club=event.club,
                rules=event.rules,
                title=title_of(group, draw.round, number),
                sides=group.names,
            )
            GroupGame.objects.create(group=group, number=number, game=game)


def title_of(group: Group, round: Round, number: int) -> str:
    """What a game is called on its card: event, stage or round, table, group and game where there are several."""
    stage = round.stage
    words = [stage.event.name, stage.name]
    if stage.event.by_rounds:
        words[1] = _("Round %(n)d") % {"n": round.number}
    words.append(_("Table %(n)d") % {"n": group.table.number})
    if stage.event.shares_tables:
        words.append(_("Group %(letter)s") % {"letter": group.letter})
    if stage.games > 1:
        words.append(_("Game %(n)d") % {"n": number})
    return " · ".join(words)


def _lock(round: Round) -> Round:
    """The round as it is now, held until the transaction ends."""
    return Round.objects.select_for_update(of=("self",)).select_related("stage__event__club").get(pk=round.pk)
