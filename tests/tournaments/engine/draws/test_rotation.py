"""Rotating partners: no faults, few repeats, fair sit-outs, around what was played, the same everywhere."""

import hashlib
import json
from dataclasses import astuple

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tournaments.engine.draws.patterns import PATTERNS, stored_draw
from tournaments.engine.draws.rotation import MOST, Afternoon, DrawRefused, draw_rotation
from tournaments.engine.rounds import ODD, SeatedRound, layout
from tournaments.engine.verify import find_faults, make_statement


def repeats(rounds, people=()):
    found = make_statement(rounds, people)
    return found.partner.repeats, found.opponent.repeats, found.table_mate.repeats


@pytest.mark.daily(25)
@pytest.mark.parametrize("people", [*range(4, 34), 40, 47, 54, 60, 101, 120, 199, 200])
@pytest.mark.parametrize("rounds", [1, 5])
def test_any_number_of_people_gets_a_sound_and_fair_draw(people, rounds):
    plan = draw_rotation(Afternoon(range(people), rounds), seed=1, steps=5_000)
    assert len(plan.rounds) == rounds
    assert find_faults(plan.rounds, range(people), everyone=True) == ()
    sit_outs = make_statement(plan.rounds, ()).sit_outs
    assert sit_outs.spread <= 1
    assert sit_outs.total == rounds * (people % 4)
    assert sit_outs.back_to_back == 0


@pytest.mark.parametrize("people", [4, 5, 6, 7, 11, 13, 18, 29, 62, 111, 198, 200])
def test_a_dozen_rounds_are_drawn_as_well(people):
    plan = draw_rotation(Afternoon(range(people), 12), seed=1, steps=2_000)
    assert find_faults(plan.rounds, range(people), everyone=True) == ()
    sit_outs = make_statement(plan.rounds, ()).sit_outs
    assert (sit_outs.spread, sit_outs.back_to_back) == (sit_outs.least_spread, 0)


@pytest.mark.parametrize(
    ("people", "rounds", "most"),
    [
        (24, 6, (0, 0, 0)),
        (32, 8, (0, 0, 0)),
        (40, 8, (0, 0, 0)),
        (16, 5, (0, 0, 0)),
        (16, 6, (0, 0, 24)),  # the bound
        (17, 6, (0, 0, 14)),
        (20, 6, (0, 0, 6)),
        (15, 4, (0, 0, 0)),
        (8, 4, (0, 4, 20)),
        (9, 6, (0, 12, 36)),
        (10, 4, (0, 0, 12)),
        (30, 6, (0, 0, 0)),
        (57, 6, (0, 0, 0)),
        (24, 8, (0, 0, 18)),
    ],
)
def test_repeats_are_at_most_those_measured_for_the_design(people, rounds, most):
    """Partner, opponent, table-mate: the figures the project set itself; here with the ordinary number of steps."""
    got = repeats(draw_rotation(Afternoon(range(people), rounds), seed=1).rounds)
    assert all(mine <= theirs for mine, theirs in zip(got, most, strict=True)), got


def stored():
    names = json.loads((PATTERNS / "found.json").read_text(encoding="utf-8"))["draws"]
    sizes = [(*name.removesuffix("six").split("x"), "six" if name.endswith("six") else "") for name in names]
    return [(int(people), int(rounds), odd) for people, rounds, odd in sizes]


@pytest.mark.daily(70)
@pytest.mark.parametrize(("people", "rounds", "odd"), stored())
def test_stored_draws_are_sound_and_fair(people, rounds, odd):
    plan = draw_rotation(Afternoon(range(people), rounds, odd=odd or "sit-out"), seed=5, steps=1)
    assert plan.method == "stored" or whole_without_search(people, rounds)
    assert find_faults(plan.rounds, range(people), or_sides=[(3, 3)] if odd else (), everyone=True) == ()
    assert len(stored_draw(people, rounds, odd=odd)) == rounds
    assert make_statement(plan.rounds, range(people)).sit_outs.spread <= 1


