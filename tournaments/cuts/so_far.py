"""Who would go on if a stage ended now, for everybody to see: by the published results alone."""

from __future__ import annotations

from dataclasses import replace

from tournaments.cuts.cuts import rule_of
from tournaments.cuts.field import CutField
from tournaments.engine.standings.cut import propose_cut
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut, stage_draw
from tournaments.models import Stage


def through_so_far(stage: Stage) -> frozenset[int]:
    """The entries that go on by the published cut, else those that would by the points as they stand.

    Nothing that only the director knows is in it: play-offs and lots that are held count with the cut's publication,
    and so does who may not go on. Those who are level at the line aren't in. Empty where nobody goes on from the stage.
    """
    if cut := published_cut(stage):
        return frozenset(cut.lines.filter(advances=True).values_list("entry_id", flat=True))
    draw = stage_draw(stage)
    if draw is None or not stage.cut_rule:
        return frozenset()
    try:
        rule = rule_of(stage, draw)
    except StepRefused:
        return frozenset()
    field = CutField(stage)
    candidates = [replace(candidate, ineligible="") for candidate in field.candidates]
    cut_now = propose_cut(candidates, rule=rule, chain=field.chain)
    return frozenset(one.entry for one in cut_now.decisions if one.advances)
