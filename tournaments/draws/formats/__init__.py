"""How events of each format are drawn: one object per way of drawing, found by the event's format.

What a draw rests on is kept with it and compared whenever it is published, be it a draft that waited or a draw
that was taken back and is published again.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.models import Game
from tournaments.draws.formats.base import EventFormat
from tournaments.draws.formats.by_results import ByResults
from tournaments.draws.formats.contest import Contest
from tournaments.draws.formats.rotation import Rotation
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, Stage

OWN_WAY: dict[str, EventFormat] = {Event.Format.CONTEST: Contest(), Event.Format.ROTATION: Rotation()}
BY_RESULTS = ByResults()


def way_of(event: Event) -> EventFormat:
    """How an event is drawn. A format that isn't named here is one of `tournaments.engine.formats.FORMATS`."""
    return OWN_WAY.get(event.format, BY_RESULTS)


def entries_for(stage: Stage) -> list[Entry]:
    """Who is to be drawn. Raises StepRefused when that isn't known yet."""
    return way_of(stage.event).people(stage)


def refuse_stale(draw: Draw) -> None:
    """Check that a draw can still be published.

    Raises:
        StepRefused: what it rests on has changed; says what.
    """
    if why := _changed(draw):
        raise StepRefused(" ".join([*why, _("Make the draw again.")]))


def why_stale(draw: Draw) -> str:
    """Why a draw can't be published any more, in words; "" when it can."""
    try:
        return " ".join(_changed(draw))
    except StepRefused as refused:
        return str(refused.message)


def _changed(draw: Draw) -> list[str]:
    """What has changed, in words: the game of a draw that was published before, or what its format rests on."""
    event = draw.round.stage.event
    if Game.objects.filter(group_game__group__table__draw=draw).exclude(rules=event.rules_id).exists():
        return [_("The game of this event was changed since.")]
    return way_of(event).why_stale(draw)
