"""Where a search begins: lots are given up after a fair trial, and what was found when it was asked is kept to."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tournaments.engine.draws.search import find_feasible_rounds
from tournaments.engine.draws.starts import (
    PATIENCE,
    Demands,
    Effort,
    History,
    RoundToSeat,
    SearchTask,
    assign_rounds,
    find_by_lot,
    make_start,
    seat_round,
)
from tournaments.engine.rounds import layout

FOUR_TABLES = ((2, 2),) * 4
FOUR_ALL_PARTNERS = tuple(combinations(range(4), 2))


def apart(pairs):
    others = {}
    for a, b in pairs:
        others.setdefault(a, set()).add(b)
        others.setdefault(b, set()).add(a)
    return Demands(apart={person: frozenset(those) for person, those in others.items()})


def asked(people, rounds, demands, seed=0):
    nothing = (0,) * people
    return SearchTask(
        layout(people),
        rounds,
        History((nothing,) * people, (nothing,) * people, nothing, frozenset(), nothing),
        demands,
        seed=seed,
    )


def test_a_round_is_given_up_when_it_takes_more_places_than_may_be_tried():
    demands = apart((a, a + 1) for a in range(15))
    wanted = RoundToSeat(FOUR_TABLES, demands, {})
    assert seat_round(range(16), wanted, random=Random(1).random, effort=Effort(3)) is None
    seats = seat_round(range(16), wanted, random=Random(1).random, effort=Effort())
    table_of = [seats.index(person) // 4 for person in range(16)]
    assert all(table_of[a] != table_of[a + 1] for a in range(15))


def test_two_halves_that_keep_apart_and_fill_no_tables_are_given_up():
    """Ten people at no table with any of ten others: five tables can't be filled, in more ways than are tried."""
    assert find_by_lot(asked(20, 1, apart((a, b) for a in range(10) for b in range(10, 20)))) is None
    assert find_by_lot(asked(20, 1, apart((a, b) for a in range(8) for b in range(8, 20)))) is not None


def test_seven_people_who_all_partner_each_other_need_seven_rounds():
    """Three pairs of them a round, twenty-one in all: in six rounds none of too many choices is tried to the end."""
    pairs = Demands(once=tuple(combinations(range(7), 2)))
    assert find_by_lot(asked(16, 6, pairs)) is None
    assert find_by_lot(asked(16, 7, pairs)) is not None


def test_where_lots_find_no_rounds_those_found_before_are_begun_with():
    """Nine people, three rounds, four of whom partner each other: sit-outs by lot don't often leave them that."""
    task = asked(9, 3, Demands(once=FOUR_ALL_PARTNERS))
    by_seed = {seed: find_by_lot(replace(task, seed=seed)) for seed in range(40)}
    seed = next(seed for seed, found in by_seed.items() if found is not None)
    unlucky = next(seed for seed, found in by_seed.items() if found is None)
    begun = make_start(replace(task, seed=seed), Random(unlucky).random)
    assert begun == by_seed[seed]
    sides = [{*seating[n : n + 2]} for seating in begun.seatings for n in range(0, 8, 2)]
    assert all(sides.count(set(pair)) == 1 for pair in FOUR_ALL_PARTNERS)
    with pytest.raises(ValueError, match="can't hold"):
        make_start(replace(task, seed=unlucky), Random(unlucky).random)


# Which round each pair has its turn in, and rounds for wishes so tight that lots find none


def always(pairs, effort):
    return True


def all_of(people):
    return list(combinations(range(people), 2))


@pytest.mark.parametrize("people", [6, 8, 10, 12, 14])
def test_everybody_partners_everybody_in_one_round_less(people):
    found = assign_rounds(
        all_of(people), people - 1, most=people // 2, fits=always, random=Random(3).random, effort=Effort(20_000)
    )
    assert sorted(pair for pairs in found for pair in pairs) == all_of(people)
    for pairs in found:
        assert max(Counter(person for pair in pairs for person in pair).values()) == 1


def test_a_search_begins_afresh_with_more_patience_until_its_effort_is_spent():
    """Twenty-four who all partner each other are 276 pairs, more than the first beginning has turns to try."""
    pairs = all_of(24)
    assert len(pairs) > PATIENCE
    effort = Effort(PATIENCE + len(pairs) // 2)
    assert assign_rounds(pairs, 23, most=12, fits=always, random=Random(1).random, effort=effort) is None
    assert effort.left <= 0
    found = assign_rounds(pairs, 23, most=12, fits=always, random=Random(1).random, effort=Effort(40 * PATIENCE))
    assert {len(turn) for turn in found} == {12}


def test_no_more_pairs_have_a_round_than_fit_into_it():
    pairs = [(0, 1), (2, 3), (4, 5)]
    assert assign_rounds(pairs, 1, most=2, fits=always, random=Random(1).random, effort=Effort()) is None
    found = assign_rounds(pairs, 2, most=2, fits=always, random=Random(1).random, effort=Effort())
    assert sorted(map(len, found)) == [1, 2]


def test_pairs_that_can_t_be_seated_together_have_other_rounds():
    def not_both(pairs, effort):
        return not {(0, 1), (2, 3)} <= set(pairs)

    pairs = [(0, 1), (2, 3)]
    assert assign_rounds(pairs, 1, most=2, fits=not_both, random=Random(1).random, effort=Effort()) is None
    assert assign_rounds(pairs, 2, most=2, fits=not_both, random=Random(1).random, effort=Effort()) in (
        [[(0, 1)], [(2, 3)]],
        [[(2, 3)], [(0, 1)]],
    )


def test_one_round_is_sought_where_nobody_is_wanted_once_and_begun_with_in_all():
    task = asked(16, 3, apart((a, a + 1) for a in range(15)))
    found = find_feasible_rounds(task)
    assert len(found.seatings) == 1
    assert make_start(replace(task, known=found), Random(1).random).seatings == found.seatings * 3


def test_rounds_that_can_t_be_aren_t_found():
    with pytest.raises(ValueError, match="can't hold"):
        find_feasible_rounds(asked(9, 2, Demands(once=((0, 1), (0, 2), (0, 3)))))
