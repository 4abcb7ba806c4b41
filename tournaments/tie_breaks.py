"""The chain of tie-breaks of an event: which fit its format, and what changing it after the start would change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.effects import StageEffect, fingerprint, moves_between
from tournaments.engine.tiebreaks import misfits
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Event, Stage
from tournaments.standings import chain_slugs, standings_of
from tournaments.state import lock_event, refuse_finished

AFTERWARDS = ("play-off", "lots", "shared")  # what comes after the links that a director chooses
ALL_MEET = (Event.Format.ROUND_ROBIN, Event.Format.SWISS, Event.Format.SINGLE_TABLE)


def chosen(slugs: Iterable[str]) -> tuple[str, ...]:
    """The links that a director chooses, without what comes after them."""
    return tuple(slug for slug in slugs if slug not in AFTERWARDS)


def all_meet(event: Event) -> bool:
    """Whether games against each other can decide among those who are level.

    In a competition they can while each plays alone and every cut is within a group, where all have met.
    """
    if event.format != Event.Format.CONTEST:
        return event.format in ALL_MEET
    within = {Stage.CutRule.NONE, Stage.CutRule.GROUP} | ({Stage.CutRule.TABLE} if event.shape.players > 3 else set())
    return event.per_side == 1 and {stage.cut_rule for stage in event.stages.all()} <= within


def refuse_misfits(event: Event, slugs: Sequence[str]) -> None:
    """Raises StepRefused when a link of the chain doesn't fit the event's format."""
    words = {
        "chain.reached": _("How far somebody came counts in a knock-out only. Choose another way to break ties."),
        "chain.head-to-head": _(
            "“Games against each other” can't decide here: not everybody who may be level has met. "
            "Choose another way to break ties."
        ),
    }
    bracket = event.format == Event.Format.KNOCK_OUT
    for code in misfits(slugs, bracket=bracket, all_meet="head-to-head" not in slugs or all_meet(event)):
        raise StepRefused(words[code])


def effect_of_chain(event: Event, slugs: Sequence[str]) -> tuple[StageEffect, ...]:
    """Whose place the chain would change, stage by stage, as results stand now. Changes nothing."""
    effects = []
    drawn = event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).distinct().order_by("number")
    cut = set(Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED).values_list("stage", flat=True))
    for stage in drawn:
        stage.event = event
        moves = moves_between(standings_of(stage).rows, standings_of(stage, slugs).rows)
        effects.append(StageEffect(stage, moves, stage.pk in cut))
    return tuple(effects)


def change_tie_breaks(*, event: Event, by: Actor, tie_breaks: Sequence[str], seen: str) -> Event:
    """Change the chain of an event that has begun. `seen` is the fingerprint of the effects that the page showed.

    Published cuts and results stay as they are: each keeps the chain it was made with.

    Raises:
        StepRefused: a link doesn't fit or stands twice, the effects aren't those seen, or the result is published.
    """
    with transaction.atomic():
        event = lock_event(event)
        old, new = chain_slugs(event), (*chosen(tie_breaks), "play-off", "lots")
        refuse_finished(event)
        if not chosen(new) or len(set(new)) < len(new):
            raise StepRefused(_("Each way to break a tie can stand only once, and there must be one at least."))
        refuse_misfits(event, new)
        if chosen(new) == chosen(old):
            return event
        effects = effect_of_chain(event, new)
        if fingerprint(effects) != seen:
            raise StepRefused(_("Results have changed since this page was opened. Look at what changes again."))
        event.tie_breaks = list(new)
        event.save()
        log(
            club=event.club,
            by=by,
            verb="tie-breaks.change",
            subject=event,
            old={"tie_breaks": list(old)},
            new={
                "tie_breaks": list(new),
                "moved": {e.stage.name: [[m.name, m.before, m.after] for m in e.moves] for e in effects if e.moves},
            },
        )
    return event