@pytest.mark.parametrize(
    ("people", "rounds", "least"),
    [
        (22, 8, (0, 0, 16)),
        (23, 8, (0, 0, 5)),
        (24, 8, (0, 0, 18)),
        (32, 10, (0, 0, 0)),  # everybody meets all others but one: the most rounds there can be
        (40, 13, (0, 0, 0)),  # everybody meets everybody
    ],
)
def test_the_best_draws_known_are_stored(people, rounds, least):
    plan = draw_rotation(Afternoon(range(people), rounds), seed=3, steps=1)
    assert (plan.method, plan.steps) == ("stored", 0)
    assert find_faults(plan.rounds, range(people), everyone=True) == ()
    said = make_statement(plan.rounds, range(people))
    assert (said.partner.repeats, said.opponent.repeats, said.table_mate.repeats) == least
    assert (said.sit_outs.spread, said.sit_outs.back_to_back) == (said.sit_outs.least_spread, 0)


def whole_without_search(people, rounds):
    """A whist tournament as good as the stored draw."""
    return draw_rotation(Afternoon(range(people), rounds), seed=5).steps == 0


@pytest.mark.parametrize("tables", range(4, 51))
def test_a_full_hall_needs_no_search_for_four_rounds(tables):
    plan = draw_rotation(Afternoon(range(4 * tables), 4), seed=0)
    assert plan.method in ("movement", "construction")
    assert plan.steps == 0


@pytest.mark.parametrize(("people", "rounds"), [(40, 6), (22, 5), (24, 8)])
def test_the_same_seed_gives_the_same_draw_whatever_the_order_of_names(people, rounds):
    one = draw_rotation(Afternoon(range(people), rounds), seed=7, steps=20_000)
    assert draw_rotation(Afternoon(list(reversed(range(people))), rounds), seed=7, steps=20_000) == one
    assert draw_rotation(Afternoon(range(people), rounds), seed=8, steps=20_000).rounds != one.rounds


def test_a_draw_is_the_same_on_every_machine():
    """A digest kept from the first machine it ran on: a change here changes draws that clubs have printed."""
    plan = draw_rotation(Afternoon(range(22), 5), seed=2013, steps=20_000)
    assert (
        hashlib.sha256(repr([astuple(round_)[:2] for round_ in plan.rounds]).encode()).hexdigest()[:16]
        == "f7de4af5137686eb"
    )


def test_late_arrivals_and_leavers_are_drawn_around_the_rounds_played():
    """St. Hilary, forty here for two rounds; then two go home and four come in: still nobody meets anyone twice."""
    played = draw_rotation(Afternoon(range(40), 2), seed=1).rounds
    now = [*range(2, 40), *range(100, 104)]
    plan = draw_rotation(Afternoon(now, 4, played=played), seed=1)
    assert find_faults(plan.rounds, now, everyone=True) == ()
    assert repeats((*played, *plan.rounds)) == (0, 0, 0)


def test_a_newcomer_is_neither_sat_out_at_once_nor_spared():
    """Nine people have each sat out once; a tenth comes, credited with one, and sits out within the next five."""
    nine = draw_rotation(Afternoon(range(9), 9), seed=1, steps=5_000).rounds
    assert {sum(p in r.sit_outs for r in nine) for p in range(9)} == {1}
    later = draw_rotation(Afternoon(range(10), 5, played=nine), seed=1, steps=5_000).rounds
    assert [sum(p in r.sit_outs for r in later) for p in range(10)] == [1] * 10


def test_whoever_was_away_isnt_made_to_catch_up_on_sit_outs():
    """Five people, four rounds without Ida, who is back: her share of the four was 0.8, so one, as most have had."""
    ida = 6
    rounds = [
        SeatedRound((((1, 2), (3, 4)),), (5,)),
        SeatedRound((((1, 3), (5, 4)),), (2,)),
        SeatedRound((((1, 5), (2, 4)),), (3,)),
        SeatedRound((((5, 2), (3, 1)),), (4,)),
    ]
    drawn = [
        draw_rotation(Afternoon([1, 2, 3, 4, 5, ida], 1, played=rounds), seed=seed).rounds[0] for seed in range(12)
    ]
    assert all(1 in after.sit_outs for after in drawn), "the only one who has never sat out"
    assert not any(ida in after.sit_outs for after in drawn), "without the credit she and 1 would have to"


def test_nobody_sits_out_twice_running_across_the_break():
    played = draw_rotation(Afternoon(range(9), 1), seed=1).rounds
    for seed in range(5):
        (after,) = draw_rotation(Afternoon(range(9), 1, played=played), seed=seed, steps=1_000).rounds
        assert not set(after.sit_outs) & set(played[-1].sit_outs)


