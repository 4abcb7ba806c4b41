"""The hall board: what a hall wants to see now, in pages that turn by themselves.

All parts are sent at once, one below the other; a script (static/board.js) divides them into pages that fit the screen
and turns them, also without a connection."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.doors import shared_address
from clubsite.accounts.name_privacy import hidden_names
from clubsite.addresses import is_loopback, site_address
from clubsite.charts import Chart
from clubsite.codes import qr_svg
from clubsite.names import name_sort_key
from tournaments.cuts.cuts import published_cuts, qualified_so_far
from tournaments.draws.bracket import board_pages, bracket_of
from tournaments.draws.by_format import is_over
from tournaments.draws.round_views import RoundView, latest_round, seats_of
from tournaments.models import Cut, Entry, Event
from tournaments.pages.live import Choice, LivePage, respond
from tournaments.rounds.clock import clock_of
from tournaments.seasons.table import build_table, race_chart, season_nights
from tournaments.standings.presentation import leaders, published_high_game, result_rows
from tournaments.standings.results import StandingsView, chart_of, movement_of, standings_view
from tournaments.standings.standings import match_of, read_stage

PARTS = (  # to choose from, in the form's order
    ("entered", _("Who is entered")),
    ("tables", _("Seats by table")),
    ("names", _("Seats by name")),
    ("clock", _("Round clock")),
    ("bracket", _("Bracket")),
    ("standings", _("Standings and results")),
    ("picture", _("Places round by round, as a picture")),
    ("season", _("The season's race, as a picture")),
    ("through", _("Who goes on")),
    ("next", _("What comes next")),
)
CHOSEN_WITH = {"winners": "standings"}
ALL_PARTS = tuple(name for name, _label in PARTS)
TURNS = (8, 12, 20, 30, 60)  # seconds that a page stays
TURN = 12
THEMES = (("dark", _("dark")), ("light", _("light")))


class BoardForm(forms.Form):
    show = forms.MultipleChoiceField(
        required=False, choices=PARTS, widget=forms.CheckboxSelectMultiple, label=_("What to show")
    )
    turn = forms.ChoiceField(
        required=False,
        choices=lambda: [(seconds, _("%(n)d seconds") % {"n": seconds}) for seconds in TURNS],
        label=_("A page stays"),
    )
    theme = forms.ChoiceField(required=False, choices=THEMES, label=_("Colours"))


def board(request: HttpRequest, club: str, *, event: str) -> HttpResponse:
    """The board with the options in its address; those that are invalid are ignored."""
    query = request.GET
    show = tuple(name for name in ALL_PARTS if name in query.getlist("show")) or ALL_PARTS
    turn = next((seconds for seconds in TURNS if str(seconds) == query.get("turn")), TURN)
    theme = "light" if query.get("theme") == "light" else "dark"
    board = {"show": show, "turn": turn, "theme": theme}
    site = site_address(request)
    to_event = reverse("event", args=[club, event])
    follow = "" if is_loopback(site) else SimpleLazyObject(lambda: qr_svg(site + shared_address(club, to_event)))
    part = "" if show == ALL_PARTS else urlencode([("show", name) for name in show])
    choice = Choice(part, f"{turn}{theme}{site}", {"board": board, "form": BoardForm(initial=board), "follow": follow})
    templates = "tournaments/pages/board/board_part.html", "tournaments/pages/board/board.html"
    return respond(
        request, LivePage("board", *templates, partial(board_context, show=show)), club=club, event=event, choice=choice
    )


def board_context(event: Event, *, show: Sequence[str] = ALL_PARTS) -> dict[str, Any]:
    """The chosen parts (`show`) that have something to show now, in order, and their content."""
    finished = event.state == Event.State.FINISHED
    latest = None if finished else latest_round(event)
    view = standings_view(event)
    places = standings_context(view) if view and view.rows and (finished or view.deals) else None
    playing = latest is not None and not (latest.complete or latest.draw.round.closed)
    cut = None
    if view and not (finished or playing):
        cut = next((cut for cut in published_cuts(event) if cut.stage_id == view.stage.pk), None)
    clock = clock_of(event) if playing and "clock" in show else None
    order = _part_order(latest, places, playing=playing, cut=cut)
    if clock and clock.state == "ready":
        clock = None  # a clock that wasn't started shows nothing
    if clock:
        order.insert(order.index("standings") if places else len(order), "clock")
    bracket = board_pages(bracket_of(event)) if "bracket" in show else []
    if bracket:
        order.insert(order.index("standings") if "standings" in order else len(order), "bracket")
    chart = chart_of(view.stage, view.rows, club=event.club) if view and places and "picture" in show else None
    race = _season_race(event) if order and not playing and "season" in show else None
    if chart:
        order.insert(order.index("standings") + 1, "picture")
    if race:
        order.append("season")
    parts = [part for part in order if CHOSEN_WITH.get(part, part) in show]
    if not parts:
        parts = ["start"] if places or latest or "entered" not in show else ["start", "entered"]
    entered = event.entries.filter(state=Entry.State.HERE, stands_in=None).values_list("name", flat=True)
    return {
        "parts": parts,
        "round": latest,
        "playing": playing,
        "clock": clock,
        "following": latest.number + 1
        if latest and event.by_rounds and not ("next" in order and is_over(event))
        else None,
        "seats": seats_of(latest) if latest and "names" in parts else [],
        "bracket": bracket,
        "places": places,
        "chart": chart,
        "race": race,
        "cut": cut,
        "through": [line.entry.name for line in cut.lines.all() if line.advances] if cut else [],
        "entered": sorted(entered, key=name_sort_key) if "start" in parts else [],
        "match": match_of(event, view.rows if view else ()),
    }


def _season_race(event: Event) -> Chart | None:
    """The race in the first division of the event's season; None before the second night. Five queries."""
    if event.season is None:
        return None
    nights = season_nights([event.season])[0]
    return race_chart(nights, build_table(nights).parts[0], named=hidden_names(event.club).text)


