"""Why there are points: on the card, on paper and in JSON, each line with its rule; and the card under other rules."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from lab.simulation.deals import true_deals
from scoring import wording
from scoring.cards.deals import correct_deal, end_game, mark_deal, start_game
from scoring.cards.queries import card_of
from scoring.cards.views import reasons_pages
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion, Game, HouseRules
from tests.scoring.conftest import HAND_AND_FOOT, IMPOSSIBLE, PINOCHLE_SIDES, a_deal, as_typed


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_line_of_true_deals_has_its_source_in_every_rule_set(slug):
    rule_set = shipped()[slug]
    family = family_of(rule_set)
    deals = true_deals(rule_set, seed="sources", count=max(12, 2 * len(rule_set.shapes)))
    lines = {line.rule: line for rules, facts in deals for line in family.score(facts, rules).lines}
    found = {code: wording.line_rule(line, rule_set) for code, line in lines.items()}
    assert found
    assert [code for code, rule in found.items() if not rule.settings or not rule.source] == []


def test_a_line_leads_to_its_rule_in_the_version_of_the_game(client_of, scorekeeper, finished):
    browser = client_of(scorekeeper)
    page = browser.get(finished.get_absolute_url()).content.decode()
    rules = finished.rules.get_absolute_url()
    anchors = set(re.findall(rf'href="{re.escape(rules)}#([a-z_-]+)"', page))
    assert len(anchors) > 2
    assert "house rules, version 3" in page
    of_rules = browser.get(rules).content.decode()
    assert [anchor for anchor in anchors if f'id="{anchor}"' not in of_rules] == []


def test_the_same_on_the_page_of_a_deal_and_while_typing(client_of, scorekeeper, finished):
    browser = client_of(scorekeeper)
    deal = reverse("deal", args=[finished.club.slug, finished.deals.get(number=1).pk])
    typed = reverse("live_check", args=[finished.club.slug, finished.pk])
    for page in (browser.get(deal), browser.post(typed, as_typed(a_deal(), number=7))):
        assert f"{finished.rules.get_absolute_url()}#setting-" in page.content.decode()


def on_paper(card):
    (html,) = reasons_pages(card, "A4").documents
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def test_the_sheet_has_every_deal_with_its_lines_and_sources(game, record):
    record(game, 1, written=[30, 16])
    record(game, 2, IMPOSSIBLE, ruling="A card too many")
    card = card_of(Game.get_or_404(game.club, game.pk))
    sheet = on_paper(card)
    assert "version 3" in sheet
    for deal in card.deals:
        for line in deal.lines:
            assert line["source"]
            assert f"{line['words']} {line['source']}" in sheet
    first, second = sheet.split("Deal 2 entered")
    assert "What the scorer wrote: Ann & Bob: Written 30 after deal 1, 5 too high: it should be 25." in first
    assert "The director's ruling: A card too many Set aside: All that was taken comes to 26" in second
    assert f"total {card.totals[0]}" in second
    assert f"Ann & Bob {card.totals[0]}, " in second


def test_the_sheet_says_which_deal_counts_nothing(game, record, actor):
    deal = record(game).deal
    mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    sheet = on_paper(card_of(Game.get_or_404(game.club, game.pk)))
    assert "Reason: Misdealt. This deal doesn't count." in sheet


def test_the_played_card_is_printed_with_its_reasons(client_of, scorekeeper, finished):
    answer = client_of(scorekeeper).get(reverse("card_reasons", args=[finished.club.slug, finished.pk]))
    assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")


# --- the scorer's own totals ---------------------------------------------------------------------------


def test_a_difference_that_is_carried_on_is_one_message(client_of, scorekeeper, game, record):
    for number in range(1, 6):
        record(game, number, written=[25 * number + (8 if number >= 3 else 0), 16 * number])
    card = card_of(Game.get_or_404(game.club, game.pk))
    assert [deal.slips for deal in card.deals] == [
        (),
        (),
        ("Ann & Bob: The total after deal 5 is 8 too high, from deal 3 on: written 83 after deal 3, it should be 75.",),
        (),
        (),
    ]
    page = client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    assert page.count("from deal 3 on") == 2  # above the deals, and within the one


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (
            [25, None, 80],
            "Written 80 after deal 3, 5 too high: it should be 75. The mistake is in one of the deals 2 to 3.",
        ),
        (
            [25, 25, 50],
            "The total after deal 3 is 25 too low, from deal 2 on: written 25 after deal 2, it should be 50. "
            "That deal's points were left out.",
        ),
        (
            [26, 54, 79],
            "The total after deal 3 is 4 too high, from deal 2 on: written 54 after deal 2, it should be 50. "
            "3 more than before.",
        ),
        ([26, 52, 75], "Written 52 after deal 2, 2 too high: it should be 50. 1 more than before."),
    ],
)
def test_where_a_total_goes_wrong_is_said_in_words(game, record, written, words):
    for number, total in enumerate(written, start=1):
        record(game, number, written=[total, None])
    card = card_of(Game.get_or_404(game.club, game.pk))
    assert [sentence for deal in card.deals for sentence in deal.slips][-1] == f"Ann & Bob: {words}"


def test_a_void_deal_does_not_shift_the_numbers(game, record, actor):
    for number in (1, 2, 3, 4):
        record(game, number, written=[{1: 25, 2: 99, 3: 58, 4: 83}[number], None])
    void = game.deals.get(number=2)
    mark_deal(deal=void, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdeal")
    card = card_of(Game.get_or_404(game.club, game.pk))
    (sentence,) = [sentence for deal in card.deals for sentence in deal.slips]
    assert "after deal 4 is 8 too high, from deal 3 on: written 58 after deal 3" in sentence


def rows_of_everything():
    """What the database holds of games, deals, rules and the log."""
    return [list(model.objects.order_by("pk").values()) for model in (Game, DealVersion, HouseRules, LogEntry)]


def counted(shown, when):
    """The sides' points in every deal, now (0) or then (1)."""
    return [tuple(pair[when] for pair in deal["pairs"]) for deal in shown["deals"]]


