"""Who sat where in a round, and what people wish of a draw: the shapes that draws give and verifiers read.

Table and seat numbers count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scoring.engine.core.ledger import Args

SEEDS = 1_000_000  # a seed is a number of six digits, so that it can be read out
Side: TypeAlias = tuple[int, ...]  # ids of those who score together
Table: TypeAlias = tuple[Side, ...]  # the sides at one table


class EngineRefused(ValueError):
    """What was asked for can't be made; carries a code and its arguments."""

    def __init__(self, code: str, args: Args = ()) -> None:
        super().__init__(code, args)
        self.code = code
        self.arguments = args


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """One round, drawn or played. Whoever is at no table and in no sit-out was absent."""

    tables: tuple[Table, ...]  # the first is table 1
    sit_outs: tuple[int, ...] = ()
    walkovers: tuple[tuple[Side, Side], ...] = ()  # matches without a table: who wins, and who isn't there
    # ... (those who win are among the sit-outs)

    @property
    def seated(self) -> tuple[int, ...]:
        """Everyone at a table, in the order of tables, sides and seats."""
        return tuple(person for table in self.tables for side in table for person in side)


@dataclass(frozen=True, slots=True)
class DrawWish:
    """What a draw shall hold to. A hard wish is kept or the draw refused; of others it is said whether they are met.

    "always": the two are partners whenever they play, and sit out together. "never": the two are never partners.
    "once": the two are partners in at least one round. "apart": the two never share a table. "stay": somebody keeps
    one table, that of a number if given, there perhaps a seat. "host": "stay" at a table of a number, and no sit-out.
    """

    kind: str
    people: tuple[int, ...]  # two, or one for "stay" and "host"
    hard: bool = True
    table: int | None = None
    seat: int | None = None


PAIR_WISHES = ("always", "never", "once", "apart")
PLACE_WISHES = ("stay", "host")
