"""Pages that many people watch: made once for everybody, and sent only to those who don't have the newest yet.

A body is kept under a key together with the *version* of what it shows: a text that changes with everything that may
change the body. While the version is the same, everybody gets the kept body, or the answer that theirs is still the
same. When the version changes, one thread makes the body anew; those who only look again meanwhile (`again`) get the
last one.

A body is made without a request, so nothing of a visitor can be in it. So looking again needs no session, no language
and no log-in either: `LooksAgain` answers before any of these is read.
"""

from __future__ import annotations

import gzip
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

TAG = "the-tag-of-this-body"  # stands in a body that refreshes itself, in the place of its own tag
LONGEST = 60  # seconds after which a body is made anew in any case: what it says may depend on the time
PATIENCE = 6  # seconds of age up to which the last body is given out while somebody makes the next
PLACES = 300  # bodies that a process remembers at most; their keys hold what visitors choose, so there may be many
GZIP = re.compile(r"\bgzip\b")


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent to everybody, and the version of what it shows."""

    version: str
    text: str
    tag: str  # hash of the text: the same text has the same tag, whichever process made it
    zipped: bytes
    made_at: float  # seconds since 1970 of the host that made it, before it read the version
    key: str = ""  # the key it is kept under


@dataclass(frozen=True, slots=True)
class BodyVersion:
    """The version of what a body shows, read after the moment `at`."""

    says: str
    at: float


@dataclass(slots=True)
class KeptBody:
    """One body that this process keeps, the lock for making the next, and when the body was last known to be right."""

    making: threading.Lock = field(default_factory=threading.Lock)
    body: Body | None = None
    sure_at: float = 0.0

    def right_within(self, seconds: float, at: float) -> Body | None:
        """The body, if it was known to be right within so many seconds before `at`; None also if the clock was put
        back."""
        return self.body if 0 <= at - self.sure_at < seconds else None

    def right_since(self, at: float) -> Body | None:
        """The body, if another thread found it right since `at`."""
        return self.body if 0 < self.sure_at - at < PATIENCE else None

    def standing(self, now: BodyVersion) -> Body | None:
        """The body, if it is of this version; then it is known to be right."""
        body = self.body
        if body is None or not _stands(body, now):
            return None
        self.sure_at = max(self.sure_at, now.at)
        return body


_places: OrderedDict[str, KeptBody] = OrderedDict()
_addresses: OrderedDict[tuple[str, ...], str] = OrderedDict()  # the key of the body at an address, see `_address`
_guard = threading.Lock()


def kept(
    key: str,
    *,
    version: Callable[[], str],
    make: Callable[[], str],
    again: bool = False,
    clock: Callable[[], float] = time,
) -> Body:
    """The body of `key`: the kept one, if it is of the version that `version` returns, else a new one by `make`.

    `again`: for somebody who has the page and asks whether it is still the same. They may get what was right
    `settings.LIVE_PAUSE` seconds ago, without a query, so it is made at most that often; and while another makes the
    next one, what was right `PATIENCE` seconds ago. Everybody else gets what is right now.

    The version is read before the body is made: a change that is committed in between is in the next version. What
    `make` raises goes on to the caller, and nothing is kept.
    """
    place, at = _place(key), clock()
    if again and (body := place.right_within(settings.LIVE_PAUSE, at)):
        return body
    now = BodyVersion(version(), at)
    if body := place.standing(now):
        return body
    last = place.right_within(PATIENCE, at) if again else None
    if not place.making.acquire(timeout=0 if last else PATIENCE):
        return last or _made(key, now, make=make)
    try:
        if body := place.standing(now) or place.right_since(at):
            return body  # another thread made it meanwhile
        return _next(place, key, now=now, make=make, last=last, pause=settings.LIVE_PAUSE if again else 0)
    finally:
        place.making.release()


def _next(
    place: KeptBody, key: str, *, now: BodyVersion, make: Callable[[], str], last: Body | None, pause: float
) -> Body:
    """The body from the shared cache, if it is of this version or made within the pause; else a new one for all
    processes, or `last` while another process makes it."""
    name = "live-2:" + sha256(key.encode()).hexdigest()
    found: Body | None = cache.get(name)
    if found and (_stands(found, now) or 0 <= now.at - found.made_at < pause):
        place.body, place.sure_at = found, now.at if found.version == now.says else found.made_at
        return found
    mine = cache.add(name + ":making", 1, timeout=PATIENCE)
    if last and not mine:
        return last
    try:
        body = _made(key, now, make=make)
        cache.set(name, body, timeout=LONGEST)
    finally:
        if mine:
            cache.delete(name + ":making")
    place.body, place.sure_at = body, now.at
    return body


def answer(request: HttpRequest, body: Body) -> HttpResponse:
    """The body as a response: 304 to a browser that has it, 204 to htmx, which then leaves the page as it is.

    htmx says what it has by `?v=`, written into the body where `TAG` stands.
    """
    if "HX-Request" in request.headers:
        with _guard:
            _addresses[_address(request)] = body.key
            while len(_addresses) > PLACES:
                _addresses.popitem(last=False)
    if request.GET.get("v") == body.tag and "HX-Request" in request.headers:
        response = HttpResponse(status=204)
    elif GZIP.search(request.headers.get("Accept-Encoding", "")):
        response = HttpResponse(body.zipped)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(body.text)
    etag = response["ETag"] = f'W/"{body.tag}"'
    patch_vary_headers(response, ["Accept-Encoding", "Cookie", "HX-Request"])
    patch_cache_control(response, no_cache=True)
    found = get_conditional_response(request, etag=etag, response=response)
    return found if isinstance(found, HttpResponse) else response


class LooksAgain(MiddlewareMixin):
    """Middleware: htmx that looks again at a body which was right a moment ago is answered here, from memory.

    It stands behind what every answer needs (HTTPS, the policy for scripts) and before all that asks who somebody is.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """The answer from memory, or None to let the site answer."""
        if request.method == "GET" and "HTTP_HX_REQUEST" in request.META:
            with _guard:
                place = _places.get(_addresses.get(_address(request), ""))
            if place and (body := place.right_within(settings.LIVE_PAUSE, time())):
                return answer(request, body)
        return None


def _address(request: HttpRequest) -> tuple[str, ...]:
    """What decides which body a request gets: its address without the tag, and the language that the visitor chose."""
    query = (part for part in request.META.get("QUERY_STRING", "").split("&") if not part.startswith("v="))
    return (request.path_info, "&".join(query), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))


def forget() -> None:
    """Forget all bodies: for tests, and after the database was replaced."""
    with _guard:
        _places.clear()
        _addresses.clear()
    cache.clear()


def _place(key: str) -> KeptBody:
    with _guard:
        place = _places.setdefault(key, KeptBody())
        _places.move_to_end(key)
        while len(_places) > PLACES:
            _places.popitem(last=False)
    return place


def _stands(body: Body, now: BodyVersion) -> bool:
    """Whether a body is of the version `now`, and less than LONGEST seconds old."""
    return body.version == now.says and 0 <= now.at - body.made_at < LONGEST


def _made(key: str, now: BodyVersion, *, make: Callable[[], str]) -> Body:
    text = make()
    tag = sha256(text.encode()).hexdigest()[:16]
    text = text.replace(TAG, tag)
    return Body(now.says, text, tag, gzip.compress(text.encode(), compresslevel=5), now.at, key)
