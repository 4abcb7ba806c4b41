"""What a change to a game brings for its event: who goes on from a published cut, who plays in a published round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.models import Game
from tournaments.cuts import cuts
from tournaments.draws import by_format
from tournaments.events.state import published_cut
from tournaments.models import Draw, GroupGame


def watch_event(game: Game) -> Callable[[], Sequence[str]]:
    """See `scoring.cards.consequences.Watch`. A game outside events brings nothing."""
    row = (
        GroupGame.objects.filter(game=game, group__table__draw__state=Draw.State.PUBLISHED)
        .select_related(
            "group__table__draw__round__stage__event__rules", "group__table__draw__round__stage__event__club"
        )
        .first()
    )
    if row is None:
        return tuple
    stage = row.group.table.draw.round.stage
    if stage.event.by_rounds:
        return _new_in(lambda: [words] if (words := by_format.misplaced(stage.event)) else [])
    cut = published_cut(stage)
    return _new_in(lambda: cuts.difference(cut).sentences) if cut else tuple


def _new_in(look: Callable[[], Sequence[str]]) -> Callable[[], Sequence[str]]:
    """What `look` will see that it doesn't see now, whole; nothing when it sees the same."""
    before = look()
    return lambda: () if (after := look()) == before else after
