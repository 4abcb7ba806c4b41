"""The front page of the whole site, and the 404 page."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.core.validators import slug_re
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.defaults import page_not_found

from clubsite.accounts.languages import speak
from clubsite.accounts.models import Club, Member, Role
from clubsite.accounts.names.hidden import hide
from clubsite.accounts.names.order import found_by
from clubsite.accounts.roles import first_page, user_of
from clubsite.accounts.starting import is_empty
from tournaments.pages.front import fronts

CLUBS_SHOWN = 12  # clubs on a page, on a site with more


def home(request: HttpRequest) -> HttpResponse:
    """What is on now, what is next, the last results and the season of every club; on a site with one club, its own
    page.

    Of many clubs, CLUBS_SHOWN at a time, and those whose name holds `q`.
    """
    clubs = list(Club.objects.all()[: CLUBS_SHOWN + 1])
    if not clubs and is_empty():
        return redirect("start")
    if len(clubs) == 1:
        request.club = clubs[0]  # type: ignore[attr-defined]  # read by the context processor
        speak(request, clubs[0])
        with timezone.override(clubs[0].zone):
            return hide(render(request, "tournaments/pages/club.html", {"front": fronts(clubs)[0]}), _hiding(clubs))
    context: dict[str, object] = {}
    if len(clubs) > CLUBS_SHOWN:
        search = request.GET.get("q", "").strip()[:80]
        fitting = Club.objects.all()
        if search:  # not by the database: SQLite knows the capitals of ASCII alone, and neither knows accents
            names = Club.objects.values_list("pk", "name")
            fitting = fitting.filter(pk__in=[pk for pk, name in names if found_by(name, search)])
        page = Paginator(fitting, CLUBS_SHOWN).get_page(request.GET.get("page"))
        clubs, context = list(page), {"many": True, "page": page, "search": search}
    if request.user.is_authenticated:
        roles = Role.objects.filter(user=user_of(request)).select_related("club").order_by("club__name")
        context["mine"] = [(role, first_page(role)) for role in roles]
    return hide(render(request, "home.html", {**context, "fronts": fronts(clubs)}), _hiding(clubs))


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an address that leads nowhere: under a club's address in the club's language."""
    slug = request.path_info.split("/")[1]
    # Only a well-formed slug is looked up: PostgreSQL refuses NUL characters in a query.
    if slug_re.fullmatch(slug) and (club := Club.objects.filter(slug=slug).first()):
        speak(request, club)
    return page_not_found(request, exception)


def _hiding(clubs: list[Club]) -> list[Club]:
    """The clubs among these with members who want initials on public pages. One query."""
    keys = set(Member.every.filter(club__in=clubs, initials_only=True).values_list("club", flat=True))
    return [club for club in clubs if club.pk in keys]
