"""The verifier's counts and bounds, against figures counted once by another program on these very schedules."""

import pytest

from tournaments.engine.rounds import DrawWish, SeatedRound
from tournaments.engine.verify import RoleMeetings, SitOuts, Visits, find_faults, make_statement, wish_outcomes

AFTERNOON = (
    SeatedRound((((1, 2), (3, 4)), ((5, 6), (7, 8))), (9,)),
    SeatedRound((((1, 3), (5, 7)), ((2, 4), (6, 9))), (8,)),
    SeatedRound((((1, 2), (5, 6)), ((3, 9), (8, 7))), (4,)),
)
LATE = (  # 7 comes for the second round, 8 and 9 for the third; 4 misses the second, 6 the third
    SeatedRound((((1, 2), (3, 4)),), (5, 6)),
    SeatedRound((((1, 5), (2, 6)),), (7, 3)),
    SeatedRound((((7, 3), (4, 8)), ((1, 2), (5, 9)))),
)
SIXES = (
    SeatedRound((((1, 2, 3), (4, 5, 6)), ((7, 8, 9), (10, 11, 12)))),
    SeatedRound((((1, 4, 7), (2, 5, 8)), ((3, 6, 10), (9, 11, 12)))),
    SeatedRound((((1, 10, 8), (2, 4, 11)), ((3, 6, 7), (5, 9, 12)))),
)
MIXED = (
    SeatedRound((((1, 2), (3, 4)), ((5, 6, 7), (8, 9, 10)))),
    SeatedRound((((1, 5), (6, 8)), ((2, 3, 9), (4, 7, 10)))),
)
UNCHANGED = (SeatedRound((((1, 2), (3, 4)),), (5,)),) * 5
THREES = (
    SeatedRound((((1,), (2,), (3,)), ((4,), (5,), (6,)), ((7,), (8,), (9,)), ((10,), (11,), (12,)))),
    SeatedRound((((1,), (4,), (7,)), ((2,), (5,), (10,)), ((3,), (8,), (11,)), ((6,), (9,), (12,)))),
) * 3

# meetings, different, repeats, squares, most for a pair, pairs repeated, least repeats, least squares
NONE = (0,) * 5
EXPECTED = [
    (AFTERNOON, (12, 9, 3, 3, 2, 3, 0, 0), (24, 21, 3, 3, 2, 3, 0, 0), (36, 27, 9, 9, 2, 9, 6, 9), 9, (3, 0, 1, 0, 1)),
    (LATE, (8, 7, 1, 1, 2, 1, 0, 0), (16, 15, 1, 1, 2, 1, 0, 0), (24, 19, 5, 6, 3, 4, 1, 2), 17, (4, 0, 1, 0, 1)),
    (SIXES, (36, 33, 3, 3, 2, 3, 0, 0), (54, 39, 15, 15, 2, 15, 0, 0), (90, 56, 34, 40, 3, 28, 24, 36), 10, NONE),
    (MIXED, (16, 16, 0, 0, 1, 0, 0, 0), (26, 23, 3, 3, 2, 3, 0, 0), (42, 33, 9, 9, 2, 9, 8, 8), 12, NONE),
    (
        UNCHANGED,
        (10, 2, 8, 20, 5, 2, 0, 0),
        (20, 4, 16, 40, 5, 4, 10, 10),
        (30, 6, 24, 60, 5, 6, 20, 30),
        4,
        (5, 0, 5, 4, 0),
    ),
    (THREES, (0,) * 8, (72, 24, 48, 72, 3, 24, 6, 6), (72, 24, 48, 72, 3, 24, 6, 6), 42, NONE),
]


@pytest.mark.parametrize(
    ("rounds", "partner", "opponent", "table_mate", "never_met", "sit_outs"),
    EXPECTED,
    ids=["afternoon", "late", "sixes", "mixed", "unchanged", "threes"],
)
def test_counts_and_bounds_are_those_of_the_reference(rounds, partner, opponent, table_mate, never_met, sit_outs):
    found = make_statement(rounds, ())
    assert found.partner == RoleMeetings(*partner)
    assert found.opponent == RoleMeetings(*opponent)
    assert found.table_mate == RoleMeetings(*table_mate)
    assert found.never_met == never_met
    assert found.sit_outs == SitOuts(*sit_outs)


def test_five_tables_of_four_are_known_to_repeat_in_the_sixth_round():
    """Counting alone would allow it; Harvey's table says five rounds at most."""
    rounds = (SeatedRound(tuple(((4 * t, 4 * t + 1), (4 * t + 2, 4 * t + 3)) for t in range(5))),) * 6
    assert make_statement(rounds[:1], ()).table_mate.least_repeats == 0
    assert make_statement(rounds, ()).table_mate.least_repeats == 1


