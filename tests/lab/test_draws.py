"""The bench of draws: our draws against figures set beforehand."""

from dataclasses import replace

from lab.benchmarks import draws
from tournaments.engine.draws.rotation import Afternoon


def test_where_a_construction_is_known_nothing_is_repeated_and_nothing_searched():
    for (people, rounds, odd), aim in draws.CLEAN.items():
        drawn = draws.draw(Afternoon(range(people), rounds, odd=odd), steps=1, aim=aim)
        assert drawn.reached
        assert (drawn.repeats, drawn.steps) == ((0, 0, 0), 0)


def test_a_draw_worse_than_set_is_seen():
    drawn = draws.draw(Afternoon(range(16), 6), steps=1, aim=(0, 0, 23))
    assert drawn.repeats == (0, 0, 24)
    assert not drawn.reached


def test_a_wish_that_is_broken_is_seen():
    drawn = draws.draw(Afternoon(range(22), 8, wishes=draws.WISHES))
    assert (drawn.wished, drawn.met) == (6, 6)
    assert drawn.reached
    assert not replace(drawn, met=5).reached


def test_a_host_who_never_sits_out_makes_no_draw_unfair():
    """Nineteen people, seven rounds: of twenty-one sit-outs the other eighteen have one or two each."""
    assert draws.draw(Afternoon(range(19), 7, wishes=draws.WISHES), steps=2_000).reached


def test_the_sweep_draws_each_size_without_wishes_and_with_some():
    """Sixteen people, three rounds: every size with wishes and without."""
    one = next(draws.sweep(steps=500))
    assert [(drawn.people, drawn.rounds, drawn.wished, drawn.met) for drawn in one] == [
        (16, 3, n, n) for n in (0, 1, 3, 6)
    ]


def test_sit_outs_that_are_uneven_or_running_are_seen():
    drawn = draws.draw(Afternoon(range(9), 3))
    assert drawn.reached
    assert not replace(drawn, spread=2).reached
    assert not replace(drawn, running=1).reached


def test_every_case_beside_plain_draws_reaches_what_was_set():
    """All but those that take a million steps, which the bench alone has time for."""
    cases = {case.what: case for case in draws.tried(steps=20_000)}
    assert len(cases) == 11
    for what, case in cases.items():
        assert case.sound
        assert case.reached or what.startswith(("24 people, 6 rounds; after", "32 people"))


def test_a_case_is_reached_by_the_best_of_its_seeds_and_only_when_all_are_sound():
    case = draws.TriedCase("forty", ((0, 0, 4), (0, 0, 2)), (0, 0, 2), sound=True, seconds=0.1)
    assert case.reached
    assert not replace(case, sound=False).reached
    assert not replace(case, aim=(0, 0, 1)).reached
