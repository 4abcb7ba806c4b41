"""Formats in which who has lost so many times is out: the double knock-out with its bracket, and any number without."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from tests.tournaments.engine.formats.test_formats import everybody_once, pairs, played_out, rounds_of, singles
from tournaments.engine.formats import Field, FormatRefused, PlayedRound, PlayedTable
from tournaments.engine.formats.knock_out import DECIDING, DoubleKnockOut, MatchName
from tournaments.engine.formats.pairings import OutAfter

COUNTS, SEEDS = st.integers(2, 33), st.integers(0, 1000)


def losses(played):
    return Counter(table.order()[1] for one in played for table in one.tables)


@given(COUNTS, SEEDS)
def test_a_double_knock_out_ends_when_all_but_one_have_lost_twice(count, seed):
    form, field = DoubleKnockOut(), Field(pairs(count))
    played = []
    for drawn, one in rounds_of(form, field, seed, ties=False):
        lost = losses(played)
        assert all(lost[side] < 2 for table in drawn.tables for side in table)
        played.append(one)
    lost = losses(played)
    (winner,) = (team for team in field.teams if lost[team] < 2)
    assert all(lost[team] == 2 for team in field.teams if team != winner)
    assert sum(len(one.tables) for one in played) == 2 * (count - 1) + lost[winner]
    assert len(played) <= 2 * (count - 1).bit_length() + 1
    reached = form.reached(field, played)
    assert [team for team in field.teams if reached[team] == max(reached.values())] == [winner]
    out_in = {
        team: max(n for n, one in enumerate(played) if team in [t.order()[1] for t in one.tables]) for team in lost
    }
    others = [team for team in field.teams if team != winner and count & (count - 1) == 0]  # byes bring some on early
    assert all(reached[one] <= reached[other] for one in others for other in others if out_in[one] < out_in[other]), (
        "who went out earlier came less far"
    )


@given(COUNTS, SEEDS)
def test_every_match_of_a_double_knock_out_keeps_its_name_and_its_table(count, seed):
    form, field, played = DoubleKnockOut(), Field(pairs(count)), []
    before = {match.name for match in form.matches(field, played)}
    for drawn, one in rounds_of(form, field, seed, ties=False):
        due = [
            m
            for m in form.matches(field, played)
            if not m.decided and frozenset(m.sides) in map(frozenset, drawn.tables)
        ]
        assert len(due) == len(drawn.tables)
        played.append(one)
        after = {match.name: match for match in form.matches(field, played)}
        for match in due:
            assert after[match.name].played in one.tables
            assert after[match.name].winner == after[match.name].played.order()[0]
        assert set(after) - before <= {MatchName(DECIDING, 0, 2)}
    assert all(match.decided for match in after.values())


@given(st.integers(3, 20), SEEDS)
def test_a_double_knock_out_that_people_leave_and_come_back_to_comes_to_its_end(count, seed):
    form, teams, rng, played, missed = DoubleKnockOut(), singles(count), Random(seed), [], Counter()
    for _round in range(4 * count):
        field = Field(teams, absent=frozenset(team[0] for team in teams if rng.random() < 0.15))
        if form.is_over(field, played):
            break
        drawn = form.next_round(field, played, seed=1)
        everybody_once(drawn, field)
        assert all(side in field.present for table in drawn.tables for side in table)
        missed.update(away for _winner, away in drawn.walkovers)
        assert len({away for _winner, away in drawn.walkovers}) == len(drawn.walkovers)
        played.append(played_out(drawn, rng, ties=False))
        assert form.find_misplaced(field, played) is None
    assert form.is_over(field, played)
    lost = losses(played) + missed
    assert max(lost.values(), default=0) <= 2
    assert set(form.reached(field, played)) == set(teams)


def test_the_winner_of_the_losers_must_win_the_final_twice():
    form, field = DoubleKnockOut(), Field(singles(4))
    played = [one for _drawn, one in rounds_of(form, field, 1, best=True, most=3)]
    final = form.next_round(field, played, seed=1)
    ((first, second),) = final.tables
    assert [losses(played)[side] for side in (first, second)] == [0, 1]
    lost = PlayedRound((PlayedTable((first, second), (0, 9), (0, 2)),))
    assert not form.is_over(field, [*played, lost])
    assert form.next_round(field, [*played, lost], seed=1).tables == ((first, second),)
    assert form.is_over(field, [*played, PlayedRound((PlayedTable((first, second), (9, 0), (2, 0)),))])
    decided = [*played, lost, lost]
    reached = form.reached(field, decided)
    assert max(reached, key=reached.get) == second
    assert form.is_over(field, decided)


def test_a_corrected_result_of_a_double_knock_out_names_the_round_that_no_longer_follows():
    form, field = DoubleKnockOut(), Field(singles(8))
    played = [one for _drawn, one in rounds_of(form, field, 1, best=True, most=3)]
    table = played[0].tables[0]
    other = replace(table, points=table.points[::-1], half_wins=table.half_wins[::-1])
    corrected = [replace(played[0], tables=(other, *played[0].tables[1:])), *played[1:]]
    assert form.find_misplaced(field, corrected).round == 2
    with pytest.raises(FormatRefused, match="misplaced"):
        form.next_round(field, corrected, seed=1)


@pytest.mark.daily(1)
@pytest.mark.parametrize("sides", [8, 16])
def test_the_drawn_losers_bracket_has_as_few_rematches(sides):
    again = 0
    for event in range(60):
        rng, form, field, played = Random(event), DoubleKnockOut(), Field(singles(sides)), []
        while not form.is_over(field, played):
            drawn = form.next_round(field, played, seed=1)
            played.append(PlayedRound(tuple(toss_up(sides, rng) for sides in drawn.tables), drawn.sit_outs))
        matches = [frozenset(table.sides) for one in played for table in one.tables]
        again += sum(times - 1 for times in Counter(matches[: 2 * sides - 3]).values())
    assert again <= 60


def toss_up(sides, rng):
    half_wins = rng.choice(((2, 0), (0, 2)))
    return PlayedTable(sides, half_wins, half_wins)


@given(st.integers(2, 24), SEEDS, st.integers(1, 4))
def test_out_after_so_many_losses_one_is_left(count, seed, most):
    form, field, played = OutAfter(losses=most), Field(pairs(count)), []
    for drawn, one in rounds_of(form, field, seed, ties=False, most=200):
        lost = losses(played)
        there = [side for side in field.teams if lost[side] < most]
        assert {side for table in drawn.tables for side in table} <= set(there)
        assert len(drawn.tables) == len(there) // 2
        met = Counter(frozenset(t.sides) for before in played for t in before.tables)
        again = sum(met[frozenset(table)] > 0 for table in drawn.tables)
        if len(there) > len(played) + 2 + len(there) % 2 and most < 4:
            assert again == 0 or len(there) <= 2 * len(played)
        played.append(one)
    lost = losses(played)
    (winner,) = (side for side in field.teams if lost[side] < most)
    assert all(lost[side] == most for side in field.teams if side != winner)
    reached = form.reached(field, played)
    assert sorted(field.teams, key=lambda side: -reached[side])[0] == winner


@given(st.sampled_from([4, 6, 8]), SEEDS)
def test_as_few_meet_again_as_can_be(count, seed):
    form, field, played = OutAfter(losses=3), Field(singles(count)), []
    for drawn, one in rounds_of(form, field, seed, ties=False, most=60):
        met = Counter(frozenset(t.sides) for before in played for t in before.tables)
        there = [side for side in field.teams if losses(played)[side] < 3]
        if len(there) % 2 == 0:
            fewest = min(sum(met[frozenset(pair)] > 0 for pair in way) for way in ways(there))
            assert sum(met[frozenset(table)] > 0 for table in drawn.tables) == fewest
        played.append(one)


def ways(sides):
    """All ways to pair everybody."""
    if not sides:
        yield ()
    for other in sides[1:]:
        rest = [side for side in sides[1:] if side != other]
        yield from (((sides[0], other), *further) for further in ways(rest))


def test_a_round_that_a_side_misses_counts_as_lost():
    form, teams = OutAfter(losses=2), singles(5)
    late = Field((*teams, (9,)))
    first = played_out(form.next_round(Field(teams), [], seed=1), Random(1), ties=False)
    second = form.next_round(late, [first], seed=1)
    assert any((9,) in table for table in second.tables) or 9 in second.sit_outs
    without = Field(late.teams, absent=frozenset({9}))
    gone = [first, played_out(form.next_round(without, [first], seed=1), Random(1), ties=False)]
    assert (9,) in form.sides_out(late, gone)
    assert form.late_table(late, gone, people=[9, 1]) == ((1,), (9,))  # for the round that is on: it isn't missed yet
    assert form.late_table(late, [*gone, gone[-1]], people=[9, 1]) is None


def test_a_match_in_play_puts_nobody_out():
    field, begun = Field(singles(4)), PlayedTable(((3,), (4,)), (9, 5))
    playing = PlayedRound((PlayedTable(((1,), (2,)), (9, 5), (2, 0)), begun))
    assert OutAfter(losses=1).sides_out(field, [playing]) == {(2,)}
    assert OutAfter().count_losses(field, [playing]) == {(1,): 0, (2,): 1, (3,): 0, (4,): 0}
    assert not OutAfter(losses=1).is_over(field, [playing])
    reached = DoubleKnockOut().reached(field, [playing])
    assert reached[3,] == reached[4,]


def test_where_nobody_is_there_nobody_has_come_far():
    assert DoubleKnockOut().reached(Field(()), []) == {}


def test_a_level_match_is_settled_by_lots_and_one_that_nobody_came_to_puts_both_out():
    field = Field(singles(2))
    level = PlayedRound((PlayedTable(((1,), (2,)), (5, 5), (1, 1)),), lots_seed=3)
    for kind in (OutAfter, DoubleKnockOut):
        assert kind(level="lots").next_round(field, [level], seed=1).tables
    nobody = PlayedRound((PlayedTable(((1,), (2,)), (0, 0), (0, 0), walkover=True),))
    assert OutAfter(losses=1).is_over(field, [nobody])


def test_pairs_that_must_not_meet_are_kept_apart_where_there_is_another_way():
    field = Field(singles(4), apart=frozenset({frozenset({1, 2})}))
    assert all(set(t) != {(1,), (2,)} for t in OutAfter().next_round(field, [], seed=1).tables)