def standings_context(view: StandingsView) -> dict[str, Any]:
    """The standings with the winners of a result, or with how places moved since a round and who would go on now."""
    facts = {"view": view, "has_won": any(row.games_won != "0" for row in view.rows)}
    if view.published and view.published.final:
        winners = leaders(result_rows(view.stage.event, view.rows))
        high = published_high_game(read_stage(view.stage), view.rows) if winners else None
        return facts | {"lines": [{"row": row} for row in view.rows], "winners": winners, "high": high}
    movement, inside = movement_of(view.stage, view.rows), qualified_so_far(view.stage)
    since, moved = movement or (None, {})
    within = [row.entry in inside for row in view.rows]
    last = len(inside) if within == sorted(within, reverse=True) else 0  # 0: no single line separates them
    lines = [
        {
            "row": row,
            "moved": moved.get(row.entry),  # places gained; None: it had none before
            "places": abs(moved.get(row.entry) or 0),
            "new": bool(movement) and moved.get(row.entry) is None,
            "inside": row.entry in inside,
            "last_inside": n == last,
        }
        for n, row in enumerate(view.rows, start=1)
    ]
    return facts | {"lines": lines, "moved_since": since, "has_line": bool(inside)}


def _part_order(
    latest: RoundView | None, places: dict[str, Any] | None, *, playing: bool, cut: Cut | None
) -> list[str]:
    """The parts that have something to show now, the most important first."""
    if latest is None:
        return ["winners", "standings"] if places and places.get("winners") else ["standings"] if places else []
    waiting = any(group.state == "waiting" for group in latest.groups)
    order = ["tables", "names"] if playing and waiting else ["tables"] if playing else ["through"] if cut else []
    if not playing:
        order.append("next")
    if places:
        order.append("standings")
    return order if playing else [*order, "tables"]
