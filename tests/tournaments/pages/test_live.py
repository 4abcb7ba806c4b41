"""Pages that refresh themselves: what a look costs, and that a kept page holds nothing of whoever looked first."""

import re
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubsite import live
from clubsite.accounts.audit_log import club_version
from clubsite.accounts.models import LogEntry
from tests.log_entries import log
from tests.pages import page_of
from tests.tournaments.nights import arrive, drafted, seated
from tournaments.rounds import publishing
from tournaments.rounds.clock import start_clock

HTMX = {"HX-Request": "true"}
PAGES = [
    "/st-hilary/events/friday/",
    "/st-hilary/events/friday/seats/",
    "/st-hilary/events/friday/board/?show=tables&show=names",
]


@pytest.fixture(autouse=True)
def at_once(settings):
    """Looking again sees at once what was done: the pause has tests of its own, with a clock of their own."""
    settings.LIVE_PAUSE = 0


@pytest.mark.parametrize("url", PAGES)
def test_nothing_new_costs_one_query_and_sends_nothing(event, actor, client_of, url):
    seated(event, actor, 8)
    phone = client_of(None)
    whole = phone.get(url)
    part = phone.get(url, headers=HTMX)
    tag = part["ETag"].removeprefix('W/"').removesuffix('"')
    assert f"v={tag}" in page_of(part)
    for headers, address, status in (
        ({"If-None-Match": whole["ETag"]}, url, 304),
        (HTMX | {"If-None-Match": part["ETag"]}, url, 304),
        (HTMX, f"{url}{'&' if '?' in url else '?'}v={tag}", 204),
    ):
        with CaptureQueriesContext(connection) as asked:
            answer = phone.get(address, headers=headers)
        assert (answer.status_code, answer.content) == (status, b"")
        assert len(asked) == 1
    with CaptureQueriesContext(connection) as asked:
        assert phone.get(url).content == whole.content  # somebody who hasn't got it
    assert len(asked) == 1


@pytest.mark.parametrize("url", PAGES)
def test_whatever_is_done_is_seen(event, actor, client_of, url):
    phone = client_of(None)
    before = phone.get(url)
    part = phone.get(url, headers=HTMX)
    arrive(event, actor, 8)
    draw = drafted(event, actor)
    assert "Player 01" not in page_of(phone.get(url)), "a draft is the director's"
    publishing.publish_draw(draw=draw, by=actor)
    assert "Player 01" in page_of(phone.get(url, headers={"If-None-Match": before["ETag"]}))
    assert "Player 01" in page_of(phone.get(url, headers=HTMX | {"If-None-Match": part["ETag"]}))
    publishing.take_back_draw(draw=draw, by=actor)
    assert "Player 01" not in page_of(phone.get(url))
    assert "Player 01" not in page_of(phone.get(url, headers=HTMX))


@pytest.mark.parametrize("url", PAGES)
def test_what_a_director_opened_first_shows_nobody_anything_of_theirs(event, actor, browser, client_of, url):
    seated(event, actor, 8)
    drafted(event, actor)
    nobody = page_of(client_of(None).get(url))
    event.club.save()
    log(club=event.club, by=actor, verb="club.change", subject="so that all is made anew")
    own = browser.get(url)
    assert "Log out dora" in page_of(own)
    assert "no-store" in own["Cache-Control"]
    assert "ETag" not in own
    assert "dora" not in page_of(browser.get(url, headers=HTMX)).casefold()
    after = page_of(client_of(None).get(url))
    assert after == nobody
    for theirs in ("dora", "Log out", "/desk/", "csrf"):
        assert theirs not in after.replace("Log in", "")


