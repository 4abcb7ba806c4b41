"""Reading a list of names: bytes of a file, then rows of a table, then names. Nothing here writes.

A list comes from a spreadsheet, an e-mail or a text file: with commas, semicolons or tabs, with or without a head,
in the encoding of whatever made it. What can't be read for sure is asked, never guessed in silence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clubsite.accounts.names.order import NO_ADDRESS, folded, is_address
from scoring.engine.core.one_line import without_hidden
from scoring.spreadsheets import (
    UnreadableSpreadsheet,
    cells_of,
    decode,
    delimiter_of,
    is_workbook,
    lines_of,
    workbook_text,
)

MOST_ROWS = 1000
MOST_LINES = 3 * MOST_ROWS  # empty ones too
MOST_CELLS = 50  # of a row; more aren't looked at
LONGEST_NAME = 80
FILE_LIMIT = 1024 * 1024

FULL = {"name", "names", "full name", "player", "player name", "players", "entry", "member", "participant"}
FULL |= {"members", "nombre completo", "nombre y apellidos", "jugador", "jugadora", "socio", "socia", "socios"}
FIRST = {"first name", "first", "firstname", "forename", "given name", "christian name", "nombre", "nombres"}
LAST = {"last name", "last", "lastname", "surname", "family name", "apellido", "apellidos"}
EMAIL = {"e-mail", "email", "mail", "e-mail address", "email address", "correo", "correo electrónico"}
TELEPHONE = {"phone", "telephone", "tel", "tel.", "mobile", "cell", "phone number", "teléfono", "móvil"}
NOTE = {"note", "notes", "remark", "remarks", "comment", "nota", "notas"}
OTHER = {*EMAIL, *TELEPHONE, *NOTE, "number", "no", "no.", "nr", "#", "id", "club", "seat", "table"}
OFFICES = {"treasurer", "secretary", "president", "vice president", "chair", "chairman", "chairwoman", "chairperson"}
OFFICES |= {"captain", "tesorero", "tesorera", "secretario", "secretaria", "presidente", "presidenta"}
OFFICES |= {"vicepresidente", "vicepresidenta", "capitán", "capitana"}

# A letter of two bytes that was read as two letters of Windows-1252
GARBLED = re.compile(
    "[\u00c3\u00c2\u00c4\u00c5\u00d0\u00e2][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)

MARK = re.compile(r"^( *\"?)(?:\d{1,4}[.)] *|[-–—*•·◦▪●‣] +)(?=[^\W\d_])", re.MULTILINE)  # "1. Ann", "- Ann"
NOT_JUNIOR = r"(?!\s*(?:jr|sr|ii|iii|iv)\b)"
NO_AND = r"(?!.*(?:&|\b(?:and|y|und)\b))"
TURNED = re.compile(rf"{NO_AND}([^\t;,@\d]+),{NOT_JUNIOR}([^\t;,@\d]+)", re.IGNORECASE)  # "Abel, Ann"
SEVERAL = re.compile(rf";|,{NOT_JUNIOR}", re.IGNORECASE)  # "Anna, Berta", "Ann (late, 7pm)"
BETWEEN_PEOPLE = re.compile(r" ?[&＆/+] ?| and ", re.IGNORECASE)  # "Anna Lee & Bob Wu", "Anna Lee/Bob Wu"
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
ABOVE = 5  # filled rows in which the head of the columns is looked for


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of the list: its number in the file from 1, its cells, and the name in it."""

    number: int
    cells: tuple[str, ...]
    name: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as read: the rows with a name, and what was passed over."""

    rows: tuple[ListRow, ...]
    head: tuple[str, ...]  # cells of the head; () when the first row is a name
    empty: tuple[int, ...]  # numbers of empty rows
    columns: str  # the columns that make the name, in order from 1: "1", "2+1"
    width: int  # columns of the widest row
    warnings: tuple[str, ...] = ()

    @property
    def good(self) -> tuple[ListRow, ...]:
        """Rows that can be entered."""
        return tuple(row for row in self.rows if not row.problem)

    @property
    def bad(self) -> tuple[ListRow, ...]:
        """Rows that can't."""
        return tuple(row for row in self.rows if row.problem)

    @property
    def choices(self) -> tuple[str, ...]:
        """Ways to read a name from the columns."""
        if self.width < 2:
            return ("1",)
        width = min(self.width, 6)
        single = [str(n) for n in range(1, width + 1)]
        pairs = [f"{a}+{b}" for a in range(1, width + 1) for b in range(1, width + 1) if abs(a - b) == 1]
        return (*single, *pairs)


