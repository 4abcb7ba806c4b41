"""Deals of a file against the rest of their game: the scores before them and their places."""

import json
from uuid import uuid4

import pytest

from scoring.cards.deals import Refused, correct_deal, mark_deal
from scoring.cards.queries import card_of, preview_deal
from scoring.deal_files.importer import BadFile
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion, Game
from tests.scoring.conftest import PINOCHLE_SIDES, correct
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
def canasta(game_of):
    return game_of("canasta")


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
        correct_deal(entered=EnteredDeal(RICH, sure=True), **sent)
    text, stood = out(club), [(d.number, d.running, d.wrong_now) for d in card_of(canasta).deals]
    assert [bool(wrong_now) for _number, _running, wrong_now in stood] == [False, True]
    empty(club)
    take(club, text, actor)
    assert out(club) == text
    assert [(d.number, d.running, d.wrong_now) for d in card_of(Game.objects.get()).deals] == stood


NEEDS_150 = "The first meld of this deal needs 150 points; the card says 60 melded in all."


def melded(points, number=None):
    """Ann & Bob melded so much, the others nothing."""
    ours = SideCard(clean=0, dirty=0, wild=0, melded=points, left=300)
    theirs = SideCard(clean=0, dirty=0, wild=0, melded=0, left=400)
    return HandAndFootDeal(sides=(ours, theirs), number=number)


def deal_file():
    """Four deals without a number, the fourth with 60 melded."""
    shape = {"sides": 2, "per_side": 2}
    deals = [
        {"facts": {"sides": [{"melded": points, "left": 300}, {"melded": 0, "left": 400}]}}
        for points in (60, 90, 120, 60)
    ]
    game = {"rules": "hand-and-foot", "shape": shape, "title": "Table 3", "sides": PINOCHLE_SIDES, "deals": deals}
    return json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]}, indent=1)


@pytest.fixture
def game(game_of):
    return game_of("hand-and-foot")


def test_the_import_of_a_deal_file_refuses_it(club, actor):
    with pytest.raises(BadFile) as refused:
        take(club, deal_file(), actor)
    (bad,) = refused.value.bad
    assert NEEDS_150 in bad.words
    assert bad.path == "games.0.deals.3.facts.melded"
    assert not Game.objects.exists()


@pytest.mark.parametrize("corrected", [False, True])
def test_the_import_of_a_clubs_games_refuses_it(club, actor, record, game, corrected):
    for number, points in enumerate((60, 90, 120), start=1):
        record(game, number, melded(points))
    fourth = record(game, 4, melded(60), ruling="Played so.")
    if corrected:  # scores aren't known after that, places are
        first = game.deals.get(number=1)
        correct(first, melded(65), by=actor, reason="Misread.")
    DealVersion.objects.filter(pk=fourth.pk).update(ruling="", overruled=[])
    text = out(club)
    empty(club)
    with pytest.raises(BadFile) as refused:
        take(club, text, actor)
    assert [NEEDS_150 in bad.words for bad in refused.value.bad] == [True]


def test_a_deal_that_a_newer_file_brings_has_its_place_after_those_that_are_here(club, actor, record, game):
    for number, points in enumerate((60, 90, 120), start=1):
        record(game, number, melded(points))
    data = json.loads(out(club))
    (here,) = data["games"]
    facts = {"sides": [{"melded": 60, "left": 300}, {"melded": 0, "left": 400}]}
    new = {"number": 4, "versions": [{"id": str(uuid4()), "facts": facts}]}
    with pytest.raises(BadFile) as refused:
        take(club, json.dumps({**data, "games": [{**here, "deals": [*here["deals"], new]}]}), actor)
    assert NEEDS_150 in refused.value.bad[0].words


def test_recording_and_correcting_refuse_it(actor, record, game):
    for number, points in enumerate((60, 90, 120), start=1):
        record(game, number, melded(points))
    assert [p.code for p in preview_deal(game, 4, facts=melded(60)).problems] == ["hand-and-foot.first-meld"]
    with pytest.raises(Refused):
        record(game, 4, melded(60))
    third = game.deals.get(number=3)
    with pytest.raises(Refused):
        correct(third, melded(90), by=actor, reason="Misread.", sure=False)


def test_after_a_void_deal_the_next_takes_its_place_and_comes_back_from_a_file(club, actor, record, game):
    """The second was recorded as the first of the game; the first counts again, which the card of the second marks."""
    record(game, 1, melded(55))
    first = game.deals.get(number=1)
    sent = {"deal": first, "by": actor, "submission": uuid4()}
    mark_deal(**sent, state="void", seen=1, reason="Misdealt.")
    record(game, 2, melded(60))
    assert [deal.wrong_now for deal in card_of(game).deals] == [(), ()]
    correct_deal(
        **sent | {"submission": uuid4()}, entered=EnteredDeal(melded(55), sure=True), seen=2, reason="It counts."
    )
    assert [bool(deal.wrong_now) for deal in card_of(game).deals] == [False, True]
    text = out(club)
    empty(club)
    take(club, text, actor)
    assert out(club) == text
