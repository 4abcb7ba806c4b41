"""Why there are points, from one place: on the card, on paper and in JSON, each line with its rule and its version."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.urls import reverse

from lab.simulation.deals import true_deals
from scoring import wording
from scoring.cards.deals import mark_deal
from scoring.cards.queries import card_of
from scoring.cards.views import reasons_pages
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of
from scoring.models import Game
from tests.scoring.conftest import IMPOSSIBLE, a_deal, as_typed


def test_every_line_names_a_setting():
    assert wording.SETTINGS.keys() >= wording.LINES.keys()


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_line_of_true_deals_has_its_source_in_every_rule_set(slug):
    rule_set = shipped()[slug]
    family = family_of(rule_set)
    deals = true_deals(rule_set, seed="sources", count=max(12, 2 * len(rule_set.shapes)))
    lines = {line.rule: line for rules, facts in deals for line in family.score(facts, rules).lines}
    found = {code: wording.rule_of_line(line, rule_set) for code, line in lines.items()}
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
    typed = reverse("reckon", args=[finished.club.slug, finished.pk])
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
            "Written 80 after deal 3, 5 too high: it should be 75. The slip was made in one of the deals 2 to 3.",
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
