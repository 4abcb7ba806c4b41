"""The bench of draws: our draws against figures set beforehand, and the algorithm that organisers use."""

from clubsite.ops import bench_draws
from clubsite.ops.golfers import good_enough


def test_the_peer_seats_everybody_once_a_round_and_parts_whom_it_can():
    rounds = good_enough(6, 4, 3, seed=1)
    met = set()
    for one in rounds:
        assert sorted(p for table in one for p in table) == list(range(24))
        assert {len(table) for table in one} == {4}
        met |= {frozenset((a, b)) for table in one for a in table for b in table if a != b}
    assert len(met) > 3 * 6 * 6 - 6, "three rounds at six tables, nearly all meetings new"


def test_where_a_construction_is_known_nothing_is_repeated_and_nothing_searched():
    for (people, rounds, odd), aim in bench_draws.CLEAN.items():
        drawn = bench_draws.draw(people, rounds, odd, steps=1, aim=aim)
        assert drawn.reached
        assert (drawn.repeats, drawn.steps) == ((0, 0, 0), 0)


def test_a_draw_worse_than_set_is_seen():
    drawn = bench_draws.draw(16, 6, steps=1, aim=(0, 0, 23))
    assert drawn.repeats == (0, 0, 24)
    assert not drawn.reached
