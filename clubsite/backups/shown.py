"""Backups as the pages list them: when each was made, in words that no other of the list has, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from clubsite.backups.files import Backup
from clubsite.backups.words import REASONS


@dataclass(frozen=True, slots=True)
class Shown:
    """A line of the list. `at`: when it was made; `time`: the same without the day; `reason`: why, in words."""

    backup: Backup
    at: str
    time: str
    reason: str


def shown(found: Sequence[Backup]) -> list[Shown]:
    """These backups as lines of a list. Those that the minute doesn't tell apart have the second as well, and those of
    one second their numbers."""
    ways = [_way(seconds=False, numbered=False), _way(seconds=True, numbered=False), _way(seconds=True, numbered=True)]
    told = {way: Counter(way(one, "DATETIME_FORMAT") for one in found) for way in ways}
    lines = []
    for one in found:
        way = next((way for way in ways if told[way][way(one, "DATETIME_FORMAT")] == 1), ways[-1])
        reason = str(REASONS.get(one.reason, one.reason))
        lines.append(Shown(one, at=way(one, "DATETIME_FORMAT"), time=way(one, "TIME_FORMAT"), reason=reason))
    return lines


def _way(*, seconds: bool, numbered: bool) -> Callable[[Backup, str], str]:
    """A way of saying when a backup was made, by the name of a format of the place."""

    def said(backup: Backup, name: str) -> str:
        of_place = get_format(name)
        at = formatted(timezone.localtime(backup.made_at), of_place.replace(":i", ":i:s") if seconds else of_place)
        return _("%(at)s, number %(n)d") % {"at": at, "n": backup.number} if numbered else at

    return said
