"""A match between two clubs: at every table a side of the one against a side of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.formats.base import Field, FormatRefused, InRounds, PlayedRound, option, people_of
from tournaments.engine.formats.pairing import best, best_with_rounds_ahead, less_for_rematches
from tournaments.engine.rounds import SeatedRound, Side

CLUBS = 2


@dataclass(frozen=True, kw_only=True)
class TeamMatch(InRounds):
    """Tables between two clubs, in the order of their seeding; each round a side meets the next side of the other club.

    The sides of the first club keep their tables. Where one club has more sides, those who rested least rest. Sides
    meet again only where those who play leave no other way.
    """

    slug: ClassVar[str] = "team-match"
    between_clubs: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net")
    fixed_sides: ClassVar[bool] = True
    rounds: int = option(3)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next tables."""
        named = sorted(set(field.clubs))
        if len(named) != CLUBS:
            raise FormatRefused("format.clubs", (("given", len(named)),))
        if self.over(field, played):
            raise FormatRefused("format.over")
        here = set(field.present)
        home, away = (
            [t for t, club in zip(field.teams, field.clubs, strict=True) if club == one and t in here] for one in named
        )
        tables = min(len(home), len(away))
        if not tables:
            raise FormatRefused("format.too-few", (("least", CLUBS), ("given", len(here))))
        rested = Counter(person for one in played for person in one.sit_outs)
        home, resting_home = _playing(home, tables, rested=rested)
        away, resting_away = _playing(away, tables, rested=rested)
        met = Counter((t.sides[0], t.sides[1]) for one in played for t in one.tables)
        shift = min(range(tables), key=lambda s: (sum(met[home[n], away[(n + s) % tables]] for n in range(tables)), s))
        weights = {(n, tables + m): int(m == (n + shift) % tables) for n in range(tables) for m in range(tables)}
        times = {(n, m): met[home[n], away[m - tables]] for n, m in weights}
        unmet = {pair: weight for pair, weight in weights.items() if not times[pair]}
        matched = best_with_rounds_ahead(unmet, 2 * tables, ahead=self.rounds - len(played) - 1)
        matched = matched or best(less_for_rematches(weights, times), 2 * tables) or ()
        return SeatedRound(
            tuple((home[n], away[m - tables]) for n, m in matched), people_of([*resting_home, *resting_away])
        )


def _playing(sides: list[Side], tables: int, *, rested: Counter[int]) -> tuple[list[Side], list[Side]]:
    """Those who play, in order, and those who rest: who has rested least, the last seeded first."""
    rests = sorted(sides, key=lambda side: (rested[side[0]], -sides.index(side)))[: len(sides) - tables]
    return [side for side in sides if side not in rests], rests
