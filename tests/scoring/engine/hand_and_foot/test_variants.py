"""The rule sets beside Hand and Foot itself: other cards dealt, other piles, red threes and ways to end a turn."""

from dataclasses import fields, replace
from random import Random

import pytest

from lab.simulation.hand_and_foot import play, played
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import HandAndFootRules, SideCard
from scoring.engine.hand_and_foot.scoring import check, score
from tests.examples import cases
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, RULE_SET, codes, deal, stopped, wrong

VARIANTS = tuple(f"hand-and-foot-{name}" for name in ("003", "saskatchewan", "bicycle", "simpson", "choose-your-foot"))
OTHERS = ("hand-knee-and-foot", "burraco", "buraco", *(slug for slug in shipped() if "canasta" in slug))
SASKATCHEWAN, BICYCLE, SIMPSON, CHOOSE = (rules_of(shipped()[slug]) for slug in VARIANTS[1:])
OFFERED = [(slug, shape) for slug in VARIANTS + OTHERS for shape in shipped()[slug].shapes]


@pytest.mark.parametrize("deals", cases(12, proof=100))
@pytest.mark.parametrize(("slug", "shape"), OFFERED, ids=str)
def test_no_true_card_is_refused(slug, shape, deals, tried):
    rules, rng = rules_of(shipped()[slug], shape), Random(7)
    tried(deals)
    for number in range(deals):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == (), facts
        out = () if facts.out is None else (facts.sides[facts.out],)
        assert [getattr(side, name) for side in out for name in rules.zero_when_out if getattr(side, name)] == []


def test_a_wild_pile_is_150_where_document_003_is_played():
    """It has no bonus for a red three that isn't tabled, but no minus either."""
    assert score(deal(), rules_of(shipped()["hand-and-foot-003"])).totals == (4855 - 1350, 1340 + 100)


def test_every_red_three_costs_500_in_steve_simpsons_game():
    """Tabled or not: 300 and 100 for the piles, 100 for going out, and nobody has a wild pile."""
    out = SideCard(clean=1, dirty=1, red_threes=2, melded=230)
    caught = SideCard(clean=1, red_threes=1, red_threes_missed=2, melded=100, left=120)
    others = SideCard(left=300), SideCard(left=330, red_threes=1)
    facts = deal(out, caught, *others, number=1)
    assert score(facts, SIMPSON).totals == (230 + 400 + 100 - 1000, 100 + 300 - 1500 - 120, -300, -330 - 500)
    assert check(facts, SIMPSON) == ()


@pytest.mark.parametrize(
    ("rules", "needs"), [(SASKATCHEWAN, (1, 1, 1)), (BICYCLE, (1, 1, 0)), (SIMPSON, (1, 1, 0)), (CHOOSE, (2, 2, 1))]
)
def test_going_out_needs_other_piles_in_other_rules(rules, needs):
    clean, dirty, wild = needs
    held = rules.shape.sides - 1
    out = SideCard(clean=clean, dirty=dirty, wild=wild, melded=600, left=0 if rules.shape.per_side == 1 else 50)
    caught = [SideCard(clean=1, melded=400, left=300)] * held
    assert codes(check(deal(out, *caught), rules)) == set()
    for lacking in ("clean", "dirty"):
        short = replace(out, **{lacking: getattr(out, lacking) - 1})
        assert codes(check(deal(short, *caught), rules)) == {"out-piles"}, lacking


@pytest.mark.parametrize(
    ("rules", "dealt"), [(PARTNERS, 52), (SASKATCHEWAN, 48), (BICYCLE, 44), (SIMPSON, 22), (CHOOSE, 52)]
)
def test_as_many_cards_are_held_as_the_rules_deal(rules, dealt):
    assert rules.dealt == dealt
    sides = rules.shape.sides
    held = SideCard(left=5 * (dealt - 20) + 20 * 10)  # the cards of twenty a side or fewer are fives and above
    assert "left-low" not in codes(check(stopped(*[replace(held, left=600)] * sides), rules))
    assert "left-low" in codes(check(stopped(*[replace(held, left=5 * dealt - 5)] * sides), rules))


@pytest.mark.parametrize("rules", [BICYCLE, SIMPSON])
def test_these_rules_know_no_wild_pile(rules):
    cards = [SideCard(wild=1, melded=300, left=300), *[SideCard(left=600)] * (rules.shape.sides - 1)]
    problem, args = wrong(stopped(*cards), "no-wild-piles", rules)
    assert (problem.severity, args) == (Severity.AGAINST_RULES, {"wild": 1})


