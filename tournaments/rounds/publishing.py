"""Rounds are published, closed, opened again and taken back."""

from collections.abc import Callable, Collection
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import About, log
from clubsite.accounts.models import Actor
from clubsite.accounts.roles import request_actor
from clubsite.operations.schedule import back_up_before
from scoring.cards.deals import ReasonMissing, end_game, record_walkover, reopen_game, start_game
from scoring.models import LONGEST_REASON, Game
from tournaments.draws.drafts import refuse_newer
from tournaments.draws.making import refuse_stale
from tournaments.errors import ReasonWanted, StepRefused
from tournaments.events.state import (
    event_locked,
    is_drawn,
    lock_event,
    open_event_locked,
    refuse_finished,
    refuse_later_round,
    refuse_published_cut,
)
from tournaments.models import Cut, Draw, Entry, Event, Group, GroupGame, Round, Seat, Stage
from tournaments.requests import ticked_keys, whole_number_or_none
from tournaments.rounds.disputes import disputes_of_round, refuse_disputed
from tournaments.table_links.links import end_links, open_links, resume_links


def publish_draw(*, draw: Draw, by: Actor, seen: int | None = None) -> Draw:
    """Publish a draw: everybody can see its seats, its games are open, and each table has a link to score with. A draw
    taken back comes back with its games and links.

    `seen` is the number of the round's newest version when the director looked at this one.

    Raises StepRefused: the event is over, its round has another published draw or the round before is still open, the
    stage's cut is published, what the draw rests on has changed, or there is a newer version than was seen."""
    with event_locked(draw.round.stage.event) as event:
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
    """Take a published draw back. Its games don't count until it is published again. Raises
    StepRefused: something that rests on it is published: the event's result, the stage's cut, or a later round."""
    with open_event_locked(draw.round.stage.event) as event:
        draw.refresh_from_db()
        if draw.state != Draw.State.PUBLISHED:
            return draw
        refuse_published_cut(draw.round.stage)
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
    refuse_published_cut(round_.stage)
    if Round.objects.filter(stage=round_.stage_id, number=round_.number - 1, closed=False).exists():
        words = _("Round %(n)d is still open. Close it, then publish round %(next)d.")
        raise StepRefused(words % {"n": round_.number - 1, "next": round_.number})
    if draw.state == Draw.State.WITHDRAWN and not GroupGame.objects.filter(group__table__draw=draw).exists():
        raise StepRefused(
            _("The games of this draw moved to a later version. Publish that one, or make the draw again.")
        )


def start_games(draw: Draw) -> None:
    stage = draw.round.stage
    event = stage.event
    for group in draw.groups.filter(games=None).prefetch_related("seats__entry"):
        for number in range(1, stage.games + 1):
            game = start_game(
                club=event.club, rules=event.rules, title=game_title(group, draw, number=number), sides=group.names
            )
            GroupGame.objects.create(group=group, number=number, game=game)


def game_title(group: Group, draw: Draw, *, number: int) -> str:
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


def number_of_deals(draw: Draw) -> int:
    games = Game.objects.filter(group_game__group__table__draw=draw)
    return games.aggregate(n=Sum("deals_played"))["n"] or 0


def end_set(*, group: Group, by: Actor, reason: str) -> Group:
    """End a group's set early: a game in play ends as it stands, games without a deal count as not played. Raises
    StepRefused: no reason, the draw isn't published, or the stage's cut is."""
    reason = reason.strip()
    if not reason:
        raise StepRefused(_("Write why the set ends early: the reason is shown with the result."))
    with transaction.atomic():
        event, group = _locked_group(group)
        if group.ended:
            return group
        _refuse_settled(event, group)
        for row in group.games.select_related("game"):
            end_game(game=row.game, by=by, reason=reason)
        group.ended = reason[:LONGEST_REASON]
        group.save()
        end_links(Group.objects.filter(pk=group.pk), event.club)
        log(club=event.club, by=by, verb="set.end", subject=_log_subject(event, group), new={"reason": reason})
    return group


def reopen_set(*, group: Group, by: Actor, reason: str) -> Group:
    """Reopen a set that was ended early, its games as they were. Raises StepRefused: no reason, or the
    stage's cut is published."""
    with transaction.atomic():
        event, group = _locked_group(group)
        if not group.ended:
            return group
        _refuse_settled(event, group)
        for row in group.games.select_related("game"):
            try:
                reopen_game(game=row.game, by=by, reason=reason)
            except ReasonMissing:
                raise StepRefused(_("Write why the set goes on.")) from None
        old, group.ended = group.ended, ""
        group.save()
        resume_links(Group.objects.filter(pk=group.pk))
        subject, new = _log_subject(event, group), {"reason": reason}
        log(club=event.club, by=by, verb="set.reopen", subject=subject, old=old, new=new)
    return group


