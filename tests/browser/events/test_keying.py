"""The grid by keyboard alone: a whole round keyed from paper without a mouse, and what each key does."""

from dataclasses import replace
from random import Random

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from clubsite.accounts.models import Actor
from lab.simulation.deals import true_deal
from scoring.engine.core.family import check_in_game
from scoring.engine.core.game import progress
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.house_rules.actions import RulesChange, publish_rules
from scoring.models import DealVersion, Game
from tests.browser.hands_on import Gate
from tests.browser.test_accessible import barriers
from tests.examples import cases
from tests.scoring.conftest import WINNING, a_deal
from tests.tournaments import contests
from tests.tournaments.keying.keying import a_round, address
from tournaments.keying.second import open_differences, want_second_keying
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db(transaction=True)


def keyed(deal, totals=("", "")):
    """The boxes of a line in their order: whose bid, the bid, then each side's meld, take and running total; no set
    is marked."""
    sides = [figure for side in range(2) for figure in (deal.meld[side], deal.take[side], totals[side])]
    return [str(figure) for figure in (deal.bid_side + 1, deal.bid, *sides, "")]


def key(page, boxes):
    """Type a line with Enter after each box; how many keys that took."""
    for text in boxes:
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    return sum(len(text) + 1 for text in boxes)


def settled(page):
    """Nothing is on its way to the server, and the focus is somewhere on the grid."""
    expect(page.locator("tbody[data-state=saving]")).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")


def at(page):
    """Where the focus is: the id of the box, or of what else has it."""
    return str(page.evaluate("document.activeElement.id"))


@pytest.fixture
def night(club, actor, rules_for, signed_in, scorekeeper):
    """The open grid of a round with two tables, and its games."""
    event, _draw, games = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event))
    return page, games


def a_whole_game(game, rng):
    """True deals that are nothing unusual, until the game is over."""
    rules, family = game.engine_rules, game.rules.family
    played = []
    while not (now := progress([family.score(deal, rules) for deal in played], rules, start=[0, 0])).over:
        true = true_deal(family, rng, rules, deals_before=len(played), before=now.totals)
        deal = PartnershipDeal(bid_side=true.bid_side, bid=true.bid, meld=true.meld, take=true.take)
        wrong = check_in_game(family, deal, rules=rules, before=now.totals, place=len(played) + 1)
        if deal.meld and deal.take and not wrong:
            played.append(deal)
    return played


@pytest.mark.parametrize("tables", cases(2, proof=20))
def test_a_round_is_keyed_without_a_mouse(club, actor, rules_for, signed_in, scorekeeper, tables):
    event, _draw, games = a_round(rules_for("st-hilary-v3"), actor, tables=tables)
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event))
    rng, keys, deals, expected = Random(5), 0, 0, []
    for game in games:
        rules, family, played = game.engine_rules, game.rules.family, a_whole_game(game, rng)
        running = progress([family.score(deal, rules) for deal in played], rules, start=[0, 0]).running
        for deal, totals in zip(played, running, strict=True):
            keys += key(page, keyed(deal, totals))
            deals += 1
            settled(page)
        expected.append(list(running[-1]))
    assert at(page) == "keyed"
    expect(page.locator("#keyed")).to_contain_text("All cards of these tables are keyed.")
    assert page.locator(".said-words:visible").count() == 0  # every written total agrees
    assert [[side.total for side in game.sides.all()] for game in games] == expected
    assert set(DealVersion.objects.values_list("route", flat=True)) == {"paper"}
    assert keys <= 27 * deals  # figures of both running totals and their Enters counted


