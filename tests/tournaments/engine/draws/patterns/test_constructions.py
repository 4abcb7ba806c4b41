"""Draws by construction: nobody meets again, and where there is none it is said so."""

from itertools import pairwise

import pytest

from tests.tournaments.engine.draws.test_rotation import repeats
from tournaments.engine.draws.patterns import array, field, field_of, movement, starter
from tournaments.engine.rounds import SeatedRound
from tournaments.engine.verify import faults


@pytest.mark.daily(7)
@pytest.mark.parametrize("tables", [4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49])
def test_fields_repeat_nothing(tables):
    longest = tables + (tables % 4 == 0)
    assert clean(tables, field(tables, longest))
    assert field(tables, longest + 1) is None


@pytest.mark.parametrize(("tables", "rounds"), [(6, 7), (7, 9), (8, 9), (9, 11), (10, 10)])
def test_starters_repeat_nothing(tables, rounds):
    assert clean(tables, starter(tables, rounds))
    assert starter(tables, rounds + 1) is None


@pytest.mark.parametrize("tables", [10, 12, 14, 15, 18, 20, 33, 50])
def test_arrays_repeat_nothing_for_eight_rounds(tables):
    assert clean(tables, array(tables, 8))


def clean(tables, seatings):
    rounds = [
        SeatedRound(tuple(((s[i], s[i + 1]), (s[i + 2], s[i + 3])) for i in range(0, 4 * tables, 4))) for s in seatings
    ]
    return faults(rounds, range(4 * tables), everyone=True) == () and repeats(rounds) == (0, 0, 0)


@pytest.mark.parametrize(("tables", "rounds"), [(5, 5), (7, 7), (8, 4), (9, 3), (10, 5), (12, 4), (25, 25), (50, 25)])
def test_the_classical_movement_is_used_as_long_as_nobody_meets_again(tables, rounds):
    """North stays, South goes down one table, East up one, West up two."""
    seatings = movement(tables, rounds)
    assert clean(tables, seatings)
    for before, after in pairwise(seatings):
        for t in range(tables):
            north, south, east, west = before[4 * t : 4 * t + 4]
            places = [after.index(person) for person in (north, south, east, west)]
            assert [place // 4 for place in places] == [t, (t - 1) % tables, (t + 1) % tables, (t + 2) % tables]
            assert [place % 4 for place in places] == [0, 1, 2, 3]
    assert movement(tables, rounds + 1) is None


@pytest.mark.parametrize(
    ("make", "tables", "size", "rounds"),
    [
        (field, 9, 6, 9),  # fifty-four at nine sixes
        (field, 7, 6, 7),
        (field, 64, 3, 64),
        (field, 5, 5, 6),
        (starter, 6, 6, 3),
        (starter, 8, 6, 7),
        (starter, 10, 6, 7),
        (starter, 6, 5, 6),
        (array, 12, 6, 8),
        (array, 14, 6, 8),
    ],
)
def test_tables_of_other_sizes_repeat_nothing_either(make, tables, size, rounds):
    seatings = make(tables, rounds, size=size)
    assert len(seatings) == rounds
    rounds_ = [
        SeatedRound(tuple(tuple((p,) for p in s[i : i + size]) for i in range(0, size * tables, size)))
        for s in seatings
    ]
    assert faults(rounds_, range(size * tables), sides=(1,) * size, everyone=True) == ()
    assert repeats(rounds_) == (0, 0, 0)


def test_there_is_no_field_of_one_and_none_of_six():
    assert field_of(1) is None
    assert field_of(6) is None
    assert field_of(4) is not None


def test_an_array_that_there_is_not_is_given_up():
    """Five columns whose differences are all distinct need more than four tables; for ten the search is cut off."""
    assert array(4, 5) is None
    assert array(10, 10) is None
