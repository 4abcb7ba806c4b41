"""A season's table over several nights, and making one."""

from datetime import date
from fractions import Fraction

import pytest

from clubsite.accounts.models import LogEntry
from tests.tournaments.nights import make_night, play_night
from tests.tournaments.results import make_season
from tournaments.errors import StepRefused
from tournaments.models import PublishedStandings, Season
from tournaments.seasons.actions import assign_season, change_season, create_season
from tournaments.seasons.table import season_tables
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of
from tournaments.templatetags.event_tags import decimal


@pytest.fixture
def season(club):
    return make_season(club)


@pytest.fixture
def nights(club, season, actor, rules_for):
    """Two nights, closed: four members at the first, five at the second, where the fifth sits out."""
    made = [
        make_night(club, rules_for("st-hilary-v3"), slug=f"n{n}", season=season, day=day)
        for n, day in ((1, 6), (2, 13))
    ]
    for event, people in zip(made, (4, 5), strict=True):
        play_night(event, actor, people)
    return made


def published(event):
    result = result_of(event)
    return {row["name"]: row["points"] for row in result.rows}


def test_the_total_is_the_sum_of_the_published_nights(season, nights):
    (table,) = season_tables([season])
    first, second = published(nights[0]), published(nights[1])
    for line in table.lines:
        assert line.nights == (first.get(line.name), second.get(line.name))
        assert line.total == first.get(line.name, 0) + second.get(line.name, 0)
        assert line.attended == (line.name in first) + (line.name in second)
        assert line.average * line.attended == line.total
    totals = [line.total for line in table.lines]
    assert totals == sorted(totals, reverse=True)
    assert len(totals) == 5


def test_a_night_counts_only_while_it_is_closed_by_its_newest_version(season, nights, actor):
    standings_results.take_back_result(event=nights[0], by=actor)
    assert [event.slug for event in season_tables([season])[0].nights] == ["n2"]
    standings_results.publish_result(event=nights[0], by=actor)
    assert [event.slug for event in season_tables([season])[0].nights] == ["n1", "n2"]
    old = result_of(nights[0])
    rows = [{**row, "points": 1000 if row["name"] == "Player 04" else 0} for row in old.rows]
    PublishedStandings.objects.create(event=old.event, stage=old.stage, number=2, rows=rows, final=True)
    line = season_tables([season])[0].lines[0]
    assert (line.name, line.nights[0]) == ("Player 04", 1000)


def test_a_season_is_made_once_and_a_name_given_twice_is_refused(club, actor):
    days = {"starts": date(2054, 10, 1), "ends": date(2055, 3, 31)}
    assert create_season(club=club, by=actor, name="Winter", **days) == create_season(
        club=club, by=actor, name=" Winter ", **days
    )
    with pytest.raises(StepRefused, match="already a season called Winter"):
        create_season(club=club, by=actor, name="Winter", starts=date(2055, 1, 1), ends=date(2055, 3, 31))
    with pytest.raises(StepRefused, match="before the first"):
        create_season(club=club, by=actor, name="Odd", starts=date(2055, 1, 2), ends=date(2055, 1, 1))


def test_a_slip_in_a_seasons_name_or_days_is_put_right(club, season, nights, browser):
    """Whoever typed the wrong year had it above the table for good: the season couldn't be changed or removed."""
    address = f"/st-hilary/desk/seasons/{season.pk}/change/"
    assert address in browser.get(season.get_absolute_url()).content.decode()
    seen = browser.get(address).context["seen"]
    typed = {"name": "Winter 2054/55", "starts": "2054-09-30", "ends": "2054-03-31", "seen": seen}
    assert "The last day is before the first." in browser.post(address, typed).content.decode()
    page = browser.post(address, typed | {"ends": "2055-03-31"}, follow=True).content.decode()
    assert "<h1>Winter 2054/55</h1>" in page
    assert "2 nights count" in page
    entry = LogEntry.objects.get(verb="season.change")
    assert (entry.old["starts"], entry.new["name"]) == ("2054-10-01", "Winter 2054/55")


