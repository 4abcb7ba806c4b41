"""Files to take away: JSON, spreadsheets, calendars."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, timedelta
from functools import wraps
from hashlib import sha256
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import condition, require_safe
from icalendar import Calendar, Event as Entry, Timezone
from pydantic import BaseModel

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import public
from clubsite.jobs.orders import content_response
from scoring.templatetags.rule_texts import translated
from tournaments.exports import spreadsheets
from tournaments.exports.published import Publisher, openapi, schema
from tournaments.exports.spreadsheets import KINDS, Sheet, write_sheet
from tournaments.models import Event, Season
from tournaments.requests import event_page, get_event, get_stage, whole_number_or_none
from tournaments.seasons.table import season_tables
from tournaments.standings.results import valid_result
from tournaments.standings.standings import Row, standings_of


def sheet_response(sheet: Sheet, kind: str) -> HttpResponse:
    """A table as a download. Raises Http404 for an unknown kind."""
    if kind not in KINDS:
        raise Http404
    return content_response(write_sheet(sheet, kind), kind, title=sheet.title)


PRODUCER = "-//Nine Tables//Nine Tables//EN"
USUAL_LENGTH = timedelta(hours=3)  # nobody says beforehand when an evening ends
REFRESH_INTERVAL = timedelta(hours=6)  # after which a calendar looks for news


def write_calendar(
    club: Club, events: Iterable[Event], *, name: str, uid: str, absolute: Callable[[str], str]
) -> bytes:
    """A calendar of events in the club's zone; `absolute` puts the host before an address. The same events give the
    same bytes.

    An event's UID never changes; SEQUENCE and LAST-MODIFIED tell that its name, time or place did."""
    events = list(events)
    ical = Calendar.new(prodid=PRODUCER, name=name, refresh_interval=REFRESH_INTERVAL, uid=uid)
    ical.add("X-WR-TIMEZONE", club.time_zone)
    if events:
        days = [event.starts_at.date() for event in events]
        first, last = min(days).replace(month=1, day=1), max(days) + timedelta(days=366)
        ical.add_component(Timezone.from_tzinfo(club.zone, first_date=first, last_date=last))
    for event in events:
        starts, changed = event.starts_at.astimezone(club.zone), event.changed_at.astimezone(UTC)
        ical.add_component(
            Entry.new(
                uid=f"event-{event.pk}@{club.slug}.nine-tables",
                summary=event.name,
                start=starts,
                end=starts + USUAL_LENGTH,
                location=event.place or None,
                description=f"{translated(event.rules.title)} · {event.get_format_display()}",
                url=absolute(event.get_absolute_url()),
                stamp=changed,
                last_modified=changed,
                sequence=event.revision,
                status="CANCELLED" if event.called_off else "CONFIRMED",  # type: ignore[arg-type]  # the library takes the text of its own choices
            )
        )
    written: bytes = ical.to_ical()
    return written


View = Callable[..., HttpResponse]


def for_programs(view: View) -> View:
    """A page that programs poll: 304 while nothing was done in the club. It is the same for everybody and ignores
    cookies, so any site may read it in a browser."""

    conditional: View = require_safe(condition(etag_func=_etag)(view))

    @wraps(conditional)
    def shared(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = conditional(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        patch_cache_control(response, no_cache=True)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return shared


def _etag(request: HttpRequest, club: str, **_kwargs: Any) -> str:
    parts = (club_version(club), request.get_host(), request.scheme, request.path, get_language())
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:24]}"'


