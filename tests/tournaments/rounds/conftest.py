"""A club night, nobody there yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clubsite.accounts.models import Club
from scoring.models import HouseRules
from tests.tournaments.nights import make_night
from tournaments.models import Event


@pytest.fixture
def event(club: Club, rules_for: Callable[[str], HouseRules]) -> Event:
    return make_night(club, rules_for("st-hilary-v3"))
