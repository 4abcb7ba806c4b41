"""Roles of a request, and the decorators of a club's views. `clubsite.accounts.permissions` says who may do what."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache

from clubsite.accounts.languages import activate_language
from clubsite.accounts.models import Actor, Club, Door, Member, Role, User
from clubsite.accounts.name_privacy import hide_names
from clubsite.accounts.permissions.table import LINES, Who, roles_for

AT_DESK = (Role.Kind.SCOREKEEPER, Role.Kind.DIRECTOR)  # who sees names in full, and what isn't published

View = Callable[..., HttpResponse]


def logged_in_user(request: HttpRequest) -> User:
    if not request.user.is_authenticated:
        raise PermissionDenied
    return User.objects.get(username=request.user.get_username())


def load_role(request: HttpRequest, slug: str) -> str | None:
    """The user's role in the club with this slug, or None. Where there is one, sets `request.club`."""
    role = Role.objects.filter(user=request.user.pk, club__slug=slug).select_related("club").first()
    if role is None:
        return None
    request.club = role.club  # type: ignore[attr-defined]  # read by the decorators below and by templates
    request.__dict__["_role"] = role
    return str(role.kind)


def role_in(request: HttpRequest, club: Club) -> str | None:
    return _role_and_member(request, club)[0] if request.user.is_authenticated else None


def own_member(request: HttpRequest, club: Club) -> int | None:
    """The key of the club's member that the user is; None where their role names none."""
    return _role_and_member(request, club)[1] if request.user.is_authenticated else None


def _role_and_member(request: HttpRequest, club: Club) -> tuple[str | None, int | None]:
    """As the gate read it, else by one query for all clubs of the user."""
    role: Role | None = request.__dict__.get("_role")
    if role is not None and role.club_id == club.pk:
        return role.kind, role.member_id
    if "_roles" not in request.__dict__:
        roles = Role.objects.filter(user=request.user.pk)
        request.__dict__["_roles"] = {role.club_id: (role.kind, role.member_id) for role in roles}
    by_club: dict[int, tuple[str, int | None]] = request.__dict__["_roles"]
    return by_club.get(club.pk, (None, None))


def door_cookie(slug: str) -> str:
    return f"club-{slug}"


def visitor_door(request: HttpRequest, club: Club) -> Door:
    """Calendars have the key of the club's link in `?key=`."""
    if role_in(request, club):
        return Door.LOG_IN
    key = request.COOKIES.get(door_cookie(club.slug)) or request.GET.get("key", "")
    return Door.LINK if constant_time_compare(key, club.member_key) else Door.ANYONE


def is_director(request: HttpRequest, club: Club) -> bool:
    return role_in(request, club) == Role.Kind.DIRECTOR


def is_at_desk(request: HttpRequest, club: Club) -> bool:
    return role_in(request, club) in AT_DESK


def start_page(role: Role) -> str:
    club = role.club.slug
    if role.kind in AT_DESK:
        return reverse("desk", args=[club])
    if role.kind == Role.Kind.TREASURER:
        return reverse("club_money", args=[club])
    return reverse("person", args=[club, role.member_id]) if role.member_id else reverse("club", args=[club])


def page_after_log_in(user: User) -> str:
    """The start page of somebody's only club, or the list of clubs."""
    roles = Role.objects.filter(user=user).select_related("club")[:2]
    return start_page(roles[0]) if len(roles) == 1 else reverse("home")


def request_actor(request: HttpRequest) -> Actor:
    """Raises PermissionDenied when nobody is logged in."""
    user = request.user
    if not user.is_authenticated:
        raise PermissionDenied
    club: Club | None = getattr(request, "club", None)
    return Actor.of(user, director=club is not None and is_director(request, club))


DOOR_OF_EVENT: list[Callable[[Club, str], str]] = []
"""A function that says which door of a club an event is behind now, by its address. `tournaments.apps` adds it."""


class Closed(Exception):
    """The visitor may not see what is behind this door of the club."""

    def __init__(self, club: Club, door: str) -> None:
        super().__init__(door)
        self.club, self.door = club, door


