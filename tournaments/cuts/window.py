"""How long a published cut is open to corrections: so many minutes as its club gives results."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from clubsite.accounts.models import Club
from tournaments.models import Cut
from tournaments.standings.queries import Window


def window_of_cut(cut: Cut, club: Club) -> Window | None:
    """Until when corrections to a cut are taken, counted from the publication of this version; None for a version that
    isn't the published one."""
    if cut.state != Cut.State.PUBLISHED or cut.published_at is None:
        return None
    until = cut.published_at + timedelta(minutes=club.correction_minutes)
    return Window(until, timezone.now(), late=False)
