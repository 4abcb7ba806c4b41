"""Between granian and Django: passes on whole requests only, so that no thread ever waits for somebody's network.

granian hands over a request as soon as its headers are there. Its own support for WSGI reads the body in the thread
that answers, and waits for it without limit: eight phones that stop sending in the middle of a form would stop the
site. Here the event loop reads the body, with limits of time and size, and a thread is used only when all of it has
come. Long answers are sent the same way: a thread makes the next piece, the loop waits until the browser has taken it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Thread
from time import sleep
from typing import IO, TYPE_CHECKING, Any, cast

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from granian.rsgi import Scope

from clubsite.addresses import ip_in
from clubsite.serving.threads import Threads
from clubsite.serving.writers import take_turns

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol

SILENCE = 20.0  # seconds without any of the body after which a request is given up
LONGEST = 300.0  # seconds for a whole body, however steadily it comes
LARGEST = 32 * 1024 * 1024  # the most bytes of a body
IN_MEMORY = 64 * 1024  # bytes of a body that are kept in memory; more goes to a file that has no name
AT_ONCE = 1024 * 1024  # bytes of an answer that are made before the first is sent
UNTAKEN = 120.0  # seconds after which an answer is given up if the browser takes nothing of it
READS = ("GET", "HEAD", "OPTIONS")
# Seconds that a thread computes while others wait; Python's own value is 0.005. Recording a deal makes twenty queries,
# and after each waits for a thread that makes a page: it takes 70 to 105 ms with 0.005, 44 to 59 with this (median of
# 27).
TURN = 0.001
PAPER = "/print/"  # part of the addresses where files are ordered: such a POST doesn't go before others as a deal does

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Application = Callable[[Environ, Callable[..., object]], Any]  # Django's types say no more about the answer
log = logging.getLogger("clubsite.serving")


@dataclass(slots=True)
class Answer:
    """What the application answered. `rest`: the further pieces of a long answer."""

    status: int
    headers: Headers
    body: bytes
    rest: Iterator[bytes] | None = None
    close: Callable[[], object] = lambda: None


class RequestRefused(Exception):
    """The request isn't passed to the application: it is too large, or all of it can't be had."""

    def __init__(self, status: int, sentence: str = "") -> None:
        """`status`: the answer's status; 0 where nobody is there any more to be answered."""
        super().__init__(sentence)
        self.status = status