@pytest.mark.parametrize("url", PAGES)
def test_a_page_with_a_running_clock_is_the_same_page_whenever_it_is_made(event, actor, client_of, url):
    start_clock(round=seated(event, actor, 8).round, by=actor, minutes=30)
    phone, url = client_of(None), url.replace("show=names", "show=clock")
    first = phone.get(url, headers=HTMX)
    assert "data-bell" in page_of(first)
    live.forget_bodies()
    again = phone.get(url, headers=HTMX | {"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert re.search(r"data-clock-digits[^>]*></p>", page_of(first))


def test_a_message_for_one_is_shown_to_that_one_only(event, client_of):
    with_message = client_of(None)
    with_message.cookies["messages"] = "anything"
    assert "ETag" not in with_message.get(PAGES[0])
    assert "ETag" in client_of(None).get(PAGES[0])


@pytest.mark.parametrize("url", PAGES)
def test_pages_of_another_club_or_of_no_event_are_not_found(event, other_club, client_of, url):
    phone = client_of(None)
    for wrong in (url.replace("st-hilary", "harbour"), url.replace("st-hilary", "none"), url.replace("friday", "none")):
        assert {phone.get(wrong).status_code, phone.get(wrong, headers=HTMX).status_code} == {404}


def latest(club):
    """How the board told before whether something had been done: by the highest number in the log."""
    return LogEntry.objects.filter(club=club).values_list("pk", flat=True).first()


def entry(club, number):
    """An entry of the log with a number that it was given earlier, when its transaction wrote it."""
    LogEntry.objects.bulk_create([LogEntry(pk=number, club=club, actor="Dora", route="desk", verb="x", subject="x")])


def test_an_entry_with_a_lower_number_that_is_committed_later_changes_the_version(club):
    """As on PostgreSQL: two scorers record, the second commits first, somebody looks, the first commits."""
    entry(club, 1001)
    seen, highest = club_version(club.slug), latest(club)
    entry(club, 1000)
    assert latest(club) == highest  # which the highest number doesn't show
    assert club_version(club.slug) != seen


def test_what_is_taken_back_with_its_transaction_and_what_another_club_does_change_no_version(club, other_club, actor):
    seen = club_version(club.slug)
    with transaction.atomic():
        log(club=club, by=actor, verb="club.change", subject="x")
        assert club_version(club.slug) != seen
        transaction.set_rollback(True)
    log(club=other_club, by=actor, verb="club.change", subject="x")
    assert club_version(club.slug) == seen


def test_an_old_log_is_not_counted(club, actor):
    """What is counted stays short: two days of it."""
    entry(club, 1)
    LogEntry.objects.update(at=timezone.now() - timedelta(days=3))
    assert ".0." in club_version(club.slug)


@pytest.mark.parametrize("url", PAGES)
def test_who_looks_again_within_the_pause_costs_no_query_of_the_page(event, actor, browser, client_of, url, settings):
    settings.LIVE_PAUSE = 60
    seated(event, actor, 8)
    news = f"{url}{'&' if '?' in url else '?'}v="
    for somebody, most in ((client_of(None), 0), (browser, 12)):  # the second is known by their session
        first = somebody.get(url, headers=HTMX)  # one body for strangers, one for those who are logged in to the club
        tag = first["ETag"].removeprefix('W/"').removesuffix('"')
        with CaptureQueriesContext(connection) as asked:
            assert somebody.get(f"{news}{tag}", headers=HTMX).status_code == 204
            assert somebody.get(url, headers=HTMX | {"If-None-Match": first["ETag"]}).status_code == 304
            late = somebody.get(f"{news}0123", headers=HTMX)
        assert len(asked) <= most
        assert page_of(late) == page_of(first)
        assert "default-src 'self'" in late["Content-Security-Policy"]
        assert not late.cookies


def test_a_page_in_full_is_never_answered_with_what_was_right_a_moment_ago(event, actor, client_of, settings):
    settings.LIVE_PAUSE = 60
    phone = client_of(None)
    phone.get(PAGES[0], headers=HTMX)
    seated(event, actor, 8)
    assert "Player 01" in page_of(phone.get(PAGES[0]))
