"""The command `nine-tables`, also `python -m clubsite.command`: `run` serves the site, `shortcut` makes an icon that
does; `prepare` and `web` are its two parts for a host with services of its own; `manage` is Django's command line.

Options are written into the environment, where the settings read them, so this module must not load Django.
"""

import os
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import MutableMapping
from io import TextIOWrapper
from pathlib import Path

from clubsite.paths import default_data_folder
from clubsite.serving.desktop import has_display

VARIABLES = {"host": "HOST", "port": "PORT", "data": "VAR_DIR"}


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # whatever the locale
    if sys.argv[1:2] in (["manage"], ["restore"]):
        manage([f"{Path(sys.argv[0]).name} manage", *sys.argv[1 + (sys.argv[1] == "manage") :]])
        return
    options = make_parser().parse_args()
    write_environment(options, os.environ)
    from clubsite.serving import __main__ as everything, web

    if options.command == "prepare":
        everything.make_ready()
    elif options.command == "shortcut":
        shortcut(options)
    else:
        browser = options.command == "run" and options.browser and has_display()
        sys.exit(web.main() if options.command == "web" else everything.main(browser=browser, window=options.window))


def shortcut(options: Namespace) -> None:
    from clubsite.serving.shortcut import remove_icons, write_icons

    if options.remove:
        sys.stdout.writelines(f"Removed: {path}\n" for path in remove_icons())
        return
    if options.autostart is None and sys.stdin.isatty():
        options.autostart = input("Start Nine Tables at every log-in on this computer, too? [y/N] ")[:1] in {"y", "Y"}
    folder = Path(os.environ.get("VAR_DIR") or default_data_folder()).absolute()
    chosen = {name: os.environ[variable] for name, variable in VARIABLES.items() if os.environ.get(variable)}
    if "data" in chosen:
        chosen["data"] = str(folder)
    icons = write_icons(
        [part for name in chosen for part in (f"--{name}", chosen[name])], autostart=options.autostart, folder=folder
    )
    sys.stdout.writelines(f"Written: {path}\n" for path in icons)


def manage(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(arguments)


def write_environment(options: Namespace, environment: MutableMapping[str, str]) -> None:
    """Write what the options mean into the environment; options replace what is there, defaults don't."""
    for name, variable in VARIABLES.items():
        if value := getattr(options, name):
            environment[variable] = str(value)
    default = environment.setdefault
    default("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    default("STATIC_BUILT", "on")  # static files named by content, and compressed
    if options.command == "run":
        default("SERVED_DIRECTLY", "on")  # no proxy in front: a request over loopback comes from this machine
        if options.hall:
            environment["HALL"] = "on"


def make_parser() -> ArgumentParser:
    line = ArgumentParser(prog="nine-tables", description="Keeps score for card games and runs their events.")
    commands = line.add_subparsers(dest="command", required=True)
    for name, words in (
        ("run", "serve the site, with a worker beside it"),
        ("web", "serve a prepared site, alone"),
        ("shortcut", "put an icon on the desktop that starts the site, without a window"),
    ):
        run = commands.add_parser(name, help=words)
        if name == "shortcut":
            run.add_argument("--autostart", action=BooleanOptionalAction, help="start at every log-in, too")
            run.add_argument("--remove", action="store_true", help="take the icons away again")
        run.add_argument("--host", help="where it listens: 127.0.0.1 (or HOST)")
        run.add_argument("--port", type=int, help="8000 (or PORT)")
        run.add_argument("--data", help="the folder where it keeps its data (or VAR_DIR)")
        if name == "run":
            run.add_argument("--hall", action="store_true", help="let the phones in this hall's network reach it")
            run.add_argument("--no-browser", dest="browser", action="store_false", help="don't open the browser")
            run.add_argument(
                "--no-window", dest="window", action="store_false", help="as the icon starts it: a page stops it"
            )
    prepare = commands.add_parser("prepare", help="update tables and static files, before `web`")
    prepare.set_defaults(**dict.fromkeys(VARIABLES))
    commands.add_parser("restore", help="restore a backup, or a whole site from another computer: restore FILE")
    commands.add_parser("manage", help="a command of the site: nine-tables manage help")
    return line


if __name__ == "__main__":
    main()
