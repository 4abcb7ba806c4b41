"""The next number of what is numbered within something else: entries of an event, versions of a draw or a cut."""

from __future__ import annotations

from typing import Any

from django.db.models import Manager, Max, QuerySet


def next_number(numbered: Manager[Any] | QuerySet[Any], field: str = "number") -> int:
    """One more than the highest so far; 1 for the first."""
    return 1 + (numbered.aggregate(highest=Max(field))["highest"] or 0)
