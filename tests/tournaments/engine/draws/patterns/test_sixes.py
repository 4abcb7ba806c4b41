"""Eighteen finalists at three tables of six: three games, and no pair three times at one table."""

from collections import Counter
from itertools import combinations, product

import pytest

from tournaments.engine.draws.patterns import finals
from tournaments.engine.draws.rotation import Afternoon, rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import faults, statement

PEOPLE = range(101, 119)


@pytest.mark.parametrize(("side", "opponents"), [(1, 27), (2, 0), (3, 3)])
@pytest.mark.parametrize("seed", [1, 2, 50])
def test_nobody_shares_a_table_with_the_same_person_three_times(side, opponents, seed):
    plan = rotation(Afternoon(PEOPLE, 3, table=6, side=side), seed=seed)
    assert (plan.method, plan.steps) == ("stored", 0)
    assert not faults(plan.rounds, PEOPLE, sides=(side,) * (6 // side), everyone=True)
    said = statement(plan.rounds, PEOPLE)
    assert (said.table_mate.most, said.table_mate.squares, said.table_mate.repeats) == (2, 27, 27)
    assert (said.partner.repeats, said.opponent.repeats) == (0, opponents)


def test_no_three_rounds_have_fewer_meetings_again():
    """Two rounds make nine cells of a table in the one and one in the other, for eighteen people: with two in each cell
    nine pairs meet in both, and no other way has fewer."""
    cells = 9
    pairs_in = {in_cell: in_cell * (in_cell - 1) // 2 for in_cell in range(7)}
    fewest = {0: 0}  # people in the cells so far to pairs that meet in both rounds
    for _cell in range(cells):
        fewest = {
            people: min(fewest[people - n] + pairs_in[n] for n in pairs_in if people - n in fewest)
            for people in range(19)
            if any(people - n in fewest for n in pairs_in)
        }
    assert 3 * fewest[18] == 27


def test_groups_of_three_can_not_do_better():
    """All ways to part the nine tables into groups of three, where no two are in one group twice: at least three pairs
    of those who meet twice are opponents both times. The free cells being a Latin square of order three, there is no
    other such draw: all those squares are one but for the numbers of the tables."""
    cells = [cell for cell in product(range(3), repeat=3) if sum(cell) % 3]
    twice = {
        frozenset((a, b))
        for a, b in combinations(range(18), 2)
        if sum(x == y for x, y in zip(cells[a], cells[b], strict=True)) == 2
    }
    assert len(twice) == 27
    ways = []
    for r, table in product(range(3), repeat=2):
        six = [person for person, cell in enumerate(cells) if cell[r] == table]
        own = []
        for mates in combinations(six[1:], 2):
            group = {six[0], *mates}
            here = {frozenset(pair) for pair in combinations(six, 2)} & twice
            grouped = frozenset(pair for pair in here if len(pair & group) != 1)
            own.append((grouped, frozenset(here) - grouped))
        ways.append(own)
    fewest = 28

    def part(number, grouped, against, again):
        nonlocal fewest
        if again >= fewest:
            return
        if number == len(ways):
            fewest = again
            return
        for group, other in ways[number]:
            if not group & grouped:
                part(number + 1, grouped | group, against | other, again + len(other & against))

    part(0, frozenset(), frozenset(), 0)
    assert fewest == 3


def test_other_numbers_are_left_to_the_search():
    assert finals(18, 2, size=6, side=3) is None
    assert finals(24, 3, size=6, side=3) is None


def test_wishes_are_met_without_a_third_meeting():
    wished = rotation(
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
