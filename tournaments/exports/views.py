"""Calendars, and published pages as JSON: for programs, without a log-in, the same for everybody.

Every answer has an ETag made of the club's log, so that who has it already is told so with one query.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_safe
from pydantic import BaseModel

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.models import Club
from clubsite.accounts.roles import public
from tournaments.exports.calendar import calendar_of
from tournaments.exports.format import openapi, schema
from tournaments.exports.published import Publisher
from tournaments.models import Event, Season
from tournaments.requests import event_of

View = Callable[..., HttpResponse]


def for_programs(view: View) -> View:
    """A page of a club that programs ask for again and again: answered 304 while nothing was done in the club.

    Any site may read it in a browser: it is the same for everybody, and no cookie is looked at.
    """

    asked: View = require_safe(condition(etag_func=_etag)(view))

    @wraps(asked)
    def shared(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = asked(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        patch_cache_control(response, no_cache=True)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return shared


def _etag(request: HttpRequest, club: str, **_kwargs: Any) -> str:
    said = (version_of(club), request.get_host(), request.scheme, request.path, get_language())
    return f'W/"{sha256(repr(said).encode()).hexdigest()[:24]}"'


@for_programs
@public
def calendar(request: HttpRequest, club: Club, *, season: int | None = None) -> HttpResponse:
    """The club's events as a calendar to subscribe to; or those of one season."""
    events = Event.objects.filter(club=club).select_related("rules", "club").order_by("starts_at", "pk")
    name, uid = club.name, f"calendar@{club.slug}.nine-tables"
    if season is not None:
        found = get_object_or_404(Season, club=club, pk=season)
        events, name = events.filter(season=found), f"{club.name}: {found.name}"
        uid = f"season-{found.pk}@{club.slug}.nine-tables"

    body = calendar_of(club, events, name=name, uid=uid, absolute=request.build_absolute_uri)
    headers = {"Content-Disposition": f'inline; filename="{club.slug}.ics"'}
    return HttpResponse(body, content_type="text/calendar; charset=utf-8", headers=headers)


@for_programs
@public
def club_data(request: HttpRequest, club: Club) -> HttpResponse:
    """The club with its events and seasons."""
    return _json(_publisher(request, club).of_club())


@for_programs
@public
def event_data(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """An event."""
    return _json(_publisher(request, club).of_event(event_of(club, event)))


@for_programs
@public
def standings_data(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The standings that an event's page shows."""
    return _json(_publisher(request, club).of_standings(event_of(club, event)))


@for_programs
@public
def result_data(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The result of an event; 404 while none stands."""
    return _json(_publisher(request, club).of_result(event_of(club, event)))


@for_programs
@public
def season_data(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """A season's table."""
    return _json(_publisher(request, club).of_season(get_object_or_404(Season, club=club, pk=season)))


@require_safe
def data_schema(request: HttpRequest) -> HttpResponse:
    """The JSON schema of all these answers."""
    return JsonResponse(schema(), content_type="application/schema+json", headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def data_openapi(request: HttpRequest) -> HttpResponse:
    """What programs can ask of the site, as OpenAPI."""
    return JsonResponse(openapi(), headers={"Access-Control-Allow-Origin": "*"})


def _publisher(request: HttpRequest, club: Club) -> Publisher:
    return Publisher(club, request.build_absolute_uri)


def _json(data: BaseModel | None) -> HttpResponse:
    if data is None:
        raise Http404
    return HttpResponse(data.model_dump_json(), content_type="application/json")
