"""Two directors at once, each with an own connection to a real database: seats change once, and nobody sits twice."""

import pytest

from clubsite.accounts.models import Actor
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import Game
from tests.conftest import make_club
from tests.scoring.cards.test_race import (
    alone,
    at_once,
    real_database as real_database,  # a fixture
)
from tests.tournaments.nights import arrive, make_night, publish_next
from tests.tournaments.seats import at
from tournaments.errors import StepRefused
from tournaments.models import Draw, Seat
from tournaments.rounds import attendance, seat_changes
from tournaments.rounds.seat_changes import Newcomer

pytestmark = pytest.mark.django_db(transaction=True)

BY = Actor(user=None, name="Dora")


def begun():
    """Eight people at two tables, and somebody who came late."""
    club = make_club()
    night = make_night(club, adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=BY))
    arrive(night, BY, 8)
    draw = publish_next(night, BY)
    attendance.arrive(event=night, name="Lena Late", by=BY)
    return draw


def told(deed):
    def run():
        try:
            return deed().number
        except StepRefused:
            return "refused"

    return run


def takes(draw, table):
    """Lena takes the first seat of a table, as a director does who has looked at `draw`."""
    late = draw.round.stage.event.entries.get(name="Lena Late")
    return lambda: seat_changes.take_over(draw=draw, leaving=at(draw, table, 0), newcomer=Newcomer(late), by=BY)


def counted():
    """Versions, seats of the newcomer in the published one, people in it, games."""
    seats = Seat.objects.filter(draw__state=Draw.State.PUBLISHED)
    return Draw.objects.count(), seats.filter(entry__name="Lena Late").count(), seats.count(), Game.objects.count()


def test_two_directors_give_the_same_person_two_seats(real_database):
    draw = alone(begun)
    deeds = alone(lambda: [takes(draw, table) for table in (1, 2)])
    assert sorted(map(str, at_once(*map(told, deeds)))) == ["2", "refused"]
    assert alone(counted) == (2, 1, 8, 2)


def test_a_double_tap_of_two_phones_changes_once(real_database):
    draw = alone(begun)
    deed = alone(lambda: takes(draw, 1))
    assert at_once(told(deed), told(deed)) == [2, 2]
    assert alone(counted) == (2, 1, 8, 2)
