"""Deals after one that changes, and deals that were dealt again."""

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards import submit
from scoring.cards.deals import correct_deal, mark_deal
from scoring.cards.queries import card_of, preview_deal, wrong_after_void
from scoring.cards.submit import deal_form
from scoring.cards.views import reasons_pages
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion, Game
from tests.scoring.conftest import a_deal, as_typed
from tournaments.documents.cards import filled_boxes

SHORT = "The first meld of this deal needs 90 points; the card says 60 melded in all."


def dealt(first, second, number):
    return HandAndFootDeal(sides=(first, second), number=number)


def side(melded=0, left=200, **more):
    return SideCard(**{"clean": 0, "dirty": 0, "wild": 0, "melded": melded, "left": left, **more})


FIRST = dealt(side(400, 50, clean=1), side(0, 200, red_threes=1), 1)  # 850 and -300
RICHER = dealt(side(700, 50, clean=2), side(0, 200, red_threes=1), 1)  # 1,650: a first meld of 90 then
SECOND = dealt(side(60, 200), side(35, 200), 2)  # -140 and -165
THIRD = dealt(side(120, 200), side(120, 200), 3)
CHECK = {"submission": "", "number": "1", "out": "-1", "seen": "1", "reason": "A pile was left out."}
TYPED_RICHER = CHECK | {
    "clean_0": "2",
    "melded_0": "700",
    "left_0": "50",
    "melded_1": "0",
    "left_1": "200",
    "red_threes_1": "1",
}


@pytest.fixture
def canasta(game_of, record):
    """A game of canasta in which the second deal's first melds were enough for the scores before it."""
    game = game_of("canasta")
    for number, facts in enumerate((FIRST, SECOND, THIRD), start=1):
        record(game, number, facts)
    return game


def test_a_change_says_of_what_rests_on_a_game_only_what_is_new(canasta, actor, monkeypatch):
    def watch(game):
        totals = ", ".join(str(side.total) for side in game.sides.order_by("number"))
        return ["The seats of the next round are published.", f"The match stands {totals}."]

    monkeypatch.setattr(submit, "WATCHES", [watch])
    monkeypatch.setattr(submit, "STANDINGS", [])
    first = canasta.deals.get(number=1)
    change = partial(
        correct_deal, deal=first, by=actor, submission=uuid4(), seen=1, reason="Misread.", entered=EnteredDeal(RICHER)
    )
    (said,) = submit.preview_consequences(canasta, change).sentences
    assert said.startswith("The match stands ")
    assert not submit.preview_consequences(canasta, lambda: None)
    assert DealVersion.objects.filter(deal=first).count() == 1  # nothing is kept


def typed():
    return TYPED_RICHER | {"submission": str(uuid4())}


def corrected(game, facts, actor, number=1, **more):
    deal = game.deals.get(number=number)
    fields = {"by": actor, "submission": uuid4(), "seen": deal.versions.get(current=True).number, "reason": "Misread."}
    entered = EnteredDeal(facts, sure=True, ruling=more.pop("ruling", ""))
    return correct_deal(deal=deal, entered=entered, **(fields | more))


def test_before_a_correction_the_later_deals_that_it_brings_against_the_rules_are_shown(
    client_of, scorekeeper, canasta
):
    first, second, _third = canasta.deals.all()
    assert [(deal["pk"], deal["number"]) for deal in preview_deal(canasta, 1, facts=RICHER).later] == [(second.pk, 2)]
    client, url = client_of(scorekeeper), reverse("deal", args=["st-hilary", first.pk])
    answer = client.post(url, typed())
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'<a href="{reverse("deal", args=["st-hilary", second.pk])}">Deal 2</a>: Ann &amp; Bob: {SHORT}' in page
    assert "They stay as recorded" in page
    assert "Not recorded yet: look below at what this would change" in page
    assert first.versions.count() == 1
    answer = client.post(url, typed() | {"sure": "on"}, follow=True)
    assert "Deal 1 is corrected" in answer.content.decode()
    assert first.versions.count() == 2
    assert second.versions.count() == 1  # nobody touched it


def test_the_form_tells_it_while_somebody_types(client_of, scorekeeper, canasta):
    answer = client_of(scorekeeper).post(reverse("live_check", args=["st-hilary", canasta.pk]), typed())
    assert SHORT in answer.content.decode()


