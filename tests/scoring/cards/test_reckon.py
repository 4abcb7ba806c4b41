"""Points and problems while typing."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import start_game
from scoring.cards.queries import card_of
from scoring.models import Deal, Game
from tests.scoring.conftest import IMPOSSIBLE, WINNING, a_deal, as_typed


def reckon(client_of, user, game, typed):
    return client_of(user).post(reverse("reckon", args=[game.club.slug, game.pk]), typed)


def test_points_and_totals_come_back_as_a_part(client_of, scorekeeper, game, record):
    record(game)
    answer = reckon(client_of, scorekeeper, game, as_typed(a_deal(), number=2))
    page = answer.content.decode()
    assert "<html" not in page
    assert "total 25</span> → <strong>50</strong>" in page
    assert "Bid of 20 made with 25" in page
    assert "St. Hilary House Rules, Version 3" in page  # the source of the rule
    assert Deal.objects.count() == 1


def test_empty_fields_are_named_quietly(client_of, scorekeeper, game):
    page = reckon(client_of, scorekeeper, game, {**as_typed(a_deal()), "meld_1": "", "bid": "x"}).content.decode()
    assert "Still empty:" in page
    assert "Meld, Cal &amp; Dee" in page
    assert "Bid: Write a whole number" in page
    assert "problem problem-" not in page


def test_problems_come_with_the_points(client_of, scorekeeper, game):
    page = reckon(client_of, scorekeeper, game, as_typed(IMPOSSIBLE)).content.decode()
    assert "Impossible with a real pack" in page
    assert "comes to 26" in page


def test_what_stops_a_deal_comes_before_what_is_only_rare(client_of, scorekeeper, game):
    typed = as_typed(a_deal()) | {"bid": 2010, "take_0": 12, "take_1": 20}
    page = reckon(client_of, scorekeeper, game, typed).content.decode()
    assert re.findall(r'first-problem problem-([a-z-]+)"', page) == ["impossible"]
    assert "A bid of 2,010 is rare" in page


def test_the_end_of_the_game_is_foretold(client_of, scorekeeper, game):
    page = reckon(client_of, scorekeeper, game, as_typed(WINNING)).content.decode()
    assert "With this the game is over, with Ann &amp; Bob as the winner." in page


def test_a_claim_is_asked_who_made_it(client_of, scorekeeper, club, rules_for):
    game = start_game(club=club, rules=rules_for("fletcher-two-hand"), title="x", sides=[["Ann"], ["Bob"]])
    typed = {"submission": str(uuid4()), "number": 1, "bidder": 0, "bid": 20, "guess": "none", "ending": "claim"}
    for side in range(2):
        typed |= {f"meld_{side}": 4, f"take_{side}": 10, f"last_draw_{side}": "other"}
    page = reckon(client_of, scorekeeper, game, typed).content.decode()
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
def test_a_claim_asks_only_what_the_rules_ask(client_of, scorekeeper, club, rules_for, typed, codes):
    game = start_game(
        club=club, rules=rules_for("fletcher-two-hand"), title="x", sides=[["Ann"], ["Bob"]], start=(140, 0)
    )
    claim = {"submission": str(uuid4()), "number": 1, "bidder": 0, "bid": 20, "ending": "claim", "claimant": 0}
    claim |= {"meld_0": 10, "meld_1": 4}
    answer = client_of(scorekeeper).post(game.get_absolute_url(), claim | typed)
    form = answer.context["form"] if answer.context else None
    errors = {name: [e.code for e in found] for name, found in form.errors.as_data().items()} if form else {}
    assert errors == codes
    assert Deal.objects.exists() == (not codes)
    game.refresh_from_db()
    assert (game.ended_by == typed.get("ending", "claim")) == (not codes)


def test_a_claim_without_takes_stands_on_the_card_and_can_be_corrected(client_of, scorekeeper, club, rules_for):
    game = start_game(
        club=club, rules=rules_for("fletcher-two-hand"), title="x", sides=[["Ann"], ["Bob"]], start=(140, 70)
    )
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
