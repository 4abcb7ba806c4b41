"""A season counts points from scratch, or with handicap on the nights that give one: as its rule says."""

import pytest

from clubsite.accounts.models import LogEntry
from tests.tournaments.nights import make_night, play_night
from tests.tournaments.results import closed_night, confirm, make_season
from tournaments.engine.handicap import HandicapRule
from tournaments.engine.season import SeasonRule
from tournaments.handicaps import give_handicaps
from tournaments.models import PublishedStandings
from tournaments.seasons.actions import (
    Assignment,
    SeasonTerms,
    assign_members,
    create_following_season,
    find_need,
    preview_rule,
    season_terms,
)
from tournaments.seasons.table import season_tables
from tournaments.seasons.views import describe_need, describe_rule
from tournaments.standings.presentation import net_rows
from tournaments.standings.standings import standings_of

NET = SeasonTerms(SeasonRule(), handicap=True)


def with_handicaps(event, points, deals=4):
    """These points a deal on top in the event's result, for so many deals of everybody who has any."""
    (result,) = PublishedStandings.objects.filter(event=event)
    for row in result.rows:
        if row["name"] in points:
            given = {"points": points[row["name"]], "deals": 20, "average": "20", "code": "handicap.given"}
            row |= {"deals": deals, "handicap": given}
    result.save()


@pytest.fixture
def season(club, rules):
    """Two nights; the first gives handicaps. From scratch Ann is ahead, with handicap Cal and Bob are."""
    made = make_season(club)
    first = closed_night(made, rules, 6, {"Ann": 90, "Bob": 70, "Cal": 60}, {"Guy Guest": 80})
    with_handicaps(first, {"Ann": 0, "Bob": 5, "Cal": 10, "Guy Guest": 1})
    closed_night(made, rules, 13, {"Ann": 40, "Bob": 50, "Cal": 45})
    return made


def table(season):
    return season_tables([season])[0]


def totals(season):
    return [(line.name, line.place, int(line.total)) for line in table(season).lines]


def test_points_are_from_scratch_unless_the_rule_says_otherwise(season, actor):
    assert totals(season) == [("Ann", 1, 130), ("Bob", 2, 120), ("Cal", 3, 105)]
    assert not season_terms(season).handicap
    season = confirm(season, NET, actor)
    assert season_terms(season) == NET
    assert totals(season) == [("Cal", 1, 145), ("Bob", 2, 140), ("Ann", 3, 130)]
    (guest,) = table(season).guests
    assert (guest["name"], guest["points"]) == ("Guy Guest", 84)


def test_places_of_a_night_are_those_with_handicap(season, actor):
    """Cal 100, then Ann and Bob with 90 each. The night that gives no handicap keeps its places."""
    places = SeasonRule(place_points=(10, 6, 3), tie_breaks=("nights-won",))
    season = confirm(season, SeasonTerms(places, handicap=True), actor)
    nights = {line.name: line.nights for line in table(season).lines}
    assert nights == {"Cal": (10, 6), "Bob": (6, 10), "Ann": (6, 3)}
    season = confirm(season, SeasonTerms(places), actor)
    nights = {line.name: line.nights for line in table(season).lines}
    assert nights == {"Ann": (10, 3), "Bob": (6, 10), "Cal": (3, 6)}


def test_who_is_disqualified_stays_behind_all_others(season, actor):
    (result,) = PublishedStandings.objects.filter(event__slug__endswith="-6")
    for row in result.rows:
        if row["name"] == "Cal":
            row |= {"disqualified": "left", "place": 4}
    result.save()
    season = confirm(season, SeasonTerms(SeasonRule(place_points=(10, 6, 3)), handicap=True), actor)
    assert {line.name: line.nights[0] for line in table(season).lines} == {"Ann": 10, "Bob": 10, "Cal": 3}


def test_teams_count_with_handicap_too(season, actor):
    teams = {"Ann": "Reds", "Bob": "Blues", "Cal": "Blues"}
    belongs = {season.club.members.get(name=name).pk: Assignment(None, team) for name, team in teams.items()}
    assign_members(season=season, assignments=belongs, by=actor)
    terms = SeasonTerms(SeasonRule(), team_best=1, handicap=True)
    effect = preview_rule(season, terms, by=actor)
    assert [tuple(line.values()) for line in effect.moved] == [("Cal", 3, 1), ("Ann", 1, 3)]
    assert (effect.teams, effect.teams_moved) == (2, [])
    season = confirm(season, terms, actor)
    assert [(team.name, team.total) for team in table(season).teams] == [("Blues", 150), ("Reds", 130)]


def test_a_change_is_seen_confirmed_logged_and_told(season, browser, client_of):
    url = f"/st-hilary/desk/seasons/{season.pk}/rule/"
    shown = browser.post(url, {"kind": "sum", "handicap": "yes", "step": "look"}).content.decode()
    assert "2 of 3 members would have another place:" in shown
    said = "Points and places of a night include handicaps, if the night gives any."
    assert said in shown
    assert totals(season)[0][0] == "Ann"
    seen = shown.split('name="seen" value="')[1].split('"')[0]
    assert browser.post(url, {"kind": "sum", "handicap": "yes", "step": "change", "seen": seen}).status_code == 302
    season.refresh_from_db()
    assert totals(season)[0][0] == "Cal"
    entry = LogEntry.objects.get(verb="season.rule")
    assert (entry.old["handicap"], entry.new["handicap"]) == (False, True)
    assert said in client_of(None).get(f"/st-hilary/seasons/{season.pk}/").content.decode()
    assert browser.get(url).context["form"]["handicap"].value() == "yes"
    assert said not in " ".join(describe_rule(SeasonTerms(SeasonRule())))


def test_what_somebody_needs_counts_the_handicap_in_and_the_season_that_follows_keeps_the_choice(season, actor):
    ann = season.club.members.get(name="Ann").pk
    scratch = find_need(season, ann, place=1, others="away")
    assert scratch.code == "safe"
    season = confirm(season, NET, actor)
    need = find_need(season, ann, place=1, others="away")
    assert (need.code, need.points, need.record) == ("points", 15, 100)
    assert "The points of the night include handicaps" in describe_need(need)[-1]
    made = create_following_season(
        season=season, by=actor, name="Next", starts=season.ends, ends=season.ends, divisions={}
    )
    assert season_terms(made) == NET


def test_a_night_that_was_played_counts_as_its_own_order_with_handicap(club, rules, actor):
    """Real cards: the first night gives the averages, the second the handicaps."""
    season = make_season(club)
    play_night(make_night(club, rules, slug="first", day=6), actor, 8, rounds=2, deals=3)
    event = make_night(club, rules, slug="second", day=13, season=season)
    event = give_handicaps(event=event, rule=HandicapRule(scratch=40, percent=50, most=30, deals=6, needed=2), by=actor)
    play_night(event, actor, 8, rounds=2, deals=3)
    season = confirm(season, NET, actor)
    net = net_rows(standings_of(event.stages.get()).rows)
    assert any(line.row.handicap and line.row.handicap.points for line in net)
    expected = {(line.row.name, line.place, line.total) for line in net}
    assert {(line.name, line.place, int(line.total)) for line in table(season).lines} == expected
