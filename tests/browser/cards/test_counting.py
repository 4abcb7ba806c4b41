"""Hand and Foot counted out in the browser: melds by rank and cards left, on a phone."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.hand_and_foot import play_both_ways
from scoring.cards.deals import start_game
from scoring.cards.queries import card_of
from scoring.cards.submit import deal_form
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards
from scoring.engine.hand_and_foot.cards import ranks_by_kind, side_totals
from scoring.models import Deal
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import overflow, said, save
from tests.examples import as_proof
from tests.scoring.conftest import PINOCHLE_SIDES

pytestmark = pytest.mark.django_db(transaction=True)


def a_game(rules):
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


def type_counted(page, game, facts):
    """Fill in what a counted deal has: who went out, the red threes, and every row of cards."""
    page.get_by_text("Count it for me").click()
    for name, value in deal_form(card_of(game)).field_values(facts).items():
        field = page.locator(f"form.deal-form [name={name!r}]")
        if name == "out":
            page.locator(f"label[for='{field.locator(f'xpath=self::*[@value={value}]').get_attribute('id')}']").click()
        elif name.startswith("rank_"):
            field.select_option(str(value))
        else:
            field.fill(str(value))


def as_on_the_form(facts, rules):
    """The deal with its cards left counted by value: the form has one figure for 8 to K."""
    kinds = {
        rank: kind for kind, ranks in ranks_by_kind(rules).items() for rank in ranks
    }  # the larger kind comes later
    sides = []
    for card in facts.sides:
        left = Counter()
        for one in card.counted.left if card.counted is not None else ():
            left[kinds[one.of]] += one.count
        melds = card.counted.melds if card.counted is not None else ()
        together = tuple(CardsLeft(of=of, count=count) for of, count in left.items())
        sides.append(replace(card, counted=CountedCards(melds=melds, left=together)))
    return replace(facts, sides=tuple(sides))


@pytest.mark.parametrize("slug", ["hand-knee-and-foot", as_proof(["hand-and-foot"])])  # the longer form
def test_a_deal_is_counted_out_and_its_figures_are_filled_in(signed_in, scorekeeper, rules_for, slug):
    game = a_game(rules_for(slug))
    rules = game.engine_rules
    figures, counted = play_both_ways(Random(3), rules, deals_before=0)
    page = signed_in(scorekeeper, **PHONE)
    page.goto(game.get_absolute_url())
    type_counted(page, game, as_on_the_form(counted, game.engine_rules))
    expect(page.locator(".live-totals .points")).to_have_count(2)
    assert overflow(page) == 0
    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    recorded = game.rules.family.read(Deal.objects.get().versions.get().facts)
    assert [side_totals(card, rules) for card in recorded.sides] == [side_totals(card, rules) for card in figures.sides]
    shown = page.locator(".sheet tbody").first.inner_text()
    assert f"{figures.sides[0].melded:,}" in shown
