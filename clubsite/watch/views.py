"""The site's health for monitors, and the pages of whoever looks after the site."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.contrib import messages
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubsite.accounts.starting import is_owner
from clubsite.watch import faults
from clubsite.watch.health import PARTS, health, is_well
from clubsite.watch.models import Fault
from clubsite.watch.owner import owner_page
from clubsite.watch.words import terms_in_words, words_of


@never_cache
@require_safe
def health_page(request: HttpRequest) -> JsonResponse:
    """Each part of the site, as JSON: 200 when all are well, else 503. Figures are for the site's owner.

    `?only=database,disk` asks for these alone, so that a load balancer doesn't drop a host because a backup is old.
    """
    only = request.GET.get("only", "").split(",") if "only" in request.GET else PARTS
    parts = health([name for name in PARTS if name in only])
    if not parts:
        return JsonResponse({"ok": False, "parts": {}, "known": PARTS}, status=400)
    told = {"ok": is_well(parts), "parts": {part.name: part.state for part in parts}}
    try:
        if is_owner(request):
            told["details"] = {part.name: part.details for part in parts}
    except (DatabaseError, InterfaceError):  # without the database nobody can be recognised as the owner
        pass
    return JsonResponse(told, status=200 if told["ok"] else 503)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of people, for how long, who sees it, and how they have it given out or erased. For anybody."""
    return render(request, "watch/privacy.html", {"kept": terms_in_words(), "contact": settings.PRIVACY_CONTACT})


@owner_page
def site(request: HttpRequest) -> HttpResponse:
    """The site's health and faults; a POST marks the faults that were shown as seen."""
    if request.method == "POST":
        _mark_seen(request)
        return redirect("site")
    in_file = faults.in_file()
    context = {
        "parts": [(part, words_of(part)) for part in health()],
        "faults": list(Fault.objects.all()),
        "in_file": in_file,
        "unseen": bool(in_file) or Fault.objects.filter(seen_at=None).exists(),
        "until": timezone.now().timestamp(),
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "watch/site.html", context)


def _mark_seen(request: HttpRequest) -> None:
    """Mark faults as seen, except those that happened again since the page was shown."""
    try:
        until = datetime.fromtimestamp(float(request.POST.get("until", "")), UTC)
    except (ValueError, OverflowError, OSError):
        return
    faults.mark_seen(until=until)
    faults.forget_file(until=until)
    messages.success(request, _("Marked as seen. What happens again is shown as new."))
