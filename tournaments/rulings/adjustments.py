"""Penalties and other adjustments by the director: points with a reason, counted in the standings and the cut."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.models import LONGEST_REASON
from tournaments.errors import StepRefused
from tournaments.events.state import lock_open_event
from tournaments.models import Adjustment, Draw, Entry, Event, Stage
from tournaments.models.result_rows import side_name
from tournaments.rulings.effects import effects_as_seen, results_of_stages, stage_alone
from tournaments.standings.standings import sides_in

MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class PointsGiven:
    """Points that an entry, or the side that it is ranked with, is given or, below zero, loses, and why."""

    entry: Entry
    points: int
    reason: str


def adjust(*, stage: Stage, given: PointsGiven, by: Actor, submission: UUID, seen: str | None = None) -> Adjustment:
    """Give points to whoever is ranked in a stage, or take them away; or return the adjustment that this submission
    made before. A side is known by its first person, whoever of it is named.

    `seen` is the fingerprint of the effects on the stage alone that the page showed; None where it is only tried, or
    nobody was shown any. A published cut stays as it is.

    Raises:
        StepRefused: no points, no reason, the entry doesn't play in this stage, the effect isn't the one seen, or the
            result is published.
    """
    points, reason = given.points, given.reason.strip()
    if not reason:
        raise StepRefused(_("Write the reason: it is shown and printed with the standings."))
    if not points or abs(points) > MOST_POINTS:
        raise StepRefused(_("Write how many points, with a minus sign for a penalty."))
    with transaction.atomic():
        event = lock_open_event(stage.event)
        if done := Adjustment.objects.filter(submission=submission, stage__event=event).first():
            return done
        stage = event.stages.get(pk=stage.pk)
        side = next(side for side in sides_in(stage) if given.entry in side)
        entry, name = side[0], side_name(person.name for person in side)
        published = Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED)
        if not published.filter(seats__entry=entry).exists() and not published.filter(sit_outs__entry=entry).exists():
            raise StepRefused(
                _("%(name)s doesn't play in %(stage)s, so there is nothing to adjust.") % {"name": name, "stage": stage}
            )
        before = results_of_stages(stage_alone(stage)) if seen is not None else ()
        made = Adjustment.objects.create(
            stage=stage, entry=entry, points=points, reason=reason[:LONGEST_REASON], by=by.user, submission=submission
        )
        if seen is not None:
            effects_as_seen(stage_alone(stage), before, seen=seen)
        new = {"stage": stage.name, "points": points, "reason": made.reason}
        log(club=event.club, by=by, verb="adjustment.make", subject=event.about(name), new=new)
    return made


def take_back_adjustment(*, adjustment: Adjustment, by: Actor, reason: str = "") -> Adjustment:
    """Let an adjustment not count any more. It stays to be read.

    Raises:
        StepRefused: the result is published.
    """
    with transaction.atomic():
        event = lock_open_event(adjustment.stage.event)
        found = Adjustment.objects.select_related("entry", "stage").get(pk=adjustment.pk)
        if found.withdrawn_at:
            return found
        found.withdrawn_at = timezone.now()
        found.save()
        old = {"stage": found.stage.name, "points": found.points, "reason": found.reason}
        new = {"reason": reason.strip()}
        name = names_ranked(found.stage)[found.entry_id]
        log(club=event.club, by=by, verb="adjustment.withdraw", subject=event.about(name), old=old, new=new)
    return found


def adjustments_of(event: Event) -> list[tuple[Adjustment, str]]:
    """All adjustments of an event with stage and who made them, the latest first, each with the name of the person or
    side. Four queries at most."""
    made = list(Adjustment.objects.filter(stage__event=event).select_related("stage", "by").order_by("-pk"))
    names = names_ranked(made[0].stage) if made else {}
    return [(adjustment, names[adjustment.entry_id]) for adjustment in made]


def names_ranked(stage: Stage) -> dict[int, str]:
    """The name of the person or side with which each entry of an event is ranked. Three queries at most."""
    return {person.pk: side_name(each.name for each in side) for side in sides_in(stage) for person in side}
