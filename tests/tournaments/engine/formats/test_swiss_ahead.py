"""A Swiss looks ahead: a round leaves a plan without a rematch for all that are still to come."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.tournaments.engine.formats.test_formats import pairs, played_out
from tournaments.engine.formats import Field, FormatRefused, PlayedRound, matchings
from tournaments.engine.formats.matchings import (
    best_matching_with_rounds_ahead,
    can_plan,
    make_graph,
    matchings_by_weight,
    plan_rounds,
    total_weight,
    without_edges,
)
from tournaments.engine.formats.pairings import Swiss, TeamMatch, total_scores


def perfect(free, may):
    """All ways to pair everybody who is free, by brute force."""
    if not free:
        return [frozenset()]
    one, others = min(free), free - {min(free)}
    return [
        frozenset({frozenset((one, other)), *rest})
        for other in sorted(others)
        if frozenset((one, other)) in may
        for rest in perfect(others - {other}, may)
    ]


def longest(everybody, may, most):
    """How many rounds without a rematch are possible, up to `most`, by brute force."""
    if not most:
        return 0
    found = 0
    for one in perfect(everybody, may):
        found = max(found, 1 + longest(everybody, may - one, most - 1))
        if found == most:
            break
    return found


def event(sides, form, seed):
    field, rng, played = Field(pairs(sides)), Random(seed), list[PlayedRound]()
    while not form.is_over(field, played):
        played.append(played_out(form.next_round(field, played, seed=seed), rng))
    return played


def repeats(played):
    met = Counter(frozenset(table.sides) for one in played for table in one.tables)
    rested = Counter(person for one in played for person in one.sit_outs)
    return sum(met.values()) - len(met) + (sum(rested.values()) - len(rested)) // 2


@pytest.mark.daily(3)
@pytest.mark.parametrize(("sides", "rounds"), [(6, 4), (6, 5), (7, 5), (7, 7), (8, 6), (8, 7), (10, 8), (11, 9)])
def test_no_event_ends_early_for_want_of_a_pairing_that_an_earlier_round_could_have_left(sides, rounds):
    for seed in range(40):
        played = event(sides, Swiss(rounds=rounds), seed)
        assert len(played) == rounds
        assert not repeats(played)


@given(st.integers(4, 8), st.integers(1, 6), st.integers(0, 5), st.randoms(use_true_random=False))
def test_a_round_leaves_as_many_rounds_as_brute_force_finds(sides, rounds, gone, rng):
    """After any rounds before, with sides absent that come back, or that have left for good."""
    teams, played = pairs(sides), list[PlayedRound]()
    while True:
        absent = frozenset(team[0] for team in teams if rng.random() < gone / 20)
        field = Field(teams, absent)
        if len(played) == rounds or len(field.present) < 2:
            return
        rest = () if len(field.present) % 2 == 0 else ((),)
        order = [*field.present, *rest]
        met = {frozenset(table.sides) for one in played for table in one.tables}
        met |= {frozenset((team, ())) for one in played for team in teams if team[0] in one.sit_outs}
        may = frozenset(
            frozenset(pair)
            for pair in combinations(range(len(order)), 2)
            if frozenset(order[n] for n in pair) not in met
        )
        everybody = frozenset(range(len(order)))
        possible = longest(everybody, may, rounds - len(played))
        form = Swiss(rounds=rounds)
        assert form.rounds_without_rematch(field, played) == (possible, rounds - len(played))
        if not possible:
            with pytest.raises(FormatRefused, match="no-pairing"):
                form.next_round(field, played, seed=1)
            return
        drawn = form.next_round(field, played, seed=1)
        now = {frozenset(table) for table in drawn.tables}
        now |= {frozenset((team, ())) for team in field.present if team[0] in drawn.sit_outs}
        assert not now & met
        left = may - {frozenset(order.index(side) for side in pair) for pair in now}
        assert longest(everybody, left, possible - 1) == possible - 1
        played.append(played_out(drawn, rng))


@examples(30)
@given(st.integers(1, 4), st.integers(0, 5), st.randoms(use_true_random=False))
def test_a_plan_is_found_where_there_is_one(half, rounds, rng):
    sides, share = 2 * half, rng.choice((0.4, 0.6, 0.8))
    weights = {pair: rng.randrange(9) for pair in combinations(range(sides), 2) if rng.random() < share}
    graph = make_graph(weights, sides)
    found = plan_rounds(graph, rounds)
    brute = longest(frozenset(range(sides)), frozenset(map(frozenset, weights)), rounds)
    assert (found is not None) == (brute == rounds) == can_plan(graph, rounds)
    for one in found or ():
        assert sorted(side for pair in one for side in pair) == list(range(sides))
        assert all(graph[a] >> b & 1 for a, b in one)
        graph = without_edges(graph, one)


@pytest.mark.parametrize("sides", [10, 14, 20, 30])
def test_everybody_can_meet_everybody_in_a_row(sides):
    everybody = tuple(((1 << sides) - 1) ^ (1 << side) for side in range(sides))
    found = plan_rounds(everybody, sides - 1)
    assert len({pair for one in found for pair in one}) == sides * (sides - 1) // 2


@given(st.integers(1, 4), st.randoms(use_true_random=False))
def test_pairings_come_by_falling_weight_and_none_is_left_out(half, rng):
    sides = 2 * half
    weights = {pair: rng.randrange(20) for pair in combinations(range(sides), 2) if rng.random() < 0.7}
    found = list(matchings_by_weight(weights, sides))
    assert sorted((total_weight(one, weights) for one in found), reverse=True) == [
        total_weight(o, weights) for o in found
    ]
    brute = perfect(frozenset(range(sides)), frozenset(map(frozenset, weights)))
    assert {frozenset(map(frozenset, one)) for one in found} == set(brute)
    assert len(found) == len(brute)


def test_of_the_pairings_that_leave_enough_rounds_the_best_is_taken():
    weights = {pair: 10 * pair[0] + pair[1] for pair in combinations(range(6), 2)}
    graph = make_graph(weights, 6)
    for more in range(8):
        taken = best_matching_with_rounds_ahead(weights, 6, ahead=more)
        there = min(more, 4)  # after one round of five
        assert taken == next(
            one for one in matchings_by_weight(weights, 6) if can_plan(without_edges(graph, one), there)
        )


def test_more_rounds_than_there_are_without_a_rematch_are_refused_or_repeat_the_fewest():
    with pytest.raises(FormatRefused) as refused:
        event(6, Swiss(rounds=7), 1)
    assert dict(refused.value.arguments) == {"rounds": 5}  # all five that there are
    allowed = event(6, Swiss(rounds=7, rematches="fewest"), 1)
    assert [repeats(allowed[: n + 1]) for n in range(7)] == [0, 0, 0, 0, 0, 3, 6]
    odd = event(5, Swiss(rounds=6, rematches="fewest"), 1)
    assert [repeats(odd[: n + 1]) for n in range(6)] == [0, 0, 0, 0, 0, 3]


@given(st.integers(2, 7), st.integers(1, 9), st.integers(0, 500))
def test_where_the_fewest_meet_again_no_round_has_more_than_it_must(sides, rounds, seed):
    played = []
    for one in event(sides, Swiss(rounds=rounds, rematches="fewest"), seed):
        field = Field(pairs(sides))
        order = [*field.teams, *([()] if sides % 2 else [])]
        times = Counter(frozenset(table.sides) for before in played for table in before.tables)
        times.update(frozenset((t, ())) for before in played for t in field.teams if t[0] in before.sit_outs)
        anybody = frozenset(frozenset(pair) for pair in combinations(range(len(order)), 2))
        fewest = min(
            sum(times[frozenset(order[n] for n in pair)] > 0 for pair in way)
            for way in perfect(frozenset(range(len(order))), anybody)
        )
        assert repeats([*played, one]) - repeats(played) == fewest
        played.append(one)


def test_with_nothing_in_the_way_a_round_is_the_pairing_of_greatest_weight():
    """Up to half as many rounds as sides, looking ahead changes nothing: Dirac's theorem leaves a plan in any case."""
    for sides in (6, 9, 12):
        for seed in range(5):
            whole = event(sides, Swiss(rounds=(sides + 1) // 2), seed)
            for number in range(len(whole)):
                alone = Swiss(rounds=number + 1).next_round(Field(pairs(sides)), whole[:number], seed=seed)
                assert [table.sides for table in whole[number].tables] == list(alone.tables)


def test_a_score_still_weighs_more_than_anything_within_a_group():
    played = event(12, Swiss(rounds=5), 4)
    score, _points = total_scores(pairs(12), played, bye=2)
    drawn = Swiss(rounds=6).next_round(Field(pairs(12)), played, seed=4)
    met = {frozenset(table.sides) for one in played for table in one.tables}
    rng, teams = Random(1), list(pairs(12))
    apart = sum((score[a] - score[b]) ** 2 for a, b in drawn.tables)
    for _ in range(3000):  # no pairing by lot without a rematch has sides nearer together
        rng.shuffle(teams)
        way = [(teams[n], teams[n + 1]) for n in range(0, 12, 2)]
        if not any(frozenset(pair) in met for pair in way):
            assert sum((score[a] - score[b]) ** 2 for a, b in way) >= apart


@pytest.mark.parametrize(("home", "away"), [(3, 3), (4, 4), (5, 3), (5, 4), (6, 4), (7, 5)])
def test_two_clubs_meet_without_a_rematch_as_long_as_there_is_somebody_to_meet(home, away):
    field, played = Field(pairs(home + away), clubs=(0,) * home + (1,) * away), list[PlayedRound]()
    form = TeamMatch(rounds=home)
    while not form.is_over(field, played):
        played.append(played_out(form.next_round(field, played, seed=1), Random(1)))
    met = Counter(frozenset(table.sides) for one in played for table in one.tables)
    assert max(met.values()) == 1
    rested = [sum(team[0] in one.sit_outs for one in played) for team in field.teams[:home]]
    assert max(rested) - min(rested) <= 1


def test_a_plan_is_given_up_when_its_steps_run_out(monkeypatch):
    everybody = dict.fromkeys(combinations(range(8), 2), 0)
    monkeypatch.setattr(matchings, "FOR_EACH", 0)
    assert plan_rounds(make_graph(everybody, 8), 7) is not None
    monkeypatch.setattr(matchings, "STEPS", 6)
    assert plan_rounds(make_graph(everybody, 8), 7) is None


def test_where_no_more_pairings_may_be_looked_at_the_best_round_of_a_plan_is_taken(monkeypatch):
    """A ring of six, and a pair across that leaves two on either side who haven't the one left to meet."""
    weights = {(0, 1): 1, (1, 2): 2, (2, 3): 1, (3, 4): 2, (4, 5): 1, (0, 5): 2, (0, 3): 50}
    assert (0, 3) in (next(matchings_by_weight(weights, 6)))
    monkeypatch.setattr(matchings, "PAIRINGS", 0)
    monkeypatch.setattr(matchings, "LEAST", 0)
    taken = best_matching_with_rounds_ahead(weights, 6, ahead=1)
    assert taken == ((0, 5), (1, 2), (3, 4))


@pytest.mark.parametrize("sides", [9, 11])
def test_a_bye_goes_to_nobody_more_than_half_a_win_above_the_lowest_who_may_have_it(sides):
    for seed in range(30):
        form, field, rng, played = Swiss(rounds=7), Field(pairs(sides)), Random(seed), list[PlayedRound]()
        while not form.is_over(field, played):
            score, _points = total_scores(field.teams, played, bye=form.bye_half_wins)
            drawn = form.next_round(field, played, seed=seed)
            rested = {person for one in played for person in one.sit_outs}
            may = [score[team] for team in field.teams if team[0] not in rested]
            (resting,) = [team for team in field.teams if team[0] in drawn.sit_outs]
            assert score[resting] <= min(may) + 1, (seed, len(played))
            played.append(played_out(drawn, rng))
