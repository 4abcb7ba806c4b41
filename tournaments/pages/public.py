"""Pages for everybody: only what is published."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.languages import activate_language
from clubsite.accounts.models import Club, Door, Member, Role
from clubsite.accounts.name_privacy import hide_names
from clubsite.accounts.roles import logged_in_user, public, start_page, visitor_door
from clubsite.accounts.starting import is_empty
from clubsite.addresses import site_address
from clubsite.names import name_matches
from tournaments.cuts.cuts import describe_cut, published_cuts, window_of_cut
from tournaments.draws.bracket import bracket_of as knock_out_of
from tournaments.draws.by_format import bracket_words, lot_sentences
from tournaments.draws.round_views import latest_round, meetings_in, published_rounds, seats_of
from tournaments.events.state import following_bracket
from tournaments.events.views import events_table
from tournaments.events.words import describe_format, describe_options
from tournaments.models import Event, PublishedStandings, Season
from tournaments.pages.live import LivePage, respond
from tournaments.pages.sharing import event_card, result_message
from tournaments.people import pages_by_club, pages_of_people
from tournaments.prizes.actions import prizes_view
from tournaments.requests import get_event
from tournaments.rounds.clock import clock_of
from tournaments.seasons.table import season_tables
from tournaments.sign_ups import sign_up_context
from tournaments.standings.presentation import net_view, standings_shown, won_by
from tournaments.standings.results import chart_of, standings_view, view_of_version
from tournaments.standings.standings import match_of

HALF_A_DAY = timedelta(hours=12)
CLUBS_SHOWN = 12  # clubs on a page, on a site with more


def home(request: HttpRequest) -> HttpResponse:
    """The front pages of all clubs, CLUBS_SHOWN at a time, searched with `q`; of a single club its own page."""
    clubs = list(Club.objects.all()[: CLUBS_SHOWN + 1])
    if not clubs and is_empty():
        return redirect("start")
    if len(clubs) == 1:
        request.club = clubs[0]  # type: ignore[attr-defined]  # read by the context processor
        activate_language(request, clubs[0])
        with timezone.override(clubs[0].zone):
            clubs[0].came_as = visitor_door(request, clubs[0])
            return hide_names(
                render(request, "tournaments/pages/club.html", {"front": front_pages(clubs)[0]}),
                _clubs_with_initials(clubs),
            )
    context: dict[str, object] = {}
    if len(clubs) > CLUBS_SHOWN:
        search = request.GET.get("q", "").strip()[:80]
        fitting = Club.objects.all()
        if search:  # not by the database: SQLite knows the capitals of ASCII alone, and neither knows accents
            names = Club.objects.values_list("pk", "name")
            fitting = fitting.filter(pk__in=[pk for pk, name in names if name_matches(name, search)])
        page = Paginator(fitting, CLUBS_SHOWN).get_page(request.GET.get("page"))
        clubs, context = list(page), {"many": True, "page": page, "search": search}
    for club in clubs:
        club.came_as = visitor_door(request, club)
    if request.user.is_authenticated:
        roles = Role.objects.filter(user=logged_in_user(request)).select_related("club").order_by("club__name")
        context["mine"] = [(role, start_page(role)) for role in roles]
    return hide_names(
        render(request, "tournaments/pages/home.html", {**context, "fronts": front_pages(clubs)}),
        _clubs_with_initials(clubs),
    )


def front_pages(clubs: Sequence[Club], *, most: int = 3) -> list[dict[str, Any]]:
    """For each club its events on now and coming, the last results, the newest first, and the current season, as far as
    its doors let the visitor see them. `most`: coming events and results. Seven queries, however many clubs."""
    events, opened = Event.objects.select_related("rules", "club"), [club for club in clubs if club.shows("results")]
    running, near = Event.State.RUNNING, timezone.now() + HALF_A_DAY  # a draw may be published days before
    now: list[Event] = list(events.filter(club__in=opened, state=running, starts_at__lte=near))
    planned = Q(state=Event.State.PLANNED, starts_at__gte=timezone.now() - HALF_A_DAY)
    planned &= Q(club__in=[club for club in clubs if club.shows("nights")])
    drawn = Q(club__in=opened, state=running, starts_at__gt=near)
    coming = list(events.filter(planned | drawn).order_by("starts_at"))
    seasons = _current_seasons(opened)
    tables = {table.season.club_id: table for table in season_tables(seasons.values())}
    newest: dict[int, dict[int, int]] = {}
    final = PublishedStandings.objects.filter(event__club__in=opened, event__state=Event.State.FINISHED, final=True)
    for club, event, pk in final.order_by("event__starts_at", "stage__number", "number").values_list(
        "event__club", "event", "pk"
    ):
        newest.setdefault(club, {})[event] = pk
    last = {club: list(versions.values())[: -most - 1 : -1] for club, versions in newest.items()}
    results = PublishedStandings.objects.select_related("event__rules", "event__club", "stage").in_bulk(
        [pk for versions in last.values() for pk in versions]
    )
    pages = pages_by_club(clubs)
    return [
        {
            "club": club,
            "nights_closed": not club.shows("nights"),
            "results_closed": not club.shows("results"),
            "pages": pages[club.pk],
            "now": [e for e in now if e.club_id == club.pk],
            "coming": [e for e in coming if e.club_id == club.pk][:most],
            "results": [view_of_version(results[pk]) for pk in last.get(club.pk, ())],
            "season": tables.get(club.pk),
            "mail": settings.MAIL_IS_SET,
        }
        for club in clubs
    ]


def _current_seasons(clubs: Sequence[Club]) -> dict[int, Season]:
    """Club to its season that began last, or will begin first."""
    current: dict[int, Season] = {}
    for season in Season.objects.filter(club__in=clubs).order_by("starts"):
        season.club = next(club for club in clubs if club.pk == season.club_id)
        if season.starts <= timezone.localdate(timezone=season.club.zone) or season.club_id not in current:
            current[season.club_id] = season
    return current


def _clubs_with_initials(clubs: list[Club]) -> list[Club]:
    """The clubs whose public pages show some members by initials. One query."""
    keys = set(Member.every.filter(club__in=clubs, initials_only=True).values_list("club", flat=True))
    return [club for club in clubs if club.pk in keys]


UNFOLDED = 24  # places; a competition with more shows only the first, until the others are unfolded
FIRST_SHOWN = 12


@public
def club(request: HttpRequest, club: Club) -> HttpResponse:
    return render(request, "tournaments/pages/club.html", {"front": front_pages([club])[0]})


@public
def events(request: HttpRequest, club: Club) -> HttpResponse:
    shown, seasons = Event.objects.filter(club=club), Season.objects.filter(club=club)
    if not club.shows("nights"):
        shown = shown.exclude(state=Event.State.PLANNED)
    if not club.shows("results"):
        shown, seasons = shown.filter(state=Event.State.PLANNED), seasons.none()
    closed = not (club.shows("nights") and club.shows("results"))
    context = {"table": events_table(request, shown), "seasons": seasons, "closed": closed}
    if club.shows("nights"):
        key = f"?key={club.member_key}" if club.nights_for == Door.LINK else ""  # a calendar has no cookies
        context["calendar"] = reverse("calendar", args=[club.slug]) + key
    return render(request, "tournaments/pages/events.html", context)


def event(request: HttpRequest, club: str, *, event: str) -> HttpResponse:
    """An event's page. It refreshes itself unless the standings are sorted by another column."""
    if "sort" in request.GET:
        return sorted_event(request, club, event=event)
    return respond(request, EVENT, club=club, event=event)


