"""A season on paper: its whole table with all nights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from clubsite.pdf.documents import PAPERS, Heading, Pages, paper_of, pdf_answer
from scoring.templatetags.figures import points
from tournaments.documents.lists import wall_html
from tournaments.documents.views import wanted_per_sheet
from tournaments.models import Season
from tournaments.seasons.actions import terms_of
from tournaments.seasons.table import SeasonLine, SeasonTable, season_tables
from tournaments.seasons.table_view import night_heads
from tournaments.seasons.views import apart_words, rule_words, separated_words, team_words
from tournaments.templatetags.totals import decimal, place, total

NIGHTS = 14  # columns of nights beside each other on a sheet across; more go on in a second table


class SeasonLines(NamedTuple):
    """A table: its heads, and its lines as text. Names are in the second column."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def season_sheet(season: Season) -> dict[str, Any]:
    """A season's divisions, teams, those without a place, guests, and by which rule. Five queries."""
    table, terms = season_tables([season])[0], terms_of(season)
    nights = night_heads(table.nights)
    tables: list[SeasonLines] = []
    for part in table.parts:
        title = _("Division %(n)d") % {"n": part.division} if part.division else ""
        tables += _division(table, part.lines, title=title, nights=nights)
    if table.teams:
        teams = [((place(line), line.name, points(line.total)), _worth(line.nights)) for line in table.teams]
        tables += _parted(_("Teams"), (_("Place"), _("Team"), _("Total")), lines=teams, nights=nights)
    if table.apart:
        lines = tuple(
            ("", line.name, str(line.attended), total(line.total), apart_words(line, table.rule))
            for line in table.apart
        )
        heads = ("", _("Name"), _("Nights"), _("Total"), _("Why"))
        tables.append(SeasonLines(_("Without a place"), heads, lines))
    if table.guests:
        guests = tuple(("", line["name"], str(line["attended"]), points(line["points"])) for line in table.guests)
        tables.append(SeasonLines(_("Guests"), ("", _("Name"), _("Nights"), _("Points")), guests))
    notes = [*rule_words(terms), *separated_words(table)]
    if terms.team_best:
        notes.append(team_words(terms))
    if table.leaves_out:
        notes.append(_("In brackets: a night that doesn't count."))
    return {"heading": _heading(season, _("Season table"), note=_as_of(table)), "tables": tables, "notes": notes}


def season_pages(sheet: dict[str, Any], paper: str) -> Pages:
    """A season's table on sheets across."""
    size = PAPERS[paper]
    return Pages(
        (wall_html("documents/season.html", sheet, heading=sheet["heading"], size=f"{size.height}mm {size.width}mm"),)
    )


def _division(
    table: SeasonTable, lines: Sequence[SeasonLine], *, title: str, nights: Sequence[str]
) -> list[SeasonLines]:
    """One division's table, followed by further tables for the nights that don't fit beside the first ones."""
    heads = [_("Place"), _("Name"), *([_("Team")] if table.teams else []), _("Total"), _("Nights"), _("Average")]
    rows = []
    for line in lines:
        own = [place(line), line.name, *([line.team] if table.teams else [])]
        own += [total(line.total), str(line.attended), decimal(line.average)]
        rows.append((tuple(own), _worth(line.nights, line.counted)))
    return _parted(title, tuple(heads), lines=rows, nights=nights)


def _parted(
    title: str,
    heads: tuple[str, ...],
    *,
    lines: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    nights: Sequence[str],
) -> list[SeasonLines]:
    """As few tables as the nights fit on, each with place and name; the first has the totals too."""
    tables = [SeasonLines(title, heads + tuple(nights[:NIGHTS]), tuple(own + worth[:NIGHTS] for own, worth in lines))]
    for n in range(NIGHTS, len(nights), NIGHTS):
        words = _("From %(night)s on") % {"night": nights[n]}
        further = tuple(own[:2] + worth[n : n + NIGHTS] for own, worth in lines)
        both = " · ".join(filter(None, (title, words)))
        tables.append(SeasonLines(both, heads[:2] + tuple(nights[n : n + NIGHTS]), further))
    return tables


def _worth(nights: Sequence[int | None], counted: Sequence[bool] = ()) -> tuple[str, ...]:
    """What each night is worth, as text; in brackets where it doesn't count."""
    on = counted or (True,) * len(nights)
    shown = ("" if night is None else points(night) for night in nights)
    return tuple(f"({words})" if words and not counts else words for words, counts in zip(shown, on, strict=True))


def _as_of(table: SeasonTable) -> str:
    """Which nights it shows: the version of a season's table."""
    if not table.nights:
        return _("No night has a result yet.")
    words = ngettext(
        "After %(n)d night, the last on %(day)s", "After %(n)d nights, the last on %(day)s", len(table.nights)
    )
    return words % {"n": len(table.nights), "day": date_format(localtime(table.nights[-1].starts_at), "DATE_FORMAT")}


def _heading(season: Season, title: str, *, note: str = "") -> Heading:
    days = f"{date_format(season.starts)} – {date_format(season.ends)}"
    return Heading(season.club.name, season.name, days, title, note, club_key=season.club_id)


@club_page
def season_document(request: HttpRequest, club: Club, *, season: int, document: str) -> HttpResponse:
    """The season's table as PDF: on the club's paper, or on `?paper=`."""
    if document != "table":
        raise Http404
    found = get_object_or_404(Season.objects.select_related("club"), club=club, pk=season)
    with as_in(club):
        paper = paper_of(request.GET.get("paper", ""), club.paper)
        pages = season_pages(season_sheet(found), paper).smaller(wanted_per_sheet(request))
    return pdf_answer(request, pages, name=f"{found.name} {document}", back=found.get_absolute_url())
