"""The worker of `./dev run`: started again when it dies, and ended with the web."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic

FIRST_PAUSE = 1.0  # seconds before the process is started again ...
LONGEST_PAUSE = 60.0  # ... doubled each time, up to these
WELL = 120.0  # seconds; after a process that lived so long the pause is the first again
ENDS_WITHIN = 15.0  # seconds; a process that hasn't ended by then is killed


class WorkerProcess:
    """Keeps a command running until `stop`; `say` gets a sentence each time that it ended by itself."""

    def __init__(self, command: Sequence[str], *, say: Callable[[str], object], first: float = FIRST_PAUSE) -> None:
        self.command, self.say, self.first = command, say, first
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
        # In a group of its own: Ctrl-C in the terminal reaches the web alone, which then ends the worker.
        self.process = subprocess.Popen(self.command, process_group=0)  # noqa: S603  (our own command)

    def _keep(self) -> None:
        pause = self.first
        while self.process is not None:
            began = monotonic()
            status = self.process.wait()
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