@for_programs
@public
def calendar(request: HttpRequest, club: Club, *, season: int | None = None, event: str = "") -> HttpResponse:
    """The events of the club, of a season, or one event, as a calendar to subscribe to."""
    events = Event.objects.filter(club=club).select_related("rules", "club").order_by("starts_at", "pk")
    name, uid = club.name, f"calendar@{club.slug}.nine-tables"
    if season is not None:
        this_season = get_object_or_404(Season, club=club, pk=season)
        events, name = events.filter(season=this_season), f"{club.name}: {this_season.name}"
        uid = f"season-{this_season.pk}@{club.slug}.nine-tables"
    if event:
        chosen = get_event(club, event)
        events, name, uid = events.filter(pk=chosen.pk), chosen.name, f"calendar-{chosen.pk}@{club.slug}.nine-tables"
    body = write_calendar(club, events, name=name, uid=uid, absolute=request.build_absolute_uri)
    headers = {"Content-Disposition": f'inline; filename="{club.slug}.ics"'}
    return HttpResponse(body, content_type="text/calendar; charset=utf-8", headers=headers)


def _data_page(make: Callable[..., BaseModel | None]) -> View:
    """A page of published data; 404 if there is none."""

    @for_programs
    @public
    def page(request: HttpRequest, club: Club, **which: Any) -> HttpResponse:
        data = make(Publisher(club, request.build_absolute_uri), **which)
        if data is None:
            raise Http404
        return HttpResponse(data.model_dump_json(), content_type="application/json")

    return page


club_data = _data_page(Publisher.club_data)
event_data = _data_page(lambda publisher, event: publisher.event_data(get_event(publisher.club, event)))
standings_data = _data_page(lambda publisher, event: publisher.standings_data(get_event(publisher.club, event)))
result_data = _data_page(lambda publisher, event: publisher.result_data(get_event(publisher.club, event)))
season_data = _data_page(
    lambda publisher, season: publisher.season_data(get_object_or_404(Season, club=publisher.club, pk=season))
)


@require_safe
def data_schema(request: HttpRequest) -> HttpResponse:
    return JsonResponse(schema(), content_type="application/schema+json", headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def data_openapi(request: HttpRequest) -> HttpResponse:
    return JsonResponse(openapi(), headers={"Access-Control-Allow-Origin": "*"})


@require_safe
@public
def result_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    """The result as published; 404 if there is none."""
    this_event = get_event(club, event)
    published = valid_result(this_event)
    if published is None:
        raise Http404
    sheet = _as_published(spreadsheets.result_sheet(this_event, published), club)
    return sheet_response(sheet, kind)


@require_safe
@public
def season_file(request: HttpRequest, club: Club, *, season: int, kind: str) -> HttpResponse:
    (table,) = season_tables([get_object_or_404(Season, club=club, pk=season)])
    sheet = _as_published(spreadsheets.season_sheet(table), club)
    return sheet_response(sheet, kind)


@event_page
@require_safe
def standings_file(request: HttpRequest, club: Club, *, event: Event, stage: int, kind: str) -> HttpResponse:
    """A stage's standings as they are now, or a published version (`?version=`)."""
    this_stage = get_stage(event, stage)
    if (version := whole_number_or_none(request.GET.get("version"))) is not None:
        published = get_object_or_404(this_stage.published_standings, number=version)
        title = _("%(stage)s version %(n)d") % {"stage": this_stage.name, "n": published.number}
        sheet = spreadsheets.standings_sheet(event, rows=map(Row.from_data, published.rows), title=title)
    else:
        sheet = spreadsheets.standings_sheet(event, rows=standings_of(this_stage).rows, title=this_stage.name)
    return sheet_response(sheet, kind)


@event_page
@require_safe
def deals_file(request: HttpRequest, club: Club, *, event: Event, kind: str) -> HttpResponse:
    return sheet_response(spreadsheets.deals_sheet(event), kind)


@event_page
@require_safe
def entries_file(request: HttpRequest, club: Club, *, event: Event, kind: str) -> HttpResponse:
    return sheet_response(spreadsheets.entries_sheet(event), kind)


def _as_published(sheet: Sheet, club: Club) -> Sheet:
    """The sheet with initials for members who want them. Pages get them when they are sent, but not files."""
    names = hidden_names(club)
    rows = [tuple(names.text(cell) if isinstance(cell, str) else cell for cell in row) for row in sheet.rows]
    return replace(sheet, rows=rows if names else sheet.rows, published=True)
