"""Publish a draw with its games, and take it back: any draw; that of a stage; that of a night's round.

Whether it may still be published is asked of `tournaments.draws.basis`.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from scoring.cards.deals import start_game
from scoring.models import Game
from tournaments.draws.basis import refuse_stale
from tournaments.errors import StepRefused
from tournaments.events.state import (
    lock_event,
    lock_open_event,
    lock_round,
    refuse_cut,
    refuse_finished,
    refuse_later_round,
)
from tournaments.models import (
    Draw,
    Event,
    Group,
    GroupGame,
    Round,
)


def publish_draw(*, draw: Draw, by: Actor) -> Draw:
    """Publish a draw: its seats can be seen and its games are open. A draw taken back comes back with its games.

    Whether it may still be published is asked before, see `basis.refuse_stale`.

    Raises:
        StepRefused: the round has another published draw, or its stage a published cut.
    """
    with transaction.atomic():
        round_ = lock_round(draw.round)
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
        round_ = lock_round(draw.round)
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


def publish_stage_draw(*, draw: Draw, by: Actor) -> Draw:
    """Publish a draw of a stage: its seats can be seen, its games are open.

    Raises:
        StepRefused: what it rests on has changed (`basis.refuse_stale`), or it can't be published
            (`publish_draw`).
    """
    with transaction.atomic():
        stage = draw.round.stage
        event = lock_event(stage.event)
        draw = Draw.objects.select_related("round__stage__event__club").get(pk=draw.pk)
        if draw.state == Draw.State.PUBLISHED:
            return draw
        refuse_finished(event)
        if (
            draw.state == Draw.State.WITHDRAWN
            and not Group.objects.filter(table__draw=draw).exclude(games=None).exists()
        ):
            raise StepRefused(
                _("The games of this draw went over to a later version. Publish that one, or make the draw again.")
            )
        refuse_stale(draw)
        return publish_draw(draw=draw, by=by)


def take_back_draw(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take the published draw of a stage back: its deals are kept and don't count.

    Raises:
        StepRefused: the cut of the stage, or the result, is published.
    """
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
        refuse_finished(event)
        return withdraw_draw(draw=draw, by=by, reason=reason)


def publish_round(*, draw: Draw, by: Actor) -> Draw:
    """Publish the draw of the next round: everybody can see it, and its games are open.

    Raises:
        StepRefused: the night is over, the round before isn't closed, the draw is stale, or another is published.
    """
    with transaction.atomic():
        lock_open_event(draw.round.stage.event)
        draw.refresh_from_db()
        if draw.state == Draw.State.PUBLISHED:
            return draw
        number = draw.round.number
        before = Round.objects.filter(stage=draw.round.stage_id, number=number - 1).first()
        if before and not before.closed:
            raise StepRefused(
                _("Round %(n)d is still open. Close it, then publish round %(next)d.")
                % {"n": number - 1, "next": number}
            )
        refuse_stale(draw)
        return publish_draw(draw=draw, by=by)


def take_back_round(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take a published round back. Its games are kept, and count again when the same draw is published again.

    Raises:
        StepRefused: the night is over, or a later round is published.
    """
    with transaction.atomic():
        lock_open_event(draw.round.stage.event)
        taken = withdraw_draw(draw=draw, by=by, reason=reason)
        Round.objects.filter(pk=draw.round_id).update(closed=False)
    return taken


def deals_of(draw: Draw) -> int:
    """Deals that count in the games of a draw: so many stop counting when it is taken back."""
    games = Game.objects.filter(group_game__group__table__draw=draw)
    return games.aggregate(n=Sum("deals_played"))["n"] or 0
