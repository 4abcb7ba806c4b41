"""The hall board: tables of the round and standings, a page at a time."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from clubsite.accounts.models import Club, LogEntry
from clubsite.accounts.roles import public
from tournaments.draws.round_views import RoundView, latest_round
from tournaments.models import Event
from tournaments.requests import event_of
from tournaments.standings.match import match_of
from tournaments.standings.queries import StandingsView, standings_view

T = TypeVar("T")
BOARD_GROUPS = 12  # groups at tables on one page of the hall board

BOARD_ROWS = 30  # standings on one page, in two columns
TURN = (9, 13)  # seconds that a page stays, drawn for every board on its own so that they don't all ask at once


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page of the hall board: tables of the round, or a part of the standings, in two columns."""

    kind: str  # "tables", "standings", or "nothing"
    columns: tuple[tuple[Any, ...], ...]
    round: RoundView | None = None
    view: StandingsView | None = None
    sit_outs: tuple[str, ...] = ()


@public
def board(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The hall board: turns its own pages, and answers 204 when it has one page and nothing has changed."""
    version = version_of(club)
    found = event_of(club, event)
    number = _page(request)
    part = bool(request.htmx)  # type: ignore[attr-defined]
    if part and request.GET.get("v") == str(version) and request.GET.get("pages") == "1":
        return HttpResponse(status=204)
    pages = board_pages(found)
    at = (number - 1) % len(pages) + 1
    seconds = TURN[0] + secrets.randbelow(TURN[1] - TURN[0] + 1)
    context = {
        "event": found,
        "page": pages[at - 1],
        "match": match_of(found),
        "number": at,
        "pages": len(pages),
        "following": at % len(pages) + 1,
        "version": version,
        "seconds": seconds,
    }
    response = render(request, "tournaments/pages/board_part.html" if part else "tournaments/pages/board.html", context)
    add_never_cache_headers(response)
    return response


def board_pages(event: Event) -> list[BoardPage]:
    """The pages of an event's hall board: the tables of the latest round, then the standings. At least one."""
    pages: list[BoardPage] = []
    latest = latest_round(event) if event.state != Event.State.FINISHED else None
    if latest:
        parts = list(_parts(latest.groups, BOARD_GROUPS))
        for part in parts:
            out = latest.sit_outs if part is parts[-1] else ()
            pages.append(BoardPage("tables", _halves(part), round=latest, sit_outs=out))
    view = standings_view(event)
    if view and view.rows:
        for rows in _parts(view.rows, BOARD_ROWS):
            pages.append(BoardPage("standings", _halves(rows), view=view))
    return pages or [BoardPage("nothing", ())]


def version_of(club: Club) -> int:
    """A number that grows with everything that is done in a club. One query."""
    return LogEntry.objects.filter(club=club).values_list("pk", flat=True).first() or 0


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1


def _parts(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    """Parts of at most `size`, as even as possible: 15 in parts of at most 10 are 8 and 7."""
    count = -(-len(items) // size)
    each, over = divmod(len(items), count) if count else (0, 0)
    parts, start = [], 0
    for n in range(count):
        stop = start + each + (n < over)
        parts.append(tuple(items[start:stop]))
        start = stop
    return parts


def _halves(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    middle = -(-len(items) // 2)
    return tuple(half for half in (tuple(items[:middle]), tuple(items[middle:])) if half)
