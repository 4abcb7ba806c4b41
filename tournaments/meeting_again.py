"""What a round of a Swiss says of itself: who meets or rests again, and how many rounds without that are left.

Counted from the seats as they are, whoever chose them: the format or, by hand, the director.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tournaments import formats
from tournaments.engine.formats import PlayedRound, PlayedTable
from tournaments.engine.formats.round_robin import meetings
from tournaments.engine.formats.swiss import Swiss
from tournaments.engine.rounds import Round as Seats
from tournaments.engine.rounds import Side
from tournaments.models import Event


def counted(event: Event, seats: Seats) -> dict[str, Any]:
    """For the statement of a draw: nothing in other formats. Sides stand there by their names, with how often they
    have met, or rested, this time included."""
    if event.format != Event.Format.SWISS:
        return {}
    form, field, played = formats.format_of(event), formats.field_of(event), formats.played_of(event)
    assert isinstance(form, Swiss)  # noqa: S101 - what its slug says
    met = meetings(played)
    rested = Counter(person for one in played for person in one.sit_outs)
    name = dict(event.entries.values_list("pk", "name"))
    now = PlayedRound(tuple(PlayedTable(table) for table in seats.tables), seats.sit_outs)
    possible, planned = form.without_rematch(field, [*played, now])

    def named(side: Side) -> str:
        return " & ".join(name[person] for person in side)

    return {
        "meet_again": [
            [named(table[0]), named(table[1]), met[frozenset(table)] + 1]
            for table in seats.tables
            if met[frozenset(table)]
        ],
        "rest_again": [
            [named(side), rested[side[0]] + 1]
            for side in field.present
            if side[0] in seats.sit_outs and rested[side[0]]
        ],
        "rounds_left": {"planned": planned, "without_rematch": possible},
    }