def check_door(club: Club, behind: str, *, event: str = "") -> None:
    """Raises Closed where the club's visitor may not pass a door: "nights", "results", "people", or "event", for which
    the event's state decides."""
    if behind == "event":
        behind = "nights" if club.nights_for == club.results_for else DOOR_OF_EVENT[0](club, event)
    if behind and not club.shows(behind):
        raise Closed(club, behind)


def closed_page(request: HttpRequest, closed: Closed) -> HttpResponse:
    request.club = closed.club  # type: ignore[attr-defined]  # for the page around it
    to_link = getattr(closed.club, f"{closed.door}_for") == Door.LINK
    response = render(request, "accounts/closed.html", {"to_link": to_link}, status=403)
    add_never_cache_headers(response)
    return response


def public(view: View) -> View:
    """Decorates a page of a club for anyone who may pass its door (`Access.behind`): replaces the `club` slug by the
    club, in its time zone and language, and the names of members who ask for that by their initials."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: str, *args: Any, **kwargs: Any) -> HttpResponse:
        hides = Exists(Member.every.filter(club=OuterRef("pk"), initials_only=True))
        shown: Any = get_object_or_404(Club.objects.annotate(hides=hides), slug=club)
        response = _call_in_club(view, request, club=shown, args=args, kwargs=kwargs)
        return hide_names(response, [shown]) if shown.hides else response

    return wrapped


def club_page(view: View) -> View:
    """Decorates a page of a club that not everybody may read, which the gate has checked before: replaces the `club`
    slug by the club, in its time zone and language. No browser keeps the answer."""
    return never_cache(cacheable_club_page(view))


def cacheable_club_page(view: View) -> View:
    """`club_page` for a view that sets how long a browser may keep its answer."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: str, *args: Any, **kwargs: Any) -> HttpResponse:
        the_club: Club | None = getattr(request, "club", None)
        if the_club is None or the_club.slug != club:  # its line is open to anyone, or the gate isn't installed
            raise Http404
        return _call_in_club(view, request, club=the_club, args=args, kwargs=kwargs)

    return wrapped


def _call_in_club(view: View, request: HttpRequest, *, club: Club, args: Any, kwargs: Any) -> HttpResponse:
    request.club = club  # type: ignore[attr-defined]  # read by the context processor
    activate_language(request, club)
    club.came_as = visitor_door(request, club)
    with timezone.override(club.zone):
        try:
            check_door(club, _door_name(request), event=kwargs.get("event", ""))
            return view(request, club, *args, **kwargs)
        except Closed as closed:
            return closed_page(request, closed)
        except ObjectDoesNotExist as gone:
            if request.method != "POST":
                raise
            # While a verb waited for the lock somebody removed its row, or restored a backup.
            raise Http404 from gone


def _door_name(request: HttpRequest) -> str:
    match = request.resolver_match
    line = LINES.get(str(match.url_name)) if match else None
    return line.behind if line else ""


class May:
    """For templates: whether this visitor may open an address of the club, by the table of permissions.

    `{% if may.desk %}`, by the name of the address.
    """

    def __init__(self, held: str | None) -> None:
        self._held = held

    def __getitem__(self, name: str) -> bool:
        """Raises LookupError for a name that no address has, so that a slip in a template is noticed."""
        if name not in LINES:
            raise LookupError(name)
        return bool(roles_for(LINES[name], method="GET") & {Who.ANYONE, self._held})


def role_context(request: HttpRequest) -> dict[str, Any]:
    """Template context: `club`, whether the user is its director or at least its scorekeeper, what they may open, and
    the key of the member whose own page is theirs."""
    club: Club | None = getattr(request, "club", None)
    if club is None:
        return {"club": None}  # templates ask for it, and looking for a missing name takes five times as long
    held = role_in(request, club)
    return {
        "club": club,
        "is_director": held == Role.Kind.DIRECTOR,
        "is_scorekeeper": held in AT_DESK,
        "may": May(held),
        "own_member": own_member(request, club),
    }
