"""The page that says why a request wasn't taken. It uses no other part of the site, since nothing of the request is to
be trusted yet."""

from __future__ import annotations

from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

NOT_TAKEN, NO_PAGE = _("This was not taken"), _("Nothing to look at here")  # headings; below, what is said under them
TOO_LARGE = _(
    "What was sent is larger than this site takes at once. Nothing was saved. Go back and send less: a file can be "
    "split, a long list pasted in parts."
)
TOO_MANY = _(
    "More fields or files were sent than a page of this site has. Nothing was saved. Go back, load the page again and "
    "send it once more."
)
TOO_LONG = _("This address is longer than any of this site. Follow a link to the page, or start from the front page.")
COOKIES = _(
    "Your browser sends more cookies than this site takes. Remove those of this site in the browser's settings, then "
    "log in again."
)
METHOD = _("Pages of this site are opened and sent, nothing else.")
FORMS = _("This address takes only what a form on another page sends. Nothing was changed by opening it.")
HOST = _(
    "This site doesn't know the name by which it was asked for. Use the address that your club gave you; whoever looks "
    "after the site adds a new name to ALLOWED_HOSTS."
)
DAMAGED = _("What was sent arrived damaged. Nothing was saved. Go back, load the page again and send it once more.")


def refused(request: HttpRequest, words: object, *, status: int, heading: object = NOT_TAKEN) -> HttpResponse:
    """A page with these words, in the language that the browser asks for."""
    with override(get_language_from_request(request)):
        context = {"heading": str(heading), "words": str(words)}
        return HttpResponse(render_to_string("trouble/refused.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler400`: for faults that Django finds while it reads a request."""
    if isinstance(exception, RequestDataTooBig):
        return refused(request, TOO_LARGE, status=413)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        return refused(request, TOO_MANY, status=413)
    if isinstance(exception, DisallowedHost):
        return refused(request, HOST, status=400)
    return refused(request, DAMAGED, status=400)
