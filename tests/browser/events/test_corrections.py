"""A correction of what is published, in a browser: who would move is read before it is confirmed, none of it hidden."""

from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.deals import true_deal
from scoring.models import Deal
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import said, type_deal
from tests.examples import as_proof
from tests.tournaments.nights import make_night, play_night

pytestmark = pytest.mark.django_db(transaction=True)

WINDOWS = {
    "phone": PHONE,
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "projector": {"viewport": {"width": 1920, "height": 1080}},
}
FEW, MANY = 0, 7
"""Seeds of deals as the program plays them: recorded in the place of the first of twenty people's, they move four of
them, or sixteen."""

# The lines of what is to be read of which a part can't be seen: outside the window, or under the bar.
HIDDEN = """() => {
  const bar = document.querySelector(".dock").getBoundingClientRect().top;
  return [...document.querySelectorAll("#refused, .slip > p, .slip tr")].filter((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return top < 0 || bottom > Math.min(bar, innerHeight) + 1;
  }).map((line) => line.innerText);
}"""


# Whether nothing lies over the middle of the lower edge of an element.
LIES_FREE = """element => {
  const { left, bottom, width } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, bottom - 2));
}"""


@pytest.fixture
def deal(club, actor, rules_for):
    play_night(make_night(club, rules_for("st-hilary-v3")), actor, people=20)
    return Deal.objects.order_by("pk")[0]


def corrected(page, deal, seed):
    """A director corrects a deal to quite another, up to the page that says who would move."""
    rules = deal.game.rules
    page.goto(f"/st-hilary/deals/{deal.pk}/")
    type_deal(page, deal.game, true_deal(rules.family, Random(seed), deal.game.engine_rules, deals_before=0))
    page.locator("#id_reason").fill("read wrongly")
    with page.expect_navigation():
        page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_text("This would change more than this card:")).to_be_visible()


@pytest.mark.daily(1)
@pytest.mark.parametrize("window", ["phone", "laptop", as_proof(["projector"])])
def test_who_would_move_is_in_sight_above_the_question(signed_in, director, deal, window):
    page = signed_in(director, **WINDOWS[window])
    corrected(page, deal, FEW)
    expect(page.locator(".slip tbody tr")).to_have_count(4)
    page.wait_for_function(f"() => !({HIDDEN})().length")
    sure = page.get_by_label("Yes, the card says so")
    for spot in (sure, page.get_by_role("button", name="Save the correction")):
        expect(spot).to_be_in_viewport(ratio=1)
    sure.check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save the correction").click()
    expect(said(page)).to_contain_text("Deal 1 is corrected")


@pytest.mark.daily(1)
@pytest.mark.parametrize("window", ["phone", "laptop"])
@pytest.mark.parametrize("script", [True, False], ids=["", "no-script"])
def test_where_many_would_move_the_question_is_in_sight_and_covers_none_of_them_for_good(
    signed_in, director, deal, window, script
):
    """Who had to go below the list, and the form, to find the question took the correction for recorded."""
    page = signed_in(director, **WINDOWS[window], java_script_enabled=script)
    corrected(page, deal, MANY)
    lines = page.locator(".slip tbody tr")
    expect(lines).to_have_count(16)
    sure = page.get_by_label("Yes, the card says so")
    for spot in (sure, page.get_by_role("button", name="Save the correction")):
        expect(spot).to_be_in_viewport(ratio=1)
    if script:
        expect(page.get_by_text("Not recorded yet")).to_be_in_viewport(ratio=1)
    for line in lines.all():
        line.evaluate("line => line.scrollIntoView({ block: 'center' })")
        assert line.evaluate(LIES_FREE)
    sure.check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save the correction").click()
    expect(said(page)).to_contain_text("Deal 1 is corrected")
