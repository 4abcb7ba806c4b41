"""The trial of several hosts: what it counts, what its files say, that it leaves nothing behind."""

import os
import signal
import sys

import pytest

from lab.benchmarks.cluster.parts import is_running, open_trial_folder, wait_until


def test_what_was_started_is_gone_when_the_trial_ends_or_is_interrupted(tmp_path):
    inner = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, flush=True); sys.stdin.read()"

    def play():
        with open_trial_folder() as found:
            folders.append(found.folder)
            part = found.start("sleeper", [sys.executable, "-c", f"{inner}; import time; time.sleep(600)"])
            wait_until(lambda: len(part.pids) > 1, seconds=20, what="It started another")
            pids.extend(part.pids)
            os.kill(os.getpid(), signal.SIGTERM)  # as Ctrl-C, or a machine that is shut down

    pids = []
    folders = []
    with pytest.raises(KeyboardInterrupt):
        play()
    assert len(pids) > 1
    assert not [pid for pid in pids if is_running(pid)]
    assert not folders[0].exists()
