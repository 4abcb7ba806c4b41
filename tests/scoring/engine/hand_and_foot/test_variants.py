"""The rule sets of Hand and Foot and canasta: no true deal is refused, and what each has from its source."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.hand_and_foot import play, play_both_ways
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.engine.hand_and_foot.cards import side_totals
from scoring.engine.hand_and_foot.scoring import check, score
from tests.examples import cases
from tests.scoring.engine.hand_and_foot.columns import PARTNERS, RULE_SET, SIMPSON, codes, deal, stopped

SLUGS = [slug for slug, rule_set in shipped().items() if rule_set.family == RULE_SET.family]
COUNTED = [slug for slug in SLUGS if not shipped()[slug].values["sequences"]]
SASKATCHEWAN, BICYCLE, CHOOSE = (
    rules_of(shipped()[f"hand-and-foot-{name}"]) for name in ("saskatchewan", "bicycle", "choose-your-foot")
)


# --- true deals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", cases(12, proof=100))
@pytest.mark.parametrize(
    ("slug", "shape"), [(slug, shape) for slug in SLUGS for shape in shipped()[slug].shapes], ids=str
)
def test_no_true_card_is_refused(slug, shape, deals, tried):
    rules, rng = rules_of(shipped()[slug], shape), Random(7)
    tried(deals)
    for number in range(deals):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == (), facts
        out = () if facts.out is None else (facts.sides[facts.out],)
        assert [getattr(side, name) for side in out for name in rules.zero_when_out if getattr(side, name)] == []


@pytest.mark.parametrize("deals", cases(4, proof=40))
@pytest.mark.parametrize("slug", COUNTED)
def test_a_true_deal_is_the_same_in_either_depth(slug, deals, tried):
    for shape in shipped()[slug].shapes:
        rules, rng = rules_of(shipped()[slug], shape), Random(f"{slug}{shape}")
        tried(deals)
        for number in range(deals):
            figures, cards = play_both_ways(rng, rules, deals_before=number % 4)
            assert [side_totals(card, rules) for card in cards.sides] == [side_totals(c, rules) for c in figures.sides]
            assert score(cards, rules) == score(figures, rules)
            both = replace(
                figures,
                sides=tuple(
                    replace(noted, counted=card.counted) for noted, card in zip(figures.sides, cards.sides, strict=True)
                ),
            )
            assert [check(facts, rules) for facts in (figures, cards, both)] == [(), (), ()]
            assert from_data(HandAndFootDeal, to_data(both)) == both


def test_true_deals_are_of_every_kind():
    rng = Random(3)
    deals = [play(rng, PARTNERS, deals_before=number % 4) for number in range(150)]
    cards = [card for facts in deals for card in facts.sides]
    assert {facts.out for facts in deals} == {0, 1, None}
    assert sum(facts.out is not None for facts in deals) > len(deals) // 3
    assert any(card.red_threes_missed for card in cards)
    assert any(card.wild for card in cards)
    assert len({score(facts, PARTNERS).totals for facts in deals}) == len(deals)


def test_who_may_float_ends_a_deal_without_a_card_and_not_out():
    """Such cards are true where floating is played, and refused where it isn't."""
    rules, rng = rules_of(shipped()["hand-and-foot-choose-your-foot"], Shape(3, 1)), Random(2)
    deals = [play(rng, rules, deals_before=number % 4) for number in range(150)]
    floated = [facts for facts in deals for n, card in enumerate(facts.sides) if facts.out != n and not card.left]
    assert floated
    strict = replace(rules, may_float=False)
    assert all("left-none" in codes(check(facts, strict)) for facts in floated)


# --- what the sources say ------------------------------------------------------------------------------


def test_every_red_three_costs_500_in_steve_simpsons_game():
    """Tabled or not: 300 and 100 for the piles, 100 for going out, and nobody has a wild pile."""
    out = SideCard(clean=1, dirty=1, red_threes=2, melded=230)
    caught = SideCard(clean=1, red_threes=1, red_threes_missed=2, melded=100, left=120)
    others = SideCard(left=300), SideCard(left=330, red_threes=1)
    facts = deal(out, caught, *others, number=1)
    assert score(facts, SIMPSON).totals == (230 + 400 + 100 - 1000, 100 + 300 - 1500 - 120, -300, -330 - 500)
    assert check(facts, SIMPSON) == ()


@pytest.mark.parametrize(
    ("rules", "dealt", "needs"),
    [
        (PARTNERS, 52, (2, 2, 1)),
        (SASKATCHEWAN, 48, (1, 1, 1)),
        (BICYCLE, 44, (1, 1, 0)),
        (SIMPSON, 22, (1, 1, 0)),
        (CHOOSE, 52, (2, 2, 1)),
    ],
)
def test_each_deals_its_own_cards_and_needs_its_own_piles_to_go_out(rules, dealt, needs):
    assert (rules.dealt, rules.needs_to_go_out(1)) == (dealt, needs)
    sides = rules.shape.sides
    assert "left-low" not in codes(check(stopped(*[SideCard(left=600)] * sides), rules))
    assert "left-low" in codes(check(stopped(*[SideCard(left=5 * dealt - 5)] * sides), rules))


@pytest.mark.parametrize(
    ("slug", "rulings"),
    [
        ("hand-and-foot", {"wild_pile", "out_wild"}),
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
    rules = rules_of(shipped()[slug])
    assert (rules.naturals_per_wild, rules.naturals_least, rules.wilds_most) == (0, 2, 3)
    assert not shipped()[slug].by_name["naturals_per_wild"].ruling
