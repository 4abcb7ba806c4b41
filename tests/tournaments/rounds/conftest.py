"""A club night, nobody there yet."""

import pytest

from tests.tournaments.nights import make_night


@pytest.fixture
def event(club, rules_for):
    return make_night(club, rules_for("st-hilary-v3"))
