"""A club night with new partners in every round: searched for, all planned rounds together."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from tournaments.draws import rotation
from tournaments.draws.formats.base import ByRounds, DrawOptions
from tournaments.draws.keeping import Drawn, Seated, has_begun
from tournaments.draws.wishes import as_data, wishes_of
from tournaments.errors import StepRefused
from tournaments.models import Draw, Stage


class Rotation(ByRounds):
    """New partners in every round."""

    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn | rotation.Asked:
        """The next round of the last draw's plan, while that holds and no other is asked for; else what to search."""
        if stage.event.shape != rotation.FOURS:
            raise StepRefused(
                _("A club night is drawn for tables of four, two against two. Choose another game for it.")
            )
        steps = rotation.EFFORTS[options.effort] if options.steps is None else options.steps
        fresh = again or options.seed is not None
        if not fresh and (drawn := rotation.going_on(stage, planned=options.planned, odd=options.odd)):
            return drawn
        return rotation.asked_of(stage.event, planned=options.planned, seed=options.seed, steps=steps, odd=options.odd)

    def why_stale(self, draw: Draw) -> list[str]:
        """What makes a draw of any format by rounds stale, and a change of the wishes."""
        why, said = super().why_stale(draw), draw.statement
        if (
            "plan" in said
            and not has_begun(draw)
            and said["plan"]["wishes"] != as_data(wishes_of(draw.round.stage.event))
        ):
            why.append(_("The wishes have changed since it was made."))
        return why

    def restated(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement counted again; the rounds planned after it no longer count: they are drawn again."""
        return rotation.recounted(draw, seated)
