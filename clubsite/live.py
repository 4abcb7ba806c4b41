"""Pages that many look at together: made once for everybody, sent only to those to whom they are new.

A body is kept under a key together with the *version* of what it shows: a text that changes with everything that may
change the body. Who asks while the version stands gets the body that is there, or the word that it is still the same.
When the version changes, one thread makes the body anew; those who only look again meanwhile (`again`) get the last.

Nothing of a request goes into a body: it is made without one, so nothing of a visitor can be in it.
"""

from __future__ import annotations

import gzip
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic, time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

TAG = "the-tag-of-this-body"  # a body that asks for news of itself writes this where its own tag shall stand
LONGEST = 60  # seconds after which a body is made anew though nothing was done: what it says may depend on the time
PATIENCE = 5  # seconds of age up to which the last body is given out while somebody makes the next
PLACES = 300  # bodies that a process remembers; what a visitor may choose is in their keys
GZIP = re.compile(r"\bgzip\b")


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent to everybody, and the version of what it shows."""

    version: str
    text: str
    tag: str  # of the content: the same text has the same tag, whoever made it
    zipped: bytes
    made_at: float  # seconds since 1970, of the host that made it


@dataclass(slots=True)
class Place:
    """Where this process keeps one body, who may make the next, and when the body was last known to be right."""

    making: threading.Lock = field(default_factory=threading.Lock)
    body: Body | None = None
    sure_at: float = 0.0


_places: OrderedDict[str, Place] = OrderedDict()
_guard = threading.Lock()


def kept(
    key: str,
    *,
    version: Callable[[], str],
    make: Callable[[], str],
    again: bool = False,
    clock: Callable[[], float] = monotonic,
) -> Body:
    """The body of `key`, made by `make` unless the one that is kept shows what `version` says.

    `again`: for somebody who has the page and asks whether it is still the same. They may get what was right
    `settings.LIVE_PAUSE` seconds ago, without a query, so it is made at most that often; and while another makes the
    next one, what was right `PATIENCE` seconds ago. Everybody else gets what is right now.

    The version is read before the body is made: a change that is committed in between is in the next version. What
    `make` raises goes on to the caller, and nothing is kept.
    """
    place = _place(key)
    asked = clock()
    if again and place.body and asked - place.sure_at < settings.LIVE_PAUSE:
        return place.body
    now = version()
    if body := _standing(place, now):
        place.sure_at = max(place.sure_at, asked)
        return body
    last = place.body if again and asked - place.sure_at < PATIENCE else None
    if not place.making.acquire(timeout=0 if last else PATIENCE):
        return last or _made(now, make)
    try:
        if (body := _standing(place, now)) or (place.sure_at > asked and (body := place.body)):
            return body  # somebody else made it meanwhile
        body = _shared(key, now=now, make=make, last=last)
        if body is not last:
            place.body, place.sure_at = body, asked
        return body
    finally:
        place.making.release()


def answer(request: HttpRequest, body: Body) -> HttpResponse:
    """The body as a response: 304 to a browser that has it, 204 to htmx, which then leaves the page as it is.

    htmx says what it has by `?v=`, written into the body where `TAG` stands.
    """
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


def forget() -> None:
    """Forget all bodies: for tests, and after the database was put in place of another."""
    with _guard:
        _places.clear()
    cache.clear()


def _place(key: str) -> Place:
    with _guard:
        place = _places.setdefault(key, Place())
        _places.move_to_end(key)
        while len(_places) > PLACES:
            _places.popitem(last=False)
    return place


def _standing(place: Place, now: str) -> Body | None:
    """The body that this process has, where it shows what the version `now` says and isn't too old."""
    body = place.body
    return body if body and _stands(body, now) else None


def _stands(body: Body, now: str) -> bool:
    return body.version == now and time() - body.made_at < LONGEST


def _shared(key: str, *, now: str, make: Callable[[], str], last: Body | None) -> Body:
    """The body that another process made, or a new one; `last` where another process is at it."""
    name = "live:" + sha256(key.encode()).hexdigest()
    found: Body | None = cache.get(name)
    if found and _stands(found, now):
        return found
    mine = cache.add(name + ":making", 1, timeout=PATIENCE)
    if not mine and last:
        return last
    try:
        body = _made(now, make)
        cache.set(name, body, timeout=LONGEST)
    finally:
        if mine:
            cache.delete(name + ":making")
    return body


def _made(version: str, make: Callable[[], str]) -> Body:
    text = make()
    tag = sha256(text.encode()).hexdigest()[:16]
    text = text.replace(TAG, tag)
    return Body(version, text, tag, gzip.compress(text.encode(), compresslevel=5), time())
