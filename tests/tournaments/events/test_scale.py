"""A season whose nights are of games of different scale says so to the director, who can count places instead."""

import pytest
from django.urls import reverse

from tests.pages import page_of, sent
from tests.tournaments.nights import make_night, queries_of
from tests.tournaments.results import make_season
from tournaments.engine.season import SeasonRule
from tournaments.events.views import mismatched_games
from tournaments.models import Event
from tournaments.seasons.actions import SeasonTerms, change_rule

SAID = "count together in Winter, so the game with the highest scores decides."


@pytest.fixture
def season(club, rules_for):
    """A season with one night, of pinochle to 150."""
    made = make_season(club)
    make_night(club, rules_for("st-hilary-v3"), slug="first", season=made)
    return made


def titles(season):
    return list(mismatched_games(season))


@pytest.mark.parametrize(
    ("slug", "apart"),
    [
        ("st-hilary-v3", False),
        ("hand-and-foot", True),  # another family
        ("double-deck-partnership-pinochle", True),  # the same family, to 500
    ],
)
def test_games_of_another_family_or_a_far_higher_target_are_apart(season, rules_for, slug, apart):
    rules = rules_for(slug)
    make_night(season.club, rules, slug="second", season=season, day=13)
    assert titles(season) == (["St. Hilary partnership pinochle, version 3", rules.title] if apart else [])


def test_games_without_a_target_are_told_apart_by_their_family_alone(season, rules_for):
    season.events.all().delete()
    for day, slug in ((6, "hand-and-foot"), (13, "canasta")):
        make_night(season.club, rules_for(slug), slug=slug, season=season, day=day)
    assert titles(season) == []


def test_a_night_that_is_called_off_and_one_of_another_season_are_left_aside(season, rules_for):
    night = make_night(season.club, rules_for("hand-and-foot"), slug="off", season=season, day=13)
    Event.objects.filter(pk=night.pk).update(called_off="No hall")
    make_night(season.club, rules_for("hand-and-foot"), slug="other", season=make_season(season.club, "Summer"))
    assert titles(season) == []


def test_points_for_places_bring_all_games_together(season, rules_for, actor):
    make_night(season.club, rules_for("hand-and-foot"), slug="second", season=season, day=13)
    terms = SeasonTerms(SeasonRule(place_points=(10, 8, 6)))
    assert titles(change_rule(season=season, terms=terms, by=actor)) == []


def test_the_seasons_page_says_so_to_directors_alone(season, rules_for, director, scorekeeper, client_of):
    address = season.get_absolute_url()
    assert SAID not in page_of(client_of(director).get(address))
    make_night(season.club, rules_for("hand-and-foot"), slug="second", season=season, day=13)
    page = page_of(client_of(director).get(address))
    assert SAID in page
    assert f"{reverse('season_rule', args=['st-hilary', season.pk])}#id_place_points" in page
    for user in (None, scorekeeper):
        assert SAID not in page_of(client_of(user).get(address))


def test_who_plans_such_a_night_or_puts_one_in_the_season_is_told(season, rules_for, director, client_of):
    rules_for("hand-and-foot")
    browser, address = client_of(director), f"/st-hilary/desk/new/?season={season.pk}"
    form = sent(browser.get(address).content.decode()) | {"name": "Feet", "game": "hand-and-foot:2x2"}
    page = page_of(browser.post(address, form | {"at_bell": "finish-deal"}, follow=True))
    night = Event.objects.latest("pk")
    assert (night.name, night.season) == ("Feet", season)
    assert SAID in page
    counts_in = f"/st-hilary/desk/{night.slug}/season/"
    assert SAID not in page_of(browser.post(counts_in, {"season": ""}, follow=True))
    assert SAID in page_of(browser.post(counts_in, {"season": season.pk}, follow=True))


def test_queries_do_not_grow_with_the_nights(season, rules_for, director, client_of):
    browser, address = client_of(director), season.get_absolute_url()
    few = queries_of(browser, address)
    for day in range(7, 12):
        make_night(season.club, rules_for("hand-and-foot"), slug=f"night-{day}", season=season, day=day)
    assert queries_of(browser, address) == few
