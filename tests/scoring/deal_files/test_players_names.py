"""A problem names the player it is about, by every way in: the form, the card, a preview, a file, the import."""

import json
from uuid import uuid4

import pytest

from scoring.cards.queries import card_of, what_if
from scoring.cards.submit import reckoning_of, show_problems
from scoring.deal_files.formats import read
from scoring.deal_files.importer import BadFile
from scoring.deal_files.scored import Explained, score_game
from scoring.engine.pinochle.melds import Meld, MeldKind, PlayerMelds
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.families import PAGES
from scoring.families.deal_form import DealAt
from scoring.house_rules.in_words import rules_of_family
from tests.scoring.conftest import PINOCHLE_SIDES
from tests.scoring.deal_files.exchanging import take

TOLD = "Cal has a marriage without its suit."
NOBODY = PlayerMelds()
CARD = PartnershipDeal(
    bid_side=0, bid=15, take=(15, 10), counted=(NOBODY, NOBODY, PlayerMelds((Meld(MeldKind.MARRIAGE),)), NOBODY)
)


@pytest.fixture
def deal_file():
    melds = [{}, {}, {"melds": [{"kind": "marriage"}]}, {}]
    facts = {"bid_side": 0, "bid": 15, "take": [15, 10], "counted": melds}
    shape = {"sides": 2, "per_side": 2}
    game = {"rules": "st-hilary-v3", "shape": shape, "title": "T", "sides": PINOCHLE_SIDES, "deals": [{"facts": facts}]}
    return json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]})


def test_in_a_file_and_in_the_import(deal_file, club, actor):
    (game,) = read(deal_file)
    assert f"Cal & Dee: {TOLD}" in "\n".join(Explained(score_game(game), 1).text())
    with pytest.raises(BadFile) as refused:
        take(club, deal_file, actor)
    assert [f"Cal & Dee: {TOLD}" in bad.words for bad in refused.value.bad] == [True]


def test_on_the_card_and_under_other_rules(game, record):
    record(game, 1, CARD, ruling="Nobody remembers which.")
    card = card_of(game)
    assert any(TOLD in words for words in card.deals[0].overruled)
    other = next(rules for rules in rules_of_family(game.club, game.rules.family.slug) if "st-hilary" in rules.key)
    assert any(TOLD in words for deal in what_if(card, other)["deals"] for words in deal["refused"])


def test_in_the_form(game):
    typed = {"number": "1", "bid_side": "0", "bid": "15", "take_0": "15", "take_1": "10", "last_trick": "0"}
    typed |= {"trump": "hearts", "counted_2_aces": "3", "meld_0": "0", "submission": str(uuid4())}
    form = PAGES["partnership-pinochle"].form(typed, at=DealAt(game, ["Ann & Bob", "Cal & Dee"], 1))
    rows = reckoning_of(card_of(game), form)["problems"]
    assert all(row["words"].startswith("Cal & Dee: ") and "Cal" in row["words"].partition(": ")[2] for row in rows[:1])
    form.full_clean()
    show_problems(form, game.rules.family.check(form.facts(), game.engine_rules))
    said = " ".join(str(words) for errors in form.errors.values() for words in errors)
    assert "Cal can't have 3 of one meld" in said
    assert "Player" not in said
