"""The chain of tie-breaks of an event: what is usual for its format, and which links fit it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from tournaments.engine.standings.tie_breaks import STRENGTH, misfits
from tournaments.errors import StepRefused
from tournaments.models import Event, Stage

AFTERWARDS = ("play-off", "lots", "shared")  # what comes after the links that a director chooses


def chain_slugs(event: Event) -> tuple[str, ...]:
    """The event's tie-breaks in order."""
    return tuple(event.tie_breaks) or event.traits.chain


def chosen(slugs: Iterable[str]) -> tuple[str, ...]:
    """The links that a director chooses, without what comes after them."""
    return tuple(slug for slug in slugs if slug not in AFTERWARDS)


def all_meet(event: Event) -> bool:
    """Whether games against each other can decide among those who are level.

    In a competition they can while each plays alone and every cut is within a group, where all have met.
    """
    if event.by_rounds:
        return event.traits.all_meet
    within = {Stage.CutRule.NONE, Stage.CutRule.GROUP} | ({Stage.CutRule.TABLE} if event.shape.players > 3 else set())
    return event.per_side == 1 and {stage.cut_rule for stage in event.stages.all()} <= within


def refuse_misfits(event: Event, slugs: Sequence[str]) -> None:
    """Raises StepRefused when a link of the chain doesn't fit the event's format."""
    strength = _("Some meet stronger opponents than others in a Swiss only. Choose another way to break ties.")
    words = dict.fromkeys((f"chain.{slug}" for slug in STRENGTH), strength) | {
        "chain.reached": _("How far somebody came counts in a knock-out only. Choose another way to break ties."),
        "chain.head-to-head": _(
            "“Games against each other” can't decide here: not everybody who may be level has met. "
            "Choose another way to break ties."
        ),
    }
    traits, met = event.traits, "head-to-head" not in slugs or all_meet(event)
    for code in misfits(slugs, bracket=traits.bracket, all_meet=met, by_score=traits.by_score):
        raise StepRefused(words[code])
