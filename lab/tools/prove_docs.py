"""`./dev prove docs`: runs the commands of README and docs as they are written, in order, on bare Debians.

CONTRIBUTING.md says how a block of commands is marked. Prints a line for each command.
"""

import re
import shutil
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple
from zipfile import ZipFile

from lab.tools.bare import (
    CLONED,
    PATIENCE,
    ROOT,
    SUITES,
    BareRoot,
    Failed,
    bare_root,
    copy_downloads,
    debian_archive,
    free_port,
    wait_for_page,
)
from lab.tools.release import build_release, make_throwaway_key

PAGES = ("README.md", "CONTRIBUTING.md", "docs/your-laptop.md", "docs/hosting.md")
BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
READ = {"powershell": "read: Windows", "zsh": "read: macOS"}
HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
SERVES = re.compile(r"(?:nine-tables|\./dev)\s+(?:run|web)\b(?!.*--help)|podman run --rm")
STARTS = re.compile(r"systemctl (?:enable --now|restart) nine-tables|podman run --detach")  # a site, on port 8000
STATE = "~/.shell"  # the working folder and the variables, from one command to the next
MOST = 60  # seconds for what is only begun
# What a reader has before a command, or has done by a page of the site; the first group is $found.
BEFORE = {
    r"^\./dev lint": "./dev test --postgres --version",  # installs what the tests need
    r"pipx install --force (\S+)": """mv $found was; mv other/$found .; mv was other/$found  # newer, then as before
        pipx runpip nine-tables uninstall -qy nine-tables  # as both have one number""",
    r"^nine-tables restore$": 'nine-tables manage new_club "A club" --director ann; nine-tables manage backup',
    r"restore (\S*everything-\S+)": """[ -d $(dirname $found) ] || sudo install -d -m 777 $(dirname $found)
        nine-tables manage shell -c "from pathlib import Path; from django.conf import settings
from clubsite.operations.backup import make_backup, copy_with_key
Path('$found').write_bytes(copy_with_key(make_backup(settings.BACKUPS)).read())"
        mv ~/.local/share/nine-tables ~/old-$(date +%s)""",
    r"restore (/media/\S+/nine-tables-\S+)": "cp $(ls -t ~/old-*/backups/*.backup | head -n 1) $found",
    r"^podman build": r"""systemctl stop nine-tables; cd ~anna/nine-tables
        apt-get -qq install podman >/dev/null
        printf '%s\n' '[containers]' 'netns = "host"' 'pids_limit = 0' 'default_ulimits = ["nofile=1024:1024"]' \
            >/etc/containers/containers.conf
        cp /etc/ssl/certs/ca-certificates.crt /srv
        { printf 'FROM scratch\nADD base.tar /\nCOPY ca-certificates.crt /etc/ssl/certs/\n'
          env | sed -En 's/^(PIP_[A-Z_]+|[A-Z]+_PROXY)=/ENV &/pi'; } >/srv/Containerfile
        podman build --format docker -q -t docker.io/library/debian:trixie-slim /srv""",
    r"install .* postgresql$": "sudo podman rm --force --all; sudo systemctl start nine-tables",
    r"manage dumpdata": 'nine-tables manage new_club "A club" --director ann; systemctl stop nine-tables',
    r"--to (\S+)": "install -d -o nine-tables $found",
    r"second_factor (\w+)": """nine-tables manage shell -c "from clubsite.accounts.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice
TOTPDevice.objects.create(user=User.objects.get(username='$found'))" """,
}


class Command(NamedTuple):
    line: int
    text: str
    how: str  # as its block is marked; "fresh" is for its first alone


def commands(page: str) -> list[Command]:
    """The commands of a page, as typed: with the lines that a backslash or a here-document adds."""
    found = []
    for block in BLOCK.finditer(page):
        language, _space, how = block[2].strip().partition(" ")
        how = READ.get(language, how)
        if language not in {"sh", *READ}:
            continue
        first = page.count("\n", 0, block.start(3)) + 1
        lines = [line.removeprefix(block[1]) for line in block[3].splitlines()]
        while lines:
            start, text = first, lines.pop(0)
            first += 1
            end = HERE_DOCUMENT.search(text)
            while lines and (text.endswith("\\") or (end and text.splitlines()[-1] != end[1])):
                text += "\n" + lines.pop(0)
                first += 1
            if text.strip() and not text.startswith("#"):
                found.append(Command(start, text, how))
                how = how if not how.startswith("fresh") else ""
    return found


