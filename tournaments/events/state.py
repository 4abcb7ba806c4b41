"""What of an event is published or still open, and what can't be changed as something that rests on it is published.

Every verb on an event begins with `event_locked`; what it refuses because of something published is said here, with the
way back: take that back first."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Exists, ManyToOneRel, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from scoring.models import Game
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Event, Group, Round, Stage


def lock_event(event: Event) -> Event:
    """The event as it is now; nobody else can write in its club until the transaction ends."""
    Club.acquire_lock(event.club_id)
    return Event.objects.select_related("club", "rules").get(pk=event.pk)


@contextmanager
def event_locked(event: Event) -> Iterator[Event]:
    """A transaction on the event as it is now: how every verb on an event begins."""
    with transaction.atomic():
        yield lock_event(event)


@contextmanager
def open_event_locked(event: Event) -> Iterator[Event]:
    """The same on an event that goes on. Raises StepRefused when it is called off or its result is published."""
    with transaction.atomic():
        yield lock_open_event(event)


def lock_round(round: Round) -> Round:
    """The round as it is now; nobody else can write in its club until the transaction ends."""
    Club.acquire_lock(round.stage.event.club_id)
    return Round.objects.select_related("stage__event__club").get(pk=round.pk)


def stage_draw(stage: Stage) -> Draw | None:
    return Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED).first()


def published_cut(stage: Stage) -> Cut | None:
    """The published cut of the stage."""
    cut = Cut.objects.filter(stage=stage, state=Cut.State.PUBLISHED).first()
    if cut:
        cut.stage = stage
    return cut


def seating_exists(event: Event) -> bool:
    """Whether a draw of the event was ever published."""
    return Draw.objects.filter(round__stage__event=event).exclude(state=Draw.State.DRAFT).exists()


def bracket_of(event: Event) -> Event | None:
    """The knock-out that a cut of a competition leads into, instead of its later stages."""
    brackets = Event.objects.filter(from_stage__event=event, called_off="").select_related("from_stage", "rules")
    return brackets.order_by("pk").first()


def last_stage(event: Event) -> Stage | None:
    """The stage whose standings are the result: the final of a competition, or the stage whose cut leads into a
    knock-out; the one stage of a night."""
    if not event.by_rounds:
        if event.state == Event.State.FINISHED:
            result = event.published_standings.filter(final=True).select_related("stage").order_by("-pk").first()
            return result.stage if result else None
        if bracket := bracket_of(event):
            return bracket.from_stage
    return event.stages.order_by("-number").first()


def stage_of(event: Event) -> Stage:
    """The one stage of an event that goes round by round; made when it has none yet."""
    stage, _made = Stage.objects.get_or_create(event=event, number=1, defaults={"name": _("Club night"), "games": 1})
    return stage


def open_groups(stage: Stage) -> int:
    return (
        Group.objects.filter(table__draw__round__stage=stage, table__draw__state=Draw.State.PUBLISHED)
        .filter(games__game__state=Game.State.OPEN)
        .distinct()
        .count()
    )


def lock_open_event(event: Event) -> Event:
    """The event, locked until the transaction ends. Raises StepRefused when it is called off or its result is
    published."""
    event = lock_event(event)
    refuse_finished(event)
    return event


def pointed_at(model: type[Model], *, but: tuple[type[Model], ...] = ()) -> Q:
    """A filter for rows that any row of any model points at, except of the models `but`: models added later count,
    too."""
    links = [rel.field for rel in model._meta.get_fields(include_hidden=True) if isinstance(rel, ManyToOneRel)]
    rows = [link.model._base_manager.filter(**{link.name: OuterRef("pk")}) for link in links if link.model not in but]
    return reduce(or_, (Q(Exists(row)) for row in rows))


def is_pointed_at(rows: QuerySet[Any], *, but: tuple[type[Model], ...] = ()) -> bool:
    """Whether any row points at one of these. One query."""
    return rows.filter(pointed_at(rows.model, but=but)).exists()


def published_draws(event: Event) -> QuerySet[Draw]:
    draws = Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED)
    return draws.order_by("round__stage__number", "round__number")


def is_drawn(event: Event) -> bool:
    """Whether a draw of the event is published."""
    return published_draws(event).exists()


def refuse_finished(event: Event) -> None:
    """Raises StepRefused when an event is called off, or its result is published: a night is closed then."""
    if event.called_off:
        raise StepRefused(_("This event is called off. Press “Reinstate this event” first."))
    if event.state != Event.State.FINISHED:
        return
    if event.by_rounds:
        raise StepRefused(_("This night is closed. Reopen it first."))
    raise StepRefused(_("The result of %(event)s is published. Take it back first.") % {"event": event})


def refuse_cut(stage: Stage) -> None:
    """Raises StepRefused when the cut of a stage is published."""
    if published_cut(stage):
        raise StepRefused(_("The cut of %(stage)s is published. Take it back first.") % {"stage": stage})


def refuse_drawn(stage: Stage) -> None:
    """Raises StepRefused when a draw of a stage is published."""
    if stage_draw(stage):
        raise StepRefused(_("The draw of %(stage)s is published. Take it back first.") % {"stage": stage})


def refuse_next_stages(stage: Stage) -> None:
    """Raises StepRefused when a draw of a stage after this one is published."""
    for later in stage.event.stages.filter(number__gt=stage.number):
        refuse_drawn(later)


def refuse_later_round(round: Round) -> None:
    """Raises StepRefused when a later round of the same stage is published."""
    later = Draw.objects.filter(round__stage=round.stage_id, round__number__gt=round.number, state=Draw.State.PUBLISHED)
    if later.exists():
        raise StepRefused(_("A later round is published. Take that one back first."))
