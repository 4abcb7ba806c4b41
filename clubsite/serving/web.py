"""The web alone: processes that answer requests, on one address.

A process that dies is started again; if processes keep dying, serving ends. `WEB_PROCESSES` and `WEB_THREADS` change
how many there are. No log of requests is written, since their addresses contain tables' links.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

import clubsite.sqlite  # noqa: F401  (before Django loads sqlite3)
from clubsite.serving.bridge import Bridge

HEADERS_WITHIN = 30_000  # milliseconds for the headers of a request, and for the next request of a connection
STOP_WITHIN = 10  # seconds for what is being answered when the site is told to stop
CONNECTIONS = 2048  # of one process at once: most of them wait for somebody's next tap
FILES = 8192  # open files allowed to this process, if the system lets it: each connection is one


class CannotServe(Exception):
    """The site can't be served as asked; the text says why."""


# Addresses that mean "every network", which no browser can open, and the loopback to be opened instead.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (told, not bound to)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the site is served, and by how many processes and threads.

    Each thread keeps a connection to the database. On SQLite writers go one by one, and Python's own lock lets one
    thread of a process run at a time, so more of them help nobody.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    processes: int = 2
    threads: int = 4  # of each process
    certificate: Path | None = None  # with its chain, and its key: the site is served over TLS then
    key: Path | None = None

    @property
    def url(self) -> str:
        """The address to open on this machine."""
        scheme = "https" if self.certificate else "http"
        host = EVERYWHERE.get(self.host, self.host)
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/"


def place_from(environment: Mapping[str, str]) -> Place:
    """HOST (a name or an address), PORT, WEB_PROCESSES and WEB_THREADS; TLS_CERTIFICATE and TLS_KEY, two files (PEM).

    Raises:
        CannotServe: one of them isn't valid.
    """
    given: dict[str, Any] = {}
    for name, least, most in (("PORT", 1, 65535), ("WEB_PROCESSES", 1, 64), ("WEB_THREADS", 1, 64)):
        text = environment.get(name, "")
        if text and not (text.isdecimal() and least <= int(text) <= most):
            raise CannotServe(f"{name} is to be a number from {least} to {most}, not “{text}”.")
        if text:
            given[name.rpartition("_")[2].lower()] = int(text)
    for name in ("TLS_CERTIFICATE", "TLS_KEY"):
        if text := environment.get(name, ""):
            if not Path(text).is_file():
                raise CannotServe(f"{name} names no file: there is no “{text}”.")
            given[name.rpartition("_")[2].lower()] = Path(text)
    if ("certificate" in given) != ("key" in given):
        raise CannotServe("TLS needs a certificate and its key: TLS_CERTIFICATE and TLS_KEY.")
    return Place(host=environment.get("HOST") or "127.0.0.1", **given)


def address_of(place: Place) -> str:
    """The IP address of the host's name, after a check that the site can be served there.

    The server lets several processes share a port, so it wouldn't notice by itself that another site has it.

    Raises:
        CannotServe: this machine hasn't got the address, or somebody else serves there.
    """
    try:
        family, kind, proto, _name, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as refused:
        raise CannotServe(
            f"Nine Tables can't be served at {place.url} ({refused.strerror}). Another program may serve there, or "
            "this machine hasn't got that address: stop the other one, or choose with HOST=... and PORT=..."
        ) from None
    return str(address[0])


def bridge(threads: int) -> Bridge:
    """The application of one process: made in that process, from modules that were imported before the fork."""
    from clubsite.wsgi import application

    wsgi: Any = application  # Django's types call the answer a response
    return Bridge(wsgi, threads=threads)


def serve(place: Place) -> bool:
    """Serve until told to stop. Returns True then, and False when the server ended by itself.

    Raises:
        CannotServe: see `address_of`.
    """
    server = Server(
        target="clubsite.wsgi:application",
        address=address_of(place),
        port=place.port,
        interface=Interfaces.RSGI,
        workers=place.processes,
        http=HTTPModes.http1,
        websockets=False,
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_WITHIN),
        log_level=LogLevels.error,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_WITHIN,
        ssl_cert=place.certificate,
        ssl_key=place.key,
        ssl_protocol_min=SSLProtocols.tls12,  # for phones that are ten years old
    )
    _allow_files()
    _import_everything()
    try:
        loader: Any = partial(bridge, place.threads)  # granian's types allow functions only
        server.serve(target_loader=loader, wrap_loader=False)
    except SystemExit as ended:
        return not ended.code
    return True


def _allow_files() -> None:
    with suppress(ImportError):  # a system without such limits
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
        if 0 <= now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _import_everything() -> None:
    """Import the site once, before its processes are forked, and leave them no open connection.

    Objects that exist now are exempt from garbage collection, which stops all threads while it looks at objects.
    """
    from django.db import connections
    from django.urls import get_resolver

    import clubsite.wsgi

    _all: Any = (clubsite.wsgi.application, get_resolver().url_patterns)
    connections.close_all()
    gc.collect()
    gc.freeze()


def status_of(served: Callable[[], bool], *, ended: str) -> int:
    """The exit status of what serves. Where it isn't 0, says why: `ended` where the server ended by itself."""
    try:
        stopped = served()
    except CannotServe as problem:
        stopped, ended = False, str(problem)
    if not stopped:
        sys.stderr.write(f"{ended}\n")
    return 0 if stopped else 1


def main() -> int:
    """Serve as the environment says. Returns the exit status."""
    ended = "The web server ended by itself, again and again: see what stands above."
    return status_of(lambda: serve(place_from(os.environ)), ended=ended)


if __name__ == "__main__":
    sys.exit(main())
