"""The sheet of an event's prizes, to be read out and put on the board."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from tournaments.documents.from_draws import heading_of
from tournaments.documents.from_results import version_words
from tournaments.documents.lists import wall_html
from tournaments.documents.sheets import Heading
from tournaments.models import Event
from tournaments.prizes.shown import prizes_view
from tournaments.prizes.words import LineWords
from tournaments.standings.queries import standing_result


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
