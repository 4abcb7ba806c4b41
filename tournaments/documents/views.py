"""The print centre, and the documents as PDF."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club, Role
from clubsite.accounts.roles import club_page, kept_club_page, role_in
from clubsite.addresses import only_here
from clubsite.jobs.files import KEEP_FOR
from clubsite.live import LONGEST, cache
from clubsite.pdf.documents import PAPERS, Pages, kept_answer, key_of, paper_of, pdf_answer, picture_answer
from clubsite.pdf.sheets import SHARE
from clubsite.pdf.typeface import not_printable
from tournaments.documents.bracket import bracket_sheet
from tournaments.documents.cards import CardSheet, blank_cards, card_pages, card_sheets
from tournaments.documents.catalogue import catalogue
from tournaments.documents.hall import (
    MOST,
    USUAL,
    certificate_pages,
    place_card_pages,
    place_cards,
    tent_pages,
    travel_cards,
    travel_pages,
)
from tournaments.documents.paper_forms import PAPER_FORMS, form_pages
from tournaments.documents.record import record_pages
from tournaments.documents.sheets import (
    cut_sheet,
    heading_of,
    list_pages,
    met_sheet,
    movement_sheet,
    prize_sheet,
    result_sheet,
    season_sheet,
    seating_sheet,
    standings_sheet,
)
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import Draw, Event, Season, Stage
from tournaments.requests import event_of, event_page, whole_number_or_none
from tournaments.table_links.links import site_of


@dataclass(frozen=True, slots=True)
class Options:
    """How a document is requested: by which role in the event's club, with which address of the site for phones (with
    its last slash), and with which query of the document's address."""

    event: Event
    role: str | None
    site: str
    query: QueryDict

    @classmethod
    def of(cls, request: HttpRequest, event: Event) -> Options:
        return cls(event, role_in(request, event.club), site_of(request), request.GET)

    @property
    def director(self) -> bool:
        return self.role == Role.Kind.DIRECTOR

    @property
    def paper(self) -> str:
        return paper_of(self.query.get("paper", ""), self.event.club.paper)

    @property
    def on(self) -> int:
        """How many pages are wanted on a sheet: 1, 2 or 4, or 0."""
        return wanted_per_sheet(self.query)

    @property
    def site_of_cards(self) -> str:
        """The address in the codes on cards; none with four on a sheet, where no phone could read them."""
        return "" if self.on == 4 else self.site

    def number(self, name: str) -> int | None:
        """A number in the address, None where there is none. Raises Http404 for anything else."""
        return whole_number_or_none(self.query.get(name))

    def draw(self) -> Draw:
        """The draw asked for, or the last one published. Raises Http404 for a draft of which no director asks."""
        draws = WITH_EVENT.filter(round__stage__event=self.event)
        if not self.director:
            draws = draws.filter(state=Draw.State.PUBLISHED)
        if pk := self.number("draw"):
            return get_object_or_404(draws, pk=pk)
        published = draws.filter(state=Draw.State.PUBLISHED)
        return get_object_or_404(published.order_by("-round__stage__number", "-round__number")[:1])

    def stage(self) -> Stage:
        """The stage asked for by its number, or the last that is drawn. Raises Http404."""
        stages = self.event.stages.select_related("event__club", "event__rules")
        if number := self.number("stage"):
            return get_object_or_404(stages, number=number)
        return get_object_or_404(stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number")[:1])


def wanted_per_sheet(query: QueryDict) -> int:
    """How many to put on a sheet: 1, 2 or 4; 0 if nothing valid was asked for."""
    number = whole_number_or_none(query.get("on")) or 0
    return number if number in SHARE else 0


DRAFT_TOO = [Draw.State.PUBLISHED, Draw.State.DRAFT]
MOST_BLANK = 60  # copies of the blank card in one file, at most


def cache_names(options: Options, document: str) -> tuple[str, str]:
    """The cache's names for the key of a finished document: as it would be made now, and as it was last made for this
    role, for its small picture, which may be older than the sheet.

    The first has the club's version: call it before the pages are made, so that what changes meanwhile counts as new.
    """
    club = options.event.club
    usual = ("paper", club.paper)  # asking for the club's own paper is like asking for none
    chosen = sorted(option for name, values in options.query.lists() if (option := (name, *values)) != usual)
    parts = (club.slug, options.event.slug, document, chosen)
    now, newest = (*parts, options.site, options.role, version_of(club.slug)), (*parts, options.role)
    first, second = (f"document:{hashlib.sha256(repr(name).encode()).hexdigest()}" for name in (now, newest))
    return first, second


def remember(names: tuple[str, str], pages: Pages) -> Pages:
    """Remember the key of these pages: until something is done in their club, for LONGEST seconds at most, since links
    end; and for their picture."""
    key = key_of(pages)
    cache.set(names[0], key, timeout=LONGEST)
    cache.set(names[1], key, timeout=KEEP_FOR.total_seconds())
    return pages


@event_page
def centre(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    options = Options.of(request, event)
    director = options.director
    draws = list(
        Draw.objects.filter(round__stage__event=event, state__in=DRAFT_TOO if director else [Draw.State.PUBLISHED])
        .select_related("round__stage")
        .defer("statement", "ahead", "change")
        .order_by("-round__stage__number", "-round__number", "-number")
    )
    for draw in draws:
        draw.round.stage.event = event
    address = reverse("print", args=[club.slug, event.slug])
    query = {"paper": options.paper} | ({"on": options.on} if options.on else {})
    context = {
        "event": event,
        "draws": draws,
        "paper": options.paper,
        "papers": PAPERS,
        "on": options.on,
        "site": options.site,
        "only_here": only_here(options.site),
        "boxes": [name for name in event.entries.values_list("name", flat=True) if not_printable(name)],
    } | (offered := catalogue(event, draws, director=director, address=address, options=query))
    for offer in offered["now"]:
        offered_options = replace(options, query=QueryDict(urlsplit(offer["pdf"]).query))
        offer["is_made"] = cache.get(cache_names(offered_options, offer["document"])[1]) is not None
    return render(request, "tournaments/documents/print_centre.html", context)


@event_page
def document(request: HttpRequest, club: Club, *, event: Event, document: str) -> HttpResponse:
    """One document as PDF: on the club's paper, or on `?paper=`. 503 with the reason when this machine makes no PDF."""
    if document not in DOCUMENTS:
        raise Http404
    name = f"{event.name} {document}"
    back = reverse("print", args=[club.slug, event.slug])
    options = Options.of(request, event)
    names = cache_names(options, document)
    if (answer := kept_answer(request, cache.get(names[0]), name=name)) is not None:
        return answer
    try:
        pages = remember(names, pages_of(options, document))
    except StepRefused as refused:
        links = [(back, _("Back to printing"))]
        context = {"title": _("Nothing to print yet"), "message": refused.message, "links": links}
        return render(request, "message_page.html", context, status=409)
    return pdf_answer(request, pages, name=name, back=back)


def pages_of(options: Options, document: str) -> Pages:
    """The pages of a document in the club's language and zone, on its paper or on `?paper=`. Raises Http404: there is
    no such document of this event for this user; StepRefused: there is none yet."""
    with as_in(options.event.club):
        pages = _made(options, document)
        if pages is None:
            raise Http404
        return pages if document in SHARE_THEMSELVES else pages.smaller(options.on)


def _made(options: Options, document: str) -> Pages | None:
    """What a document prints; None where this user gets none of this event. Called in the club's time zone (and
    language). Raises Http404, StepRefused."""
    event, paper, sheet = options.event, options.paper, None
    match document:
        case "round":  # all that a hall needs for a draw in one file: who sits where, for directors the movement, cards
            draw = options.draw()
            parts = [list_pages(seating_sheet(draw, site=options.site), paper).smaller(options.on)]
            if event.traits.searched and options.director:
                parts.append(list_pages(movement_sheet(draw), paper).smaller(options.on))
            if cards := _card_pages(options, card_sheets(draw, site=options.site_of_cards)):
                parts.append(cards)
            return Pages.together(parts)
        case "cards":  # to be filled in, or with the deals that are recorded
            filled = options.query.get("filled") == "1"
            sheets = card_sheets(
                options.draw(), filled=filled, site=options.site_of_cards, only=options.number("group")
            )
            if filled and not sheets:
                raise StepRefused(_("No deal of this draw is recorded yet. The cards to be filled in can be printed."))
            return _card_pages(options, sheets)
        case "second-keying":  # with names and without figures: somebody writes the figures of the cards a second time
            sheets, mark = card_sheets(options.draw()), _("second keying")
            return _card_pages(options, [replace(card, heading=replace(card.heading, mark=mark)) for card in sheets])
        case "blank":
            copies = min(max(options.number("copies") or 2, 1), MOST_BLANK)
            return _card_pages(options, blank_cards(event, copies=copies))
        case "travelling":
            travel = travel_cards(event, ahead=options.director)
            if not travel["cards"]:
                raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
            return travel_pages(travel, paper, on=options.on)
        case "place-cards":  # with the seats of the draw that is asked for, else with names alone
            heading, names = place_cards(event, options.draw() if options.number("draw") else None)
            if not names:
                raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
            return place_card_pages(names, paper, heading=heading)
        case "tents":
            return tent_pages(options.draw(), paper, site=options.site_of_cards)
        case "certificates":
            places = min(max(options.number("places") or USUAL, 1), MOST)
            return certificate_pages(event, paper, places=places, each=bool(options.number("each")))
        case "record":
            return record_pages(event, paper) if options.director else None
        case "seating":
            sheet = seating_sheet(options.draw(), site=options.site)
        case "movement":  # for directors: it shows rounds that nobody has published yet
            if event.traits.searched and options.director:
                sheet = movement_sheet(options.draw())
        case "standings":
            stage, version = options.stage(), options.number("version")
            sheet = standings_sheet(
                stage, get_object_or_404(stage.published_standings, number=version) if version else None
            )
        case "cut":  # as published; before that for directors, as it would be now
            stage, version = options.stage(), options.number("version")
            cut = get_object_or_404(stage.cuts, number=version) if version else published_cut(stage)
            sheet = cut_sheet(stage, cut) if cut or options.director else None
        case "result":
            sheet = result_sheet(event)
        case "prizes":
            sheet = prize_sheet(event)
        case "bracket":
            sheet = bracket_sheet(event, paper)
        case "met":
            sheet = met_sheet(event, paper)
        case _:
            form = PAPER_FORMS[document]
            if form.fits(event) and (options.director or not form.directors_only):
                return form_pages(form.make(event), paper, heading=heading_of(event, str(form.title)))
    return list_pages(sheet, paper) if sheet else None


def _card_pages(options: Options, sheets: Sequence[CardSheet]) -> Pages | None:
    """These cards on sheets; None without any."""
    return card_pages(sheets, options.event.rules.rule_set, paper=options.paper, on=options.on) if sheets else None


DOCUMENTS = (
    *("round", "travelling", "place-cards", "tents", "certificates", "cards", "blank", "seating", "movement"),
    *("standings", "cut", "result", "prizes", "bracket", "met", "record", "second-keying"),
    *PAPER_FORMS,
)
SHARE_THEMSELVES = ("round", "travelling", "cards", "blank", "second-keying")  # these say how many share a sheet


@kept_club_page
@require_safe
def document_picture(request: HttpRequest, club: Club, *, event: str, document: str) -> HttpResponse:
    """The first sheet of a document as it was made last, as a small picture; an empty sheet before anybody wanted it.

    The address is the document's, with its query. No page is laid out to make a picture, since the print centre shows
    many at a time."""
    if document not in DOCUMENTS:
        raise Http404
    _now, newest = cache_names(Options.of(request, event_of(club, event)), document)
    return picture_answer(request, cache.get(newest))


@club_page
def season_document(request: HttpRequest, club: Club, *, season: int, document: str) -> HttpResponse:
    """The season's table as PDF: on the club's paper, or on `?paper=`."""
    if document != "table":
        raise Http404
    printed = get_object_or_404(Season.objects.select_related("club"), club=club, pk=season)
    with as_in(club):
        paper = paper_of(request.GET.get("paper", ""), club.paper)
        pages = list_pages(season_sheet(printed), paper).smaller(wanted_per_sheet(request.GET))
    return pdf_answer(request, pages, name=f"{printed.name} {document}", back=printed.get_absolute_url())