def test_a_refused_line_takes_the_focus_back_with_what_was_typed(night):
    page, games = night
    key(page, keyed(a_deal(take=(16, 10))))
    line = page.locator(f"#deal-{games[0].pk}-1")
    expect(line).to_contain_text("All that was taken comes to 26")
    beside, save = line.locator(".said-words").bounding_box(), line.locator(".save").bounding_box()
    assert beside["x"] == save["x"]  # to the right of the figures, where there is room
    page.set_viewport_size({"width": 1000, "height": 768})
    expect(line.locator("tr.said .said-words")).to_be_visible()
    page.set_viewport_size({"width": 1366, "height": 768})
    settled(page)
    assert at(page) == f"deal-{games[0].pk}-1-take_0"
    page.keyboard.type("15")  # what stood there is selected
    for _box in range(6):
        page.keyboard.press("Enter")
    expect(line).to_have_attribute("data-state", "recorded")
    settled(page)
    assert at(page) == f"deal-{games[0].pk}-2-bid_side"
    assert DealVersion.objects.get().facts["take"] == [15, 10]


@pytest.mark.daily(1)
@pytest.mark.parametrize("offline", [False, True])
def test_a_game_of_so_many_deals_has_no_line_for_another(club, actor, signed_in, scorekeeper, offline):
    change = RulesChange(values={"deals": 1}, title="One deal", about="As we play.")
    rules = publish_rules(club=club, base=shipped()["st-hilary-v3"], seen=0, by=actor, change=change)
    event, _draw, (first, second) = a_round(rules, actor)
    page = signed_in(
        scorekeeper, viewport={"width": 1366, "height": 768}, may_say=("ERR_INTERNET_DISCONNECTED",) * offline
    )
    page.goto(address(event))
    page.context.set_offline(offline)
    key(page, keyed(a_deal(take=(16, 10))))
    line, another = page.locator(f"#deal-{first.pk}-1"), page.locator(f"#deal-{first.pk}-2")
    expect(line).to_have_attribute("data-state", "unsent" if offline else "refused")
    expect(another).to_have_count(0)
    assert at(page) == (f"deal-{second.pk}-1-bid_side" if offline else f"deal-{first.pk}-1-take_0")
    page.context.set_offline(False)
    expect(line).to_have_attribute("data-state", "refused")
    expect(line.locator("[name=take_0]")).to_be_editable()
    line.locator("[name=take_0]").fill("15")
    for _box in range(6):
        page.keyboard.press("Enter")
    expect(line).to_have_attribute("data-state", "recorded")
    expect(another).to_have_count(0)
    assert at(page) == f"deal-{second.pk}-1-bid_side"


def test_tab_goes_through_a_line_in_the_order_of_the_card_and_to_save_last(
    club, actor, rules_for, signed_in, scorekeeper
):
    event, _draw, games = a_round(rules_for("hand-and-foot"), actor)
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event))
    line = page.locator(f"#deal-{games[0].pk}-1")
    boxes = line.locator("td.box input").evaluate_all("boxes => boxes.map(box => box.id)")
    assert at(page) == boxes[0]
    for box in boxes[1:]:
        page.keyboard.press("Tab")
        assert at(page) == box
    page.keyboard.press("Tab")
    expect(line.get_by_role("button", name="Save")).to_be_focused()


def test_the_arrows_move_and_esc_takes_back(night):
    page, (first, second) = night
    key(page, keyed(a_deal())[:3])
    assert at(page) == f"deal-{first.pk}-1-take_0"
    page.keyboard.press("ArrowLeft")
    assert at(page) == f"deal-{first.pk}-1-meld_0"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(page) == f"deal-{first.pk}-1-written_0"
    page.keyboard.press("ArrowDown")
    assert at(page) == f"deal-{second.pk}-1-written_0"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    line = page.locator(f"#deal-{first.pk}-1")
    assert at(page) == f"deal-{first.pk}-1-bid_side"
    assert line.locator("input[name=bid]").input_value() == ""
    page.keyboard.press("Escape")
    assert line.locator("input[name=bid]").input_value() == "20"
    page.keyboard.press("PageDown")
    assert at(page) == f"deal-{second.pk}-1-bid_side"
    page.keyboard.type("/1")
    page.keyboard.press("Enter")
    assert at(page) == f"deal-{first.pk}-1-take_0"  # the first box that is empty
    page.keyboard.type("/9")
    page.keyboard.press("Enter")
    expect(page.locator("#table-said")).to_contain_text("No table with that number")
    page.keyboard.press("Escape")
    assert at(page) == f"deal-{first.pk}-1-take_0"


