"""Open play: people come and go, and who has waited longest is seated next."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.formats.base import (
    Field,
    Format,
    FormatRefused,
    PlayedRound,
    make_round,
    option,
    refuse_open_tables,
    refuse_too_few,
    sorted_people,
)
from tournaments.engine.formats.matchings import best_matching, penalize_rematches
from tournaments.engine.formats.pairings import count_times_met
from tournaments.engine.rounds import SeatedRound, Side, Table

FOUR = 4
STEPS = 20_000  # of the search for partners in one round: a fraction of a second


@dataclass(frozen=True, kw_only=True)
class OpenPlay(Format):
    """In each round the hall's tables are filled, first with those who have waited for the most rounds in a row, then
    those who have played least, then by lot. Partners and opponents are those who were so least often. There are as
    many rounds as the night has.

    Latecomers haven't waited, but come before those who have just played."""

    slug: ClassVar[str] = "open-play"
    late_tables: ClassVar[bool] = True
    refills: ClassVar[bool] = True
    fours: ClassVar[bool] = True
    counts_meetings: ClassVar[bool] = True
    tables: int = option(25, most=50)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        refuse_too_few(field, FOUR)
        seated = sorted_people(self.called_sides(field, played, seed=seed, sides=FOUR))
        tables = _draw_partners(seated, played, seed=seed)
        return SeatedRound(tables, tuple(p for p in sorted_people(field.present) if p not in seated))

    def late_table(self, field: Field, played: Sequence[PlayedRound], *, people: Sequence[int]) -> Table | None:
        if not self.fours:
            return super().late_table(field, played, people=people)
        return _draw_partners(people, played, seed=0)[0] if len(people) == FOUR else None

    def called_sides(self, field: Field, played: Sequence[PlayedRound], *, seed: int, sides: int) -> list[Side]:
        """Who sits down, at tables of this many sides."""
        refuse_open_tables(played)
        line = self.line(field, played, seed=seed)
        return line[: min(len(line) // sides, self.tables) * sides]

    def line(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> list[Side]:
        """Everybody present, in the order in which they are seated."""
        line = list(field.present)
        Random(seed).shuffle(line)
        games = {team: sum(any(team[0] in side for side in t.sides) for r in played for t in r.tables) for team in line}
        return sorted(line, key=lambda team: (-_rounds_waited(team, played), games[team]))

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return False


def _draw_partners(people: Sequence[int], played: Sequence[PlayedRound], *, seed: int) -> tuple[Table, ...]:
    before = [SeatedRound(tuple(table.sides for table in round_.tables), round_.sit_outs) for round_ in played]
    return draw_rotation(Afternoon(people, 1, before), seed=seed, steps=STEPS).rounds[0].tables


def _rounds_waited(team: Side, played: Sequence[PlayedRound]) -> int:
    """The rounds in a row, up to the last, in which a side was there and had no seat."""
    rounds = 0
    for round_ in reversed(played):
        if team[0] not in round_.sit_outs:
            break
        rounds += 1
    return rounds


@dataclass(frozen=True, kw_only=True)
class OpenPairs(OpenPlay):
    """Open play for sides that stay together, with as few rematches in a round as possible."""

    slug: ClassVar[str] = "open-pairs"
    fours: ClassVar[bool] = False
    counts_meetings: ClassVar[bool] = False
    fixed_sides: ClassVar[bool] = True
    tells_rematches: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net")

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        refuse_too_few(field, 2)
        order = self.called_sides(field, played, seed=seed, sides=2)
        times = count_times_met(order, played)
        weights = {(n, m): 0 for n, m in times if not field.keeps_apart(order[n], order[m])}
        matched = best_matching(penalize_rematches(weights, times), len(order)) if weights else None
        if matched is None:
            raise FormatRefused("format.apart")
        return make_round(field, ((order[n], order[m]) for n, m in matched))
