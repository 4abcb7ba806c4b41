"""Decorators of pages that belong to no club: for everybody, and for whoever looks after the site."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clubsite.accounts.models import Club
from clubsite.accounts.starting import is_owner

View = Callable[..., HttpResponseBase]


def zone_of_site() -> ZoneInfo:
    """The zone of all clubs, where they have the same; else UTC. One query."""
    names = set(Club.objects.values_list("time_zone", flat=True))
    return ZoneInfo(names.pop() if len(names) == 1 else "UTC")


def of_the_site(view: View) -> View:
    """Decorates a page that belongs to no club: times are in the clubs' zone where they share one, else in UTC."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with timezone.override(zone_of_site()):
            return view(request, *args, **kwargs)

    return wrapped


def owner_page(view: View) -> View:
    """Decorates a page for whoever looks after the site. Logged out: to the log-in. Anyone else: 404."""

    @of_the_site
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_owner(request):
            raise Http404
        return view(request)

    return wrapped