def test_who_may_float_ends_a_deal_without_a_card_and_not_out():
    """Such cards are true where floating is played, and refused where it isn't."""
    rules, rng = rules_of(shipped()["hand-and-foot-choose-your-foot"], Shape(3, 1)), Random(2)
    deals = [play(rng, rules, deals_before=number % 4) for number in range(150)]
    floated = [facts for facts in deals for n, card in enumerate(facts.sides) if facts.out != n and not card.left]
    assert floated
    strict = replace(rules, may_float=False)
    assert all("left-none" in codes(check(facts, strict)) for facts in floated)


@pytest.mark.parametrize("name", ["choose_foot", "foot_takes_all"])
def test_choosing_a_foot_and_taking_the_whole_pile_change_the_play(name):
    changed = replace(PARTNERS, **{name: True})
    pairs = [(play(Random(n), PARTNERS, deals_before=0), play(Random(n), changed, deals_before=0)) for n in range(5)]
    assert any(usual != other for usual, other in pairs)
    assert all(check(other, PARTNERS) == () for _, other in pairs)


def test_these_rule_sets_are_of_this_family():
    family = {slug for slug, rule_set in shipped().items() if rule_set.family == RULE_SET.family}
    assert family == {RULE_SET.slug, *VARIANTS, *OTHERS}


@pytest.mark.parametrize("slug", VARIANTS + OTHERS)
def test_the_settings_are_exactly_those_of_the_rules(slug):
    assert {s.name for s in shipped()[slug].settings} == {f.name for f in fields(HandAndFootRules)} - {"shape"}


@pytest.mark.parametrize(
    ("slug", "rulings"),
    [
        ("hand-and-foot-003", {"deals", "first_meld"}),
        ("hand-and-foot-saskatchewan", {"wild_pile"}),
        ("hand-and-foot-bicycle", set()),
        ("hand-and-foot-simpson", set()),
        ("hand-and-foot-choose-your-foot", {"wild_pile", "out_wild", "may_float"}),
    ],
)
def test_what_is_a_ruling_is_marked(slug, rulings):
    assert {s.name for s in shipped()[slug].settings if s.ruling} == rulings


@pytest.mark.parametrize(
    ("slug", "differs"),
    [
        ("hand-and-foot-003", {"wild_pile", "red_three_missed"}),
        ("hand-and-foot-saskatchewan", {"hand", "out_clean", "out_dirty"}),
        ("hand-and-foot-bicycle", {"hand", "foot", "wild_pile", "wild_melds", "out_clean", "out_dirty", "out_wild"}),
        ("hand-and-foot-choose-your-foot", {"may_float", "foot_takes_all", "choose_foot"}),
    ],
)
def test_a_variant_differs_in_what_its_source_says_and_in_nothing_else(slug, differs):
    usual = RULE_SET.values
    assert {name for name, value in shipped()[slug].values.items() if value != usual[name]} == differs
    assert shipped()[slug].shapes == RULE_SET.shapes


def test_what_document_001_doesnt_have_is_a_ruling_of_hand_knee_and_foot():
    """Of the figures of that game 001 has the packets, the upcards and \"usually 50 points\" for a first meld."""
    shipped_settings = shipped()["hand-knee-and-foot"].by_name
    for name in (
        *("clean_pile", "dirty_pile", "wild_pile", "out_bonus", "special_books", "first_meld", "first_meld_scores"),
        *("out_clean", "out_dirty", "out_wild", "out_special", "out_piles", "out_concealed"),
    ):
        setting = shipped_settings[name]
        assert setting.ruling, name
        assert not setting.source.startswith("001"), name
    assert not shipped_settings["knee"].ruling


@pytest.mark.parametrize("slug", ["canasta", "canasta-two-hand", "canasta-three-hand"])
def test_canasta_is_played_with_two_natural_cards_and_up_to_three_wild_ones(slug):
    rules = rules_of(shipped()[slug], shipped()[slug].shapes[0])
    assert (rules.naturals_per_wild, rules.naturals_least, rules.wilds_most) == (0, 2, 3)
    assert not shipped()[slug].by_name["naturals_per_wild"].ruling
    rng = Random(11)
    laid = [
        meld
        for number in range(150)
        for side in played(rng, rules, deals_before=number % 4)[1].sides
        if side.counted
        for meld in side.counted.melds
        if meld.rank != "wild"
    ]
    assert any(meld.wilds > meld.naturals for meld in laid)
    assert all(meld.naturals >= 2 and meld.wilds <= 3 for meld in laid)
