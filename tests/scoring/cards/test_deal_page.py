"""The page of one deal: its versions, its correction, and what figures would do while they are typed."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.queries import card_of
from scoring.models import Deal, DealVersion, Game
from tests.scoring.conftest import IMPOSSIBLE, WINNING, a_deal, as_typed


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
    assert [(row["before"], row["after"]) for row in answer.context["live_check"]["totals"]] == [(25, 27), (16, 16)]
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
    assert "After this change the game goes on." in answer.content.decode()
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
    assert "The game then ends before deal 6, which no longer counts." in answer.content.decode()
    assert first.versions.count() == 1
    client.post(page_of(first), more | {"sure": "on"})
    back = as_typed(a_deal(), seen=2, reason="There was no run.")
    assert "Deal 6, which came after the end, now counts." in client.post(page_of(first), back).content.decode()


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
    assert "Check it again." in client.post(mark_of(deal), sent, follow=True).content.decode()
    assert deal.versions.get(current=True).state == DealVersion.State.ENTERED


def test_deals_after_an_end_that_a_correction_brought_say_so(client_of, scorekeeper, finished):
    second = finished.deals.get(number=2)
    typed = as_typed(a_deal(meld=(140, 6)), 2, seen=1, reason="The double run was left out.", sure="on")
    page = client_of(scorekeeper).post(page_of(second), typed, follow=True)
    card = page.context["card"]
    assert [deal.running for deal in card.deals] == [(25, 16), (180, 32), (), (), (), ()]
    assert [deal.state_words for deal in card.deals] == ["entered", "entered", *["after the end"] * 4]
    assert ">after the end</td>" in page.content.decode()


def check_typed(client_of, user, game, typed):
    return client_of(user).post(reverse("live_check", args=[game.club.slug, game.pk]), typed)


def test_points_and_totals_come_back_as_a_part(client_of, scorekeeper, game, record):
    record(game)
    answer = check_typed(client_of, scorekeeper, game, as_typed(a_deal(), number=2))
    page = answer.content.decode()
    assert "<html" not in page
    assert "total 25</span> → <strong>50</strong>" in page
    assert "Bid of 20 made with 25" in page
    assert "St. Hilary House Rules, Version 3" in page  # the source of the rule
    assert Deal.objects.count() == 1


def test_empty_fields_are_named_quietly(client_of, scorekeeper, game):
    page = check_typed(client_of, scorekeeper, game, {**as_typed(a_deal()), "meld_1": "", "bid": "x"}).content.decode()
    assert "Still empty:" in page
    assert "Meld, Cal &amp; Dee" in page
    assert "Bid: Write a whole number" in page
    assert "problem problem-" not in page


def test_problems_come_with_the_points(client_of, scorekeeper, game):
    page = check_typed(client_of, scorekeeper, game, as_typed(IMPOSSIBLE)).content.decode()
    assert "Impossible with a real pack" in page
    assert "comes to 26" in page


def test_what_stops_a_deal_comes_before_what_is_only_rare(client_of, scorekeeper, game):
    typed = as_typed(a_deal()) | {"bid": 2010, "take_0": 12, "take_1": 20}
    page = check_typed(client_of, scorekeeper, game, typed).content.decode()
    assert re.findall(r'first-problem problem-([a-z-]+)"', page) == ["impossible"]
    assert "A bid of 2,010 is rare" in page


def test_the_end_of_the_game_is_foretold(client_of, scorekeeper, game):
    page = check_typed(client_of, scorekeeper, game, as_typed(WINNING)).content.decode()
    assert "After this the game is over: Ann &amp; Bob won." in page


def test_a_claim_is_asked_who_made_it(client_of, scorekeeper, game_of):
    game = game_of("fletcher-two-hand")
    typed = {"submission": str(uuid4()), "number": 1, "bidder": 0, "bid": 20, "guess": "none", "ending": "claim"}
    for side in range(2):
        typed |= {f"meld_{side}": 4, f"take_{side}": 10, f"last_draw_{side}": "other"}
    page = check_typed(client_of, scorekeeper, game, typed).content.decode()
    assert "Still empty: Who claimed the game?" in " ".join(page.split())
    answer = client_of(scorekeeper).post(game.get_absolute_url(), typed)
    assert answer.status_code == 422
    assert "Press one of these." in answer.content.decode()
    assert not Deal.objects.exists()


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ({"trick_won": "on"}, {}),
        ({"take_0": 3}, {}),
        ({}, {"trick_won": ["two-hand.claim-without-count"]}),
        ({"trick_won": "on", "meld_0": 8}, {"claimant": ["two-hand.claim-short"]}),
        ({"trick_won": "on", "meld_0": 8, "take_0": 2}, {}),
        ({"ending": "challenge"}, {"take_0": ["required"]}),
        ({"ending": "challenge", "take_0": 12}, {}),
        ({"ending": "played"}, {"take_0": ["required"], "take_1": ["required"]}),
    ],
)
def test_a_claim_asks_only_what_the_rules_ask(client_of, scorekeeper, game_of, typed, codes):
    game = game_of("fletcher-two-hand", start=(140, 0))
    claim = {"submission": str(uuid4()), "number": 1, "bidder": 0, "bid": 20, "ending": "claim", "claimant": 0}
    claim |= {"meld_0": 10, "meld_1": 4}
    answer = client_of(scorekeeper).post(game.get_absolute_url(), claim | typed)
    form = answer.context["form"] if answer.context else None
    errors = {name: [e.code for e in found] for name, found in form.errors.as_data().items()} if form else {}
    assert errors == codes
    assert Deal.objects.exists() == (not codes)
    game.refresh_from_db()
    assert (game.ended_by == typed.get("ending", "claim")) == (not codes)


def test_a_claim_without_takes_stands_on_the_card_and_can_be_corrected(client_of, scorekeeper, club, game_of):
    game = game_of("fletcher-two-hand", start=(140, 70))
    claim = {"submission": str(uuid4()), "number": 1, "bidder": 0, "bid": 20, "ending": "claim", "claimant": 0}
    claim |= {"meld_0": 10, "meld_1": 4, "trick_won": "on"}
    browser = client_of(scorekeeper)
    browser.post(game.get_absolute_url(), claim)
    page = browser.get(game.get_absolute_url())
    (row,) = page.context["card"].deals
    assert [cells[3] for cells in row.cells] == [None, None]
    assert page.context["card"].totals == (150, 74)
    address = reverse("deal", args=[club.slug, row.pk])
    form = browser.get(address).context["form"]
    assert (form["take_0"].value(), form["trick_won"].value()) == (None, True)
    more = {"submission": str(uuid4()), "seen": 1, "reason": "The cards were counted.", "take_1": 1, "sure": "on"}
    assert browser.post(address, claim | more).status_code == 302
    assert card_of(Game.get_or_404(club, game.pk)).totals == (150, 75)
