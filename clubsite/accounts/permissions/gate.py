"""The gate: every request is checked against its line of the table before its view is called."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.checks import CheckMessage, Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Club
from clubsite.accounts.permissions.table import DIRECTORS, LINES, LOGGED_IN, NOBODY, Access, Group, Who, roles_for
from clubsite.accounts.roles import load_role

READING = ("GET", "HEAD", "OPTIONS")
OPEN = frozenset({Who.ANYONE, Who.TABLE})  # the page itself checks a table's link


class Gate(MiddlewareMixin):
    """Lets a request through to its view, or answers in its place.

    Logged out: to the log-in, and from there to the page or to the one with the form that was sent. Logged in without
    the right: 404, which tells users of other clubs nothing; also to a scorekeeper on a director's page, because it
    isn't part of their site. Where only directors may go, in a club that wants a second factor: to set one up, for
    those without. For somebody with a role in the address's club, that club is then in `request.club`. A public page
    costs no query; whether its club's door is closed is looked up with the club (`roles.public`).
    """

    def process_view(  # noqa: PLR0917  (Django's)
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The answer in place of the view's, or None to let the request through. Raises Http404."""
        line = find_line(request)
        reading = request.method in READING
        if not (reading or request.method == "POST") or (reading and not line.opens):
            return HttpResponseNotAllowed(_allowed_methods(line))
        sent = [] if reading or not line.directors else [(n, v) for n, vs in request.POST.lists() for v in vs]
        allowed = roles_for(line, method=str(request.method), document=str(kwargs.get("document", "")), sent=sent)
        if line.guarded or allowed & OPEN:
            return None
        may_open = roles_for(line, method="GET", document=str(kwargs.get("document", "")))
        if not reading and not line.sends:  # those who may open it learn so; for others it doesn't exist
            if may_open & OPEN or self._is_allowed(request, may_open, slug=kwargs.get("club")):
                return HttpResponseNotAllowed(_allowed_methods(line))
            allowed = NOBODY
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path() if reading else _page_of_form(request, line))
        if not self._is_allowed(request, allowed, slug=kwargs.get("club")):
            raise Http404
        club: Club | None = getattr(request, "club", None)
        if club is None or not club.second_factor or allowed != DIRECTORS:
            return None
        name = request.user.get_username()
        has_factor = TOTPDevice.objects.filter(user__username=name, confirmed=True).exists()
        return None if has_factor else redirect("factor")

    def _is_allowed(self, request: HttpRequest, allowed: Group, *, slug: str | None) -> bool:
        user = request.user
        if not user.is_authenticated:
            return False
        if slug is None:
            return allowed == LOGGED_IN or (Who.OWNER in allowed and bool(user.is_superuser))
        return load_role(request, slug) in {str(who) for who in allowed}


def _page_of_form(request: HttpRequest, line: Access) -> str:
    """The page of a form that somebody sent who isn't logged in any more. Adds a message that nothing was saved, except
    for a script, which keeps what it sends. A button's own address may have no page."""
    if "text/html" in request.headers.get("Accept", ""):  # as browsers ask for the page that follows a form
        words = _("You had been logged out, so nothing was saved. Log in and enter it again.")
        messages.error(request, words)
    came = urlsplit(request.headers.get("Referer", ""))
    if came.netloc == request.get_host():
        return came._replace(scheme="", netloc="", fragment="").geturl()
    return request.get_full_path() if line.opens else "/"


def find_line(request: HttpRequest) -> Access:
    """Raises Http404 for an address without a line."""
    match = request.resolver_match
    line = LINES.get(str(match.url_name)) if match else None
    if line is None:
        raise Http404
    return line


def _allowed_methods(line: Access) -> list[str]:
    return [*(["GET", "HEAD"] if line.opens else []), *(["POST"] if line.sends else [])]


def all_addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[tuple[str, str]]:
    """All addresses of the site: the name, "None" for one without a name, and the pattern."""
    for part in (resolver or get_resolver()).url_patterns:
        address = f"{before}{part.pattern}"
        if isinstance(part, URLPattern):
            yield str(part.name), address
        else:
            yield from all_addresses(part, address)


def check_addresses(**_more: Any) -> list[CheckMessage]:
    """A Django check: every address has a line, every line an address."""
    names = {name for name, _pattern in all_addresses()}
    without = [f"The address {name!r} has no line in the table of permissions." for name in names - set(LINES)]
    left = [f"The table of permissions has a line for {name!r}, which is no address." for name in set(LINES) - names]
    return [Error(words, id="accounts.E001") for words in sorted(without + left)]
