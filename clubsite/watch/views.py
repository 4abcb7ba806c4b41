"""The site's health for monitors, and the pages of its owner and of everybody that belong to no club."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.starting import is_owner
from clubsite.watch.health import OFF, OK, PARTS, describe_health, health
from clubsite.watch.models import Fault
from clubsite.watch.retention import retention_terms

View = Callable[..., HttpResponseBase]


def site_page(view: View) -> View:
    """Decorates a page that belongs to no club: times are in the zone that all clubs share, else in UTC."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        zones = set(Club.objects.values_list("time_zone", flat=True))
        with timezone.override(ZoneInfo(zones.pop() if len(zones) == 1 else "UTC")):
            return view(request, *args, **kwargs)

    return wrapped


@never_cache
@require_safe
def health_page(request: HttpRequest) -> JsonResponse:
    """Each part of the site, as JSON: 200 when all are well, else 503. Figures are for the site's owner.

    `?only=database,disk` asks for these alone, so that a load balancer doesn't drop a host because a backup is old.
    """
    parts = health(request.GET["only"].split(",") if "only" in request.GET else PARTS)
    if not parts:
        return JsonResponse({"ok": False, "parts": {}, "known": PARTS}, status=400)
    well = all(state in (OK, OFF) for state, _details in parts.values())
    answer: dict[str, Any] = {"ok": well, "parts": {name: state for name, (state, _details) in parts.items()}}
    try:
        if is_owner(request):
            answer["details"] = {name: details for name, (_state, details) in parts.items()}
    except (DatabaseError, InterfaceError):  # without the database nobody can be recognised as the owner
        pass
    return JsonResponse(answer, status=200 if well else 503)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "watch/privacy.html", {"kept": retention_terms(), "contact": settings.PRIVACY_CONTACT})


@site_page
def site(request: HttpRequest) -> HttpResponseBase:
    """For the owner: the site's health and faults. A POST marks as seen the faults that the page showed."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not is_owner(request):
        raise Http404
    if request.method == "POST":
        try:
            until = datetime.fromtimestamp(float(request.POST.get("until", "")), UTC)
        except (ValueError, OverflowError, OSError):
            return redirect("site")
        Fault.objects.filter(last_at__lte=until, seen_at=None).update(seen_at=timezone.now())
        messages.success(request, _("Marked as seen. What happens again is shown as new."))
        return redirect("site")
    faults = list(Fault.objects.all())
    context = {
        "parts": describe_health(health()),
        "faults": faults,
        "unseen": any(fault.seen_at is None for fault in faults),
        "until": timezone.now().timestamp(),
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "watch/site.html", context)
