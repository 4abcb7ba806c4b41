"""Middleware around every request: the cookie of a device that somebody logged in with, and when a session was used."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from clubsite.accounts.entrance.devices import leave, remember
from clubsite.accounts.entrance.sessions import note_log_in, note_seen
from clubsite.accounts.models import User


class Entrance(MiddlewareMixin):
    """Gives a device its cookie once somebody has logged in with it, and notes when a session last sent a form."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Note the use of the session, and set the cookie."""
        note_seen(request)
        leave(request, response)
        return response


def logged_in(sender: Any, request: HttpRequest | None, *, user: User, **_more: Any) -> None:
    """Remember the device and its address, whichever page somebody logged in by. A receiver of `user_logged_in`."""
    if request is not None:
        remember(request, user.get_username())
        note_log_in(request)
