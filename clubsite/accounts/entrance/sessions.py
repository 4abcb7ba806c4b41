"""Sessions that know their user, so that people see where they are logged in, and can log out there.

A session is a row; deleting it logs that browser out. Its key in the database is a hash of the one in the browser's
cookie, so a copy of the database opens nothing. Opening a page writes nothing. When a browser last sent a form is
noted at most once an hour, since noting it costs a write of its own, and a table sends a deal every few minutes.
"""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as InDatabase
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubsite.accounts.entrance.addresses import address_of
from clubsite.accounts.models import Session, User
from clubsite.questions import Given, Question

CAME = "came"  # key in the session: the browser and address of the log-in, and the times
SEEN_EVERY = timedelta(hours=1)
BROWSERS = (
    ("Edg", "Edge"),
    ("SamsungBrowser", "Samsung Internet"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "Chromebook"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
PLAIN = re.compile(r"[\x20-\x7e]*")

SESSION = Question(lambda: Session.objects.filter(session_key=Given("key")))


class SessionStore(InDatabase):
    """Django's sessions in the database, with user, browser, address and times in columns of their own."""

    def _get_session_from_db(self) -> Session | None:
        row = SESSION.one(key=hash_of_key(self.session_key or ""))
        if row is not None and row.expire_date > timezone.now():
            return row
        self._session_key = None
        return None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The model of a session's row."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row of a session: its data, and the columns by which its user recognises it."""
        row: Any = super().create_model_instance(data)
        row.session_key = hash_of_key(row.session_key)
        came = data.get(CAME, {})
        row.user_id = int(data[SESSION_KEY]) if data.get(SESSION_KEY) else None
        row.agent, row.address = came.get("agent", ""), came.get("address", "")
        row.since, row.seen = (parse_datetime(came.get(name, "")) for name in ("since", "seen"))
        found: Session = row
        return found

    def exists(self, session_key: str) -> bool:
        """Whether there is a session of this key of a cookie."""
        return super().exists(hash_of_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session of this key of a cookie, or this one."""
        if key := session_key or self.session_key:
            super().delete(hash_of_key(key))


def note_log_in(request: HttpRequest) -> None:
    """Note in the session with which browser, from which address and when somebody logged in."""
    now = timezone.now().isoformat()
    agent = "".join(PLAIN.findall(request.headers.get("User-Agent", "")))[:200]
    request.session[CAME] = {"agent": agent, "address": address_of(request)[:45], "since": now, "seen": now}


def note_seen(request: HttpRequest) -> None:
    """Note that this session sent a form, unless that was noted within the last hour."""
    session = request.session
    if request.method != "POST" or not session.accessed or SESSION_KEY not in session:
        return
    came = session.get(CAME, {})
    seen = parse_datetime(came.get("seen", ""))
    if seen is None or timezone.now() - seen > SEEN_EVERY:
        session[CAME] = {**came, "address": address_of(request)[:45], "seen": timezone.now().isoformat()}


def places_of(user: User, *, here: str | None) -> list[dict[str, Any]]:
    """For templates: where somebody is logged in: this browser, whose session has the key `here`, then the last used
    first. One query."""
    own = hash_of_key(here or "")
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen", "session_key")
    places = [
        {
            "mark": _mark(row.session_key),
            "device": device_words(row.agent),
            "address": row.address,
            "since": row.since,
            "seen": row.seen,
            "here": row.session_key == own,
        }
        for row in live
    ]
    return sorted(places, key=lambda place: not place["here"])


def end_sessions(user: User, *, but: str | None = None, mark: str = "") -> int:
    """Log somebody out everywhere but in the session with the key `but`, or only where `mark` says. Returns how many
    ended."""
    rows = Session.objects.filter(user=user).exclude(session_key=hash_of_key(but or ""))
    keys = [row.session_key for row in rows.only("session_key") if not mark or _mark(row.session_key) == mark]
    ended, _by_model = Session.objects.filter(session_key__in=keys).delete()
    return ended


def device_words(agent: str) -> str:
    """What a browser says of itself, in words.

    >>> device_words("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1")
    'Safari on iPhone'
    """
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def hash_of_key(key: str) -> str:
    """What the database has in place of the key in a browser's cookie, which is too long to be guessed from it."""
    return hashlib.sha256(key.encode()).hexdigest()[:40]  # 160 bits: as long as the column


def _mark(key: str) -> str:
    """Names a session in a form; nobody can log in with it."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]
