"""Seating a contest: nine tables of six, short tables by rule, people who have met kept apart."""

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tournaments.engine.draws.contest import (
    ContestRefused,
    DoesNotFit,
    Sizes,
    count_meetings_again,
    draw_contest,
    table_sizes,
)


def test_fifty_four_sit_at_nine_tables_of_two_groups():
    tables = draw_contest(range(1, 55), seed=1)
    assert [t.number for t in tables] == list(range(1, 10))
    assert all([len(g) for g in t.groups] == [3, 3] for t in tables)
    assert sorted(e for t in tables for e in t.entries) == list(range(1, 55))


def test_eighteen_finalists_sit_apart_from_their_qualifying_tables_and_six_cant():
    """Two of each of nine tables at three tables of six: nobody need meet again. At one final table they must."""
    qualifying = [(10 * t, 10 * t + 1) for t in range(9)]
    finalists = [entry for table in qualifying for entry in table]
    for seed in range(5):
        tables = draw_contest(finalists, seed=seed, sizes=Sizes(group=6), apart=qualifying)
        assert count_meetings_again(tables, qualifying) == 0
    final = draw_contest(finalists[:6], seed=1, sizes=Sizes(group=6), apart=qualifying)
    assert count_meetings_again(final, qualifying) == 3


def test_who_must_meet_again_at_the_table_is_kept_out_of_the_group():
    """Four of one table and two others at one table of two groups: two and two is the best there is."""
    met = (1, 2, 3, 4)
    for seed in range(8):
        (table,) = draw_contest([1, 2, 3, 4, 5, 6], seed=seed, apart=[met])
        assert [len(set(group) & set(met)) for group in table.groups] == [2, 2]


@pytest.mark.parametrize(
    ("entries", "group_size", "other_sizes", "sizes"),
    [
        (54, 3, (), [6] * 9),
        (51, 3, (), [6] * 8 + [3]),
        (36, 3, (), [6] * 6),
        (90, 3, (), [6] * 15),
        (3, 3, (), [3]),
        (53, 3, (4,), [6] * 7 + [4, 4, 3]),  # 15 threes and two fours; a three and a four don't share six seats
        (55, 3, (4,), [6] * 8 + [4, 3]),
        (50, 6, (4, 5), [6] * 7 + [4, 4]),
        (53, 6, (2, 3, 5), [6] * 8 + [5]),
        (55, 6, (5,), [6] * 5 + [5] * 5),
        (50, 3, (2,), [6] * 7 + [5, 3]),
    ],
)
def test_numbers_that_dont_fit_get_short_tables_by_rule(entries, group_size, other_sizes, sizes):
    tables = table_sizes(entries, Sizes(group=group_size, others=other_sizes))
    assert [sum(groups) for groups in tables] == sizes


@pytest.mark.parametrize(
    ("entries", "group_size", "other_sizes", "add", "remove"),
    [(53, 3, (), 1, 2), (55, 3, (), 2, 1), (50, 6, (), 4, 2), (2, 3, (), 1, None), (0, 3, (), 3, None)],
)
def test_numbers_that_fit_no_rule_are_refused_with_the_way_out(entries, group_size, other_sizes, add, remove):
    with pytest.raises(DoesNotFit) as refused:
        draw_contest(range(entries), seed=1, sizes=Sizes(group=group_size, others=other_sizes))
    assert (refused.value.code, refused.value.add, refused.value.remove) == ("contest.does-not-fit", add, remove)
    assert dict(refused.value.arguments)["entries"] == entries


def test_a_name_entered_twice_is_refused():
    with pytest.raises(ContestRefused) as refused:
        draw_contest([1, 2, 2], seed=1)
    assert (refused.value.code, refused.value.arguments) == ("contest.named-twice", (("entry", 2),))


@given(st.integers(2, 120), st.sampled_from([(3, (4,)), (3, (2, 4)), (6, (3, 4, 5)), (6, (2, 3, 5))]), st.data())
@examples(60)
def test_every_seating_is_sound_and_repeatable(entries, sizes, data):
    group_size, other_sizes = sizes
    seed = data.draw(st.integers(0, 2**32))
    apart = data.draw(st.lists(st.lists(st.integers(0, 130), max_size=6), max_size=6))
    options = {"seed": seed, "sizes": Sizes(group=group_size, others=other_sizes)}
    try:
        tables = draw_contest(range(entries), apart=apart, **options)
    except DoesNotFit as refused:
        ways_out = [entries + refused.add] + ([entries - refused.remove] if refused.remove else [])
        for fitting in ways_out:
            assert draw_contest(range(fitting), **options)
        return
    assert sorted(e for t in tables for e in t.entries) == list(range(entries))
    assert all(len(t.entries) <= 6 for t in tables)
    assert {len(g) for t in tables for g in t.groups} <= {group_size, *other_sizes}
    backwards = draw_contest(range(entries)[::-1], apart=[met[::-1] for met in apart[::-1]], **options)
    assert backwards == tables


def test_another_seed_is_another_draw():
    assert draw_contest(range(54), seed=1) != draw_contest(range(54), seed=2)


def test_a_seeded_draw_needs_the_entries_themselves():
    with pytest.raises(ValueError, match="ranked"):
        draw_contest(range(1, 13), seed=1, ranked=range(2, 14))


def test_a_seeded_draw_keeps_people_apart_within_their_pots():
    """Twelve in four groups of three: each has one of the best four, whoever met before."""
    met = [(1, 5, 9), (2, 6, 10), (3, 7, 11), (4, 8, 12)]
    tables = draw_contest(range(1, 13), seed=1, ranked=range(1, 13), apart=met)
    groups = [set(group) for table in tables for group in table.groups]
    assert len(groups) == 4
    for pot in (range(1, 5), range(5, 9), range(9, 13)):
        assert all(len(group & set(pot)) == 1 for group in groups)
