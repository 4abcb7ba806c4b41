"""What the server does for cards that are kept on phones: the worker, the pass, answers for scripts."""

import re
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from scoring.models import DealVersion
from tests.pages import page_of
from tests.scoring.conftest import IMPOSSIBLE, UNLIKELY, a_deal, as_typed

LATER, NOW = {"X-Kept": "later"}, {"X-Kept": "now"}
# Who it is (3), the game with its sides (2), the savepoint (2), the game and its deals in turn (2); and the turn.
ALWAYS = 9 + connection.features.has_select_for_update
RECORDS = ALWAYS + 9  # the deal, its version, the points, all deals and sides, the game, its two sides, the log
AGAIN = ALWAYS + 2  # what was first, its points
LATE = ALWAYS + 3  # what this form recorded, what was first, the rollback


def test_the_worker_looks_after_the_whole_site_and_is_asked_for_anew(client):
    answer = client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)  # not every browser takes a module for it
    assert client.get("/sw.js", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_the_pass_says_who_is_logged_in_and_gives_a_token_that_is_taken(scorekeeper):
    browser = Client(enforce_csrf_checks=True)
    assert browser.get(reverse("kept_pass")).json()["owner"] == ""
    browser.force_login(scorekeeper)
    answer = browser.get(reverse("kept_pass"))
    assert answer.json()["owner"] == str(scorekeeper.pk)
    assert "no-store" in answer["Cache-Control"]
    sent = browser.post(reverse("logout"), {"csrfmiddlewaretoken": answer.json()["token"]})
    assert sent.status_code == 302


def test_a_kept_deal_is_told_in_words_and_the_same_again_records_nothing(client_of, scorekeeper, game):
    browser, typed = client_of(scorekeeper), as_typed(a_deal())
    for _again in range(2):
        answer = browser.post(game.get_absolute_url(), typed, headers=LATER)
        assert answer["X-Kept"] == "later"
        told = answer.json()
        assert (told["state"], told["to"]) == ("recorded", game.get_absolute_url())
        assert told["said"] == ["Deal 1 is recorded: Ann & Bob 25, Cal & Dee 16."]
    assert [version.submission for version in DealVersion.objects.all()] == [UUID(typed["submission"])]
    assert "is recorded" not in page_of(browser.get(game.get_absolute_url()))  # it has been said


def test_somebody_who_waits_is_told_on_the_next_page(client_of, scorekeeper, game):
    browser = client_of(scorekeeper)
    answer = browser.post(game.get_absolute_url(), as_typed(a_deal()), headers=NOW)
    assert answer.json()["said"] == []
    assert "Deal 1 is recorded" in page_of(browser.get(game.get_absolute_url()))


@pytest.mark.parametrize("waits", [LATER, NOW], ids=["later", "now"])
def test_what_is_refused_is_told_in_the_sentences_of_the_page(client_of, scorekeeper, game, waits):
    browser = client_of(scorekeeper)
    answer = browser.post(game.get_absolute_url(), as_typed(IMPOSSIBLE), headers=waits)
    assert (answer.status_code, answer["X-Kept"]) == (422, waits["X-Kept"])
    told = answer.json()
    assert told["state"] == "refused"
    assert told["why"][0].startswith("Not recorded: the rules or the pack of cards don't allow this card.")
    shown = page_of(browser.post(game.get_absolute_url(), as_typed(IMPOSSIBLE)))
    assert len(told["why"]) > 1
    assert all(escape(words) in shown for words in told["why"][1:])
    assert len(answer.content) < len(shown) / 20


def test_what_is_missing_is_named_to_the_script(client_of, scorekeeper, game):
    typed = {**as_typed(a_deal()), "meld_0": "many", "take_0": ""}
    answer = client_of(scorekeeper).post(game.get_absolute_url(), typed, headers=LATER)
    assert answer.status_code == 422
    assert answer.json()["why"] == [
        "Not recorded: something is missing or can't be read. It is marked below.",
        "Meld, Ann & Bob: Write a whole number in figures, such as 25.",
        "Take, Ann & Bob: Fill this in; write 0 for nothing.",
    ]


def test_what_is_unlikely_is_asked_of_whoever_waits(client_of, scorekeeper, game):
    answer = client_of(scorekeeper).post(game.get_absolute_url(), as_typed(UNLIKELY), headers=NOW)
    assert (answer.status_code, answer.json()["state"]) == (422, "refused")
    assert answer.json()["why"][0].startswith("Not recorded yet: this looks unlikely.")


def test_a_script_is_told_what_stands_and_whether_it_is_the_same(client_of, scorekeeper, game):
    browser = client_of(scorekeeper)
    browser.post(game.get_absolute_url(), as_typed(a_deal()))
    same = browser.post(game.get_absolute_url(), as_typed(a_deal()), headers=LATER)
    other = browser.post(game.get_absolute_url(), as_typed(a_deal(meld=(8, 6))), headers=LATER)
    assert (same.status_code, other.status_code) == (409, 409)
    assert same.json()["state"] == "same"
    assert "there is nothing more to do" in same.json()["why"][1]
    assert other.json()["state"] == "late"
    first, stands = other.json()["why"]
    assert first.startswith("Not recorded: Sam recorded deal 1 before you")
    assert stands == "It is recorded as: Ann & Bob 25, Cal & Dee 16. What you typed is still below."


def test_a_script_is_told_that_the_game_is_over(client_of, scorekeeper, finished):
    last = as_typed(a_deal(), number=finished.deals.count() + 1)
    answer = client_of(scorekeeper).post(finished.get_absolute_url(), last, headers=LATER)
    assert (answer.status_code, answer.json()["state"]) == (409, "late")
    assert answer.json()["why"][0].startswith("Not recorded: this game is over. Over: ")


def test_the_answer_to_a_script_that_is_late_reads_no_card(client_of, scorekeeper, game, django_assert_num_queries):
    browser = client_of(scorekeeper)
    browser.post(game.get_absolute_url(), as_typed(a_deal()))
    with django_assert_num_queries(LATE):
        browser.post(game.get_absolute_url(), as_typed(a_deal(meld=(8, 6))), headers=NOW)


def test_a_deal_costs_few_queries_and_costs_fewer_the_second_time(
    client_of, scorekeeper, game, django_assert_num_queries
):
    browser, typed = client_of(scorekeeper), as_typed(a_deal())
    with django_assert_num_queries(RECORDS):
        browser.post(game.get_absolute_url(), typed, headers=NOW)
    with django_assert_num_queries(AGAIN):
        browser.post(game.get_absolute_url(), typed, headers=NOW)


def test_logged_out_and_other_clubs_record_nothing(client_of, stranger, game):
    nobody = client_of(None).post(game.get_absolute_url(), as_typed(a_deal()), headers=LATER)
    assert nobody.json()["state"] == "log-in"
    assert nobody.json()["to"].startswith(reverse("login"))
    foreign = client_of(stranger).post(game.get_absolute_url(), as_typed(a_deal()), headers=LATER)
    assert (foreign.status_code, foreign["X-Kept"]) == (404, "later")
    assert not DealVersion.objects.exists()


def test_the_page_without_network_is_nobodys(client_of, director, club):
    shown = page_of(client_of(None).get(reverse("no_network")))
    assert "No network, or the server is away" in shown
    assert "csrf" not in shown.lower()
