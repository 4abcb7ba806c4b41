"""The print centre, and the documents as PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from clubsite.accounts.entrance.addresses import only_here
from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, is_director
from clubsite.paper.answer import kept_answer, pdf_answer
from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS, paper_of
from clubsite.paper.typeface import not_printable
from clubsite.questions import Given, Question
from tournaments.documents.asked import draw_asked, on_asked, stage_asked
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
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Event, PublishedStandings
from tournaments.requests import event_of, whole_number_or_none
from tournaments.table_links.shown import site_of

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
    director = is_director(request, club)
    draws = [draw for draw in DRAWS.ask(event=found.pk) if director or draw.state == Draw.State.PUBLISHED]
    for draw in draws:
        draw.round.stage.event = found
    paper, on = paper_of(request.GET.get("paper", ""), club.paper), on_asked(request)
    here = reverse("print", args=[club.slug, found.slug])
    asked = urlencode({"paper": paper} | ({"on": on} if on else {}))
    context = {
        "event": found,
        "draws": draws,
        "groups": [
            (group, [(part, part.rows(here, asked)) for part in group.parts])
            for group in offered(found, draws, director=director)
        ],
        "season_documents": [
            (slug, one.words) for slug, one in SEASON_DOCUMENTS.items() if director or not one.director
        ],
        "paper": paper,
        "papers": PAPERS,
        "on": on,
        "site": site_of(request),
        "only_here": only_here(site_of(request)),
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
    if document not in DOCUMENTS:
        raise Http404
    with as_in(event.club):
        paper = paper_of(request.GET.get("paper", ""), event.club.paper)
        return DOCUMENTS[document](request, event, paper=paper)


def _cards(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """The cards of a draw: to be filled in, or with the deals that are recorded.

    Raises:
        StepRefused: the recorded ones are asked for, and no deal is.
    """
    filled = request.GET.get("filled") == "1"
    sheets = card_sheets(draw_asked(request, event), filled=filled, site=_site_of_cards(request))
    if not sheets and filled:
        raise StepRefused(_("No deal of this draw is recorded yet. The cards to be filled in can be printed."))
    if not sheets:
        raise Http404
    return card_pages(sheets, event.rules.rule_set, paper=paper, on=on_asked(request))


def _site_of_cards(request: HttpRequest) -> str:
    """The address in the codes on cards; none with four on a sheet, where no phone could read them."""
    return "" if on_asked(request) == 4 else site_of(request)


def _round(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """All that a hall needs for a draw in one file: who sits where and who sits out, the movement for directors, the
    cards."""
    draw = draw_asked(request, event)
    on = on_asked(request)
    made = [list_pages(seating_sheet(draw, site=site_of(request)), paper).smaller(on)]
    if event.traits.searched and is_director(request, event.club):
        made.append(list_pages(movement_sheet(draw), paper).smaller(on))
    if cards := card_sheets(draw, site=_site_of_cards(request)):
        made.append(card_pages(cards, event.rules.rule_set, paper=paper, on=on))
    return Pages.together(made)


def _travelling(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    made = travel_cards(event, ahead=is_director(request, event.club))
    if not made.cards:
        raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
    return travel_pages(made, paper, on=on_asked(request))


def _place_cards(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """A place card for everybody: with the seats of the draw that is asked for, else with names alone."""
    made = place_cards(event, draw_asked(request, event) if request.GET.get("draw") else None)
    if not made.cards:
        raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
    return place_card_pages(made, paper)


def _tents(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    return tent_pages(tents(draw_asked(request, event), site=_site_of_cards(request)), paper)


def _certificates(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    places = min(max(whole_number_or_none(request.GET.get("places")) or USUAL, 1), MOST)
    if (pages := certificate_pages(event, paper, places=places)) is None:
        raise Http404
    return pages


def _blank(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    copies = min(max(whole_number_or_none(request.GET.get("copies")) or 2, 1), MOST_BLANK)
    return card_pages(
        blank_cards(event, event.shape, copies=copies), event.rules.rule_set, paper=paper, on=on_asked(request)
    )


def _seating(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    return list_pages(seating_sheet(draw_asked(request, event), site=site_of(request)), paper)


def _movement(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """For directors: it shows rounds that nobody has published yet."""
    if not event.traits.searched or not is_director(request, event.club):
        raise Http404
    return list_pages(movement_sheet(draw_asked(request, event)), paper)


def _standings(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    stage = stage_asked(request, event)
    published = None
    if version := whole_number_or_none(request.GET.get("version")):
        published = get_object_or_404(PublishedStandings, stage=stage, number=version)
    return list_pages(standings_sheet(stage, published), paper)


def _cut(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    stage = stage_asked(request, event)
    cut = stage.cuts.filter(state=Cut.State.PUBLISHED).first()
    if version := whole_number_or_none(request.GET.get("version")):
        cut = get_object_or_404(Cut, stage=stage, number=version)
    if cut is None and not is_director(request, event.club):
        raise Http404
    return list_pages(cut_sheet(stage, cut), paper)


def _result(event: Event, paper: str) -> Pages | None:
    return list_pages(sheet, paper) if (sheet := result_sheet(event)) else None


class Document(Protocol):
    """A function that makes one kind of document."""

    def __call__(self, request: HttpRequest, event: Event, /, *, paper: str) -> Pages: ...


def _on(make: Document) -> Document:
    """The same document, with as many pages on a sheet as the request asks for."""
    return lambda request, event, *, paper: make(request, event, paper=paper).smaller(on_asked(request))


def _where_any(make: Callable[[Event, str], Pages | None]) -> Document:
    """A document of an event that is asked for nothing else; 404 where there is none yet."""

    def made(request: HttpRequest, event: Event, *, paper: str) -> Pages:
        if (pages := make(event, paper)) is None:
            raise Http404
        return pages

    return made


def _twin(twin: Twin) -> Document:
    """A screen's twin, for those who may open the screen."""

    def make(request: HttpRequest, event: Event, *, paper: str) -> Pages:
        if not twin.fits(event) or (twin.director and not is_director(request, event.club)):
            raise Http404
        title = _("%(title)s · form") % {"title": twin.head or twin.title}
        return form_pages(twin.make(event), paper, heading=heading_of(event, title))

    return make


def _second_keying(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """Cards with names and without figures, marked: for somebody who writes the figures of the cards a second time."""
    again = card_sheets(draw_asked(request, event))
    if not again:
        raise Http404
    marked = [replace(card, heading=replace(card.heading, mark=_("second keying"))) for card in again]
    return card_pages(marked, event.rules.rule_set, paper=paper, on=on_asked(request))


def _record(request: HttpRequest, event: Event, *, paper: str) -> Pages:
    """For directors: it has drafts, and the log."""
    if not is_director(request, event.club):
        raise Http404
    return record_pages(record_of(event), paper)


DOCUMENTS: dict[str, Document] = {
    "round": _round,
    "travelling": _travelling,
    "place-cards": _on(_place_cards),
    "tents": _on(_tents),
    "certificates": _on(_certificates),
    "cards": _cards,
    "blank": _blank,
    "seating": _on(_seating),
    "movement": _on(_movement),
    "standings": _on(_standings),
    "cut": _on(_cut),
    "result": _on(_where_any(_result)),
    "prizes": _on(_where_any(prize_pages)),
    "met": _on(_where_any(met_pages)),
    "record": _on(_record),
    "second-keying": _second_keying,
    **{slug: _on(_twin(twin)) for slug, twin in TWINS.items()},
}
"""Name in the address to what it prints. They are called in the club's time zone (and language)."""
