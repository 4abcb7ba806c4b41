"""What is kept of one person: all of it as a file, and erasing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.names import slug_of
from tournaments.members.kept.erasing import Erased, erase, found_of, left_in_file
from tournaments.members.kept.export import export_of
from tournaments.members.views import member_of
from tournaments.requests import refusals_told


@require_POST
@club_page
def export(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """All that is kept of a member, as a JSON file. Sent for, because it is noted in the log."""
    found = member_of(club, member)
    data = export_of(found, by=actor_of(request))
    headers = {"Content-Disposition": f'attachment; filename="{slug_of(found.name) or "person"}.json"'}
    return JsonResponse(data, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@club_page
def erase_person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """What erasing changes, and the name to be typed."""
    found = member_of(club, member)
    if request.method == "POST":
        with refusals_told(request):
            erased = erase(member=found, by=actor_of(request), typed=request.POST.get("typed", ""))
            _tell(request, erased)
            return redirect("members", club.slug)
    return render(request, "tournaments/members/kept/erase.html", {"member": found, "found": found_of(found)})


def _tell(request: HttpRequest, erased: Erased) -> None:
    """Say what erasing did, and what a search found afterwards."""
    in_file = left_in_file(erased.texts)
    words = _("Erased. Results are now under “%(name)s”. A search found the name in none of the club’s records.")
    if erased.left:
        words = _("Erased, but not everywhere: please report this. Results are now under “%(name)s”.")
        where = ", ".join(f"{kind} ({count})" for kind, count in erased.left.items())
        messages.error(request, _("The name is still in: %(where)s.") % {"where": where})
    elif in_file is False:
        words = _(
            "Erased. Results are now under “%(name)s”. A search found the name in none of the club’s records, and "
            "nothing of it among deleted data in the database’s file."
        )
    messages.success(request, words % {"name": erased.stands})
    if in_file:
        words = _(
            "The database’s file still has it among deleted data. Stop the site once and start it again to clear it."
        )
        messages.warning(request, words)
    if erased.elsewhere:
        messages.info(request, _("Another club on this site has this name too. Only that club can erase it there."))