def text_of(data: bytes) -> str:
    """The text of a file with a list of names: CSV or plain text, xlsx or ods.

    Raises:
        WrongEncoding: it isn't UTF-8 (with or without mark) nor UTF-16 with a mark; carries its text as it would be in
            Windows-1252.
        UnreadableSpreadsheet: it is no list, too large, or can't be read; the message says what to do.
    """
    if len(data) > FILE_LIMIT:
        raise UnreadableSpreadsheet(_("This file is larger than a list of names can be. Save the names alone as CSV."))
    return workbook_text(data) if is_workbook(data) else decode(data)


def read(text: str, *, columns: str = "", taken: Mapping[str, int] | None = None) -> Listing:
    """The names of a list.

    `columns` says which columns make the name ("" to find out), `taken` maps names in use (case-folded) to the
    number of their entry.

    Raises:
        UnreadableSpreadsheet: it is longer than a list of names can be, or a quotation mark in it is never closed.
    """
    raw = text.lstrip("\ufeff")
    if len(raw) > FILE_LIMIT:
        raise UnreadableSpreadsheet(_("This list is longer than a list of names can be. Write the names alone."))
    raw = _straight(MARK.sub(r"\1", raw))
    table = list(islice(_table(raw), MOST_LINES))
    filled = [(number, cells) for number, cells in table if any(cells)]
    last = filled[-1][0] if filled else 0  # empty lines at the end of a file aren't worth a word
    empty = tuple(number for number, cells in table if number < last and not any(cells))
    above, head = _head([cells for _n, cells in filled[:ABOVE]])
    filled = filled[len(above) + bool(head) :]
    width = max((len(cells) for _n, cells in filled), default=1)
    wanted = columns if re.fullmatch(r"[1-9](\+[1-9])?", columns) else _columns(head, [c for _n, c in filled], raw=raw)
    apart = _apart(filled, empty)
    rows = _judged([(n, c, name_in(c, wanted)) for n, c in filled[:MOST_ROWS]], taken or {}, apart=apart)
    warnings = list(_warnings(rows))
    if above:
        titles = " ".join(f"“{cell}”" for cells in above for cell in cells if cell)
        warnings.append(_("What stands above the heads of the columns was left out: %(titles)s") % {"titles": titles})
    if len(filled) > MOST_ROWS:
        warnings.append(_("Only the first %(n)d rows are read.") % {"n": MOST_ROWS})
    return Listing(tuple(rows), head, empty, wanted, width, tuple(warnings))


def tidy(name: str) -> str:
    """A name with single spaces, composed letters and no invisible signs, but those that hold an emoji together."""
    plain = unicodedata.normalize("NFC", name)
    return re.sub(r"\s+", " ", without_hidden(plain)).strip(" ,;")


def key(name: str) -> str:
    """The form in which names are compared: tidied, and without capitals."""
    return tidy(name).casefold()


def people_in(text: str) -> tuple[str, ...]:
    """The names in a text, as they stand there: both of "Anna Lee & Bob Wu", with /, + or "and", or with the word for
    it in the page's language where none of these parts them. A comma parts nobody.

    >>> people_in("Lee, Anna / Wu, Bob"), people_in("Andy Sand")
    (('Lee, Anna', 'Wu, Bob'), ('Andy Sand',))
    """
    text = " ".join(text.split())
    if BETWEEN_PEOPLE.search(text):
        return tuple(BETWEEN_PEOPLE.split(text))
    words = "|".join(re.escape(word) for word in pgettext("between two names; two words have a space", "and").split())
    return tuple(re.split(f" (?:{words}) ", text, flags=re.IGNORECASE if text.isupper() else 0))


