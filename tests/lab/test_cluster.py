"""The trial of several hosts: what it counts, what its files say, that it leaves nothing behind."""

import os
import signal
import sys
from dataclasses import replace

import pytest

from lab.benchmarks.cluster.parts import is_running, open_trial_folder, wait_until
from lab.benchmarks.cluster.trial import ClusterOutcome, Killed, as_text, count_costs
from lab.benchmarks.crash.people import Ledger


def test_what_a_fault_costs_is_told():
    """Of what was acknowledged while it lasted, and what people were answered otherwise."""
    ledger = Ledger(deals={"a": (1, 1, [2, 3])}, wrong=["502 Bad Gateway ", "409 Somebody else was first "])
    ledger.taken = [(1.0, 2.0), (2.5, 3.0), (3.0, 8.5), (9.5, 9.6)]
    ledger.answers = [(2.0, 302), (4.0, 503), (5.0, 0), (6.0, 503), (9.6, 503)]
    outcome = ClusterOutcome(faults=[Killed("a web host", 1.0, 9.0)], deals=1, on_standby=1, prints=1)
    count_costs(outcome, ledger)
    (fault,) = outcome.faults
    assert (fault.acknowledged, fault.away, fault.longest) == (3, 5.5, 5.5)
    assert fault.statuses == {0: 1, 503: 2}
    assert outcome.refused == ["409 Somebody else was first "]
    assert not outcome.holds
    outcome.refused = []
    assert outcome.holds
    assert "does NOT hold" in as_text(replace(outcome, wrong=["deal (1, 1) was acknowledged and isn't there"]))


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