@pytest.mark.proof
def test_the_number_of_a_table_with_several_groups_leads_to_its_first_open_one(club, actor, signed_in, scorekeeper):
    event = contests.contest(club, actor, places=9)
    contests.enter(event, actor, contests.NAMES[:9])
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    page = signed_in(scorekeeper)
    page.goto(reverse("stage_keying", args=[club.slug, event.slug, draw.pk]))
    (game,) = Game.objects.filter(group_game__group__table__number=2)
    page.keyboard.type("/2")
    page.keyboard.press("Enter")
    assert at(page).startswith(f"deal-{game.pk}-1-")
    second = Game.objects.get(group_game__group__table__number=1, group_game__group__number=2)
    page.keyboard.type("/1b")
    page.keyboard.press("Enter")
    assert at(page).startswith(f"deal-{second.pk}-1-")
    page.keyboard.type("/1")
    page.keyboard.press("Enter")
    assert at(page).startswith(f"deal-{second.pk - 1}-1-")


def test_what_is_begun_while_the_last_deal_is_on_its_way_goes_on_at_the_next_table(night):
    page, (first, second) = night
    gate = Gate(page, "**/keying/")
    key(page, keyed(WINNING))
    expect(page.locator(f"#deal-{first.pk}-1")).to_contain_text("Enter again")
    gate.shut()
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.keyboard.type("2")
    assert at(page) == f"deal-{first.pk}-2-bid"
    gate.open()
    expect(page.locator(f"#deal-{second.pk}-1")).to_contain_text("table 1")
    assert at(page) == f"deal-{second.pk}-1-bid"
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    key(page, keyed(a_deal())[2:])
    settled(page)
    expect(page.locator(f"#deal-{second.pk}-1")).to_have_attribute("data-state", "recorded")
    assert DealVersion.objects.get(deal__game=second).facts["bid"] == 20
    assert DealVersion.objects.filter(deal__game=first).count() == 1


@pytest.mark.proof
def test_a_last_deal_that_somebody_else_recorded_otherwise_holds_the_focus(night, signed_in, scorekeeper):
    page, games = night
    other = signed_in(scorekeeper, viewport={"width": 1366, "height": 400})
    other.goto(page.url)
    for game in games:
        key(page, keyed(WINNING))
        expect(page.locator(f"#deal-{game.pk}-1")).to_contain_text("Enter again")
        page.keyboard.press("Enter")
        settled(page)
        line = other.locator(f"#deal-{game.pk}-1")
        line.locator("input[name=bid_side]").focus()
        key(other, keyed(replace(WINNING, take=(10, 15))))
        expect(line).to_contain_text("before you")
        settled(other)
        expect(line.locator(".said-words")).to_be_in_viewport(ratio=1)
    expect(line.get_by_role("link", name="Correct deal 1")).to_be_focused()
    assert at(page) == "keyed"


@pytest.mark.proof
def test_a_line_not_recorded_while_another_is_typed_is_come_back_to_at_the_end(night, signed_in, scorekeeper):
    page, (first, second) = night
    other = signed_in(scorekeeper, viewport={"width": 1366, "height": 400})
    other.goto(page.url)
    gate = Gate(other, "**/keying/")
    for tab in (page, other):
        key(tab, keyed(WINNING if tab == page else replace(WINNING, take=(10, 15))))
        expect(tab.locator(f"#deal-{first.pk}-1")).to_contain_text("Enter again")
    page.keyboard.press("Enter")
    settled(page)
    gate.shut()
    other.keyboard.press("Enter")
    other.keyboard.press("PageDown")
    key(other, keyed(WINNING)[:-1])
    gate.open()
    late = other.locator(f"#deal-{first.pk}-1")
    expect(late).to_contain_text("before you")
    assert at(other) == f"deal-{second.pk}-1-written_sets"
    other.keyboard.press("Enter")
    expect(other.locator(f"#deal-{second.pk}-1")).to_contain_text("Enter again")
    other.keyboard.press("Enter")
    expect(late.get_by_role("link", name="Correct deal 1")).to_be_focused()
    expect(late.locator(".said-words")).to_be_in_viewport(ratio=1)


