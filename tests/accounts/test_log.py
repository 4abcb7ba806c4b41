"""The log: append-only, the newest first, a hundred to a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club, LogEntry, User
from tests.tournaments.nights import queries_of

ClientOf = Callable[[User | None], Client]


def test_an_entry_cannot_be_changed_or_deleted(club: Club, actor: Actor) -> None:
    entry = log(club=club, by=actor, verb="test.do", subject="x")
    entry.actor = "somebody else"
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    assert LogEntry.objects.get().actor == "Dora"


def test_pages_of_a_hundred_lead_to_the_oldest(club: Club, actor: Actor, director: User, client_of: ClientOf) -> None:
    for n in range(101):
        log(club=club, by=actor, verb="test.do", subject=f"thing {n:03}")
    browser = client_of(director)
    page = browser.get("/st-hilary/log/").content.decode()
    assert page.index("thing 100") < page.index("thing 001")
    assert "thing 000" not in page
    oldest_shown = LogEntry.objects.get(subject="thing 001").pk
    assert f'href="?before={oldest_shown}"' in page
    older = browser.get("/st-hilary/log/", {"before": oldest_shown}).content.decode()
    assert "thing 000" in older
    assert "?before=" not in older


def test_old_and_new_values_are_shown(club: Club, actor: Actor, director: User, client_of: ClientOf) -> None:
    log(club=club, by=actor, verb="test.do", subject="x", old={"bid": 24}, new={"bid": 25})
    page = client_of(director).get("/st-hilary/log/").content.decode()
    assert "24" in page.split("Before:")[1].split("After:")[0]
    assert "25" in page.split("After:")[1]


def test_another_clubs_entries_are_not_shown(
    club: Club, other_club: Club, actor: Actor, director: User, client_of: ClientOf
) -> None:
    log(club=other_club, by=actor, verb="test.do", subject="theirs")
    assert "theirs" not in client_of(director).get("/st-hilary/log/").content.decode()


def test_queries_do_not_grow_with_entries(club: Club, actor: Actor, director: User, client_of: ClientOf) -> None:
    browser = client_of(director)
    log(club=club, by=actor, verb="test.do", subject="x")
    few = queries_of(browser, "/st-hilary/log/")
    for _n in range(20):
        log(club=club, by=actor, verb="test.do", subject="x")
    assert queries_of(browser, "/st-hilary/log/") == few


def test_no_number_breaks_the_page_of_the_log(client_of: ClientOf, director: User) -> None:
    for before in ("9" * 5000, "9" * 30, "²", "-1", ""):
        assert client_of(director).get("/st-hilary/log/", {"before": before}).status_code == 200
