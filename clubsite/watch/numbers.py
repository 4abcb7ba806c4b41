"""A number for each request: told to whoever met a fault, and found again in the logs.

It is made here for every request; one that a visitor sends along counts for nothing.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that sounds or looks alike
HEADER = "X-Request-ID"
SLOW = 2.0  # seconds; a request that took longer is always logged

log = logging.getLogger("clubsite.requests")


@dataclass(slots=True)
class Told:
    """What is known of the request being answered, without anybody's name."""

    number: str
    method: str
    user: int | None = None
    route: str = ""  # the address's pattern: "<slug:club>/desk/"


_now: ContextVar[Told | None] = ContextVar("request", default=None)


def current() -> Told | None:
    """The request that this thread answers; None outside of requests, as in a worker."""
    return _now.get()


def new_number() -> str:
    """A number that can be read out: "K7QF-9XMD"."""
    letters = "".join([ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(8)])
    return f"{letters[:4]}-{letters[4:]}"


class RequestNumbers:
    """Middleware, the outermost: gives each request its number, and writes a line about it when it is answered: about
    each where `LOG_REQUESTS` is on, else only about slow ones."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        told = Told(new_number(), request.method or "")
        token = _now.set(told)
        request.told = told  # type: ignore[attr-defined]  # for what Django logs after the request is over
        began = perf_counter()
        try:
            response = self.get_response(request)
            response[HEADER] = told.number
            figures = {"status": response.status_code, "seconds": perf_counter() - began}
            if settings.LOG_REQUESTS or figures["seconds"] >= SLOW:
                told.user = user_of(request)
                log.info("%s %s answered %d", told.method, told.route or "-", figures["status"], extra=figures)
        finally:
            _now.reset(token)
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Note the pattern of the address, which names nobody."""
        match, told = request.resolver_match, current()
        if match and told:
            told.route = match.route


def user_of(request: HttpRequest) -> int | None:
    """The key of the request's user, if it was read already: a line in a log is not worth a query."""
    user = getattr(request, "_cached_user", None)  # of Django's AuthenticationMiddleware
    return user.pk if user is not None else None
