"""The worker beside the web: started again when it dies, with longer pauses, and ended with the web."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from clubsite.serving.beside import Beside

DIES = "import sys; open(sys.argv[1], 'a').write('x'); sys.exit(3)"
LIVES = "import sys, time; open(sys.argv[1], 'a').write('x'); time.sleep(60)"


def until(told: Path, times: int) -> None:
    """Wait until the process was started so often."""
    for _try in range(400):
        if told.exists() and len(told.read_text()) >= times:
            return
        time.sleep(0.05)
    raise AssertionError(f"started {told.read_text() if told.exists() else 'never'}")


def test_a_process_that_dies_is_started_again_with_longer_pauses(tmp_path: Path) -> None:
    said: list[str] = []
    beside = Beside([sys.executable, "-c", DIES, str(tmp_path / "told")], say=said.append, first=0.01)
    beside.start()
    until(tmp_path / "told", 4)
    beside.stop()
    starts = len((tmp_path / "told").read_text())
    time.sleep(0.3)
    assert len((tmp_path / "told").read_text()) == starts
    assert said[0] == "The worker ended (status 3); it is started again in 0 s."
    assert beside.thread.is_alive() is False


def test_one_that_is_killed_is_started_again_and_ends_when_the_web_does(tmp_path: Path) -> None:
    said: list[str] = []
    beside = Beside([sys.executable, "-c", LIVES, str(tmp_path / "told")], say=said.append, first=0.01)
    beside.start()
    until(tmp_path / "told", 1)
    first = beside.process
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    until(tmp_path / "told", 2)
    second = beside.process
    assert second is not None
    assert second.pid != first.pid
    beside.stop()
    assert second.poll() == -signal.SIGTERM
    assert said == ["The worker ended (signal 9); it is started again in 0 s."]
