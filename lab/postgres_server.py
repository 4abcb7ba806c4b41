"""Runs a command with its own PostgreSQL server: `python -m lab.postgres_server FOLDER COMMAND...`.

It listens on a free port of 127.0.0.1, the command finds it by DATABASE_URL, and it stops when the command ends. With
`--for-tests` the data are deleted afterwards, so no commit waits for the disk; without it they stay in the folder.

Needs Debian's package `postgresql` (the newest that is installed) and nothing of Django.
"""

import argparse
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

USER, DATABASE = "cards", "nine_tables"
STARTS_WITHIN = 60  # seconds; after a loss of power it reads its log first
NO_ROOT = ("postgres", "nobody")  # users it runs as where root starts it: it refuses to run as root
OF_TESTS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "60"}


class NoServer(Exception):
    """The server can't be started: the message says why, and what to do."""


def programs() -> Path:
    """The folder of the newest PostgreSQL's programs. Raises NoServer where there is none."""
    folders = [folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if (folder / "initdb").exists()]
    if folders:
        return max(folders, key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0)
    if there := shutil.which("initdb"):
        return Path(there).resolve().parent
    raise NoServer("PostgreSQL isn't installed: apt-get install --no-install-recommends postgresql")


def _unprivileged_user() -> dict[str, Any]:
    """Arguments of `subprocess` by which a program runs as somebody who isn't root."""
    if os.geteuid() != 0:
        return {}
    for name in NO_ROOT:
        with suppress(KeyError):
            who = pwd.getpwnam(name)
            return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
    raise NoServer("PostgreSQL refuses to run as root, and there is no other user: make one called postgres.")


def _make_data(folder: Path, who: Mapping[str, Any]) -> str:
    """Make the server's data in a folder, unless they are there. Returns the password.

    Others can't read the folder; where the server is another user than root, it can pass through to its data.
    """
    data, key = folder / "data", folder / "password"
    ours = [folder, *(place for place in folder.parents if not place.exists())]
    if who and (folder.parent / "secret-key").exists():  # the site's folder of data
        ours.append(folder.parent)
    folder.mkdir(parents=True, exist_ok=True)
    for place in ours:
        place.chmod(0o711 if who else 0o700)
    if not (data / "PG_VERSION").exists():
        shutil.rmtree(data, ignore_errors=True)  # left by a start that was broken off
        data.mkdir(mode=0o700)
        key.touch(mode=0o600)
        key.write_text(secrets.token_urlsafe(24))
        if who:
            for mine in (data, key):
                os.chown(mine, who["user"], who["group"])
        asked = ["-D", str(data), "-U", USER, "--pwfile", str(key), "--auth", "scram-sha-256"]
        _run([programs() / "initdb", *asked, "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"], who)
    version = (data / "PG_VERSION").read_text().strip()
    if version != (has := programs().parent.name) and has.isdigit():
        raise NoServer(
            f"The data in {data} are of PostgreSQL {version}; here is {has}. Install postgresql-{version}, move them "
            "into an SQLite database there (docs/hosting.md), then start anew."
        )
    return key.read_text()


def _run(command: Sequence[Path | str], who: Mapping[str, Any], **more: Any) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd="/", check=False, **who, **more
    )
    if done.returncode:
        raise NoServer(f"{Path(command[0]).name} failed: {done.stderr.strip()}")
    return str(done.stdout).strip()


def _require_reachable(folder: Path, who: Mapping[str, Any]) -> None:
    """Raises NoServer where the server's user can't enter the folder, for instance below somebody's home."""
    tried = subprocess.run(["test", "-x", str(folder)], cwd="/", check=False, **who)
    if tried.returncode:
        raise NoServer(
            f"PostgreSQL, which doesn't run as root, can't get into {folder}. Name a folder that others can enter, "
            "with VAR_DIR=/srv/cards for example, or run this as somebody else than root."
        )


