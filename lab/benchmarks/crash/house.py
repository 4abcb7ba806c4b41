"""The site's processes (a "house"): the web, a worker, and one backup after another. They are killed and started
again."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from django.conf import settings

from lab.benchmarks.cluster.parts import response_status, wait_until
from lab.postgres_server import free_port

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


@dataclass(slots=True)
class House:
    """The processes that serve one folder of data, on a port of its own; `said` is the file they write to."""

    said: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, *names: str) -> None:
        """Start those of "web", "worker", "backups" that don't run, and wait until the web answers."""
        for name in names or ("web", "worker", "backups"):
            if name not in self.running or self.running[name].poll() is not None:
                self._start(name)
        self.wait_for_answer()

    def _start(self, name: str) -> None:
        arguments, more = {
            "web": (["-m", "clubsite.serving.web"], {"HOST": "127.0.0.1", "PORT": str(self.port)}),
            "worker": ([str(settings.BASE_DIR / "manage.py"), "worker", "--interval", "0.2"], {}),
            "backups": (["-c", BACKUPS], {"BACKUPS_KEPT": "5"}),
        }[name]
        usual = {"VAR_DIR": str(settings.VAR_DIR), "DJANGO_SETTINGS_MODULE": "clubsite.settings", "TASKS_APART": "on"}
        with self.said.open("ab") as said:
            self.running[name] = subprocess.Popen(
                [sys.executable, *arguments],
                env={**os.environ, **usual, **more, **self.environment},
                cwd=settings.BASE_DIR,
                stdout=said,
                stderr=said,
                start_new_session=True,  # so that it can be killed with its descendants, and nothing else
            )

    def wait_for_answer(self) -> None:
        page = partial(response_status, self.port, "/kept/no-network/", patience=20)
        wait_until(page, seconds=PATIENCE, what=f"The site, which writes to {self.said}, answered", every=0.05)

    def kill(self, *names: str) -> None:
        for name in names:
            process = self.running.pop(name, None)
            if process is None:
                continue
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def close(self) -> None:
        self.kill(*list(self.running))
