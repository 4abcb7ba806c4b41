"""The bench of seasons: what it makes is a season as any other, and its queries don't grow."""

from collections.abc import Callable
from typing import Any

import pytest

from lab.benchmarks.seasons import GUESTS, SMALL, make_season, person_speed, season_speeds
from scoring.models import HouseRules
from tournaments.seasons.table import season_tables


def test_the_queries_of_a_season_do_not_grow_with_nights_and_people(db: Any) -> None:
    speeds = season_speeds(((2, 12), (4, 12), (4, 30)), times=1)
    assert [(speed.nights, speed.people) for speed in speeds] == [(2, 12), (4, 12), (4, 30)]
    assert {speed.queries for speed in speeds} == {6}
    assert len({speed.page_queries for speed in speeds}) == 1


def test_a_season_to_measure_has_divisions_teams_and_guests(rules_for: Callable[[str], HouseRules]) -> None:
    nights, people = SMALL[-1]
    (table,) = season_tables([make_season(rules_for("st-hilary-v3"), nights, people=people)])
    assert len(table.nights) == nights
    assert [part.division for part in table.parts] == [1, 2]
    assert len(table.lines) + len(table.apart) <= people
    assert (len(table.teams), len(table.guests)) == (2, GUESTS)


@pytest.mark.parametrize(("nights", "people"), [(2, 12), (4, 24)])
def test_a_persons_figures_take_six_queries_whatever_was_played(nights: int, people: int, db: Any) -> None:
    speed = person_speed(nights, people, times=1)
    assert (speed.queries, speed.deals) == (6, nights * 3 * 6)
