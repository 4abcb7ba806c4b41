"""How a season adds up: its rule in words, what the page shows of it, and changing it."""

import pytest

from clubsite.accounts.models import LogEntry
from tests.tournaments.nights import queries_of
from tests.tournaments.results import closed_night, confirm, make_season
from tournaments.engine import season as engine
from tournaments.engine.season import SeasonRule
from tournaments.errors import StepRefused
from tournaments.models import Season
from tournaments.seasons.actions import Assignment, SeasonTerms, assign_members, change_rule, preview_rule, season_terms
from tournaments.seasons.table import season_tables
from tournaments.seasons.views import TIE_BREAKS, describe_rule

BEST_TWO = SeasonTerms(SeasonRule(kind="best", best=2, attendance=2, tie_breaks=("nights-won", "best-night")))
FORM = {"kind": "best", "best": "2", "attendance": "2", "tie_1": "nights-won", "tie_2": "best-night"}


@pytest.fixture
def season(club, rules):
    """Three nights. By the sum Ann is ahead; by the best two Bob, and Cal level with Ann. Dee came once."""
    made = make_season(club)
    closed_night(made, rules, 6, {"Ann": 50, "Bob": 90, "Cal": 60})
    closed_night(made, rules, 13, {"Ann": 60, "Bob": 80, "Cal": 50}, {"Guy Guest": 7})
    closed_night(made, rules, 20, {"Ann": 45, "Dee": 44})
    Season.objects.filter(pk=made.pk).update(rule={"tie_breaks": []})
    made.refresh_from_db()
    return made


def places(season):
    (table,) = season_tables([season])
    return {line.name: (line.place, int(line.total)) for line in (*table.lines, *table.apart)}


def test_every_tie_break_of_the_engine_has_words():
    assert set(TIE_BREAKS) == set(engine.TIE_BREAKS)


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (SeasonTerms(SeasonRule()), "the points of all nights attended, added up"),
        (SeasonTerms(SeasonRule()), "Equal totals share a place"),
        (SeasonTerms(SeasonRule(kind="best", best=8)), "the total of the best 8 nights"),
        (SeasonTerms(SeasonRule(kind="best", best=1)), "by the best night"),
        (SeasonTerms(SeasonRule(kind="average", attendance=5)), "by the average of the nights attended"),
        (SeasonTerms(SeasonRule(attendance=5)), "A place needs at least 5 nights"),
        (SeasonTerms(SeasonRule(place_points=(10, 8, 6))), "among the members who came: 10, 8, 6; nothing after that"),
        (SeasonTerms(SeasonRule(attendance_points=1)), "Each night attended gives 1 point more"),
        (SeasonTerms(SeasonRule(lowest_wins=True)), "The lowest total is ahead"),
        (SeasonTerms(SeasonRule(tie_breaks=("points", "last-night"))), "by points of all nights, then by last night"),
        (SeasonTerms(SeasonRule(), moving=2), "the first 2 of each division go up and the last 2 go down"),
    ],
)
def test_the_rule_is_a_sentence_made_from_its_options(terms, said):
    assert said in " ".join(describe_rule(terms))


def test_the_rule_says_nothing_of_options_that_are_off():
    assert len(describe_rule(SeasonTerms(SeasonRule()))) == 2


def test_a_season_keeps_what_was_chosen(season, actor):
    full = SeasonTerms(
        SeasonRule(
            kind="average", attendance=3, place_points=(5, 3), attendance_points=2, tie_breaks=("points", "most-nights")
        ),
        moving=2,
        team_best=3,
    )
    kept = confirm(season, full, actor).rule
    season.refresh_from_db()
    assert season.rule == kept  # lists, before it is read again as after
    assert season_terms(season) == full


def test_the_best_so_many_nights_and_the_attendance_decide_and_the_page_tells_it(season, actor, client_of):
    assert places(season) == {"Ann": (2, 155), "Bob": (1, 170), "Cal": (3, 110), "Dee": (4, 44)}
    url = f"/st-hilary/seasons/{season.pk}/"
    assert "<s>" not in client_of(None).get(url).content.decode()
    season = confirm(season, BEST_TWO, actor)
    assert places(season) == {"Bob": (1, 170), "Ann": (2, 110), "Cal": (3, 110), "Dee": (None, 44)}
    page = client_of(None).get(url).content.decode()
    assert '<s>(45)</s><span class="visually-hidden"> doesn&#x27;t count</span>' in page
    assert page.count('<td class="points step-0"><s>') == 1  # and once under the name, for phones
    assert "Below attendance: 1 night of the 2 needed." in page
    assert "Ann is ahead of Cal by nights won." in page
    assert "Guy Guest" in page


def test_places_are_worth_points_among_the_members_who_came(club, rules, actor):
    made = make_season(club)
    closed_night(made, rules, 6, {"Ann": 50, "Bob": 40, "Cal": 30}, {"Guy Guest": 45})
    made = confirm(made, SeasonTerms(SeasonRule(place_points=(10, 8), attendance_points=1)), actor)
    assert places(made) == {"Ann": (1, 11), "Bob": (2, 9), "Cal": (3, 1)}


