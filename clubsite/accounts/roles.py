"""Who may do what: roles of a request, and the decorators that views wear."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clubsite.accounts.languages import speak
from clubsite.accounts.models import Actor, Club, Member, Role
from clubsite.accounts.names.hidden import hide

RANK = {Role.Kind.SCOREKEEPER: 1, Role.Kind.DIRECTOR: 2}

View = Callable[..., HttpResponse]


def role_in(request: HttpRequest, club: Club) -> str | None:
    """The role of the request's user in a club, or None. One query a request and club."""
    if not request.user.is_authenticated:
        return None
    known: dict[int, str] = request.__dict__.setdefault("_roles", {})
    if not known:
        known.update(Role.objects.filter(user_id=request.user.pk).values_list("club_id", "kind"))
    return known.get(club.pk)


def is_director(request: HttpRequest, club: Club) -> bool:
    """Whether the user is a director of the club."""
    return role_in(request, club) == Role.Kind.DIRECTOR


def actor_of(request: HttpRequest) -> Actor:
    """The request's user as the one who does something. Raises PermissionDenied when nobody is logged in."""
    user = request.user
    if not user.is_authenticated:
        raise PermissionDenied
    club: Club | None = getattr(request, "club", None)
    name = user.get_full_name() or user.get_username()
    return Actor(user=user, name=name, director=club is not None and is_director(request, club))


def public(view: View) -> View:
    """A page of a club that anyone may read: replaces the `club` slug by the club, in its time zone and language, and
    the names of members who want it so by their initials."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: str, *args: Any, **kwargs: Any) -> HttpResponse:
        hiding = Member.every.filter(club=OuterRef("pk"), initials_only=True)
        found = get_object_or_404(Club.objects.annotate(hides=Exists(hiding)), slug=club)
        response = _in_club(view, request, club=found, args=args, kwargs=kwargs)
        return hide(response, [found]) if getattr(found, "hides", False) else response

    return wrapped


def require_role(kind: str, *, kept: bool = False) -> Callable[[View], View]:
    """A page for those with at least this role in the club. Logged out: to the log-in. Anyone else: 404.

    `kept`: the view itself says how long a browser may keep its answer; otherwise none keeps it.

    A 404 for users of other clubs tells them nothing; a scorekeeper on a director's page also gets
    it, because the page isn't part of their site.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            found = get_object_or_404(Club, slug=club)
            held = role_in(request, found)
            if held is None or RANK[Role.Kind(held)] < RANK[Role.Kind(kind)]:
                raise Http404
            return _in_club(view, request, club=found, args=args, kwargs=kwargs)

        return wrapped if kept else never_cache(wrapped)

    return decorate


def _in_club(view: View, request: HttpRequest, *, club: Club, args: Any, kwargs: Any) -> HttpResponse:
    request.club = club  # type: ignore[attr-defined]  # read by the context processor
    speak(request, club)
    with timezone.override(club.zone):
        return view(request, club, *args, **kwargs)


def roles_of_request(request: HttpRequest) -> dict[str, Any]:
    """Template context: `club`, and whether the user is its director or at least its scorekeeper."""
    club: Club | None = getattr(request, "club", None)
    if club is None:
        return {}
    held = role_in(request, club)
    return {
        "club": club,
        "is_director": held == Role.Kind.DIRECTOR,
        "is_scorekeeper": held is not None,
    }
