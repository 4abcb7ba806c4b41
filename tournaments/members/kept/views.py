"""What is kept of one person: all of it as a file, and erasing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.members.kept.erasing import erase, found_of
from tournaments.members.kept.export import export_of
from tournaments.members.views import member_of
from tournaments.requests import refusals_told


@require_POST
@club_page
def export(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """All that is kept of a member, as a JSON file. Sent for, because it is noted in the log."""
    found = member_of(club, member)
    data = export_of(found, by=actor_of(request))
    headers = {"Content-Disposition": f'attachment; filename="{slugify(found.name) or "person"}.json"'}
    return JsonResponse(data, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@club_page
def erase_person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """What erasing changes, and the name to be typed."""
    found = member_of(club, member)
    if request.method == "POST":
        with refusals_told(request):
            stands = erase(member=found, by=actor_of(request), typed=request.POST.get("typed", ""))
            messages.success(request, _("Erased. The results stand under “%(name)s”.") % {"name": stands})
            return redirect("members", club.slug)
    return render(request, "tournaments/members/kept/erase.html", {"member": found, "found": found_of(found)})
