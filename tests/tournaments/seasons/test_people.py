"""Divisions, teams and drop-ins of a season, the season that follows, and what somebody needs on the last night."""

import re
from datetime import date

import pytest

from clubsite.accounts.models import LogEntry
from scoring.models import HouseRules
from tests.tournaments.nights import queries_of
from tests.tournaments.results import closed_night, confirm, make_season, member
from tournaments.engine.season import SeasonRule
from tournaments.errors import StepRefused
from tournaments.models import Season, SeasonMember
from tournaments.seasons.actions import (
    Assignment,
    SeasonTerms,
    assign_members,
    create_following_season,
    find_need,
    propose_moves,
    season_assignments,
    season_terms,
)
from tournaments.seasons.table import season_tables
from tournaments.seasons.views import describe_need

NEXT = {"name": "Spring", "starts": date(2055, 4, 1), "ends": date(2055, 6, 30)}
FORM = {"name": "Spring", "starts": "2055-04-01", "ends": "2055-06-30"}
DIVISIONS = {"Ann": 1, "Bob": 1, "Cal": 1, "Dee": 2, "Eve": 2, "Flo": 2}


@pytest.fixture
def season(club, rules, actor):
    """Two divisions of three, two teams, a drop-in and a guest; one goes up and one goes down. Flo never came."""
    made = make_season(club)
    for name in DIVISIONS:
        member(club, name)
    closed_night(made, rules, 6, {"Ann": 50, "Bob": 90, "Cal": 60, "Dee": 10, "Eve": 20, "Joe": 300}, {"Guy": 5})
    closed_night(made, rules, 13, {"Ann": 55, "Bob": 40, "Dee": 30, "Eve": 40}, {"Guy": 6})
    teams = {"Ann": "Reds", "Bob": "Blues", "Cal": "Blues", "Dee": "Reds", "Eve": "Blues"}
    put(made, {name: Assignment(division, teams.get(name, "")) for name, division in DIVISIONS.items()}, actor)
    terms = SeasonTerms(SeasonRule(), moving=1, team_best=1)
    return confirm(made, terms, actor)


def put(season, belongs, by):
    return assign_members(
        season=season, assignments={member(season.club, n).pk: one for n, one in belongs.items()}, by=by
    )


def divisions_of(season):
    rows = SeasonMember.objects.filter(season=season).select_related("member")
    return {row.member.name: row.division for row in rows}


def pk_of(season, name):
    return member(season.club, name).pk


def test_each_division_has_its_own_places_and_drop_ins_have_none(season):
    (table,) = season_tables([season])
    found = {part.division: [(line.place, line.name, line.total) for line in part.lines] for part in table.parts}
    assert found == {1: [(1, "Bob", 130), (2, "Ann", 105), (3, "Cal", 60)], 2: [(1, "Eve", 60), (2, "Dee", 40)]}
    assert [(line.name, line.code) for line in table.apart] == [("Joe", "season.no-division")]
    assert [(guest["name"], guest["attended"], guest["points"]) for guest in table.guests] == [("Guy", 2, 11)]


def test_places_of_a_night_are_those_among_the_division(season, actor):
    season = confirm(season, SeasonTerms(SeasonRule(place_points=(10, 5, 1))), actor)
    (table,) = season_tables([season])
    assert {line.name: line.nights for line in table.lines} == {
        "Bob": (10, 5),
        "Ann": (1, 10),
        "Cal": (5, None),
        "Eve": (10, 10),
        "Dee": (5, 5),
    }


def test_a_team_has_its_best_members_of_each_night(season):
    (table,) = season_tables([season])
    assert [(team.place, team.name, team.nights, team.total) for team in table.teams] == [
        (1, "Blues", (90, 40), 130),
        (2, "Reds", (50, 55), 105),
    ]
    season.team_best = 0
    season.save()
    (table,) = season_tables([season])
    assert [(team.name, team.nights) for team in table.teams] == [("Blues", (170, 80)), ("Reds", (60, 85))]


def test_the_page_shows_divisions_teams_drop_ins_and_guests(season, client_of):
    page = client_of(None).get(f"/st-hilary/seasons/{season.pk}/").content.decode()
    at = [
        page.index(f"<h2>{title}</h2>") for title in ("Division 1", "Division 2", "Teams", "Without a place", "Guests")
    ]
    assert at == sorted(at)
    assert "Plays without a division." in page
    assert "the points of its best member on each night" in page
    sorted_page = client_of(None).get(f"/st-hilary/seasons/{season.pk}/?d1-sort=name").content.decode()
    assert sorted_page.index(">Ann<") < sorted_page.index(">Bob<")


