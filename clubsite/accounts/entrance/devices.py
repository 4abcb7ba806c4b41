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
INTRODUCTION = "introduction"  # query parameter of the log-in page
INTRODUCED_FOR = 15 * 60  # seconds
MOST = 6  # log-in names that one device remembers: several people use a club's laptop
LEAVING = "_remember_device"  # attribute of the request: the Device that the answer's cookie is to hold


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its id, and for each log-in name used on it (hashed) the mark of the second factor that it is not asked
    for; "" for none."""

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
    """The device that a request comes from; an empty one where it has no cookie signed by this site."""
    try:
        held: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
        return Device(str(held["key"]), tuple((str(name), str(mark)) for name, mark in held["knows"]))
    except (signing.BadSignature, ValueError, TypeError, KeyError):
        return Device()


def introduction_of(username: str) -> str:
    """A signed text that a logged-in device shows another, which then has tries of its own at this log-in name.

    Nobody can log in with it, and all devices that were shown the same one share its tries.
    """
    return _introductions().sign(f"{hashed(username)}.{secrets.token_urlsafe(6)}")


def introduced_by(request: HttpRequest, username: str) -> str:
    """What the tries of a device are counted by that was introduced for this name; "" for any other device."""
    try:
        held = _introductions().unsign(request.GET.get(INTRODUCTION, ""), max_age=INTRODUCED_FOR)
    except signing.BadSignature:
        return ""
    name, _point, key = held.partition(".")
    return f"{INTRODUCTION} {key}" if name == hashed(username) else ""


def _introductions() -> signing.TimestampSigner:
    """Signs introductions in a short form, since they stand in a QR code."""
    return signing.TimestampSigner(sep=".", salt=f"{SALT}.{INTRODUCTION}")


def remember(request: HttpRequest, username: str, *, mark: str | None = None) -> None:
    """Have the answer's cookie say that somebody logged in here by this name; `mark` names the factor not asked for."""
    held: Device = request.__dict__.get(LEAVING) or device_of(request)
    mark = held.mark_for(username) if mark is None else mark
    name = hashed(username)
    knows = ((name, mark), *((other, its) for other, its in held.knows if other != name))[:MOST]
    setattr(request, LEAVING, replace(held, key=held.key or secrets.token_urlsafe(12), knows=knows))


def leave(request: HttpRequest, response: HttpResponse) -> None:
    """Set the device's cookie, where this request has something to remember."""
    held: Device | None = request.__dict__.get(LEAVING)
    if held is None:
        return
    signed = signing.dumps({"key": held.key, "knows": held.knows}, salt=SALT)
    response.set_cookie(
        COOKIE, signed, max_age=LASTS, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