def close_round(*, round: Round, by: Actor, end_open: bool, reason: str = "", despite: Collection[int] = ()) -> Round:
    """Close a round, so that the next can be published.

    Games still open are ended as they stand with the director's reason, or left open: then they can still be finished,
    and must be before the night is closed. In a knock-out, where somebody must go on, a match without a deal is lost by
    the side that has left. `despite` are the disputed deals that it is closed in spite of.

    Raises StepRefused: the night is over, nothing is published, another deal is disputed, or the event doesn't go by
    rounds. ReasonWanted: games are to be ended without a reason."""
    with open_event_locked(round.stage.event) as event:
        _refuse_sets(event)
        round = Round.objects.get(pk=round.pk)
        if round.closed:
            return round
        draw = round.draws.filter(state=Draw.State.PUBLISHED).first()
        if draw is None:
            raise StepRefused(_("This round has no published draw. Publish its draw first."))
        round.stage.event = event
        refuse_disputed(disputes_of_round(round), despite=despite)
        left = list(open_games(draw))
        for game in left if end_open else ():
            try:
                if absent := _sides_gone(game, event):
                    record_walkover(game=game, absent=absent, by=by, reason=reason)
                else:
                    end_game(game=game, by=by, reason=reason)
            except ReasonMissing:
                raise ReasonWanted(_("Say why the games are ended: the reason is shown on their cards.")) from None
        round.closed = True
        round.save()
        end_links(draw.groups, event.club)
        became = "ended" if end_open else "left open"
        new = {became: [game.pk for game in left], "reason": reason, "despite": sorted(despite)}
        log(club=event.club, by=by, verb="round.close", subject=event.about(round), new=new)
    return round


def _sides_gone(game: Game, event: Event) -> set[int]:
    """The sides that have left a match of a knock-out before its first deal."""
    if not event.traits.bracket or game.deals.exists():
        return set()
    seats = Seat.objects.filter(group__games__game=game, player="", entry__state=Entry.State.WITHDRAWN)
    return set(seats.values_list("side", flat=True))


def reopen_round(*, round: Round, by: Actor) -> Round:
    """Take back that a round was closed. Games that were ended with it stay ended. Raises StepRefused: the night is
    over, the next round is published, or the event doesn't go by rounds."""
    with open_event_locked(round.stage.event) as event:
        _refuse_sets(event)
        round = Round.objects.get(pk=round.pk)
        if not round.closed:
            return round
        refuse_later_round(round)
        round.closed = False
        round.save()
        resume_links(Group.objects.filter(table__draw__round=round))
        log(club=event.club, by=by, verb="round.reopen", subject=event.about(round))
    return round


def _refuse_sets(event: Event) -> None:
    if not event.by_rounds:
        raise StepRefused(_("A competition has no rounds to close. End the sets of its tables, then publish the cut."))


def open_games(draw: Draw) -> QuerySet[Game]:
    return _games(draw).filter(state=Game.State.OPEN)


def games_ended_early(draw: Draw) -> list[Game]:
    return list(_games(draw).filter(ended_by="director"))


def unfinished_games(event: Event) -> list[GroupGame]:
    """Games still open in rounds that are closed, in stages whose cut is published and in a finished event: left so, or
    opened again by a correction. One query."""
    draw = "group__table__draw"
    cut = Cut.objects.filter(stage=OuterRef(f"{draw}__round__stage"), state=Cut.State.PUBLISHED)
    done = Q(**{f"{draw}__round__closed": True}) | Exists(cut)
    games = GroupGame.objects.filter(
        done | Q(**{f"{draw}__round__stage__event__state": Event.State.FINISHED}),
        **{f"{draw}__round__stage__event": event, f"{draw}__state": Draw.State.PUBLISHED},
        game__state=Game.State.OPEN,
    )
    games = games.select_related("game__club", f"{draw}__round__stage__event").order_by(
        f"{draw}__round__stage__number",
        *(f"{draw}__round__number", "group__table__number", "group__number", "number"),
    )
    return list(games)


def unfinished_games_before(stage: Stage) -> list[GroupGame]:
    return [row for row in unfinished_games(stage.event) if row.group.table.draw.round.stage.number < stage.number]


def end_unfinished_games(*, event: Event, by: Actor, reason: str, seen: Collection[int]) -> list[Game]:
    """End the games of `unfinished_games` as they stand, of those that a page showed: `seen` are their keys. Raises
    ReasonWanted: there is no reason."""
    with event_locked(event) as event:
        games = [row.game for row in unfinished_games(event) if row.game_id in seen]
        if games and not reason.strip():
            raise ReasonWanted(_("Say why the games are ended: the reason is shown on their cards."))
        return [end_game(game=game, by=by, reason=reason) for game in games]


def where_played(row: GroupGame) -> str:
    round = row.group.table.draw.round
    event = round.stage.event
    where = {"table": row.group.label_in(event), "round": round.number, "stage": round.stage, "game": row.number}
    if event.by_rounds:
        return _("Table %(table)s of round %(round)d") % where
    if round.stage.games == 1:
        return _("%(stage)s, table %(table)s") % where
    return _("%(stage)s, table %(table)s, game %(game)d") % where


