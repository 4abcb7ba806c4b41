"""How far each side came: in a knock-out, and in a match between two clubs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from clubsite.names import in_order
from tournaments.draws.by_format import field_of, format_of, played_of
from tournaments.engine.formats import FormatRefused
from tournaments.models import Event
from tournaments.templatetags.totals import halves

if TYPE_CHECKING:
    from tournaments.standings.standings import Row  # which asks here how far each came


def reached(event: Event, *, before: int) -> dict[int, int]:
    """Entry to how far it came in the rounds of a knock-out before that number, the higher the further; empty for other
    formats."""
    if not event.traits.bracket:
        return {}
    try:
        complete = [one for one in played_of(event)[: before - 1] if all(table.half_wins for table in one.tables)]
        far = format_of(event).reached(field_of(event), complete)
    except FormatRefused:
        return {}
    return {person: value for side, value in far.items() for person in side}


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One club in a match between two: what its sides have won and scored at all tables so far."""

    name: str
    tables_won: str  # "3" or "2½"
    points: int
    leads: bool


def match_of(event: Event, rows: Iterable[Row]) -> list[MatchSide]:
    """The state of a match between two clubs by the rows of its standings, the leader first; empty for other formats
    and before the first table. One query."""
    if not event.traits.between_clubs:
        return []
    sides = {pk: (plays_for, team) for pk, plays_for, team in event.entries.values_list("pk", "plays_for", "team")}
    counted = set()
    won: dict[str, Fraction] = defaultdict(Fraction)
    points: dict[str, int] = defaultdict(int)
    for row in rows:
        club, team = sides.get(row.entry, ("", None))
        if not row.games_played or team in counted:  # partners score together
            continue
        counted.add(team)
        won[club] += row.won
        points[club] += row.points - row.credit - row.missed_credit - row.adjusted
    order = sorted(won, key=lambda club: (-won[club], -event.rules.sign * points[club], in_order(club)))
    best = [(won[club], points[club]) for club in order]
    return [
        MatchSide(club, halves(won[club]), points[club], best.count(best[0]) == 1 and number == 0)
        for number, club in enumerate(order)
    ]