def test_who_changes_a_season_after_somebody_else_is_told_and_decides(season, browser):
    address = f"/st-hilary/desk/seasons/{season.pk}/change/"
    seen = browser.get(address).context["seen"]
    days = {"starts": "2054-10-01", "ends": "2055-03-31", "seen": seen}
    browser.post(address, days | {"name": "Winter 54"})
    assert browser.post(address, days | {"name": "Winter 54"}).status_code == 302, "a second tap is no other change"
    late = browser.post(address, days | {"name": "Cold months"})
    words = late.content.decode()
    assert "Somebody else has changed this season: “Winter 54”, 1 October 2054 – 31 March 2055." in words
    assert 'value="Cold months"' in words, "what was typed stays"
    season.refresh_from_db()
    assert season.name == "Winter 54"
    browser.post(address, days | {"name": "Cold months", "seen": late.context["seen"]})
    season.refresh_from_db()
    assert season.name == "Cold months"


def test_a_season_takes_no_other_ones_name(club, season, actor):
    days = {"starts": season.starts, "ends": season.ends}
    other = create_season(club=club, by=actor, name="Summer", **days)
    with pytest.raises(StepRefused, match="already a season called Winter"):
        change_season(season=other, by=actor, name="Winter", **days)
    change_season(season=other, by=actor, name="Summer", **days)
    assert not LogEntry.objects.filter(verb="season.change").exists()


def test_a_night_belongs_to_a_season_of_its_own_club(other_club, season, nights, actor):
    theirs = Season.objects.create(club=other_club, name="W", starts=date(2054, 10, 1), ends=date(2055, 3, 31))
    with pytest.raises(StepRefused, match="another club"):
        assign_season(event=nights[0], season=theirs, by=actor)
    assert assign_season(event=nights[0], season=None, by=actor).season is None


def test_the_page_names_the_rule_and_sorts(season, nights, client_of):
    browser = client_of(None)
    page = browser.get(f"/st-hilary/seasons/{season.pk}/").content.decode()
    assert "the points of all nights attended, added up" in page
    assert "2 nights count" in page
    assert "6 Nov" in page
    assert '<table class="score-table"' in page
    by_name = browser.get(f"/st-hilary/seasons/{season.pk}/?sort=-name").content.decode().partition("<main")[2]
    assert by_name.index("Player 05") < by_name.index("Player 01")
    assert client_of(None).get(f"/harbour/seasons/{season.pk}/").status_code == 404


def test_the_form_makes_a_season_and_a_desk_puts_a_night_in_it(nights, browser, scorekeeper, client_of):
    form = {"name": "Spring", "starts": "2055-04-01", "ends": "2055-06-30"}
    assert client_of(scorekeeper).post("/st-hilary/desk/seasons/new/", form).status_code == 404
    browser.post("/st-hilary/desk/seasons/new/", form)
    made = Season.objects.get(name="Spring")
    browser.post("/st-hilary/desk/n1/season/", {"season": made.pk})
    assert [event.slug for event in season_tables([made])[0].nights] == ["n1"]
    again = browser.post("/st-hilary/desk/seasons/new/", {**form, "ends": "2055-07-01"}).content.decode()
    assert "There is already a season called Spring" in again


@pytest.mark.parametrize(
    ("total", "nights", "shown"), [(1083, 4, "270.8"), (-7, 2, "\N{MINUS SIGN}3.5"), (4, 4, "1.0")]
)
def test_an_average_has_one_decimal(total, nights, shown):
    assert decimal(Fraction(total, nights)) == shown


def test_a_year_of_two_figures_is_asked_about(club, browser):
    form = {"name": "Winter", "starts": "0026-09-01", "ends": "0027-06-30"}
    page = browser.post("/st-hilary/desk/seasons/new/", form).content.decode()
    assert page.count("Write the year with four figures") == 2
    assert not club.seasons.exists()
