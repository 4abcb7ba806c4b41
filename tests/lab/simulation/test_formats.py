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
    Figures,
    Luck,
    Rotating,
    TrialStage,
    counted,
    skills,
    tried,
)
from tournaments.engine.draws.rotation import Afternoon, rotation
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import RoundRobin, Swiss, TeamMatch
from tournaments.engine.rounds import SeatedRound

POINTS = ("points", "games-won")
SURE = Luck(edge=99)
ROTATION = Rotating(rotation(Afternoon(range(1, 13), 6), seed=1, steps=2000).rounds, POINTS)
NINE = ByContest((TrialStage(9, 3, "overall", 6), TrialStage(6, 3)), ContestSeating(), POINTS)


@pytest.mark.parametrize(
    "way",
    [ROTATION, NINE, ByFormat(KnockOut(), ("reached", "points")), ByFormat(RoundRobin(), ("games-won", "points"))],
)
def test_the_same_seed_gives_the_same_figures_and_skill_tells(way):
    people = 9 if way is NINE else 12
    usual = tried(way, people, count=60, seed=1)
    assert usual == tried(way, people, count=60, seed=1) != tried(way, people, count=60, seed=2)
    assert (usual.events, usual.people, usual.refused) == (60, people, 0)
    sure = tried(way, people, count=60, seed=1, luck=SURE)
    assert sure.best_wins > usual.best_wins
    assert sure.best_in_top >= sure.best_wins


def test_where_everybody_meets_everybody_and_luck_hardly_counts_the_best_side_wins():
    sure = tried(ByFormat(RoundRobin(legs=3), ("games-won", "points")), 12, count=60, seed=1, luck=SURE)
    assert sure.best_wins > Fraction(3, 4)
    assert sure.best_in_top > Fraction(9, 10)


def test_games_against_each_other_decide_where_the_chain_says_so():
    match = ByFormat(RoundRobin(legs=3), ("head-to-head",))
    assert tried(match, 4, count=60, seed=1, luck=SURE).best_wins > Fraction(9, 10)


def test_what_is_counted_of_one_event():
    seats = SeatedRound((((1, 2), (3, 4)),), (5,)), SeatedRound((((1, 3), (2, 5)),), (4,))
    told = counted(EventPlayed(((3,), (1,), (2,), (5,), (4,)), seats), {1: 0.0, 2: 2.0, 3: 1.0, 4: -1.0, 5: 0.5})
    assert (bool(told.first), bool(told.in_top)) == (False, True)  # 2 is the best one and comes third
    assert told.met == 2 * 9  # ten pairs but 4 and 5
    assert told.again == 2 * 3  # 1, 2 and 3 meet twice


def test_partners_all_along_don_t_meet_each_other():
    told = counted(
        EventPlayed(((1, 2), (3, 4)), (SeatedRound((((1, 2), (3, 4)),)),) * 2), {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.0}
    )
    assert told.first
    assert (told.met_each, told.again_each) == (Fraction(2), Fraction(2))


def test_figures_of_more_events_add_up():
    first, second = (tried(ROTATION, 12, count=20, seed=seed) for seed in (1, 2))
    both = first + second
    assert (both.events, both.people) == (40, 12)
    assert both.best_wins == (first.best_wins + second.best_wins) / 2
    assert Figures() + first == first
    assert (Figures().best_wins, Figures().met_each) == (Fraction(0), Fraction(0))


def test_an_event_that_cannot_go_on_is_told():
    told = tried(ByFormat(Swiss(rounds=6), ("games-won",)), 8, count=3, seed=1)  # four sides: three rounds at most
    assert told.refused == 3


def test_the_better_of_two_wins_as_often_as_the_edge_says():
    rng = Random(1)
    for edge in (60, 80):
        won = sum(points[0] > points[1] for points in (Luck(edge).points((1.0, 0.0), rng) for _ in range(4000)))
        assert abs(won / 4000 - edge / 100) < 0.03


def test_points_go_to_the_target_and_never_below_zero():
    rng = Random(1)
    for _game in range(200):
        points = USUAL.points((3.0, 0.0, -3.0), rng)
        assert max(points) == USUAL.target
        assert min(points) >= 0


def test_the_order_of_a_contest_is_that_of_its_final_table():
    stages = (TrialStage(54, 4, "group", 18), TrialStage(18, 4, "group", 6), TrialStage(6, 4))
    people = skills(range(1, 55), Random(1))
    played = ByContest(stages, ContestSeating(), ("points",)).play(people, USUAL, rng=Random(2))
    assert len(set(played.order)) == 6
    assert {person for side in played.order for person in side} == set(played.rounds[-1].seated)
    assert [len(one.tables) for one in played.rounds] == [18] * 4 + [6] * 4 + [2] * 4


def test_a_match_of_two_clubs_is_tried_with_as_many_sides_of_each():
    told = tried(ByFormat(TeamMatch(rounds=2), ("points",)), 8, count=3, seed=1)
    assert (told.events, told.refused) == (3, 0)
