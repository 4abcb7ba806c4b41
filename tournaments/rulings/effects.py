"""What a decision of the director would change in the order of stages and in their published cuts: shown before it is
confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubsite.previews import fingerprint, preview
from scoring.cards.submit import PointsMove, Published, moves_between
from tournaments.cuts import cuts
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import Draw, Event, Stage
from tournaments.standings.queries import lines_of
from tournaments.standings.standings import standings_of


@dataclass(frozen=True, slots=True)
class StageResults:
    """A stage's standings, and how its results differ from its published cut (None where there is none)."""

    stage: Stage
    standings: Published
    cut: cuts.CutDifference | None


@dataclass(frozen=True, slots=True)
class StageEffect:
    """What would change in one stage."""

    stage: Stage
    moves: tuple[PointsMove, ...]  # whose place or points would change, in the order of the standings after
    cut_stands: bool  # a cut is published, and stays as it is
    cut: cuts.CutDifference | None = None  # how the results would differ from that cut then


def drawn_stages(event: Event) -> QuerySet[Stage]:
    """The stages of an event that have a published draw, in order."""
    drawn = Stage.objects.filter(event=event.pk, rounds__draws__state=Draw.State.PUBLISHED).distinct()
    return drawn.order_by("number")


def stage_alone(stage: Stage) -> QuerySet[Stage]:
    """A query for one stage alone, in the form that `effects_of` takes."""
    return Stage.objects.filter(pk=stage.pk)


def effects_of(stages: QuerySet[Stage], deed: Callable[[], object]) -> tuple[StageEffect, ...]:
    """What a verb would do to the stages, as results stand now. Nothing is kept.

    Raises:
        StepRefused: when the verb does.
    """
    return _between(*preview(deed, lambda: results_of_stages(stages)))


def results_of_stages(stages: QuerySet[Stage]) -> tuple[StageResults, ...]:
    """How the stages stand, asked anew at each call."""
    found = []
    for stage in stages.select_related("event__club", "event__rules"):
        cut = published_cut(stage)
        standings = Published(stage.name, "", lines_of(standings_of(stage).rows))
        found.append(StageResults(stage, standings, cuts.difference(cut) if cut else None))
    return tuple(found)


def effects_as_seen(
    stages: QuerySet[Stage], before: Sequence[StageResults], *, seen: str | None
) -> tuple[StageEffect, ...]:
    """What a verb has changed since `before`, within its transaction. `seen`: the fingerprint of the effects that the
    page showed; None where nobody was shown any.

    Raises:
        StepRefused: these aren't the effects that were seen.
    """
    effects = _between(before, results_of_stages(stages))
    if seen is not None and fingerprint(effects) != seen:
        raise StepRefused(_("Results have changed since this page was opened. Look at what changes again."))
    return effects


def moves_in_words(effects: Sequence[StageEffect]) -> Mapping[str, list[list[str]]]:
    """For the log: by the name of each stage, who moved, from which place and to which."""
    return {e.stage.name: [[m.after.name, m.before.place, m.after.place] for m in e.moves] for e in effects if e.moves}


def _between(before: Sequence[StageResults], after: Sequence[StageResults]) -> tuple[StageEffect, ...]:
    return tuple(
        StageEffect(now.stage, moves_between(was.standings, now.standings).moves, now.cut is not None, now.cut)
        for was, now in zip(before, after, strict=True)
    )
