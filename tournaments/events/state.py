"""What is published or still open in an event, and refusals of changes to what something published rests on.

Every verb on an event begins with `event_locked`. Refusals say what to take back first."""

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
    """The event as it is now, with its club locked until the transaction ends."""
    Club.acquire_lock(event.club_id)
    return Event.objects.select_related("club", "rules").get(pk=event.pk)


@contextmanager
def event_locked(event: Event) -> Iterator[Event]:
    """A transaction with the event as it is now; every verb on an event begins with it."""
    with transaction.atomic():
        yield lock_event(event)


@contextmanager
def open_event_locked(event: Event) -> Iterator[Event]:
    """As `event_locked`. Raises StepRefused: the event is called off or its result is published."""
    with transaction.atomic():
        yield lock_open_event(event)


def lock_round(round: Round) -> Round:
    """The round as it is now, with its club locked until the transaction ends."""
    Club.acquire_lock(round.stage.event.club_id)
    return Round.objects.select_related("stage__event__club").get(pk=round.pk)


def stage_draw(stage: Stage) -> Draw | None:
    return Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED).first()


def published_cut(stage: Stage) -> Cut | None:
    cut = Cut.objects.filter(stage=stage, state=Cut.State.PUBLISHED).first()
    if cut:
        cut.stage = stage
    return cut


def was_ever_drawn(event: Event) -> bool:
    """Whether a draw of the event is or was published."""
    return Draw.objects.filter(round__stage__event=event).exclude(state=Draw.State.DRAFT).exists()


def following_bracket(event: Event) -> Event | None:
    """The knock-out event that a cut of this competition leads into, instead of its later stages."""
    brackets = Event.objects.filter(from_stage__event=event, called_off="").select_related("from_stage", "rules")
    return brackets.order_by("pk").first()


def result_stage(event: Event) -> Stage | None:
    """The stage whose standings are the result: the final, the stage whose cut leads into a knock-out, or a night's
    only one."""
    if not event.by_rounds:
        if event.state == Event.State.FINISHED:
            result = event.published_standings.filter(final=True).select_related("stage").order_by("-pk").first()
            return result.stage if result else None
        if bracket := following_bracket(event):
            return bracket.from_stage
    return event.stages.order_by("-number").first()


def night_stage(event: Event) -> Stage:
    """The only stage of an event that goes round by round; made if there is none yet."""
    stage, _made = Stage.objects.get_or_create(event=event, number=1, defaults={"name": _("Club night"), "games": 1})
    return stage


def count_open_groups(stage: Stage) -> int:
    return (
        Group.objects.filter(table__draw__round__stage=stage, table__draw__state=Draw.State.PUBLISHED)
        .filter(games__game__state=Game.State.OPEN)
        .distinct()
        .count()
    )


def lock_open_event(event: Event) -> Event:
    """As `lock_event`. Raises StepRefused: the event is called off or its result is published."""
    event = lock_event(event)
    refuse_finished(event)
    return event


def referenced_filter(model: type[Model], *, but: tuple[type[Model], ...] = ()) -> Q:
    """A filter for rows that a row of any model points at, except of the models `but`. Models added later count too."""
    links = [rel.field for rel in model._meta.get_fields(include_hidden=True) if isinstance(rel, ManyToOneRel)]
    rows = [link.model._base_manager.filter(**{link.name: OuterRef("pk")}) for link in links if link.model not in but]
    return reduce(or_, (Q(Exists(row)) for row in rows))


def is_referenced(rows: QuerySet[Any], *, but: tuple[type[Model], ...] = ()) -> bool:
    """Whether any row points at one of these. One query."""
    return rows.filter(referenced_filter(rows.model, but=but)).exists()


def published_draws(event: Event) -> QuerySet[Draw]:
    draws = Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED)
    return draws.order_by("round__stage__number", "round__number")


def is_drawn(event: Event) -> bool:
    return published_draws(event).exists()


def refuse_finished(event: Event) -> None:
    """Raises StepRefused if the event is called off, or its result is published."""
    if event.called_off:
        raise StepRefused(_("This event is called off. Press “Reinstate this event” first."))
    if event.state != Event.State.FINISHED:
        return
    if event.by_rounds:
        raise StepRefused(_("This night is closed. Reopen it first."))
    raise StepRefused(_("The result of %(event)s is published. Take it back first.") % {"event": event})


def refuse_published_cut(stage: Stage) -> None:
    if published_cut(stage):
        raise StepRefused(_("The cut of %(stage)s is published. Take it back first.") % {"stage": stage})


def refuse_published_draw(stage: Stage) -> None:
    if stage_draw(stage):
        raise StepRefused(_("The draw of %(stage)s is published. Take it back first.") % {"stage": stage})


def refuse_next_stages(stage: Stage) -> None:
    """Raises StepRefused if a draw of a later stage is published."""
    for later in stage.event.stages.filter(number__gt=stage.number):
        refuse_published_draw(later)


def refuse_later_round(round: Round) -> None:
    """Raises StepRefused if a later round of the stage is published."""
    later = Draw.objects.filter(round__stage=round.stage_id, round__number__gt=round.number, state=Draw.State.PUBLISHED)
    if later.exists():
        raise StepRefused(_("A later round is published. Take that one back first."))
