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
from clubsite.addresses import address_of

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

    def _get_session_from_db(self) -> Session | None:
        key = hash_of_key(self.session_key or "")
        session = Session.objects.filter(session_key=key, expire_date__gt=timezone.now()).first()
        if session is None:
            self._session_key = None
        return session

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row of a session: its data, and the columns by which its user recognises it."""
        session: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of `get_model_class`
        session.session_key = hash_of_key(session.session_key)
        came = data.get(CAME, {})
        session.user_id = int(data[SESSION_KEY]) if data.get(SESSION_KEY) else None
        session.agent, session.address = came.get("agent", ""), came.get("address", "")
        session.since, session.seen = (parse_datetime(came.get(name, "")) for name in ("since", "seen"))
        return session

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_of_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(hash_of_key(key))


def note_seen(request: HttpRequest) -> None:
    """Note that this session sent a form, unless that was noted within the last hour."""
    session = request.session
    if request.method != "POST" or not session.accessed or SESSION_KEY not in session:
        return
    came = session.get(CAME, {})
    seen = parse_datetime(came.get("seen", ""))
    if seen is None or timezone.now() - seen > SEEN_EVERY:
        session[CAME] = {**came, "address": address_of(request)[:45], "seen": timezone.now().isoformat()}


def places_of(user: User, *, current_key: str | None) -> list[dict[str, Any]]:
    """For templates: where somebody is logged in: this browser, whose session has the `current_key`, then the last used
    first."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen", "session_key")
    places = [
        {
            "session": session,
            "mark": _mark(session.session_key),
            "device": device_words(session.agent),
            "here": session.session_key == hash_of_key(current_key or ""),
        }
        for session in live
    ]
    return sorted(places, key=lambda place: not place["here"])


def end_sessions(user: User, *, but: str | None = None, mark: str = "") -> int:
    """Log somebody out everywhere but in the session with the key `but`, or only where `mark` says. Returns how many
    ended."""
    sessions = Session.objects.filter(user=user).exclude(session_key=hash_of_key(but or ""))
    if mark:
        keys = [key for key in sessions.values_list("session_key", flat=True) if _mark(key) == mark]
        sessions = sessions.filter(session_key__in=keys)
    return sessions.delete()[0]


def device_words(agent: str) -> str:
    """What a browser says about itself, in words.

    >>> device_words("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1")
    'Safari on iPhone'
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def hash_of_key(key: str) -> str:
    """What the database has in place of the key in a browser's cookie, which is too long to be guessed from it."""
    return hashlib.sha256(key.encode()).hexdigest()[:40]  # 160 bits: as long as the column


def _mark(key: str) -> str:
    """Names a session in a form; nobody can log in with it."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


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
        return hashed(username) in dict(self.knows)

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


INTRODUCTIONS = signing.TimestampSigner(sep=".", salt=f"{SALT}.{INTRODUCTION}")  # short, for a QR code


def introduction_of(username: str) -> str:
    """A signed text that a logged-in device shows another, which then has tries of its own at this log-in name.

    Nobody can log in with it, and all devices that were shown the same one share its tries.
    """
    return INTRODUCTIONS.sign(f"{hashed(username)}.{secrets.token_urlsafe(6)}")


def introduced_by(request: HttpRequest, username: str) -> str:
    """What the tries of a device introduced for this name are counted by; "" for any other device."""
    try:
        held = INTRODUCTIONS.unsign(request.GET.get(INTRODUCTION, ""), max_age=INTRODUCED_FOR)
    except signing.BadSignature:
        return ""
    name, _point, key = held.partition(".")
    return f"{INTRODUCTION} {key}" if name == hashed(username) else ""


def remember(request: HttpRequest, username: str, *, mark: str | None = None) -> None:
    """Have the answer's cookie note that somebody logged in here by this name; `mark`: the factor not asked for."""
    held: Device = request.__dict__.get(LEAVING) or device_of(request)
    name = hashed(username)
    other_names = ((other, its) for other, its in held.knows if other != name)
    knows = ((name, held.mark_for(username) if mark is None else mark), *other_names)[:MOST]
    setattr(request, LEAVING, Device(held.key or secrets.token_urlsafe(12), knows))


class Entrance(MiddlewareMixin):
    """Gives a device its cookie once somebody has logged in with it, and notes when a session last sent a form."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        note_seen(request)
        if held := request.__dict__.get(LEAVING):
            signed = signing.dumps({"key": held.key, "knows": held.knows}, salt=SALT)
            secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(COOKIE, signed, max_age=LASTS, httponly=True, samesite="Lax", secure=secure)
        return response


def logged_in(sender: Any, request: HttpRequest | None, *, user: User, **_more: Any) -> None:
    """Remember the device, and note in the session with which browser, from which address and when somebody logged in,
    whichever page they used. A receiver of `user_logged_in`."""
    if request is not None:
        remember(request, user.get_username())
        now = timezone.now().isoformat()
        agent = "".join(PLAIN.findall(request.headers.get("User-Agent", "")))[:200]
        request.session[CAME] = {"agent": agent, "address": address_of(request)[:45], "since": now, "seen": now}
