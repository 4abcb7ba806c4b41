"""Backups as the pages list them: when each was made, in words that no other of the list has, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from clubsite.backups.files import Backup
from clubsite.backups.words import REASONS

WAYS = ((False, False), (True, False), (True, True))
"""Ways of saying when a backup was made: whether with the second, and whether with its number."""


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
    told = {way: Counter(_when(one, way) for one in found) for way in WAYS}
    lines = []
    for one in found:
        way = next((way for way in WAYS if told[way][_when(one, way)] == 1), WAYS[-1])
        reason = str(REASONS.get(one.reason, one.reason))
        lines.append(Shown(one, at=_when(one, way), time=_when(one, way, name="TIME_FORMAT"), reason=reason))
    return lines


def _when(backup: Backup, way: tuple[bool, bool], *, name: str = "DATETIME_FORMAT") -> str:
    """When a backup was made, by the name of a format of the place, in one of `WAYS`."""
    seconds, numbered = way
    of_place = get_format(name)
    at = formatted(timezone.localtime(backup.made_at), of_place.replace(":i", ":i:s") if seconds else of_place)
    return _("%(at)s, number %(n)d") % {"at": at, "n": backup.number} if numbered else at
