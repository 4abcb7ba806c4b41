"""A line through standings: who is above, who below, and who is level across it until a play-off or lots decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tournaments.engine.standings.ranking import Ranked
from tournaments.engine.standings.tie_breaks import lot


@dataclass(frozen=True, slots=True)
class PlayedOff:
    """A play-off among level entries: points of each. Settles any tie among these entries or some of them."""

    points: Mapping[int, int]
    lowest_wins: bool = False

    def order(self, entry: int) -> int | None:
        """What the entry is sorted by, the lowest going on; None for an entry that took no part."""
        if entry not in self.points:
            return None
        return self.points[entry] if self.lowest_wins else -self.points[entry]


@dataclass(frozen=True, slots=True)
class DrawnLots:
    """Lots drawn among level entries with a recorded seed (`tie_breaks.lot`, the lowest goes on).

    `numbers` are those that the entries are known by on paper, where they aren't their ids.
    """

    entries: tuple[int, ...]
    seed: int
    numbers: Mapping[int, int] = field(default_factory=dict)

    def order(self, entry: int) -> int | None:
        """The entry's lot; None for an entry that took no part."""
        return lot(self.seed, self.numbers.get(entry, entry)) if entry in self.entries else None


Settlement: TypeAlias = PlayedOff | DrawnLots


@dataclass(slots=True)
class Split:
    """The outcome at one line. `level` is empty once nothing is open."""

    above: list[Ranked] = field(default_factory=list)  # best first
    level: list[Ranked] = field(default_factory=list)
    below: list[Ranked] = field(default_factory=list)
    places: int = 0  # left for those who are level
    # for entries that a settlement alone put above or below the line
    settled_by: dict[int, Settlement] = field(default_factory=dict)


def draw_line(standings: Sequence[Ranked], wanted: int, *, settled: Sequence[Settlement]) -> Split:
    """Split standings after `wanted` entries. Each settlement counts for the ties whose entries all took part in it."""
    line = Split()
    for number in sorted({p.place for p in standings}):
        block = [p for p in standings if p.place == number]
        room = wanted - len(line.above)
        if line.level or room <= 0:
            line.below += block
        elif len(block) <= room:
            line.above += block
        else:
            _settle(block, room, settled=settled, line=line)
    return line


def _settle(block: list[Ranked], room: int, *, settled: Sequence[Settlement], line: Split) -> None:
    """Divide level entries for whom there aren't places enough between both sides of the line, by settlements."""
    for number, settlement in enumerate(settled, start=1):
        orders = [settlement.order(p.entry) for p in block]
        known = [order for order in orders if order is not None]
        if len(known) < len(block):
            continue
        for order in sorted(set(known)):
            part = [p for p, own in zip(block, orders, strict=True) if own == order]
            if len(part) > room > 0:
                _settle(part, room, settled=settled[number:], line=line)
                room = 0
                continue
            (line.above if room else line.below).extend(part)
            line.settled_by |= {p.entry: settlement for p in part}
            room -= len(part) if room else 0
        return
    line.level, line.places = block, room
