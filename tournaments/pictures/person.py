"""A person's season: the place on each night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubsite.charts import Chart, Series, places_chart
from scoring.templatetags.figures import points

FEWEST_NIGHTS = 2  # nights without which there is nothing to see
MOST = 24  # the newest that are drawn


@dataclass(frozen=True, slots=True)
class PersonNight:
    """One night: what it is called (its date), the place and of how many, the points; no place for a night
    away, or without a result yet."""

    label: str
    place: int | None
    of: int
    points: int | None


def person_chart(nights: Sequence[PersonNight]) -> Chart | None:
    """The picture of a person's places, and of the last place of each night beside it, in the order given: the newest
    `MOST` nights. None before the second night that they came to. The points stand in the text twin."""
    nights = nights[-MOST:]
    if sum(night.place is not None for night in nights) < FEWEST_NIGHTS:
        return None
    return places_chart(
        [
            Series(_("Place"), tuple(night.place for night in nights), lit=True),
            Series(_("Players"), tuple(night.of or None for night in nights)),
        ],
        [night.label for night in nights],
        more=[(_("Points"), tuple(points(night.points) for night in nights))],
    )
