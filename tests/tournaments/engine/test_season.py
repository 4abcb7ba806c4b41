"""The season's table: sum, best so many, average with attendance."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from tournaments.engine.season import (
    TIE_BREAKS,
    Opening,
    SeasonNight,
    SeasonRule,
    next_divisions,
    points_bound,
    points_needed,
    season_places,
    season_table,
    team_nights,
)

ANN, BEA, CAL = 1, 2, 3
NIGHTS = (
    SeasonNight(1, {ANN: 100, BEA: 80}),
    SeasonNight(2, {ANN: 60, BEA: 80, CAL: 150}),
    SeasonNight(3, {ANN: 40, BEA: 80}),
)


def brief(rows):
    return [(row.place, row.member, row.attended, row.total) for row in rows]


def test_the_sum_of_all_nights():
    assert brief(season_table(NIGHTS, SeasonRule())) == [(1, BEA, 3, 240), (2, ANN, 3, 200), (3, CAL, 1, 150)]


def test_the_best_two_nights_share_a_place_and_show_what_counted():
    rows = season_table(NIGHTS, SeasonRule("best", best=2))
    assert brief(rows) == [(1, ANN, 3, 160), (1, BEA, 3, 160), (3, CAL, 1, 150)]
    assert [row.shared for row in rows] == [True, True, False]
    assert rows[0].nights == (100, 60, 40)
    assert rows[0].counted == (True, True, False)
    assert rows[1].counted == (True, True, False), "of equal nights the earlier ones count"
    assert rows[2].nights == (None, 150, None)
    assert rows[2].counted == (False, True, False)


def test_an_average_needs_attendance_for_a_place():
    """Cal came once and won by a mile; the club asks for two nights."""
    rows = season_table(NIGHTS, SeasonRule("average", attendance=2))
    assert brief(rows) == [(1, BEA, 3, 80), (2, ANN, 3, Fraction(200, 3)), (None, CAL, 1, 150)]
    assert rows[2].code == "season.below-attendance"


def test_points_from_before_count_whole_with_their_nights():
    """In the total, the average, for attendance, and as so many of the best nights; also of who came to none."""
    before = {ANN: Opening(2, 100), 9: Opening(1, 30)}

    def table(rule):
        return {row.member: (row.place, row.attended, row.total) for row in season_table(NIGHTS, rule, openings=before)}

    assert table(SeasonRule(attendance_points=5))[ANN] == (1, 5, 200 + 100 + 3 * 5)
    assert table(SeasonRule("average", attendance=2)) == {
        BEA: (1, 3, 80),
        ANN: (2, 5, 60),
        9: (None, 1, 30),
        CAL: (None, 1, 150),
    }
    best = SeasonRule("best", best=3)
    assert table(best)[ANN] == (2, 5, 100 + 100)
    assert season_table(NIGHTS, best, openings=before)[1].counted == (True, False, False)
    assert table(SeasonRule(tie_breaks=TIE_BREAKS))[9] == (4, 1, 30)


def test_few_points_are_good_in_some_games():
    rows = season_table(NIGHTS, SeasonRule("best", best=1, lowest_wins=True))
    assert brief(rows) == [(1, ANN, 3, 40), (2, BEA, 3, 80), (3, CAL, 1, 150)]


def test_an_unfinished_rule_is_refused():
    with pytest.raises(ValueError, match="how many"):
        SeasonRule("best")


nights = st.lists(st.dictionaries(st.integers(1, 8), st.integers(-20, 20)), max_size=6)
openings = st.dictionaries(st.integers(1, 8), st.builds(Opening, st.integers(1, 4), st.integers(-40, 40)), max_size=3)
rules = st.sampled_from(
    [SeasonRule(), SeasonRule("best", best=2), SeasonRule("average", attendance=2), SeasonRule(lowest_wins=True)]
)


@given(nights, rules)
def test_totals_are_what_counted_and_the_order_of_members_never_matters(points, rule):
    season = [SeasonNight(n, p) for n, p in enumerate(points)]
    rows = season_table(season, rule)
    backwards = [SeasonNight(n, dict(reversed(p.items()))) for n, p in enumerate(points)]
    assert season_table(backwards, rule) == rows
    assert {row.member for row in rows} == {member for night in points for member in night}
    for row in rows:
        counted = [value for value, counts in zip(row.nights, row.counted, strict=True) if counts]
        assert row.total == Fraction(sum(counted), len(counted) if rule.kind == "average" else 1)
        if row.place is not None:
            better = [r for r in rows if r.place and (r.total < row.total if rule.lowest_wins else r.total > row.total)]
            assert row.place == 1 + len(better)


@given(nights, rules, st.permutations(TIE_BREAKS), st.integers(0, len(TIE_BREAKS)))
def test_places_alone_are_those_of_the_table(points, rule, tie_breaks, many):
    season = [SeasonNight(n, p) for n, p in enumerate(points)]
    rule = replace(rule, tie_breaks=tuple(tie_breaks[:many]))
    placed = {row.member: row.place for row in season_table(season, rule) if row.place}
    assert season_places(season, rule) == placed


def test_places_can_be_worth_points_and_coming_too():
    rule = SeasonRule(place_points=(5, 3, 1), attendance_points=1)
    rows = season_table(NIGHTS, rule)
    assert [(row.member, row.nights, row.total) for row in rows] == [
        (BEA, (3, 3, 5), 14),
        (ANN, (5, 1, 3), 12),
        (CAL, (None, 5, None), 6),
    ]


def test_places_as_published_come_before_points():
    """A tie that lots have settled on the night stays settled in the season."""
    nights = [SeasonNight(1, {ANN: 50, BEA: 50}, places={ANN: 2, BEA: 1})]
    assert brief(season_table(nights, SeasonRule(place_points=(5, 3)))) == [(1, BEA, 1, 5), (2, ANN, 1, 3)]


def test_with_places_worth_points_many_are_good_also_where_few_points_win_the_night():
    nights = [SeasonNight(1, {ANN: 10, BEA: 20})]
    assert brief(season_table(nights, SeasonRule(place_points=(5, 3), lowest_wins=True)))[0] == (1, ANN, 1, 5)


@pytest.mark.parametrize(
    ("tie_break", "ahead"),
    [("nights-won", ANN), ("best-night", ANN), ("most-nights", BEA), ("last-night", BEA), ("points", None)],
)
def test_equal_totals_are_separated_by_the_clubs_tie_break(tie_break, ahead):
    nights = [
        SeasonNight(1, {ANN: 90, BEA: 40}),
        SeasonNight(2, {CAL: 60, BEA: 30}),
        SeasonNight(3, {ANN: 10, BEA: 30, CAL: 31}),
    ]
    rows = season_table(nights, SeasonRule(tie_breaks=(tie_break,)))
    assert [row.total for row in rows[:2]] == [100, 100]
    if ahead is None:
        assert [row.place for row in rows[:2]] == [1, 1]
        assert rows[0].separated_by == ""
    else:
        assert [(row.place, row.member) for row in rows[:2]] == [(1, ahead), (2, ANN + BEA - ahead)]
        assert rows[0].separated_by == tie_break


@given(
    st.lists(st.dictionaries(st.integers(1, 6), st.integers(0, 60)), max_size=4),
    st.dictionaries(st.integers(1, 6), st.integers(0, 60)),
    st.sampled_from(
        [
            SeasonRule(),
            SeasonRule("best", best=2),
            SeasonRule("average", attendance=2),
            SeasonRule(lowest_wins=True),
            SeasonRule("best", best=2, lowest_wins=True),
            SeasonRule(place_points=(5, 3, 1), attendance_points=1),
            SeasonRule(tie_breaks=("best-night",)),
        ]
    ),
    st.integers(1, 3),
    openings,
)
def test_what_is_needed_on_the_last_night_is_enough_and_no_less_is(played, last, rule, place, openings):
    played = [SeasonNight(n, points) for n, points in enumerate(played, start=1)]
    others = {member: points for member, points in last.items() if member != ANN}

    def reached(points):
        rows = season_table([*played, SeasonNight(9, {**others, ANN: points})], rule, openings=openings)
        mine = next(row for row in rows if row.member == ANN)
        return mine.place is not None and mine.place <= place

    enough = [points for points in range(-60, 61) if reached(points)]
    least = points_needed(played, rule, member=ANN, place=place, last=last, most=60, openings=openings)
    if rule.lowest_wins:
        assert least == (max(enough) if enough else None)
    else:
        assert least == (min(enough) if enough else None)


@st.composite
def rules_of_any_kind(draw):
    return SeasonRule(
        draw(st.sampled_from(["sum", "best", "average"])),
        best=draw(st.integers(1, 3)),
        attendance=draw(st.integers(0, 3)),
        lowest_wins=draw(st.booleans()),
        place_points=draw(st.sampled_from([(), (9, 4, 1)])),
        attendance_points=draw(st.sampled_from([0, 1, 100])),
        tie_breaks=tuple(draw(st.permutations(TIE_BREAKS))[: draw(st.integers(0, 5))]),
    )


@given(nights, st.dictionaries(st.integers(1, 8), st.integers(-20, 20)), rules_of_any_kind(), openings)
def test_beyond_the_edge_more_points_or_fewer_change_no_place(played, last, rule, openings):
    played = [SeasonNight(n, points) for n, points in enumerate(played, start=1)]
    edge = points_bound(played, rule, last=last, openings=openings)
    for sign in (-1, 1):
        ends = [
            [
                (row.member, row.place)
                for row in season_table([*played, SeasonNight(9, {**last, ANN: points})], rule, openings=openings)
            ]
            for points in (sign * edge, sign * 100_000)
        ]
        assert ends[0] == ends[1]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 5))
def test_promotion_keeps_everybody_and_the_size_of_every_division(sizes, moving):
    members = iter(range(sum(sizes)))
    before = [[next(members) for _ in range(size)] for size in sizes]
    after = next_divisions(before, moving)
    assert sorted(m for division in after for m in division) == list(range(sum(sizes)))
    assert [len(division) for division in after] == sizes
    division_of = {m: n for n, division in enumerate(before) for m in division}
    for n, division in enumerate(after):
        assert all(abs(division_of[m] - n) <= 1 for m in division)


def test_promotion_swaps_as_many_as_the_smaller_division_allows():
    assert next_divisions([[1, 2, 3, 4, 5, 6], [7, 8]], 3) == [[1, 2, 3, 4, 5, 7], [6, 8]]


def test_teams_count_their_best_members_of_the_night_and_drop_ins_count_for_none():
    nights = team_nights([SeasonNight(1, {ANN: 10, BEA: 20, CAL: 30, 4: 99})], {ANN: 1, BEA: 1, CAL: 2}, counting=1)
    assert nights == [SeasonNight(1, {1: 20, 2: 30})]
    assert team_nights([SeasonNight(1, {ANN: 10, BEA: 20})], {ANN: 1, BEA: 1}, counting=0) == [SeasonNight(1, {1: 30})]
