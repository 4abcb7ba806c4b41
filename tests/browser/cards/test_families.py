"""The form of every game family in a browser, on a phone and on a laptop: live lines, a refused card, a ruling."""

from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.deals import true_deal
from scoring.cards.deals import start_game
from scoring.models import Deal
from scoring.templatetags.figures import signed
from tests.browser.hands_on import overflow, said, save, type_deal
from tests.browser.test_accessible import TARGETS, barriers
from tests.examples import as_proof

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
}
# A rule set of each form, and a figure that no pack of cards can give.
WRONG = {
    "st-hilary-v3": ("take_0", "26"),
    "double-deck-partnership-pinochle": ("take_0", "51"),
    "three-hand-double-pinochle": ("take_0", "2001"),
    "fletcher-two-hand": ("take_0", "26"),
    "two-hand-pinochle-classic": ("take_0", "251"),
    "hand-and-foot": ("melded_0", "1001"),
    "hand-knee-and-foot": ("melded_0", "1001"),
    "canasta": ("left_1", "33"),
    "spades": ("tricks_0", "14"),
    "oh-hell": ("tricks_0", "14"),
    "hearts": ("hearts_0", "14"),
    "cribbage-by-deal": ("crib", "19"),
    "whist-drive": ("points_0", "14"),
}


def by_turns(number, slug, screen):
    """A form on a screen: the first on a phone, the second on a laptop and so on; the other of each as a proof."""
    return (slug, screen) if (screen == "phone") == (number % 2 == 0) else as_proof([slug, screen])


NAMES = ("Ann Lee", "Bartholomew Fitzgerald", "Cal Poe", "Dee Wu")


@pytest.fixture
def game_of(rules_for):
    def make(slug):
        rules = rules_for(slug)
        shape = rules.rule_set.shapes[0]
        sides = [list(NAMES[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides)]
        return start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)

    return make


def nothing_stands_out(page):
    """Whether the page fits its window with everything unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    return overflow(page) == 0


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("slug", "screen"), [by_turns(n, slug, screen) for n, slug in enumerate(WRONG) for screen in SCREENS]
)
def test_a_true_deal_is_scored_a_wrong_one_refused_and_ruled_on(slug, screen, signed_in, director, game_of):
    game = game_of(slug)
    family, rules = game.rules.family, game.engine_rules
    facts = true_deal(family, Random(4), rules, deals_before=0)
    page = signed_in(director, **SCREENS[screen])
    page.goto(game.get_absolute_url())
    type_deal(page, game, facts)
    totals = [signed(points) for points in family.score(facts, rules).totals]
    expect(page.locator(".live-totals .points")).to_have_text(totals)
    expect(page.locator("#live-check .problem-impossible")).to_have_count(0)
    page.locator("#live-check summary").click()
    expect(page.locator("#live-check .reasons td").first).to_be_visible()
    assert nothing_stands_out(page)

    field, figure = WRONG[slug]
    page.locator(f"[name={field}]").fill(figure)
    expect(page.locator("#live-check .problem-impossible").first).to_be_visible()
    save(page)
    expect(page.get_by_role("alert").first).to_contain_text("the rules or the pack of cards don't allow this card")
    expect(page.locator(f"[name={field}]")).to_have_value(figure)
    assert not Deal.objects.exists()
    assert nothing_stands_out(page)

    page.get_by_label("Director's ruling").fill("The pack was short; both sides agree.")
    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    expect(page.locator(".deal-list summary").first).to_contain_text("ruling")
    assert nothing_stands_out(page)
    expect(page.locator(".deal-list")).to_contain_text("The pack was short; both sides agree.")
    assert Deal.objects.get().versions.get().overruled


PUT = """(key, [edge, reaches]) => {
  const bar = document.querySelector(".dock").getBoundingClientRect(), { top, bottom } = key.getBoundingClientRect();
  scrollBy({ top: edge === "top" ? top + reaches - bar.top : bottom - reaches - innerHeight, behavior: "instant" });
}"""
"""Scrolls so far that a key reaches out above the bar, or below the window under the bar, by some pixels."""


@pytest.mark.proof
def test_no_key_that_the_bar_covers_keeps_a_sliver_beside_save(signed_in, director, game_of):
    page = signed_in(director, **SCREENS["laptop"])
    page.goto(game_of("canasta").get_absolute_url())
    page.evaluate("document.fonts.ready")
    key = page.locator(".step-more:visible").last
    for edge, reaches in (("top", 8), ("bottom", 8)):
        key.evaluate(PUT, [edge, reaches])
        assert (edge, reaches, barriers(page, options=TARGETS)) == (edge, reaches, [])
