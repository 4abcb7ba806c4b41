"""Faults of web and workers, kept for the site's owner: a row for each place, however often it fails."""

import hashlib
import traceback

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from clubsite.error_pages import find_trouble
from clubsite.paths import BASE_DIR
from clubsite.watch.logs import SECRET, current_request
from clubsite.watch.models import Fault

MOST = 100  # places that are kept; the one that failed longest ago is dropped first
LONGEST = 12_000  # characters of a trace; its end says more than its beginning
OURS = ("clubsite/", "scoring/", "tournaments/")


def store_fault(problem: BaseException, *, where: str = "") -> None:
    """`where` is the logger of a fault outside of requests. Where the database itself is at fault, only the log has
    it."""
    if find_trouble(problem) or (connection.in_atomic_block and transaction.get_rollback()):
        return
    kind, place, info, now = type(problem).__name__, _failing_place(problem) or where, current_request(), timezone.now()
    key = hashlib.sha256(f"{kind}\0{place}".encode()).hexdigest()
    trace = SECRET.sub(r"\1...", "".join(traceback.format_exception(problem)))
    fault = {
        "kind": kind[:80],
        "place": place[:200],
        "route": (info.route if info else where)[:200],
        "number": info.request if info else "",
        "trace": trace[-LONGEST:],
        "last_at": now,
        "seen_at": None,
    }
    with transaction.atomic():
        Fault.objects.get_or_create(key=key, defaults={**fault, "count": 0, "first_at": now})
        Fault.objects.filter(key=key).update(**fault, count=F("count") + 1)
        stay = Fault.objects.values_list("pk", flat=True)[:MOST]
        Fault.objects.exclude(pk__in=list(stay)).delete()


def _failing_place(problem: BaseException) -> str:
    frames = [
        (frame.filename.removeprefix(f"{BASE_DIR}/").rpartition("site-packages/")[2], frame.name)
        for frame in traceback.extract_tb(problem.__traceback__)
    ]
    ours = [frame for frame in frames if frame[0].startswith(OURS)]
    return " in ".join((ours or frames)[-1]) if frames else ""
