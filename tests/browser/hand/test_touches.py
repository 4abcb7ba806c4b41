"""How many touches a deal takes on a phone, from Save to Save, and that nobody has to swipe for it."""

import dataclasses
from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.deals import true_deal
from scoring.cards.queries import card_of
from scoring.cards.submit import deal_form
from scoring.engine.contract import Alone, Call, ContractDeal, Trump
from scoring.engine.core.ruleset import Shape
from scoring.engine.cribbage import CribbageDeal
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.models import DealVersion
from tests.browser.hand.thumb import PHONE, Thumb
from tests.browser.hands_on import overflow, said
from tests.examples import as_proof
from tests.scoring.conftest import a_deal

pytestmark = pytest.mark.django_db(transaction=True)

MOST_TOUCHES, MOST_OF_ST_HILARY = 12, 9
LONG_WAY = PartnershipDeal(bid_side=1, bid=24, meld=(6, 30), take=(2, 23), last_trick=1)
"""A deal that takes as many touches as any with figures of two places: of 6 and of 2 the pad can't know the end."""


def enter(thumb, deal):
    """A deal of St. Hilary, from who holds the bid to Save. What the others took is filled in."""
    thumb.choose("bid_side", deal.bid_side)
    thumb.fill({"bid": deal.bid, "meld_0": deal.meld[0], "take_0": deal.take[0], "meld_1": deal.meld[1]})
    thumb.choose("last_trick", deal.last_trick)
    thumb.save()


@pytest.mark.parametrize("deal", [as_proof([a_deal()]), LONG_WAY], ids=["usual", "long"])
def test_a_st_hilary_deal_takes_few_touches_and_no_swipe(phone, thumb, game_of, deal):
    game = game_of("st-hilary-v3")
    phone.goto(game.get_absolute_url())
    enter(thumb, a_deal())
    expect(said(phone)).to_contain_text("Deal 1 is recorded")

    thumb.touches = 0
    enter(thumb, deal)
    expect(said(phone)).to_contain_text("Deal 2 is recorded")
    assert thumb.touches <= MOST_OF_ST_HILARY
    assert phone.evaluate("scrollY") == 0
    recorded = DealVersion.objects.get(deal__number=2)
    assert game.rules.family.read(recorded.facts) == deal


USUAL, LONG = 1, 10
"""Seeds of deals as the program plays them. Who went out, Save, and for each side: its clean and dirty piles in one
touch, its wild piles and red threes in one, card points melded in two (their hundreds and then the figure), points left
in one under four hundred, in two above: never under 12. More are for a red three that wasn't tabled, and for more than
nine clean piles, seven red threes, five dirty or two wild piles. The form scrolls to its fields by itself.

In 1,000 deals it is 12 in 640, 13 in 274, 14 in 71, 15 in 14 and 17 in one, 12.5 on the mean; with a touch for each
count it was 17.2. Of the 360 above 12, 212 have a red three that wasn't tabled and nothing else: a fact that most deals
haven't is a touch more. Ten rows of wild piles and red threes would make it 690, and hide the piles just typed; a key
for each figure from 800 to 1195 melded 935, on eighty keys of four digits: no check finds a slip to the next one."""


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("rules", "seed", "most"),
    [
        pytest.param("hand-and-foot", USUAL, MOST_TOUCHES, id="usual"),
        pytest.param("canasta", USUAL, MOST_TOUCHES, id="canasta"),
        pytest.param("hand-and-foot", LONG, 15, id="long"),
    ],
)
def test_a_deal_of_melds_takes_few_touches_and_no_swipe(phone, thumb, game_of, rules, seed, most):
    game = game_of(rules)
    family, rules = game.rules.family, game.engine_rules
    facts = true_deal(family, Random(seed), rules, deals_before=0)
    shown = deal_form(card_of(game)).field_values(facts)
    phone.goto(game.get_absolute_url())
    thumb.choose("out", shown["out"])
    if facts.out is not None:
        expect(phone.locator(f"[name=red_threes_missed_{facts.out}]")).to_have_value("0")
    figures = [name for name in rules.figures if name != "red_threes_missed"]
    for side in range(2):
        thumb.fill({f"{n}_{side}": shown[f"{n}_{side}"] for n in figures if n not in ("melded", "left")})
        rare = phone.locator(f"[name=red_threes_missed_{side}]").locator("xpath=..")
        for _red_three in range(shown[f"red_threes_missed_{side}"]):
            thumb.tap(rare.get_by_label("One more"))
        thumb.fill({f"{n}_{side}": shown[f"{n}_{side}"] for n in ("melded", "left")})
    thumb.save()
    expect(said(phone)).to_contain_text("Deal 1 is recorded")
    assert thumb.touches <= most
    recorded = family.read(DealVersion.objects.get().facts)
    assert family.score(recorded, rules) == family.score(facts, rules)


