"""Publish a draw with its games, and take it back.

Whether it may still be published is asked of `tournaments.draws.formats`.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.games import start_game
from scoring.models import Game
from tournaments.draws.changes import refuse_newer
from tournaments.draws.formats import refuse_stale
from tournaments.errors import StepRefused
from tournaments.events.state import (
    is_drawn,
    lock_event,
    lock_open_event,
    refuse_cut,
    refuse_finished,
    refuse_later_round,
)
from tournaments.models import Draw, Event, Group, GroupGame, Round
from tournaments.table_links.links import open_links, resume_links


def publish_draw(*, draw: Draw, by: Actor, seen: int | None = None) -> Draw:
    """Publish a draw: everybody can see its seats, its games are open, and each table has a link to score with. A draw
    taken back comes back with its games and links.

    `seen` is the number of the round's newest version when the director looked at this one.

    Raises:
        StepRefused: the event is over, its round has another published draw or the round before is still open, the
            stage's cut is published, what the draw rests on has changed, or there is a newer version than was seen.
    """
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
        draw.refresh_from_db()
        if draw.state == Draw.State.PUBLISHED:
            return draw
        refuse_finished(event)
        _refuse_order(draw)
        refuse_stale(draw)
        if seen is not None:
            refuse_newer(draw, than=seen)
        draw.state, draw.published_at = Draw.State.PUBLISHED, timezone.now()
        draw.save()
        Game.objects.filter(group_game__group__table__draw=draw).update(set_aside=False)
        start_games(draw)
        resume_links(draw.groups)
        open_links(draw)
        Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
        log(club=event.club, by=by, verb="draw.publish", subject=event.about(draw))
    return draw


def take_back_draw(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take a published draw back. Its games are kept but don't count, until the same draw is published again.

    Raises:
        StepRefused: something that rests on it is published: the event's result, the stage's cut, or a later round.
    """
    with transaction.atomic():
        event = lock_open_event(draw.round.stage.event)
        draw.refresh_from_db()
        if draw.state != Draw.State.PUBLISHED:
            return draw
        refuse_cut(draw.round.stage)
        refuse_later_round(draw.round)
        draw.state = Draw.State.WITHDRAWN
        draw.save()
        Game.objects.filter(group_game__group__table__draw=draw).update(set_aside=True)
        Round.objects.filter(pk=draw.round_id).update(closed=False)
        if not is_drawn(event):
            Event.objects.filter(pk=event.pk).update(state=Event.State.PLANNED)
        log(club=event.club, by=by, verb="draw.withdraw", subject=event.about(draw), new={"reason": reason})
    return draw


def _refuse_order(draw: Draw) -> None:
    """Raises StepRefused when it isn't this draw's turn: another is published, or the round before goes on."""
    round_ = draw.round
    if round_.draws.filter(state=Draw.State.PUBLISHED).exists():
        raise StepRefused(_("This round has a published draw already. Take that one back first."))
    refuse_cut(round_.stage)
    if Round.objects.filter(stage=round_.stage_id, number=round_.number - 1, closed=False).exists():
        raise StepRefused(
            _("Round %(n)d is still open. Close it, then publish round %(next)d.")
            % {"n": round_.number - 1, "next": round_.number}
        )
    if draw.state == Draw.State.WITHDRAWN and not GroupGame.objects.filter(group__table__draw=draw).exists():
        raise StepRefused(
            _("The games of this draw went over to a later version. Publish that one, or make the draw again.")
        )


def start_games(draw: Draw) -> None:
    """Open the games of every group of a draw that has none yet: a set of `stage.games` each."""
    stage = draw.round.stage
    event = stage.event
    for group in draw.groups.filter(games=None).prefetch_related("seats__entry"):
        for number in range(1, stage.games + 1):
            game = start_game(
                club=event.club, rules=event.rules, title=title_of(group, draw, number=number), sides=group.names
            )
            GroupGame.objects.create(group=group, number=number, game=game)


def title_of(group: Group, draw: Draw, *, number: int) -> str:
    """What a game is called on its card: event, stage or round, the match of a knock-out, table, group and game where
    there are several."""
    stage = draw.round.stage
    words = [stage.event.name, draw.round.name]
    if match := draw.match_name(group.table.number):
        words.append(match)
    words.append(_("Table %(n)d") % {"n": group.table.number})
    if stage.event.shares_tables:
        words.append(_("Group %(letter)s") % {"letter": group.letter})
    if stage.games > 1:
        words.append(_("Game %(n)d") % {"n": number})
    return " · ".join(words)


def deals_of(draw: Draw) -> int:
    """Deals that count in the games of a draw: so many stop counting when it is taken back."""
    games = Game.objects.filter(group_game__group__table__draw=draw)
    return games.aggregate(n=Sum("deals_played"))["n"] or 0
