"""Lists as pages: who sits where, movements, standings, the cut, the result."""

from __future__ import annotations

from typing import Protocol

from django.template.loader import render_to_string

from clubsite.accounts.models import Club
from clubsite.accounts.names.hidden import hidden_names
from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from tournaments.documents.movement import MovementSheet
from tournaments.documents.sheets import CutSheet, Heading, ResultSheet, SeatingSheet, StandingsSheet


class OnTheWall(Protocol):
    """What hangs on the wall."""

    @property
    def heading(self) -> Heading: ...


TEMPLATES = {
    SeatingSheet: "documents/seating.html",
    MovementSheet: "documents/movement.html",
    StandingsSheet: "documents/standings.html",
    CutSheet: "documents/cut.html",
    ResultSheet: "documents/result.html",
}


def list_pages(sheet: SeatingSheet | MovementSheet | StandingsSheet | CutSheet | ResultSheet, paper: str) -> Pages:
    """A list on as many upright sheets as it needs."""
    html = wall_html(TEMPLATES[type(sheet)], sheet, size=PAPERS[paper].size)
    links = sheet.links if isinstance(sheet, SeatingSheet) else ()
    return Pages((html,), {f"qr-{link.code}": link.qr for link in links})


def wall_html(template: str, sheet: OnTheWall, *, size: str) -> str:
    """A sheet that hangs on the wall, on paper of this size: members who want it so stand on it with their initials."""
    html: str = render_to_string(template, {"sheet": sheet, "size": size})
    if sheet.heading.club_key is None:
        return html
    return hidden_names(Club.objects.get(pk=sheet.heading.club_key)).html(html)