def problem_of(name: str) -> str:
    """Why this can't be the name of one person, in a sentence; "" where it can."""
    if not name:
        return _("There is no name in this row.")
    if name.startswith("="):
        return _("This is a formula and no name. Paste the values of the cells alone.")
    if "\ufffd" in name:
        return _("A letter of this name was lost. Write it again.")
    if not any(ch.isalpha() for ch in name):
        return _("This is no name: it has no letter.")
    if is_address(name):
        return str(NO_ADDRESS)
    if name.endswith(":") or YEAR.search(name) or name.casefold() in FULL | FIRST | LAST | OTHER:
        return _("This looks like a title and no name. Write a person's name without a colon or a year.")
    if SEVERAL.search(name):
        return _("There is more than one name in this row, or a remark. Write one name a row, without a comma.")
    if len(name) > LONGEST_NAME:
        return _("This name has %(n)d letters; %(most)d fit. Shorten it.") % {"n": len(name), "most": LONGEST_NAME}
    return ""


def _two_people(name: str) -> bool:
    """Whether a row says two people. "Ortega y Gasset" has a word for "and" and may be one: both need two words."""
    parts = people_in(name)
    return len(parts) > 1 and (bool(BETWEEN_PEOPLE.search(name)) or all(" " in part for part in parts))


def _table(raw: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Rows with the number of the line they begin on, one by one."""
    best = _between_cells([line for line in islice(lines_of(raw), MOST_LINES) if line.strip()])
    if not best:
        for number, line in enumerate(lines_of(raw), start=1):
            yield number, (tidy(line.strip().strip('"').replace("\t", "; ")),)
        return
    for begun, cells in cells_of(lines_of(raw), best, skip_spaces=True):
        kept = [tidy(cell) for cell in cells[:MOST_CELLS]]
        while len(kept) > 1 and not kept[-1]:
            kept.pop()
        yield begun, tuple(kept)


def _between_cells(filled: Sequence[str]) -> str:
    """What stands between the cells of these lines; "" where each is a name, though some may have a comma in it.

    A table has the sign in its first line, which may be a head, or in half of its lines.
    """
    sign = delimiter_of(filled)
    if not sign or sign in filled[0] or 2 * sum(sign in line for line in filled) >= len(filled):
        return sign
    return ""


def _straight(raw: str) -> str:
    """The text with lines such as "Kowalczyk, Agnes" turned round, where most of the names have no comma."""
    lines = list(lines_of(raw))
    filled = [line for line in lines if line.strip()]
    commas = [line for line in filled if "," in line]
    if not commas or len(commas) * 2 >= len(filled) or any(_turned(line) == line for line in commas):
        return raw
    if any(sign in raw for sign in '\t;"'):
        return raw
    return "\n".join(_turned(line) for line in lines)


def _turned(text: str) -> str:
    """ "Kowalczyk, Agnes" in the usual order, "Tom Walsh, Treasurer" without the office; anything else as it is, "Agnes
    Kowalczyk, host" too."""
    found = TURNED.fullmatch(text)
    last, first = (part.strip() for part in found.groups()) if found else ("", "")
    if first.casefold() in OFFICES:
        return last
    return text if found is None or (last[:1].isupper() and first[:1].islower()) else f"{first} {last}"


def _head(rows: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], tuple[str, ...]]:
    """The titles above the head of the columns, and the head, where the first of these rows make such; else nothing.

    A head has at least one word for names. Under a title, that is a row with one cell filled, it has two words that
    heads have.
    """
    known = FULL | FIRST | LAST | OTHER
    for above, cells in enumerate(rows):
        words = [cell.casefold() for cell in cells if cell]
        heads = sum(word in known for word in words)
        if any(word in FULL | FIRST | LAST for word in words) and (
            heads > 1 if above else heads == len(words) or len(cells) > 1
        ):
            return list(rows[:above]), tuple(cells)
        if len(words) > 1:
            break
    return [], ()


