"""The front page of the whole site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubsite.accounts.models import Club
from tournaments.pages.front import fronts


def home(request: HttpRequest) -> HttpResponse:
    """What is on now, what is next, the last results and the season of every club; of the one, where there is one."""
    clubs = list(Club.objects.all())
    if len(clubs) == 1:
        request.club = clubs[0]  # type: ignore[attr-defined]  # read by the context processor
        with timezone.override(clubs[0].zone):
            return render(request, "tournaments/pages/club.html", {"front": fronts(clubs)[0]})
    return render(request, "home.html", {"fronts": fronts(clubs)})
