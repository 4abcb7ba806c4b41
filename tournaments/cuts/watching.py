"""What a change to a game brings for its event: who goes on from a published cut, who plays in a published round, who
moves in standings that people have seen."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.cards.submit import Published
from scoring.models import Game
from tournaments.cuts import cuts
from tournaments.draws import by_format
from tournaments.events.state import published_cut
from tournaments.models import Draw, Event, GroupGame, Round
from tournaments.standings.queries import lines_of
from tournaments.standings.standings import standings_of


def watch_event(game: Game) -> Sequence[str]:
    """Sentences about what no longer agrees with a game's results: the cut of its stage, or a later round. None for a
    game outside events. A `scoring.cards.submit.Watch`."""
    round_ = _round_of(game)
    if round_ is None:
        return ()
    stage = round_.stage
    if stage.event.by_rounds:
        return [words] if (words := by_format.misplaced(stage.event)) else []
    cut = published_cut(stage)
    return cuts.difference(cut).sentences if cut else []


def watch_standings(game: Game) -> Published | None:
    """The standings that people have seen and that rest on a game: a published result, the standings of a stage whose
    cut is published, or those of a night once the game's round is closed. A `scoring.cards.submit.Standings`.

    None while a night's round is played: its standings are provisional and say so, and a slip is put right unasked.
    """
    round_ = _round_of(game)
    if round_ is None:
        return None
    stage, event = round_.stage, round_.stage.event
    cut = None if event.by_rounds else published_cut(stage)
    if event.state == Event.State.FINISHED and (event.by_rounds or cut is None):
        title = _("The result of %(event)s is published.") % {"event": event}
        words = _("It stands until you publish its next version; by this they would move:")
    elif cut:
        title = _("The cut of %(stage)s is published.") % {"stage": stage}
        words = _("In the standings of the stage they would move:")
    elif event.by_rounds and round_.closed:
        title = _("Round %(n)d is closed, and its standings have been seen.") % {"n": round_.number}
        words = _("In the standings they would move:")
    else:
        return None
    through = cuts.finalists_now(cut) if cut else None
    same = ""
    if cut and through and not cuts.difference(cut):
        same = ngettext("The same %(n)d goes on.", "The same %(n)d go on.", len(through)) % {"n": len(through)}
    return Published(title, words, lines_of(standings_of(stage).rows, through), same)


def _round_of(game: Game) -> Round | None:
    """The round in which a game counts; None for one outside events, or of a draw that was taken back. One query."""
    row = (
        GroupGame.objects.filter(game=game, group__table__draw__state=Draw.State.PUBLISHED)
        .select_related(
            "group__table__draw__round__stage__event__rules", "group__table__draw__round__stage__event__club"
        )
        .first()
    )
    return row.group.table.draw.round if row else None