def _apart(filled: Sequence[tuple[int, tuple[str, ...]]], empty: Sequence[int]) -> int:
    """The number of the first row, where the only empty one stands below it; else 0."""
    if len(filled) < 3 or [number for number in empty if number > filled[0][0]] != [filled[0][0] + 1]:
        return 0
    return filled[0][0] if sum(map(bool, filled[0][1])) == 1 else 0


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]], *, raw: str) -> str:
    """Which columns make the name, from the head or from what stands in them."""
    words = [cell.casefold() for cell in head]
    first = next((n for n, w in enumerate(words, start=1) if w in FIRST), 0)
    last = next((n for n, w in enumerate(words, start=1) if w in LAST), 0)
    if first and last:
        return f"{first}+{last}"
    if full := next((n for n, w in enumerate(words, start=1) if w in FULL | FIRST | LAST), 0):
        return str(full)
    width = max((len(cells) for cells in rows), default=1)
    texts = [
        n for n in range(width) if sum(n < len(c) and any(ch.isalpha() for ch in c[n]) for c in rows) * 2 > len(rows)
    ]
    one_word = [n for n in texts if sum(n < len(c) and " " not in c[n] for c in rows) * 2 > len(rows)]
    if len(texts) >= 2 and texts[:2] == one_word[:2] and texts[1] == texts[0] + 1:
        a, b = texts[0] + 1, texts[1] + 1
        return f"{b}+{a}" if "," in raw else f"{a}+{b}"  # "Abel, Ann" is the usual order with a comma
    return str(texts[0] + 1 if texts else 1)


def name_in(cells: Sequence[str], columns: str) -> str:
    """The name in a row, made from these columns."""
    wanted = [cells[int(n) - 1] for n in columns.split("+") if int(n) <= len(cells)]
    return tidy(_turned(wanted[0]) if len(wanted) == 1 else " ".join(wanted))


def _judged(rows: Iterable[tuple[int, tuple[str, ...], str]], taken: Mapping[str, int], *, apart: int) -> list[ListRow]:
    """Rows with what is wrong with each name. Where a name stands twice, whatever its accents, the first row is good,
    and the problem of the second points to it. `apart` is the number of a row that stands apart like a title."""
    seen: dict[tuple[str, ...], int] = {}
    judged = []
    for number, cells, name in rows:
        problem = problem_of(name) or _problem_beside(name, seen=seen, taken=taken)
        if not problem and number == apart:
            problem = _("This may be a title: it stands apart. If it is a person, take out the empty row below it.")
        if not problem:
            seen[folded(name)] = number
        judged.append(ListRow(number, cells, name, problem))
    return judged


def _problem_beside(name: str, *, seen: Mapping[tuple[str, ...], int], taken: Mapping[str, int]) -> str:
    """Why a name can't be entered beside the rows before it and those entered already; "" where it can."""
    if (same := folded(name)) in seen:
        return _("The same name as in row %(row)d. If they are two people, add a letter or a town.") % {
            "row": seen[same]
        }
    if (entered := key(name)) in taken:
        return _("Entered already, as number %(number)d.") % {"number": taken[entered]}
    if _two_people(name):
        return _(
            "There are two people in this row. Write each in a row of their own; "
            "if it is one name all the same, enter it by itself."
        )
    return ""


def _warnings(rows: Sequence[ListRow]) -> Iterable[str]:
    garbled = [row for row in rows if GARBLED.search(row.name)]
    if garbled:
        yield ngettext(
            "Row %(row)s looks as if its letters were damaged by an earlier program: “%(name)s”. "
            "Look at it before you enter it.",
            "Rows %(row)s look as if their letters were damaged by an earlier program, for example “%(name)s”. "
            "Look at them before you enter them.",
            len(garbled),
        ) % {"row": ", ".join(str(row.number) for row in garbled[:10]), "name": garbled[0].name}
