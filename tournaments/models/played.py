"""Which deals count for those who played them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import F

from scoring.models import DealVersion, Game, Points
from tournaments.models.draws import Draw

GROUP = "version__deal__game__group_game__group__"


def deals_that_count(*columns: str, **of: Any) -> Iterator[tuple[Any, ...]]:
    """Columns of the points of deals that count, the oldest first, a row for each seat of the side; `of` says whose.

    Only games of published draws count, none that is void or not played, and no deal after the end of its game. One
    query.
    """
    counting = {
        "version__current": True,
        f"{GROUP}table__draw__state": Draw.State.PUBLISHED,
        f"{GROUP}seats__side": F("side"),
    }
    rows = (
        Points.objects.filter(**counting, **of)
        .exclude(version__state=DealVersion.State.VOID)
        .exclude(version__deal__game__state=Game.State.NOT_PLAYED)
        .order_by(
            f"{GROUP}table__draw__round__stage__event__starts_at",
            f"{GROUP}table__draw__round__stage__event",
            f"{GROUP}table__draw__round__stage__number",
            f"{GROUP}table__draw__round__number",
            "version__deal__game__group_game__number",
            "version__deal__game",
            "version__deal__number",
        )
        .values_list(f"{GROUP}seats__entry", "version__deal__game", "version__deal__game__deals_played", *columns)
    )
    counted: dict[tuple[int, int], int] = defaultdict(int)
    for entry, game, played, *row in rows:
        counted[entry, game] += 1
        if counted[entry, game] <= played:
            yield tuple(row)
