"""Reads each file of `bombs` in a process that has 64 MB beside the program, and prints what became of it.

    python -m tests.hostile.reading [NAME ...]

prints a line of JSON for each: what kind, what is hostile in it, its bytes, "read" or the sentence that refuses it, the
seconds of the processor, the most memory in kB that it took. A fault ends with the name of its exception.
"""

import json
import os
import resource
import sys
from pathlib import Path

MEMORY = 64 * 1024 * 1024
SECONDS = 30  # of the processor; the longest takes 3 on a quiet machine


def deals(raw):
    from scoring.deal_files.importer import ON_A_PAGE, UnreadableFile, read_file
    from scoring.engine.core.ruleset import shipped_versions

    try:
        read_file(raw, shipped_versions(), limits=ON_A_PAGE)
    except UnreadableFile as no:
        return no.bad[0].words
    return "read"


def members(raw):
    from scoring import pasted_names
    from scoring.pasted_names import read_sheets
    from scoring.spreadsheets import UnreadableSpreadsheet

    try:
        listing = pasted_names.read_names(read_sheets(raw)[0].text)
    except UnreadableSpreadsheet as no:
        return str(no)
    return listing.warnings[0] if listing.warnings else "read"


def told_of(kind, name, *, raw, read):
    """What became of a file, read by a process of its own."""
    mine, its = os.pipe()
    child = os.fork()
    if child == 0:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            said = read(raw)
        except BaseException as fault:  # noqa: BLE001 - told to the test, which fails by it
            said = f"{type(fault).__name__}: {fault}"[:200]
        used = resource.getrusage(resource.RUSAGE_SELF)
        told = [said, round(used.ru_utime + used.ru_stime, 1), used.ru_maxrss - before]
        os.write(its, json.dumps(told).encode())
        os._exit(0)
    os.close(its)
    _pid, status = os.waitpid(child, 0)
    with os.fdopen(mine) as pipe:
        written = pipe.read()
    said, seconds, memory = json.loads(written) if written else (f"it ended by signal {status}", 0, 0)
    return {"kind": kind, "name": name, "bytes": len(raw), "said": said, "seconds": seconds, "memory": memory}


def main():
    import django

    django.setup()
    from tests.hostile.bombs import DEAL_FILES, LISTS

    for kind, files, read in (("deals", DEAL_FILES, deals), ("members", LISTS, members)):
        read(b"Ann")  # whatever is made once
        for name, make in files.items():
            if name in (sys.argv[1:] or files):
                print(json.dumps(told_of(kind, name, raw=make(), read=read)), flush=True)


if __name__ == "__main__":
    main()
