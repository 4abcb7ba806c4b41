"""Draws by construction: nobody meets again, and where there is none it is said so."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from tests.tournaments.engine.draws.test_rotation import repeats
from tournaments.engine.draws.patterns import (
    array_pattern,
    field_pattern,
    finals_pattern,
    galois_field,
    movement_pattern,
    starter_pattern,
)
from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.rounds import DrawWish, SeatedRound
from tournaments.engine.verify import find_faults, make_statement

FIELDS = [4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49]
STARTERS = [(6, 7), (7, 9), (8, 9), (9, 11), (10, 10)]


@pytest.mark.daily(13)
@pytest.mark.parametrize(
    ("make", "tables", "longest"),
    [
        *((field_pattern, tables, tables + (tables % 4 == 0)) for tables in FIELDS),
        *((starter_pattern, tables, rounds) for tables, rounds in STARTERS),
    ],
)
def test_fields_and_starters_repeat_nothing_as_long_as_they_are(make, tables, longest):
    assert clean(tables, make(tables, longest))
    assert make(tables, longest + 1) is None


@pytest.mark.parametrize("tables", [10, 12, 14, 15, 18, 20, 33, 50])
def test_arrays_repeat_nothing_for_eight_rounds(tables):
    assert clean(tables, array_pattern(tables, 8))


def clean(tables, seatings):
    rounds = [
        SeatedRound(tuple(((s[i], s[i + 1]), (s[i + 2], s[i + 3])) for i in range(0, 4 * tables, 4))) for s in seatings
    ]
    return find_faults(rounds, range(4 * tables), everyone=True) == () and repeats(rounds) == (0, 0, 0)


@pytest.mark.parametrize(("tables", "rounds"), [(5, 5), (7, 7), (8, 4), (9, 3), (10, 5), (12, 4), (25, 25), (50, 25)])
def test_the_classical_movement_is_used_as_long_as_nobody_meets_again(tables, rounds):
    """North stays, South goes down one table, East up one, West up two."""
    seatings = movement_pattern(tables, rounds)
    assert clean(tables, seatings)
    for before, after in pairwise(seatings):
        for t in range(tables):
            north, south, east, west = before[4 * t : 4 * t + 4]
            places = [after.index(person) for person in (north, south, east, west)]
            assert [place // 4 for place in places] == [t, (t - 1) % tables, (t + 1) % tables, (t + 2) % tables]
            assert [place % 4 for place in places] == [0, 1, 2, 3]
    assert movement_pattern(tables, rounds + 1) is None


@pytest.mark.parametrize(
    ("make", "tables", "size", "rounds"),
    [
        (field_pattern, 9, 6, 9),  # fifty-four at nine sixes
        (field_pattern, 7, 6, 7),
        (field_pattern, 64, 3, 64),
        (field_pattern, 5, 5, 6),
        (starter_pattern, 6, 6, 3),
        (starter_pattern, 8, 6, 7),
        (starter_pattern, 10, 6, 7),
        (starter_pattern, 6, 5, 6),
        (array_pattern, 12, 6, 8),
        (array_pattern, 14, 6, 8),
    ],
)
def test_tables_of_other_sizes_repeat_nothing_either(make, tables, size, rounds):
    seatings = make(tables, rounds, size=size)
    assert len(seatings) == rounds
    rounds_ = [
        SeatedRound(tuple(tuple((p,) for p in s[i : i + size]) for i in range(0, size * tables, size)))
        for s in seatings
    ]
    assert find_faults(rounds_, range(size * tables), sides=(1,) * size, everyone=True) == ()
    assert repeats(rounds_) == (0, 0, 0)


def test_there_is_no_field_of_one_and_none_of_six():
    assert galois_field(1) is None
    assert galois_field(6) is None
    assert galois_field(4) is not None


def test_an_array_that_there_is_not_is_given_up():
    """Five columns whose differences are all distinct need more than four tables; for ten the search is cut off."""
    assert array_pattern(4, 5) is None
    assert array_pattern(10, 10) is None


# Eighteen finalists at three tables of six: three games, and no pair three times at one table


PEOPLE = range(101, 119)


@pytest.mark.parametrize(("side", "opponents"), [(1, 27), (2, 0), (3, 3)])
@pytest.mark.parametrize("seed", [1, 2, 50])
def test_nobody_shares_a_table_with_the_same_person_three_times(side, opponents, seed):
    plan = draw_rotation(Afternoon(PEOPLE, 3, table=6, side=side), seed=seed)
    assert (plan.method, plan.steps) == ("stored", 0)
    assert not find_faults(plan.rounds, PEOPLE, sides=(side,) * (6 // side), everyone=True)
    said = make_statement(plan.rounds, PEOPLE)
    assert (said.table_mate.most, said.table_mate.squares, said.table_mate.repeats) == (2, 27, 27)
    assert (said.partner.repeats, said.opponent.repeats) == (0, opponents)


def test_other_numbers_are_left_to_the_search():
    assert finals_pattern(18, 2, size=6, side=3) is None
    assert finals_pattern(24, 3, size=6, side=3) is None


def test_wishes_are_met_without_a_third_meeting():
    wished = draw_rotation(
        Afternoon(PEOPLE, 3, table=6, side=2, wishes=[DrawWish("never", (101, 102))]), seed=1, steps=20_000
    )
    tables = Counter(
        frozenset(pair)
        for one in wished.rounds
        for table in one.tables
        for pair in combinations([person for side in table for person in side], 2)
    )
    assert max(tables.values()) == 2
    met = Counter(frozenset(side) for one in wished.rounds for table in one.tables for side in table)
    assert not met[frozenset((101, 102))]
