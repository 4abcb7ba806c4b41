"""A season's documents as PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, is_director
from clubsite.paper.answer import pdf_answer
from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import paper_of
from tournaments.documents.asked import on_asked
from tournaments.documents.forms.sheets import form_pages
from tournaments.documents.season_papers.sheet import people_form, rule_form, season_pages, season_sheet
from tournaments.models import Season


@dataclass(frozen=True, slots=True)
class SeasonDocument:
    """One document of a season: its title, what makes it, and whether it is for directors only."""

    words: Promise
    make: Callable[[Season, str], Pages]
    director: bool = False


SEASON_DOCUMENTS: dict[str, SeasonDocument] = {
    "table": SeasonDocument(_("Season table"), lambda season, paper: season_pages(season_sheet(season), paper)),
    "people": SeasonDocument(
        _("Form: divisions and teams"), lambda season, paper: form_pages(people_form(season), paper), director=True
    ),
    "rule": SeasonDocument(
        _("Form: how the season adds up"), lambda season, paper: form_pages(rule_form(season), paper), director=True
    ),
}
"""Name in the address to what it prints."""


@club_page
def season_document(request: HttpRequest, club: Club, *, season: int, document: str) -> HttpResponse:
    """One document as PDF: on the club's paper, or on `?paper=`. 503 with the reason when this machine makes no PDF."""
    found = get_object_or_404(Season.objects.select_related("club"), club=club, pk=season)
    one = SEASON_DOCUMENTS.get(document)
    if one is None or (one.director and not is_director(request, club)):
        raise Http404
    with as_in(club):
        pages = one.make(found, paper_of(request.GET.get("paper", ""), club.paper)).smaller(on_asked(request))
    return pdf_answer(request, pages, name=f"{found.name} {document}", back=found.get_absolute_url())
