"""The bench of draws: our draws against figures set beforehand."""

from lab.benchmarks import draws
from tournaments.engine.draws.rotation import Afternoon


def test_where_a_construction_is_known_nothing_is_repeated_and_nothing_searched():
    for (people, rounds, odd), aim in draws.CLEAN.items():
        drawn = draws.draw(Afternoon(range(people), rounds, odd=odd), steps=1, aim=aim)
        assert drawn.reached
        assert (drawn.repeats, drawn.steps) == ((0, 0, 0), 0)


def test_the_sweep_draws_each_size_without_wishes_and_with_some():
    """Sixteen people, three rounds: every size with wishes and without."""
    one = next(draws.sweep(steps=500))
    assert [(drawn.people, drawn.rounds, drawn.wished, drawn.met) for drawn in one] == [
        (16, 3, n, n) for n in (0, 1, 3, 6)
    ]


def test_every_case_beside_plain_draws_reaches_what_was_set():
    """All but those that take a million steps, which the bench alone has time for."""
    cases = {case.what: case for case in draws.tried(steps=20_000)}
    assert len(cases) == 11
    for what, case in cases.items():
        assert case.sound
        assert case.reached or what.startswith(("24 people, 6 rounds; after", "32 people"))