def test_after_it_the_card_marks_them_until_a_director_rules(client_of, scorekeeper, canasta, actor):
    assert [deal.wrong_now for deal in card_of(canasta).deals] == [(), (), ()]
    corrected(canasta, RICHER, actor)
    marked = card_of(canasta).deals
    assert [len(deal.wrong_now) for deal in marked] == [0, 1, 0]
    assert marked[1].wrong_now[0].startswith(f"Ann & Bob: {SHORT}")
    assert marked[1].running == (1510, -465)  # it counts as it is recorded
    page = client_of(scorekeeper).get(canasta.get_absolute_url()).content.decode()
    assert "breaks the rules now that earlier scores have changed" in page
    assert page.count("against the rules now") == 1
    assert SHORT in reasons_pages(card_of(canasta), "A4").documents[0]
    corrected(canasta, SECOND, actor, number=2, reason="Played so.", ruling="The meld was laid in good faith.")
    assert [deal.wrong_now for deal in card_of(canasta).deals] == [(), (), ()]
    assert preview_deal(canasta, 1, facts=FIRST).later == preview_deal(canasta, 1, facts=RICHER).later == ()


def test_what_was_against_the_rules_before_is_not_told_again(canasta, actor):
    corrected(canasta, RICHER, actor)
    richer_still = dealt(side(750, 50, clean=2), side(0, 200, red_threes=1), 1)
    assert preview_deal(canasta, 1, facts=richer_still).later == ()


def test_before_a_deal_is_void_a_director_sees_what_it_would_bring(client_of, director, scorekeeper, canasta, actor):
    first = canasta.deals.get(number=1)
    found = wrong_after_void(canasta, 1)
    assert [(deal["number"], len(deal["words"])) for deal in found] == [(2, 1)]
    assert found[0]["words"][0].startswith("Cal & Dee: The first meld of this deal needs 50 points")
    assert wrong_after_void(canasta, 3) == ()
    url = reverse("deal", args=["st-hilary", first.pk])
    assert "If you void this deal, later deals" in client_of(director).get(url).content.decode()
    assert "If you void this deal" not in client_of(scorekeeper).get(url).content.decode()
    mark_deal(deal=first, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    assert [len(deal.wrong_now) for deal in card_of(canasta).deals] == [0, 1, 0]


def test_games_that_do_not_go_by_scores_have_no_such_deals(game, record, actor):
    record(game, 1)
    record(game, 2)
    facts = game.rules.family.read(game.deals.get(number=1).versions.get().facts)
    assert preview_deal(game, 1, facts=facts).later == wrong_after_void(game, 1) == ()
    assert [deal.wrong_now for deal in card_of(game).deals] == [(), ()]


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
    printed = [column[0][0] for column in filled_boxes(card)]
    assert {"redeal", "deal lost"} <= set(printed)
    page = desk.get(game.get_absolute_url()).content.decode()
    assert ">redeal</td>" in page
    assert ">deal lost</td>" in page


def test_a_failed_bid_and_a_redeal_stand_in_one_box(desk, game):
    desk.post(game.get_absolute_url(), as_typed(a_deal(bid=30), redeals_0="1"))
    assert in_row(game) == ["failed, redeal", ""]


def test_the_note_is_corrected_and_taken_back_as_any_figure(desk, game):
    desk.post(game.get_absolute_url(), as_typed(a_deal(), redeals_0="1"))
    address = reverse("deal", args=[game.club.slug, DealVersion.objects.get().deal_id])
    form = desk.get(address).context["form"]
    assert (form["redeals_0"].value(), form["redeals_1"].value()) == (1, None)
    assert form.is_rare_used()
    more = {"seen": 1, "reason": "It was the other side.", "redeals_0": "", "redeals_1": "1"}
    assert desk.post(address, as_typed(a_deal(), **more)).status_code == 302
    assert in_row(game) == ["", "redeal"]
    more = {"seen": 2, "reason": "Nobody did.", "redeals_0": "", "redeals_1": "0"}
    assert desk.post(address, as_typed(a_deal(), **more)).status_code == 302
    assert in_row(game) == ["", ""]
    assert DealVersion.objects.get(current=True).facts["redeals"] == []
    assert not desk.get(address).context["form"].is_rare_used()


def test_only_what_the_rules_have_is_asked(club, game_of, publish):
    def asked(game):
        form = deal_form(card_of(Game.get_or_404(club, game.pk)))
        return {name for name in form.fields if name.startswith(("redeals", "deals_lost"))}

    assert asked(game_of("double-deck-partnership-pinochle")) == set()
    publish(five_nines=0)
    assert asked(game_of("st-hilary-v3")) == {"deals_lost_0", "deals_lost_1"}
