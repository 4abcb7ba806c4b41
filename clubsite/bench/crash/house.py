"""The site's processes (a "house"): the web, a worker, and one backup after another. They are killed and started
again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from django.conf import settings

BACKUPS = """
import time, django
django.setup()
from django.core.management import CommandError, call_command
while True:
    try:
        call_command("backup")
    except Exception as failed:
        print(type(failed).__name__, failed, flush=True)
    time.sleep(1)
"""
PATIENCE = 90.0  # seconds for a start on a machine that is busy


def web_command(port: int) -> tuple[list[str], dict[str, str]]:
    """How the site is served, which is written only here: arguments for Python, and environment variables."""
    if find_spec("clubsite.serving"):
        return ["-m", "clubsite.serving.web"], {"HOST": "127.0.0.1", "PORT": str(port)}
    arguments = "--preload --worker-class gthread --workers 2 --threads 4 --keep-alive 30 --no-control-socket"
    return ["-m", "gunicorn", "clubsite.wsgi", "--bind", f"127.0.0.1:{port}", *arguments.split()], {}


@dataclass(slots=True)
class House:
    """The processes that serve one folder of data, on a port of its own; `said` is the file they write to."""

    said: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    limited: Callable[[], None] | None = None  # called in each process before its program begins
    port: int = 0
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Choose a port."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def start(self, *names: str) -> None:
        """Start those of "web", "worker", "backups" that don't run, and wait until the web answers."""
        for name in names or ("web", "worker", "backups"):
            if name not in self.running or self.running[name].poll() is not None:
                self._start(name)
        self.answered()

    def _start(self, name: str) -> None:
        arguments, more = {
            "web": web_command(self.port),
            "worker": ([str(settings.BASE_DIR / "manage.py"), "worker", "--interval", "0.2"], {}),
            "backups": (["-c", BACKUPS], {"BACKUPS_KEPT": "5"}),
        }[name]
        with self.said.open("ab") as said:
            self.running[name] = self._opened([sys.executable, *arguments], said, more=more)

    def _opened(self, command: list[str], said: IO[bytes], *, more: Mapping[str, str]) -> subprocess.Popen[bytes]:
        usual = {"VAR_DIR": str(settings.VAR_DIR), "DJANGO_SETTINGS_MODULE": "clubsite.settings", "TASKS_APART": "on"}
        return subprocess.Popen(  # noqa: S603  (our own command)
            command,
            env={**os.environ, **usual, **more, **self.environment},
            cwd=settings.BASE_DIR,
            stdout=said,
            stderr=said,
            start_new_session=True,  # so that it can be killed with its descendants, and nothing else
            preexec_fn=self.limited,
        )

    def answered(self) -> float:
        """Wait until the web answers anything at all. Returns how many seconds it took."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            with suppress(OSError, HTTPException):
                ask = HTTPConnection("127.0.0.1", self.port, timeout=20)
                ask.request("GET", "/kept/no-network/")
                ask.getresponse().read()
                ask.close()
                return time.monotonic() - began
            time.sleep(0.05)
        raise TimeoutError(f"the site doesn't answer: see {self.said}")

    def kill(self, *names: str) -> None:
        """kill -9 of these processes with their descendants."""
        for name in names:
            process = self.running.pop(name, None)
            if process is None:
                continue
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill_one_of_web(self, chosen: Callable[[list[int]], int]) -> None:
        """kill -9 of one of the web's worker processes: the main process is to start another by itself."""
        if own := self.children(self.running["web"].pid):
            with suppress(ProcessLookupError):
                os.kill(chosen(own), signal.SIGKILL)

    def children(self, parent: int) -> list[int]:
        """The ids of the running processes that a process has started."""
        stats = (_read(file) for file in Path("/proc").glob("[0-9]*/stat"))
        return [int(s.split()[0]) for s in stats if s and int(s.rpartition(")")[2].split()[1]) == parent]

    def close(self) -> None:
        """End everything."""
        self.kill(*list(self.running))


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # it has ended meanwhile
        return ""
