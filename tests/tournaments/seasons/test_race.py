"""The race of a season, the line that is lit, and every night of everybody on a tap."""

import re

import pytest

from tests.tournaments.nights import queries_of
from tests.tournaments.results import closed_night, make_season, member
from tournaments.seasons.table import build_table, places_by_night, race_chart, season_nights

NIGHTS = [
    {"Ann": 50, "Bob": 40, "Cal": 30},
    {"Ann": 10, "Bob": 40, "Cal": 60, "Dot": 20},
    {"Bob": 30, "Cal": 30, "Dot": 99},
    {"Ann": 45, "Bob": 5, "Cal": 10, "Dot": 1},
]


@pytest.fixture
def season(club, rules_for):
    """Four nights of Ann, Bob, Cal and Dot, who comes from the second on."""
    made = make_season(club)
    rules = rules_for("st-hilary-v3")
    for day, points in enumerate(NIGHTS, start=6):
        closed_night(made, rules, day, points)
    return made


def totals(nights):
    """Everybody's points after so many nights, recomputed."""
    names = {name for night in NIGHTS[:nights] for name in night}
    return {name: sum(night.get(name, 0) for night in NIGHTS[:nights]) for name in names}


def test_the_race_has_the_places_that_the_nights_give(season):
    nights = season_nights([season])[0]
    (part,) = build_table(nights).parts
    names = {line.member: line.name for line in part.lines}
    for member_pk, places in places_by_night(nights, part).items():
        for count, place in enumerate(places, start=1):
            had = totals(count)
            mine = had.get(names[member_pk])
            assert place == (None if mine is None else 1 + sum(other > mine for other in had.values()))


def test_the_race_ends_with_the_places_of_the_table_and_its_text_twin_says_so(season):
    season.rule = {"kind": "sum", "attendance": 4}
    season.save()
    nights = season_nights([season])[0]
    (part,) = build_table(nights).parts
    assert {line.name for line in part.lines} == {"Bob", "Cal"}  # who came often enough
    chart = race_chart(nights, part, named=str)
    assert [(one.name, words[-1]) for one, words in chart.rows] == [(line.name, str(line.place)) for line in part.lines]
    assert [line.key for line in chart.lines] == [str(line.place) for line in part.lines]


def test_there_is_no_race_before_the_second_night(club, rules_for):
    made = make_season(club)
    closed_night(made, rules_for("st-hilary-v3"), 6, NIGHTS[0])
    nights = season_nights([made])[0]
    assert race_chart(nights, build_table(nights).parts[0], named=str) is None


def test_the_line_asked_for_is_lit_in_the_table_and_in_the_race_and_none_of_another_club(
    season, club, client_of, other_club
):
    dot = member(club, "Dot")
    url = f"/st-hilary/seasons/{season.pk}/"
    plain = client_of(None).get(url).content.decode()
    assert 'id="lit"' not in plain
    assert f'href="?who={dot.pk}#lit"' in plain
    lit = client_of(None).get(f"{url}?who={dot.pk}").content.decode()
    row = re.search(r'<tr id="lit" class="lit">(.*?)</tr>', lit, re.DOTALL)
    assert "Dot" in row[1]
    assert "Dot: the place on each night" in lit
    assert 'class="line lit' in lit
    assert client_of(None).get(f"{url}?who=999999").status_code == 200
    for unknown in ("nobody", f"0{dot.pk}", f"%2B{dot.pk}", f"+{dot.pk}", f"{dot.pk}+", "%EF%BC%91", "9" * 19):
        assert client_of(None).get(f"{url}?who={unknown}").status_code == 404, unknown
    theirs = member(other_club, "Zed")
    page = client_of(None).get(f"{url}?who={theirs.pk}").content.decode()
    assert 'id="lit"' not in page
    assert "Zed" not in page


def test_no_night_is_out_of_reach(season, client_of):
    url = f"/st-hilary/seasons/{season.pk}/"
    page = client_of(None).get(url).content.decode()
    assert "?nights=all#nights" in page
    assert '<div class="season-table">' in page
    assert "table-scroll" not in page
    every = client_of(None).get(url + "?nights=all").content.decode()
    told = re.search(r'<section id="nights".*?</section>', every, re.DOTALL)
    for night in NIGHTS:
        assert all(f"<b>{points}</b>" in told[0] for points in night.values())


def test_queries_stay_the_same_with_a_lit_line_and_every_night(season, club, actor, client_of):
    url = f"/st-hilary/seasons/{season.pk}/"
    lit = f"{url}?nights=all&who={member(club, 'Ann').pk}"
    queries_of(client_of(None), url)  # the race and the figures are made once
    plain = queries_of(client_of(None), f"{url}?nights=")
    assert queries_of(client_of(None), lit) == plain
    assert queries_of(client_of(None), url) == plain
