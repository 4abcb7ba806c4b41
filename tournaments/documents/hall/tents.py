"""Tents for tables: the table's number to be read across a hall, and the code with which it scores on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from tournaments.documents.from_draws import heading_of, mark_of, seating_sheet, title_of_draw, version_of_draw
from tournaments.documents.sheets import Heading, SeatingGroup, SeatingTable
from tournaments.models import Draw


@dataclass(frozen=True, slots=True)
class Tents:
    """A tent for each table of a draw. Groups have their links, as long as these open their cards."""

    heading: Heading
    tables: tuple[SeatingTable, ...]

    @property
    def groups(self) -> Sequence[SeatingGroup]:
        """The groups of all tables."""
        return [group for table in self.tables for group in table.groups]


def tents(draw: Draw, *, site: str = "") -> Tents:
    """The tents of a draw; with the address of the `site` for phones, also the links of its tables."""
    title = _("Tents for tables · %(what)s") % {"what": title_of_draw(draw)}
    heading = heading_of(draw.round.stage.event, title, note=version_of_draw(draw), mark=mark_of(draw))
    return Tents(heading, seating_sheet(draw, site=site).tables)


def tent_pages(made: Tents, paper: str) -> Pages:
    """A sheet for each table, to be folded across the middle: the same on both sides."""
    size = PAPERS[paper]
    context = {
        "tents": made,
        "page": f"size: {size.size}",
        "face": f"width: {size.width}mm; height: {size.height / 2}mm",
    }
    drawings = {f"qr-{group.link.code}": group.link.qr for group in made.groups if group.link}
    return Pages((render_to_string("documents/hall/tents.html", context),), drawings)
