"""One deal: its versions, corrections, and what the table says about it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.models import DealVersion
from tests.scoring.conftest import IMPOSSIBLE, a_deal, as_typed


@pytest.fixture
def deal(game, record):
    """Deal 1, as recorded: 25 and 16."""
    return record(game).deal


def page_of(deal):
    return reverse("deal", args=["st-hilary", deal.pk])


def mark_of(deal):
    return reverse("deal_mark", args=["st-hilary", deal.pk])


def test_the_form_shows_what_stands_on_the_card(client_of, scorekeeper, deal):
    answer = client_of(scorekeeper).get(page_of(deal))
    form = answer.context["form"]
    assert {name: form[name].value() for name in ("bid", "meld_0", "take_1", "seen")} == {
        "bid": 20,
        "meld_0": 10,
        "take_1": 10,
        "seen": 1,
    }
    assert "Dora, at the desk" in answer.content.decode()


def test_a_correction_is_a_second_version_and_changes_the_totals(client_of, scorekeeper, deal, game):
    typed = as_typed(a_deal(meld=(12, 6)), seen=1, reason="Meld was misread.")
    answer = client_of(scorekeeper).post(page_of(deal), typed, follow=True)
    assert "Deal 1 is corrected: Ann &amp; Bob 27" in answer.content.decode()
    assert [(v.number, v.current, v.reason) for v in deal.versions.all()] == [
        (1, False, ""),
        (2, True, "Meld was misread."),
    ]
    assert [side.total for side in game.sides.all()] == [27, 16]
    page = client_of(scorekeeper).get(page_of(deal)).content.decode()
    assert "Version 1" in page
    assert "Reason: Meld was misread." in page


def test_a_correction_needs_a_reason(client_of, scorekeeper, deal):
    answer = client_of(scorekeeper).post(page_of(deal), as_typed(a_deal(meld=(12, 6)), seen=1))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert '<a href="#id_reason">Reason for the correction</a>' in page  # on a phone it is far below
    assert 'id="id_reason"' in page
    assert "Say why the deal is corrected." in answer.content.decode()
    assert [(row["before"], row["after"]) for row in answer.context["reckoned"]["totals"]] == [(25, 27), (16, 16)]
    assert deal.versions.count() == 1


def test_a_correction_of_what_somebody_else_corrected(client_of, scorekeeper, deal):
    client = client_of(scorekeeper)
    client.post(page_of(deal), as_typed(a_deal(meld=(12, 6)), seen=1, reason="First."))
    answer = client.post(page_of(deal), as_typed(a_deal(meld=(14, 6)), seen=1, reason="Second."))
    assert answer.status_code == 409
    assert "Ann &amp; Bob 27" in answer.content.decode()
    assert answer.context["form"]["meld_0"].value() == "14"
    assert deal.versions.count() == 2


def test_an_impossible_correction_needs_a_ruling(client_of, scorekeeper, director, deal):
    typed = as_typed(IMPOSSIBLE, seen=1, reason="Counted again.", ruling="Final.")
    assert client_of(scorekeeper).post(page_of(deal), typed).status_code == 422
    assert client_of(director).post(page_of(deal), typed).status_code == 302
    assert deal.versions.get(current=True).ruling == "Final."


def test_a_correction_that_changes_the_winner_is_shown_first(client_of, scorekeeper, finished):
    last = finished.deals.get(number=6)
    less = a_deal(bid=15, meld=(0, 6), take=(15, 10))
    typed = as_typed(less, number=6, seen=1, reason="No meld.")
    answer = client_of(scorekeeper).post(page_of(last), typed)
    assert answer.status_code == 422
    assert "With this the game is not over yet: it goes on." in answer.content.decode()
    assert "Not recorded yet: look below at what this would change" in answer.content.decode()
    assert last.versions.count() == 1
    client_of(scorekeeper).post(page_of(last), typed | {"sure": "on"})
    assert last.versions.count() == 2


def test_a_correction_that_ends_the_game_sooner_says_which_deals_count_no_longer(client_of, scorekeeper, finished):
    """Ann & Bob got more points for the deal and fewer for the game, and nothing said why."""
    client, first = client_of(scorekeeper), finished.deals.get(number=1)
    more = as_typed(a_deal(meld=(35, 6)), seen=1, reason="A run was left out.")
    answer = client.post(page_of(first), more)
    assert answer.status_code == 422
    assert "With this the game ends before deal 6, which no longer counts." in answer.content.decode()
    assert first.versions.count() == 1
    client.post(page_of(first), more | {"sure": "on"})
    back = as_typed(a_deal(), seen=2, reason="There was no run.")
    assert "With this deal 6 counts, which came after the end." in client.post(page_of(first), back).content.decode()


def test_a_stale_correction_is_told_before_it_is_asked_what_it_changes(client_of, scorekeeper, finished):
    client, last = client_of(scorekeeper), finished.deals.get(number=6)
    less = a_deal(bid=15, meld=(0, 6), take=(15, 10))
    client.post(page_of(last), as_typed(less, number=6, seen=1, reason="No meld.", sure="on"))
    typed = as_typed(a_deal(), number=6, seen=1, reason="It was right.")
    answer = client.post(page_of(last), typed)
    assert answer.status_code == 409
    assert "Not recorded yet: look below at what this would change" not in answer.content.decode()
    assert last.versions.count() == 2


def test_check_shows_the_effect_and_records_nothing(client_of, scorekeeper, deal):
    typed = as_typed(a_deal(meld=(12, 6)), seen=1, reason="Misread.", check="1")
    answer = client_of(scorekeeper).post(page_of(deal), typed)
    assert "total 25</span> → <strong>27</strong>" in answer.content.decode()
    assert deal.versions.count() == 1


@pytest.mark.parametrize("state", ["agreed", "disputed"])
def test_a_scorekeeper_writes_down_what_the_table_says(client_of, scorekeeper, deal, state):
    sent = {"state": state, "seen": 1, "submission": str(uuid4())}
    for _ in range(2):  # a double tap
        client_of(scorekeeper).post(mark_of(deal), sent)
    assert [v.state for v in deal.versions.all()] == ["entered", state]


def test_void_is_for_directors_and_needs_a_reason(client_of, scorekeeper, director, deal, game):
    sent = {"state": "void", "seen": 1, "submission": str(uuid4()), "reason": "Misdealt."}
    assert client_of(scorekeeper).post(mark_of(deal), sent).status_code == 404
    without = client_of(director).post(mark_of(deal), sent | {"reason": ""}, follow=True)
    assert "Say why the deal is void." in without.content.decode()
    assert deal.versions.count() == 1
    answer = client_of(director).post(mark_of(deal), sent, follow=True)
    assert "void" in answer.content.decode()
    assert [side.total for side in game.sides.all()] == [0, 0]
    assert answer.context["card"].deals[0].counts is False
    assert answer.context["card"].next_number == 2


def test_a_mark_on_a_version_that_is_gone(client_of, scorekeeper, deal):
    client = client_of(scorekeeper)
    client.post(page_of(deal), as_typed(a_deal(meld=(12, 6)), seen=1, reason="Misread."))
    sent = {"state": "agreed", "seen": 1, "submission": str(uuid4())}
    assert "Look at it again." in client.post(mark_of(deal), sent, follow=True).content.decode()
    assert deal.versions.get(current=True).state == DealVersion.State.ENTERED


def test_deals_after_an_end_that_a_correction_brought_say_so(client_of, scorekeeper, finished):
    second = finished.deals.get(number=2)
    typed = as_typed(a_deal(meld=(140, 6)), 2, seen=1, reason="The double run was left out.", sure="on")
    page = client_of(scorekeeper).post(page_of(second), typed, follow=True)
    card = page.context["card"]
    assert [deal.running for deal in card.deals] == [(25, 16), (180, 32), (), (), (), ()]
    assert [deal.state_words for deal in card.deals] == ["entered", "entered", *["after the end"] * 4]
    assert ">after the end</td>" in page.content.decode()
