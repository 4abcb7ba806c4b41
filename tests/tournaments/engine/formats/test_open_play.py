"""Open play and the ladder over weeks: formats without an end, for people who come and go."""

from collections import Counter
from random import Random

from hypothesis import given, strategies as st

from tests.examples import examples
from tests.tournaments.engine.formats.test_formats import everybody_once, pairs, played_out, singles
from tests.tournaments.engine.formats.test_out_by_losing import ways
from tournaments.engine.formats import Field, PlayedRound, PlayedTable
from tournaments.engine.formats.open_play import OpenPairs, OpenPlay
from tournaments.engine.formats.pairings import Rungs


def rounds(form, field, seed, *, count):
    rng, played = Random(seed), []
    for _n in range(count):
        drawn = form.next_round(field, played, seed=seed)
        everybody_once(drawn, field)
        played.append(played_out(drawn, rng))
        assert not form.is_over(field, played)
        yield drawn, played


@examples(25)
@given(st.integers(4, 24), st.integers(1, 5), st.integers(0, 500))
def test_nobody_waits_longer_than_the_line_is(count, tables, seed):
    seats = 4 * min(tables, count // 4)
    longest, waits, games = -(-(count - seats) // seats), Counter(), Counter()
    for drawn, _played in rounds(OpenPlay(tables=tables), Field(singles(count)), seed, count=6):
        assert len(drawn.seated) == seats
        games.update(drawn.seated)
        for person in range(1, count + 1):
            waits[person] = waits[person] + 1 if person in drawn.sit_outs else 0
        assert max(waits.values()) <= longest
    played = [games[person] for person in range(1, count + 1)]
    assert max(played) - min(played) <= 1


def test_who_comes_late_sits_down_before_those_who_have_just_played_and_after_those_who_wait():
    form = OpenPlay(tables=1)
    first = form.next_round(Field(singles(5)), [], seed=1)
    (waiting,) = first.sit_outs
    late = Field((*singles(5), (9,)))
    drawn = form.next_round(late, [played_out(first, Random(1))], seed=2)
    assert {waiting, 9} <= set(drawn.seated)


def test_those_at_a_table_more_partner_whom_they_partnered_least():
    form, field, table = OpenPlay(), Field(singles(4)), ((1, 2), (3, 4))
    before = [PlayedRound((PlayedTable(table, (9, 5), (2, 0)),))]
    (first, second) = form.late_table(field, before, people=(1, 2, 3, 4))
    assert {frozenset(first), frozenset(second)}.isdisjoint(map(frozenset, table))
    assert form.late_table(field, before, people=(1, 2, 3)) is None
    assert OpenPairs().late_table(Field(pairs(2)), [], people=(1, 2, 3, 4)) == table


@examples(25)
@given(st.integers(0, 500))
def test_partners_of_open_play_don_t_repeat_while_they_need_not(seed):
    partners = Counter()
    for drawn, _played in rounds(OpenPlay(), Field(singles(12)), seed, count=5):
        partners.update(frozenset(side) for table in drawn.tables for side in table)
    assert max(partners.values()) == 1


@given(st.integers(2, 11), st.integers(1, 4), st.integers(0, 500))
def test_pairs_of_open_play_meet_again_only_where_they_must(count, tables, seed):
    met, last = Counter(), []
    for drawn, played in rounds(OpenPairs(tables=tables), Field(pairs(count)), seed, count=5):
        there = {side for table in drawn.tables for side in table}
        fewest = min(sum(met[frozenset(p)] > 0 for p in way) for way in ways(sorted(there))) if len(there) < 9 else 0
        again = sum(met[frozenset(table)] > 0 for table in drawn.tables)
        assert again == fewest or len(there) >= 9
        met.update(frozenset(table) for table in drawn.tables)
        last = played
    assert len(last) == 5


@given(st.integers(2, 15), st.integers(0, 500))
def test_on_the_rungs_the_winner_is_never_below_the_loser_and_all_play(count, seed):
    form, field, rested, before = Rungs(), Field(pairs(count)), Counter(), list(pairs(count))
    for drawn, played in rounds(form, field, seed, count=6):
        assert len(drawn.tables) == count // 2
        line = form.line(field, played)
        for table in played[-1].tables:
            if len(set(table.half_wins)) > 1:
                winner, loser = table.order()
                assert line.index(winner) < line.index(loser)
                assert line.index(winner) <= max(before.index(winner), before.index(loser))
        rested.update(drawn.sit_outs)
        rests = [rested[side[0]] for side in field.teams]
        assert max(rests) - min(rests) <= 1
        before = line
        reached = form.reached(field, played)
        assert sorted(field.teams, key=lambda side: -reached[side]) == line
        assert sorted(line) == sorted(field.teams)


@given(st.integers(6, 14), st.integers(0, 500))
def test_rungs_near_each_other_meet_and_nobody_twice_in_a_row(count, seed):
    form, field, last, line = Rungs(), Field(singles(count)), set(), list(singles(count))
    for drawn, played in rounds(form, field, seed, count=6):
        now = {frozenset(table) for table in drawn.tables}
        assert not now & last
        assert max(abs(line.index(one) - line.index(other)) for one, other in map(tuple, now)) <= 4
        last, line = now, form.line(field, played)


def test_a_challenge_from_far_below_takes_the_rung_and_those_between_move_down():
    field = Field(singles(5))
    challenge = PlayedRound((PlayedTable(((1,), (4,)), (3, 9), (0, 2)),), (2, 3, 5))
    assert Rungs().line(field, [challenge]) == [(4,), (1,), (2,), (3,), (5,)]
    level = PlayedRound((PlayedTable(((1,), (4,)), (3, 3), (1, 1)),))
    assert Rungs().line(field, [level]) == list(field.teams)


def test_who_is_away_keeps_the_rung_and_who_is_new_begins_at_the_bottom():
    form, played = Rungs(), []
    field = Field(singles(4), absent=frozenset({1}))
    played.append(played_out(form.next_round(field, played, seed=1), Random(1)))
    assert form.line(field, played)[0] == (1,)
    later = Field((*singles(4), (9,)))
    assert form.line(later, played)[-1] == (9,)
    drawn = form.next_round(later, played, seed=1)
    assert {*drawn.seated, *drawn.sit_outs} == {1, 2, 3, 4, 9}
