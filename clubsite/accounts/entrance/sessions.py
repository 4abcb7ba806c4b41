"""Sessions that know whose they are, so that somebody sees where they are logged in, and ends it there.

A session is a row: to end it is to delete it, and the next request from there is nobody's. Nothing is written when a
page is opened; when something was last sent is kept to within an hour, since keeping it is a write of its own after
that of a deal, and between two deals of a table there are some minutes.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as InDatabase
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubsite.accounts.entrance.addresses import address_of
from clubsite.accounts.models import Session, User

CAME = "came"  # in the session: from where somebody came, and when
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


class SessionStore(InDatabase):
    """Django's sessions in the database, with whose they are in columns of their own."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The rows."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row of a session: what it holds, and by what its owner knows it."""
        row: Any = super().create_model_instance(data)
        came = data.get(CAME, {})
        row.user_id = int(data[SESSION_KEY]) if data.get(SESSION_KEY) else None
        row.agent, row.address = came.get("agent", ""), came.get("address", "")
        row.since, row.seen = (parse_datetime(came.get(name, "")) for name in ("since", "seen"))
        found: Session = row
        return found


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """Where somebody is logged in. `mark` names it in a form and opens nothing."""

    mark: str
    device: str
    address: str
    since: datetime | None
    seen: datetime | None
    here: bool


def note_log_in(request: HttpRequest) -> None:
    """Keep from where somebody logged in."""
    now = timezone.now().isoformat()
    agent = "".join(PLAIN.findall(request.headers.get("User-Agent", "")))[:200]
    request.session[CAME] = {"agent": agent, "address": address_of(request)[:45], "since": now, "seen": now}


def note_seen(request: HttpRequest) -> None:
    """Keep that something was sent, unless that is known to within an hour."""
    session = request.session
    if request.method != "POST" or not session.accessed or SESSION_KEY not in session:
        return
    came = session.get(CAME, {})
    seen = parse_datetime(came.get("seen", ""))
    if seen is None or timezone.now() - seen > SEEN_EVERY:
        session[CAME] = {**came, "address": address_of(request)[:45], "seen": timezone.now().isoformat()}


def places_of(user: User, *, here: str | None) -> list[LoggedIn]:
    """Where somebody is logged in, the last used first; `here` is the key of this browser's session. One query."""
    live = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen", "session_key")
    rows = [(row.session_key, row) for row in live]
    places = [
        LoggedIn(_mark(key), device_words(row.agent), row.address, row.since, row.seen, key == here)
        for key, row in rows
    ]
    return sorted(places, key=lambda place: not place.here)


def end_sessions(user: User, *, but: str | None = None, mark: str = "") -> int:
    """Log somebody out everywhere but in the session of key `but`, or at one place alone. How many that were."""
    rows = Session.objects.filter(user=user).exclude(session_key=but or "")
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


def _mark(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]
