"""Who sat where in a round: the shape that draws give and verifiers read. Table numbers count from 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Side: TypeAlias = tuple[int, ...]  # ids of those who score together
Table: TypeAlias = tuple[Side, ...]  # the sides at one table


@dataclass(frozen=True, slots=True)
class Round:
    """One round, drawn or played. Whoever is at no table and in no sit-out was absent."""

    tables: tuple[Table, ...]  # the first is table 1
    sit_outs: tuple[int, ...] = ()

    @property
    def seated(self) -> tuple[int, ...]:
        """Everyone at a table, in the order of tables, sides and seats."""
        return tuple(person for table in self.tables for side in table for person in side)