def run_page(name: str, debian: str, files: Path) -> dict[str, list[str]]:
    """Run a page's commands: which were run, only begun or read, and which failed."""
    told: dict[str, list[str]] = {"run": [], "begun": [], "read": [], "failed": []}
    page = commands((ROOT / name).read_text(encoding="utf-8"))
    file = ""
    with ExitStack() as open_root:
        root: BareRoot | None = None
        for command, following in zip(page, [*page[1:], None], strict=True):
            began = monotonic()
            kind = command.how.partition(":")[0] if ":" in command.how else "run"
            if kind == "read":
                result = command.how
            else:
                if root is None or command.how.startswith("fresh"):
                    open_root.close()
                    root = open_root.enter_context(bare_root(debian, sudo=True))
                    copy_downloads(root, files)
                    make_newer_wheel(root)
                    if command.how == "fresh server":
                        shutil.copy(debian_archive("trixie"), root.place / "srv/base.tar")
                        open_root.enter_context(root.booted())
                text = command.text.replace("ADDRESS", CLONED).replace("FILE", file)
                user = "root" if command.how == "root" else "anna"
                try:
                    if following and "FILE" in following.text:
                        result = file = refused_file(root, text)
                    elif SERVES.search(text):
                        result = serve_command(root, text, user=user)
                    else:
                        result = type_command(root, text, user=user, begun=kind == "begun")
                except Failed as wrong:
                    kind, result = "failed", f"FAILED {wrong}"
            told[kind].append(f"{name}:{command.line} on Debian {debian}")
            seconds = f"{monotonic() - began:.1f}"
            print(f"{name}:{command.line}", debian, seconds, command.text, result, sep="\t", flush=True)
    return told


def preparation(command: str) -> str:
    """The lines that lead to a command: where the one before it ended, and what there has to be."""
    lines = [f"touch {STATE}; . {STATE}"]
    for pattern, script in BEFORE.items():
        if match := re.search(pattern, command):
            found = f"found={match[1]}; " if match.groups() else ""
            lines.append(f"{{ {found}{script}\n}} || exit 70")
    return "\n".join(lines)


def type_command(root: BareRoot, command: str, *, user: str, begun: bool) -> str:
    """Type a command, and "restore" where it asks for that; what there is to tell of it."""
    limited = f"timeout {MOST} {command}" if begun else command
    script = (
        f"{preparation(command)}\n{limited}\nstatus=$?; {{ export -p; echo \"cd '$(pwd)'\"; }} >{STATE}; exit $status"
    )
    try:
        printed = root.run(script, user=user, typed="restore\n")
    except Failed as wrong:
        if begun and str(wrong).startswith("status 124"):
            return f"it went on for {MOST} seconds"
        raise
    if "restore" in command and "Done." not in printed:
        raise Failed(printed)
    if STARTS.search(command):
        wait_for_page("http://127.0.0.1:8000/")
        return "its first page came"
    return "ok"


def serve_command(root: BareRoot, command: str, *, user: str) -> str:
    """Type a command that serves, look at its first page and press Ctrl+C."""
    named = re.search(r"(?:PORT=|--port[ =]|127\.0\.0\.1:)(\d+)", command)
    port = named[1] if named else free_port(8000)
    script = f"{preparation(command)}; {'' if named else f'export PORT={port}; '}{command}"
    with root.serve(script, user=user, PORT=port) as site:
        site.wait()
    return "its first page came, and it ended"


def refused_file(root: BareRoot, command: str) -> str:
    """Type a command that ends with a sentence; the file that this names."""
    printed = root.run(f". {STATE}; timeout {PATIENCE} {command}", ok=False, PORT=free_port(8000))
    if not (named := re.search(r'restore "(.+)"', printed)):
        raise Failed(printed)
    return named[1]


def make_newer_wheel(root: BareRoot) -> None:
    """A wheel of a newer version, which changes the tables."""
    wheel = next(root.home.glob("*.whl"))
    (root.home / "other").mkdir()
    (root.home / "other").chmod(0o777)
    newer = Path(shutil.copy(wheel, Path(root.home, "other", wheel.name)))
    with ZipFile(newer, "a") as archive:
        last = max(name for name in archive.namelist() if name.startswith("tournaments/migrations/0"))
        migration = f"dependencies = [('tournaments', '{Path(last).stem}')]"
        archive.writestr(
            "tournaments/migrations/9999_newer.py",
            f"from django.db import migrations\nclass Migration(migrations.Migration):\n    {migration}\n",
        )


def main() -> None:
    parser = ArgumentParser(prog="./dev prove docs", description="Runs the docs' commands on bare Debians. Needs root.")
    parser.add_argument("pages", nargs="*", default=[page for page in PAGES if (ROOT / page).exists()])
    parser.add_argument("--debian", choices=SUITES, action="append", help="on this one only")
    options = parser.parse_args()
    told: dict[str, list[str]] = {}
    with TemporaryDirectory() as scratch:
        files = Path(scratch, "files")
        build_release(files, key=make_throwaway_key(Path(scratch)))
        print("where", "Debian", "seconds", "command", "result", sep="\t")
        for page in options.pages:
            for debian in options.debian or SUITES:
                for kind, lines in run_page(page, debian, files).items():
                    told.setdefault(kind, []).extend(lines)
    print(", ".join(f"{len(lines)} {kind}" for kind, lines in told.items()))
    sys.exit(f"Failed: {', '.join(told['failed'])}" if told["failed"] else 0)


if __name__ == "__main__":
    main()