def test_the_form_puts_members_into_divisions_and_teams(season, browser):
    url = f"/st-hilary/desk/seasons/{season.pk}/people/"
    ann, joe, flo = (pk_of(season, name) for name in ("Ann", "Joe", "Flo"))
    sent = {f"division-{joe}": "2", f"team-{joe}": "  New   team ", f"division-{flo}": "", f"team-{flo}": ""}
    assert browser.post(url, sent).status_code == 302
    now = season_assignments(season)
    assert now[joe] == Assignment(2, "New team")
    assert flo not in now, "in no division and no team: no row"
    assert now[ann] == Assignment(1, "Reds"), "not sent: not changed"
    entry = LogEntry.objects.filter(verb="season.people").latest("pk")
    assert (entry.old, entry.new) == ({"Flo": "2", "Joe": "-"}, {"Flo": "-", "Joe": "2 New team"})
    browser.post(url, sent)
    assert LogEntry.objects.filter(verb="season.people").latest("pk") == entry, "the same again changes nothing"
    assert browser.post(url, {f"division-{joe}": "10", f"team-{joe}": ""}).status_code == 404


def test_nobody_of_another_club_gets_into_a_season(season, other_club, actor, browser):
    theirs = member(other_club, "Otto").pk
    with pytest.raises(StepRefused, match="no longer a member"):
        assign_members(season=season, assignments={theirs: Assignment(1)}, by=actor)
    browser.post(f"/st-hilary/desk/seasons/{season.pk}/people/", {f"team-{theirs}": "Reds"})
    assert "Otto" not in divisions_of(season)


def test_who_goes_up_and_down_is_proposed_from_the_places(season):
    moves = [(move["name"], move["before"], move["place"], move["after"]) for move in propose_moves(season)]
    assert moves == [
        ("Bob", 1, 1, 1),
        ("Ann", 1, 2, 1),
        ("Cal", 1, 3, 2),
        ("Eve", 2, 1, 1),
        ("Dee", 2, 2, 2),
        ("Flo", 2, None, 2),
        ("Joe", None, None, None),
    ]


def test_who_is_level_at_the_line_is_said_to_be(season, browser):
    rules = HouseRules.objects.get(club=season.club)
    closed_night(season, rules, 20, {"Cal": 45, "Dee": 20}, {})  # Ann and Cal have 105 each, Eve and Dee 60
    level = {move["name"]: move["level_with"] for move in propose_moves(season) if move["level_with"]}
    assert level == {"Ann": ["Cal"], "Cal": ["Ann"], "Eve": ["Dee"], "Dee": ["Eve"]}
    page = browser.get(f"/st-hilary/desk/seasons/{season.pk}/following/").content.decode()
    assert re.findall(r"Level with (\w+): choose", page) == ["Cal", "Ann", "Eve", "Dee"]


def test_the_director_confirms_the_proposal_into_the_season_that_follows(season, browser):
    before, was = season_tables([season]), divisions_of(season)
    url = f"/st-hilary/desk/seasons/{season.pk}/following/"
    page = browser.get(url).content.decode()
    assert page.count("goes up ▲") == page.count("goes down ▼") == 1
    assert not Season.objects.exclude(pk=season.pk).exists(), "looking makes nothing"
    chosen = {f"division-{move['member']}": move["after"] or "" for move in propose_moves(season)}
    joe = f"division-{pk_of(season, 'Joe')}"
    made = browser.post(url, {**FORM, **chosen, joe: "2"}, follow=True)
    following = Season.objects.get(name="Spring")
    assert made.redirect_chain[-1][0] == f"/st-hilary/seasons/{following.pk}/"
    assert divisions_of(following) == {"Bob": 1, "Ann": 1, "Eve": 1, "Cal": 2, "Dee": 2, "Flo": 2, "Joe": 2}
    assert season_assignments(following)[pk_of(season, "Ann")].team == "Reds"
    assert (season_terms(following), following.follows) == (season_terms(season), season)
    assert (season_tables([season]), divisions_of(season)) == (before, was), "the old season stays as it was"
    assert LogEntry.objects.filter(verb="season.follow").count() == 1


def test_a_season_is_followed_once_and_is_kept_and_listed(season, actor, client_of):
    made = create_following_season(season=season, by=actor, divisions={}, **NEXT)
    assert create_following_season(season=season, by=actor, divisions={}, **NEXT) == made
    with pytest.raises(StepRefused, match="Spring already follows this season"):
        create_following_season(season=season, by=actor, divisions={}, **{**NEXT, "name": "Summer"})
    with pytest.raises(StepRefused, match="choose another name"):
        create_following_season(season=made, by=actor, divisions={}, **{**NEXT, "name": "Winter"})
    assert Season.objects.count() == 2
    page = client_of(None).get(f"/st-hilary/seasons/{made.pk}/").content.decode()
    assert f'Follows <a href="/st-hilary/seasons/{season.pk}/">Winter</a>' in page
    assert "No night of this season has a result yet" in page
    old = client_of(None).get(f"/st-hilary/seasons/{season.pk}/").content.decode()
    assert ">Bob<" in old


def test_a_season_that_cannot_be_made_leaves_nothing(season, browser):
    url = f"/st-hilary/desk/seasons/{season.pk}/following/"
    page = browser.post(url, {**FORM, "ends": "2055-03-01"}).content.decode()
    assert "The last day is before the first." in page
    assert Season.objects.count() == 1


