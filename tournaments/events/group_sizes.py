"""Which numbers of entries fit the groups and tables of a competition, and what to do where one doesn't."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine.core.ruleset import RuleSet, Shape
from tournaments.engine.draws.contest import DoesNotFit, Sizes, table_sizes
from tournaments.events.stage_plans import table_size
from tournaments.models import Event, Stage


def sizes_of(event: Event) -> Sizes:
    """The sizes of the event's tables and groups, in the engine's shape."""
    return sizes_for(event.rules.rule_set, event.shape)


def sizes_for(rule_set: RuleSet, shape: Shape) -> Sizes:
    """The sizes of tables and groups of a competition in that game, in the engine's shape."""
    others = [size for size in group_shapes(rule_set, shape) if size != shape.players]
    return Sizes(table_size(shape), shape.players, others)


def misfit_of(sizes: Sizes, entries: int) -> DoesNotFit | None:
    """Why that many entries don't fit groups of these sizes; None when they do."""
    try:
        table_sizes(entries, sizes)
    except DoesNotFit as no:
        return no
    return None


def shape_together(event: Event, entries: int) -> Shape | None:
    """How so many play in one group where that isn't the event's usual group; None where the game doesn't allow it."""
    return group_shapes(event.rules.rule_set, event.shape).get(entries) if entries > event.shape.players else None


def stage_sizes(stage: Stage, entries: int) -> Sizes:
    """The sizes of a stage's tables and groups: those of its event, or one group of all."""
    together = stage.together and shape_together(stage.event, entries)
    return Sizes(entries, entries) if together else sizes_of(stage.event)


def groups_apart(stage: Stage, entries: int) -> int:
    """In how many groups that don't meet so many would play a stage; 0 where the number doesn't fit."""
    sizes = stage_sizes(stage, entries)
    return 0 if misfit_of(sizes, entries) else sum(map(len, table_sizes(entries, sizes)))


def apart_words(stage: Stage, entries: int) -> str:
    """What it means that a final is played in several groups, and what else could be; "" for one group."""
    groups, event = groups_apart(stage, entries), stage.event
    if groups < 2:
        return ""
    words = [
        _("%(stage)s: %(entries)d play in %(groups)d groups, and its order compares points of people who don't meet.")
        % {"entries": entries, "stage": stage, "groups": groups}
    ]
    if shape_together(event, entries):
        words.append(_("All %(n)d can play at one table instead.") % {"n": entries})
    words.append(_("Or let %(n)d go on: they meet at one table.") % {"n": event.shape.players})
    return " ".join(words)


def fit_words(event: Event, entries: int) -> str:
    """What to do when that many entries don't fit the event's groups; "" when they do."""
    sizes = group_shapes(event.rules.rule_set, event.shape)
    if no := misfit_of(sizes_of(event), entries):
        ways = []
        if no.add:
            ways.append(
                ngettext("add %(n)d name or a stand-in", "add %(n)d names or stand-ins", no.add) % {"n": no.add}
            )
        if no.remove:
            ways.append(
                ngettext("make %(n)d entry a reserve", "make %(n)d entries reserves", no.remove) % {"n": no.remove}
            )
        return _("%(entries)s don't fit groups of %(sizes)s: %(ways)s.") % {
            "entries": ngettext("%(n)d entry", "%(n)d entries", entries) % {"n": entries},
            "sizes": _(" or ").join(str(size) for size in sorted(sizes)),
            "ways": _(", or ").join(ways) or _("change the number of entries"),
        }
    return ""


def group_shapes(rule_set: RuleSet, own: Shape) -> dict[int, Shape]:
    """Sizes of group that may be drawn, with their shapes: the event's `own`, and those its rules also allow."""
    others = [
        shape
        for shape in rule_set.shapes
        if 2 < shape.players <= table_size(own)
        and (
            shape.per_side == own.per_side == 1
            or (own.per_side > 1 and shape.sides == own.sides and shape.per_side > 1)
        )
    ]
    return {shape.players: shape for shape in (*others, own)}
