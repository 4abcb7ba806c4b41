"""Files for spreadsheets: the published ones for anybody, the others for those who log in to the club."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import club_page, public
from tournaments.exports import tables
from tournaments.exports.answer import ASKED_BY, sheet_answer
from tournaments.exports.sheets import Sheet
from tournaments.models import Season
from tournaments.requests import event_of, stage_at, whole_number_or_none
from tournaments.seasons.table import season_tables
from tournaments.standings.queries import standing_result
from tournaments.standings.standings import Row, standings_of


@require_http_methods(ASKED_BY)
@public
def result_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    """The result of an event as published; 404 while none stands."""
    found = event_of(club, event)
    published = standing_result(found)
    if published is None:
        raise Http404
    sheet = _for_anybody(tables.result_sheet(found, published), club)
    return sheet_answer(request, sheet, kind=kind, back=found.get_absolute_url())


@require_http_methods(ASKED_BY)
@public
def season_file(request: HttpRequest, club: Club, *, season: int, kind: str) -> HttpResponse:
    """A season's table."""
    (table,) = season_tables([get_object_or_404(Season, club=club, pk=season)])
    sheet = _for_anybody(tables.season_sheet(table), club)
    return sheet_answer(request, sheet, kind=kind, back=table.season.get_absolute_url())


@club_page
@require_http_methods(ASKED_BY)
def standings_file(request: HttpRequest, club: Club, *, event: str, stage: int, kind: str) -> HttpResponse:
    """The standings of a stage as they are now, or a version of them as published (`?version=`)."""
    found = event_of(club, event)
    one = stage_at(found, stage)
    if (version := whole_number_or_none(request.GET.get("version"))) is not None:
        published = get_object_or_404(one.published_standings, number=version)
        title = _("%(stage)s version %(n)d") % {"stage": one.name, "n": published.number}
        sheet = tables.standings_sheet(found, rows=map(Row.from_data, published.rows), title=title)
    else:
        sheet = tables.standings_sheet(found, rows=standings_of(one).rows, title=one.name)
    return sheet_answer(request, sheet, kind=kind, back=found.get_desk_url())


@club_page
@require_http_methods(ASKED_BY)
def deals_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    """Every deal of an event as it stands now."""
    found = event_of(club, event)
    return sheet_answer(request, tables.deals_sheet(found), kind=kind, back=found.get_desk_url())


@club_page
@require_http_methods(ASKED_BY)
def entries_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    """Who is on the list of an event."""
    found = event_of(club, event)
    return sheet_answer(request, tables.entries_sheet(found), kind=kind, back=found.get_desk_url())


def _for_anybody(sheet: Sheet, club: Club) -> Sheet:
    """The sheet as published, with initials for members who want them. In pages they are put in when the page is sent,
    which doesn't reach the cells of a file."""
    names = hidden_names(club)
    rows = (tuple(names.text(cell) if isinstance(cell, str) else cell for cell in row) for row in sheet.rows)
    return replace(sheet, rows=tuple(rows) if names else sheet.rows, published=True)
