"""While a backup is being restored nothing is saved: forms get a page with what they sent, scripts keep it. For a while
afterwards every page says that a backup was restored.

This is in the cache and not in the database, so that it can be read while the database is replaced. The database's own
lock keeps writers out; here people read why.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from time import sleep
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from clubsite.error_pages import Trouble, trouble_page
from clubsite.operations.databases import BackupRefused

RESTORING, RESTORED = "backups:restoring", "backups:restored"
LONGEST = 120  # seconds after which a restore that died is forgotten; the database refuses writers as long as it takes
SHOWN_FOR = 30 * 60  # seconds for which every page says that it is done


@contextmanager
def restoring(then: datetime) -> Iterator[Callable[[Mapping[int, list[str]]], None]]:
    """Accept no forms within the block, in which a backup of the time `then` is restored. Gives a function to call when
    that is done, with the notes for each club's desk. Raises BackupRefused while somebody else restores one."""
    if not cache.add(RESTORING, {"then": then, "done": False}, timeout=LONGEST):
        raise BackupRefused(_("Somebody is already restoring a backup. Wait a minute, then check again."))
    notes: list[Mapping[int, list[str]]] = []
    try:
        yield notes.append
    finally:
        end_restoring()
        if notes:  # last, as the cache was emptied with the pages in it
            cache.set(RESTORED, {"then": then, "done": True, "notes": notes[0]}, timeout=SHOWN_FOR)


def end_restoring() -> None:
    """After a restore, or at a start, where one may have been killed."""
    for _try in range(100):
        with suppress(PermissionError):  # on Windows, while a request reads it
            cache.delete(RESTORING)
            return
        sleep(0.01)


def restore_notice(request: HttpRequest) -> dict[str, Any]:
    """Template context: `restored` for every page, and notes for the club's desk. No query."""
    restored = cache.get(RESTORING) or cache.get(RESTORED)
    club = getattr(request, "club", None)
    return {"restored": restored, "desk_notes": restored.get("notes", {}).get(club.pk) if restored and club else None}


class Maintenance(MiddlewareMixin):
    """Middleware: refuses forms while a backup is being restored."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.method == "POST" and cache.get(RESTORING):
            return trouble_page(request, Trouble.RESTORING)
        return None
