"""How long a published cut is open to corrections: so many minutes as its club gives results."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from clubsite.accounts.models import Club
from tournaments.models import Cut
from tournaments.standings.queries import Window


def window_of_cut(cut: Cut, club: Club) -> Window | None:
    """From the publication of this version on, which is the first that stands: a further one has to take it back. None
    for a cut that doesn't stand."""
    if cut.state != Cut.State.PUBLISHED or cut.published_at is None:
        return None
    until = cut.published_at + timedelta(minutes=club.correction_minutes)
    return Window(until, timezone.now(), late=False)