def test_rounds_that_hardly_anybody_plays_have_bounds_too():
    """Nine people: those of the only table may all sit out when the next four play, or nobody plays at all."""
    played = SeatedRound((((1, 2), (3, 4)),), (5, 6, 7, 8, 9))
    others = SeatedRound((((5, 6), (7, 8)),), (1, 2, 3, 4, 9))
    for rounds in ((played, others), (played, SeatedRound((), tuple(range(1, 10))))):
        said = make_statement(rounds, ()).table_mate
        assert (said.repeats, said.least_repeats, said.least_squares) == (0, 0, 0)


def test_no_rounds_state_nothing():
    found = make_statement((), (1, 2, 3))
    assert (found.people, found.rounds, found.table_mate.meetings, found.never_met) == (3, 0, 0, 3)


def test_sound_rounds_have_no_faults():
    assert find_faults(AFTERNOON, range(1, 10), everyone=True) == ()
    assert find_faults(SIXES, range(1, 13), sides=(3, 3), everyone=True) == ()


def test_every_fault_is_named():
    """Mrs Tully sits at two tables, a stranger at one, table 2 is one short and Mr Oakes was forgotten."""
    tully, stranger, oakes = 1, 99, 8
    bad = (SeatedRound((((tully, 2), (3, 4)), ((tully, 5), (stranger,))), (6,)),)
    found = find_faults(bad, [1, 2, 3, 4, 5, 6, oakes], everyone=True)
    assert [(code, dict(args)) for code, args in found] == [
        ("draw.twice-in-round", {"round": 1, "person": tully, "times": 2}),
        ("draw.unknown-person", {"round": 1, "person": stranger}),
        ("draw.wrong-size", {"round": 1, "table": 2, "found": "2-1", "wanted": "2-2"}),
        ("draw.left-out", {"round": 1, "person": oakes}),
    ]
    assert "draw.left-out" not in {code for code, _args in find_faults(bad, range(10))}


def test_somebody_both_seated_and_sitting_out_is_there_twice():
    bad = (SeatedRound((((1, 2), (3, 4)),), (4,)),)
    assert [code for code, _args in find_faults(bad, range(1, 5))] == ["draw.twice-in-round"]


def test_tables_of_another_size_may_be_allowed():
    assert find_faults(MIXED, range(1, 11), or_sides=[(3, 3)], everyone=True) == ()
    assert [code for code, _args in find_faults(MIXED, range(1, 11))] == ["draw.wrong-size"] * 2


def test_visits_to_tables_of_each_size_are_counted_where_there_are_several():
    """2, 3, 4 are at the four and at the six; 1 was twice at the four, 7 twice at the six."""
    assert make_statement(MIXED, ()).visits == (Visits(4, 0, 2), Visits(6, 0, 2))
    assert make_statement(SIXES, ()).visits == ()


def test_couples_are_left_out_of_what_is_counted_and_out_of_the_bounds():
    couples = [(2, 1), (3, 4)]
    said = make_statement(UNCHANGED, (), couples=couples)
    assert (said.partner.meetings, said.partner.repeats, said.partner.least_repeats) == (0, 0, 0)
    assert (said.opponent.repeats, said.table_mate.repeats) == (16, 16)
    assert said.table_mate.least_repeats <= 16
    assert said.never_met == 4, "the couples have met; only the one who sits out has met nobody"


@pytest.mark.parametrize(
    ("wish", "played", "met"),
    [
        (DrawWish("always", (1, 2)), 0, False),  # partners in the first and third round
        (DrawWish("always", (1, 2)), 2, True),
        (DrawWish("always", (1, 9)), 0, False),
        (DrawWish("never", (1, 2)), 0, False),
        (DrawWish("never", (1, 5)), 0, True),
        (DrawWish("never", (1, 2)), 3, None),
        (DrawWish("once", (1, 3)), 0, True),
        (DrawWish("once", (1, 3)), 2, True),  # among the rounds played
        (DrawWish("once", (1, 8)), 0, False),
        (DrawWish("apart", (1, 9)), 0, True),
        (DrawWish("apart", (1, 4)), 0, False),
        (DrawWish("apart", (1, 4)), 1, True),
        (DrawWish("apart", (1, 77)), 0, None),
        (DrawWish("stay", (1,)), 0, True),
        (DrawWish("stay", (1,), table=1), 0, True),
        (DrawWish("stay", (1,), table=2), 0, False),
        (DrawWish("stay", (1,), table=1, seat=1), 0, True),
        (DrawWish("stay", (1,), table=1, seat=2), 0, False),
        (DrawWish("stay", (2,)), 0, False),
        (DrawWish("stay", (2,)), 2, True),
        (DrawWish("host", (1,), table=1), 0, True),
        (DrawWish("host", (9,), table=2), 0, False),  # sat out the first round
        (DrawWish("host", (9,), table=2), 1, True),
    ],
)
def test_each_wish_is_judged_by_who_sat_where(wish, played, met):
    (outcome,) = wish_outcomes(AFTERNOON, [wish], played=played)
    assert outcome.met is met