@given(
    st.integers(4, 26).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 4), st.integers(0, 4))),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 2**32),
)
@examples(60)
def test_people_may_come_and_go(people, before, after, seed):
    here, leave, come = people
    played = draw_rotation(Afternoon(range(here), before), seed=seed, steps=500).rounds
    now = range(leave, here + come)
    plan = draw_rotation(Afternoon(now, after, played=played), seed=seed, steps=500)
    assert find_faults(plan.rounds, now, everyone=True) == ()
    assert plan == draw_rotation(Afternoon(now, after, played=played), seed=seed, steps=500)
    stayed = [sum(p in r.sit_outs for r in (*played, *plan.rounds)) for p in range(leave, here)]
    assert max(stayed) - min(stayed) <= 1


@pytest.mark.daily(100)
@pytest.mark.parametrize("people", [8, 13, 14, 15, 17, 22, 23, 33, 54, 71])
@pytest.mark.parametrize("odd", sorted(ODD))
@pytest.mark.parametrize(("table", "side"), [(4, 2), (4, 1), (6, 3), (6, 2), (6, 1), (5, 1), (3, 1)])
def test_tables_of_every_kind_are_drawn(people, odd, table, side):
    tables = layout(people, table=table, side=side, odd=odd)
    plan = draw_rotation(Afternoon(range(people), 3, table=table, side=side, odd=odd), seed=1, steps=1_500)
    usual, *others = dict.fromkeys(tables.shapes)
    assert find_faults(plan.rounds, range(people), sides=usual, or_sides=others, everyone=True) == ()
    for one in plan.rounds:
        assert sum(tuple(map(len, sides)) != usual for sides in one.tables) <= 2
        assert len(one.sit_outs) == tables.sit_outs
    assert make_statement(plan.rounds, ()).sit_outs.spread <= 1


@pytest.mark.parametrize(
    ("people", "odd", "tables", "sit_outs"),
    [
        (22, "sit-out", ["2-2"] * 5, 2),
        (22, "six", ["2-2"] * 4 + ["3-3"], 0),
        (22, "three", ["2-2"] * 4 + ["1-1-1"] * 2, 0),
        (22, "five", ["2-2"] * 3 + ["1-1-1-1-1"] * 2, 0),
        (23, "six", ["2-2"] * 4 + ["3-3"], 1),
        (23, "three", ["2-2"] * 5 + ["1-1-1"], 0),
        (21, "five", ["2-2"] * 4 + ["1-1-1-1-1"], 0),
        (21, "six", ["2-2"] * 5, 1),
        (24, "six", ["2-2"] * 6, 0),
    ],
)
def test_the_director_chooses_what_becomes_of_those_left_over(people, odd, tables, sit_outs):
    found = layout(people, odd=odd)
    assert ["-".join(map(str, shape)) for shape in found.shapes] == tables
    assert found.sit_outs == sit_outs


def test_visits_to_the_odd_table_are_shared_out_from_thirty_people_on():
    many = make_statement(draw_rotation(Afternoon(range(34), 6, odd="six"), seed=1, steps=40_000).rounds, ())
    assert [(v.size, v.most - v.fewest) for v in many.visits if v.size == 6] == [(6, 1)]
    few = make_statement(draw_rotation(Afternoon(range(26), 6, odd="six"), seed=1, steps=40_000).rounds, ())
    assert [v.most - v.fewest > 1 for v in few.visits if v.size == 6] == [True]


def test_finals_of_eighteen_at_three_sixes_meet_again_as_little_as_can_be():
    for rounds, squares in ((2, 9), (3, 27), (4, 54)):
        plan = draw_rotation(Afternoon(range(18), rounds, table=6, side=1), seed=1, steps=200_000)
        said = make_statement(plan.rounds, ()).table_mate
        assert (said.squares, said.least_squares) == (squares, squares)
        assert plan.steps < 10_000, "it is seen that no rounds are better"


