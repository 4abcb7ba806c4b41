"""The hall board: turns its pages, asks little, works without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from clubsite.accounts.models import Actor, Club, User
from scoring.models import HouseRules
from tests.pages import page_of
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next
from tournaments.models import Event

URL = "/st-hilary/events/friday/board/"


@pytest.fixture
def event(club: Club, rules_for: Callable[[str], HouseRules]) -> Event:
    return make_night(club, rules_for("st-hilary-v3"))


@pytest.fixture
def hall(client_of: Callable[[User | None], Client]) -> Client:
    return client_of(None)


def polled(browser: Client, shown: str) -> tuple[int, str]:
    """What the board's own next question is answered with."""
    (asked,) = re.findall(r'hx-get="([^"]+)"', shown)
    response = browser.get(asked.replace("&amp;", "&"), headers={"HX-Request": "true"})
    return response.status_code, page_of(response)


def test_nothing_new_on_one_page_is_answered_with_nothing(event: Event, hall: Client, actor: Actor) -> None:
    shown = page_of(hall.get(URL))
    assert polled(hall, shown) == (204, "")
    arrive(event, actor, 4)
    publish_next(event, actor)
    status, part = polled(hall, shown)
    assert status == 200
    assert "Player 01" in part
    assert "<html" not in part


def test_the_pages_turn_through_all_tables_and_standings(event: Event, hall: Client, actor: Actor) -> None:
    arrive(event, actor, 60)
    for game in games_of(publish_next(event, actor)):
        play_deals(game, actor)
    shown = page_of(hall.get(URL))
    seen = [shown]
    for _turn in range(3):
        status, shown = polled(hall, shown)
        assert status == 200
        seen.append(shown)
    tables = [int(n) for part in seen[:2] for n in re.findall(r'class="board-table">\s*(\d+)\s*<', part)]
    assert tables == list(range(1, 16))
    names = [n for part in seen[2:4] for n in re.findall(r'<th scope="row">\s*([^<]+?)\s*<', part)]
    assert sorted(names) == [f"Player {n:02}" for n in range(1, 61)]
    status, again = polled(hall, shown)
    assert re.search(r'class="board-table">\s*1\s*<', again)


def test_a_board_shows_points_as_they_come_in(event: Event, hall: Client, actor: Actor) -> None:
    arrive(event, actor, 4)
    (game,) = games_of(publish_next(event, actor))
    before = page_of(hall.get(URL))
    play_deals(game, actor)
    game.refresh_from_db()
    status, part = polled(hall, before)
    assert "after 1 deal" in part
    assert status == 200


def test_it_is_dark_and_turns_without_javascript(event: Event, hall: Client) -> None:
    shown = page_of(hall.get(URL))
    assert 'data-bs-theme="dark"' in shown
    assert re.search(r'<noscript><meta http-equiv="refresh" content="\d+; url=\?page=1"></noscript>', shown)


@pytest.mark.parametrize("page", ["0", "-1", "99", "x", "9" * 30])
def test_any_page_number_shows_a_page(event: Event, hall: Client, page: str) -> None:
    assert hall.get(URL, {"page": page}).status_code == 200


def test_boards_do_not_all_ask_at_once(event: Event, hall: Client) -> None:
    waits = {re.findall(r"every (\d+)s", page_of(hall.get(URL)))[0] for _board in range(60)}
    assert len(waits) > 1
    assert {int(seconds) for seconds in waits} <= set(range(9, 14))
