"""The front page of the whole site, and the page for what there isn't."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.defaults import page_not_found

from clubsite.accounts.languages import speak
from clubsite.accounts.models import Club, Member
from clubsite.accounts.names.hidden import hide
from clubsite.accounts.starting import is_empty
from tournaments.pages.front import fronts


def home(request: HttpRequest) -> HttpResponse:
    """What is on now, what is next, the last results and the season of every club; of the one, where there is one."""
    clubs = list(Club.objects.all())
    if not clubs and is_empty():
        return redirect("start")
    if len(clubs) == 1:
        request.club = clubs[0]  # type: ignore[attr-defined]  # read by the context processor
        speak(request, clubs[0])
        with timezone.override(clubs[0].zone):
            return hide(render(request, "tournaments/pages/club.html", {"front": fronts(clubs)[0]}), _hiding(clubs))
    return hide(render(request, "home.html", {"fronts": fronts(clubs)}), _hiding(clubs))


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an address that leads nowhere: under a club's address in the club's language."""
    if club := Club.objects.filter(slug=request.path_info.split("/")[1]).first():
        speak(request, club)
    return page_not_found(request, exception)


def _hiding(clubs: list[Club]) -> list[Club]:
    """Those of the clubs with members who want initials on public pages. One query."""
    keys = set(Member.every.filter(club__in=clubs, initials_only=True).values_list("club", flat=True))
    return [club for club in clubs if club.pk in keys]
