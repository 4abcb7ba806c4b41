"""Verbs of a club night: who is here, the draw of the next round, closing a round and the night.

Seats and games are made in `tournaments.draws`; which draw is a good one is decided in `tournaments.engine`.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Member
from scoring.deals import ReasonMissing, end_game
from scoring.engine.ruleset import Shape
from scoring.models import Game
from tournaments import draws, formats, meeting_again, rotation
from tournaments.basis import basis_of_round, refuse_stale
from tournaments.draws import next_drafts, played_draws, stage_of
from tournaments.engine.draw import STEPS
from tournaments.engine.formats import FORMATS
from tournaments.engine.rounds import SEEDS
from tournaments.entry_list import LONGEST_NAME, key, tidy
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, PublishedStandings, Round
from tournaments.partners import refuse_latecomers
from tournaments.standings import publish_standings, standings_of
from tournaments.state import lock_event, lock_open_event, refuse_later_round

FOURS = Shape(2, 2)  # the tables that a rotation is drawn for
ROUNDS = 4  # planned, where nobody says otherwise


def arrive(*, event: Event, by: Actor, member: Member | None = None, name: str = "", join: bool = False) -> Entry:
    """Somebody is here: a member, or a walk-in by name (a guest, or with `join` a new member). Who had left is back.

    Marking a member who is here already changes nothing.

    Raises:
        StepRefused: the night is over, the name is empty, too long, or on the list already; or somebody new comes to a
            knock-out that has begun.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        if member is None:
            member, name = _walk_in(event, name, join, by)
        entry = Entry.objects.filter(event=event, member=member).first() if member else None
        if entry is None:
            name = member.name if member else name
            if same := Entry.objects.filter(event=event, name__iexact=name).first():
                raise StepRefused(_already(same))
            refuse_latecomers(event)
            number = 1 + (event.entries.aggregate(n=Max("number"))["n"] or 0)
            entry = Entry.objects.create(event=event, number=number, name=name, member=member)
        elif entry.state == Entry.State.HERE:
            return entry
        entry.state = Entry.State.HERE
        entry.save()
        log(club=event.club, by=by, verb="night.arrive", subject=f"{event}: {entry}")
    return entry


def leave(*, entry: Entry, by: Actor) -> Entry:
    """Somebody has gone: from the next draw on there is no seat for them. What they played stays.

    Raises:
        StepRefused: the night is over.
    """
    return _mark(entry, Entry.State.WITHDRAWN, by, "night.leave")


def come_back(*, entry: Entry, by: Actor) -> Entry:
    """Somebody who had gone is back for the next draw.

    Raises:
        StepRefused: the night is over.
    """
    return _mark(entry, Entry.State.HERE, by, "night.return")


def make_draw(
    *,
    event: Event,
    by: Actor,
    planned: int = ROUNDS,
    again: bool = False,
    seed: int | None = None,
    steps: int = STEPS,
    odd: str = "sit-out",
    seen: int | None = None,
) -> Draw:
    """Draw the next round around those already played, and keep it as a draft with what the verifier counted.

    With new partners every round, all rounds still planned are drawn together; while nobody comes or goes, the next
    one is that of the last plan. `again` draws them anew, as a `seed` does. In other formats the draw follows from the
    results of the rounds before. `seen` is the number of the newest draft that the page showed (0 for none): when
    there is a newer one, it is returned and no other made.

    Raises:
        StepRefused: the night is over, too few or too many are here, wishes collide, or the game isn't two against two.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        if newer := newer_than(event, seen):
            return newer
        if event.format in FORMATS:
            return _draw_by_results(event, by, seed)
        refuse_unless_fours(event)
        fresh = again or seed is not None
        if not fresh and (draw := rotation.going_on(event, planned=planned, odd=odd, by=by)):
            return draw
        asked = rotation.asked_of(event, planned=planned, seed=seed, steps=steps, odd=odd)
        plan = rotation.search(asked)
        return rotation.keep(event=event, asked=asked, rounds=plan.rounds, how=rotation.how(plan), by=by)


def newer_than(event: Event, seen: int | None) -> Draw | None:
    """The newest draft of the next round, when somebody who saw draft `seen` as the newest doesn't know it."""
    newest = next_drafts(event).first()
    return newest if newest is not None and seen is not None and newest.number > seen else None


def refuse_unless_fours(event: Event) -> None:
    """Raises StepRefused for a game that isn't played two against two."""
    if event.shape != FOURS:
        raise StepRefused(_("A club night is drawn for tables of four, two against two. Choose another game for it."))


