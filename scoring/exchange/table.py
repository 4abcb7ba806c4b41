"""The same records as a table: a row for each deal as it stands now, its columns named as in the JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from scoring.engine.core.facts import KINDS
from scoring.engine.families import family_of
from scoring.engine.files.deal_files import EnoughFaults, Known, Most
from scoring.engine.files.flat import cells_of, data_of
from scoring.engine.files.json_text import TextFault, UnreadableText
from scoring.exchange.records import (
    MOST_NUMBER,
    DealRecord,
    GameLines,
    GameRecord,
    RecordReader,
    Records,
    VersionLines,
    VersionRecord,
)
from scoring.models import DealVersion
from scoring.spreadsheets import rows_of, safe

FACTS = "facts."
MOST_COLUMNS = 500  # the widest table of cards that are counted one by one has some 200
LONGEST_COLUMN = 100  # characters of a column's name


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLines:
    """What a row says beside its game, its version and its facts."""

    game: int  # the rows of one game have the same number
    deal: int
    points: tuple[int, ...] = ()  # each side's by the rules; when read, only compared with these


COLUMNS = {kind: {f.name for f in fields(kind)} for kind in (RowLines, GameLines, VersionLines)}
"""The columns of each part of a row; those of a list or a record are numbered or named behind a dot."""


# --- writing -------------------------------------------------------------------------------------------


def to_csv(records: Records) -> str:
    """The table of the current versions, for any spreadsheet: with a byte order mark, commas and CRLF."""
    rows = [
        dict(_cells(number, game, deal=deal))
        for number, game in enumerate(records.games, start=1)
        for deal in sorted(game.deals, key=lambda one: one.number)
    ]
    columns = sorted({name: None for row in rows for name in row}, key=_place)
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([safe(row.get(name, "")) for name in columns] for row in rows)
    return f"\ufeff{written.getvalue()}"


def _cells(number: int, game: GameRecord, *, deal: DealRecord) -> Iterator[tuple[str, str]]:
    version = deal.versions[-1]
    yield from cells_of(RowLines(game=number, deal=deal.number, points=version.points))
    yield from cells_of(game.said)
    yield from cells_of(version.said)
    yield from cells_of(version.facts, FACTS)


_ORDER = (
    *("game", "title", "rules", "rules_version", "shape", "sides", "start", "ended", "set_aside"),
    *("deal", "state", "points", "facts", "written", "written_sets", "ruling", "overruled", "reason"),
    *("by", "route", "at", "id"),
)


def _place(name: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Sorts columns by name, in the order in which people read them; numbered ones by their number."""
    first, *rest = name.split(".")
    return _ORDER.index(first), tuple((int(part), "") if part.isdecimal() else (0, part) for part in rest)


# --- reading -------------------------------------------------------------------------------------------


def from_csv(text: str, known: Known, *, most: Most | None = None) -> Records:
    """The records of a table; the rows of one game have the same number in the column "game".

    Raises:
        UnreadableText: columns or cells are missing, unknown or wrong; carries all faults with their lines, as many as
            are told.
        TooManyDeals: there are more than `most`; the rest isn't read.
        spreadsheets.UnreadableSpreadsheet: it is no such table at all.
    """
    reader = _Table(known, most)
    with suppress(EnoughFaults):
        games = reader.games(rows_of(text))
    if reader.faults:
        raise UnreadableText(tuple(sorted(_placed(fault) for fault in reader.faults)))
    return Records(games, (), _lines)


def _lines(paths: Iterable[str]) -> Mapping[str, int]:
    return {path: int(path.partition(".")[0]) for path in paths}


def _placed(fault: TextFault) -> TextFault:
    """A fault whose path begins with its line, as one of that line and column."""
    line, _dot, path = fault.path.partition(".")
    return TextFault(int(line), 0, path, fault.code, fault.detail)


class _Table(RecordReader):
    def games(self, rows: Iterator[tuple[int, tuple[str, ...]]]) -> tuple[GameRecord, ...]:
        head_line, head = next(rows, (1, ()))
        if not head:
            self.fault("1.game", "missing")
            return ()
        if len(head) > MOST_COLUMNS or max(map(len, head)) > LONGEST_COLUMN:
            self.fault(f"{head_line}.", "too-many-columns", detail=str(MOST_COLUMNS))
            return ()
        for name in head:
            if name.partition(".")[0] not in _ORDER:
                self.fault(f"{head_line}.{name}", "unknown")
            elif head.count(name) > 1:
                self.fault(f"{head_line}.{name}", "twice")
        for name in ("game", "deal", "rules", "shape.sides"):
            if name not in head:
                self.fault(f"{head_line}.{name}", "missing")
        if self.faults:
            return ()
        found: dict[int, GameRecord] = {}
        deals: dict[int, list[DealRecord]] = {}
        for line, cells in rows:
            self.one_more_deal()
            if len(cells) > len(head) and any(cells[len(head) :]):
                self.fault(f"{line}.", "wrong-number", detail=str(len(head)))
            self.row(line, dict(zip(head, cells, strict=False)), found=found, deals=deals)
        return tuple(replace(game, deals=tuple(deals[number])) for number, game in found.items())

    def row(
        self, line: int, cells: dict[str, str], *, found: dict[int, GameRecord], deals: dict[int, list[DealRecord]]
    ) -> None:
        """Read one row: a deal, which is added to its game in `found` and `deals`."""
        own = self.lines(RowLines, cells, line=line)
        said = self.lines(GameLines, cells, line=line)
        version = self.lines(VersionLines, cells, line=line)
        if said is None:
            return
        rule_set = self.rules_named(said.rules, said.rules_version, path=str(line))
        if rule_set is None:
            return
        of_facts = {name.removeprefix(FACTS): cell for name, cell in cells.items() if name.startswith(FACTS)}
        family = family_of(rule_set)
        facts = self.part(family.facts, data_of(family.facts, of_facts), path=f"{line}.facts")
        if own is None or version is None:
            return
        known = found.get(own.game)
        if known is None:
            self.head(said, rule_set, path=str(line))
        elif known.said != said:
            self.fault(f"{line}.game", "other-game", detail=str(own.game))
        self.version_lines(version, said.shape.sides, path=str(line))
        if not 1 <= own.deal <= MOST_NUMBER:
            self.fault(f"{line}.deal", "wrong-type", detail=KINDS[int])
        if own.points and len(own.points) != said.shape.sides:
            self.fault(f"{line}.points", "wrong-number", detail=str(said.shape.sides))
        found.setdefault(own.game, GameRecord(said, rule_set, (), str(line)))
        points = () if version.state == DealVersion.State.VOID else own.points
        deals.setdefault(own.game, []).append(DealRecord(own.deal, (VersionRecord(version, facts, str(line), points),)))

    def lines(self, kind: type[Any], cells: Mapping[str, str], *, line: int) -> Any:
        """The part of a row that is of this type."""
        mine = {name: cell for name, cell in cells.items() if name.partition(".")[0] in COLUMNS[kind]}
        return self.part(kind, data_of(kind, mine), path=str(line))
