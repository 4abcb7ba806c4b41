"""Reading a list of pairs or teams: text, then rows, then the names in each. Nothing here writes.

What can't be read for sure is asked, never guessed in silence: the row then has a problem, in words.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.spreadsheets import UnreadableSpreadsheet, cells_of, delimiter_of, lines_of
from tournaments.entries.name_list import (
    FILE_LIMIT,
    FIRST,
    FULL,
    LAST,
    MARK,
    OTHER,
    key,
    name_in,
    people_in,
    problem_of,
    tidy,
)

MOST_SIDES = 500
HEADS = {"pair", "pairs", "partner", "partners", "side", "team", "team name"}
HEADS |= {"player 1", "player 2", "name 1", "name 2"}
HEADS |= {"pareja", "parejas", "compañero", "compañera", "equipo", "bando", "jugador 1", "jugador 2", "jugadora 2"}


@dataclass(frozen=True, slots=True)
class SideRow:
    """One row of the list: its number from 1, the names in it as they were read, and what is wrong with it."""

    number: int
    names: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SideListing:
    """A list as read: its rows, and the cells of the head, () where the first row has names."""

    rows: tuple[SideRow, ...]
    head: tuple[str, ...] = ()


def between_tabs(text: str) -> str:
    """The text of a file with a tab between its cells, where commas part them and no "&" parts the people of a row.

    Raises:
        UnreadableSpreadsheet: a quotation mark in it is never closed.
    """
    filled = [line for line in lines_of(text) if line.strip()]
    if delimiter_of(filled) != "," or 2 * sum(len(people_in(line)) > 1 for line in filled) > len(filled):
        return text
    return "\n".join("\t".join(map(tidy, cells)) for _number, cells in cells_of(filled, ",", skip_spaces=True))


def read_sides(text: str, *, size: int, known: Container[str] = ()) -> SideListing:
    """The sides of a list, each of `size` people; a row may also have one person who has no partner yet.

    Names that are `known` (`name_list.key`) are never taken apart, and need no surname.

    Raises:
        UnreadableSpreadsheet: it is longer than such a list can be.
    """
    raw = MARK.sub(r"\1", text.lstrip("\ufeff"))
    lines = [(n, cells) for n, line in enumerate(lines_of(raw), start=1) if any(cells := _cells(line))]
    if len(raw) > FILE_LIMIT or len(lines) > MOST_SIDES:
        raise UnreadableSpreadsheet(
            _("This list is too long: %(n)d rows are the most. Enter it in parts.") % {"n": MOST_SIDES}
        )
    head = _head(lines[0][1]) if lines else ()
    left_out = {n for n, word in enumerate(head) if word.casefold() in OTHER}
    rows = []
    for number, cells in lines[bool(head) :]:
        named = [cell for n, cell in enumerate(cells) if n not in left_out and "@" not in cell and _has_letter(cell)]
        rows.append(_row(number, named or cells[:1], size=size, known=known))
    return SideListing(tuple(rows), head)


def _row(number: int, cells: Sequence[str], *, size: int, known: Container[str]) -> SideRow:
    """The names of a row: one in a cell that is known as it stands, in others those that "&" parts."""
    parts = [part for cell in cells for part in ([cell] if cell[:1] == "=" or key(cell) in known else people_in(cell))]
    names = tuple(name_in([part], "1") for part in parts)
    return SideRow(number, names, _problem(parts, names, size=size, known=known))


def _problem(parts: Sequence[str], names: Sequence[str], *, size: int, known: Container[str]) -> str:
    """Why these names make no side; "" where they do."""
    if len(names) > 1 and not all(map(_has_letter, names)):
        return _("A name is missing beside the sign between two names. Write it, or take the sign away.")
    if len(names) == 1 and size > 1 and _full_on_both_sides(parts[0]) and key(names[0]) not in known:
        return _("A comma doesn't part partners. Write “&” between two people; write one person's first name first.")
    if problem := next((said for name in names if (said := problem_of(name))), ""):
        return problem
    if len(names) not in (1, size):
        return _("%(n)d names in this row, and a side has %(size)d. Write “&” between them and leave the rest out.") % {
            "n": len(names),
            "size": size,
        }
    if len({key(name) for name in names}) < len(names):
        return _("The same name stands twice in this row.")
    return _without_surname(names, known)


def _without_surname(names: Sequence[str], known: Container[str]) -> str:
    """What to ask of "Pat & Kim Walsh": whether Pat is a Walsh, too. A name that is known is clear as it is."""
    full = next((name for name in reversed(names) if " " in name), "")
    bare = next((name for name in names if " " not in name and key(name) not in known), "")
    if not full or not bare:
        return ""
    return _(
        "“%(name)s” has one word, and the other name has a surname. If both have the same one, write it twice; "
        "if not, first add %(name)s under “Who is here”, and look again."
    ) % {"name": bare}


def _full_on_both_sides(text: str) -> bool:
    """Whether two words stand before the comma and two behind it, as in "Anna Lee, Bob Wu"."""
    halves = text.split(",")
    return len(halves) == 2 and all(" " in half.strip() for half in halves)


def _cells(line: str) -> list[str]:
    """The cells of a line as a spreadsheet copies them, between tabs; else those between semicolons."""
    return [tidy(cell.strip().strip('"')) for cell in line.split("\t" if "\t" in line.strip() else ";")]


def _head(cells: Sequence[str]) -> tuple[str, ...]:
    """The first row where all that stands in it are words that heads have; else nothing."""
    words = {part.casefold() for cell in cells if _has_letter(cell) for part in people_in(cell)}
    return tuple(cells) if words and words <= HEADS | FULL | FIRST | LAST | OTHER else ()


def _has_letter(text: str) -> bool:
    return any(ch.isalpha() for ch in text)
