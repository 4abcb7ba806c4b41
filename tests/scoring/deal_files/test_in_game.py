"""A card in a file is held against its game, as at the table: a first meld by the score before the deal, a claim."""

import json
from uuid import uuid4

import pytest

from scoring.cards.deals import correct_deal, mark_deal, start_game
from scoring.cards.queries import card_of
from scoring.deal_files.importer import BadFile
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding
from scoring.families.deal_form import Entered
from scoring.models import DealVersion, Game
from tests.scoring.conftest import PINOCHLE_SIDES
from tests.scoring.deal_files.exchanging import empty, out, take

TOLD = "Ann & Bob: The first meld of this deal needs 90 points; the card says 60 melded in all."


def dealt(number, melded, left, clean=0):
    """Ann & Bob's figures; the others have nothing but a red three."""
    ours = SideCard(clean=clean, dirty=0, wild=0, melded=melded, left=left)
    theirs = SideCard(clean=0, dirty=0, wild=0, melded=0, left=200, red_threes=1)
    return HandAndFootDeal(sides=(ours, theirs), number=number)


RICH, MODEST = dealt(1, 700, 50, clean=2), dealt(1, 400, 50, clean=1)  # 1,650 and 850
SHORT = dealt(2, 60, 200)  # enough after 850, short after 1,650


@pytest.fixture
def canasta(rules_for):
    rules = rules_for("canasta")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


def without_rulings(club):
    """A file that somebody wrote by hand: nobody ruled on anything."""
    data = json.loads(out(club))
    for game in data["games"]:
        for deal in game["deals"]:
            for version in deal["versions"]:
                version.pop("ruling", None)
                version.pop("overruled", None)
    return json.dumps(data)


def test_a_first_meld_that_is_short_by_the_score_keeps_a_file_out(canasta, club, actor, record):
    record(canasta, 1, RICH)
    record(canasta, 2, SHORT, ruling="Played so.")
    text = without_rulings(club)
    empty(club)
    with pytest.raises(BadFile) as refused:
        take(club, text, actor)
    (bad,) = refused.value.bad
    assert TOLD in bad.words
    assert "facts.melded" in bad.path
    assert not Game.objects.exists()
    take(club, text, actor, ruling="Seen on the card.")
    (version,) = DealVersion.objects.filter(deal__number=2)
    assert (version.ruling, version.overruled) == ("Seen on the card.", ["hand-and-foot.first-meld"])


def test_a_claim_that_is_short_keeps_a_file_out(club, actor, record, rules_for):
    rules = rules_for("fletcher-two-hand")
    claim = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=TwoHandEnding.CLAIM, claimant=0)
    for start, bad in ((123, True), (124, False)):
        game = start_game(club=club, rules=rules, title=f"From {start}", sides=[["Ann"], ["Bob"]], start=(start, 0))
        record(game, 1, claim, ruling="Both agreed.")
        text = without_rulings(club)
        Game.objects.all().delete()
        if bad:
            with pytest.raises(BadFile) as refused:
                take(club, text, actor)
            assert "149" in refused.value.bad[0].words
        else:
            take(club, text, actor)
            assert Game.objects.get().ended_by == "claim"


def test_a_deal_that_a_newer_file_brings_is_held_against_those_that_are_here(canasta, club, actor, record):
    record(canasta, 1, RICH)
    data = json.loads(out(club))
    (game,) = data["games"]
    facts = game["deals"][0]["versions"][0]["facts"]
    short = {"melded": 60, "left": 200, "clean": 0}
    more = {**facts, "number": 2, "sides": [{**facts["sides"][0], **short}, facts["sides"][1]]}
    new = {"number": 2, "versions": [{"id": str(uuid4()), "facts": more}]}
    with pytest.raises(BadFile) as refused:
        take(club, json.dumps({**data, "games": [{**game, "deals": [*game["deals"], new]}]}), actor)
    assert TOLD in refused.value.bad[0].words


@pytest.mark.parametrize("void", [False, True])
def test_what_a_correction_brought_against_the_rules_comes_back_as_it_stands_and_is_marked(
    canasta, club, actor, record, void
):
    """It was right when it was recorded: nobody rules on it again because of a file."""
    first = record(canasta, 1, dealt(1, 0, 300) if void else MODEST)
    record(canasta, 2, dealt(2, 35, 200) if void else SHORT)
    sent = {"deal": first.deal, "by": actor, "submission": uuid4(), "seen": 1, "reason": "Misread."}
    if void:
        mark_deal(state="void", **sent)
    else:
        correct_deal(entered=Entered(RICH, sure=True), **sent)
    text, stood = out(club), [(d.number, d.running, d.wrong_now) for d in card_of(canasta).deals]
    assert [bool(wrong_now) for _number, _running, wrong_now in stood] == [False, True]
    empty(club)
    take(club, text, actor)
    assert out(club) == text
    assert [(d.number, d.running, d.wrong_now) for d in card_of(Game.objects.get()).deals] == stood
