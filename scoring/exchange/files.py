"""A file of games, whatever it is: bytes to records, with everything that keeps it from being read."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import spreadsheets
from scoring.engine.files.deal_files import Known
from scoring.engine.files.json_text import Unreadable, decoded
from scoring.exchange.explained import printable, why_unreadable
from scoring.exchange.records import Records, from_json
from scoring.exchange.table import from_csv
from scoring.exchange.taking_in import Bad
from scoring.templatetags.figures import points

FILE_LIMIT = 8 * 1024 * 1024
MOST_DEALS = 20_000
MOST_ON_A_PAGE = 3_000  # deals: nobody else can record anything while they are written, some five seconds


class NotRead(Exception):
    """The file can't be read; carries why, line by line."""

    def __init__(self, bad: tuple[Bad, ...]) -> None:
        super().__init__("; ".join(one.words for one in bad))
        self.bad = bad


@dataclass(frozen=True, slots=True)
class Read:
    """What a file says. `warning`: what to look at, "" for nothing."""

    records: Records
    warning: str = ""


def read_file(raw: bytes, known: Known, *, most: int = MOST_DEALS) -> Read:
    """The records of a file with at most so many deals: JSON when it begins with a brace or a bracket, else a table.

    Raises:
        NotRead: it is too large, no text, or not of the form; carries every fault.
    """
    if len(raw) > FILE_LIMIT:
        words = _("This file has more than %(most)s bytes. Split it by seasons or events.")
        raise NotRead((Bad(0, "", words % {"most": points(FILE_LIMIT)}),))
    try:
        read = _records(raw, known)
    except Unreadable as no:
        found = tuple(Bad(f.line, printable(f.path), why_unreadable(f)) for f in no.faults)
        raise NotRead(found) from None
    except spreadsheets.Unreadable as no:
        raise NotRead((Bad(0, "", str(no)),)) from None
    deals = sum(len(game.deals) for game in read.records.games)
    if deals > most:
        words = _(
            "This file has %(deals)s deals; %(most)s can be taken in at once. Split it, "
            "or have it taken in with “manage.py deals import”, which takes up to %(all)s."
        )
        shown = {"deals": points(deals), "most": points(most), "all": points(MOST_DEALS)}
        raise NotRead((Bad(0, "", words % shown),))
    return read


def _records(raw: bytes, known: Known) -> Read:
    if raw.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return Read(from_json(decoded(raw), known))
    try:
        return Read(from_csv(spreadsheets.decode(raw), known))
    except spreadsheets.WrongEncoding as wrong:
        return Read(from_csv(wrong.guess, known), str(wrong))
