"""The front pages: of one club, and of all of them."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubsite.accounts.models import Club, LogEntry
from tests.conftest import make_user
from tests.tournaments.nights import arrive, make_night, play_night, publish_next, queries_of
from tournaments.models import Event, Season
from tournaments.pages.public import CLUBS_SHOWN, fronts


@pytest.fixture
def busy(club, actor, rules_for):
    rules = rules_for("st-hilary-v3")
    season = Season.objects.create(club=club, name="Winter", starts=date(2020, 1, 1), ends=date(2099, 1, 1))
    play_night(make_night(club, rules, slug="past", season=season), actor, 4)
    now = make_night(club, rules, slug="now")
    arrive(now, actor, 4)
    publish_next(now, actor)
    Event.objects.filter(pk=now.pk).update(starts_at=timezone.now())
    Event.objects.filter(pk=make_night(club, rules, slug="next").pk).update(
        starts_at=timezone.now() + timedelta(days=3)
    )
    return rules


def test_an_empty_install_leads_to_its_start_and_one_without_a_club_says_so(db, client_of):
    assert client_of(None).get("/")["Location"] == "/start/"
    make_user("dora")
    assert "No club is set up here yet." in client_of(None).get("/").content.decode()


def test_one_club_is_the_front_page(busy, client_of):
    shown = client_of(None).get("/").content.decode()
    assert "<h1>St. Hilary</h1>" in shown
    assert shown.index("On now:") < shown.index("What is next") < shown.index("Last results") < shown.index("Winter")
    assert "Night next" in shown.split("Last results")[0]
    assert "Night past" in shown.split("Last results")[1]
    assert "After 1 night" in shown
    assert shown.count("On now:") == 1


def test_a_night_whose_seats_are_published_days_before_is_still_to_come(busy, client_of):
    Event.objects.filter(slug="now").update(starts_at=timezone.now() + timedelta(days=7))
    shown = client_of(None).get("/").content.decode().partition("<main")[2]
    assert "On now:" not in shown
    assert shown.index("What is next") < shown.index("Night next") < shown.index("Night now")


def test_several_clubs_each_have_their_part(busy, other_club, client_of):
    shown = client_of(None).get("/").content.decode()
    harbour, hilary = shown.split('id="club-st-hilary"')
    assert 'href="/harbour/"' in harbour
    assert "Nothing is planned yet." in harbour
    assert "Night now" in hilary


def test_a_night_without_a_result_is_no_result(club, busy, client_of):
    shown = client_of(None).get("/st-hilary/").content.decode()
    assert "Night now" not in shown.split("Last results")[1]


def test_only_the_last_three_results_are_shown(club, busy, actor, client_of):
    for day in (7, 8, 9):
        play_night(make_night(club, busy, slug=f"late{day}", day=day), actor, 4)
    results = client_of(None).get("/").content.decode().split("Last results")[1]
    assert [results.count(f"Night {slug}<") for slug in ("late9", "late8", "late7", "past")] == [1, 1, 1, 0]


def test_a_season_begins_on_the_clubs_own_day(db):
    east = Club.objects.create(name="East", slug="east", time_zone="Pacific/Kiritimati")
    west = Club.objects.create(name="West", slug="west", time_zone="Pacific/Pago_Pago")  # always a day behind
    today = timezone.localdate(timezone=east.zone)
    for club in (east, west):
        Season.objects.create(club=club, name="Old", starts=date(2020, 1, 1), ends=today)
        Season.objects.create(club=club, name="New", starts=today, ends=date(2099, 1, 1))
    assert [front["season"] and front["season"].season.name for front in fronts([east, west])] == ["New", "Old"]


def test_queries_do_not_grow_with_clubs_and_events(club, other_club, busy, actor, client_of):
    few = queries_of(client_of(None), "/")
    for n in range(3):
        Club.objects.create(name=f"Club {n}", slug=f"club-{n}")
        play_night(make_night(club, busy, slug=f"more{n}", day=10 + n), actor, 8)
    assert queries_of(client_of(None), "/") == few


def test_of_many_clubs_a_page_is_shown_and_the_others_are_found(busy, client_of):
    Club.objects.bulk_create(Club(name=f"Parish {n:03}", slug=f"parish-{n}") for n in range(CLUBS_SHOWN))
    few = queries_of(client_of(None), "/")
    Club.objects.bulk_create(Club(name=f"Village {n:03}", slug=f"village-{n}") for n in range(5 * CLUBS_SHOWN))
    assert queries_of(client_of(None), "/") == few
    first = client_of(None).get("/").content.decode()
    assert first.count('class="club-front"') == CLUBS_SHOWN
    assert "Page 1 of 7" in first
    found = client_of(None).get("/?q=hilary").content.decode()
    assert found.count('class="club-front"') == 1
    assert "On now:" in found
    assert "Page 1" not in found
    assert "Page 5 of 5" in client_of(None).get("/?q=village&page=99").content.decode()
    Club.objects.create(name="École Straße", slug="ecole")
    for search in ("ECOLE", "école", "strasse"):
        assert "École Straße" in client_of(None).get("/", {"q": search}).content.decode()
    none = client_of(None).get("/?q=<b>").content.decode()
    assert "“&lt;b&gt;”" in none
    assert "Find a club" in none


def test_an_announcement_is_on_the_front_page_until_its_day_is_over(club, director, client_of):
    browser, address = client_of(director), f"/{club.slug}/settings/"

    def announce(words, until):
        form = browser.get(address).context["form"]
        kept = {field.name: field.value() for field in form if str(field.value()) not in ("None", "False", "")}
        return browser.post(address, {**kept, "announcement": words, "announcement_until": until})

    def front():
        return client_of(None).get(f"/{club.slug}/").content.decode()

    today = timezone.localdate(timezone=club.zone)
    assert "announcement_until" in announce("<b>No cards</b> on Friday", "").context["form"].errors
    announce("<b>No cards</b> on Friday", str(today))
    assert "&lt;b&gt;No cards&lt;/b&gt; on Friday" in front()
    assert LogEntry.objects.filter(verb="club.change")[0].new["announcement_until"] == str(today)
    announce("No cards", str(today - timedelta(days=1)))
    assert "No cards" not in front()
    announce("No cards", str(today))
    assert "No cards" in front()
    announce("", "")
    assert "No cards" not in front()
