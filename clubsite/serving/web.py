"""The web alone: waitress in front of Django, in one process with a few threads.

Waitress reads a request whole before a thread answers it, and keeps what a slow browser hasn't taken yet: a phone that
stops in the middle of either holds nobody up. It logs no requests: addresses contain tables' links.
"""

import errno
import gc
import logging
import os
import select
import signal
import socket
import sys
from _thread import interrupt_main
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from typing import Any

import clubsite.sqlite  # noqa: F401  (before Django loads sqlite3)

SILENCE = 30  # seconds after which a connection is closed that sends nothing, or half a request
LARGEST = 32 * 1024 * 1024  # bytes of a body; above `REQUEST_LIMIT` a page says that it is too large
UNTAKEN = 256 * 1024 * 1024  # bytes of an answer, more than the longest, that wait in a file for a slow browser
CONNECTIONS = 2048 if hasattr(select, "poll") else 500  # at once, most idle; Windows' `select` takes 512 at most
FILES = 8192  # open files allowed to this process, if the system lets it: each connection is one
# Seconds that a thread computes while others wait; Python's own value is 0.005. Recording a deal makes twenty queries,
# and waits after each for a thread that makes a page.
SWITCH = 0.001
STOPS_AFTER = 1.5  # seconds; the last page also loads its style sheets


class CannotServe(Exception):
    """The site can't be served as asked; the text says why."""


class PortTaken(CannotServe):
    """Another program, which may be this site, uses the port."""


# Addresses that mean "every network", which no browser can open, and the loopback to be opened instead.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (only compared)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the site is served, and by how many threads.

    Each thread keeps a connection to the database. On SQLite writers go one by one, and Python's own lock lets one
    thread of a process run at a time, so more of them help nobody.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    threads: int = 4

    @property
    def url(self) -> str:
        host = EVERYWHERE.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def read_place(environment: Mapping[str, str]) -> Place:
    """HOST (a name or an address), PORT and WEB_THREADS.

    Raises:
        CannotServe: one of them isn't valid.
    """
    if environment.get("TLS_CERTIFICATE"):
        raise CannotServe("Unset TLS_CERTIFICATE: for https put Caddy in front (docs/hosting.md).")
    numbers: dict[str, int] = {}
    for name, most in (("PORT", 65535), ("WEB_THREADS", 64)):
        if text := environment.get(name, ""):
            if not (text.isdecimal() and 1 <= int(text) <= most):
                raise CannotServe(f"{name} must be a number from 1 to {most}, not “{text}”.")
            numbers[name.rpartition("_")[2].lower()] = int(text)
    return Place(host=environment.get("HOST") or "127.0.0.1", **numbers)


def listen_at(place: Place) -> socket.socket:
    """A socket that listens at a place: connections wait there until the site is served.

    Raises:
        CannotServe: the port is taken or not allowed, or this machine doesn't have the address.
    """
    try:
        family, *_kind, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family)
        try:
            # Windows lets two programs share a port unless one forbids it; elsewhere REUSEADDR only shortens the wait
            # for a port that was just left.
            listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
            if family == socket.AF_INET6:
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, place.host != "::")
            listening.bind(address[:2])
            listening.listen()
        except OSError:
            listening.close()
            raise
        return listening
    except OSError as refused:
        free = 8001 if place.port == 8000 else 8000
        choose = f"choose another port: --port {free}, or PORT={free}."
        if refused.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Another program already uses port {place.port}; it may be Nine Tables in another window. Close that "
                f"program, or {choose}"
            ) from None
        if refused.errno in (errno.EACCES, errno.EPERM):
            sentence = f"This system doesn't let you use port {place.port}. Please {choose}"
        else:
            sentence = f"This machine doesn't have the address HOST={place.host}. Correct HOST, or leave it out."
        raise CannotServe(sentence) from None


def serve(listening: socket.socket, *, threads: int, application: Any = None) -> None:
    """Serve the site, or another application, until it is stopped; then finish the requests being answered."""
    server = make_server(listening, threads=threads, application=application)
    _raise_file_limit()
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # collecting garbage stops all threads: what exists now isn't looked at
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # how many wait, at each request
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    server.run()


def make_server(listening: socket.socket, *, threads: int, application: Any = None, parts: Any = None) -> Any:
    """A server to be run; `parts` gets its sockets, to be closed while it runs."""
    from waitress.server import create_server

    if application is None:
        from clubsite.wsgi import application
    return create_server(
        application,
        map=parts,
        sockets=[listening],
        threads=threads,
        connection_limit=CONNECTIONS,
        channel_timeout=SILENCE,
        cleanup_interval=5,
        max_request_body_size=LARGEST,
        outbuf_high_watermark=UNTAKEN,
        asyncore_use_poll=hasattr(select, "poll"),
        clear_untrusted_proxy_headers=False,  # `accounts.starting` sees by them that a proxy passed a request on
        ident=None,
    )


def stop_soon() -> None:
    """Stop the site as the system would, when the answer to this request has reached the browser."""
    Timer(STOPS_AFTER, interrupt_main, [signal.SIGTERM]).start()


def _raise_file_limit() -> None:
    with suppress(ImportError):  # a system without such limits
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
        if 0 <= now < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


def run_or_explain(serving: Callable[[], None]) -> int:
    """Returns the exit status; where the site can't be served, a sentence on stderr says why."""
    try:
        serving()
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def main() -> int:
    def serving() -> None:
        place = read_place(os.environ)
        serve(listen_at(place), threads=place.threads)

    return run_or_explain(serving)


if __name__ == "__main__":
    sys.exit(main())
