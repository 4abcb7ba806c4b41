"""A club with nights played for the tests of members."""

import pytest

from clubsite.accounts.models import Member
from tests.kept import made_once
from tests.tournaments.nights import arrive, make_night, play_night, play_round, publish_next
from tests.tournaments.results import make_season
from tournaments.models import Event
from tournaments.rounds import attendance


@pytest.fixture
def season(club, actor, rules_for):
    """Two closed nights of nine members, and one that is being played with a guest."""

    def build():
        rules = rules_for("st-hilary-v3")
        season = make_season(club)
        for day in (6, 13):
            play_night(make_night(club, rules, slug=f"n{day}", season=season, day=day), actor, 9, rounds=2, deals=3)
        on = make_night(club, rules, slug="on", season=season, day=20)
        arrive(on, actor, 7)
        attendance.arrive(event=on, by=actor, name="Gus Guest")
        play_round(publish_next(on, actor), actor, deals=2)
        return season

    return made_once("members", build)


@pytest.fixture
def ann(season):
    """Player 01, under a name that is nobody else's, with all that can be kept of somebody."""
    ann = Member.objects.get(club=season.club, name="Player 01")
    Member.objects.filter(pk=ann.pk).update(email="ann@example.org", telephone="555 0101", note="brings cake")
    ann.refresh_from_db()
    return ann


@pytest.fixture
def on_now(season):
    return Event.objects.get(slug="on")