class Bridge:
    """Answers granian's requests by a WSGI application, in threads of its own."""

    def __init__(self, application: Application, *, threads: int, silence: float = SILENCE) -> None:
        """The threads are started later, with the event loop, after the process was forked."""
        self.application = application
        self.count = threads
        self.silence = silence
        self.threads: Threads | None = None

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Called by granian when this process begins to serve. The process will end with the one that started it."""
        take_turns()
        sys.setswitchinterval(TURN)
        self.threads = Threads(self.count)
        Thread(target=_end_with, args=(os.getppid(),), name="parent", daemon=True).start()

    async def __rsgi__(self, scope: Scope, exchange: HTTPProtocol) -> None:
        """Answer one request."""
        environ = environ_of(scope)
        try:
            environ["wsgi.input"] = await whole_body(environ, exchange, silence=self.silence)
        except RequestRefused as refused:
            if refused.status:
                sentence = _in_language(environ, refused)
                headers = [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")]
                exchange.response_bytes(refused.status, headers, sentence.encode())
            return
        try:
            await self._answered(environ, exchange)
        finally:
            environ["wsgi.input"].close()

    async def _answered(self, environ: Environ, exchange: HTTPProtocol) -> None:
        first = environ["REQUEST_METHOD"] not in READS and PAPER not in environ["PATH_INFO"]
        answer: Answer = await self._in_thread(lambda: answer_of(self.application, environ), first=first)
        if answer.rest is None:
            exchange.response_bytes(answer.status, answer.headers, answer.body)
            return
        rest = answer.rest
        try:
            transport = exchange.response_stream(answer.status, answer.headers)
            piece = answer.body
            while piece:
                async with asyncio.timeout(UNTAKEN):
                    await transport.send_bytes(piece)
                piece = await self._in_thread(lambda: _some_of(rest), first=False)
        except TimeoutError:
            log.info("An answer was given up: the browser took nothing of it for %.0f s", UNTAKEN)
        finally:
            await self._in_thread(answer.close, first=False)

    async def _in_thread(self, deed: Callable[[], Any], *, first: bool) -> Any:
        return await asyncio.wrap_future(cast(Threads, self.threads).submit(deed, first=first))


def environ_of(scope: Scope) -> Environ:
    """A request as a WSGI environ, without its body and without this process's environment variables.

    A header whose name has an underscore is left out: it would pass for the one with a hyphen, which a proxy in front
    sets and a visitor must not. `REMOTE_ADDR` is the other end of the connection, whatever headers say.
    """
    server, _colon, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": _as_wsgi(scope.path),
        "QUERY_STRING": _as_wsgi(scope.query_string),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": str(ip_in(scope.client.rpartition(":")[0]) or ""),  # "" for a Unix socket
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if scope.authority:  # HTTP/2 has this in place of the Host header
        environ["HTTP_HOST"] = scope.authority
    for name, value in scope.headers.items():
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        if key in environ:
            value = environ[key] + ("; " if key == "HTTP_COOKIE" else ",") + value
        environ[key] = value
    return environ


def _as_wsgi(text: str) -> str:
    """Text as WSGI wants it: each byte of its UTF-8 as one Latin-1 character."""
    return text if text.isascii() else text.encode().decode("latin-1")


async def whole_body(environ: Environ, exchange: HTTPProtocol, *, silence: float) -> IO[bytes]:
    """Wait for a request's whole body. Returns a file, to be read from its beginning.

    Raises:
        RequestRefused: it is too large, of no known length, comes too slowly, or ended before its end.
    """
    body = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115  (the caller closes)
    given = environ.get("CONTENT_LENGTH", "0")
    try:
        if "HTTP_TRANSFER_ENCODING" in environ:  # no browser sends a form so; its end looks like a break
            raise RequestRefused(411, "A request needs its length.")
        length = int(given) if given.isascii() and given.isdecimal() else -1
        if length < 0:
            raise RequestRefused(400)
        if length > LARGEST:
            raise RequestRefused(413)
        if length:
            await _read(body, length, exchange=exchange, silence=silence)
    except BaseException:
        body.close()
        raise
    body.seek(0)
    return body


async def _read(body: IO[bytes], length: int, *, exchange: HTTPProtocol, silence: float) -> None:
    read, clock = 0, asyncio.get_running_loop().time
    end = clock() + LONGEST
    try:
        async with asyncio.timeout(silence) as limit:
            async for piece in exchange:
                read += len(piece)
                body.write(piece)
                limit.reschedule(min(clock() + silence, end))
    except TimeoutError:
        raise RequestRefused(408, "The rest of the request didn't come.") from None
    except OSError as full:
        log.error("The body of a request could not be kept: %s", full)
        raise RequestRefused(503) from None
    if read != length:  # the connection broke, and part of a form must not be taken for the whole
        raise RequestRefused(0)


def answer_of(application: Application, environ: Environ) -> Answer:
    """Call the application, and collect the first `AT_ONCE` bytes of its answer. An exception is logged and answered by
    500."""
    told: list[tuple[str, Headers]] = []

    def start_response(status: str, headers: Headers, exc_info: object = None) -> None:  # noqa: PLR0917  (WSGI's)
        told[:] = [(status, headers)]

    try:
        parts = application(environ, start_response)
    except Exception:
        log.exception("The application raised for %s", environ["REQUEST_METHOD"])
        return Answer(500, [("Content-Type", "text/plain")], b"")
    close = getattr(parts, "close", lambda: None)
    rest = iter(parts)
    try:
        body = _some_of(rest)
        status, headers = told[0]
        stripped = [(name, value.strip()) for name, value in headers]  # Django's cookies begin with a space
        answer = Answer(int(status[:3]), stripped, body, rest, close)
        if len(body) < AT_ONCE:  # that was all of it
            answer.rest = None
            close()
    except Exception:
        close()
        log.exception("An answer broke off")
        return Answer(500, [("Content-Type", "text/plain")], b"")
    return answer


def _some_of(rest: Iterator[bytes]) -> bytes:
    """The next pieces of an answer, joined: at least `AT_ONCE` bytes, unless it ends before."""
    pieces, size = [], 0
    for piece in rest:
        pieces.append(piece)
        size += len(piece)
        if size >= AT_ONCE:
            break
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _in_language(environ: Environ, refused: RequestRefused) -> str:
    """Why a request is refused; for one that is too large, in the language that the browser asks for."""
    if refused.status != 413:
        return str(refused)
    request = HttpRequest()
    request.META = environ
    with translation.override(translation.get_language_from_request(request)):
        return _("This file is too large: at most %(megabytes)s MB can be sent.") % {"megabytes": LARGEST // 1024**2}


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone: else it would keep the port for ever."""
    while os.getppid() == parent:
        sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    sleep(5)
    os._exit(1)
