"""The worker beside the web: started again when it dies, with longer pauses, and ended with the web."""

import os
import signal
import subprocess
import sys
import time

from clubsite.serving.__main__ import WorkerProcess
from tests.tooling.tree import ROOT

DIES = "import sys; open(sys.argv[1], 'a').write('x'); sys.exit(3)"
LIVES = "import sys, time; open(sys.argv[1], 'a').write('x'); time.sleep(60)"


def until(told, times):
    """Wait until the process was started so often."""
    for _try in range(400):
        if told.exists() and len(told.read_text()) >= times:
            return
        time.sleep(0.05)
    raise AssertionError(f"started {told.read_text() if told.exists() else 'never'}")


def test_a_process_that_dies_is_started_again_with_longer_pauses(tmp_path):
    said = []
    worker = WorkerProcess([sys.executable, "-c", DIES, str(tmp_path / "told")], say=said.append, first=0.01)
    worker.start()
    until(tmp_path / "told", 4)
    worker.stop()
    starts = len((tmp_path / "told").read_text())
    time.sleep(0.3)
    assert len((tmp_path / "told").read_text()) == starts
    assert said[0] == "The worker ended (status 3); starting it again in 0 s."
    assert worker.thread.is_alive() is False


def test_one_that_is_killed_is_started_again_and_ends_when_the_web_does(tmp_path):
    said = []
    worker = WorkerProcess([sys.executable, "-c", LIVES, str(tmp_path / "told")], say=said.append, first=0.01)
    worker.start()
    until(tmp_path / "told", 1)
    first = worker.process
    os.kill(first.pid, signal.SIGKILL)
    until(tmp_path / "told", 2)
    second = worker.process
    assert second.pid != first.pid
    worker.stop()
    assert second.poll() == -signal.SIGTERM
    assert said == ["The worker ended (signal 9); starting it again in 0 s."]


def test_at_ctrl_c_the_worker_does_not_end_by_itself_first(tmp_path):
    """The terminal sends the signal to the whole group of processes, and the web first finishes its answers."""
    program = f"""
import signal, sys, time
from clubsite.serving.__main__ import WorkerProcess
worker = WorkerProcess([sys.executable, "-c", {LIVES!r}, {str(tmp_path / "told")!r}], say=print)
signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background, it is ignored
worker.start()
try:
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
finally:
    worker.stop()
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as web:
        until(tmp_path / "told", 1)
        os.killpg(web.pid, signal.SIGINT)
        said, _nothing = web.communicate(timeout=30)
    assert said == ""
