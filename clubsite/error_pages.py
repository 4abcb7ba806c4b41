"""The pages for a request that fails or is refused: Django's handlers for 400, 404 and 500.

A failing disk or database isn't the program's fault, and passes once its cause is gone. The answer is then 503 in place
of 500, with a page that asks the database nothing and holds what a form sent, so that one press sends it again. Scripts
that send a deal (static/kept.js) take 503 for a server that is away, and keep the deal on the phone.
"""

import errno
import re
import sqlite3
import sys
from collections.abc import Iterator

from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.validators import slug_re
from django.db import Error, connection
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language_from_request, gettext_lazy as _, override
from django.views.defaults import page_not_found, server_error

from clubsite.accounts.languages import activate_language
from clubsite.accounts.models import Club

RELOAD_AFTER = 30  # seconds after which a page loads itself again, unless it holds a form
PRIVATE = re.compile(r"passw|code|otp|secret", re.IGNORECASE)  # fields whose values must not appear in a page
CSRF_FIELD = "csrfmiddlewaretoken"

NOT_ACCEPTED, NO_PAGE = _("This wasn't accepted"), _("Nothing to look at here")  # headings; the sentences under them:
TOO_LARGE = _(
    "That was too much to send at once. Nothing was saved. Go back and send less: split the file, or paste a long "
    "list in parts."
)
TOO_MANY = _(
    "You sent more fields or files than this page has. Nothing was saved. Go back, reload the page and send it again."
)
TOO_LONG = _("This address is too long. Follow a link to the page, or start from the front page.")
TOO_MANY_COOKIES = _(
    "Your browser sent too many cookies. Delete this site's cookies in the browser's settings, then log in again."
)
WRONG_METHOD = _("Here you can open pages and send forms, nothing else.")
ONLY_FORMS = _("This address only receives forms from other pages. Nothing was changed.")
UNKNOWN_HOST = _(
    "This site doesn't answer at this address. Use the address your club gave you. If you run the site, add the new "
    "name to ALLOWED_HOSTS."
)
DAMAGED = _("What you sent arrived damaged. Nothing was saved. Go back, reload the page and send it again.")


class Trouble(TextChoices):
    FULL = "full", _("The disk is full")  # or more is on it than this user may have
    READ_ONLY = "read-only", _("Nothing can be saved at the moment")
    BUSY = "busy", _("The database is busy")  # somebody else holds it for too long
    AWAY = "away", _("The database can't be reached")  # or opened
    FAILING = "failing", _("The disk reports errors")
    DAMAGED = "damaged", _("The database is damaged")
    RESTORING = "restoring", _("A backup is being restored")
    OTHER_VERSION = "other-version", _("The program and its data don't match")  # its tables are another version's


BY_MESSAGE = {  # by words in the errors of SQLite and PostgreSQL
    "disk is full": Trouble.FULL,
    "no space left": Trouble.FULL,
    "readonly database": Trouble.READ_ONLY,
    "read-only transaction": Trouble.READ_ONLY,
    "is locked": Trouble.BUSY,
    "unable to open database": Trouble.AWAY,
    "connection": Trouble.AWAY,
    "disk i/o error": Trouble.FAILING,
    "malformed": Trouble.DAMAGED,
    "not a database": Trouble.DAMAGED,
    "no such table": Trouble.OTHER_VERSION,
    "no such column": Trouble.OTHER_VERSION,
    "has no column": Trouble.OTHER_VERSION,
}
BY_SQLSTATE = {  # by codes or classes of PostgreSQL's errors (SQLSTATE); the longest match counts
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "40": Trouble.BUSY,
    "55P03": Trouble.BUSY,
    "57014": Trouble.BUSY,
    "08": Trouble.AWAY,
    "53": Trouble.AWAY,
    "57P": Trouble.AWAY,
    "58": Trouble.FAILING,
    "XX": Trouble.DAMAGED,
    "42P01": Trouble.OTHER_VERSION,
    "42703": Trouble.OTHER_VERSION,
}
BY_ERRNO = {  # by the system's error numbers
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
    errno.EIO: Trouble.FAILING,
}


def find_trouble(problem: BaseException | None) -> Trouble | None:
    """The trouble with disk or database that caused an exception; None for a fault of the program."""
    return next((trouble for link in _causes(problem) if (trouble := _classify(link))), None)


def request_failed(request: HttpRequest) -> HttpResponse:
    """The page for a request that failed. It asks the database nothing."""
    trouble = find_trouble(sys.exc_info()[1])
    if trouble is None:
        return server_error(request)
    if trouble is not Trouble.BUSY and not connection.in_atomic_block:
        connection.close()  # a connection opened while the file was read-only would stay so
    return trouble_page(request, trouble)


def trouble_page(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """The page that says what is wrong, and holds what the form sent. It asks the database nothing."""
    sent = request.method not in ("GET", "HEAD")
    context = {
        "trouble": trouble.value,
        "title": trouble.label,
        "sent": sent,
        "again": fields_to_resend(request),
        "address": request.get_full_path(),
    }
    response = HttpResponse(render_to_string("error_pages/unavailable.html", context), status=503)
    response["Retry-After"] = str(RELOAD_AFTER)
    if not sent:
        response["Refresh"] = str(RELOAD_AFTER)  # a hall board hangs on the wall, and nobody reloads it
    add_never_cache_headers(response)
    return response


def page_missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an address that leads nowhere: under a club's address in the club's language."""
    slug = request.path_info.split("/")[1]
    # Only a well-formed slug is looked up: PostgreSQL refuses NUL characters in a query.
    if slug_re.fullmatch(slug) and (club := Club.objects.filter(slug=slug).first()):
        activate_language(request, club)
    return page_not_found(request, exception)


def refusal_page(request: HttpRequest, words: object, *, status: int, heading: object = NOT_ACCEPTED) -> HttpResponse:
    with override(get_language_from_request(request)):
        context = {"heading": str(heading), "words": str(words)}
        return HttpResponse(render_to_string("error_pages/alone.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler400`: for faults that Django finds while it reads a request."""
    if isinstance(exception, RequestDataTooBig):
        return refusal_page(request, TOO_LARGE, status=413)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        return refusal_page(request, TOO_MANY, status=413)
    if isinstance(exception, DisallowedHost):
        return refusal_page(request, UNKNOWN_HOST, status=400)
    return refusal_page(request, DAMAGED, status=400)


def fields_to_resend(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of a form, to send it again as it was; none where it has files or a password, or can't be read."""
    if request.method != "POST":
        return []
    try:
        fields = [(name, str(value)) for name, values in request.POST.lists() for value in values]
        files = bool(request.FILES)
    except (OSError, SuspiciousOperation, MultiPartParserError):  # this may be why the request failed
        return []
    return [] if files or any(PRIVATE.search(name) for name, _given in fields if name != CSRF_FIELD) else fields


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        yield problem
        problem = problem.__cause__ or problem.__context__


def _classify(problem: BaseException) -> Trouble | None:
    if isinstance(problem, OSError):
        return BY_ERRNO.get(problem.errno or 0)
    if not isinstance(problem, (Error, sqlite3.Error)):
        return None
    state = getattr(problem.__cause__, "sqlstate", None) or ""
    if state:
        return next((BY_SQLSTATE[state[:n]] for n in (5, 3, 2) if state[:n] in BY_SQLSTATE), None)
    message = str(problem).lower()
    return next((trouble for words, trouble in BY_MESSAGE.items() if words in message), None)
