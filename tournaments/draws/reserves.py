"""A reserve takes the seat of somebody who left; where somebody sits."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.models import Deal, HandicapEntry
from tournaments.draws.keeping import WITH_EVENT, Chair, seated_in
from tournaments.draws.succession import follow, restated
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event, refuse_cut
from tournaments.models import Draw, Entry, Group, Seat, Stage


def seat_of(entry: Entry, stage: Stage | None = None) -> Seat | None:
    """The entry's seat in a published draw: of that stage, or of the latest stage in which it has one."""
    seats = Seat.objects.filter(entry=entry, draw__state=Draw.State.PUBLISHED)
    if stage is not None:
        seats = seats.filter(draw__round__stage=stage)
    return seats.select_related("group__table", "draw__round__stage").order_by("-draw__round__stage__number").first()


def has_begun(group: Group) -> bool:
    """Whether a deal was recorded in one of the group's games, void or not."""
    return Deal.objects.filter(game__group_game__group=group).exists()


def take_seat(*, leaving: Entry, entering: Entry, stage: Stage, by: Actor, begun: bool = False) -> Draw:
    """Give a seat to somebody else, as long as no deal of its group is recorded. All other seats and games stay. With
    `begun` the seat goes over with what is recorded at it, which counts for the newcomer then.

    The published draw becomes a version taken back, and its games go over to the new version.

    Raises:
        StepRefused: no such seat, the group has begun, or the stage's cut is published; with `begun`, a game there has
            moved a handicap.
    """
    with transaction.atomic():
        event = lock_event(stage.event)
        seat = seat_of(leaving, stage)
        if seat is None:
            if done := seat_of(entering, stage):
                return done.draw
            raise StepRefused(_("%(name)s has no seat in %(stage)s.") % {"name": leaving, "stage": stage})
        if seat_of(entering, stage):
            raise StepRefused(_("%(name)s has a seat in %(stage)s already.") % {"name": entering, "stage": stage})
        if begun and HandicapEntry.objects.filter(game__group_game__group=seat.group, current=True).exists():
            raise StepRefused(
                _("A game at table %(table)s has moved a handicap, so who sat there stays.") % {"table": seat.group}
            )
        if has_begun(seat.group) and not begun:
            raise StepRefused(
                _(
                    "The games of table %(table)s have begun, so nobody can take the seat. "
                    "End the set early instead, with the reason."
                )
                % {"table": seat.group}
            )
        refuse_cut(stage)
        draw = WITH_EVENT.get(pk=seat.draw_id)
        now = seated_in(draw).with_chairs(lambda chair: Chair(entering.pk) if chair.entry == leaving.pk else chair)
        taken = [*draw.statement.get("seat_taken", []), [leaving.name, entering.name]]
        made = follow(draw=draw, seated=now, statement=restated(draw, now, seat_taken=taken), by=by)
        old, new = {"name": leaving.name, "draw": draw.number}, {"name": entering.name, "draw": made.number}
        subject = event.about(f"{stage} · {seat.group}")
        log(club=event.club, by=by, verb="seat.take", subject=subject, old=old, new=new)
    return made


def seat_reserve(*, leaving: Entry, entering: Entry, by: Actor) -> Draw:
    """Give a reserve of the event the seat of somebody who has withdrawn from the first stage.

    Raises:
        StepRefused: as for `take_seat`; or the one still plays, or the other isn't a reserve.
    """
    with transaction.atomic():
        event = lock_event(leaving.event)
        leaving, entering = event.entries.get(pk=leaving.pk), event.entries.get(pk=entering.pk)
        first = event.stages.get(number=1)
        if leaving.state != Entry.State.WITHDRAWN:
            raise StepRefused(_("%(name)s still plays. Withdraw them first.") % {"name": leaving})
        if entering.state == Entry.State.WITHDRAWN:
            raise StepRefused(_("%(name)s has withdrawn.") % {"name": entering})
        made = take_seat(leaving=leaving, entering=entering, stage=first, by=by)
        if entering.state != Entry.State.HERE:
            entering.state = Entry.State.HERE
            entering.save()
    return made


def last_reached(entry: Entry) -> str:
    """The latest stage in which the entry has a seat, and its group there, in words; "" where it has none."""
    seat = seat_of(entry)
    return f"{seat.draw.round.stage} · {seat.group}" if seat else ""
