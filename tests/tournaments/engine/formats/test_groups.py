"""Groups that play all against all, and the seeds of those who go on."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from tests.tournaments.engine.formats.test_formats import pairs, played_out, rounds_of
from tournaments.engine.formats import Field, PlayedRound, PlayedTable
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import Groups, seed_group_qualifiers


@given(st.integers(1, 6), st.integers(2, 18), st.integers(1, 2))
def test_everybody_meets_all_of_their_group_and_nobody_else(groups, count, legs):
    form, field = Groups(groups=groups, legs=legs), Field(pairs(max(count, 2 * groups)))
    drawn = [one for one, _played in rounds_of(form, field, 1)]
    met = Counter(frozenset(table) for one in drawn for table in one.tables)
    group = form.group_of(field)
    assert met == {frozenset(pair): legs for pair in combinations(field.teams, 2) if group[pair[0]] == group[pair[1]]}
    sizes = Counter(group.values())
    assert max(sizes.values()) - min(sizes.values()) <= 1
    largest = max(sizes.values())
    assert len(drawn) == legs * (largest - 1 + largest % 2)


@given(st.integers(4, 14), st.integers(0, 500), st.booleans())
def test_groups_come_to_their_end_when_sides_leave_and_come(count, seed, forfeits):
    form, rng, teams, played = Groups(), Random(seed), pairs(count), []
    gone = frozenset(teams[rng.randrange(count)])
    later = False
    while True:
        field = Field(
            teams, absent=gone if later else frozenset(), forfeits=gone if later and forfeits else frozenset()
        )
        if form.is_over(field, played):
            break
        drawn = form.next_round(field, played, seed=seed)
        won = tuple(PlayedTable(match, (0, 0), (2, 0), walkover=True) for match in drawn.walkovers)
        played.append(PlayedRound((*played_out(drawn, rng).tables, *won), drawn.sit_outs))
        assert len(played) <= 2 * count
        if len(played) == 1:
            later, teams = True, (*teams, (101, 102))
    met = Counter(frozenset(table.sides) for one in played for table in one.tables if not table.walkover)
    group = form.group_of(field)
    here = set(field.present)
    assert all(
        met[frozenset((one, other))] == (group[one] == group[other])
        for one, other in combinations(field.teams, 2)
        if {one, other} <= here
    )


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 5, 6, 8, 12, 16])
@pytest.mark.parametrize("through", [1, 2, 3, 4])
def test_sides_of_one_group_meet_as_late_as_can_be(groups, through):
    own = [[(100 * group + rank,) for rank in range(through)] for group in range(groups)]
    order = seed_group_qualifiers(own)
    assert [side[0] % 100 for side in order] == [rank for rank in range(through) for _group in range(groups)]
    sides = groups * through
    rounds = (sides - 1).bit_length()
    for group in own:
        apart = frozenset(frozenset({one[0], other[0]}) for one, other in combinations(group, 2))
        form, field = KnockOut(), Field(tuple(order), apart=apart)
        late = list(form.earliest_meetings(field).values())
        # of so many in a bracket, at most one is in each half, then in each quarter, and so on
        halves = (through - 1).bit_length()
        assert all(meeting > rounds - halves for meeting in late), (groups, through)
        assert sum(meeting == rounds for meeting in late) == (through // 2) * (through - through // 2)


def test_the_best_of_each_group_has_the_byes():
    order = seed_group_qualifiers([[(1,), (11,)], [(2,), (12,)], [(3,), (13,)]])
    first = KnockOut().next_round(Field(tuple(order)), [], seed=1)
    assert {frozenset(table) for table in first.tables} == {
        frozenset({(3,), order[5]}),
        frozenset({order[3], order[4]}),
    }
