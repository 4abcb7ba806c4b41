"""Publish standings, and the result of an event: of a competition by its final, of a night by closing it.

What was published stays to be read as a version when it is taken back.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from scoring.models import Game
from tournaments.draws import by_format
from tournaments.draws.keeping import played_draws
from tournaments.errors import StepRefused
from tournaments.events.stages import stage_of
from tournaments.events.state import lock_event, stage_draw
from tournaments.models import Event, PublishedStandings, Stage
from tournaments.models.numbering import next_number
from tournaments.rounds.closing import open_groups
from tournaments.standings.standings import Standings, rows_fingerprint, standings_of


def publish_standings(
    *, stage: Stage, by: Actor, final: bool = False, reason: str = "", seen: str | None = None
) -> PublishedStandings:
    """Publish a stage's standings as they are now: the next version, unless nothing has changed since the last.

    With `final` they are the event's result. `seen` is the fingerprint of the standings that the page showed.

    Raises:
        StepRefused: there is nothing to publish, or the standings have changed since they were `seen`.
    """
    with transaction.atomic():
        Stage.objects.select_for_update().get(pk=stage.pk)
        now = standings_of(stage)
        if not now.deals:
            raise StepRefused(_("No deal is recorded yet, so there are no standings to publish."))
        if seen is not None and seen != rows_fingerprint(now.rows):
            raise StepRefused(
                _("A card was recorded or corrected while you looked. Look at the standings again, then publish them.")
            )
        rows = [row.to_data() for row in now.rows]
        last = stage.published_standings.order_by("-number").first()
        if last and last.rows == rows and last.final == final:
            return last
        number = next_number(stage.published_standings)
        made = PublishedStandings.objects.create(
            event=stage.event, stage=stage, number=number, by=by.user, rows=rows, final=final, reason=reason[:200]
        )
        log(
            club=stage.event.club,
            by=by,
            verb="standings.publish",
            subject=f"{stage.event}: {stage}",
            new={"version": number, "final": final, "reason": reason},
        )
    return made


def publish_result(*, event: Event, by: Actor, sure: bool = False, seen: str | None = None) -> PublishedStandings:
    """Publish the final's standings as the event's result; the event is finished.

    `seen` is the fingerprint of the standings that the page showed.

    Raises:
        StepRefused: the final isn't drawn, has no deal, or has open games (`sure` publishes all the same); or the
            standings have changed since they were `seen`.
    """
    with transaction.atomic():
        event = lock_event(event)
        final = event.stages.order_by("-number").first()
        if final is None or stage_draw(final) is None:
            raise StepRefused(_("The final isn't drawn yet."))
        open_ = open_groups(final)
        if event.state == Event.State.FINISHED and (same := unchanged_result(event, standings_of(final))):
            return same
        if open_ and not sure:
            raise StepRefused(
                ngettext(
                    "%(n)d set of the final isn't finished. End it, or say that the result stands.",
                    "%(n)d sets of the final aren't finished. End them, or say that the result stands.",
                    open_,
                )
                % {"n": open_}
            )
        made = publish_standings(stage=final, by=by, final=True, seen=seen)
        if event.state != Event.State.FINISHED:
            event.state = Event.State.FINISHED
            event.save()
            log(club=event.club, by=by, verb="result.publish", subject=event, new={"version": made.number})
    return made


def unchanged_result(event: Event, now: Standings) -> PublishedStandings | None:
    """The latest published result, if the final's standings are still the same; else None."""
    last = event.published_standings.filter(final=True).order_by("-number").first()
    return last if last and last.rows == [row.to_data() for row in now.rows] else None


def take_back_result(*, event: Event, by: Actor, reason: str) -> Event:
    """Take the result back: the event goes on. What was published stays to be read as a version.

    Raises:
        StepRefused: no reason.
    """
    if not reason.strip():
        raise StepRefused(_("Write the reason why the result is taken back."))
    with transaction.atomic():
        event = lock_event(event)
        if event.state == Event.State.FINISHED:
            event.state = Event.State.RUNNING
            event.save()
            log(club=event.club, by=by, verb="result.withdraw", subject=event, new={"reason": reason})
    return event


def close_night(*, event: Event, by: Actor, reason: str = "", seen: str | None = None) -> PublishedStandings:
    """Close the night: publish its standings as the result, which its season counts.

    On a night that is closed already this publishes the next version when a correction has changed the
    standings, and changes nothing otherwise. `seen` is the fingerprint of the standings that the page showed.

    Raises:
        StepRefused: nothing was played, a round is open, or a game is; or the standings have changed since `seen`.
    """
    with transaction.atomic():
        event = lock_event(event)
        stage = stage_of(event)
        last = last_result(event)
        if event.state == Event.State.FINISHED and last and last.rows == current_rows(event):
            return last
        _refuse_unless_played(event)
        published = publish_standings(stage=stage, by=by, final=True, reason=reason, seen=seen)
        Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
        log(
            club=event.club,
            by=by,
            verb="night.close",
            subject=event,
            new={"version": published.number, "reason": reason},
        )
    return published


def reopen_night(*, event: Event, by: Actor, reason: str = "") -> Event:
    """Take back that the night was closed. The version published stays on record, but the season counts it no more."""
    with transaction.atomic():
        event = lock_event(event)
        if event.state != Event.State.FINISHED:
            return event
        event.state = Event.State.RUNNING
        event.save()
        log(club=event.club, by=by, verb="night.reopen", subject=event, new={"reason": reason})
    return event


def last_result(event: Event) -> PublishedStandings | None:
    """The latest version of the night's result, whether or not the night has been taken back since."""
    found = PublishedStandings.objects.filter(event=event, final=True).select_related("stage__event__rules")
    return found.order_by("-number").first()


def current_rows(event: Event) -> list[dict[str, Any]]:
    """The standings as they are now, as a published version keeps them."""
    return [row.to_data() for row in standings_of(stage_of(event)).rows]


def _refuse_unless_played(event: Event) -> None:
    """Raises StepRefused unless every published round is closed and no game of theirs is open."""
    published = played_draws(event)
    if not published:
        raise StepRefused(_("No round has been played yet, so there is no result."))
    still = [draw.round.number for draw in published if not draw.round.closed]
    if still:
        raise StepRefused(_("Round %(n)d is still open. Close it first.") % {"n": still[0]})
    left = Game.objects.filter(group_game__group__table__draw__in=published, state=Game.State.OPEN)
    if titles := [str(game) for game in left.order_by("pk")]:
        raise StepRefused(
            _("Still being played: %(games)s. Finish the cards, or end the games with a reason.")
            % {"games": ", ".join(titles)}
        )
    if wrong := by_format.misplaced(event):
        raise StepRefused(wrong)
