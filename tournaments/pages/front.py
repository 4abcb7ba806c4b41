"""The front page of the site and of a club. Its cost doesn't grow with events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubsite.accounts.languages import speak
from clubsite.accounts.models import Club, Member, Role
from clubsite.accounts.name_privacy import hide
from clubsite.accounts.roles import first_page, user_of
from clubsite.accounts.starting import is_empty
from clubsite.names import found_by
from tournaments.models import Event, PublishedStandings, Season
from tournaments.seasons.table import SeasonTable, season_tables
from tournaments.standings.results import StandingsView, of_version

HALF_A_DAY = timedelta(hours=12)
CLUBS_SHOWN = 12  # clubs on a page, on a site with more


@dataclass(frozen=True, slots=True)
class Front:
    """A club's front page."""

    club: Club
    now: tuple[Event, ...]
    coming: tuple[Event, ...]
    results: tuple[StandingsView, ...]  # of the last three events, the newest first
    season: SeasonTable | None


def home(request: HttpRequest) -> HttpResponse:
    """What is on now, what is next, the last results and the season of every club; on a site with one club, its own
    page.

    Of many clubs, CLUBS_SHOWN at a time, and those whose name holds `q`.
    """
    clubs = list(Club.objects.all()[: CLUBS_SHOWN + 1])
    if not clubs and is_empty():
        return redirect("start")
    if len(clubs) == 1:
        request.club = clubs[0]  # type: ignore[attr-defined]  # read by the context processor
        speak(request, clubs[0])
        with timezone.override(clubs[0].zone):
            return hide(render(request, "tournaments/pages/club.html", {"front": fronts(clubs)[0]}), _hiding(clubs))
    context: dict[str, object] = {}
    if len(clubs) > CLUBS_SHOWN:
        search = request.GET.get("q", "").strip()[:80]
        fitting = Club.objects.all()
        if search:  # not by the database: SQLite knows the capitals of ASCII alone, and neither knows accents
            names = Club.objects.values_list("pk", "name")
            fitting = fitting.filter(pk__in=[pk for pk, name in names if found_by(name, search)])
        page = Paginator(fitting, CLUBS_SHOWN).get_page(request.GET.get("page"))
        clubs, context = list(page), {"many": True, "page": page, "search": search}
    if request.user.is_authenticated:
        roles = Role.objects.filter(user=user_of(request)).select_related("club").order_by("club__name")
        context["mine"] = [(role, first_page(role)) for role in roles]
    return hide(render(request, "tournaments/pages/home.html", {**context, "fronts": fronts(clubs)}), _hiding(clubs))


def fronts(clubs: Sequence[Club]) -> list[Front]:
    """The front pages of clubs, in the order given. Six queries, whatever the number of clubs."""
    events = Event.objects.filter(club__in=clubs).select_related("rules", "club")
    running, near = Event.State.RUNNING, timezone.now() + HALF_A_DAY  # a draw may be published days before
    now: list[Event] = list(events.filter(state=running, starts_at__lte=near))
    planned = Q(state=Event.State.PLANNED, starts_at__gte=timezone.now() - HALF_A_DAY)
    coming = list(events.filter(planned | Q(state=running, starts_at__gt=near)).order_by("starts_at"))
    seasons = _current_seasons(clubs)
    tables = {table.season.club_id: table for table in season_tables(seasons.values())}
    newest: dict[int, dict[int, int]] = {}
    final = PublishedStandings.objects.filter(event__club__in=clubs, event__state=Event.State.FINISHED, final=True)
    for club, event, pk in final.order_by("event__starts_at", "stage__number", "number").values_list(
        "event__club", "event", "pk"
    ):
        newest.setdefault(club, {})[event] = pk
    last = {club: list(versions.values())[:-4:-1] for club, versions in newest.items()}
    results = PublishedStandings.objects.select_related("event__rules", "event__club", "stage").in_bulk(
        [pk for versions in last.values() for pk in versions]
    )
    return [
        Front(
            club=club,
            now=tuple(e for e in now if e.club_id == club.pk),
            coming=tuple(e for e in coming if e.club_id == club.pk)[:3],
            results=tuple(of_version(results[pk]) for pk in last.get(club.pk, ())),
            season=tables.get(club.pk),
        )
        for club in clubs
    ]


def _current_seasons(clubs: Sequence[Club]) -> dict[int, Season]:
    """Club to its season that has begun last."""
    found: dict[int, Season] = {}
    for season in Season.objects.filter(club__in=clubs).order_by("starts"):
        season.club = next(club for club in clubs if club.pk == season.club_id)
        if season.starts <= timezone.localdate(timezone=season.club.zone) or season.club_id not in found:
            found[season.club_id] = season
    return found


def _hiding(clubs: list[Club]) -> list[Club]:
    """The clubs among these with members who want initials on public pages. One query."""
    keys = set(Member.every.filter(club__in=clubs, initials_only=True).values_list("club", flat=True))
    return [club for club in clubs if club.pk in keys]
