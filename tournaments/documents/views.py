"""The print centre, and the documents as PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from clubsite.addresses import only_here
from clubsite.pdf.documents import PAPERS, Pages, kept_answer, pdf_answer
from clubsite.pdf.typeface import not_printable
from clubsite.questions import Given, Question
from tournaments.documents.asked import Asked
from tournaments.documents.cards import card_pages
from tournaments.documents.forms.of_event import TWINS, Twin
from tournaments.documents.forms.sheets import form_pages
from tournaments.documents.from_draws import blank_cards, card_sheets, heading_of, seating_sheet
from tournaments.documents.from_results import cut_sheet, result_sheet, standings_sheet
from tournaments.documents.hall.certificates import MOST, USUAL, certificate_pages
from tournaments.documents.hall.place_cards import place_card_pages, place_cards
from tournaments.documents.hall.tents import tent_pages, tents
from tournaments.documents.hall.travelling import travel_cards, travel_pages
from tournaments.documents.lists import list_pages, met_pages, prize_pages
from tournaments.documents.movement import movement_sheet
from tournaments.documents.offered import offered
from tournaments.documents.record.blocks import record_pages
from tournaments.documents.record.record import record_of
from tournaments.documents.remembered import Remembered
from tournaments.documents.season import SEASON_DOCUMENTS
from tournaments.documents.sheets import CardSheet
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import Draw, Event
from tournaments.requests import event_of

MOST_BLANK = 60  # copies of the blank card in one file, at most


DRAWS = Question(
    lambda: (
        Draw.objects.filter(round__stage__event=Given("event"))
        .exclude(state=Draw.State.WITHDRAWN)
        .select_related("round__stage")
        .defer("statement", "ahead", "change")
        .order_by("-round__stage__number", "-round__number", "-number")
    )
)


@club_page
def centre(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Everything of an event that can be printed."""
    found = event_of(club, event)
    asked = Asked(request, found)
    director = asked.director
    draws = [draw for draw in DRAWS.ask(event=found.pk) if director or draw.state == Draw.State.PUBLISHED]
    for draw in draws:
        draw.round.stage.event = found
    here = reverse("print", args=[club.slug, found.slug])
    end = urlencode({"paper": asked.paper} | ({"on": asked.on} if asked.on else {}))
    context = {
        "event": found,
        "draws": draws,
        "groups": [
            (group, [(part, part.rows(here, end)) for part in group.parts])
            for group in offered(found, draws, director=director)
        ],
        "season_documents": [
            (slug, one.words) for slug, one in SEASON_DOCUMENTS.items() if director or not one.director
        ],
        "paper": asked.paper,
        "papers": PAPERS,
        "on": asked.on,
        "site": asked.site,
        "only_here": only_here(asked.site),
        "boxes": [name for name in found.entries.values_list("name", flat=True) if not_printable(name)],
    }
    return render(request, "tournaments/documents/print_centre.html", context)


@club_page
def document(request: HttpRequest, club: Club, *, event: str, document: str) -> HttpResponse:
    """One document as PDF: on the club's paper, or on `?paper=`. 503 with the reason when this machine makes no PDF."""
    found = event_of(club, event)
    if document not in DOCUMENTS:
        raise Http404
    name = f"{found.name} {document}"
    remembered = Remembered(request, found, document=document)
    if (made := kept_answer(request, remembered.key, name=name)) is not None:
        return made
    try:
        pages = remembered.made(lambda: pages_of(request, found, document=document))
    except StepRefused as refused:
        return render(
            request,
            "tournaments/documents/print_refused.html",
            {"event": found, "message": refused.message},
            status=409,
        )
    back = reverse("print", args=[club.slug, found.slug])
    return pdf_answer(request, pages, name=name, back=back)


def pages_of(request: HttpRequest, event: Event, *, document: str) -> Pages:
    """The pages of a document in the club's language and zone, on its paper or on `?paper=`.

    Raises:
        Http404: there is no such document of this event for whoever asks.
        StepRefused: there is none yet.
    """
    with as_in(event.club):
        asked = Asked(request, event)
        pages = DOCUMENTS[document](asked)
        if pages is None:
            raise Http404
        return pages if document in SHARE_THEMSELVES else pages.smaller(asked.on)


def _cards(asked: Asked) -> Pages | None:
    """The cards of a draw: to be filled in, or with the deals that are recorded.

    Raises:
        StepRefused: the recorded ones are asked for, and no deal is.
    """
    filled = asked.request.GET.get("filled") == "1"
    sheets = card_sheets(asked.draw(), filled=filled, site=asked.site_of_cards, only=asked.number("group"))
    if filled and not sheets:
        raise StepRefused(_("No deal of this draw is recorded yet. The cards to be filled in can be printed."))
    return _card_pages(asked, sheets)


