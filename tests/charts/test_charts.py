"""Pictures as drawn: every figure is where it belongs, and its text twin says the same."""

import re
from itertools import combinations, pairwise
from random import Random

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override
from hypothesis import given, strategies as st

from clubsite.charts import ELLIPSIS, WIDTH, Series, bar_chart, line_chart, meeting_matrix, places_chart
from tournaments.pictures import MOST_DRAWN

POINT = re.compile(r"([ML])(-?[\d.]+) (-?[\d.]+)")


def drawn(posts):
    return st.lists(
        st.lists(st.none() | st.integers(-900, 2500), min_size=posts, max_size=posts), min_size=1, max_size=14
    )


def chart_of(lines):
    series = [Series(f"Player {n}", tuple(values)) for n, values in enumerate(lines)]
    return line_chart(series, [f"Deal {n}" for n in range(1, len(lines[0]) + 1)])


def heights(path):
    return [float(y) for _pen, _x, y in POINT.findall(path)]


@given(st.integers(1, 20).flatmap(drawn))
def test_a_line_goes_through_all_its_figures_and_no_others(lines):
    chart = chart_of(lines)
    for values, line in zip(lines, chart.lines, strict=True):
        there = [value for value in values if value is not None]
        seen = heights(line.path)
        assert len(seen) == len(there)
        assert heights(line.dots) == seen
        assert line.dots.count("h.01") == len(there)
        for one, y in zip(there, seen, strict=True):  # the more points, the higher
            assert all(y <= other_y + 0.02 for other, other_y in zip(there, seen, strict=True) if other < one)
        assert line.path.count("M") == sum(
            value is not None and (n == 0 or values[n - 1] is None) for n, value in enumerate(values)
        )
    assert all(0 <= y <= chart.height for line in chart.lines for y in heights(line.path))
    assert all(0 <= float(x) <= WIDTH for line in chart.lines for _pen, x, _y in POINT.findall(line.path))


@given(st.integers(1, 20).flatmap(drawn))
def test_the_text_twin_has_every_figure(lines):
    chart = chart_of(lines)
    told = [tuple("" if v is None else str(v) for v in values) for values in lines]
    assert [values for _one, values in chart.rows] == told
    assert [values for _head, values in chart.by_post] == list(zip(*told, strict=True))
    for (_one, pairs), values in zip(chart.by_line, lines, strict=True):
        assert pairs == [(f"Deal {n}", str(v)) for n, v in enumerate(values, 1) if v is not None]


@given(st.integers(1, 16).flatmap(lambda n: st.lists(st.permutations(range(1, 11)), min_size=n, max_size=n)))
def test_the_first_place_is_on_top_and_labels_do_not_overlap(nights):
    people = list(zip(*nights, strict=True))
    chart = places_chart([Series(f"Member {n}", places) for n, places in enumerate(people)], ["night"] * len(nights))
    top = min(y for line in chart.lines for y in heights(line.path))
    for places, line in zip(people, chart.lines, strict=True):
        assert all((y == top) == (place == 1) for place, y in zip(places, heights(line.path), strict=True))
    ends = sorted(line.end for line in chart.lines)
    assert all(b - a >= 1.3 for a, b in pairwise(ends))


@pytest.mark.parametrize("people", [2, 12, 22, 54, 96, 500])
def test_a_picture_of_places_is_no_higher_than_the_hall_board_has_room_for(people):
    chart = places_chart(
        [Series(f"Member {n}", (people + 1 - n, n)) for n in range(1, min(people, 12) + 1)], ["1", "2"]
    )
    assert chart.height <= 25  # some 900 of the screen's 1,080 pixels are its, of 29 pixels each


def test_a_picture_of_nothing_can_be_drawn():
    assert line_chart([], []).lines == ()
    assert places_chart([Series("A", (None,))], ["night"]).lines[0].path == ""


