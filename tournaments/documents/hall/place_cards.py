"""Names for places: a card for everybody, to be cut out, with the seat in a draw where there is one."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubsite.names import in_order
from clubsite.pdf.documents import PAPERS, Heading, Pages
from tournaments.documents.cards import name_size
from tournaments.documents.from_draws import heading_of, heading_of_draw, seating_sheet, title_of_draw
from tournaments.documents.hall.spots import Spots, spot_pages
from tournaments.models import Draw, Entry, Event

WIDTH, HEIGHT = 90.0, 60.0
LARGEST = 30.0  # points


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """A person's name, and where they sit: "Table 3 · North", or "" where no draw is shown."""

    name: str
    where: str = ""

    @property
    def size(self) -> float:
        """The size of the name, in points: the largest in which it fits on two lines."""
        return name_size(self.name, WIDTH - 12, most=LARGEST, lines=2)


@dataclass(frozen=True, slots=True)
class PlaceCards:
    """The sheet: everybody of a draw by table, or everybody who is entered by name."""

    heading: Heading
    cards: tuple[PlaceCard, ...]


def place_cards(event: Event, draw: Draw | None) -> PlaceCards:
    """A card for everybody: in order of the draw's tables, so that they can be laid out; else by name."""
    if draw is None:
        names = event.entries.filter(state=Entry.State.HERE).values_list("name", flat=True)
        cards = tuple(PlaceCard(name) for name in sorted(names, key=in_order))
        return PlaceCards(heading_of(event, _("Names for places")), cards)
    seats, word = seating_sheet(draw), _("Table %(n)d")
    cards = tuple(
        PlaceCard(player.name, " · ".join(filter(None, (word % {"n": table.number}, group.label, player.seat))))
        for table in seats.tables
        for group in table.groups
        for player in group.players
    )
    title = _("Names for places · %(what)s") % {"what": title_of_draw(draw)}
    return PlaceCards(heading_of_draw(draw, title), (*cards, *(PlaceCard(name) for name in seats.sit_outs)))


def place_card_pages(made: PlaceCards, paper: str) -> Pages:
    """Eight on a sheet, with crop marks."""
    spots = Spots(PAPERS[paper], 2, 4, WIDTH, HEIGHT)
    return spot_pages(spots, made.cards, template="documents/hall/_place_card.html", heading=made.heading)
