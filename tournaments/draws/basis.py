"""Whether what a draw rests on still holds: who plays, the rounds or stages before it, and what came of them.

It is kept with every draw, and compared whenever the draw is published: a draft that waited, and as well a draw that
was taken back and is published again.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.draws.formats import way_of
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Stage


def entries_for(stage: Stage) -> list[Entry]:
    """Who is to be drawn. Raises StepRefused when that isn't known yet."""
    return way_of(stage.event).people(stage)


def refuse_stale(draw: Draw) -> None:
    """Check that a draw can still be published.

    Raises:
        StepRefused: what it rests on has changed; says what.
    """
    if why := way_of(draw.round.stage.event).why_stale(draw):
        raise StepRefused(" ".join([*why, _("Make the draw again.")]))


def why_stale(draw: Draw) -> str:
    """Why a draw can't be published any more, in words; "" when it can."""
    try:
        return " ".join(way_of(draw.round.stage.event).why_stale(draw))
    except StepRefused as refused:
        return str(refused.message)
