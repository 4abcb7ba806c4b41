"""The site's technical log: an id for each request, the lines, and the handler that keeps faults for the owner.

Ids that visitors send are ignored. The page of a fault shows the id, so that its line can be found.
"""

import json
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that sounds or looks alike
HEADER = "X-Request-ID"
SLOW = 2.0  # seconds; a request that took longer is always logged
SECRET = re.compile(
    r"((?:/t|/mail|/coming|/in|/follow|/login/invitation|/password/new/[^\s/]+)/|[?&]key=)[^\s/\"'?&]+", re.IGNORECASE
)  # opens the page to all

log = logging.getLogger("clubsite.requests")


@dataclass(slots=True)
class RequestInfo:
    request: str  # its id
    method: str
    route: str = ""  # the address's pattern: "<slug:club>/desk/"
    user: int | None = None


_current: ContextVar[RequestInfo | None] = ContextVar("request", default=None)


def current_request() -> RequestInfo | None:
    """The request that this thread answers; None outside of requests, as in a worker."""
    return _current.get()


def forget_request(**_signal: Any) -> None:
    """A receiver of `request_finished`: Django logs an answer's status after the last middleware."""
    _current.set(None)


class RequestId:
    """Middleware, the outermost: gives each request its id, and logs slow ones when they are answered; with
    `LOG_REQUESTS` all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        letters = "".join(secrets.choice(ALPHABET) for _letter in range(8))
        info = RequestInfo(f"{letters[:4]}-{letters[4:]}", request.method or "")
        _current.set(info)
        began = perf_counter()
        response = self.get_response(request)
        response[HEADER] = info.request
        seconds = perf_counter() - began
        if settings.LOG_REQUESTS or seconds >= SLOW:
            user = getattr(request, "_cached_user", None)  # where it was read already: a line is not worth a query
            info.user = user.pk if user else None
            figures = {"status": response.status_code, "seconds": round(seconds, 4)}
            log.info("%s %s answered %d", info.method, info.route or "-", response.status_code, extra=figures)
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        info, match = current_request(), request.resolver_match
        if info and match:
            info.route = match.route


class ReadableLines(logging.Formatter):
    """A line for people, in the terminal where the site was started, with the trace of a fault below it.

    Links and codes that open a page by themselves are left out, and nothing turns or wipes a line of the terminal.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        info = current_request()
        return super().formatMessage(record).replace("\n", "\\n") + (f" [{info.request}]" if info else "")

    def format(self, record: logging.LogRecord) -> str:
        line = SECRET.sub(r"\1...", super().format(record))
        return "".join(sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in line)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        info = current_request()
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **(asdict(info) if info else {}),
            **{name: record.__dict__[name] for name in ("status", "seconds") if name in record.__dict__},
        }
        if record.exc_info and record.exc_info[0]:
            line |= {"fault": record.exc_info[0].__name__, "trace": self.formatException(record.exc_info)}
        return json.dumps({name: SECRET.sub(r"\1...", v) if isinstance(v, str) else v for name, v in line.items()})


class KeepFaults(logging.Handler):
    """Stores logged exceptions for the site's owner: of requests, of tasks, and any other."""

    def emit(self, record: logging.LogRecord) -> None:
        if not (record.exc_info and record.exc_info[1] and apps.ready):
            return
        from clubsite.watch.faults import store_fault

        try:
            store_fault(record.exc_info[1], where=record.name)
        except Exception:  # noqa: BLE001  (whatever it is, a log goes on)
            self.handleError(record)
