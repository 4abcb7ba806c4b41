"""What stands on each document, as plain frozen values: no database, no layout.

Text is in its final words here; figures are text too, already formatted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clubsite.charts import Chart
from clubsite.pdf.documents import Heading
from scoring.engine.core.ruleset import Shape
from tournaments.table_links.shown import ShownLink

LONG, ENDLESS = 28, 34  # letters of the longest name on one line of a narrow column: in the usual type, in the smallest


@dataclass(frozen=True, slots=True)
class FilledBox:
    """One box of a card that is filled in. Crossed out is shown but doesn't count."""

    text: str = ""
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: its name ("North", "Seat 2") and who sits there; no name on a blank card."""

    seat: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class CardSide:
    """Those who score together. `start` is what they begin with (handicap), "" when nothing."""

    players: tuple[Player, ...]
    start: str = ""


@dataclass(frozen=True, slots=True)
class CardSheet:
    """One card: one game at one table. `figures` are the boxes by column and row, none on a card to be filled in.

    The heading's note is the version of the draw.
    """

    code: str  # printed on the card, different for every card of an event: "1.1-3A-2"
    heading: Heading
    where: str  # "Qualifying · Table 3 · Group A · Game 2"
    sides: tuple[CardSide, ...]
    rules: str  # title and version of the house rules
    figures: tuple[tuple[FilledBox, ...], ...] = ()
    link: ShownLink | None = None  # its table's link, while that opens the card
    ended: str = ""  # why the director ended the game, on a card as recorded
    told: str = ""  # what the codes on it mean

    @property
    def shape(self) -> Shape:
        """Who plays against whom."""
        return Shape(len(self.sides), len(self.sides[0].players))


@dataclass(frozen=True, slots=True)
class SeatOf:
    """Where somebody sits: table, and group and seat in words ("Group A · Seat 2"; "North")."""

    name: str
    table: int
    seat: str


@dataclass(frozen=True, slots=True)
class SeatingGroup:
    """Those who play together at a table; `label` is "" when they are the whole table."""

    label: str
    players: tuple[Player, ...]
    link: ShownLink | None = None


@dataclass(frozen=True, slots=True)
class SeatingTable:
    """One table with its groups."""

    number: int
    groups: tuple[SeatingGroup, ...]
    match: str = ""  # what it is called in a knock-out


@dataclass(frozen=True, slots=True)
class SeatingSheet:
    """Who sits where: by name, by table, and who sits out."""

    heading: Heading
    places: tuple[SeatOf, ...]  # by name
    tables: tuple[SeatingTable, ...]
    sit_outs: tuple[str, ...] = ()
    fairness: str = ""  # what is done where the number doesn't divide; how a bracket came about
    coming: Sequence[tuple[str, Sequence[str]]] = ()  # the matches of a knock-out after it: what each is called, and
    # ... its two sides

    @property
    def links(self) -> tuple[ShownLink, ...]:
        """The links of its tables."""
        return tuple(group.link for table in self.tables for group in table.groups if group.link)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One line of standings; `figures` in the order of the sheet's columns; `note` in small print under the name."""

    place: str  # "4=" when shared
    name: str
    figures: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class StandingsPart:
    """A further table below standings: a group of them, those who went out at a cut, or the order with handicap."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """Standings of a stage, and of its groups."""

    heading: Heading
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    parts: tuple[StandingsPart, ...] = ()
    net: StandingsPart | None = None  # where handicaps are given and no secret

    @property
    def dense(self) -> bool:
        """Whether the lines need to stand close, so that 54 names and their 18 groups take two sheets."""
        return len(self.rows) > 36

    @property
    def long(self) -> bool:
        """Whether some name would take two lines in the list of its group, in the usual type."""
        return any(len(row.name) > LONG for row in self.rows)

    @property
    def endless(self) -> bool:
        """Whether some name is too long for one line even in the smallest type, so that it is broken."""
        return any(len(row.name) > ENDLESS for row in self.rows)


@dataclass(frozen=True, slots=True)
class CutRow:
    """A name on one side of the line, and why."""

    order: int
    name: str
    place: str  # where it was played: "3A"
    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class CutSheet:
    """Who goes on and who doesn't, best first."""

    heading: Heading
    on: tuple[CutRow, ...]
    out: tuple[CutRow, ...]
    settled: tuple[str, ...] = ()  # play-offs and drawings of lots, and how lots are checked
    window: str = ""  # until when a correction can be asked for, in words


@dataclass(frozen=True, slots=True)
class WinnerLine:
    """One of the first places, large, and what put them there."""

    place: str
    name: str
    points: str
    words: str


@dataclass(frozen=True, slots=True)
class ResultSheet(StandingsSheet):
    """The final order of an event, signed by the director; then those who went out at each cut, the last first."""

    match: StandingsPart | None = None  # the two clubs of a match between them
    winners: tuple[WinnerLine, ...] = ()
    best_game: str = ""
    chart: Chart | None = None  # the places round by round
    window: str = ""  # until when a correction can be asked for, in words
    apart: bool = False  # whether the picture gets a sheet of its own, and is large on it

    @property
    def close(self) -> bool:
        """Whether the lines need to stand closer, so that winners, everybody and the picture share one sheet, or those
        who went out earlier."""
        out = sum(len(part.rows) for part in self.parts)
        return (len(self.rows) > 10 or out > 24) and len(self.winners) <= 3

    @property
    def height(self) -> float:
        """Millimetres that winners, everybody and the picture take where they stand close.

        Longer names of winners break in their columns.
        """
        breaks = max((len(one.name) for one in self.winners), default=0) // 20
        return 172.5 + 4.6 * (len(self.rows) + breaks)
