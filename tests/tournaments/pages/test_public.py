"""The pages that anyone may read, and what they don't show."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from clubsite.accounts.models import Club
from tests.conftest import make_user
from tests.log_entries import log
from tests.pages import page_of
from tests.tournaments import contests
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_night,
    play_deals,
    play_night,
    queries_of,
    seated,
)
from tournaments.draws.drafts import engine_round
from tournaments.models import Cut, CutLine, Draw, Event, Season
from tournaments.pages.public import CLUBS_SHOWN, front_pages
from tournaments.rounds import publishing
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of


@pytest.fixture
def anyone(client_of):
    return client_of(None)


def page(browser, path):
    response = browser.get(f"/st-hilary/{path}")
    assert response.status_code == 200
    return page_of(response)


def test_live_standings_say_that_they_are_provisional(event, actor, anyone):
    draw = seated(event, actor, 8)
    assert "Provisional, before the first deal" in page(anyone, "events/friday/")
    play_deals(games_of(draw)[0], actor, 2)
    shown = page(anyone, "events/friday/")
    assert "Provisional, as of" in shown
    assert "after 2 deals" in shown
    assert "own average of the day" in shown.replace("&#x27;", "'")


def test_a_competition_counts_groups_as_its_draw_does(club, actor, anyone):
    event, _draw = contests.drawn_contest(club, actor, names=contests.NAMES[:9])
    shown = page(anyone, f"events/{event.slug}/")
    assert "0 of 3 groups finished" in shown
    assert "tables finished" not in shown


def test_a_result_says_when_it_was_published_stays_so_and_is_provisional_once_taken_back(event, actor, anyone):
    play_night(event, actor, 8)
    assert "Result of" in page(anyone, "events/friday/")
    published = result_of(event)
    name = published.rows[0]["name"]
    event.entries.filter(name=name).update(name="Renamed Afterwards")
    assert name in page(anyone, "events/friday/").split("Round 1")[0]
    standings_results.take_back_result(event=event, by=actor)
    shown = page(anyone, "events/friday/")
    assert "Provisional" in shown
    assert "Result of" not in shown


def test_seats_are_alphabetical_with_partner_and_opponents(event, actor, anyone):
    draw = seated(event, actor, 9)
    shown = page(anyone, "events/friday/seats/")
    rows = [" ".join(strip_tags(row).split()) for row in shown.split("<li>") if "<strong><" in row]
    assert [row[:9] for row in rows] == [f"Player {n:02}" for n in range(1, 10)]
    assert "sits out" in shown
    (side, others) = engine_round(draw).tables[0]
    names = dict(event.entries.values_list("pk", "name"))
    mine = next(row for row in rows if row.startswith(names[side[0]]))
    assert "Table 1" in mine
    assert f"with {names[side[1]]} · against {names[others[0]]}, {names[others[1]]}" in mine


def test_standings_can_be_sorted_by_any_column_and_points_below_zero_have_a_minus_sign(event, actor, anyone):
    play_night(event, actor, 8)
    for column in ("place", "name", "points", "games_won", "sets", "games_played", "sit_outs"):
        page(anyone, f"events/friday/?sort={column}")
    shown = page(anyone, "events/friday/?sort=-name").partition("<table")[2].partition("</table>")[0]
    assert shown.index("Player 08") < shown.index("Player 01")
    published = result_of(event)
    published.rows[-1]["points"] = -15
    published.save()
    assert '<span class="minus">\N{MINUS SIGN}15</span>' in page(anyone, "events/friday/")


def test_the_list_of_events_sorts_and_pages(event, club, anyone):
    for n in range(30):
        make_night(club, event.rules, slug=f"e{n:02}", day=1 + n % 28)
    first = page(anyone, "events/?sort=name")
    assert "Night e00" in first
    assert "Night e29" not in first
    assert "Night e29" in page(anyone, "events/?sort=name&page=2")
    assert "19:30" in first  # in the club's zone


def test_the_public_sees_no_desk_and_a_scorekeeper_does(event, anyone, scorekeeper, director, stranger, client_of):
    for browser, desk, people in (
        (anyone, False, False),
        (client_of(stranger), False, False),
        (client_of(scorekeeper), True, False),
        (client_of(director), True, True),
    ):
        shown = page(browser, "events/")
        assert ('href="/st-hilary/desk/"' in shown) is desk
        assert ('href="/st-hilary/people/"' in shown) is people


def test_three_draws_of_one_round_show_the_published_one(event, actor, anyone):
    arrive(event, actor, 8)
    for seed in (1, 2, 3):
        drafted(event, actor, seed=seed)
    publishing.publish_draw(draw=Draw.objects.get(number=2), by=actor)
    assert "version 2, published at" in page(anyone, "events/friday/seats/")


def test_a_cut_is_shown_with_its_reasons_once_published(event, actor, anyone):
    seated(event, actor, 4)
    cut = Cut.objects.create(stage=event.stages.get(), number=1)
    first, second = event.entries.order_by("number")[:2]
    CutLine.objects.create(
        cut=cut, entry=first, order=1, place=1, advances=True, reason="cut.table-top", args={"place": 1, "table": 1}
    )
    CutLine.objects.create(cut=cut, entry=second, order=2, place=2, advances=False, reason="cut.withdrawn")
    assert "Place 1 at table 1" not in page(anyone, "events/friday/")
    Cut.objects.filter(pk=cut.pk).update(state=Cut.State.PUBLISHED)
    log(club=event.club, by=actor, verb="cut.publish", subject=cut)
    shown = page(anyone, "events/friday/")
    assert "Place 1 at table 1" in shown
    assert "Has withdrawn" in shown
    assert shown.count('class="cut"') == 1


# The front pages: of one club, and of all of them


@pytest.fixture
def busy(club, actor, rules_for):
    rules = rules_for("st-hilary-v3")
    season = Season.objects.create(club=club, name="Winter", starts=date(2020, 1, 1), ends=date(2099, 1, 1))
    play_night(make_night(club, rules, slug="past", season=season), actor, 4)
    now = make_night(club, rules, slug="now")
    seated(now, actor, 4)
    Event.objects.filter(pk=now.pk).update(starts_at=timezone.now())
    Event.objects.filter(pk=make_night(club, rules, slug="next").pk).update(
        starts_at=timezone.now() + timedelta(days=3)
    )
    return rules


def test_an_empty_install_leads_to_its_start_and_one_without_a_club_says_so(db, client):
    assert client.get("/")["Location"] == "/start/"
    make_user("dora")
    assert "No club is set up here yet." in client.get("/").content.decode()


def test_one_club_is_the_front_page(busy, client):
    shown = client.get("/").content.decode()
    assert "<h1>St. Hilary</h1>" in shown
    assert shown.index("On now:") < shown.index("What is next") < shown.index("Last results") < shown.index("Winter")
    assert "Night next" in shown.split("Last results")[0]
    assert ["Night past" in shown.split("Last results")[1], "Night now" in shown.split("Last results")[1]] == [
        True,
        False,
    ]
    assert "After 1 night" in shown
    assert shown.count("On now:") == 1


def test_a_night_whose_seats_are_published_days_before_is_still_to_come(busy, client):
    Event.objects.filter(slug="now").update(starts_at=timezone.now() + timedelta(days=7))
    shown = client.get("/").content.decode().partition("<main")[2]
    assert "On now:" not in shown
    assert shown.index("What is next") < shown.index("Night next") < shown.index("Night now")


def test_several_clubs_each_have_their_part(busy, other_club, client):
    shown = client.get("/").content.decode()
    harbour, hilary = shown.split('id="club-st-hilary"')
    assert 'href="/harbour/"' in harbour
    assert "Nothing is planned yet." in harbour
    assert "Night now" in hilary


def test_only_the_last_three_results_are_shown(club, busy, actor, client):
    for day in (7, 8, 9):
        play_night(make_night(club, busy, slug=f"late{day}", day=day), actor, 4)
    results = client.get("/").content.decode().split("Last results")[1]
    assert [results.count(f"Night {slug}<") for slug in ("late9", "late8", "late7", "past")] == [1, 1, 1, 0]


def test_a_season_begins_on_the_clubs_own_day(db):
    east = Club.objects.create(name="East", slug="east", time_zone="Pacific/Kiritimati")
    west = Club.objects.create(name="West", slug="west", time_zone="Pacific/Pago_Pago")  # always a day behind
    today = timezone.localdate(timezone=east.zone)
    for club in (east, west):
        Season.objects.create(club=club, name="Old", starts=date(2020, 1, 1), ends=today)
        Season.objects.create(club=club, name="New", starts=today, ends=date(2099, 1, 1))
    assert [front["season"] and front["season"].season.name for front in front_pages([east, west])] == ["New", "Old"]


def test_queries_of_the_front_page_do_not_grow_with_clubs_and_events(club, other_club, busy, actor, client):
    few = queries_of(client, "/")
    for n in range(3):
        Club.objects.create(name=f"Club {n}", slug=f"club-{n}")
        play_night(make_night(club, busy, slug=f"more{n}", day=10 + n), actor, 8)
    assert queries_of(client, "/") == few


def test_of_many_clubs_a_page_is_shown_and_the_others_are_found(busy, client):
    Club.objects.bulk_create(Club(name=f"Parish {n:03}", slug=f"parish-{n}") for n in range(CLUBS_SHOWN))
    few = queries_of(client, "/")
    Club.objects.bulk_create(Club(name=f"Village {n:03}", slug=f"village-{n}") for n in range(5 * CLUBS_SHOWN))
    assert queries_of(client, "/") == few
    first = client.get("/").content.decode()
    assert first.count('class="club-front"') == CLUBS_SHOWN
    assert "Page 1 of 7" in first
    found = client.get("/?q=hilary").content.decode()
    assert found.count('class="club-front"') == 1
    assert "On now:" in found
    assert "Page 1" not in found
    assert "Page 5 of 5" in client.get("/?q=village&page=99").content.decode()
    Club.objects.create(name="École Straße", slug="ecole")
    for search in ("ECOLE", "école", "strasse"):
        assert "École Straße" in client.get("/", {"q": search}).content.decode()
    none = client.get("/?q=<b>").content.decode()
    assert "“&lt;b&gt;”" in none
    assert "Find a club" in none


def test_an_announcement_is_on_the_front_page_until_its_day_is_over(club, browser, client):
    address = f"/{club.slug}/settings/"

    def announce(words, until):
        form = browser.get(address).context["form"]
        kept = {field.name: field.value() for field in form if str(field.value()) not in ("None", "False", "")}
        return browser.post(address, {**kept, "announcement": words, "announcement_until": until})

    today = timezone.localdate(timezone=club.zone)
    assert "announcement_until" in announce("<b>No cards</b> on Friday", "").context["form"].errors
    for words, until, shown in (
        ("<b>No cards</b> on Friday", today, "&lt;b&gt;No cards&lt;/b&gt; on Friday"),
        ("No cards", today - timedelta(days=1), ""),
        ("No cards", today, "No cards"),
        ("", "", ""),
    ):
        announce(words, str(until))
        front = client.get(f"/{club.slug}/").content.decode()
        assert (shown in front, "No cards" in front) == (True, bool(shown))
