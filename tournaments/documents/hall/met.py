"""Who met whom on paper: a square with a mark where two met, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from tournaments.documents.from_draws import heading_of
from tournaments.documents.lists import wall_html
from tournaments.documents.sheets import Heading
from tournaments.models import Event
from tournaments.pictures.meetings import Meetings
from tournaments.rounds.met import met_in

ROOM = 186.0  # millimetres that the picture may be wide
ABOVE = 62.0  # millimetres of a sheet's height that the head, the key and the foot take
LARGEST = 4.6  # millimetres that an em is at most


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
