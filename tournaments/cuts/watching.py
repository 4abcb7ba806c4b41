"""What a change to a game brings for its event: who goes on from a published cut, who plays in a published round."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.models import Game
from tournaments.cuts import cuts
from tournaments.draws import by_format
from tournaments.events.state import published_cut
from tournaments.models import Draw, GroupGame


def watch_event(game: Game) -> Sequence[str]:
    """See `scoring.cards.consequences.Watch`. Of a game outside events there is nothing to say."""
    row = (
        GroupGame.objects.filter(game=game, group__table__draw__state=Draw.State.PUBLISHED)
        .select_related(
            "group__table__draw__round__stage__event__rules", "group__table__draw__round__stage__event__club"
        )
        .first()
    )
    if row is None:
        return ()
    stage = row.group.table.draw.round.stage
    if stage.event.by_rounds:
        return [words] if (words := by_format.misplaced(stage.event)) else []
    cut = published_cut(stage)
    return cuts.difference(cut).sentences if cut else []
