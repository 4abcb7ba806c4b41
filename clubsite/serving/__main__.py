"""Make everything ready and serve the site: what `nine-tables run` and `./dev run` start (`clubsite.command`).

All in one process, because loading Django takes most of the time of a start.
"""

import os
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TextIO

import clubsite.sqlite  # noqa: F401  (before Django loads sqlite3)
from clubsite import pango
from clubsite.paths import INSTALLED, default_data_folder
from clubsite.serving.desktop import RUNNING, is_running_at, open_browser, run_without_window
from clubsite.serving.web import PortTaken, listen_at, read_place, run_or_explain, serve


def main(*, browser: bool = False, window: bool = True) -> int:
    """Serve the site until it is stopped; `browser`: open it there; without a `window`, a log and a page are in place
    of the console. Returns the exit status."""
    if window:
        return run_or_explain(lambda: _make_ready_and_serve(opens="" if browser else None))
    folder = Path(os.environ.get("VAR_DIR") or default_data_folder())
    return run_without_window(lambda log: _make_ready_and_serve(opens=RUNNING if browser else None, log=log), folder)


def make_ready() -> None:
    """Make or migrate the tables, after a backup; build the static files; print warnings and, in an empty install, the
    code."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import DatabaseError, connections

    django.setup()
    if INSTALLED:
        sys.stdout.write(f"Data is kept in {settings.VAR_DIR}\n")
    Thread(target=pango.warn, daemon=True).start()  # looks for a second, which nobody needs to wait for
    call_command("ready")
    try:
        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("start_code")  # prints something only in an empty install
    except (OSError, DatabaseError) as refused:
        raise SystemExit(
            f"Not all that a start writes could be written to {settings.VAR_DIR} ({refused}). Nothing is lost. Make "
            "room there, and see that its files belong to you; then start again."
        ) from refused
    connections.close_all()


def _make_ready_and_serve(*, opens: str | None, log: TextIO | None = None) -> None:
    """Serve with a worker process beside it, where tasks are left to workers (`TASKS_APART`).

    The browser opens the page `opens`, also where the site runs already. What the worker writes goes into the `log`.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    place = read_place(os.environ)
    try:
        listening = listen_at(place)  # before anything is changed
    except PortTaken:
        if not is_running_at(place):
            raise
        sys.stdout.write(f"Nine Tables is running already: open {place.url}\n")
        if opens is not None:
            webbrowser.open(f"{place.url}{opens}")
        return
    if log:
        log.truncate(0)
    make_ready()
    from django.conf import settings

    from clubsite.serving import hall

    if settings.HALL or hall.was_left_open():
        hall.let_phones_in()
    worker = None
    if settings.TASKS_APART:
        command = [sys.executable, "-m", "clubsite.command", "manage", "worker", "--beside"]
        worker = WorkerProcess(command, say=lambda sentence: sys.stderr.write(f"{sentence}\n"), output=log)
        worker.start()
    if settings.HALL:
        sys.stdout.write(f"Phones in the hall open {settings.SITE_URL.rstrip('/')}/\n")
    sys.stdout.write(f"Open {place.url} (Ctrl-C stops, the data stays)\n")
    sys.stdout.flush()
    if opens is not None:
        open_browser(f"{place.url}{opens}")
    try:
        serve(listening, threads=place.threads)
    finally:
        hall.stop()
        if worker is not None:
            worker.stop()


# --- the worker: started again when it dies, and ended with the web ---

FIRST_PAUSE = 1.0  # seconds before the process is started again ...
LONGEST_PAUSE = 60.0  # ... doubled each time, up to these
WELL = 120.0  # seconds; after a process that lived so long the pause is the first again
ENDS_WITHIN = 15.0  # seconds; a process that hasn't ended by then is killed
# Windows' flags for what a process group, and `os.nice` in the worker, do elsewhere; what it starts has its priority.
OWN_GROUP_BELOW_NORMAL = sum(
    getattr(subprocess, flag, 0) for flag in ("CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
)


class WorkerProcess:
    """Keeps a command running until `stop`; `say` gets a sentence each time that it ended by itself. What it writes
    goes into `output`, or to the console."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        say: Callable[[str], object],
        first: float = FIRST_PAUSE,
        output: TextIO | None = None,
    ) -> None:
        self.command, self.say, self.first, self.output = command, say, first, output
        self.process: subprocess.Popen[bytes] | None = None
        self.told_to_stop = Event()
        self.thread = Thread(target=self._keep, name="worker", daemon=True)

    def start(self) -> None:
        self._start()
        self.thread.start()

    def stop(self) -> None:
        self.told_to_stop.set()
        if self.process is not None:
            self.process.terminate()
        self.thread.join(ENDS_WITHIN)
        if self.process is not None and self.process.poll() is None:
            self.process.kill()

    def _start(self) -> None:
        # In a group of its own: Ctrl-C in the terminal reaches the web alone, which then ends the worker. Its input is
        # open as long as the web lives.
        self.process = subprocess.Popen(  # noqa: S603  (our own command)
            self.command,
            stdin=subprocess.PIPE,
            stdout=self.output,
            stderr=self.output,
            process_group=0,
            creationflags=OWN_GROUP_BELOW_NORMAL,
        )

    def _keep(self) -> None:
        pause = self.first
        while self.process is not None:
            began = monotonic()
            status = self.process.wait()
            if self.process.stdin is not None:
                self.process.stdin.close()
            if self.told_to_stop.is_set():
                return
            if monotonic() - began > WELL:
                pause = self.first
            how = f"signal {-status}" if status < 0 else f"status {status}"
            self.say(f"The worker ended ({how}); starting it again in {pause:.0f} s.")
            if self.told_to_stop.wait(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE)
            self._start()


if __name__ == "__main__":
    sys.exit(main())