def _refuse_running(data: Path) -> None:
    """Raises NoServer while another server has the data open."""
    try:
        process = int((data / "postmaster.pid").read_text().split()[0])
        os.kill(process, 0)
    except (OSError, ValueError, IndexError):
        return
    if "postgres" in Path(f"/proc/{process}/cmdline").read_text(errors="replace"):
        raise NoServer(
            f"A PostgreSQL has {data} open already, process {process}. "
            f"End the other ./dev run; or, where there is none any more: kill -INT {process}"
        )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@contextmanager
def running(folder: Path, *, settings: Mapping[str, str] = {}) -> Iterator[str]:
    """Runs a server on the data in `folder` within the block, which are made where there are none. Gives its
    DATABASE_URL. Raises NoServer where it isn't installed, or doesn't start."""
    folder, who, port = folder.absolute(), _unprivileged_user(), free_port()
    password = _make_data(folder, who)
    _require_reachable(folder / "data", who)
    _refuse_running(folder / "data")
    listening = {"listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": "", **settings}
    options = [part for name, value in listening.items() for part in ("-c", f"{name}={value}")]
    with (folder / "log").open("ab") as written:
        (folder / "log").chmod(0o600)
        process = subprocess.Popen(
            [str(programs() / "postgres"), "-D", str(folder / "data"), *options],
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            cwd="/",
            start_new_session=True,  # so that Ctrl-C reaches only the command: the server is stopped after it
            **who,
        )
    try:
        _wait_until_ready(process, port=port, password=password, log=folder / "log", who=who)
        yield f"postgres://{USER}:{password}@127.0.0.1:{port}/{DATABASE}"
    finally:
        process.send_signal(signal.SIGINT)  # "fast": open connections are cut off, nothing is lost
        process.wait()


def _wait_until_ready(
    process: subprocess.Popen[bytes], *, port: int, password: str, log: Path, who: Mapping[str, Any]
) -> None:
    asked = ["-h", "127.0.0.1", "-p", str(port), "-U", USER]
    until = monotonic() + STARTS_WITHIN
    while subprocess.run(
        [str(programs() / "pg_isready"), "-q", *asked, "-d", "postgres"], cwd="/", check=False
    ).returncode:
        if process.poll() is not None or monotonic() > until:
            raise NoServer("\n".join(["PostgreSQL doesn't start:", *log.read_text(errors="replace").splitlines()[-5:]]))
        sleep(0.05)
    known = {**os.environ, "PGPASSWORD": password}
    there = f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"
    if not _run([programs() / "psql", *asked, "-XAtqc", there, "postgres"], who, env=known):
        _run([programs() / "createdb", *asked, DATABASE], who, env=known)


def main(arguments: Sequence[str]) -> int:
    """Run a command with a server of its own. Returns the command's exit status; 1 without a server."""
    parser = argparse.ArgumentParser(prog="postgres")
    parser.add_argument("--for-tests", action="store_true", help="in a new folder below FOLDER, which goes with it")
    parser.add_argument("folder", type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args(arguments)
    made = Path(asked.folder) / f"nine-tables-postgres-{os.getpid()}" if asked.for_tests else Path(asked.folder)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # as by Ctrl-C, so that the server is stopped
    try:
        if asked.for_tests:
            made.mkdir()
        with running(made, settings=OF_TESTS if asked.for_tests else {}) as url:
            return _run_beside_server(asked.command, {**os.environ, "DATABASE_URL": url})
    except NoServer as refused:
        print(refused, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if asked.for_tests:
            shutil.rmtree(made, ignore_errors=True)


def _run_beside_server(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the command and wait for its end, even when both are stopped, since it needs the server until then."""
    child = subprocess.Popen(command, env=environment)

    def pass_on(number: int, frame: object) -> None:
        child.send_signal(number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, pass_on)
    signal.signal(signal.SIGINT, lambda number, frame: None)  # the terminal sends it to the command too
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
