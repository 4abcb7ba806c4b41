"""The site's health for monitors, and the pages of whoever looks after the site."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubsite.watch.health import PARTS, health, is_well
from clubsite.watch.owner import is_owner


@never_cache
@require_safe
def health_page(request: HttpRequest) -> JsonResponse:
    """Each part of the site, as JSON: 200 when all are well, else 503. Figures are for the site's owner.

    `?only=database,disk` asks for these alone: a balancer takes no host away because a backup is old.
    """
    only = request.GET.get("only", "").split(",") if "only" in request.GET else PARTS
    parts = health([name for name in PARTS if name in only])
    if not parts:
        return JsonResponse({"ok": False, "parts": {}, "known": PARTS}, status=400)
    told = {"ok": is_well(parts), "parts": {part.name: part.state for part in parts}}
    try:
        if is_owner(request):
            told["details"] = {part.name: part.details for part in parts}
    except (DatabaseError, InterfaceError):  # who asks can't be known
        pass
    return JsonResponse(told, status=200 if told["ok"] else 503)
