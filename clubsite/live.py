"""Pages that many people watch: made once for everybody, and sent only to those who don't have the newest yet.

A body is cached together with the *version* of what it shows: a text that changes with everything that may change the
body. While the version is the same, everybody gets the cached body, or the answer that theirs is still the same. A body
is made without a request, so nothing about a visitor can be in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import RLock
from time import time
from typing import cast

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

TAG_PLACEHOLDER = "the-tag-of-this-body"  # in a body that refreshes itself, in the place of its own tag
MAX_AGE = 60  # seconds after which a body is made again in any case: what it says may depend on the time

cache = caches["template_fragments"]  # of this process, in memory
_making = RLock()  # a page holds its part, so making one may make the other


@dataclass(frozen=True, slots=True)
class Body:
    version: str
    text: str
    tag: str  # hash of the text: the same text has the same tag, whichever process made it
    made_at: float  # seconds since 1970, before the version was read


def cached_body(key: str, *, version: Callable[[], str], make: Callable[[], str], polling: bool = False) -> Body:
    """The body of `key`: the cached one, if it is of the version that `version` returns, else a new one by `make`.

    `polling`: somebody has the page and asks whether it is still the same. They may get what was made within
    `settings.LIVE_PAUSE` seconds, without a query. Everybody else gets the newest.

    The version is read before the body is made: a change that is committed in between is in the next version. What
    `make` raises goes on to the caller, and nothing is cached.
    """
    name, now = f"live:{sha256(key.encode()).hexdigest()}", time()
    body: Body | None = cache.get(name)
    if polling and body and 0 <= now - body.made_at < settings.LIVE_PAUSE:
        return body
    says = version()
    if body and body.version == says and 0 <= now - body.made_at < MAX_AGE:
        return body
    with _making:
        latest: Body | None = cache.get(name)
        if latest and latest != body and (latest.version == says or latest.made_at >= now):
            return latest  # another thread made it meanwhile
        text = make()
        tag = sha256(text.encode()).hexdigest()[:16]
        body = Body(says, text.replace(TAG_PLACEHOLDER, tag), tag, now)
        cache.set(name, body, timeout=MAX_AGE)
    return body


def body_response(request: HttpRequest, body: Body) -> HttpResponse:
    """304 to a browser that has the body, 204 to htmx, which then leaves the page as it is.

    htmx says in `?v=` which tag it has: the tag replaces `TAG_PLACEHOLDER` in the body.
    """
    same = request.GET.get("v") == body.tag and "HX-Request" in request.headers
    response = HttpResponse(status=204) if same else HttpResponse(body.text)
    etag = response["ETag"] = f'W/"{body.tag}"'
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    patch_cache_control(response, no_cache=True)
    return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))


def forget_bodies() -> None:
    """Needed after somebody's name was erased, or the database was replaced."""
    cache.clear()