@public
def sorted_event(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    this_event = get_event(club, event)
    shown = event_context(this_event, sort=request.GET["sort"])
    around = event_page_context(this_event, site_address(request))
    return render(request, EVENT.whole, {"event": this_event, **shown, **around})


def event_context(event: Event, *, sort: str = "") -> dict[str, Any]:
    view = standings_view(event)
    rows = view.rows if view else ()
    standings = standings_shown(event, rows, sort=sort)
    shown = FIRST_SHOWN if not event.by_rounds and len(rows) > UNFOLDED and not sort else len(rows)
    return {
        "view": view,
        "person_pages": pages_of_people(event.club),
        **won_by(view),
        "standings": {**standings, "lines": standings["lines"][:shown]},
        "later": standings["lines"][shown:],
        "rounds": published_rounds(event),
        "clock": clock_of(event),
        "net": net_view(event, rows) if view else None,
        "cuts": [
            {"cut": cut, "lines": describe_cut(cut), "window": window_of_cut(cut, event.club)}
            for cut in published_cuts(event)
        ],
        "bracket": None if event.by_rounds and not event.traits.in_groups else following_bracket(event),
        "match": match_of(event, rows),
        "lots": lot_sentences(event),
        "seeding": bracket_words(event),
        "knock_out": knock_out_of(event),
        **(sign_up_context(event) if event.state == Event.State.PLANNED else {}),
        "prizes": prizes_view(event, view.published if view else None),
        "about": describe_format(event),
        "described": describe_options(event),
    }


def event_page_context(event: Event, site: str) -> dict[str, Any]:
    card = event_card(event)
    return {"card": card, "text": result_message(card, site + event.get_absolute_url())}


def seats(request: HttpRequest, club: str, *, event: str) -> HttpResponse:
    return respond(request, SEATS, club=club, event=event)


def seats_context(event: Event) -> dict[str, Any]:
    latest = latest_round(event)
    return {
        "round": latest,
        "seats": seats_of(latest) if latest else [],
        "person_pages": pages_of_people(event.club),
        "clock": clock_of(event),
    }


@public
def evening(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    this_event = get_event(club, event)
    view = standings_view(this_event)
    context = {
        "event": this_event,
        "chart": chart_of(view.stage, view.rows, club=club) if view and view.begun else None,
        "met": meetings_in(this_event),
    }
    return render(request, "tournaments/pages/evening.html", context)


EVENT = LivePage(
    "event", "tournaments/pages/event_part.html", "tournaments/pages/event.html", event_context, event_page_context
)
SEATS = LivePage("seats", "tournaments/pages/seats_part.html", "tournaments/pages/seats.html", seats_context)
