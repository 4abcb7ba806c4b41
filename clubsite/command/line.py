"""The command `nine-tables`: `run` serves the site; `prepare` and `web` are its two parts for a host with services of
its own; `manage` is Django's command line.

What it is told stands in the environment before the settings are read, as on any host: so this module loads no Django.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, MutableMapping
from io import TextIOWrapper
from pathlib import Path
from urllib.parse import urlsplit

from clubsite.command.addresses import LOOPBACK_NAMES, hall_address, names_here

EVERYWHERE = "0.0.0.0"  # noqa: S104  (a hall's phones are to reach it; asked for by --hall)


class Wrong(Exception):
    """It can't be started so: the message says what to do."""


def main() -> None:
    """Do what the command line says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # in any locale
    if sys.argv[1:2] == ["manage"]:
        manage([f"{Path(sys.argv[0]).name} manage", *sys.argv[2:]])
        return
    options = parser(os.environ).parse_args()
    try:
        address = prepare_environment(options, os.environ, here=hall_address())
    except Wrong as wrong:
        sys.exit(str(wrong))
    from clubsite.command.serve import Listening, prepare, serve, serve_web

    listening = Listening(host=options.host, port=options.port, certificate=options.certificate, key=options.key)
    if options.command == "prepare":
        prepare()
    elif options.command == "web":
        serve_web(listening)
    else:
        serve(listening, address=address)


def manage(arguments: list[str]) -> None:
    """Run a command of Django's."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(arguments)


def prepare_environment(options: Namespace, environment: MutableMapping[str, str], *, here: str) -> str:
    """Write what the options mean into the environment. Returns the address to open; sets `options.host`.

    `here`: this machine's address in its network, empty where it is in none.

    Raises:
        Wrong: this machine has no network, or a certificate stands without its key.
    """
    if bool(options.certificate) != bool(options.key):
        raise Wrong("TLS needs both files: --certificate and --key.")
    for file in (options.certificate, options.key):
        if file and not file.is_file():
            raise Wrong(f"There is no file {file}.")
    scheme = "https" if options.certificate else "http"
    default = environment.setdefault
    default("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    default("STATIC_BUILT", "on")  # static files named by content, and compressed
    if options.command == "run":
        default("SERVED_DIRECTLY", "on")  # no proxy in front: whoever comes over loopback sits at this machine
    if options.certificate:
        default("HTTPS", "on")
        default("HSTS", "off")  # a hall's own certificate may be gone next week, and the name be served plainly
    if options.hall:
        found = options.host or here
        if not found:
            raise Wrong("This machine has no address in a network: connect it to the hall's Wi-Fi, then start again.")
        options.host = options.host or EVERYWHERE
        site = environment.get("SITE_URL") or f"{scheme}://{found}:{options.port}"
        environment["SITE_URL"] = site
        default("HALL", "on")
        default("ALLOWED_HOSTS", ",".join(dict.fromkeys([*LOOPBACK_NAMES, found, *names_here(), _host(site)])))
        return f"{site.rstrip('/')}/"
    options.host = options.host or "127.0.0.1"
    return f"{scheme}://{options.host}:{options.port}/"


def _host(site: str) -> str:
    return urlsplit(site).hostname or site


def parser(environment: Mapping[str, str]) -> ArgumentParser:
    """What the command line can say; HOST and PORT of the environment where it says nothing."""
    line = ArgumentParser(prog="nine-tables", description="Keeps score for card games and runs their events.")
    commands = line.add_subparsers(dest="command", required=True)
    for name, words in (("run", "serve the site, with a worker beside it"), ("web", "serve a prepared site, alone")):
        run = commands.add_parser(name, help=words)
        run.add_argument("--hall", action="store_true", help="let the phones in this hall's network reach it")
        run.add_argument("--host", default=environment.get("HOST"), help="where it listens (loopback; all with --hall)")
        run.add_argument("--port", type=int, default=int(environment.get("PORT") or 8000), help="default 8000")
        run.add_argument("--certificate", type=Path, help="a certificate (PEM) with its chain: the site is https then")
        run.add_argument("--key", type=Path, help="the certificate's key (PEM, PKCS #8)")
    prepare = commands.add_parser("prepare", help="bring tables and static files up to date, before `web`")
    prepare.set_defaults(hall=False, host=None, port=8000, certificate=None, key=None)
    commands.add_parser("manage", help="a command of the site: nine-tables manage help")
    return line
