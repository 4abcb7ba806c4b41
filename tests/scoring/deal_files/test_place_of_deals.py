"""A deal without its number is held to its place in the game by every way in: command, import, verb."""

import json
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command

from scoring.cards.deals import Refused, correct_deal, mark_deal, start_game
from scoring.cards.queries import card_of, effect_of
from scoring.deal_files.importer import BadFile
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.families.deal_form import Entered
from scoring.models import DealVersion, Game
from tests.scoring.conftest import PINOCHLE_SIDES, correct
from tests.scoring.deal_files.exchanging import empty, out, take

TOLD = "The first meld of this deal needs 150 points; the card says 60 melded in all."


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
def game(rules_for):
    rules = rules_for("hand-and-foot")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


def test_the_command_refuses_it(tmp_path):
    file, printed = tmp_path / "deals.json", StringIO()
    file.write_text(deal_file())
    with pytest.raises(SystemExit) as end:
        call_command("score", str(file), stdout=printed)
    assert end.value.code == 1
    assert TOLD in printed.getvalue()
    assert "1 game, 4 deals: 1 refused." in printed.getvalue()


def test_the_import_of_a_deal_file_refuses_it(club, actor):
    with pytest.raises(BadFile) as refused:
        take(club, deal_file(), actor)
    (bad,) = refused.value.bad
    assert TOLD in bad.words
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
    assert [TOLD in bad.words for bad in refused.value.bad] == [True]


def test_a_deal_that_a_newer_file_brings_has_its_place_after_those_that_are_here(club, actor, record, game):
    for number, points in enumerate((60, 90, 120), start=1):
        record(game, number, melded(points))
    data = json.loads(out(club))
    (here,) = data["games"]
    facts = {"sides": [{"melded": 60, "left": 300}, {"melded": 0, "left": 400}]}
    new = {"number": 4, "versions": [{"id": str(uuid4()), "facts": facts}]}
    with pytest.raises(BadFile) as refused:
        take(club, json.dumps({**data, "games": [{**here, "deals": [*here["deals"], new]}]}), actor)
    assert TOLD in refused.value.bad[0].words


def test_recording_and_correcting_refuse_it(actor, record, game):
    for number, points in enumerate((60, 90, 120), start=1):
        record(game, number, melded(points))
    assert [p.code for p in effect_of(game, 4, facts=melded(60)).problems] == ["hand-and-foot.first-meld"]
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
    correct_deal(**sent | {"submission": uuid4()}, entered=Entered(melded(55), sure=True), seen=2, reason="It counts.")
    assert [bool(deal.wrong_now) for deal in card_of(game).deals] == [False, True]
    text = out(club)
    empty(club)
    take(club, text, actor)
    assert out(club) == text
