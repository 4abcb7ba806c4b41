"""A night put into its season in the same step as it is made: as the last one was, a week later."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from clubsite.accounts.models import LogEntry
from tests.pages import page_of, sent
from tests.tournaments.nights import make_night
from tests.tournaments.results import make_season
from tournaments.engine.handicap import HandicapRule
from tournaments.events.forms import EventForm
from tournaments.events.views import last_night, next_night
from tournaments.handicaps import give_handicaps, rule_of
from tournaments.models import Event
from tournaments.money import set_fee

CHICAGO = ZoneInfo("America/Chicago")


@pytest.fixture
def season(club):
    return make_season(club)


@pytest.fixture
def night(season, rules_for):
    """The third night, on 30 October 2054: the clocks go back two days later."""
    made = make_night(season.club, rules_for("st-hilary-v3"), slug="third", season=season)
    made.name, made.starts_at = "Friday 3", datetime(2054, 10, 30, 19, 30, tzinfo=CHICAGO)
    made.options = {"rounds": 4}
    made.round_minutes = 25
    made.save()
    return made


def test_the_next_night_is_proposed_as_the_last_was_a_week_later(season, night):
    proposed = next_night(season, last_night(season))
    assert proposed["name"] == "Friday 4"
    assert proposed["starts_at"] == datetime(2054, 11, 6, 19, 30)  # by the clock of the wall
    assert (proposed["place"], proposed["round_minutes"]) == ("Parish hall", 25)
    assert proposed["game"] == "st-hilary-v3:2x2"


def test_options_stand_in_the_form_as_they_were_chosen(season, night):
    """One leg of a round robin isn't "yes", though Python takes 1 for True; nor is a Swiss night's "no" zero."""
    for format, chosen, shown in (
        ("round-robin", {"legs": 1}, {"legs": 1}),
        ("swiss", {"rounds": 1, "first_by_lot": False}, {"rounds": 1, "first_by_lot": "no"}),
        ("swiss", {"rounds": 5, "first_by_lot": True}, {"rounds": 5, "first_by_lot": "yes"}),
    ):
        night.format, night.options = format, chosen
        for form in (
            EventForm(club=season.club, format=format, event=night),
            EventForm(club=season.club, format=format, initial=next_night(season, night)),
        ):
            assert {name: form[name].value() for name in shown} == shown


def test_the_first_night_is_on_the_first_day(season):
    proposed = next_night(season, last_night(season))
    assert proposed["starts_at"].date() == date(2054, 10, 1)


def test_the_form_as_it_stands_makes_the_night_in_its_season(season, night, director, actor, client_of):
    set_fee(event=night, by=actor, fee=500)
    browser = client_of(director)
    table = page_of(browser.get(season.get_absolute_url()))
    assert f"/st-hilary/desk/new/?season={season.pk}" in table
    address = f"/st-hilary/desk/new/?season={season.pk}"
    page = browser.get(address).content.decode()
    answer = browser.post(address, {**sent(page), "at_bell": "finish-deal"})
    assert answer.status_code == 302, page_of(answer)
    made = Event.objects.latest("pk")
    assert (made.name, made.season, made.place) == ("Friday 4", season, "Parish hall")
    assert made.starts_at.astimezone(CHICAGO).replace(tzinfo=None) == datetime(2054, 11, 6, 19, 30)
    assert (made.sit_out_rule, made.round_minutes, made.fee) == ("own-average", 25, 500)


@pytest.mark.parametrize("game", ["st-hilary-v3", "hand-and-foot"])
def test_the_next_night_gives_the_handicaps_of_the_last_one_in_its_game(
    game, season, night, director, actor, client_of
):
    rule = HandicapRule(scratch=100, percent=70)
    give_handicaps(event=night, rule=rule, by=actor)
    browser, address = client_of(director), f"/st-hilary/desk/new/?season={season.pk}"
    form = sent(browser.get(address).content.decode()) | {"at_bell": "finish-deal"}
    if game != night.rules.slug:
        form["game"] = f"{game}:2x2"
    answer = browser.post(address, form, follow=True)
    made, same = Event.objects.latest("pk"), game == night.rules.slug
    assert (made != night, rule_of(made)) == (True, rule if same else None)
    assert LogEntry.objects.filter(verb="event.handicap", event=made.pk).exists() is same
    assert ("Handicaps are given as on the last night of its season." in page_of(answer)) is same


def test_the_next_night_of_pairs_gives_no_handicaps(season, night, director, actor, client_of):
    give_handicaps(event=night, rule=HandicapRule(scratch=100), by=actor)
    browser, address = client_of(director), f"/st-hilary/desk/new/?season={season.pk}&format=swiss"
    form = sent(browser.get(address).content.decode()) | {"name": "Pairs", "at_bell": "finish-deal"}
    answer = browser.post(address, form | {"starts_at": "2054-11-06T19:30", "game": "st-hilary-v3:2x2"})
    made = Event.objects.latest("pk")
    assert (answer.status_code, made.name, made.season, made.handicap) == (302, "Pairs", season, {})


def test_a_new_event_credits_sit_outs_by_the_players_own_average(director, client_of):
    page = client_of(director).get("/st-hilary/desk/new/?format=rotation").content.decode()
    assert sent(page)["sit_out_rule"] == "own-average"
    assert Event().sit_out_rule == "own-average"


def test_another_clubs_season_isnt_found(season, other_club, stranger, scorekeeper, client_of):
    assert client_of(stranger).get(f"/harbour/desk/new/?season={season.pk}").status_code == 404
    assert client_of(scorekeeper).get(f"/st-hilary/desk/new/?season={season.pk}").status_code == 404
    assert client_of(stranger).get("/harbour/desk/new/?season=many").status_code == 404
    for user in (None, scorekeeper):
        assert "New night in this season" not in page_of(client_of(user).get(season.get_absolute_url()))
