"""Phones in the hall: let in and shut out while the site runs, by a second server at this machine's own address in its
network. The first answers this machine alone, so that no firewall asks before somebody lets phones in."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from clubsite.addresses import is_loopback
from clubsite.serving.addresses import (
    LOOPBACK_NAMES,
    hall_address,
    machine_names,
    note_left_open,
    note_site,
    read_left_open,
)
from clubsite.serving.web import EVERYWHERE, CannotServe, listen_at, make_server, read_place

CHANGED = ("HALL", "SITE_URL", "ALLOWED_HOSTS", "LISTENS_AT")
_as_started: dict[str, Any] = {}  # those settings, before phones were let in
_second: list[tuple[Any, dict[int, Any], Thread]] = []  # the server for phones, its sockets, what runs it; or nothing
_changing = Lock()


def let_phones_in(*, stays: bool = False) -> None:
    """Let this hall's phones in, at the present address if it has changed. `stays`: at later starts, too.

    Raises:
        CannotServe: this machine is in no network, or the port is taken there.
    """
    place = read_place(os.environ)
    address = hall_address() if is_loopback(place.url) else place.host
    if not address:
        raise CannotServe("This machine has no address in a network: connect it to the hall's Wi-Fi, then try again.")
    with _changing:
        if _as_started and address == settings.LISTENS_AT:
            return
        _stop_second_server()
        _as_started.update({name: getattr(settings, name) for name in CHANGED} | {"HALL": False})
        if is_loopback(place.url) and place.host not in EVERYWHERE:
            parts: dict[int, Any] = {}
            server = make_server(listen_at(replace(place, host=address)), threads=place.threads, parts=parts)
            thread = Thread(target=_run, args=[server], name="hall", daemon=True)
            thread.start()
            _second.append((server, parts, thread))
        site = settings.SITE_URL or f"http://{address}:{place.port}"
        hosts = [*LOOPBACK_NAMES, address, *machine_names(), urlsplit(site).hostname or address]
        settings.HALL, settings.SITE_URL, settings.LISTENS_AT = True, site, address
        settings.ALLOWED_HOSTS = list(dict.fromkeys([*settings.ALLOWED_HOSTS, *hosts]))
        note_site(Path(settings.VAR_DIR), site.rstrip("/"), now=timezone.now())
        if stays:
            note_left_open(Path(settings.VAR_DIR), address)


def shut_phones_out() -> None:
    """Answer this machine alone again, now and at later starts."""
    with _changing:
        _stop_second_server()
        note_left_open(Path(settings.VAR_DIR), "")


def was_left_open() -> bool:
    """Whether phones were let in when the site stopped, and this machine still has the address of then: elsewhere, in
    another network, somebody has to decide again."""
    address = read_left_open(Path(settings.VAR_DIR))
    return bool(address) and address == hall_address()


def stop() -> None:
    """End the server for phones, after the answers that it has begun."""
    with _changing:
        _stop_second_server()


def _run(server: Any) -> None:
    with suppress(OSError):  # Windows waits for sockets until one is closed
        server.run()


def _stop_second_server() -> None:
    while _second:
        server, parts, thread = _second.pop()
        server.task_dispatcher.shutdown()
        for part in list(parts.values()):
            part.close()
        thread.join(5)
    for name, value in _as_started.items():
        setattr(settings, name, value)
    _as_started.clear()
