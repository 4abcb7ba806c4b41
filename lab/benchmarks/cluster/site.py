"""The hosts of the site: two that serve pages, two that do tasks, each with a folder of its own and nothing shared."""

import os
import secrets
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings

from lab.benchmarks.cluster.database import DEPLOY, PATIENCE, Database
from lab.benchmarks.cluster.parts import ADDRESS, TrialFolder, TrialProcess, response_status, wait_until

LEFT_ALONE = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "LD_LIBRARY_PATH")


@dataclass(slots=True)
class Site:
    """Starts web hosts and workers on one database, also again after they died."""

    bench: TrialFolder
    database: Database
    secret: str

    @property
    def web_ports(self) -> tuple[int, int]:
        return self.database.ports["first_web"], self.database.ports["second_web"]

    def environment(self, host: str) -> dict[str, str]:
        """A host's environment variables: docs/deploy/cluster/environment, with a folder of its own."""
        file = self.bench.fill_in(
            Path(settings.BASE_DIR) / DEPLOY / "environment",
            f"environment-{host}",
            secret=self.secret,
            hosts=ADDRESS,
            password=self.database.password,
            address=ADDRESS,
            database_port=self.database.ports["database_port"],
            documents=self.bench.folder / "documents",
            var=self.bench.folder / host,
        )
        lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
        told = dict(line.split("=", 1) for line in lines)
        return {name: os.environ[name] for name in LEFT_ALONE if name in os.environ} | told

    def python(self, *arguments: str) -> str:
        command = [sys.executable, *arguments]
        return subprocess.check_output(command, cwd=settings.BASE_DIR, env=self.environment("desk"), text=True)

    def start_web(self, number: int) -> TrialProcess:
        told = {"HOST": ADDRESS, "PORT": str(self.web_ports[number]), "PYTHONPATH": str(settings.BASE_DIR)}
        command = [sys.executable, "-m", "clubsite.serving.web"]
        return self.bench.start(f"web-{number}", command, env=self.environment(f"web-{number}") | told)

    def start_worker(self, number: int) -> TrialProcess:
        name = f"worker-{number}"
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker"]
        return self.bench.start(name, command, env=self.environment(name))

    def wait_for_web(self, number: int) -> None:
        page = partial(response_status, self.web_ports[number], "/login/", patience=5)
        wait_until(lambda: page() == 200, seconds=PATIENCE, what=f"Web host {number} answered")


def start(bench: TrialFolder, database: Database) -> Site:
    site = Site(bench, database, secrets.token_urlsafe(50))
    site.python("manage.py", "migrate", "--verbosity", "0", "--skip-checks")
    return site
