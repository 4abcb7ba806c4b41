"""An event planned from its form: as the last night of its season was, a week later; and when it is."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from clubsite.accounts.models import LogEntry, Member
from tests.pages import page_of, sent
from tests.tournaments.nights import make_night
from tests.tournaments.results import make_season
from tournaments.engine.handicap import HandicapRule
from tournaments.events.forms import EventForm
from tournaments.events.views import last_night, next_name, next_night_initial
from tournaments.handicaps import event_rule, give_handicaps
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
    proposed = next_night_initial(season, last_night(season))
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
            EventForm(club=season.club, format=format, initial=next_night_initial(season, night)),
        ):
            assert {name: form[name].value() for name in shown} == shown


def test_the_first_night_is_on_the_first_day(season):
    assert next_night_initial(season, last_night(season))["starts_at"].date() == date(2054, 10, 1)


def test_the_form_as_it_stands_makes_the_night_in_its_season(season, night, director, actor, client_of):
    set_fee(event=night, by=actor, fee=500)
    browser, address = client_of(director), f"/st-hilary/desk/new/?season={season.pk}"
    assert address in page_of(browser.get(season.get_absolute_url()))
    page = browser.get(address).content.decode()
    answer = browser.post(address, {**sent(page), "at_bell": "finish-deal"})
    assert answer.status_code == 302, page_of(answer)
    made = Event.objects.latest("pk")
    assert (made.name, made.season, made.place) == ("Friday 4", season, "Parish hall")
    assert made.starts_at.astimezone(CHICAGO).replace(tzinfo=None) == datetime(2054, 11, 6, 19, 30)
    assert (made.sit_out_rule, made.round_minutes, made.fee) == ("own-average", 25, 500)


@pytest.mark.parametrize(
    ("game", "format", "given"),
    [("st-hilary-v3", "rotation", True), ("hand-and-foot", "rotation", False), ("st-hilary-v3", "swiss", False)],
)
def test_the_next_night_gives_the_handicaps_of_the_last_one_in_its_game(
    season, night, browser, actor, game, format, given
):
    rule = HandicapRule(scratch=100, percent=70)
    give_handicaps(event=night, rule=rule, by=actor)
    address = f"/st-hilary/desk/new/?season={season.pk}&format={format}"
    form = sent(browser.get(address).content.decode()) | {"name": "Next", "at_bell": "finish-deal"}
    form |= {"starts_at": "2054-11-06T19:30", "game": f"{game}:2x2"}
    answer = browser.post(address, form, follow=True)
    made = Event.objects.get(name="Next")
    assert (made.season, event_rule(made)) == (season, rule if given else None)
    assert LogEntry.objects.filter(verb="event.handicap", event=made.pk).exists() is given
    assert ("Handicaps are given as on the last night of its season." in page_of(answer)) is given


def test_another_clubs_season_isnt_found(season, other_club, stranger, scorekeeper, client_of):
    for asked in (season.pk, "many"):
        assert client_of(stranger).get(f"/harbour/desk/new/?season={asked}").status_code == 404
    for user in (None, scorekeeper):
        assert "New night in this season" not in page_of(client_of(user).get(season.get_absolute_url()))


# When an event is, as people write it: times that the clocks skip, slips in the year, a form sent again


NEW = "/st-hilary/desk/new/?format=rotation"


@pytest.fixture
def typed(rules_for):
    slug = rules_for("st-hilary-v3").slug
    return {
        "name": "Friday",
        "game": f"{slug}:2x2",
        "sit_out_rule": "own-average",
        "missing_rule": "zero",
        "tie_1": "points",
    }


@pytest.mark.parametrize(
    ("moment", "forward"),
    [("2054-03-08T02:30", True), ("2054-11-01T01:30", False)],  # the nights on which Chicago changes its clocks
)
def test_a_time_that_the_clocks_skip_or_show_twice_is_said_in_plain_words(typed, director, client_of, moment, forward):
    page = client_of(director).post(NEW, typed | {"starts_at": moment})
    (error,) = page.context["form"].errors["starts_at"]
    assert ("forward" in error) is forward
    assert moment[-4:] in error
    assert "America" not in error
    assert not Event.objects.exists()


def test_a_day_of_years_ago_is_asked_about_once(typed, club, director, client_of):
    browser, sent = client_of(director), typed | {"starts_at": "2020-11-06T19:30"}
    asked = browser.post(NEW, sent)
    assert asked.context["form"].ask_long_ago
    assert 'name="long_ago"' in asked.content.decode()
    assert not Event.objects.exists()
    browser.post(NEW, sent | {"long_ago": "on"})
    event = Event.objects.get()
    change = f"{event.get_desk_url()}change/"
    assert browser.post(change, sent | {"name": "Old cards"}).status_code == 302, "it had that day before"
    assert browser.post(change, sent | {"starts_at": "2019-11-06T19:30"}).context["form"].ask_long_ago


def test_the_guided_start_asks_about_a_day_of_years_ago_too(club, rules_for, director, client_of):
    people = [Member.objects.create(club=club, name=f"Player {n}").pk for n in range(8)]
    browser, page = client_of(director), "/st-hilary/start/night/"
    night = {"name": "First", "game": rules_for("st-hilary-v3").slug, "rounds": "3", "people": people}
    asked = browser.post(page, night | {"starts_at": "2020-11-06T19:30"})
    assert asked.status_code == 422
    assert 'name="long_ago"' in asked.content.decode()
    assert 'name="long_ago"' not in browser.get(page).content.decode()
    assert not Event.objects.exists()
    assert browser.post(page, night | {"starts_at": "2020-11-06T19:30", "long_ago": "on"}).status_code == 302
    assert Event.objects.exists()


@pytest.mark.parametrize(("slug", "bids"), [("whist-drive", False), ("st-hilary-v3", True)])
def test_words_of_bids_are_offered_for_games_that_have_bids_alone(typed, rules_for, director, client_of, slug, bids):
    browser, game = client_of(director), f"{rules_for(slug).slug}:2x2"
    as_opened = browser.get(NEW).context["form"].fields["tie_2"].choices
    assert "in a game with bids" in str(dict(as_opened)["fewest-sets"])
    sent = typed | {"game": game, "tie_2": "fewest-sets", "tie_3": "net"}
    wrong = browser.post(NEW, sent | {"starts_at": ""}).context["form"]
    assert ("fewest-sets" in dict(wrong.fields["tie_2"].choices)) is bids
    assert "tie_2" not in wrong.errors
    browser.post(NEW, sent | {"starts_at": "2054-11-06T19:30"})
    assert ("fewest-sets" in Event.objects.get().tie_breaks) is bids


def test_back_and_posting_again_makes_no_second_night(typed, browser):
    for starts_at in ("2054-11-07T19:30", "2054-11-07T19:30", "2054-11-14T19:30"):
        browser.post(NEW, typed | {"starts_at": starts_at})
    assert Event.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("Card party Dec 9", "Card party Dec 16"),
        ("Card party dec. 9", "Card party dec. 16"),
        ("Cards 9 December", "Cards 16 December"),
        ("Cards on 9. December 2054", "Cards on 16. December 2054"),
        ("Cards 12/9", "Cards 12/16"),
        ("Cards 2054-12-09", "Cards 2054-12-16"),
        ("Night 29", "Night 30"),
        ("Night 9", "Night 10"),
        ("Decathlon 9", "Decathlon 10"),
    ],
)
def test_the_day_in_a_name_goes_on_by_a_week(name, after):
    assert next_name(name, date(2054, 12, 9)) == after


def test_no_letter_of_a_name_is_lost_in_an_address(typed, director, client_of):
    client_of(director).post(NEW, typed | {"name": "Weiß & Łucja Øst", "starts_at": "2054-11-07T19:30"})
    assert Event.objects.get().slug == "weiss-lucja-ost"