def test_an_earlier_plan_is_kept_to_where_it_can_be():
    """Forty are drawn for six rounds; after two, 39 leaves and 77 comes: the rounds left are those with a new name."""
    plan = draw_rotation(Afternoon(range(40), 6), seed=1).rounds
    now = [*range(39), 77]
    later = draw_rotation(Afternoon(now, 4, played=plan[:2], again=plan[2:]), seed=1).rounds
    assert find_faults(later, now, everyone=True) == ()
    assert repeats((*plan[:2], *later)) == (0, 0, 0)
    renamed = [tuple(tuple(tuple(77 if p == 39 else p for p in s) for s in t) for t in one.tables) for one in plan[2:]]
    assert [one.tables for one in later] == renamed


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("people", "rounds", "played", "leave", "come", "most"),
    [
        (40, 6, 2, 2, 4, (0, 0, 0)),
        (24, 6, 3, 3, 0, (0, 0, 4)),
        (32, 8, 3, 1, 0, (0, 0, 3)),
        (200, 8, 4, 3, 2, (0, 0, 0)),
    ],
)
def test_rounds_drawn_again_repeat_no_more_than_those_measured(people, rounds, played, leave, come, most):
    plan = draw_rotation(Afternoon(range(people), rounds), seed=1).rounds
    now = range(leave, people + come)
    later = draw_rotation(Afternoon(now, rounds - played, played=plan[:played], again=plan[played:]), seed=1).rounds
    assert all(mine <= aim for mine, aim in zip(repeats((*plan[:played], *later)), most, strict=True))


def watched(people, rounds, steps, most):
    """A draw whose search is stopped when it has told of itself so many times: the plan, and what it told."""
    told = []

    def watch(progress, best):
        told.append(progress)
        assert find_faults(best(), range(people), everyone=True) == ()
        return len(told) < most

    plan = draw_rotation(Afternoon(range(people), rounds), seed=1, steps=steps, watch=watch)
    assert {progress.of for progress in told} == {steps}
    assert [p.steps for p in told] == sorted(p.steps for p in told)
    assert [p.cost for p in told] == sorted((p.cost for p in told), reverse=True)
    return plan, told


def test_a_search_tells_how_far_it_is_and_can_be_stopped():
    plan, told = watched(33, 12, steps=1_000_000, most=3)
    assert find_faults(plan.rounds, range(33), everyone=True) == ()
    assert len(told) == 3
    assert plan.steps < 200_000


def test_a_pattern_that_is_too_short_is_continued_within_the_steps_and_that_is_told_too():
    """Eleven rounds of 32 people: nine of a pattern, two searched, against eleven searched."""
    plan, _told = watched(32, 11, steps=100_000, most=10**6)
    assert plan.steps < 110_000
    stopped = draw_rotation(Afternoon(range(32), 11), seed=1, steps=100_000, watch=lambda _progress, _best: False)
    assert stopped.steps < 30_000
    assert repeats(stopped.rounds)[0] == 0


def test_sit_outs_are_even_after_every_round():
    """An event may end early: at no point has anybody sat out twice more than another."""
    for people, rounds in ((11, 8), (14, 9), (7, 7)):
        plan = draw_rotation(Afternoon(range(people), rounds), seed=2, steps=20_000)
        for n in range(1, rounds + 1):
            assert make_statement(plan.rounds[:n], range(people)).sit_outs.spread <= 1


@pytest.mark.parametrize(
    ("asked", "steps", "code"),
    [
        (Afternoon(range(3), 2), 1, "draw.too-few"),
        (Afternoon(range(MOST + 1), 2), 1, "draw.too-many"),
        (Afternoon([1, 2, 3, 4, 2], 2), 1, "draw.named-twice"),
        (Afternoon(range(4), 0), 1, "draw.no-rounds"),
        (Afternoon(range(5), 2, table=4, side=3), 1, "draw.no-such-table"),
        (Afternoon(range(5), 2, table=8, side=4), 1, "draw.no-such-table"),
        (Afternoon(range(5), 2, table=3, side=3), 1, "draw.no-such-table"),
        (Afternoon(range(5), 2, table=6, side=6), 1, "draw.no-such-table"),
        (Afternoon(range(5), 2, table=6, side=2), 1, "draw.too-few"),
        (Afternoon(range(5), 2), 0, "draw.no-steps"),
    ],
)
def test_what_cant_be_drawn_is_refused_by_name(asked, steps, code):
    with pytest.raises(DrawRefused) as refused:
        draw_rotation(asked, seed=1, steps=steps)
    assert refused.value.code == code
