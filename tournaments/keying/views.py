"""The grid's pages: a night's round, a competition's stage. A line is sent by itself, and answered by itself."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, require_role
from scoring.cards.queries import cards_of
from tournaments.keying.grid import Grid, block_of, games_of, grid_of, next_game
from tournaments.keying.saving import Saved, save_line
from tournaments.models import Draw, Event, GroupGame
from tournaments.requests import competition_of, night_of, whole_number
from tournaments.rounds.publishing import name_of

DRAWS = Draw.objects.select_related("round__stage__event__rules", "round__stage__event__club")


@require_role("scorekeeper")
def round_grid(request: HttpRequest, club: Club, event: str, round: int) -> HttpResponse:
    """The grid of a night's round, by its number."""
    found = night_of(club, event)
    return _grid(request, found, draw=published_round(found, round))


@require_role("scorekeeper")
def stage_grid(request: HttpRequest, club: Club, event: str, draw: int) -> HttpResponse:
    """The grid of a competition's draw."""
    found = competition_of(club, event)
    one = get_object_or_404(DRAWS, pk=draw, round__stage__event=found, state=Draw.State.PUBLISHED)
    return _grid(request, found, draw=one)


def published_round(event: Event, number: int) -> Draw:
    """The published draw of a night's round. Raises Http404."""
    return get_object_or_404(
        DRAWS, round__stage__event=event, round__stage__number=1, round__number=number, state=Draw.State.PUBLISHED
    )


def _grid(request: HttpRequest, event: Event, *, draw: Draw) -> HttpResponse:
    totals = request.GET.get("totals") != "no"
    if request.method != "POST":
        return _page(request, grid_of(draw, totals=totals))
    row = _row(draw, request.POST.get("game"))
    saved = save_line(row.game, request.POST, by=actor_of(request), totals=totals)
    if request.htmx:  # type: ignore[attr-defined]
        return _answer(request, row, saved, grid=Grid(event, draw, (), totals))
    if saved.status == 200:
        return redirect(f"{request.get_full_path()}#{saved.line.id}")
    return _page(request, grid_of(draw, totals=totals, saved=saved), status=saved.status)


def _row(draw: Draw, game: str | None) -> GroupGame:
    """The game of the draw that a line is for. Raises Http404."""
    wanted = whole_number(game)
    found = next((row for row in games_of(draw) if row.game_id == wanted), None)
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, grid: Grid, *, status: int = 200) -> HttpResponse:
    """The whole grid."""
    return render(request, "tournaments/keying/grid.html", _context(request, grid), status=status)


def _context(request: HttpRequest, grid: Grid) -> dict[str, Any]:
    """What the page and its parts have: `here` is the address that lines are sent to and other pages lead back to."""
    return {
        "event": grid.event,
        "draw": grid.draw,
        "grid": grid,
        "name": name_of(grid.draw.round),
        "here": request.get_full_path(),
    }


def _answer(request: HttpRequest, row: GroupGame, saved: Saved, *, grid: Grid) -> JsonResponse:
    """What the page puts in place of the line: the line, the game's totals and, after its end, the set's next game."""
    context = _context(request, grid)
    over = saved.card.state != "playing"
    answer: dict[str, Any] = {
        "state": saved.line.state,
        "over": over,
        "line": render_to_string("tournaments/keying/_line.html", context | {"line": saved.line}, request),
        "totals": render_to_string(
            "tournaments/keying/_totals.html", context | {"card": saved.card, "width": saved.line.width}, request
        ),
    }
    if over and saved.status == 200 and (following := next_game(row)):
        block = block_of(grid.event, following, cards_of([following.game])[0], totals=grid.totals)
        answer["next"] = render_to_string("tournaments/keying/_block.html", context | {"block": block}, request)
    return JsonResponse(answer, status=saved.status)
