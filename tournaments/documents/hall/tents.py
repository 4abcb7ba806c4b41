"""Tents for tables: the table's number to be read across a hall, and the code with which it scores on a phone."""

from __future__ import annotations

from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Pages
from tournaments.documents.from_draws import heading_of_draw, seating_sheet, title_of_draw
from tournaments.documents.sheets import SeatingSheet
from tournaments.models import Draw


def tents(draw: Draw, *, site: str = "") -> SeatingSheet:
    """The tables of a draw, for a tent each; with the address of the `site` for phones, also their links, as long as
    these open their cards."""
    title = _("Tents for tables · %(what)s") % {"what": title_of_draw(draw)}
    return replace(seating_sheet(draw, site=site), heading=heading_of_draw(draw, title))


def tent_pages(made: SeatingSheet, paper: str) -> Pages:
    """A sheet for each table, to be folded across the middle: the same on both sides."""
    size = PAPERS[paper]
    context = {
        "tents": made,
        "page": f"size: {size.size}",
        "face": f"width: {size.width}mm; height: {size.height / 2}mm",
    }
    drawings = {f"qr-{link.code}": link.qr_bare for link in made.links}
    return Pages((render_to_string("documents/hall/tents.html", context),), drawings)
