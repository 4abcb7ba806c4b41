"""The print centre, and documents as PDF."""

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

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.languages import use_language
from clubsite.accounts.models import Club, Role
from clubsite.accounts.roles import cacheable_club_page, club_page, role_in
from clubsite.addresses import is_loopback
from clubsite.jobs.files import KEEP_FOR
from clubsite.jobs.orders import made_file_response
from clubsite.live import MAX_AGE, cache
from clubsite.pdf.documents import PAPERS, Pages, choose_paper, pages_key, pdf_response, picture_response
from clubsite.pdf.sheets import SHARE
from clubsite.pdf.typeface import unprintable_letters
from tournaments.documents.bracket import bracket_sheet
from tournaments.documents.cards import PrintedCard, blank_cards, card_pages, printed_cards
from tournaments.documents.catalogue import catalogue
from tournaments.documents.hall import (
    MOST_PLACES,
    USUAL_PLACES,
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
    event_heading,
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
from tournaments.requests import event_page, get_event, whole_number_or_none
from tournaments.table_links.links import phone_site


@dataclass(frozen=True, slots=True)
class Options:
    """How a document is requested: the user's role in the club, the site's address for phones (ending in a slash), and
    the query of the document's address."""

    event: Event
    role: str | None
    site: str
    query: QueryDict

    @classmethod
    def from_request(cls, request: HttpRequest, event: Event) -> Options:
        return cls(event, role_in(request, event.club), phone_site(request), request.GET)

    @property
    def is_director(self) -> bool:
        return self.role == Role.Kind.DIRECTOR

    @property
    def paper(self) -> str:
        return choose_paper(self.query.get("paper", ""), self.event.club.paper)

    @property
    def per_sheet(self) -> int:
        return wanted_per_sheet(self.query)

    @property
    def card_site(self) -> str:
        """The address in the codes on cards; "" with four on a sheet, where codes are too small for phones."""
        return "" if self.per_sheet == 4 else self.site

    def number(self, name: str) -> int | None:
        """A number in the query, None if there is none. Raises Http404: it isn't a number."""
        return whole_number_or_none(self.query.get(name))

    def draw(self) -> Draw:
        """The draw asked for, or the last one published. Raises Http404: there is none, or only directors see it."""
        draws = WITH_EVENT.filter(round__stage__event=self.event)
        if not self.is_director:
            draws = draws.filter(state=Draw.State.PUBLISHED)
        if pk := self.number("draw"):
            return get_object_or_404(draws, pk=pk)
        published = draws.filter(state=Draw.State.PUBLISHED)
        return get_object_or_404(published.order_by("-round__stage__number", "-round__number")[:1])

    def stage(self) -> Stage:
        """The stage asked for by number, or the last one drawn. Raises Http404."""
        stages = self.event.stages.select_related("event__club", "event__rules")
        if number := self.number("stage"):
            return get_object_or_404(stages, number=number)
        return get_object_or_404(stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number")[:1])


def wanted_per_sheet(query: QueryDict) -> int:
    """How many pages to put on a sheet: 1, 2 or 4; 0 if nothing valid was asked for."""
    number = whole_number_or_none(query.get("on")) or 0
    return number if number in SHARE else 0


DRAFT_TOO = [Draw.State.PUBLISHED, Draw.State.DRAFT]
MOST_BLANK = 60  # copies of the blank card in one file, at most


def cache_names(options: Options, document: str) -> tuple[str, str]:
    """The cache keys of a document as it would be made now, and as it was last made for this role, for its small
    picture, which may be out of date.

    The first has the club's version: call this before making the pages, so that what changes meanwhile counts as new.
    """
    club = options.event.club
    usual = ("paper", club.paper)  # asking for the club's own paper is like asking for none
    chosen = sorted(option for name, values in options.query.lists() if (option := (name, *values)) != usual)
    parts = (club.slug, options.event.slug, document, chosen)
    now, newest = (*parts, options.site, options.role, club_version(club.slug)), (*parts, options.role)
    first, second = (f"document:{hashlib.sha256(repr(name).encode()).hexdigest()}" for name in (now, newest))
    return first, second


def remember_pages(names: tuple[str, str], pages: Pages) -> Pages:
    """Cache the key of these pages under both names of `cache_names`: the first for LONGEST seconds at most, since
    links end."""
    key = pages_key(pages)
    cache.set(names[0], key, timeout=MAX_AGE)
    cache.set(names[1], key, timeout=KEEP_FOR.total_seconds())
    return pages


@event_page
def print_centre(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    options = Options.from_request(request, event)
    director = options.is_director
    draws = list(
        Draw.objects.filter(round__stage__event=event, state__in=DRAFT_TOO if director else [Draw.State.PUBLISHED])
        .select_related("round__stage")
        .defer("statement", "ahead", "change")
        .order_by("-round__stage__number", "-round__number", "-number")
    )
    for draw in draws:
        draw.round.stage.event = event
    address = reverse("print", args=[club.slug, event.slug])
    query = {"paper": options.paper} | ({"on": options.per_sheet} if options.per_sheet else {})
    context = {
        "event": event,
        "draws": draws,
        "paper": options.paper,
        "papers": PAPERS,
        "on": options.per_sheet,
        "site": options.site,
        "only_here": is_loopback(options.site),
        "boxes": [name for name in event.entries.values_list("name", flat=True) if unprintable_letters(name)],
    } | (offered := catalogue(event, draws, director=director, address=address, options=query))
    for offer in offered["now"]:
        offered_options = replace(options, query=QueryDict(urlsplit(offer["pdf"]).query))
        offer["is_made"] = cache.get(cache_names(offered_options, offer["document"])[1]) is not None
    return render(request, "tournaments/documents/print_centre.html", context)


@event_page
def document(request: HttpRequest, club: Club, *, event: Event, document: str) -> HttpResponse:
    """One document as PDF, on the club's paper or on `?paper=`. 503 with the reason if this machine can't make PDFs."""
    if document not in DOCUMENTS:
        raise Http404
    name = f"{event.name} {document}"
    back = reverse("print", args=[club.slug, event.slug])
    options = Options.from_request(request, event)
    names = cache_names(options, document)
    key = cache.get(names[0])
    if key and (answer := made_file_response(request, key, title=name)) is not None:
        return answer
    try:
        pages = remember_pages(names, document_pages(options, document))
    except StepRefused as refused:
        links = [(back, _("Back to printing"))]
        context = {"title": _("Nothing to print yet"), "message": refused.message, "links": links}
        return render(request, "message_page.html", context, status=409)
    return pdf_response(request, pages, name=name, back=back)


def document_pages(options: Options, document: str) -> Pages:
    """The pages of a document in the club's language and time zone. Raises Http404: this user gets no such document of
    this event; StepRefused: there is none yet."""
    with use_language(options.event.club):
        pages = _build_pages(options, document)
        if pages is None:
            raise Http404
        return pages if document in ALREADY_IMPOSED else pages.smaller(options.per_sheet)


def _build_pages(options: Options, document: str) -> Pages | None:
    """As `document_pages`, in the current language and time zone; None if this user gets no such document."""
    event, paper, sheet = options.event, options.paper, None
    match document:
        case "round":  # in one file who sits where, cards, and for directors the movement
            draw = options.draw()
            parts = [list_pages(seating_sheet(draw, site=options.site), paper).smaller(options.per_sheet)]
            if event.traits.searched and options.is_director:
                parts.append(list_pages(movement_sheet(draw), paper).smaller(options.per_sheet))
            if cards := _card_pages(options, printed_cards(draw, site=options.card_site)):
                parts.append(cards)
            return Pages.together(parts)
        case "cards":  # to be filled in, or with the deals that are recorded
            filled = options.query.get("filled") == "1"
            sheets = printed_cards(options.draw(), filled=filled, site=options.card_site, only=options.number("group"))
            if filled and not sheets:
                raise StepRefused(_("No deal of this draw is recorded yet. You can print cards to fill in."))
            return _card_pages(options, sheets)
        case "second-keying":  # with names but without figures
            sheets, mark = printed_cards(options.draw()), _("second keying")
            return _card_pages(options, [replace(card, heading=replace(card.heading, mark=mark)) for card in sheets])
        case "blank":
            copies = min(max(options.number("copies") or 2, 1), MOST_BLANK)
            return _card_pages(options, blank_cards(event, copies=copies))
        case "travelling":
            travel = travel_cards(event, ahead=options.is_director)
            if not travel["cards"]:
                raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
            return travel_pages(travel, paper, per_sheet=options.per_sheet)
        case "place-cards":  # with seats if a draw is asked for
            heading, names = place_cards(event, options.draw() if options.number("draw") else None)
            if not names:
                raise StepRefused(_("Nobody is entered yet. Enter names first: everybody gets a card."))
            return place_card_pages(names, paper, heading=heading)
        case "tents":
            return tent_pages(options.draw(), paper, site=options.card_site)
        case "certificates":
            places = min(max(options.number("places") or USUAL_PLACES, 1), MOST_PLACES)
            return certificate_pages(event, paper, places=places, each=bool(options.number("each")))
        case "record":
            return record_pages(event, paper) if options.is_director else None
        case "seating":
            sheet = seating_sheet(options.draw(), site=options.site)
        case "movement":  # for directors: it shows rounds that nobody has published yet
            if event.traits.searched and options.is_director:
                sheet = movement_sheet(options.draw())
        case "standings":
            stage, version = options.stage(), options.number("version")
            sheet = standings_sheet(
                stage, get_object_or_404(stage.published_standings, number=version) if version else None
            )
        case "cut":  # as published; before that for directors, as it would be now
            stage, version = options.stage(), options.number("version")
            cut = get_object_or_404(stage.cuts, number=version) if version else published_cut(stage)
            sheet = cut_sheet(stage, cut) if cut or options.is_director else None
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
            if form.fits(event) and (options.is_director or not form.directors_only):
                return form_pages(form.make(event), paper, heading=event_heading(event, str(form.title)))
    return list_pages(sheet, paper) if sheet else None


def _card_pages(options: Options, sheets: Sequence[PrintedCard]) -> Pages | None:
    if not sheets:
        return None
    return card_pages(sheets, options.event.rules.rule_set, paper=options.paper, per_sheet=options.per_sheet)


DOCUMENTS = (
    *("round", "travelling", "place-cards", "tents", "certificates", "cards", "blank", "seating", "movement"),
    *("standings", "cut", "result", "prizes", "bracket", "met", "record", "second-keying"),
    *PAPER_FORMS,
)
ALREADY_IMPOSED = ("round", "travelling", "cards", "blank", "second-keying")  # built with several on a sheet


@cacheable_club_page
@require_safe
def document_picture(request: HttpRequest, club: Club, *, event: str, document: str) -> HttpResponse:
    """A small picture of a document's first sheet as it was last made; an empty sheet if it never was.

    Nothing is laid out for a picture, since the print centre shows many at a time."""
    if document not in DOCUMENTS:
        raise Http404
    _now, newest = cache_names(Options.from_request(request, get_event(club, event)), document)
    return picture_response(request, cache.get(newest))


@club_page
def season_document(request: HttpRequest, club: Club, *, season: int, document: str) -> HttpResponse:
    if document != "table":
        raise Http404
    printed = get_object_or_404(Season.objects.select_related("club"), club=club, pk=season)
    with use_language(club):
        paper = choose_paper(request.GET.get("paper", ""), club.paper)
        pages = list_pages(season_sheet(printed), paper).smaller(wanted_per_sheet(request.GET))
    return pdf_response(request, pages, name=f"{printed.name} {document}", back=printed.get_absolute_url())
