"""The season's table: sum, best so many, average with attendance."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.season import Night, SeasonRule, season_table

ANN, BEA, CAL = 1, 2, 3
NIGHTS = (
    Night(1, {ANN: 100, BEA: 80}),
    Night(2, {ANN: 60, BEA: 80, CAL: 150}),
    Night(3, {ANN: 40, BEA: 80}),
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


def test_few_points_are_good_in_some_games():
    rows = season_table(NIGHTS, SeasonRule("best", best=1, lowest_wins=True))
    assert brief(rows) == [(1, ANN, 3, 40), (2, BEA, 3, 80), (3, CAL, 1, 150)]


def test_an_unfinished_rule_is_refused():
    with pytest.raises(ValueError, match="how many"):
        SeasonRule("best")


nights = st.lists(st.dictionaries(st.integers(1, 8), st.integers(-20, 20)), max_size=6)
rules = st.sampled_from(
    [SeasonRule(), SeasonRule("best", best=2), SeasonRule("average", attendance=2), SeasonRule(lowest_wins=True)]
)


@given(nights, rules)
def test_totals_are_what_counted_and_the_order_of_members_never_matters(points, rule):
    season = [Night(n, p) for n, p in enumerate(points)]
    rows = season_table(season, rule)
    backwards = [Night(n, dict(reversed(p.items()))) for n, p in enumerate(points)]
    assert season_table(backwards, rule) == rows
    assert {row.member for row in rows} == {member for night in points for member in night}
    for row in rows:
        counted = [value for value, counts in zip(row.nights, row.counted, strict=True) if counts]
        assert row.total == Fraction(sum(counted), len(counted) if rule.kind == "average" else 1)
        if row.place is not None:
            better = [r for r in rows if r.place and (r.total < row.total if rule.lowest_wins else r.total > row.total)]
            assert row.place == 1 + len(better)
