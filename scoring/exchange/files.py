"""A file of games, whatever it is: bytes to records, with everything that keeps it from being read."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from scoring import spreadsheets
from scoring.engine.files.deal_files import Known, Most, TooManyDeals
from scoring.engine.files.json_text import UnreadableText, decoded
from scoring.exchange.explained import printable, why_unreadable
from scoring.exchange.records import Records, from_json
from scoring.exchange.table import from_csv
from scoring.exchange.taking_in import Bad, BadFile
from scoring.templatetags.figures import points

FILE_LIMIT = 8 * 1024 * 1024
MOST_DEALS = 20_000
# Limits of a file that is sent to the site: nobody else can record anything while its deals are written, some five
# seconds; and reading it takes less than 64 MB, however it was made (tests/hostile/test_memory.py).
PAGE_LIMIT = 4 * 1024 * 1024
MOST_ON_A_PAGE = 3_000
ON_A_PAGE = Most(deals=MOST_ON_A_PAGE, weight=800_000)


class NotRead(BadFile):
    """The file can't be read; carries why, line by line."""


def read_file(raw: bytes, known: Known, *, most: int = MOST_DEALS) -> Records:
    """The records of a file: JSON when it begins with a brace or a bracket, else a table.

    It may have `most` deals and `FILE_LIMIT` bytes, or `PAGE_LIMIT` bytes where `most` is at most `MOST_ON_A_PAGE`. A
    larger file is refused as soon as that shows, before records are made of the rest.

    Raises:
        NotRead: it is too large, no text, or not of the form; carries the faults, as many as are told.
    """
    on_a_page = most <= MOST_ON_A_PAGE
    size = PAGE_LIMIT if on_a_page else FILE_LIMIT
    if len(raw) > size:
        words = _("This file has more than %(most)s bytes. Split it by seasons or events.")
        raise NotRead((Bad(0, "", words % {"most": points(size)}),))
    try:
        return _records(raw, known, most=replace(ON_A_PAGE if on_a_page else Most(), deals=most))
    except UnreadableText as no:
        found = tuple(Bad(f.line, printable(f.path), why_unreadable(f)) for f in no.faults)
        raise NotRead(found) from None
    except spreadsheets.UnreadableSpreadsheet as no:
        raise NotRead((Bad(0, "", str(no)),)) from None
    except TooManyDeals:
        words = _(
            "This file has more than %(most)s deals, and no more can be taken in at once. Split it, "
            "or have it taken in with “manage.py deals import”, which takes up to %(all)s."
        )
        shown = {"most": points(most), "all": points(MOST_DEALS)}
        raise NotRead((Bad(0, "", words % shown),)) from None


def _records(raw: bytes, known: Known, *, most: Most) -> Records:
    if raw[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return from_json(decoded(raw), known, most=most)
    try:
        return from_csv(spreadsheets.decode(raw), known, most=most)
    except spreadsheets.WrongEncoding as wrong:
        return replace(from_csv(wrong.guess, known, most=most), warning=str(wrong))
