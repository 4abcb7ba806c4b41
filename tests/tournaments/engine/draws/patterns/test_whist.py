"""Whist tournaments: everybody partners everybody once and opposes everybody twice."""

import pytest

from tournaments.engine.draws.patterns import whist_pattern
from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.rounds import SeatedRound
from tournaments.engine.verify import find_faults, make_statement

KNOWN = [*range(4, 49, 4), 56, 5, *range(9, 50, 4), 53, 61, 73, 89, 97, 101]


@pytest.mark.daily(10)
@pytest.mark.parametrize("people", KNOWN)
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(people):
    seatings = whist_pattern(people)
    assert len(seatings) == people - (people % 4 == 0)
    seats = people - people % 4
    rounds = [
        SeatedRound(tuple(((s[i], s[i + 1]), (s[i + 2], s[i + 3])) for i in range(0, seats, 4)), tuple(s[seats:]))
        for s in seatings
    ]
    assert find_faults(rounds, range(people), everyone=True) == ()
    said = make_statement(rounds, range(people))
    pairs = people * (people - 1) // 2
    assert (said.partner.different, said.partner.most) == (pairs, 1)
    assert (said.opponent.different, said.opponent.squares) == (pairs, pairs)
    assert said.sit_outs.spread == 0


@pytest.mark.parametrize("people", [6, 7, 11, 57, 52])
def test_none_is_claimed_where_none_is_known(people):
    assert whist_pattern(people) is None


@pytest.mark.parametrize(("people", "rounds"), [(8, 7), (12, 11), (13, 13), (16, 15), (9, 9)])
def test_a_long_event_is_a_whist_tournament(people, rounds):
    plan = draw_rotation(Afternoon(range(people), rounds), seed=3)
    assert (plan.method, plan.steps) == ("whist", 0)
    assert make_statement(plan.rounds, ()).partner.repeats == 0


def test_a_short_afternoon_is_never_the_beginning_of_one():
    """The first eight rounds of the tournament of 32 repeat 18 opponents; other patterns repeat nobody."""
    plan = draw_rotation(Afternoon(range(32), 8), seed=3)
    assert plan.method != "whist"
    assert make_statement(plan.rounds, ()).opponent.repeats == 0


def test_the_beginning_of_one_is_kept_where_a_search_finds_nothing_better():
    plan = draw_rotation(Afternoon(range(20), 14), seed=1, steps=500)
    assert plan.method == "whist"
    assert plan.steps > 0
    assert make_statement(plan.rounds, ()).partner.repeats == 0


def test_beyond_a_whist_tournament_further_rounds_are_searched():
    plan = draw_rotation(Afternoon(range(8), 9), seed=3, steps=5_000)
    assert len(plan.rounds) == 9
    assert find_faults(plan.rounds, range(8), everyone=True) == ()
    assert make_statement(plan.rounds, ()).partner.repeats == 2 * 4, "seven rounds hold every pair once"