def test_a_card_is_counted_under_other_rules_and_nothing_is_written(desk, finished, publish):
    publish(target=100)
    before = rows_of_everything()
    url = reverse("other_rules", args=["st-hilary", finished.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert counted(shown, 0) == [(25, 16)] * 6
    assert counted(shown, 1) == [(25, 16)] * 4 + [(None, None)] * 2
    assert shown["totals"] == [(150, 100), (96, 64)]
    assert shown["state_then"] == "Over: Ann & Bob won"
    assert rows_of_everything() == before


def test_why_a_game_ends_so_is_said_under_either_rules(desk, game, record, publish):
    publish(bid_side_first=False)
    for number, start in enumerate((125, 145)):
        game.sides.filter(number=number).update(start=start)
    record(game, 1)  # 25 and 16 points
    why = str(wording.OUTCOMES["bid-side-first"]).format(won="150", best="161")
    page = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert page.context["chosen"]["why_then"] == ""
    assert page.content.decode().count(why) == 1
    newer = start_game(
        club=game.club, rules=HouseRules.objects.get(version=4), title="Table 4", sides=PINOCHLE_SIDES, start=(125, 145)
    )
    record(newer, 1)
    page = desk.get(reverse("other_rules", args=["st-hilary", newer.pk]), {"rules": "st-hilary-v3:3"})
    assert page.context["chosen"]["why_then"] == why
    assert page.content.decode().count(why) == 1


def test_a_deal_after_the_end_is_not_counted_on_the_side_on_which_the_game_is_over(desk, finished, publish, actor):
    second = finished.deals.get(number=2)
    more = {"by": actor, "submission": uuid4(), "seen": 1, "reason": "The double run was left out."}
    correct_deal(deal=second, entered=EnteredDeal(a_deal(meld=(140, 6)), sure=True), **more)  # over with it, at 180
    publish(target=200)
    page = desk.get(reverse("other_rules", args=["st-hilary", finished.pk]), {"rules": "st-hilary-v3:4"})
    shown = page.context["chosen"]
    nothing = (None, None)
    assert counted(shown, 0) == [(25, 16), (155, 16), nothing, nothing, nothing, nothing]
    assert counted(shown, 1) == [(25, 16), (155, 16), (25, 16), nothing, nothing, nothing]
    cells = re.findall(r'<td class="points">(.*?)</td>', page.content.decode(), re.DOTALL)
    assert [" ".join(re.sub("<.*?>", "", cell).split()) for cell in cells[4:8]] == [
        "not counted → 25",
        "not counted → 16",
        "not counted",
        "not counted",
    ]
    assert shown["totals"] == [(180, 205), (32, 48)]


def test_points_deal_by_deal_under_other_rules(desk, game, record, publish):
    record(game, 1, a_deal(bid=20, meld=(4, 6), take=(9, 16)))
    record(game, 2)
    publish(meld_savers="both", counters_to_save_meld=20)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert counted(shown, 0) == [(-20, 22), (25, 16)]
    assert counted(shown, 1) == [(-20, 16), (-20, 10)]


def test_cards_that_other_rules_refuse_are_named(desk, game, record, publish):
    record(game, 1)
    publish(opening_bid=25, dropped_bid=25)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert not shown.context["chosen"]["complete"]
    assert "Cards those rules wouldn't allow" in shown.content.decode()


def test_nothing_is_won_on_a_card_that_other_rules_would_refuse(desk, finished, publish, actor):
    publish(opening_bid=25, dropped_bid=25)  # all bids were 20
    url = reverse("other_rules", args=["st-hilary", finished.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert (shown["totals"], shown["state_then"]) == ([(150, 150), (96, 96)], "Not over yet")
    for deal in finished.deals.all():
        more = {"by": actor, "submission": uuid4(), "seen": 1, "reason": "Asked."}
        correct_deal(deal=deal, entered=EnteredDeal(a_deal(), sure=True, ruling="It stands."), **more)
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert shown["state_then"] == "Over: Ann & Bob won"


def test_other_rules_go_by_the_score_that_they_would_have_given(desk, game_of, record, publish):
    game = game_of("canasta")
    record(game, 1, HandAndFootDeal(sides=(SideCard(clean=1, melded=400, left=50), SideCard(melded=0, left=300))))
    record(game, 2, HandAndFootDeal(sides=(SideCard(melded=70, left=300), SideCard(melded=0, left=300))))
    publish("canasta", clean_pile=1200)  # 1,550 before the second deal: it needs 90
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "canasta:2"}).context["chosen"]
    assert [len(deal["refused"]) for deal in shown["deals"]] == [0, 1]
    assert "needs 90 points" in shown["deals"][1]["refused"][0]


def test_only_rules_of_the_same_game_and_players_are_offered(desk, game, publish):
    publish(target=200)
    publish(HAND_AND_FOOT, target=9000)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    offered = {other.key for other in desk.get(url).context["offered"]}
    assert {"st-hilary-v3:4", "st-hilary-v3:shipped"} <= offered
    assert not any(key.startswith(HAND_AND_FOOT) for key in offered)
    assert desk.get(url, {"rules": "hand-and-foot:2"}).status_code == 404


def test_a_game_ended_by_the_director_is_counted_as_far_as_it_went(desk, game, record, publish, actor):
    record(game, 1)
    end_game(game=game, by=actor, reason="Late")
    publish(target=200)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert shown.context["chosen"]["state_then"] == "Not over yet"
