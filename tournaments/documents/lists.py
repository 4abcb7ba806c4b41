"""Lists as pages: who sits where, movements, standings, the cut, the result."""

from __future__ import annotations

from django.template.loader import render_to_string

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from tournaments.documents.movement import MovementSheet
from tournaments.documents.sheets import CutSheet, ResultSheet, SeatingSheet, StandingsSheet

TEMPLATES = {
    SeatingSheet: "documents/seating.html",
    MovementSheet: "documents/movement.html",
    StandingsSheet: "documents/standings.html",
    CutSheet: "documents/cut.html",
    ResultSheet: "documents/result.html",
}


def list_pages(sheet: SeatingSheet | MovementSheet | StandingsSheet | CutSheet | ResultSheet, paper: str) -> Pages:
    """A list on as many upright sheets as it needs."""
    size = PAPERS[paper]
    html = render_to_string(TEMPLATES[type(sheet)], {"sheet": sheet, "size": size.size})
    links = sheet.links if isinstance(sheet, SeatingSheet) else ()
    return Pages((html,), {f"qr-{link.code}": link.qr for link in links})