def _card_pages(asked: Asked, sheets: Sequence[CardSheet]) -> Pages | None:
    """These cards on sheets; None without any."""
    return card_pages(sheets, asked.event.rules.rule_set, paper=asked.paper, on=asked.on) if sheets else None


def _round(asked: Asked) -> Pages:
    """All that a hall needs for a draw in one file: who sits where and who sits out, the movement for directors, the
    cards."""
    draw = asked.draw()
    made = [list_pages(seating_sheet(draw, site=asked.site), asked.paper).smaller(asked.on)]
    if asked.event.traits.searched and asked.director:
        made.append(list_pages(movement_sheet(draw), asked.paper).smaller(asked.on))
    if cards := _card_pages(asked, card_sheets(draw, site=asked.site_of_cards)):
        made.append(cards)
    return Pages.together(made)


def _travelling(asked: Asked) -> Pages:
    made = travel_cards(asked.event, ahead=asked.director)
    if not made.cards:
        raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
    return travel_pages(made, asked.paper, on=asked.on)


def _place_cards(asked: Asked) -> Pages:
    """A place card for everybody: with the seats of the draw that is asked for, else with names alone."""
    made = place_cards(asked.event, asked.draw() if asked.number("draw") else None)
    if not made.cards:
        raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
    return place_card_pages(made, asked.paper)


def _certificates(asked: Asked) -> Pages | None:
    places = min(max(asked.number("places") or USUAL, 1), MOST)
    return certificate_pages(asked.event, asked.paper, places=places)


def _blank(asked: Asked) -> Pages | None:
    copies = min(max(asked.number("copies") or 2, 1), MOST_BLANK)
    return _card_pages(asked, blank_cards(asked.event, copies=copies))


def _movement(asked: Asked) -> Pages | None:
    """For directors: it shows rounds that nobody has published yet."""
    if not (asked.event.traits.searched and asked.director):
        return None
    return list_pages(movement_sheet(asked.draw()), asked.paper)


def _standings(asked: Asked) -> Pages:
    stage, version = asked.stage(), asked.number("version")
    published = get_object_or_404(stage.published_standings, number=version) if version else None
    return list_pages(standings_sheet(stage, published), asked.paper)


def _cut(asked: Asked) -> Pages | None:
    """As published; before that for directors, as it would be now."""
    stage, version = asked.stage(), asked.number("version")
    cut = get_object_or_404(stage.cuts, number=version) if version else published_cut(stage)
    return list_pages(cut_sheet(stage, cut), asked.paper) if cut or asked.director else None


def _result(asked: Asked) -> Pages | None:
    return list_pages(sheet, asked.paper) if (sheet := result_sheet(asked.event)) else None


def _second_keying(asked: Asked) -> Pages | None:
    """Cards with names and without figures, marked: for somebody who writes the figures of the cards a second time."""
    mark = _("second keying")
    again = card_sheets(asked.draw())
    return _card_pages(asked, [replace(card, heading=replace(card.heading, mark=mark)) for card in again])


def _twin(twin: Twin, asked: Asked) -> Pages | None:
    """A screen's twin, for those who may open the screen."""
    if not twin.fits(asked.event) or (twin.director and not asked.director):
        return None
    title = _("%(title)s · form") % {"title": twin.head or twin.title}
    return form_pages(twin.make(asked.event), asked.paper, heading=heading_of(asked.event, title))


DOCUMENTS: dict[str, Callable[[Asked], Pages | None]] = {
    "round": _round,
    "travelling": _travelling,
    "place-cards": _place_cards,
    "tents": lambda asked: tent_pages(tents(asked.draw(), site=asked.site_of_cards), asked.paper),
    "certificates": _certificates,
    "cards": _cards,
    "blank": _blank,
    "seating": lambda asked: list_pages(seating_sheet(asked.draw(), site=asked.site), asked.paper),
    "movement": _movement,
    "standings": _standings,
    "cut": _cut,
    "result": _result,
    "prizes": lambda asked: prize_pages(asked.event, asked.paper),
    "met": lambda asked: met_pages(asked.event, asked.paper),
    "record": lambda asked: record_pages(record_of(asked.event), asked.paper) if asked.director else None,
    "second-keying": _second_keying,
    **{slug: partial(_twin, twin) for slug, twin in TWINS.items()},
}
"""Name in the address to what it prints; None where whoever asks gets none of this event. They are called in the club's
time zone (and language)."""
SHARE_THEMSELVES = ("round", "travelling", "cards", "blank", "second-keying")  # these say how many share a sheet
