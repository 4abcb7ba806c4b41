"""The grid on a phone: a keypad for each box, and what is said of a deal where it can be read."""

import pytest
from playwright.sync_api import expect

from tests.browser.events.test_keying import at, keyed
from tests.browser.hands_on import Gate
from tests.examples import as_proof
from tests.scoring.conftest import IMPOSSIBLE, WINNING, a_deal
from tests.tournaments.keying.keying import a_hand_and_foot_line, a_line, a_round, address
from tests.tournaments.nights import play_deals

pytestmark = pytest.mark.django_db(transaction=True)


def test_on_a_phone_each_box_has_a_keypad_and_what_may_be_below_zero_one_with_a_minus(
    club, actor, rules_for, signed_in, scorekeeper
):
    event, _draw, (game, _other) = a_round(rules_for("st-hilary-v3"), actor)
    kinds = "boxes => boxes.map(box => [box.name.slice(0, -2), box.type, box.inputMode])"
    for options, kind in (({"is_mobile": True, "has_touch": True}, "number"), ({}, "text")):
        page = signed_in(scorekeeper, viewport={"width": 390, "height": 844}, **options)
        page.goto(address(event))
        found = page.locator(f"#deal-{game.pk}-1 td.box input").evaluate_all(kinds)
        assert "written" in {name for name, _type, _mode in found}
        for name, type_, mode in found:
            assert (type_, mode) == ((kind, "") if name == "written" else ("text", "numeric")), name


@pytest.mark.proof
@pytest.mark.parametrize("slug", ["st-hilary-v3", "hand-and-foot"])
def test_on_a_phone_a_wrong_running_total_is_told_in_sight_above_the_next_deal(
    club, actor, rules_for, signed_in, scorekeeper, slug
):
    event, _draw, (game, _other) = a_round(rules_for(slug), actor)
    phone = signed_in(scorekeeper, viewport={"width": 390, "height": 480}, is_mobile=True, has_touch=True)
    phone.goto(address(event))
    gate = Gate(phone, "**/keying/")
    gate.shut()
    line = phone.locator(f"#deal-{game.pk}-1")
    typed = a_line(game) if slug == "st-hilary-v3" else a_hand_and_foot_line(game)
    for name, figure in (typed | {"written_0": 5000}).items():
        if name not in ("game", "number", "submission"):
            line.locator(f"td.box [name={name}]").fill(str(figure))
    line.get_by_role("button", name="Save").tap()
    phone.evaluate("scrollBy(0, document.activeElement.getBoundingClientRect().top - 150)")  # as above a phone's keys
    gate.open()
    expect(line).to_have_attribute("data-state", "recorded")
    expect(line.locator(".said-words")).to_be_in_viewport(ratio=1)
    expect(line.locator(".said-words")).to_contain_text("ritten 5")
    expect(phone.locator(":focus")).to_be_in_viewport(ratio=1)
    assert at(phone).startswith(f"deal-{game.pk}-2-")


@pytest.mark.parametrize(
    ("slug", "height"), [("hand-and-foot", 544), as_proof(["st-hilary-v3", 544]), as_proof(["st-hilary-v3", 400])]
)
def test_on_a_phone_what_is_wrong_with_a_games_last_deal_is_read_before_the_next_table_is_tapped(
    club, actor, rules_for, signed_in, scorekeeper, slug, height
):
    """The height is what a keypad leaves of a phone's screen."""
    event, _draw, (game, other) = a_round(rules_for(slug), actor)
    typed, number = a_line(game, WINNING) | {"sure": "on"}, 1
    if slug == "hand-and-foot":
        play_deals(game, actor, 3)
        typed, number = a_hand_and_foot_line(game, 4), 4
    phone = signed_in(scorekeeper, viewport={"width": 390, "height": height}, is_mobile=True, has_touch=True)
    phone.goto(address(event))
    line = phone.locator(f"#deal-{game.pk}-{number}")
    for name, figure in (typed | {"written_0": 5000}).items():
        if name not in ("game", "number", "submission", "sure"):
            line.locator(f"td.box [name={name}]").fill(str(figure))
    line.get_by_role("button", name="Save").tap()
    if "sure" in typed:
        expect(line).to_have_attribute("data-state", "asking")
        line.get_by_role("button", name="Save").tap()
    expect(line).to_have_attribute("data-state", "recorded")
    expect(line.locator(".said-words")).to_be_in_viewport(ratio=1)
    focused = phone.locator("input:focus")
    if focused.count():
        assert at(phone).startswith(f"deal-{other.pk}-1-")
        expect(focused).to_be_in_viewport(ratio=1)


@pytest.mark.daily(1)
@pytest.mark.parametrize(("height", "typing"), [(844, True), (544, False)])
def test_on_a_phone_why_a_deal_is_refused_is_read_with_its_figure_or_before_it_is_tapped(
    club, actor, rules_for, signed_in, scorekeeper, height, typing
):
    event, _draw, (game, _other) = a_round(rules_for("st-hilary-v3"), actor)
    phone = signed_in(scorekeeper, viewport={"width": 390, "height": height}, is_mobile=True, has_touch=True)
    phone.goto(address(event))
    line = phone.locator(f"#deal-{game.pk}-1")
    for box, figure in zip(line.locator("td.box input").all(), keyed(IMPOSSIBLE), strict=True):
        box.fill(figure)
    line.get_by_role("button", name="Save").tap()
    why = line.get_by_role("link", name="All that was taken comes to 26")
    expect(why).to_be_in_viewport(ratio=1)
    focused = phone.locator("input:focus")
    expect(focused).to_have_count(1 if typing else 0)
    why.tap()
    expect(focused).to_have_attribute("name", "take_0")
    expect(focused).to_be_in_viewport(ratio=1)


@pytest.mark.daily(1)
@pytest.mark.parametrize("slug", ["st-hilary-v3", "hand-and-foot"])
def test_on_a_phone_a_deal_is_keyed_without_moving_sideways(club, actor, rules_for, signed_in, scorekeeper, slug):
    event, _draw, games = a_round(rules_for(slug), actor)
    play_deals(games[0], actor, 2)
    phone = signed_in(scorekeeper, viewport={"width": 390, "height": 844}, has_touch=True)
    phone.goto(address(event))
    wider = "boxes => boxes.map(box => box.scrollWidth - box.clientWidth)"
    assert phone.locator(".table-scroll").evaluate_all(wider) == [0, 0]
    expect(phone.locator("thead:visible")).to_have_count(0)
    expect(phone.locator(f"#deal-{games[0].pk}-1").get_by_role("link", name="Correct deal 1")).to_be_in_viewport()
    line = phone.locator(f"#deal-{games[1].pk}-1")
    boxes, labels = (
        line.locator("td.box:visible"),
        "boxes => boxes.map(box => getComputedStyle(box, '::before').content)",
    )
    assert boxes.count() == line.locator("td.box input").count()
    assert not {'""', "none", "normal"} & set(boxes.evaluate_all(labels)), "each box says what belongs there"
    for name in map(str, games[1].sides.all()):
        expect(line.get_by_text(name)).to_be_visible()
    if slug == "st-hilary-v3":
        for box, figure in zip(line.locator("td.box input").all(), keyed(a_deal()), strict=True):
            box.fill(figure)
        line.get_by_role("button", name="Save").click()
        expect(line).to_contain_text("+25 · +16")