def open_games_heading(event: Event, games: int) -> str:
    """How many games of `unfinished_games` an event has, as a heading."""
    if event.by_rounds:
        words = ngettext(
            "%(n)d game of a closed round is still open", "%(n)d games of closed rounds are still open", games
        )
    elif event.state == Event.State.FINISHED:
        words = ngettext("%(n)d game is open again", "%(n)d games are open again", games)
    else:
        words = ngettext(
            "%(n)d game of an earlier stage is still open", "%(n)d games of earlier stages are still open", games
        )
    return words % {"n": games}


def _games(draw: Draw) -> QuerySet[Game]:
    return Game.objects.filter(group_game__group__table__draw=draw).order_by(
        "group_game__group__table__number", "group_game__group__number", "group_game__number"
    )


def _locked_group(group: Group) -> tuple[Event, Group]:
    """The event and the group as they are now, locked until the transaction ends."""
    group = Group.objects.select_related("table__draw__round__stage__event__club").get(pk=group.pk)
    event = lock_event(group.table.draw.round.stage.event)
    group.refresh_from_db(fields=["ended"])
    return event, group


def _refuse_settled(event: Event, group: Group) -> None:
    draw = group.table.draw
    if draw.state != Draw.State.PUBLISHED:
        raise StepRefused(_("The draw with this group isn't published."))
    refuse_published_cut(draw.round.stage)
    refuse_finished(event)


def _log_subject(event: Event, group: Group) -> About:
    return event.about(f"{group.table.draw.round.stage} · {group}")


PUBLISHED: list[Callable[[HttpRequest, Draw], None]] = []
"""What follows when a draw, or its next version, is published on a page. A fault in it stops nothing else."""


def announce_published(request: HttpRequest, draw: Draw) -> None:
    for tell in PUBLISHED:
        transaction.on_commit(partial(tell, request, draw), robust=True)


def take_step(request: HttpRequest, draw: Draw, *, offered: Collection[str]) -> HttpResponse:
    """Take the step that the form asks for, say what was done, and lead to the page where it goes on.

    `offered` are the steps of the page: "publish", "take-back", "close", "reopen". Any other is answered 400.

    Raises StepRefused: as the verbs do."""
    step, by, reason = request.POST.get("step"), request_actor(request), request.POST.get("reason", "")
    event, what = draw.round.stage.event, {"round": draw.round.name}
    at = [event.club.slug, event.slug]
    if step not in offered:
        return HttpResponse(status=400)
    if step == "publish":
        back_up_before("draw")
        seen = whole_number_or_none(request.POST.get("seen"))
        publish_draw(draw=draw, by=by, seen=draw.number if seen is None else seen)
        announce_published(request, draw)
        messages.success(
            request, _("%(round)s is published. Everybody can see the seats, and the cards are open.") % what
        )
    elif step == "take-back":
        deals = number_of_deals(draw)
        take_back_draw(draw=draw, by=by, reason=reason)
        with_deals = ngettext(
            "%(round)s is taken back. Its %(deals)d deal counts again if you publish it again.",
            "%(round)s is taken back. Its %(deals)d deals count again if you publish it again.",
            deals,
        )
        words = with_deals if deals else _("%(round)s is taken back.")
        messages.success(request, words % {**what, "deals": deals})
        if not event.by_rounds:
            return redirect("draw_step", *at, draw.pk)
    elif step == "close":
        ended = request.POST.get("games") == "end"
        despite = ticked_keys(request, "despite")
        back_up_before("closing")
        close_round(round=draw.round, by=by, end_open=ended, reason=reason, despite=despite)
        words = _("%(round)s is closed. You can reopen it until the next round is published.")
        messages.success(request, words % what)
    else:
        reopen_round(round=draw.round, by=by)
        left = len(games_ended_early(draw))
        words = ngettext(
            "%(round)s is open again. %(ended)d game was ended early, and stays ended until you continue it.",
            "%(round)s is open again. %(ended)d games were ended early, and stay ended until you continue them.",
            left,
        )
        messages.success(request, (words if left else _("%(round)s is open again.")) % {**what, "ended": left})
        return redirect("round_step", *at, draw.round.number)
    return redirect("desk_event", *at)


def show_taken_back(request: HttpRequest, event: Event, *, which: Q) -> HttpResponse:
    """The answer for a page of a draw that was taken back, as the browser's Back opens it: a message on the desk.
    Raises Http404: there was none."""
    drawn = Draw.objects.filter(which, round__stage__event=event, state=Draw.State.WITHDRAWN)
    draw = drawn.select_related("round__stage").last()
    if draw is None:
        raise Http404
    messages.info(request, _("The draw of %(round)s was taken back.") % {"round": draw.round.name})
    return redirect("desk_event", event.club.slug, event.slug)
