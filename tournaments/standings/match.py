"""How far each side came: in a knock-out, and in a match between two clubs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from clubsite.accounts.names.order import in_order
from tournaments.draws.by_format import field_of, format_of, played_of
from tournaments.engine.formats import FormatRefused
from tournaments.models import Event
from tournaments.templatetags.totals import halves


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


def match_of(event: Event) -> list[MatchSide]:
    """The state of a match between two clubs, the leader first; empty for other formats and before the first table."""
    if not event.traits.between_clubs:
        return []
    sign = event.rules.sign
    club = dict(event.entries.exclude(plays_for="").values_list("pk", "plays_for"))
    won: dict[str, int] = defaultdict(int)
    points: dict[str, int] = defaultdict(int)
    for one in played_of(event):
        for table in one.tables:
            for side, half, made in zip(table.sides, table.half_wins, table.points, strict=False):
                won[club.get(side[0], "")] += half
                points[club.get(side[0], "")] += made
    order = sorted(won, key=lambda name: (-won[name], -points[name], in_order(name)))
    best = [(won[name], points[name]) for name in order]
    return [
        MatchSide(name, halves(Fraction(won[name], 2)), sign * points[name], best.count(best[0]) == 1 and number == 0)
        for number, name in enumerate(order)
    ]