def top(spot):
    box = spot.bounding_box()
    return box["y"]


def bottom(spot):
    box = spot.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.daily(1)
@pytest.mark.parametrize("deals", [0, 1])
def test_a_whole_deal_is_in_sight_with_the_pad_and_save(phone, thumb, pinochle, deals):
    """Also below the word of the deal before."""
    for _deal in range(deals):
        enter(thumb, a_deal())
    expect(said(phone)).to_have_count(deals)
    edge = top(phone.locator(".dock"))
    assert top(phone.get_by_role("group", name="Who holds the bid?")) < 200
    for field in phone.locator("form.deal-form .blocks :is(label.btn, input.figure):visible").all():
        if field.evaluate("field => !field.closest('details')"):
            assert bottom(field) <= edge
    height = PHONE["viewport"]["height"]
    assert bottom(phone.get_by_role("button", name="Save", exact=True)) <= height


def test_the_next_deal_is_ready_where_the_last_one_was(phone, thumb, pinochle):
    first = phone.locator("label[for=id_bid_side_0]")
    enter(thumb, a_deal())
    ready = top(first)
    enter(thumb, a_deal())
    assert top(first) == ready
    assert phone.evaluate("scrollY") == 0
    told = said(phone)
    expect(told).to_contain_text("Deal 2 is recorded: Ann Lee & Bob Wu 25, Cal Poe & Dee Fitzgerald 16.")
    assert overflow(phone) == 0
    told.get_by_role("link", name="Change").click()
    expect(phone.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    expect(phone.locator("[name=meld_0]")).to_have_value("10")


def test_the_first_problem_is_in_sight_and_leads_to_all_of_them(phone, thumb, pinochle):
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 14, "meld_0": 10, "take_0": 16, "meld_1": 30})
    thumb.tap(phone.locator("[name=take_1]"))
    thumb.figures(10)
    first = phone.locator("#bar .first-problem")
    expect(first).to_contain_text("1 of 2 problems")
    expect(first).to_be_in_viewport(ratio=1)
    assert phone.evaluate("scrollY") == 0
    expect(phone.locator("#bar .points")).to_have_text(["+26", "+40"])
    thumb.tap(first.get_by_role("link"))
    expect(phone.locator("#problems")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#problems .problem")).to_have_count(2)
    expect(phone.locator("#problems")).to_contain_text("comes to 26")
    phone.locator("#problems .problem a").last.click()
    expect(phone.locator("[name=take_0]")).to_be_focused()


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("rules", "seed", "most"),
    [
        pytest.param("spades", 4, 7, id="spades"),
        pytest.param("spades", 6, 7, id="nil"),
        pytest.param("oh-hell", 6, 8, id="oh-hell"),
        pytest.param("hearts", 6, 6, id="hearts"),
    ],
)
def test_a_deal_of_bids_or_penalty_cards_takes_few_touches_and_no_swipe(new_phone, game_of, rules, seed, most):
    """Spades: four bids, one or two for the tricks of a side, Save; the others' tricks follow. One more for each nil,
    what it took. Oh hell for four: four bids, three players' tricks, Save. Hearts: three players'
    hearts, the queen, Save. A figure of ten and more is a touch more, as is one of 1 that may go on."""
    game, thumb = game_of(rules), Thumb(new_phone)
    family, rules = game.rules.family, game.engine_rules
    facts = true_deal(family, Random(seed), rules, deals_before=0)
    facts = dataclasses.replace(facts, **({"blind": ()} if hasattr(facts, "blind") else {}))
    form = deal_form(card_of(game))
    shown = form.field_values(facts)
    new_phone.goto(game.get_absolute_url())
    fields = [field for block in form.blocks() for field in block.fields]
    last = next(name for name in ("tricks", "hearts") if f"{name}_0" in form.fields)
    skipped = {f"{last}_{rules.shape.sides - 1}", "cards"}
    for field in fields:
        if field.name == "queen":
            thumb.choose(field.name, shown[field.name])
        elif field.name in shown and field.name not in skipped:
            thumb.fill({field.name: shown[field.name]})
    thumb.save()
    expect(said(new_phone)).to_contain_text("Deal 1 is recorded")
    assert thumb.touches <= most
    recorded = family.read(DealVersion.objects.get().facts)
    assert family.score(recorded, rules) == family.score(facts, rules)


