"""The print centre, and the documents as PDF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club
from clubsite.accounts.roles import is_director, require_role
from clubsite.paper.answer import pdf_answer
from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS, paper_of
from tournaments.documents.cards import card_pages
from tournaments.documents.from_draws import blank_cards, card_sheets, seating_sheet, title_of_draw
from tournaments.documents.from_results import cut_sheet, result_sheet, standings_sheet
from tournaments.documents.lists import list_pages
from tournaments.documents.movement import movement_sheet
from tournaments.documents.prizes import prize_pages
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Event, PublishedStandings, Stage
from tournaments.prizes.shown import prizes_view
from tournaments.requests import event_of, whole_number_or_none
from tournaments.standings.queries import result_of
from tournaments.table_links.shown import only_here, site_of

MOST_BLANK = 60  # copies of the blank card in one file


@require_role("scorekeeper")
def centre(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Everything of an event that can be printed."""
    found = event_of(club, event)
    offered = _draws(request, found).exclude(state=Draw.State.WITHDRAWN)
    one_each: dict[int, Draw] = {}  # of each round that which is published, or else the newest draft
    for draw in offered.order_by("-round__stage__number", "-round__number", "-number"):
        if draw.state == Draw.State.PUBLISHED or draw.round_id not in one_each:
            one_each[draw.round_id] = draw
    draws = [{"draw": draw, "title": title_of_draw(draw)} for draw in one_each.values()]
    stages = found.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").distinct()
    context = {
        "event": found,
        "draws": draws,
        "stages": [
            {
                "stage": stage,
                "versions": stage.published_standings.order_by("-number"),
                "cut": stage.cuts.filter(state=Cut.State.PUBLISHED).first(),
            }
            for stage in stages
        ],
        "result": result_of(found),
        "prizes": prizes_view(found, result_of(found)),
        "paper": paper_of(request.GET.get("paper", ""), club.paper),
        "papers": PAPERS,
        "site": site_of(request),
        "only_here": only_here(site_of(request)),
    }
    return render(request, "tournaments/documents/print_centre.html", context)


@require_role("scorekeeper")
def document(request: HttpRequest, club: Club, *, event: str, document: str) -> HttpResponse:
    """One document as PDF: on the club's paper, or on `?paper=`. 503 with the reason when this machine makes no PDF."""
    found = event_of(club, event)
    if document not in DOCUMENTS:
        raise Http404
    try:
        with as_in(club):
            pages = DOCUMENTS[document](request, found, paper_of(request.GET.get("paper", ""), club.paper))
    except StepRefused as refused:
        return render(
            request,
            "tournaments/documents/print_refused.html",
            {"event": found, "message": refused.message},
            status=409,
        )
    back = reverse("print", args=[club.slug, found.slug])
    return pdf_answer(request, pages, name=f"{found.name} {document}", back=back)


def _cards(request: HttpRequest, event: Event, paper: str) -> Pages:
    filled = request.GET.get("filled") == "1"
    sheets = card_sheets(_draw(request, event), filled=filled, site=site_of(request))
    if not sheets:
        raise Http404
    return card_pages(sheets, event.rules.rule_set, paper)


def _blank(request: HttpRequest, event: Event, paper: str) -> Pages:
    copies = min(max(whole_number_or_none(request.GET.get("copies")) or 2, 1), MOST_BLANK)
    return card_pages(blank_cards(event, event.shape, copies=copies), event.rules.rule_set, paper)


def _seating(request: HttpRequest, event: Event, paper: str) -> Pages:
    return list_pages(seating_sheet(_draw(request, event), site=site_of(request)), paper)


def _movement(request: HttpRequest, event: Event, paper: str) -> Pages:
    """For directors: it shows rounds that nobody has published yet."""
    if not event.traits.searched or not is_director(request, event.club):
        raise Http404
    return list_pages(movement_sheet(_draw(request, event)), paper)


def _standings(request: HttpRequest, event: Event, paper: str) -> Pages:
    stage = _stage(request, event)
    published = None
    if version := whole_number_or_none(request.GET.get("version")):
        published = get_object_or_404(PublishedStandings, stage=stage, number=version)
    return list_pages(standings_sheet(stage, published), paper)


def _cut(request: HttpRequest, event: Event, paper: str) -> Pages:
    stage = _stage(request, event)
    cut = stage.cuts.filter(state=Cut.State.PUBLISHED).first()
    if version := whole_number_or_none(request.GET.get("version")):
        cut = get_object_or_404(Cut, stage=stage, number=version)
    if cut is None and not is_director(request, event.club):
        raise Http404
    return list_pages(cut_sheet(stage, cut), paper)


def _result(request: HttpRequest, event: Event, paper: str) -> Pages:
    sheet = result_sheet(event)
    if sheet is None:
        raise Http404
    return list_pages(sheet, paper)


def _prizes(request: HttpRequest, event: Event, paper: str) -> Pages:
    if (pages := prize_pages(event, paper)) is None:
        raise Http404
    return pages


DOCUMENTS: dict[str, Callable[[HttpRequest, Event, str], Pages]] = {
    "cards": _cards,
    "blank": _blank,
    "seating": _seating,
    "movement": _movement,
    "standings": _standings,
    "cut": _cut,
    "result": _result,
    "prizes": _prizes,
}


def _draws(request: HttpRequest, event: Event) -> Any:
    """The event's draws that this user may see: a draft is the director's."""
    draws = Draw.objects.filter(round__stage__event=event).select_related(
        "round__stage__event__club", "round__stage__event__rules"
    )
    return draws if is_director(request, event.club) else draws.filter(state=Draw.State.PUBLISHED)


def _draw(request: HttpRequest, event: Event) -> Draw:
    """The draw asked for, or the last one published."""
    draws = _draws(request, event)
    if pk := whole_number_or_none(request.GET.get("draw")):
        found: Draw = get_object_or_404(draws, pk=pk)
        return found
    last: Draw | None = (
        draws.filter(state=Draw.State.PUBLISHED).order_by("-round__stage__number", "-round__number").first()
    )
    if last is None:
        raise Http404
    return last


def _stage(request: HttpRequest, event: Event) -> Stage:
    """The stage asked for by its number, or the last that is drawn."""
    stages = event.stages.select_related("event__club", "event__rules")
    if number := whole_number_or_none(request.GET.get("stage")):
        return get_object_or_404(stages, number=number)
    stage = stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").first()
    if stage is None:
        raise Http404
    return stage
