"""Devices that somebody logged in with before: each carries a signed cookie, and has an allowance of its own.

Whoever guesses at a name has no such cookie, so their wrong tries never stop the director's own laptop or phone.
The cookie says nothing but which log-in names were used here; it opens nothing by itself.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "device"
SALT = "clubsite.accounts.device"
LASTS = 365 * 24 * 3600  # seconds
INTRODUCTION = "introduction"  # in the address of the log-in page
INTRODUCED_FOR = 15 * 60  # seconds
MOST = 6  # people whom one device remembers: the parish's laptop has several
LEAVING = "_remember_device"  # an attribute of the request: what the answer's cookie is to hold


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its own id, and of each log-in name that it knows (hashed) the mark of the second factor that it is
    excused from; "" for none."""

    key: str = ""
    knows: tuple[tuple[str, str], ...] = ()

    def known_for(self, username: str) -> bool:
        """Whether somebody logged in here by this name."""
        return bool(self.key) and hashed(username) in dict(self.knows)

    def mark_for(self, username: str) -> str:
        """The mark of the second factor that this device is excused from; "" for none."""
        return dict(self.knows).get(hashed(username), "")


def hashed(username: str) -> str:
    """What the cookie holds in place of a name."""
    return hashlib.sha256(username.lower().encode()).hexdigest()[:16]


def device_of(request: HttpRequest) -> Device:
    """The device that a request comes from; an empty one where it says nothing that this site has signed."""
    try:
        held: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
        return Device(str(held["key"]), tuple((str(name), str(mark)) for name, mark in held["knows"]))
    except (signing.BadSignature, ValueError, TypeError, KeyError):
        return Device()


def introduction_of(username: str) -> str:
    """What another device is shown by one that is logged in: with it the other has tries of its own at this name.

    It opens nothing by itself, and all who have the same one share its tries.
    """
    return _introductions().sign(f"{hashed(username)}.{secrets.token_urlsafe(6)}")


def introduced_by(request: HttpRequest, username: str) -> str:
    """By what the tries of a device are counted that came introduced for this name; "" where it has none."""
    try:
        held = _introductions().unsign(request.GET.get(INTRODUCTION, ""), max_age=INTRODUCED_FOR)
    except signing.BadSignature:
        return ""
    name, _point, key = held.partition(".")
    return f"{INTRODUCTION} {key}" if name == hashed(username) else ""


def _introductions() -> signing.TimestampSigner:
    """Signs them: short, since they stand in a QR code."""
    return signing.TimestampSigner(sep=".", salt=f"{SALT}.{INTRODUCTION}")


def remember(request: HttpRequest, username: str, *, mark: str | None = None) -> None:
    """Let the answer's cookie say that somebody logged in here by this name; `mark` excuses from a second factor."""
    held: Device = request.__dict__.get(LEAVING) or device_of(request)
    mark = held.mark_for(username) if mark is None else mark
    name = hashed(username)
    knows = ((name, mark), *((other, its) for other, its in held.knows if other != name))[:MOST]
    setattr(request, LEAVING, replace(held, key=held.key or secrets.token_urlsafe(12), knows=knows))


def leave(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie where there is something to remember."""
    held: Device | None = request.__dict__.get(LEAVING)
    if held is None:
        return
    response.set_cookie(
        COOKIE,
        signing.dumps({"key": held.key, "knows": held.knows}, salt=SALT),
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
