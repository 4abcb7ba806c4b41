"""Sessions that know their user, and devices that somebody logged in with before.

A session is a row; deleting it logs that browser out. Its key in the database is a hash of the one in the browser's
cookie, so a copy of the database opens nothing. When a browser last sent a form is noted at most once an hour, since
noting it costs a write of its own.

A device carries a signed cookie that says which log-in names were used on it, and has tries of its own for these. So
somebody who guesses at a name never stops the director's own laptop or phone. The cookie opens nothing by itself.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as InDatabase
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from clubsite.accounts.models import Session, User
from clubsite.addresses import client_address

CAME = "came"  # key in the session: the browser and address of the log-in, and the times
SEEN_EVERY = timedelta(hours=1)
# What identifies a browser or a system in a User-Agent, and its name: the first one found counts.
BROWSERS = {"Edg": "Edge", "SamsungBrowser": "Samsung Internet", "OPR": "Opera", "Firefox": "Firefox"}
BROWSERS |= {"FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows"}
SYSTEMS |= {"CrOS": "Chromebook", "Mac OS": "Mac", "Linux": "Linux"}
PLAIN = re.compile(r"[\x20-\x7e]*")


class SessionStore(InDatabase):
    """Django's sessions in the database, with user, browser, address and times in columns of their own."""

    def load(self) -> dict[str, Any]:
        key = hash_key(self.session_key or "")
        session = Session.objects.filter(session_key=key, expire_date__gt=timezone.now()).first()
        if session is None:
            self.flush()  # a browser never chooses the key of a session
            return {}
        return self.decode(session.session_data)

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of `get_model_class`
        session.session_key = hash_key(session.session_key)
        came = data.get(CAME, {})
        session.user_id = int(data[SESSION_KEY]) if data.get(SESSION_KEY) else None
        session.agent, session.address = came.get("agent", ""), came.get("address", "")
        session.since, session.seen = (parse_datetime(came.get(name, "")) for name in ("since", "seen"))
        return session

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(hash_key(key))


def note_seen(request: HttpRequest) -> None:
    """Store when this session last sent a form, at most once an hour."""
    session = request.session
    if request.method != "POST" or not session.accessed or SESSION_KEY not in session:
        return
    came = session.get(CAME, {})
    seen = parse_datetime(came.get("seen", ""))
    if seen is None or timezone.now() - seen > SEEN_EVERY:
        session[CAME] = {**came, "address": client_address(request)[:45], "seen": timezone.now().isoformat()}


def log_in_places(user: User, *, current_key: str | None) -> list[dict[str, Any]]:
    """Where somebody is logged in: first the browser whose session has the `current_key`, then the last used."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen", "session_key")
    places = [
        {
            "session": session,
            "mark": _mark(session.session_key),
            "device": describe_device(session.agent),
            "here": session.session_key == hash_key(current_key or ""),
        }
        for session in live
    ]
    return sorted(places, key=lambda place: not place["here"])


def end_sessions(user: User, *, but: str | None = None, mark: str = "") -> int:
    """Log somebody out everywhere except in the session with the key `but`, or only in that with the `mark`. Returns
    how many ended."""
    sessions = Session.objects.filter(user=user).exclude(session_key=hash_key(but or ""))
    if mark:
        keys = [key for key in sessions.values_list("session_key", flat=True) if _mark(key) == mark]
        sessions = sessions.filter(session_key__in=keys)
    return sessions.delete()[0]


def describe_device(agent: str) -> str:
    """A browser's User-Agent in words.

    >>> describe_device("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1")
    'Safari on iPhone'
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def hash_key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:40]  # 160 bits: as long as the column


def _mark(key: str) -> str:
    """Identifies a session in a form; nobody can log in with it."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


COOKIE = "device"
SALT = "clubsite.accounts.device"
LASTS = 365 * 24 * 3600  # seconds
INTRODUCTION = "introduction"  # query parameter of the log-in page
INTRODUCED_FOR = 15 * 60  # seconds
MOST = 6  # log-in names that one device remembers: several people use a club's laptop
NEW_DEVICE = "_remember_device"  # attribute of the request: the Device that the answer's cookie is to hold


@dataclass(frozen=True, slots=True)
class Device:
    """A device's id, and for each log-in name used on it (hashed) the `factor_mark` of the second factor that it isn't
    asked for; "" for none."""

    key: str = ""
    knows: tuple[tuple[str, str], ...] = ()

    def is_known_for(self, username: str) -> bool:
        return hash_username(username) in dict(self.knows)

    def mark_for(self, username: str) -> str:
        return dict(self.knows).get(hash_username(username), "")


def hash_username(username: str) -> str:
    return hashlib.sha256(username.lower().encode()).hexdigest()[:16]


def read_device(request: HttpRequest) -> Device:
    try:
        held: Any = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
        return Device(str(held["key"]), tuple((str(name), str(mark)) for name, mark in held["knows"]))
    except (signing.BadSignature, ValueError, TypeError, KeyError):
        return Device()


INTRODUCTIONS = signing.TimestampSigner(sep=".", salt=f"{SALT}.{INTRODUCTION}")  # short, for a QR code


def make_introduction(username: str) -> str:
    """A signed text that a logged-in device shows another, which then has tries of its own at this log-in name.

    Nobody can log in with it, and all devices that were shown the same one share its tries.
    """
    return INTRODUCTIONS.sign(f"{hash_username(username)}.{secrets.token_urlsafe(6)}")


def introduction_key(request: HttpRequest, username: str) -> str:
    """The key for counting the tries of a device introduced for this name; "" for any other device."""
    try:
        held = INTRODUCTIONS.unsign(request.GET.get(INTRODUCTION, ""), max_age=INTRODUCED_FOR)
    except signing.BadSignature:
        return ""
    name, _point, key = held.partition(".")
    return f"{INTRODUCTION} {key}" if name == hash_username(username) else ""


def remember_device(request: HttpRequest, username: str, *, mark: str | None = None) -> None:
    """Let the answer's cookie say that somebody logged in here by this name; `mark`: which factor isn't asked for."""
    held: Device = request.__dict__.get(NEW_DEVICE) or read_device(request)
    name = hash_username(username)
    other_names = ((other, its) for other, its in held.knows if other != name)
    knows = ((name, held.mark_for(username) if mark is None else mark), *other_names)[:MOST]
    setattr(request, NEW_DEVICE, Device(held.key or secrets.token_urlsafe(12), knows))


class DeviceCookie(MiddlewareMixin):
    """Middleware: sets the cookie once somebody has logged in, and stores when the session last sent a form."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        note_seen(request)
        if held := request.__dict__.get(NEW_DEVICE):
            signed = signing.dumps({"key": held.key, "knows": held.knows}, salt=SALT)
            secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(COOKIE, signed, max_age=LASTS, httponly=True, samesite="Lax", secure=secure)
        return response


def note_log_in(sender: Any, request: HttpRequest | None, *, user: User, **_more: Any) -> None:
    """A receiver of `user_logged_in`: remember the device, and store browser, address and time in the session."""
    if request is not None:
        remember_device(request, user.get_username())
        now = timezone.now().isoformat()
        agent = "".join(PLAIN.findall(request.headers.get("User-Agent", "")))[:200]
        request.session[CAME] = {"agent": agent, "address": client_address(request)[:45], "since": now, "seen": now}
