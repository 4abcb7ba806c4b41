"""Workers for tests: here, until nothing waits; or a process of their own, on the test's own database."""

import os
import subprocess
import sys
from contextlib import contextmanager
from time import monotonic, sleep

import pytest
from django.conf import settings
from django.db import connection
from django_tasks_db.management.commands import db_worker

from clubsite.jobs.worker import make_worker, requeue_and_enqueue
from tests.tooling.tree import ROOT

PATIENCE = 180  # seconds for what another process does on a machine that may be busy with others


def work():
    requeue_and_enqueue()
    with pytest.MonkeyPatch.context() as in_a_transaction:
        in_a_transaction.setattr(db_worker, "close_old_connections", lambda: None)
        make_worker("here", batch=True).run()


@contextmanager
def worker_process(*arguments):
    """A worker as `./dev run` starts it. The test's data must be committed."""
    if connection.vendor != "sqlite":
        pytest.skip("the address of this server's test database isn't known to another process")
    environment = {**os.environ, "VAR_DIR": str(settings.VAR_DIR)}
    environment["DATABASE_URL"] = f"sqlite:///{connection.settings_dict['NAME']}"
    command = [sys.executable, str(ROOT / "manage.py"), "worker", "--interval=0.1", "--nice=0", *arguments]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def until(true):
    before = monotonic()
    while not true():
        assert monotonic() < before + PATIENCE, f"waited for {PATIENCE} seconds"
        sleep(0.05)
