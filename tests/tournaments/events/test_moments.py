"""When an event is, as people write it: times that the clocks skip, slips in the year, a form sent again."""

from datetime import date

import pytest

from clubsite.accounts.models import Member
from tournaments.events.views import next_name
from tournaments.models import Event

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


def test_back_and_posting_again_makes_no_second_night(typed, director, client_of):
    browser = client_of(director)
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
