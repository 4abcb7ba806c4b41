"""Which round each pair has its turn in, and rounds for wishes so tight that lots find none."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.tournaments.engine.draws.test_search_start import apart, asked
from tournaments.engine.draws.search import sought
from tournaments.engine.draws.starts import PATIENCE, Demands, Effort, start, turns


def always(pairs, effort):
    return True


def all_of(people):
    return list(combinations(range(people), 2))


@pytest.mark.parametrize("people", [6, 8, 10, 12, 14])
def test_everybody_partners_everybody_in_one_round_less(people):
    found = turns(
        all_of(people), people - 1, most=people // 2, fits=always, number=Random(3).random, effort=Effort(20_000)
    )
    assert found is not None
    assert sorted(pair for pairs in found for pair in pairs) == all_of(people)
    for pairs in found:
        assert max(Counter(person for pair in pairs for person in pair).values()) == 1


def test_a_search_begins_afresh_with_more_patience_until_its_effort_is_spent():
    """Twenty-four who all partner each other are 276 pairs, more than the first beginning has turns to try."""
    pairs = all_of(24)
    assert len(pairs) > PATIENCE
    effort = Effort(PATIENCE + len(pairs) // 2)
    assert turns(pairs, 23, most=12, fits=always, number=Random(1).random, effort=effort) is None
    assert effort.left <= 0
    found = turns(pairs, 23, most=12, fits=always, number=Random(1).random, effort=Effort(40 * PATIENCE))
    assert found is not None
    assert {len(turn) for turn in found} == {12}


def test_no_more_pairs_have_a_round_than_fit_into_it():
    pairs = [(0, 1), (2, 3), (4, 5)]
    assert turns(pairs, 1, most=2, fits=always, number=Random(1).random, effort=Effort()) is None
    found = turns(pairs, 2, most=2, fits=always, number=Random(1).random, effort=Effort())
    assert found is not None
    assert sorted(map(len, found)) == [1, 2]


def test_pairs_that_can_t_be_seated_together_have_other_rounds():
    def not_both(pairs, effort):
        return not {(0, 1), (2, 3)} <= set(pairs)

    pairs = [(0, 1), (2, 3)]
    assert turns(pairs, 1, most=2, fits=not_both, number=Random(1).random, effort=Effort()) is None
    assert turns(pairs, 2, most=2, fits=not_both, number=Random(1).random, effort=Effort()) in (
        [[(0, 1)], [(2, 3)]],
        [[(2, 3)], [(0, 1)]],
    )


def test_one_round_is_sought_where_nobody_is_wanted_once_and_begun_with_in_all():
    task = asked(16, 3, apart((a, a + 1) for a in range(15)))
    found = sought(task)
    assert len(found.seatings) == 1
    assert start(replace(task, known=found), Random(1).random).seatings == found.seatings * 3


def test_rounds_that_can_t_be_aren_t_found():
    with pytest.raises(ValueError, match="can't hold"):
        sought(asked(9, 2, Demands(once=((0, 1), (0, 2), (0, 3)))))