def _draw_by_results(event: Event, by: Actor, seed: int | None) -> Draw:
    """The next round by the event's format, from the results of the rounds before."""
    before = played_draws(event)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    drawn = formats.next_seats(event, seed)
    round_, _made = Round.objects.get_or_create(stage=stage_of(event), number=len(before) + 1)
    return draws.save_draw(
        round=round_,
        seating=[[table] for table in drawn.tables],
        sit_outs=drawn.sit_outs,
        by=by,
        seed=seed,
        statement=basis_of_round(event, [*drawn.seated, *drawn.sit_outs]) | meeting_again.counted(event, drawn),
    )


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
        return draws.publish_draw(draw=draw, by=by)


def take_back_round(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take a published round back. Its games are kept, and count again when the same draw is published again.

    Raises:
        StepRefused: the night is over, or a later round is published.
    """
    with transaction.atomic():
        lock_open_event(draw.round.stage.event)
        taken = draws.withdraw_draw(draw=draw, by=by, reason=reason)
        Round.objects.filter(pk=draw.round_id).update(closed=False)
    return taken


def deals_of(draw: Draw) -> int:
    """Deals that count in the games of a draw: so many stop counting when it is taken back."""
    games = Game.objects.filter(group_game__group__table__draw=draw)
    return games.aggregate(n=Sum("deals_played"))["n"] or 0


def close_round(*, round: Round, by: Actor, end_open: bool, reason: str = "") -> Round:
    """Close a round, so that the next can be published.

    Games still open are ended as they stand with the director's reason, or left open: then they can still be
    finished, and must be before the night is closed.

    Raises:
        StepRefused: the night is over, nothing is published, or games are to be ended without a reason.
    """
    with transaction.atomic():
        event = lock_open_event(round.stage.event)
        round = Round.objects.select_for_update().get(pk=round.pk)
        if round.closed:
            return round
        draw = round.draws.filter(state=Draw.State.PUBLISHED).first()
        if draw is None:
            raise StepRefused(_("This round has no published draw. Publish its draw first."))
        left = list(open_games(draw))
        for game in left if end_open else ():
            try:
                end_game(game=game, by=by, reason=reason)
            except ReasonMissing:
                raise StepRefused(
                    _("Say why the games still open are ended: the reason stands on their cards.")
                ) from None
        round.closed = True
        round.save()
        log(
            club=event.club,
            by=by,
            verb="round.close",
            subject=f"{event}: {round}",
            new={"ended" if end_open else "left open": [g.pk for g in left], "reason": reason},
        )
    return round


def reopen_round(*, round: Round, by: Actor) -> Round:
    """Take back that a round was closed. Games that were ended with it stay ended.

    Raises:
        StepRefused: the night is over, or the next round is published.
    """
    with transaction.atomic():
        event = lock_open_event(round.stage.event)
        round = Round.objects.select_for_update().get(pk=round.pk)
        if not round.closed:
            return round
        refuse_later_round(round)
        round.closed = False
        round.save()
        log(club=event.club, by=by, verb="round.reopen", subject=f"{event}: {round}")
    return round


def open_games(draw: Draw) -> Any:
    """The games of a draw that are still being played, in order of tables."""
    return Game.objects.filter(group_game__group__table__draw=draw, state=Game.State.OPEN).order_by(
        "group_game__group__table__number", "group_game__group__number", "group_game__number"
    )


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


def _walk_in(event: Event, name: str, join: bool, by: Actor) -> tuple[Member | None, str]:
    """The member of that name, a new one, or None and the guest's name. Raises StepRefused for a name that can't be."""
    name = tidy(name)
    if not any(ch.isalpha() for ch in name):
        raise StepRefused(_("Write the name of who has come."))
    if len(name) > LONGEST_NAME:
        raise StepRefused(_("The name is too long: %(n)d letters are the most.") % {"n": LONGEST_NAME})
    if same := next((e for e in event.entries.all() if key(e.name) == key(name)), None):
        raise StepRefused(_already(same))
    member = next((m for m in Member.objects.filter(club=event.club) if key(m.name) == key(name)), None)
    if member is None and join:
        member = Member.objects.create(club=event.club, name=name)
        log(club=event.club, by=by, verb="member.add", subject=name)
    return member, name


def _already(entry: Entry) -> str:
    if entry.state == Entry.State.HERE:
        return _(
            "%(name)s is on the list already. If this is somebody else of that name, "
            "add something that tells the two apart, such as a street."
        ) % {"name": entry.name}
    return _("%(name)s is on the list and had left. Press the name to mark them here again.") % {"name": entry.name}


def _mark(entry: Entry, state: Entry.State, by: Actor, verb: str) -> Entry:
    with transaction.atomic():
        event = lock_open_event(entry.event)
        entry = Entry.objects.select_for_update().get(pk=entry.pk)
        if entry.state != state:
            entry.state = state
            entry.save()
            log(club=event.club, by=by, verb=verb, subject=f"{event}: {entry}")
    return entry


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
    if wrong := formats.misplaced(event):
        raise StepRefused(wrong)
