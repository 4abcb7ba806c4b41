"""A season's page is kept for all visitors: it shows whatever was done since, and nothing of whoever looked first."""

from datetime import date, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubsite.accounts.models import Member
from clubsite.operations.maintenance import GONE
from tests.log_entries import log
from tests.pages import page_of
from tests.tournaments.nights import make_night, play_night
from tournaments.models import Season
from tournaments.standings import results


def season_in(club, name="Winter"):
    return Season.objects.create(club=club, name=name, starts=date(2054, 10, 1), ends=date(2055, 3, 31))


@pytest.fixture
def season(club):
    return season_in(club)


@pytest.fixture
def url(season):
    return f"/st-hilary/seasons/{season.pk}/"


@pytest.fixture
def night(club, season, actor, rules_for):
    made = make_night(club, rules_for("st-hilary-v3"), slug="n1", season=season, day=6)
    play_night(made, actor, 4)
    return made


def test_the_next_visitor_costs_one_query(night, client_of, url):
    first = page_of(client_of(None).get(url))
    with CaptureQueriesContext(connection) as asked:
        again = client_of(None).get(url)
    assert page_of(again) == first
    assert len(asked) == 1
    assert client_of(None).get(url, headers={"If-None-Match": again["ETag"]}).status_code == 304


def test_whatever_is_done_is_seen(night, actor, client_of, url):
    assert "Player 01" in page_of(client_of(None).get(url))
    results.take_back_result(event=night, by=actor)
    assert "Player 01" not in page_of(client_of(None).get(url))
    results.publish_result(event=night, by=actor)
    assert "Player 01" in page_of(client_of(None).get(url))


def test_what_a_director_opened_first_shows_nobody_anything_of_theirs(night, actor, director, client_of, url):
    nobody = page_of(client_of(None).get(url))
    log(club=night.club, by=actor, verb="club.change", subject="so that it is made anew")
    own = client_of(director).get(url)
    assert "Log out dora" in page_of(own)
    assert "How it adds up" in page_of(own)
    assert "ETag" not in own
    after = page_of(client_of(None).get(url))
    assert after == nobody
    for theirs in ("dora", "Log out", "/desk/", "csrf"):
        assert theirs not in after.replace("Log in", "")
    assert "Log out dora" in page_of(client_of(director).get(url))  # with the visitors' page kept


def test_each_club_has_its_own(night, other_club, client_of, url, season):
    theirs = season_in(other_club, "Summer league")
    here, there = page_of(client_of(None).get(url)), page_of(client_of(None).get(f"/harbour/seasons/{theirs.pk}/"))
    assert "Player 01" in here
    assert "Summer league" in there
    assert "Player 01" not in there
    for wrong in (f"/harbour/seasons/{season.pk}/", f"/st-hilary/seasons/{theirs.pk}/", f"/none/seasons/{theirs.pk}/"):
        assert client_of(None).get(wrong).status_code == 404


def test_the_page_in_the_address_asked_for_is_made_for_that_visitor(night, client_of, url):
    plain = page_of(client_of(None).get(url))
    who = Member.objects.get(name="Player 02").pk
    assert 'id="lit"' in page_of(client_of(None).get(f"{url}?who={who}"))
    assert page_of(client_of(None).get(url)) == plain
    assert 'id="lit"' not in plain


def test_names_that_are_hidden_are_hidden_in_the_kept_page(night, actor, client_of, url):
    assert "Player 01" in page_of(client_of(None).get(url))
    Member.objects.filter(name="Player 01").update(initials_only=True)
    log(club=night.club, by=actor, verb="member.change", subject="Player 01")
    for _look in range(2):
        assert "Player 01" not in page_of(client_of(None).get(url))


def test_a_message_or_a_notice_is_shown_in_place_of_the_kept_page(night, client_of, url):
    with_message = client_of(None)
    with_message.cookies["messages"] = "anything"
    assert "ETag" in client_of(None).get(url)
    assert "ETag" not in with_message.get(url)
    cache.set(GONE, {"then": timezone.now() - timedelta(hours=1), "done": True, "notes": {}})
    assert 'id="restored"' in page_of(client_of(None).get(url))
    cache.delete(GONE)
    assert 'id="restored"' not in page_of(client_of(None).get(url))