def test_a_rule_without_closed_nights_is_changed_at_once(club, browser):
    made = make_season(club)
    url = f"/st-hilary/desk/seasons/{made.pk}/rule/"
    assert browser.post(url, {**FORM, "place_points": "10, 8 6", "moving": "1"}).status_code == 302
    made.refresh_from_db()
    assert season_terms(made).rule.place_points == (10, 8, 6)
    assert (season_terms(made).rule.best, season_terms(made).moving) == (2, 1)


def test_after_a_closed_night_the_places_are_shown_before_anything_changes(season, browser):
    url = f"/st-hilary/desk/seasons/{season.pk}/rule/"
    shown = browser.post(url, {**FORM, "step": "look"}).content.decode()
    assert "3 nights are already closed and will be counted again." in shown
    assert "1 of 4 members would have another place:" in shown
    assert places(season)["Dee"] == (4, 44)
    assert not LogEntry.objects.filter(verb="season.rule").exists()
    seen = shown.split('name="seen" value="')[1].split('"')[0]
    assert browser.post(url, {**FORM, "step": "change", "seen": seen}).status_code == 302
    season.refresh_from_db()
    assert season_terms(season) == BEST_TWO
    entry = LogEntry.objects.get(verb="season.rule")
    assert (entry.old["kind"], entry.new["kind"]) == ("sum", "best")
    assert (entry.new["nights closed"], entry.new["places changed"]) == (3, 1)


def test_the_rule_of_the_teams_is_told_before_it_changes(season, browser):
    url = f"/st-hilary/desk/seasons/{season.pk}/rule/"
    form = {name: value for name, value in FORM.items() if name not in ("kind", "best")}
    shown = browser.post(url, {**form, "kind": "sum", "team_best": "2", "step": "look"}).content.decode()
    assert "A team has the points of its best 2 members on each night." in shown


def test_the_places_of_teams_are_shown_before_anything_changes(season, actor, browser):
    """Reds: Ann 155 and Cal 110. Blues: Bob 170 and Dee 44. With the best member of a night alone, Blues lead."""
    teams = {"Ann": "Reds", "Cal": "Reds", "Bob": "Blues", "Dee": "Blues"}
    belongs = {season.club.members.get(name=name).pk: Assignment(None, team) for name, team in teams.items()}
    assign_members(season=season, assignments=belongs, by=actor)
    url = f"/st-hilary/desk/seasons/{season.pk}/rule/"
    shown = browser.post(url, {"kind": "sum", "team_best": "1", "step": "look"})
    effect = shown.context["effect"]
    assert (effect.moved, effect.teams) == ([], 2)
    assert [tuple(line.values()) for line in effect.teams_moved] == [("Blues", 2, 1), ("Reds", 1, 2)]
    assert "2 of 2 teams would have another place:" in shown.content.decode()
    season = confirm(season, SeasonTerms(SeasonRule(), team_best=1), actor)
    assert [(team.name, team.total) for team in season_tables([season])[0].teams] == [("Blues", 214), ("Reds", 165)]
    assert LogEntry.objects.get(verb="season.rule").new["teams' places changed"] == 2
    again = browser.post(url, {"kind": "sum", "team_best": "1", "attendance_points": "1", "step": "look"})
    assert "No team's place would change." in again.content.decode()


def test_a_change_that_was_not_looked_at_or_before_another_night_was_closed_is_refused(season, rules, actor):
    with pytest.raises(StepRefused, match="Check what would change first"):
        change_rule(season=season, terms=BEST_TWO, by=actor)
    seen = preview_rule(season, BEST_TWO, by=actor).seen
    closed_night(season, rules, 27, {"Dee": 500, "Ann": 1})
    with pytest.raises(StepRefused, match="while you looked"):
        change_rule(season=season, terms=BEST_TWO, by=actor, seen=seen)
    season.refresh_from_db()
    assert season_terms(season).rule == SeasonRule()


def test_the_same_rule_again_is_no_change(season, actor):
    change_rule(season=season, terms=season_terms(season), by=actor)
    assert not LogEntry.objects.filter(verb="season.rule").exists()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"kind": "best"}, "Say how many nights count"),
        ({"kind": "sum", "place_points": "10, eight"}, "Write whole numbers with commas"),
        ({"kind": "sum", "place_points": "8, 10"}, "A better place can&#x27;t give fewer points"),
        ({"kind": "sum", "place_points": "9999"}, "At most 60 places, of at most 1000 points"),
        ({"kind": "sum", "tie_1": "points", "tie_2": "points"}, "only once"),
        ({"kind": "most"}, "Select a valid choice"),
    ],
)
def test_a_rule_that_makes_no_sense_is_said_to(form, said, season, browser):
    page = browser.post(f"/st-hilary/desk/seasons/{season.pk}/rule/", form)
    assert page.status_code == 200
    assert said in page.content.decode()
    season.refresh_from_db()
    assert season_terms(season).rule == SeasonRule()


def test_queries_of_the_directors_pages_do_not_grow(season, rules, browser):
    urls = [f"/st-hilary/desk/seasons/{season.pk}/{page}/" for page in ("rule", "people", "following")]
    urls.append(f"/st-hilary/seasons/{season.pk}/need/")
    few = [queries_of(browser, url) for url in urls]
    closed_night(season, rules, 27, {f"Player {n:02}": n for n in range(30)})
    assert [queries_of(browser, url) for url in urls] == few