@pytest.mark.daily(4)
@pytest.mark.parametrize(
    ("rule", "name", "place", "others", "said"),
    [
        # Ann has 105, Bob 130 with 65 a night; place 1 of division 1
        (SeasonRule(), "Ann", 1, "away", "Ann needs at least 25 points for place 1."),
        (SeasonRule(), "Ann", 1, "average", "Ann needs at least 90 points for place 1."),
        (SeasonRule(), "Ann", 3, "away", "Ann has place 3 or better even without coming."),
        (SeasonRule(), "Cal", 1, "average", "Nobody has done so well this season: the best night so far is 90."),
        (SeasonRule(attendance=3), "Cal", 1, "away", "with one more night it would be 2, and 3 are needed"),
        (SeasonRule(attendance=3), "Ann", 1, "away", "Ann only has to come"),
        (SeasonRule(attendance_points=1000), "Cal", 1, "average", "Cal needs at least 1,135 points for place 1."),
        (SeasonRule(place_points=(3, 2, 1)), "Cal", 1, "average", "No result of one night takes Cal to place 1."),
    ],
)
def test_what_somebody_needs_is_answered_in_words(rule, name, place, others, said, season, actor, client_of):
    season = confirm(season, SeasonTerms(rule), actor)
    need = find_need(season, pk_of(season, name), place=place, others=others)
    assert said in " ".join(describe_need(need))
    asked = {"member": pk_of(season, name), "place": place, "others": others}
    page = client_of(None).get(f"/st-hilary/seasons/{season.pk}/need/", asked).content.decode()
    assert said in page.replace("&#x27;", "'")


def test_a_place_that_a_night_below_zero_may_keep_is_said_with_those_points(season, rules, actor):
    closed_night(season, rules, 14, {"Bob": -200})
    season = confirm(season, SeasonTerms(SeasonRule(attendance=3)), actor)
    need = find_need(season, pk_of(season, "Ann"), place=1, others="away")
    assert describe_need(need) == ["Ann has place 1 or better with −175 points or more."]


def test_only_members_of_the_season_can_be_asked_about(season, other_club, client_of):
    for pk in (pk_of(season, "Joe"), member(other_club, "Otto").pk):
        assert find_need(season, pk, place=1, others="away") is None
        answer = client_of(None).get(
            f"/st-hilary/seasons/{season.pk}/need/", {"member": pk, "place": 1, "others": "away"}
        )
        assert answer.status_code == 200
        assert "The answer" not in answer.content.decode()


def test_queries_of_a_season_with_divisions_and_teams_do_not_grow(season, rules, actor, client_of):
    urls = [
        f"/st-hilary/seasons/{season.pk}/{path}"
        for path in ("", f"need/?member={pk_of(season, 'Ann')}&place=1&others=away")
    ]
    few = [queries_of(client_of(None), url) for url in urls]
    names = [f"Player {n:02}" for n in range(20)]
    closed_night(season, rules, 20, {name: n for n, name in enumerate(names)})
    put(season, {name: Assignment(1 + n % 4, f"Team {n % 5}") for n, name in enumerate(names)}, actor)
    assert [queries_of(client_of(None), url) for url in urls] == few


def test_without_a_division_the_total_goes_by_the_seasons_rule(season, rules, actor):
    """The best one night of 283 and 288 was published as 571."""
    closed_night(season, rules, 20, {"Ann": 1, "Joe": 288})
    put(season, {"Joe": Assignment()}, actor)
    for rule, total in (
        (SeasonRule(kind="best", best=1), 300),
        (SeasonRule(kind="best", best=1, place_points=(10, 6)), 10),
        (SeasonRule(kind="average"), 294),
    ):
        season = confirm(season, SeasonTerms(rule), actor)
        (joe,) = (line for line in season_tables([season])[0].apart if line.name == "Joe")
        assert (joe.total, joe.place, joe.code) == (total, None, "season.no-division")


def test_a_place_of_who_has_no_division_is_among_all_who_came(season, rules, actor):
    closed_night(season, rules, 20, {"Ann": 90, "Bob": 80, "Joe": 70})
    put(season, {"Joe": Assignment()}, actor)
    season = confirm(season, SeasonTerms(SeasonRule(place_points=(10, 6, 3))), actor)
    (joe,) = (line for line in season_tables([season])[0].apart if line.name == "Joe")
    assert joe.nights == (10, None, 3), "first of all on one night, third of three on another"


def test_a_team_is_one_in_whatever_capitals(season, actor, client_of):
    put(season, {"Dee": Assignment(2, "reds"), "Eve": Assignment(2, "REDS"), "Joe": Assignment(None, "Reds")}, actor)
    (table,) = season_tables([season])
    assert [(team.name, team.nights) for team in table.teams] == [("Reds", (300, 55)), ("Blues", (90, 40))]
    assert {line.team for line in (*table.lines, *table.apart)} == {"Reds", "Blues"}