def test_the_one_asked_for_is_lit_and_lines_differ_without_colour():
    chart = places_chart([Series(f"{n}", (n, n), lit=n == 9) for n in range(1, 11)], ["a", "b"])
    assert [line.kind for line in chart.lines] == ["first"] * 3 + ["rest"] * 5 + ["lit", "rest"]
    assert len({line.pattern for line in chart.lines[:6]}) == 6


def test_below_zero_there_is_a_line_at_zero():
    assert line_chart([Series("A", (5, -20))], ["1", "2"]).zero is not None
    assert line_chart([Series("A", (5, 20))], ["1", "2"]).zero is None


@given(st.dictionaries(st.tuples(st.integers(0, 8), st.integers(9, 15)), st.integers(1, 3), max_size=30))
def test_everybody_who_met_has_a_mark_on_both_sides_of_the_diagonal(met):
    matrix = meeting_matrix([f"Player {n}" for n in range(16)], {"opponent": met})
    cells = {
        ((int(y) - 1) // 2, (int(x) - 1) // 2)  # in halves of a cell
        for one in matrix["marks"]
        for _m, x, y in POINT.findall(one["path"])
    }
    assert cells == {*met, *((b, a) for a, b in met)}
    assert {one["often"] for one in matrix["marks"]} == {times > 1 for times in met.values()}


@given(st.lists(st.lists(st.integers(0, 300), min_size=3, max_size=3), min_size=1, max_size=4))
def test_parts_of_a_bar_follow_one_another(rows):
    bars = bar_chart(["never", "once", "more"], [(str(n), row) for n, row in enumerate(rows)])
    for row, bar in zip(rows, bars["bars"], strict=True):
        assert [part["value"] for part in bar["parts"]] == row
        end = 0.0
        for part in bar["parts"]:
            assert abs(float(part["start"]) - end) < 0.02
            end = float(part["start"]) + float(part["width"])
        assert end <= 100.02


LONG = "Nguyễn Thị Ngọc-Hương Ó Súilleabháin {} jr"  # forty letters and more


def test_no_picture_weighs_more_than_sixteen_kilobytes():
    random = Random(5)
    nights = [random.sample(range(1, 25), 12) for _ in range(16)]
    people = [Series(LONG.format(n), places) for n, places in enumerate(zip(*nights, strict=True))]
    chart = places_chart(people, [f"{n} Sep" for n in range(16)])
    drawn = render_to_string("charts/_chart.html", {"chart": chart, "caption": "The race"})
    assert len(drawn.partition("<details")[0].encode()) <= 16_000
    met = dict.fromkeys(random.sample(list(combinations(range(MOST_DRAWN), 2)), 250), 1)
    matrix = meeting_matrix([LONG.format(n) for n in range(MOST_DRAWN)], {"partner": {}, "opponent": met})
    assert len(render_to_string("charts/_matrix.html", {"matrix": matrix, "about": "Met"}).encode()) <= 16_000


def test_numbers_of_a_picture_are_written_for_a_machine_in_every_language():
    chart = line_chart([Series("A", (5, 20))], ["1", "2"])
    with override("de"):
        drawn = render_to_string("charts/_chart.html", {"chart": chart, "caption": "A"})
    assert not re.search(r'(?:width|height|x|y|viewBox)="[^"]*\d,\d', drawn)


def test_names_beside_places_are_whole_or_have_initials():
    names = (
        "Constance Abernathy",
        "Margaret Mary Fitzgerald-Kowalski",
        "Dorothea Cholmondeley-Featherstone",
        "Ray Ito",
    )
    lines = places_chart([Series(name, (n, n)) for n, name in enumerate(names, 1)], ["1", "2"]).lines
    assert [line.name for line in lines] == [
        "Constance Abernathy",
        "M. Mary Fitzgerald-Kowalski",
        "D. Cholmondeley-Featherstone",
        "Ray Ito",
    ]
    assert [line.short for line in lines] == ["C. Abernathy", "M. M. F.", "D. C.", "Ray Ito"]
    assert not any(ELLIPSIS in line.name + line.short for line in lines)