def test_without_network_a_line_stays_and_is_sent_once_when_it_is_back(club, actor, rules_for, signed_in, scorekeeper):
    event, _draw, (game, _other) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper, may_say=("ERR_INTERNET_DISCONNECTED",))
    page.goto(address(event))
    page.context.set_offline(True)
    key(page, keyed(a_deal()))
    line = page.locator(f"#deal-{game.pk}-1")
    expect(line).to_contain_text("Not sent yet: no connection")
    key(page, keyed(a_deal(bid=21)))
    expect(page.locator(f"#deal-{game.pk}-2")).to_contain_text("Not sent yet")
    page.context.set_offline(False)
    expect(line).to_have_attribute("data-state", "recorded")
    expect(page.locator(f"#deal-{game.pk}-2")).to_have_attribute("data-state", "recorded")
    assert [v.facts["bid"] for v in DealVersion.objects.order_by("deal__number")] == [20, 21]


def test_a_second_keying_by_keyboard_ends_with_what_is_left_to_be_looked_at(night, signed_in, club, director):
    page, games = night
    key(page, keyed(a_deal()))
    key(page, keyed(a_deal(bid=21)))
    settled(page)
    want_second_keying(round=Round.objects.get(), by=Actor(director, "Dora"), wanted=True)
    second = signed_in(director, viewport={"width": 1366, "height": 768})
    second.goto(address(Event.objects.get(), "round_second_keying"))
    assert at(second) == f"deal-{games[0].pk}-1-bid_side"
    key(second, keyed(a_deal()))
    settled(second)
    expect(second.locator(f"#deal-{games[0].pk}-1")).to_contain_text("keyed twice, the same")
    key(second, keyed(a_deal(bid=22)))
    other = second.locator(f"#deal-{games[0].pk}-2")
    expect(other).to_contain_text("The first keying has other figures")
    settled(second)
    assert at(second) == f"deal-{games[0].pk}-2-written_sets"
    second.keyboard.press("Enter")
    expect(other).to_contain_text("the director checks it")
    assert at(second) == "keyed"
    assert [one.number for one in open_differences(Event.objects.get())] == [2]
    assert barriers(second) == []


def test_who_is_logged_out_meanwhile_is_told_and_keeps_the_line(night):
    page, games = night
    key(page, keyed(a_deal())[:-1])
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.press("Enter")
    line = page.locator(f"#deal-{games[0].pk}-1")
    expect(line).to_contain_text("you are logged out")
    assert line.locator("input[name=bid]").input_value() == "20"
    assert not DealVersion.objects.exists()


@pytest.mark.proof
def test_a_server_that_never_answers_is_asked_again(night):
    """As a laptop that died with the Wi-Fi still up."""
    page, (game, _other) = night
    page.clock.install()
    gate = Gate(page, "**/keying/")
    gate.shut()
    key(page, keyed(a_deal()))
    line = page.locator(f"#deal-{game.pk}-1")
    expect(line).to_have_attribute("data-state", "saving")
    page.clock.fast_forward(8_000)
    expect(line).to_contain_text("Not sent yet: no connection")
    assert at(page) == f"deal-{game.pk}-2-bid_side"
    gate.open()
    page.clock.fast_forward(5_000)
    expect(line).to_have_attribute("data-state", "recorded")
    assert DealVersion.objects.count() == 1
