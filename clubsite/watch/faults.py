"""Faults of web and workers, kept for the site's owner: in the database, or in a file while the database is at fault.

Each place in the program is one row, however often it fails; there are at most `MOST` rows and `LINES` lines.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from clubsite.watch.log_lines import OURS, short, told_by, trace_of
from clubsite.watch.models import Fault
from clubsite.watch.numbers import current

MOST = 100  # places that are kept; the one that failed longest ago is dropped first
LINES = 100  # lines of the file
LONGEST = 12_000  # characters of a trace; its end tells more than its beginning
AWAY = (OperationalError, InterfaceError, InternalError)  # exceptions by which the database itself is at fault


def happened(problem: BaseException, *, where: str = "") -> dict[str, str]:
    """What is kept of a fault, by the fields of `Fault`. `where`: the logger that tells it, for one outside of
    requests."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if short(frame.filename).startswith(OURS)]
    last = next(reversed(ours or list(frames)), None)
    place = f"{short(last.filename)} in {last.name}" if last else where
    kind, told = type(problem).__name__, current()
    return {
        "key": hashlib.sha256(f"{kind}\0{place}".encode()).hexdigest(),
        "kind": kind[:80],
        "place": place[:200],
        "said": told_by(problem),
        "route": (told.route if told else where)[:200],
        "number": told.number if told else "",
        "trace": trace_of(problem)[-LONGEST:],
    }


def keep(problem: BaseException, *, where: str = "") -> None:
    """Keep a fault. Raises nothing: where neither database nor disk takes it, the log has it."""
    fault = happened(problem, where=where)
    if not _is_away(problem):
        try:
            _in_database(fault)
        except Exception as another:  # noqa: BLE001  (whatever keeps the database from taking it)
            logging.getLogger("clubsite.watch").warning("A fault isn't in the database: %s", type(another).__name__)
        else:
            return
    try:
        _in_file(fault)
    except OSError as full:
        logging.getLogger("clubsite.watch").warning("A fault is in no file: %s", full.strerror)


def unseen() -> int:
    """How many faults the owner hasn't seen, those in the file included. One query."""
    return Fault.objects.filter(seen_at=None).count() + len(in_file())


def mark_seen(*, until: datetime) -> int:
    """Mark as seen what hasn't happened again since then. Returns how many places."""
    return Fault.objects.filter(last_at__lte=until, seen_at=None).update(seen_at=timezone.now())


def in_file() -> Sequence[Mapping[str, Any]]:
    """The faults in the file, the newest first."""
    found = []
    try:
        lines = _file().read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            found.append({**json.loads(line), "at": datetime.fromisoformat(json.loads(line)["at"])})
        except (ValueError, KeyError, TypeError):  # a line cut off by a full disk
            continue
    return found[::-1]


def forget_file(*, until: datetime) -> None:
    """Delete the file, if the owner has seen all faults in it."""
    if all(line["at"] <= until for line in in_file()):
        _file().unlink(missing_ok=True)


def _is_away(problem: BaseException) -> bool:
    one: BaseException | None = problem
    while one is not None:
        if isinstance(one, AWAY):
            return True
        one = one.__cause__
    return connection.in_atomic_block and connection.needs_rollback


def _in_database(fault: Mapping[str, str]) -> None:
    now = timezone.now()
    with transaction.atomic():
        rows = Fault.objects.filter(key=fault["key"])
        if rows.update(**fault, count=F("count") + 1, last_at=now, seen_at=None):
            return
        _row, made = Fault.objects.get_or_create(key=fault["key"], defaults={**fault, "first_at": now, "last_at": now})
        if not made:  # another process made the row first
            rows.update(count=F("count") + 1, last_at=now, seen_at=None)
        stay = Fault.objects.values_list("pk", flat=True)[:MOST]
        Fault.objects.exclude(pk__in=list(stay)).delete()


def _in_file(fault: Mapping[str, str]) -> None:
    file = _file()
    try:
        before = file.read_text(encoding="utf-8").splitlines()[-LINES + 1 :]
    except FileNotFoundError:
        before = []
    line = json.dumps({"at": timezone.now().isoformat(), **fault})
    part = file.with_suffix(f".{os.getpid()}.new")
    part.write_text("\n".join([*before, line, ""]), encoding="utf-8")
    part.replace(file)


def _file() -> Path:
    return Path(settings.VAR_DIR) / "faults.jsonl"
