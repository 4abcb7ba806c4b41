"""The formats: who meets whom next, held against what each format promises, over whole events with drawn results."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from tournaments.engine.formats import FORMATS, Field, FormatRefused, PlayedRound, PlayedTable, option_fields
from tournaments.engine.formats.knock_out import DoubleKnockOut, KnockOut
from tournaments.engine.formats.open_play import OpenPairs, OpenPlay
from tournaments.engine.formats.pairings import (
    BYES,
    Groups,
    Ladder,
    OutAfter,
    RoundRobin,
    Rungs,
    Swiss,
    TeamMatch,
    total_scores,
)
from tournaments.engine.formats.tables import MOVES, Progressive, SingleTable


def pairs(count):
    """So many partnerships of two."""
    return tuple((2 * n + 1, 2 * n + 2) for n in range(count))


def singles(count):
    return tuple((n + 1,) for n in range(count))


def played_out(drawn, rng, *, best=False, ties=True):
    """A round with results by lot; with `best`, the lower number always wins."""
    tables = []
    for sides in drawn.tables:
        points = [-min(side) if best else rng.randrange(10**9) for side in sides]
        if not best and ties and rng.random() < 0.1:
            points = [50] * len(sides)
        top = max(points)
        shared = points.count(top) > 1
        half_wins = tuple((1 if shared else 2) if p == top else 0 for p in points)
        tables.append(PlayedTable(sides, tuple(points), half_wins))
    return PlayedRound(tuple(tables), drawn.sit_outs)


def rounds_of(form, field, seed, *, best=False, ties=True, most=40):
    rng = Random(seed)
    played = []
    while not form.is_over(field, played) and len(played) < most:
        drawn = form.next_round(field, played, seed=seed)
        assert drawn == form.next_round(field, played, seed=seed)  # the same again
        everybody_once(drawn, field)
        played.append(played_out(drawn, rng, best=best, ties=ties))
        yield drawn, played[-1]


def everybody_once(drawn, field):
    """Nobody has two seats, nobody is left out."""
    there = [*drawn.seated, *drawn.sit_outs]
    assert sorted(there) == sorted(p for team in field.present for p in team)


@given(st.integers(2, 14), st.integers(1, 3))
def test_a_round_robin_lets_everybody_meet_everybody_once_a_leg(count, legs):
    field = Field(pairs(count))
    drawn = [one for one, _played in rounds_of(RoundRobin(legs=legs), field, 1)]
    met = Counter(frozenset(table) for one in drawn for table in one.tables)
    assert met == {frozenset(pair): legs for pair in combinations(field.teams, 2)}
    assert len(drawn) == legs * (count - 1 + count % 2)


@given(st.integers(3, 14), st.integers(1, 2), st.integers(0, 12), st.integers(0, 13), st.booleans())
def test_nobody_meets_too_often_and_no_round_is_added_when_a_side_leaves(count, legs, after, who, forfeits):
    form, field, rng = RoundRobin(legs=legs), Field(pairs(count)), Random(who)
    leaves = field.teams[who % count]
    played = []
    while not form.is_over(field, played):
        if len(played) == after:
            gone = frozenset(leaves)
            field = Field(field.teams, absent=gone, forfeits=gone if forfeits else frozenset())
            if form.is_over(field, played):
                break
        drawn = form.next_round(field, played, seed=1)
        everybody_once(drawn, field)
        assert all(away == leaves and set(winner) <= set(drawn.sit_outs) for winner, away in drawn.walkovers)
        won = tuple(PlayedTable(match, (0, 0), (2, 0), walkover=True) for match in drawn.walkovers)
        played.append(PlayedRound((*played_out(drawn, rng).tables, *won), drawn.sit_outs))
    met = Counter(frozenset(table.sides) for one in played for table in one.tables)
    assert {met[frozenset(pair)] for pair in combinations(field.present, 2)} <= {legs}
    assert max(met.values()) <= legs
    if forfeits:
        assert set(met.values()) == {legs}
    assert len(played) <= legs * (count - 1 + count % 2)


@given(st.integers(4, 24), st.integers(0, 1000), st.sampled_from(["win", "half", "nothing"]))
def test_a_swiss_has_no_rematch_and_nobody_rests_twice(count, seed, bye):
    field = Field(pairs(count))
    rounds = min(5, count // 2)
    drawn = [one for one, _p in rounds_of(Swiss(rounds=rounds, bye=bye), field, seed)]
    assert len(drawn) == rounds
    met = Counter(frozenset(table) for one in drawn for table in one.tables)
    rested = Counter(person for one in drawn for person in one.sit_outs)
    assert max(met.values()) == 1
    assert not rested or max(rested.values()) == 1


def test_a_swiss_pairs_those_with_the_same_score():
    field = Field(pairs(8))
    played = []
    for _drawn, one in rounds_of(Swiss(rounds=3, first_by_lot=False), field, 1, best=True):
        wins = Counter()
        for before in played:
            for table in before.tables:
                wins.update(dict(zip(table.sides, table.half_wins, strict=True)))
        assert all(wins[table.sides[0]] == wins[table.sides[1]] for table in one.tables)
        played.append(one)
    assert len(played) == 3
    assert played[0].tables[0].sides == ((1, 2), (9, 10))  # upper half against lower half


@pytest.mark.parametrize(("bye", "half_wins"), [("win", 2), ("half", 1), ("nothing", 0)])
def test_the_first_rest_of_a_swiss_counts_at_once(bye, half_wins):
    teams = pairs(5)
    first = Swiss(bye=bye, first_by_lot=False).next_round(Field(teams), [], seed=1)
    (rested,) = (team for team in teams if team[0] in first.sit_outs)
    score, _points = total_scores(teams, [played_out(first, Random(1), best=True)], bye=BYES[bye])
    assert score[rested] == half_wins
    if bye == "win":  # it meets one of the winners
        second = Swiss(first_by_lot=False).next_round(Field(teams), [played_out(first, Random(1), best=True)], seed=1)
        (table,) = (table for table in second.tables if rested in table)
        assert all(score[side] == half_wins for side in table)


def by_standings(field, played):
    score, points = total_scores(field.teams, played, bye=2)
    return sorted(field.teams, key=lambda team: (-score[team], -points[team]))


@given(st.integers(1, 9), st.integers(0, 500))
def test_in_the_danish_system_first_meets_second_whoever_has_met(half, seed):
    form, field, played = Swiss(rounds=7, pairing="neighbours", rematches="always"), Field(pairs(2 * half)), []
    for drawn, one in rounds_of(form, field, seed):
        if played:
            order = by_standings(field, played)
            assert {frozenset(table) for table in drawn.tables} == {
                frozenset(order[n : n + 2]) for n in range(0, len(order), 2)
            }
        played.append(one)
    assert len(played) == 7


@given(st.sampled_from([4, 6, 8]), st.integers(0, 500))
def test_monrad_pairs_the_nearest_in_the_order_who_have_not_met(count, seed):
    form, field, played = Swiss(rounds=count // 2, pairing="neighbours", bye="win"), Field(singles(count)), []
    for drawn, one in rounds_of(form, field, seed, ties=False):
        if played:
            order, score = by_standings(field, played), total_scores(field.teams, played, bye=2)[0]
            met = {frozenset(table.sides) for before in played for table in before.tables}

            def off(pairing, order=order, score=score):
                return (
                    sum((score[one] - score[other]) ** 2 for one, other in pairing),
                    sum(abs(order.index(one) - order.index(other)) for one, other in pairing),
                )

            assert off(drawn.tables) == min(off(pairing) for pairing in pairings_of(order, met))
        played.append(one)


def pairings_of(order, met):
    """All ways to pair everybody with somebody not met yet."""
    if not order:
        yield ()
    for other in order[1:]:
        if frozenset((order[0], other)) not in met:
            rest = [team for team in order[1:] if team != other]
            yield from (((order[0], other), *further) for further in pairings_of(rest, met))


@given(st.integers(5, 12), st.integers(0, 500), st.sampled_from([("last", 1), ("last-two", 2)]))
def test_rematches_are_free_in_the_last_rounds_only(count, seed, late):
    (rematches, free), rounds = late, 4
    form, field = Swiss(rounds=rounds, pairing="neighbours", rematches=rematches), Field(pairs(count))
    played = [one for _drawn, one in rounds_of(form, field, seed)]
    new = Counter(frozenset(t.sides) for one in played[: rounds - free] for t in one.tables)
    assert max(new.values()) == 1
    order = by_standings(field, played[:-1])
    if count % 2 == 0:
        assert {frozenset(t.sides) for t in played[-1].tables} == {
            frozenset(order[n : n + 2]) for n in range(0, len(order), 2)
        }
    assert form.rounds_without_rematch(field, played[: rounds - free]) == (0, 0)
    assert form.end_reason(field, played[: rounds - free]) is None


@given(st.sampled_from([3, 5, 7, 9]), st.integers(0, 500))
def test_nobody_rests_again_before_all_have_where_it_does_not_matter_who_has_met(count, seed):
    form, field, rested = Swiss(rounds=9, pairing="neighbours", rematches="always"), Field(singles(count)), Counter()
    for drawn, _one in rounds_of(form, field, seed):
        rested.update(drawn.sit_outs)
        assert max(rested.values()) - min(rested[side[0]] for side in field.teams) <= 1


@given(st.integers(2, 16), st.integers(0, 500))
def test_by_lot_each_meets_somebody_new_while_there_is_anybody(count, seed):
    form, field, rounds = Swiss(rounds=9, pairing="lot", rematches="fewest"), Field(singles(count)), 9
    met, rested, played = Counter(), Counter(), []
    for drawn, one in rounds_of(form, field, seed):
        met.update(frozenset(table) for table in drawn.tables)
        rested.update(drawn.sit_outs)
        played.append(one)
        if len(played) <= min(count - 1 + count % 2, rounds):
            assert max(met.values()) == 1
            assert max(rested.values(), default=1) == 1
    assert len(played) == rounds


def test_by_lot_scores_say_nothing_of_who_meets_whom():
    """Of eight, the four winners of the first round meet each other no oftener than chance has it."""
    form, field, among = Swiss(rounds=2, pairing="lot"), Field(singles(8)), 0
    for seed in range(300):
        rounds = rounds_of(form, field, seed, ties=False)
        _drawn, first = next(rounds)
        won = {side for table in first.tables for side, half in zip(table.sides, table.half_wins, strict=True) if half}
        drawn, _second = next(rounds)
        among += sum(won.issuperset(table) for table in drawn.tables)
    assert 200 < among < 350, "a winner has met one of the 4 losers: each other winner is one of 6 left, so 4 x 3/6 / 2"


@pytest.mark.parametrize(
    ("form", "ended"),
    [
        (RoundRobin(), [None, None, None, "format.over"]),
        (Swiss(rounds=2), [None, None, "format.over", "format.over"]),
        (Swiss(rounds=5), [None, None, None, "format.no-pairing"]),
        (Swiss(rounds=5, rematches="fewest"), [None, None, None, None]),
    ],
)
def test_why_no_further_round_can_come_once_all_have_met(form, ended):
    field = Field(pairs(4))
    played = [one for _drawn, one in rounds_of(RoundRobin(), field, 3)]
    reasons = [form.end_reason(field, played[:number]) for number in range(4)]
    assert [refused and refused.code for refused in reasons] == ended


def test_a_swiss_pairs_by_the_totals_of_the_standings_where_there_are_any():
    first = PlayedRound((PlayedTable(((1, 2), (5, 6)), (9, 5), (2, 0)), PlayedTable(((3, 4), (7, 8)), (9, 5), (2, 0))))
    drawn = Swiss().next_round(Field(pairs(4), totals={3: (2, 9), 5: (2, 5)}), [first], seed=1)
    assert drawn.tables == (((3, 4), (5, 6)), ((1, 2), (7, 8)))


@pytest.mark.parametrize(
    ("people", "sides"), [((3, 4, 5, 6), ((3, 4), (5, 6))), ((3, 4, 5), None), ((1, 2, 3, 4), None), ((3, 4), None)]
)
def test_two_whole_sides_that_may_meet_can_play_at_a_table_more(people, sides):
    field = Field(pairs(3), apart=frozenset({frozenset({1, 4})}))
    assert Swiss().late_table(field, [], people=people) == sides


def test_four_who_come_late_to_a_progressive_event_change_partners():
    before = PlayedRound((PlayedTable(((1, 2), (3, 4)), (9, 5), (2, 0)), PlayedTable(((5, 6), (7, 8)), (9, 5), (2, 0))))
    field = Field(singles(8))
    for moves in ("losers-stay", "colours"):
        form, last = Progressive(moves=moves), PlayedRound(before.tables[:1])
        assert all(form.late_table(field, [last], people=range(5, 5 + few)) is None for few in (1, 2, 3))
        table = form.late_table(field, [before, last], people=(1, 2, 3, 4))
        assert not set(map(frozenset, table)) & {frozenset({1, 2}), frozenset({3, 4})}
        if moves == "colours":
            assert [{side[0] for side in table}, {side[1] for side in table}] == [{1, 3}, {2, 4}]


@given(st.integers(4, 40), st.integers(0, 1000), st.sampled_from(MOVES))
def test_a_progressive_event_changes_partners_and_shares_out_the_waiting(count, seed, moves):
    field = Field(singles(count))
    last = set()
    rested = Counter()
    for drawn, played in rounds_of(Progressive(rounds=6, moves=moves), field, seed):
        partners = {frozenset(side) for table in played.tables for side in table.sides}
        assert not partners & last
        last = partners
        rested.update(drawn.sit_outs)
        waits = [rested[p] for team in field.teams for p in team]
        assert max(waits) - min(waits) <= 1


def test_winners_move_up_and_losers_of_the_head_table_go_to_the_last():
    first = PlayedRound(tuple(PlayedTable(((n, n + 1), (n + 2, n + 3)), (10, 5), (2, 0)) for n in (1, 5, 9)))
    drawn = Progressive().next_round(Field(singles(12)), [first], seed=1)
    assert [{p for side in table for p in side} for table in drawn.tables] == [
        {1, 2, 5, 6},  # the head table's winners stay, those of the second come up
        {7, 8, 9, 10},  # losers stay, winners of the last come up
        {11, 12, 3, 4},
    ]
    down = Progressive(moves="losers-down").next_round(Field(singles(12)), [first], seed=1)
    assert [{p for side in table for p in side} for table in down.tables] == [
        {1, 2, 5, 6},
        {9, 10, 3, 4},
        {11, 12, 7, 8},
    ]


@given(st.integers(3, 12), st.integers(0, 1000))
def test_by_the_compass_everybody_moves_as_their_seat_does(tables, seed):
    field, before = Field(singles(4 * tables)), None
    step, partners = (0, 1, -1, -2), Counter()
    for drawn, _played in rounds_of(Progressive(rounds=min(tables, 12), moves="compass"), field, seed):
        at = {p: (t, n) for t, sides in enumerate(drawn.tables) for n, p in enumerate((*sides[0], *sides[1]))}
        if before:
            assert all(at[p] == ((t + step[n]) % tables, n) for p, (t, n) in before.items())
        before = at
        partners.update(frozenset(side) for sides in drawn.tables for side in sides)
    if tables % 3:
        assert max(partners.values()) == 1


def test_with_losers_moving_by_two_cards_the_winners_stay_and_change_partners():
    people = [((n, n + 1), (n + 2, n + 3)) for n in (1, 5, 9)]
    first = PlayedRound(tuple(PlayedTable(sides, (9, 5), (2, 0)) for sides in people))
    drawn = Progressive(moves="losers-colours").next_round(Field(singles(12)), [first], seed=1)
    # of the losers 3, 7, 11 have the first card and go up, 4, 8, 12 the second and go down; the winners stay
    at = {p: t for t, sides in enumerate(drawn.tables) for side in sides for p in side}
    assert [at[p] for p in (1, 2, 5, 6, 9, 10)] == [0, 0, 1, 1, 2, 2]
    assert [at[p] for p in (3, 7, 11)] == [2, 0, 1]
    assert [at[p] for p in (4, 8, 12)] == [1, 2, 0]
    before = {frozenset(side) for sides in people for side in sides}
    assert not before & {frozenset(side) for sides in drawn.tables for side in sides}


@given(st.integers(2, 10), st.integers(0, 1000))
def test_with_colours_partners_are_always_of_two_colours(tables, seed):
    """Where the people fill the tables; with people over, somebody may have to take the other colour for a round."""
    field = Field(singles(4 * tables))
    colour = {}
    for drawn, _played in rounds_of(Progressive(rounds=6, moves="colours"), field, seed):
        for table in drawn.tables:
            for side in table:
                for number, person in enumerate(side):
                    assert colour.setdefault(person, number) == number


@given(st.integers(4, 30), st.integers(0, 300), st.sampled_from(MOVES), st.data())
def test_progressive_goes_on_when_people_come_and_go(count, seed, moves, data):
    form, rng = Progressive(rounds=6, moves=moves), Random(seed)
    everybody = singles(count + 3)
    away = frozenset(range(count + 1, count + 4))
    played = []
    for _number in range(6):
        field = Field(everybody, absent=away)
        drawn = form.next_round(field, played, seed=seed)
        everybody_once(drawn, field)
        assert all(len(side) == 2 for table in drawn.tables for side in table)
        played.append(played_out(drawn, rng))
        away = frozenset(data.draw(st.sets(st.integers(1, count + 3), max_size=max(0, count - 1))))
        if count + 3 - len(away) < 4:
            away = frozenset()


@given(st.integers(2, 15), st.integers(0, 1000))
def test_on_the_ladder_the_best_climbs_to_the_top_and_stays(count, seed):
    field = Field(pairs(count))
    drawn = [one for one, _p in rounds_of(Ladder(rounds=2 * count), field, seed, best=True)]
    assert all((1, 2) in one.tables[0] for one in drawn[count:])


@given(st.integers(2, 33), st.integers(0, 1000), st.booleans(), st.booleans())
def test_a_knock_out_ends_with_one_unbeaten(count, seed, consolation, third):
    field = Field(pairs(count))
    lost = Counter()
    games = Counter()
    for _drawn, played in rounds_of(KnockOut(consolation=consolation, third=third), field, seed, ties=False):
        for table in played.tables:
            winner, loser = table.order()
            lost[loser] += 1
            games.update(table.sides)
            assert lost[winner] <= 1  # who lost twice is out
    unbeaten = [team for team in field.teams if not lost[team]]
    assert len(unbeaten) == 1
    if not consolation and not third:
        assert set(lost.values()) == {1}
        assert sum(games.values()) == 2 * (count - 1)
    if consolation and count >= 5:
        assert min(games[team] for team in field.teams) >= 1


@given(st.integers(2, 33), st.integers(0, 1000), st.booleans(), st.booleans())
def test_every_match_of_a_knock_out_keeps_its_name(count, seed, consolation, third):
    field, form = Field(pairs(count)), KnockOut(consolation=consolation, third=third)
    planned = [match.name for match in form.matches(field, [])]
    assert len(set(planned)) == len(planned)
    names, played = [], []
    for _drawn, one in rounds_of(form, field, seed, ties=False):
        by_sides = {frozenset(match.sides): match for match in form.matches(field, played)}
        matches = [by_sides[frozenset(table.sides)] for table in one.tables]
        assert not any(match.decided for match in matches)
        names += [match.name for match in matches]
        played.append(one)
    assert len(set(names)) == len(names)
    assert set(names) <= set(planned)
    assert all(match.decided for match in form.matches(field, played))


@pytest.mark.parametrize("count", range(2, 34))
def test_the_best_seed_meets_the_second_only_in_the_final(count):
    rounds = [p for _d, p in rounds_of(KnockOut(consolation=False, third=False), Field(pairs(count)), 1, best=True)]
    assert [set(table.sides) for table in rounds[-1].tables] == [{(1, 2), (3, 4)}]
    assert len(rounds) == (count - 1).bit_length()


@pytest.mark.parametrize("count", [8, 11, 16, 20])
def test_the_consolation_is_between_those_who_lost_their_first_match(count):
    field = Field(pairs(count))
    rounds = [p for _d, p in rounds_of(KnockOut(third=False), field, 5, best=True)]
    games = Counter(side for one in rounds for table in one.tables for side in table.sides)
    first_lost = set()
    seen = set()
    for one in rounds:
        for table in one.tables:
            loser = table.order()[1]
            if loser not in seen:
                first_lost.add(loser)
            seen.update(table.sides)
    assert len(first_lost) >= 2
    fallen = Counter(table.order()[1] for one in rounds for table in one.tables)
    twice = {team for team, times in fallen.items() if times == 2}
    assert len(twice) == len(first_lost) - 1  # all but the winner of the consolation lose again
    assert twice < first_lost
    assert all(games[team] >= 2 for team in first_lost)


def test_the_order_of_a_knock_out_is_how_far_each_came():
    field, form = Field(pairs(8)), KnockOut()
    rounds = [p for _d, p in rounds_of(form, field, 5, best=True)]
    reached = form.reached(field, rounds)
    order = sorted(field.teams, key=reached.__getitem__, reverse=True)
    assert order[:4] == [(1, 2), (3, 4), (5, 6), (7, 8)]  # the best always wins: the third beats the fourth seed
    assert reached[9, 10] > reached[15, 16]  # the winner of the consolation before who lost in its first round
    assert reached[9, 10] < reached[7, 8]


def test_a_side_that_comes_back_has_lost_the_match_it_missed():
    form, teams = KnockOut(third=False), pairs(8)
    played = [played_out(form.next_round(Field(teams), [], seed=1), Random(1), best=True)]
    gone = Field(teams, absent=frozenset({1}))  # of the side that won at the first table
    second = form.next_round(gone, played, seed=1)
    played.append(played_out(second, Random(1), best=True))
    third = form.next_round(Field(teams), played, seed=1)
    assert ((3, 4), (7, 8)) in third.tables or ((7, 8), (3, 4)) in third.tables  # the final, without those who left
    assert not any((1, 2) in table for table in third.tables)
    assert form.reached(Field(teams), played)[1, 2] < form.reached(Field(teams), played)[7, 8]


def test_a_side_that_comes_back_has_lost_its_match_of_the_consolation_too():
    form, teams = KnockOut(third=False), pairs(8)
    played = [played_out(form.next_round(Field(teams), [], seed=1), Random(1), best=True)]
    absent = frozenset({15})
    played.append(played_out(form.next_round(Field(teams, absent), played, seed=1), Random(1), best=True))
    third = form.next_round(Field(teams), played, seed=1)
    assert not any((15, 16) in table for table in third.tables)
    assert any((9, 10) in table for table in third.tables)  # who went on without a table


def test_nobody_is_third_when_both_have_left():
    form, teams = KnockOut(), pairs(4)
    played = [played_out(form.next_round(Field(teams), [], seed=1), Random(1), best=True)]
    both = Field(teams, absent=frozenset({5, 8}))
    reached = form.reached(both, played)
    assert reached[5, 6] == reached[7, 8]
    one = form.reached(Field(teams, absent=frozenset({8})), played)
    assert one[5, 6] > one[7, 8]


def test_nobody_is_third_when_one_has_left_and_the_other_match_had_nobody():
    form, teams = KnockOut(), pairs(4)
    nobody, semi = (
        PlayedTable(match, (0, 0), (0, 0), walkover=True) for match in form.next_round(Field(teams), [], seed=1).tables
    )
    played = [PlayedRound((nobody, replace(semi, points=(9, 5), half_wins=(2, 0))))]
    winner, loser = semi.sides
    there = form.reached(Field(teams), played)
    assert there[winner] > there[loser] > there[nobody.sides[0]] == there[nobody.sides[1]]
    gone = form.reached(Field(teams, absent=frozenset(loser)), played)
    assert len({gone[side] for side in (loser, *nobody.sides)}) == 1


@pytest.mark.parametrize(("apart", "meeting"), [({1, 15}, 1), ({2, 7}, 2), ({1, 4}, 3), ({1, 99}, 3)])
def test_the_round_is_known_in_which_two_could_meet_who_must_not(apart, meeting):
    form, field = KnockOut(), Field(pairs(8), apart=frozenset({frozenset(apart)}))
    assert form.first_meeting(field) == meeting
    assert form.is_kept_apart(field) is (meeting > 1)
    if meeting == 1:
        with pytest.raises(FormatRefused, match=r"format\.apart"):
            form.next_round(field, [], seed=1)


@given(st.sampled_from([(4, 2), (6, 2), (6, 3), (8, 2), (3, 1), (5, 1)]))
def test_at_a_single_table_everybody_partners_everybody_equally(shape):
    people, per_side = shape
    form = SingleTable(per_side=per_side, rounds=people - 1)
    often = Counter()
    for drawn, _played in rounds_of(form, Field(singles(people)), 1):
        assert len(drawn.tables) == 1
        for side in drawn.tables[0]:
            often.update(frozenset(pair) for pair in combinations(side, 2))
    if per_side == 2:
        assert {often[frozenset(pair)] for pair in combinations(range(1, people + 1), 2)} == {1}


def test_partners_can_stay_at_a_single_table():
    drawn = [one for one, _p in rounds_of(SingleTable(partners="stay"), Field(singles(4)), 1)]
    assert {one.tables for one in drawn} == {(((1, 2), (3, 4)),)}


@given(st.integers(1, 8), st.integers(1, 8))
def test_in_a_match_between_clubs_all_meet_before_any_meet_twice(home, away):
    teams = pairs(home + away)
    field = Field(teams, clubs=(1,) * home + (2,) * away)
    club = dict(zip(teams, field.clubs, strict=True))
    met = Counter()
    rested = Counter()
    for drawn, _played in rounds_of(TeamMatch(rounds=min(home, away)), field, 1):
        assert all(club[one] != club[other] for one, other in drawn.tables)
        met.update(frozenset(table) for table in drawn.tables)
        rested.update(drawn.sit_outs)
    if home == away:
        assert set(met.values()) == {1}
        assert len(met) == home * away
    longer = [p for team in (teams[:home] if home > away else teams[home:]) for p in team]
    assert max(rested[p] for p in longer) - min(rested[p] for p in longer) <= 1


OPEN = PlayedRound((PlayedTable(((1, 2), (3, 4))),))
LEVEL = PlayedRound((PlayedTable(((1, 2), (3, 4)), (50, 50), (1, 1)),))
WON = PlayedRound((PlayedTable(((1, 2), (3, 4)), (9, 5), (2, 0)),))
APART = Field(pairs(2), apart=frozenset({frozenset({1, 3})}))
AT_TABLE_1 = {"round": 1, "table": 1}


@pytest.mark.parametrize(
    ("form", "field", "played", "code", "arguments"),
    [
        (Swiss(), APART, [], "apart", {}),
        (OpenPairs(), APART, [], "apart", {}),
        (Rungs(), APART, [], "apart", {}),
        (OutAfter(), APART, [], "apart", {}),
        (Swiss(), Field(pairs(2)), [OPEN], "open-table", AT_TABLE_1),
        (Ladder(), Field(pairs(2)), [OPEN], "open-table", AT_TABLE_1),
        (KnockOut(), Field(pairs(2)), [OPEN], "open-table", AT_TABLE_1),
        (KnockOut(), Field(pairs(2)), [LEVEL], "level-table", AT_TABLE_1),
        (OutAfter(), Field(pairs(2)), [LEVEL], "level-table", AT_TABLE_1),
        (DoubleKnockOut(), Field(pairs(2)), [LEVEL], "level-table", AT_TABLE_1),
        (KnockOut(), Field(pairs(2)), [WON], "over", {}),
        (OutAfter(losses=1), Field(pairs(2)), [WON], "over", {}),
        (Groups(groups=1), Field(pairs(2)), [WON], "over", {}),
        (Groups(groups=3), Field(pairs(5)), [], "too-few", None),
        (OpenPlay(), Field(singles(3)), [], "too-few", None),
        (TeamMatch(), Field(pairs(4), clubs=(1, 1, 1, 1)), [], "clubs", None),
        (TeamMatch(), Field(pairs(2), absent=frozenset({1}), clubs=(1, 2)), [], "too-few", None),
        (SingleTable(per_side=2), Field(singles(5)), [], "size", None),
    ],
)
def test_a_round_that_cannot_be_is_refused_with_a_reason(form, field, played, code, arguments):
    with pytest.raises(FormatRefused) as refused:
        form.next_round(field, played, seed=1)
    assert refused.value.code == f"format.{code}"
    assert arguments is None or dict(refused.value.arguments) == arguments


def test_a_knock_out_is_over_once_its_last_match_is_decided_by_lots_or_by_a_side_that_left():
    two, third = Field(pairs(2)), KnockOut(third=False, consolation=False)
    assert KnockOut(level="lots").is_over(two, [LEVEL])
    assert not KnockOut().is_over(two, [OPEN])
    first = played_out(third.next_round(Field(pairs(4)), [], seed=1), Random(1), best=True)
    assert third.is_over(Field(pairs(4), absent=frozenset({2})), [first])


@pytest.mark.parametrize("slug", FORMATS)
def test_too_few_sides_are_refused_with_a_reason(slug):
    with pytest.raises(FormatRefused) as refused:
        FORMATS[slug]().next_round(Field(pairs(1), clubs=(1,)), [], seed=1)
    assert refused.value.code in {"format.too-few", "format.clubs"}


@pytest.mark.parametrize("slug", ["round-robin", "swiss", "progressive", "ladder", "single-table", "team-match"])
def test_when_all_rounds_are_played_there_is_no_next_one(slug):
    teams = singles(4) if slug in {"progressive", "single-table"} else pairs(4)
    field = Field(teams, clubs=(1, 1, 2, 2))
    form = FORMATS[slug]() if slug != "swiss" else Swiss(rounds=3)
    played = [p for _d, p in rounds_of(form, field, 1)]
    with pytest.raises(FormatRefused) as refused:
        form.next_round(field, played, seed=1)
    assert refused.value.code == "format.over"


def test_the_options_of_a_format_are_named_in_order():
    assert [one.name for one in option_fields(KnockOut)] == ["consolation", "third", "level"]


def test_a_ladder_may_begin_in_the_order_of_entry():
    first = Ladder(first_by_lot=False).next_round(Field(singles(5)), [], seed=1)
    assert first.tables == (((1,), (2,)), ((3,), (4,)))
    assert first.sit_outs == (5,)


@pytest.mark.parametrize("third", [True, False])
@pytest.mark.parametrize("consolation", [True, False])
def test_a_knock_out_that_people_leave_seats_nobody_twice_and_orders_all(third, consolation):
    rng, form = Random(f"{third}{consolation}"), KnockOut(third=third, consolation=consolation)
    for count in range(2, 18):
        field, played = Field(singles(count)), []
        while not form.is_over(field, played):
            drawn = form.next_round(field, played, seed=1)
            seated = [person for table in drawn.tables for side in table for person in side]
            assert len(seated) == len(set(seated))
            played.append(played_out(drawn, rng, ties=False))
            reached = form.reached(field, played)
            assert set(reached) == set(field.teams)
            if rng.random() < 0.4:
                field = Field(field.teams, absent=field.absent | {rng.randrange(1, count + 1)})
        order = sorted(form.reached(field, played).values())
        assert order[-2] < order[-1]  # one has won
