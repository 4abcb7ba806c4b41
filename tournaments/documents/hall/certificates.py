"""Certificates for those who won: one sheet across for each, to be signed."""

from __future__ import annotations

from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Pages
from scoring.templatetags.figures import points
from tournaments.documents.cards import name_size
from tournaments.documents.from_draws import heading_of
from tournaments.documents.from_results import version_of
from tournaments.documents.ruled import SVG, suit_paths
from tournaments.models import Event
from tournaments.standings.queries import standing_result
from tournaments.standings.standings import Row

USUAL, MOST = 3, 20  # places that get one
FRAME = 60.0  # millimetres at the sides of the name


@dataclass(frozen=True, slots=True)
class Certificate:
    """A winner's name, the place in words and the points scored. `size` is the type size of the name."""

    name: str
    place: str
    points: str
    size: float


def certificate_pages(event: Event, paper: str, *, places: int = USUAL) -> Pages | None:
    """A sheet across for each of the first `places` of the published result and everybody who shares one of them; None
    while no result stands, or nobody has such a place."""
    published = standing_result(event)
    if published is None:
        return None
    size = PAPERS[paper]
    room = size.height - FRAME
    rows = [Row.from_data(row) for row in published.rows]
    winners = tuple(
        Certificate(row.name, place_words(row), points(row.points), name_size(row.name, room, most=46.0))
        for row in rows
        if row.place <= places and not (row.disqualified or row.stand_in)
    )
    context = {
        "heading": heading_of(event, _("Certificates"), note=version_of(published, event)),
        "hall": event.place,
        "winners": winners,
        "page": f"size: {size.height}mm {size.width}mm",
        "sheet": f"width: {size.height}mm; height: {size.width}mm",
    }
    html = render_to_string("documents/hall/certificates.html", context)
    return Pages((html,), {"suits": _suits()}) if winners else None


def place_words(row: Row) -> str:
    """A place as a certificate says it."""
    alone = {1: _("First place"), 2: _("Second place"), 3: _("Third place")}
    shared = {1: _("Shared first place"), 2: _("Shared second place"), 3: _("Shared third place")}
    words = shared if row.shared else alone
    return words.get(row.place) or (_("Shared place %(n)d") if row.shared else _("Place %(n)d")) % {"n": row.place}


def _suits() -> str:
    """The four suits in a row, from the site's own set."""
    drawn = "".join(
        f'<path transform="translate({48 * n} 0)" d="{path}" fill="{"#111" if n % 2 == 0 else "#a3262a"}"/>'
        for n, path in enumerate(suit_paths())
    )
    return f'<svg xmlns="{SVG}" width="44mm" height="8mm" viewBox="0 0 176 32">{drawn}</svg>'
