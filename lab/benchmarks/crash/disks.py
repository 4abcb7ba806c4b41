"""Makes disks small, full or read-only. What this machine doesn't allow raises LeftOut, with a sentence why."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lab.benchmarks.cluster.parts import tree_of
from lab.benchmarks.crash.house import House

SIZE = 48  # megabytes of the small disk


class LeftOut(Exception):
    """This machine doesn't allow the fault to be caused; the text says why."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small disk at this folder within the block. Raises LeftOut where that isn't allowed."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() or not mount or not umount:
        raise LeftOut("a small disk can be mounted by root only; see “quota” for the same without")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={SIZE}m,mode=755", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        raise LeftOut(f"no small disk can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run([umount, "--lazy", str(folder)], check=False)


def fill(filler: Path) -> None:
    """Fill the disk with one file. Called again, it fills what has become free."""
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while file.write(bytes(size)):
                    pass


def limit_files(house: House, size: int | None) -> None:
    """Let no process of a house write a file larger than `size` bytes; None: no limit."""
    for process in house.running.values():
        for pid in tree_of(process.pid):
            with suppress(ProcessLookupError, PermissionError):
                hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))


def write_protect(folder: Path, protected: bool) -> None:
    """Make the small disk at this folder read-only, or writable again."""
    mount = shutil.which("mount") or "mount"
    for _try in range(50):  # processes that were killed a moment ago may hold files yet
        done = subprocess.run([mount, "-o", f"remount,{'ro' if protected else 'rw'}", str(folder)], check=False)
        if not done.returncode:
            return
        time.sleep(0.2)
    raise LeftOut(f"{folder} can't be made read-only: something holds it")
