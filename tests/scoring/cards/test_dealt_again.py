"""A redeal for five nines, and a deal lost after misdeals: noted with the deal played then, and worth nothing."""

import dataclasses

from django.urls import reverse

from scoring.cards.deals import start_game
from scoring.cards.queries import card_of
from scoring.cards.submit import deal_form
from scoring.deal_files.formats import FileDeal, FileGame, read, to_text
from scoring.deal_files.scored import score_game
from scoring.engine.core.ruleset import shipped
from scoring.models import DealVersion, Game
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal, as_typed
from tournaments.documents.cards import figures_of

SET_BOX = 4  # of a side's boxes: bid, meld, total, take, set


def in_row(game):
    """What stands in both sides' boxes of the set, of the last deal."""
    return [str(cells[SET_BOX] or "") for cells in card_of(Game.get_or_404(game.club, game.pk)).deals[-1].cells]


def test_a_redeal_and_a_lost_deal_are_noted_and_change_no_figure(desk, game):
    desk.post(game.get_absolute_url(), as_typed(a_deal(), redeals_0="1", deals_lost_1="2"))
    (version,) = DealVersion.objects.all()
    assert (version.facts["redeals"], version.facts["deals_lost"]) == ([1, 0], [0, 2])
    card = card_of(Game.get_or_404(game.club, game.pk))
    assert (card.totals, card.next_number, card.game.deals_played) == ((25, 16), 2, 1)
    noted = [line for line in card.deals[0].lines if "Five-9" in line["source"] or "Misdeals" in line["source"]]
    assert [(line["side"], line["points"]) for line in noted] == [(0, 0), (1, 0)]
    assert in_row(game) == ["redeal", "deal lost"]
    printed = [column[0][0] for column in figures_of(card)]
    assert {"redeal", "deal lost"} <= set(printed)
    page = desk.get(game.get_absolute_url()).content.decode()
    assert ">redeal</td>" in page
    assert ">deal lost</td>" in page


def test_a_failed_bid_and_a_redeal_stand_in_one_box(desk, game):
    desk.post(game.get_absolute_url(), as_typed(a_deal(bid=30), redeals_0="1"))
    assert in_row(game) == ["set, redeal", ""]


def test_the_note_is_corrected_and_taken_back_as_any_figure(desk, game):
    desk.post(game.get_absolute_url(), as_typed(a_deal(), redeals_0="1"))
    address = reverse("deal", args=[game.club.slug, DealVersion.objects.get().deal_id])
    form = desk.get(address).context["form"]
    assert (form["redeals_0"].value(), form["redeals_1"].value()) == (1, None)
    assert form.rare_has_something()
    more = {"seen": 1, "reason": "It was the other side.", "redeals_0": "", "redeals_1": "1"}
    assert desk.post(address, as_typed(a_deal(), **more)).status_code == 302
    assert in_row(game) == ["", "redeal"]
    more = {"seen": 2, "reason": "Nobody did.", "redeals_0": "", "redeals_1": "0"}
    assert desk.post(address, as_typed(a_deal(), **more)).status_code == 302
    assert in_row(game) == ["", ""]
    assert DealVersion.objects.get(current=True).facts["redeals"] == []
    assert not desk.get(address).context["form"].rare_has_something()


def test_only_what_the_rules_have_is_asked(club, publish, rules_for):
    def asked(rules):
        game = start_game(club=club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)
        form = deal_form(card_of(Game.get_or_404(club, game.pk)))
        return {name for name in form.fields if name.startswith(("redeals", "deals_lost"))}

    assert asked(rules_for("double-deck-partnership-pinochle")) == set()
    assert asked(publish(five_nines=0)) == {"deals_lost_0", "deals_lost_1"}


def test_a_file_of_deals_has_the_note_and_is_read_with_it():
    facts = dataclasses.replace(a_deal(), redeals=(0, 1), deals_lost=(1, 0))
    rules = shipped()["st-hilary-v3"]
    games = [FileGame(rules="st-hilary-v3", shape=rules.shapes[0], deals=(FileDeal(facts=facts),))]
    (game,) = read(to_text(games))
    assert game.deals[0].facts == facts
    (deal,) = score_game(game).deals
    assert (deal.refused, deal.running) == (False, (25, 16))
