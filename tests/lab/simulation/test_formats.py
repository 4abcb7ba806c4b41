"""Formats tried with people of known skill: what is counted, and that skill and luck do what they say."""

from fractions import Fraction
from random import Random

import pytest

from lab.simulation.formats import (
    USUAL,
    ByContest,
    ByFormat,
    ContestSeating,
    EventPlayed,
    Luck,
    Rotating,
    TrialStage,
    count_event,
    play_events,
    skills,
)
from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import RoundRobin, Swiss, TeamMatch
from tournaments.engine.rounds import SeatedRound

POINTS = ("points", "games-won")
SURE = Luck(edge=99)
ROTATION = Rotating(draw_rotation(Afternoon(range(1, 13), 6), seed=1, steps=2000).rounds, POINTS)
NINE = ByContest((TrialStage(9, 3, "overall", 6), TrialStage(6, 3)), ContestSeating(), POINTS)


@pytest.mark.parametrize(
    "way",
    [ROTATION, NINE, ByFormat(KnockOut(), ("reached", "points")), ByFormat(RoundRobin(), ("games-won", "points"))],
)
def test_the_same_seed_gives_the_same_figures_and_skill_tells(way):
    people = 9 if way is NINE else 12
    usual = play_events(way, people, count=60, seed=1)
    assert usual == play_events(way, people, count=60, seed=1) != play_events(way, people, count=60, seed=2)
    assert (usual.events, usual.people, usual.refused) == (60, people, 0)
    sure = play_events(way, people, count=60, seed=1, luck=SURE)
    assert sure.best_wins > usual.best_wins
    assert sure.best_in_top >= sure.best_wins


def test_where_everybody_meets_everybody_and_luck_hardly_counts_the_best_side_wins():
    sure = play_events(ByFormat(RoundRobin(legs=3), ("games-won", "points")), 12, count=60, seed=1, luck=SURE)
    assert sure.best_wins > Fraction(3, 4)
    assert sure.best_in_top > Fraction(9, 10)


def test_what_is_counted_of_one_event():
    seats = SeatedRound((((1, 2), (3, 4)),), (5,)), SeatedRound((((1, 3), (2, 5)),), (4,))
    told = count_event(EventPlayed(((3,), (1,), (2,), (5,), (4,)), seats), {1: 0.0, 2: 2.0, 3: 1.0, 4: -1.0, 5: 0.5})
    assert (bool(told.first), bool(told.in_top)) == (False, True)  # 2 is the best one and comes third
    assert told.met == 2 * 9  # ten pairs but 4 and 5
    assert told.again == 2 * 3  # 1, 2 and 3 meet twice


def test_an_event_that_cannot_go_on_is_told():
    told = play_events(
        ByFormat(Swiss(rounds=6), ("games-won",)), 8, count=3, seed=1
    )  # four sides: three rounds at most
    assert told.refused == 3


def test_the_order_of_a_contest_is_that_of_its_final_table():
    stages = (TrialStage(54, 4, "group", 18), TrialStage(18, 4, "group", 6), TrialStage(6, 4))
    people = skills(range(1, 55), Random(1))
    played = ByContest(stages, ContestSeating(), ("points",)).play(people, USUAL, rng=Random(2))
    assert len(set(played.order)) == 6
    assert {person for side in played.order for person in side} == set(played.rounds[-1].seated)
    assert [len(one.tables) for one in played.rounds] == [18] * 4 + [6] * 4 + [2] * 4


def test_a_match_of_two_clubs_is_tried_with_as_many_sides_of_each():
    told = play_events(ByFormat(TeamMatch(rounds=2), ("points",)), 8, count=3, seed=1)
    assert (told.events, told.refused) == (3, 0)