EUCHRE = ContractDeal(bidder=1, tricks=(2, 3))
LONE = ContractDeal(bidder=1, tricks=(0, 5), alone=Alone.MAKER)
HEARTS = ContractDeal(bidder=0, bid=8, trump=Trump.HEARTS, tricks=(8, 2))
SLAM = ContractDeal(bidder=0, bid=7, trump=Trump.NO_TRUMP, tricks=(10, 0))
MISERE = ContractDeal(bidder=1, call=Call.OPEN_MISERE, tricks=(9, 1))
ONE = ContractDeal(bidder=1, bid=9, trump=Trump.CLUBS, tricks=(1, 9))
MOON = ContractDeal(bidder=0, call=Call.MOON, tricks=(6, 0))
BID = ContractDeal(bidder=1, bid=4, tricks=(2, 4))
THREE = ContractDeal(bidder=2, bid=8, trump=Trump.HEARTS, tricks=(2, 0, 8))
FIVE = ContractDeal(bidder=2, bid=7, trump=Trump.SPADES, tricks=(0, 2, 6, 2, 0))
WHIST = ContractDeal(tricks=(4, 9))


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("slug", "deal", "most"),
    [
        pytest.param("euchre-by-tricks", LONE, 4, id="lone hand"),
        pytest.param("five-hundred-by-contract", SLAM, 6, id="slam"),
        pytest.param("euchre-by-tricks", EUCHRE, 3, id="euchre"),
        pytest.param("five-hundred-by-contract", HEARTS, 4, id="five hundred"),
        pytest.param("five-hundred-by-contract", MISERE, 4, id="misère"),
        pytest.param("five-hundred-by-contract", ONE, 4, id="one"),
        pytest.param("five-hundred-by-contract", THREE, 5, id="five hundred for three"),
        pytest.param("five-hundred-by-contract", FIVE, 7, id="five hundred for five"),
        pytest.param("bid-euchre", BID, 4, id="bid euchre"),
        pytest.param("bid-euchre", MOON, 4, id="moon"),
        pytest.param("whist-with-honours", WHIST, 3, id="whist"),
    ],
)
def test_a_deal_of_tricks_takes_few_touches_and_no_swipe(new_phone, game_of, slug, deal, most):
    """Also with the plain keys: nobody has to ask for more. Each for themselves, every player's tricks but one's are a
    touch: seven for five."""
    shape = Shape(len(deal.tricks)) if len(deal.tricks) > 2 else None
    game, thumb = game_of(slug, shape), Thumb(new_phone)
    new_phone.goto(game.get_absolute_url())
    shown = deal_form(card_of(game)).field_values(deal)
    if deal.bidder is not None:
        thumb.choose("bidder", deal.bidder)
    if shown["contract"]:
        thumb.choose("contract", shown["contract"])
    if deal.alone:
        thumb.choose("alone", deal.alone)
    assert thumb.where() == "tricks_0"
    thumb.fill({f"tricks_{side}": tricks for side, tricks in enumerate(deal.tricks[:-1])})
    thumb.save()
    expect(said(new_phone)).to_contain_text("Deal 1 is recorded")
    assert thumb.touches <= most
    assert game.rules.family.read(DealVersion.objects.get().facts) == deal


@pytest.mark.proof
def test_a_deal_of_cribbage_takes_eight_touches_at_most(phone, thumb, game_of):
    game = game_of("cribbage-by-deal")
    phone.goto(game.get_absolute_url())
    thumb.choose("dealer", 1)
    thumb.fill({"pegging_0": 2, "pegging_1": 13, "hands_0": 8, "hands_1": 12, "crib": 10})
    thumb.save()
    expect(said(phone)).to_contain_text("Deal 1 is recorded")
    assert thumb.touches <= 8
    assert game.rules.family.read(DealVersion.objects.get().facts) == CribbageDeal(
        dealer=1, pegging=(2, 13), hands=(8, 12), crib=10
    )
