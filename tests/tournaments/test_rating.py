"""The club rating: off at first, from closed nights alone, and nothing for a season's own table."""

import pytest

from clubsite.accounts.models import Club, Member
from scoring.models import Side
from tests.pages import page_of
from tests.tournaments import nights
from tests.tournaments.results import make_season
from tournaments.models import Entry, Event, Seat
from tournaments.rating import club_rating, rated_games
from tournaments.seasons.table import season_tables

PAGE = "/st-hilary/rating/"


@pytest.fixture
def season(club, actor, rules_for):
    """Three closed nights of eight."""
    season = make_season(club)
    for day in (6, 13, 20):
        night = nights.make_night(club, rules_for("st-hilary-v3"), slug=f"night-{day}", season=season, day=day)
        nights.play_night(night, actor, 8)
    Club.objects.update(rating=True)
    return season


def ranks(club):
    return [rank for games in rated_games(club).values() for game in games for _people, rank in game]


def test_it_is_off_until_the_club_wants_it(season, club, client, browser):
    table, lines = season_tables([season]), page_of(client.get(f"/st-hilary/seasons/{season.pk}/"))
    assert PAGE in lines
    assert PAGE in page_of(client.get("/st-hilary/events/"))
    Club.objects.update(rating=False)
    assert PAGE not in page_of(client.get("/st-hilary/events/"))
    assert client.get(PAGE).status_code == 404
    assert browser.get(PAGE).status_code == 404
    off = page_of(client.get(f"/st-hilary/seasons/{season.pk}/"))
    assert PAGE not in off
    assert [one.lines for one in season_tables([season])] == [one.lines for one in table]
    assert not Club._meta.get_field("rating").default


def test_everybody_who_came_often_enough_has_a_place_by_games_won(season, club, client):
    events, lines = club_rating(club)
    assert [event.slug for event in events] == ["night-6", "night-13", "night-20"]
    worth = sorted((one.worth for _member, one in lines), reverse=True)
    assert [one.place for _member, one in lines] == [1 + worth.index(one.worth) for _member, one in lines]
    assert len(lines) == 8
    games = [game for played in rated_games(club).values() for game in played]
    assert len(games) == 6
    for game in games:
        assert sorted(rank for _people, rank in game) == [1, 2]
        assert [len(people) for people, _rank in game] == [2, 2]
    assert "Player 08" in page_of(client.get(PAGE))


def test_only_closed_nights_count(season, club):
    Event.objects.filter(slug="night-20").update(state=Event.State.RUNNING)
    events, lines = club_rating(club)
    assert len(events) == 2
    assert {one.place for _member, one in lines} == {None}


def test_the_lowest_total_wins_where_the_rules_say_so(season, club, monkeypatch):
    Side.objects.update(half_wins=0)
    before = ranks(club)
    monkeypatch.setattr("scoring.models.HouseRules.lowest_wins", True)
    assert ranks(club) == [3 - rank for rank in before]


def test_guests_and_who_plays_for_another_are_not_rated_nor_what_was_annulled(season, club):
    entries = list(Entry.objects.filter(event__slug="night-6").order_by("number"))
    Seat.objects.filter(entry=entries[0]).update(player="Somebody")
    Entry.objects.filter(pk=entries[1].pk).update(member=None)
    Entry.objects.filter(pk=entries[2].pk).update(guest_in_season=True)
    first = next(iter(rated_games(club).values()))
    met = [one for game in first for people, _rank in game for one in people]
    assert met.count(None) == 3
    assert not {entry.member_id for entry in entries[:3]} & set(met)
    Entry.objects.filter(event__slug="night-6").update(removed=Entry.Removed.ANNULLED)
    assert len(rated_games(club)) == 2


def test_who_wants_initials_has_them_and_who_left_has_no_line(season, club, client, browser):
    Member.objects.filter(name="Player 03").update(initials_only=True)
    Member.objects.filter(name="Player 04").update(active=False)
    page = page_of(client.get(PAGE))
    assert "Player 03" not in page
    assert "P. 0." in page
    assert "Player 04" not in page
    assert len(club_rating(club)[1]) == 7
    assert "Player 05" in page_of(browser.get(PAGE))


@pytest.mark.proof
def test_more_nights_cost_no_more_queries(season, club, client, actor, rules_for):
    once = nights.queries_of(client, PAGE)
    nights.play_night(nights.make_night(club, rules_for("st-hilary-v3"), slug="more", day=27), actor, 8)
    assert nights.queries_of(client, PAGE) == once
