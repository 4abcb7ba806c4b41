"""Lists as pages: who sits where, movements, standings, the cut, the result, the prizes, who met whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.pdf.documents import PAPERS, Heading, Pages
from tournaments.documents.from_draws import heading_of
from tournaments.documents.from_results import version_words
from tournaments.documents.movement import MovementSheet
from tournaments.documents.sheets import CutSheet, ResultSheet, SeatingSheet, StandingsSheet
from tournaments.models import Event
from tournaments.pictures.meetings import Meetings
from tournaments.prizes.words import LineWords, prizes_view
from tournaments.rounds.met import met_in
from tournaments.standings.queries import standing_result

ROOM = 186.0  # millimetres that the picture of who met whom may be wide
ABOVE = 62.0  # millimetres of its sheet's height that the head, the key and the foot take
LARGEST = 4.6  # millimetres that an em of it is at most


class OnTheWall(Protocol):
    """What hangs on the wall."""

    @property
    def heading(self) -> Heading: ...


TEMPLATES = {
    SeatingSheet: "documents/hall/seating.html",
    MovementSheet: "documents/hall/movement.html",
    StandingsSheet: "documents/standings.html",
    CutSheet: "documents/cut.html",
    ResultSheet: "documents/result.html",
}


def list_pages(sheet: SeatingSheet | MovementSheet | StandingsSheet | CutSheet | ResultSheet, paper: str) -> Pages:
    """A list on as many upright sheets as it needs."""
    if isinstance(sheet, ResultSheet):
        sheet = replace(sheet, apart=sheet.close and sheet.height > PAPERS[paper].height)
    html = wall_html(TEMPLATES[type(sheet)], sheet, size=PAPERS[paper].size)
    links = sheet.links if isinstance(sheet, SeatingSheet) else ()
    return Pages((html,), {f"qr-{link.code}": link.qr_bare for link in links})


def wall_html(template: str, sheet: OnTheWall, *, size: str) -> str:
    """A sheet that hangs on the wall, on paper of this size: members who want it so stand on it with their initials."""
    html: str = render_to_string(template, {"sheet": sheet, "size": size})
    if sheet.heading.club_key is None:
        return html
    return hidden_names(Club.objects.get(pk=sheet.heading.club_key)).html(html)


@dataclass(frozen=True, slots=True)
class PrizeSheet:
    """The prizes as published, and how their lots are checked."""

    heading: Heading
    lines: tuple[LineWords, ...]
    lots: tuple[str, ...]


def prize_pages(event: Event, paper: str) -> Pages | None:
    """The published prizes as pages; None while none stand."""
    found = prizes_view(event, standing_result(event))
    if found is None:
        return None
    note, mark = version_words(found.published, event), _("out of date") if found.other_result else ""
    sheet = PrizeSheet(heading_of(event, _("Prizes"), note=note, mark=mark), found.lines, found.lots)
    return Pages((wall_html("documents/prizes.html", sheet, size=PAPERS[paper].size),))


@dataclass(frozen=True, slots=True)
class MetSheet:
    """The meetings of an event. `width` of the picture in millimetres."""

    heading: Heading
    met: Meetings
    width: float = 0.0
    whole: float = 0.0  # width of the picture in ems, names included


def met_pages(event: Event, paper: str) -> Pages | None:
    """The sheets of who met whom; None before a draw is published. Four queries."""
    met = met_in(event)
    if not met.people:
        return None
    whole = width = 0.0
    if met.matrix:
        whole = met.matrix.left + met.matrix.size
        em = min(LARGEST, ROOM / whole, (PAPERS[paper].height - ABOVE) / met.matrix.tall)
        width = round(em * whole, 1)
    sheet = MetSheet(heading_of(event, _("Who met whom")), met, width, round(whole, 2))
    return Pages((wall_html("documents/hall/met.html", sheet, size=PAPERS[paper].size),))
