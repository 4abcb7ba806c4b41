"""Hand and Foot from what the card shows: the score, what is wrong with a card, and that no true card is refused."""

from dataclasses import fields, replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.simulation.hand_and_foot import play
from scoring import wording
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import (
    CardsLeft,
    CountedCards,
    HandAndFootDeal,
    HandAndFootRules,
    RankMeld,
    SideCard,
)
from scoring.engine.hand_and_foot.cards import Piles, limits_of
from scoring.engine.hand_and_foot.scoring import check, score
from tests.examples import cases

RULE_SET = shipped()["hand-and-foot"]
PARTNERS = rules_of(RULE_SET, Shape(2, 2))
TWO_PLAYERS = rules_of(RULE_SET, Shape(2, 1))

WENT_OUT = SideCard(clean=3, dirty=2, wild=1, red_threes=4, melded=800, left=45)
CAUGHT = SideCard(clean=1, dirty=2, red_threes=2, red_threes_missed=1, melded=400, left=260)


def deal(*sides, **facts):
    return HandAndFootDeal(sides=sides or (WENT_OUT, CAUGHT), **({"out": 0} | facts))


def stopped(*sides, **facts):
    return deal(*sides, **({"out": None} | facts))


def codes(problems):
    return {problem.code.removeprefix("hand-and-foot.") for problem in problems}


def wrong(facts, code, rules=PARTNERS):
    """The problem of that code, and its arguments; there must be exactly one."""
    (problem,) = (p for p in check(facts, rules) if p.code == f"hand-and-foot.{code}")
    return problem, dict(problem.args)


# --- the score -----------------------------------------------------------------------------------------


def test_a_card_is_scored_line_by_line():
    result = score(deal(), PARTNERS)
    lines = [(line.side, line.points, line.rule.removeprefix("hand-and-foot.")) for line in result.lines]
    assert lines == [
        (0, 800, "melded"), (0, 1500, "clean-piles"), (0, 600, "dirty-piles"), (0, 1500, "wild-piles"),
        (0, 100, "out"), (0, 400, "red-threes"), (0, -45, "left"),
        (1, 400, "melded"), (1, 500, "clean-piles"), (1, 600, "dirty-piles"),
        (1, 200, "red-threes"), (1, -100, "red-threes-missed"), (1, -260, "left"),
    ]  # fmt: skip
    assert result.totals == (4855, 1340)
    assert check(deal(), PARTNERS) == ()


def test_a_line_says_how_many_and_what_each_is_worth():
    lines = {line.rule: dict(line.args) for line in score(deal(), PARTNERS).lines if line.side == 0}
    assert lines["hand-and-foot.clean-piles"] == {"count": 3, "each": 500}
    assert lines["hand-and-foot.left"] == {"points": 45}


def test_nobody_has_the_bonus_when_the_stock_ends():
    assert not any(line.rule == "hand-and-foot.out" for line in score(stopped(), PARTNERS).lines)


def test_another_price_for_a_pile_is_a_setting():
    cheap = replace(PARTNERS, wild_pile=150)
    assert score(deal(), cheap).totals == (4855 - 1350, 1340)


def test_four_deals_are_a_game_and_the_highest_total_wins():
    four = [score(deal(), PARTNERS)] * 4
    assert not progress(four[:3], PARTNERS).over
    assert progress(four, PARTNERS).winners == (0,)


# --- what is wrong with a card -------------------------------------------------------------------------


def test_seven_sixes_are_35_and_not_enough_for_a_first_meld():
    sixes = SideCard(clean=1, melded=35, left=400)
    assert limits_of(PARTNERS).least_melded(Piles(clean=1)) == 35
    problem, args = wrong(deal(WENT_OUT, sixes, number=1), "first-meld")
    assert problem.severity == Severity.AGAINST_RULES
    assert args == {"number": 1, "least": 50, "melded": 35}


@pytest.mark.parametrize(("number", "least"), [(1, 50), (2, 90), (3, 120), (4, 150), (None, 50)])
def test_the_first_meld_needs_more_in_each_deal(number, least):
    def card(melded):
        return stopped(SideCard(melded=melded, left=1500), SideCard(left=600), number=number)

    assert "first-meld" in codes(check(card(least - 5), PARTNERS))
    assert check(card(least), PARTNERS) == ()


def test_a_side_may_have_melded_nothing():
    assert check(stopped(SideCard(left=600), SideCard(red_threes=3, left=500), number=4), PARTNERS) == ()


def test_three_clean_piles_are_105_points_at_least():
    problem, args = wrong(deal(WENT_OUT, SideCard(clean=3, melded=40, left=500)), "melded-low")
    assert (problem.side, problem.field, problem.severity) == (1, "melded", Severity.IMPOSSIBLE)
    assert args == {"clean": 3, "dirty": 0, "wild": 0, "least": 105, "melded": 40}


@pytest.mark.parametrize(("piles", "least"), [((1, 0, 0), 35), ((0, 1, 0), 50), ((0, 0, 1), 140), ((1, 1, 1), 225)])
def test_the_least_that_piles_are_worth(piles, least):
    assert limits_of(PARTNERS).least_melded(Piles(*piles)) == least


def test_low_ranks_run_out():
    """Five decks have twenty cards of each of four ranks of fives: eight clean piles of 35, the ninth is 70."""
    least = limits_of(PARTNERS).least_melded
    assert (least(Piles(clean=8)), least(Piles(clean=9))) == (280, 350)


def test_twos_run_out():
    """Five decks have twenty twos: a third wild pile has a joker at least."""
    least = limits_of(PARTNERS).least_melded
    assert (least(Piles(wild=2)), least(Piles(wild=3))) == (280, 20 * 20 + 50)


def test_points_of_cards_are_multiples_of_five():
    found = check(deal(WENT_OUT, replace(CAUGHT, melded=402, left=261)), PARTNERS)
    assert codes(found) == {"melded-unit", "left-unit"}


def test_going_out_needs_its_piles():
    _, args = wrong(deal(replace(WENT_OUT, wild=0, dirty=1), CAUGHT), "out-piles")
    assert args == {"need_clean": 2, "need_dirty": 2, "need_wild": 1, "clean": 3, "dirty": 1, "wild": 0}


def test_clubs_may_ask_for_two_wild_piles():
    strict = replace(PARTNERS, out_wild=2)
    assert codes(check(deal(), strict)) == {"out-piles"}
    assert check(deal(replace(WENT_OUT, wild=2, melded=1000), CAUGHT), strict) == ()


def test_who_plays_alone_and_goes_out_has_nothing_left():
    out = replace(WENT_OUT, red_threes=1, red_threes_missed=1, melded=700)
    found = check(deal(out, CAUGHT), TWO_PLAYERS)
    assert {"out-left", "out-red-threes"} <= codes(found)
    assert check(deal(replace(out, red_threes_missed=0, left=0), CAUGHT), TWO_PLAYERS) == ()


def test_a_partner_may_still_hold_cards():
    assert check(deal(replace(WENT_OUT, left=350), CAUGHT), PARTNERS) == ()


def test_a_partner_with_a_red_three_is_asked_about():
    problem, _ = wrong(deal(replace(WENT_OUT, red_threes_missed=1), CAUGHT), "out-red-threes-partner")
    assert problem.severity == Severity.UNLIKELY


def test_a_forgotten_figure_for_cards_left_is_noticed():
    for side, holders in ((0, 1), (1, 2)):
        cards = [WENT_OUT, replace(CAUGHT, clean=4, dirty=3, melded=700, red_threes_missed=0)]
        cards[side] = replace(cards[side], left=0)
        problem, args = wrong(deal(*cards), "left-none")
        assert (problem.side, args["holders"], args["least"]) == (side, holders, 5 * holders)


def test_where_floating_is_played_nobody_need_hold_a_card():
    cards = WENT_OUT, replace(CAUGHT, clean=4, dirty=3, melded=700, red_threes_missed=0, left=0)
    assert check(deal(*cards), replace(PARTNERS, may_float=True)) == ()


def test_cards_that_were_dealt_are_melded_or_held():
    """52 dealt; 60 points in melds are twelve cards at most, so forty are held: 200 points at least."""
    _, args = wrong(stopped(SideCard(melded=60, left=150), SideCard(left=500)), "left-low")
    assert args == {"dealt": 52, "melded_cards": 12, "held": 40, "least": 200, "left": 150}
    assert check(stopped(SideCard(melded=60, left=200), SideCard(left=500)), PARTNERS) == ()


def test_red_threes_in_a_foot_are_cards_without_points():
    assert "left-low" in codes(check(stopped(SideCard(left=250), SideCard(left=500)), PARTNERS))
    assert check(stopped(SideCard(left=250, red_threes_missed=2), SideCard(left=500)), PARTNERS) == ()


def test_the_pack_has_ten_red_threes():
    problem, args = wrong(deal(replace(WENT_OUT, red_threes=8), CAUGHT), "red-threes-pack")
    assert (problem.side, args) == (None, {"most": 10, "written": 11})


def test_one_side_can_have_more_piles_than_the_pack():
    problem, _ = wrong(deal(replace(WENT_OUT, wild=5), CAUGHT), "piles")
    assert problem.side == 0
    found = check(deal(replace(WENT_OUT, wild=5), replace(CAUGHT, wild=5)), PARTNERS)
    assert sorted(p.code for p in found if "piles" in p.code) == ["hand-and-foot.piles"] * 2


def test_all_sides_draw_on_one_pack():
    many = SideCard(wild=3, melded=800, left=200)
    _, args = wrong(stopped(many, many), "piles-together")
    assert args == {"clean": 0, "dirty": 0, "wild": 6}


def test_low_cards_serve_only_one_side():
    """Eight clean piles of fives are in the pack, so two sides with six each can't both have only those."""
    low = SideCard(clean=6, melded=210, left=200)
    _, args = wrong(stopped(low, low), "melded-together")
    assert args == {"clean": 12, "dirty": 0, "wild": 0, "least": 8 * 35 + 4 * 70, "melded": 420}


def test_all_points_together_fit_the_pack():
    _, args = wrong(deal(WENT_OUT, replace(CAUGHT, left=2000)), "pack-points")
    assert args == {"most": 2950, "melded": 1200, "left": 2045, "written": 3245}


def test_where_wild_melds_are_not_played_there_is_no_wild_pile():
    without = replace(PARTNERS, wild_melds=False, out_wild=0)
    assert codes(check(deal(), without)) == {"no-wild-piles"}


@pytest.mark.parametrize("number", [0, 5, -1])
def test_a_game_has_four_deals(number):
    assert codes(check(deal(number=number), PARTNERS)) >= {"number"}


@pytest.mark.parametrize("out", [-1, 2, 10**6])
def test_only_a_side_of_the_game_goes_out(out):
    assert "out-side" in codes(check(deal(out=out), PARTNERS))


def test_figures_are_not_negative():
    found = check(deal(replace(WENT_OUT, clean=-1, left=-45), replace(CAUGHT, melded=402)), PARTNERS)
    assert [(p.side, p.field) for p in found if p.code == "hand-and-foot.negative"] == [(0, "clean"), (0, "left")]
    assert "melded-unit" in codes(found)


@pytest.mark.parametrize("sides", [(), (WENT_OUT,), (WENT_OUT, CAUGHT, CAUGHT)])
def test_a_card_has_a_column_for_each_side(sides):
    facts = HandAndFootDeal(sides=sides)
    assert "sides" in codes(check(facts, PARTNERS))
    assert len(score(facts, PARTNERS).totals) == 2


def test_every_problem_is_told_at_once():
    found = check(deal(replace(WENT_OUT, wild=0, melded=52), replace(CAUGHT, left=2, red_threes=20)), PARTNERS)
    assert codes(found) == {"melded-unit", "melded-low", "out-piles", "left-unit", "left-none", "red-threes-pack"}


# --- the bounds, against every pack there is -----------------------------------------------------------


def test_the_pack_holds_as_many_piles_as_counting_rank_by_rank_allows():
    """Three decks (two players): twelve cards of each of eleven ranks, 6 jokers and 12 twos.

    A rank gives one clean pile and no more than a dirty one of five naturals beside it, or two dirty ones.
    """
    fit = limits_of(TWO_PLAYERS).piles_fit
    assert fit(Piles(11, 9))  # five naturals and two wild cards each: 18 wild cards
    assert not fit(Piles(11, 10))
    assert not fit(Piles(12))
    assert fit(Piles(0, 18))
    assert not fit(Piles(0, 19))
    assert fit(Piles(0, 4, 2))
    assert not fit(Piles(0, 5, 2))


@given(st.data())
def test_no_melds_that_a_pack_can_lay_break_the_bounds(data):
    """Melds drawn rank by rank from a real pack, however unlikely in play."""
    limits, values = limits_of(PARTNERS), PARTNERS.values
    jokers, twos = 10, 20
    piles = {"clean": 0, "dirty": 0, "wild": 0}
    melded = cards = 0

    def wild_cards(count):
        nonlocal jokers, twos
        from_jokers = data.draw(st.integers(max(0, count - twos), min(count, jokers)))
        jokers, twos = jokers - from_jokers, twos - count + from_jokers
        return from_jokers * 50 + (count - from_jokers) * 20

    for rank in ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]:
        naturals = 20
        incomplete = False
        for size, wilds in data.draw(st.lists(st.tuples(st.integers(3, 7), st.integers(0, 2)), max_size=4)):
            if wilds > size // 3 or size - wilds > naturals or wilds > jokers + twos or (incomplete and size < 7):
                continue
            naturals -= size - wilds
            melded += (size - wilds) * values[rank] + wild_cards(wilds)
            cards += size
            incomplete = incomplete or size < 7
            if size == 7:
                piles["dirty" if wilds else "clean"] += 1
    for size in data.draw(st.lists(st.just(7), max_size=4)) + data.draw(st.lists(st.integers(3, 6), max_size=1)):
        if size <= jokers + twos:
            melded += wild_cards(size)
            cards += size
            piles["wild"] += size == 7
    counts = Piles(**piles)
    assert limits.piles_fit(counts)
    assert limits.least_melded(counts) <= melded
    assert not limits.least_melded(counts) < melded < limits.least_melded(counts) + 15 or not sum(counts)
    assert cards <= limits.most_cards_melded(counts, melded)


# --- true deals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", cases(40, proof=200))
@pytest.mark.parametrize("shape", RULE_SET.shapes, ids=str)
def test_no_true_card_is_refused(shape, deals, tried):
    rules, rng = rules_of(RULE_SET, shape), Random(7)
    tried(deals)
    for number in range(deals):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == (), facts
        result = score(facts, rules)
        assert sum(result.totals) == sum(line.points for line in result.lines)


@pytest.mark.parametrize("count", cases(20, proof=100))
@pytest.mark.parametrize(
    "changed",
    [
        {"wild_melds": False, "out_wild": 0, "out_clean": 1, "out_dirty": 1, "hand": 11, "foot": 11},
        {"hand": 11, "foot": 13, "out_clean": 1, "out_dirty": 1, "first_meld": (50,)},
        {"decks_added": 2, "hand": 15, "card_values": tuple({**PARTNERS.values, "8": 5, "9": 5, "2": 25}.items())},
        {"pile_size": 6, "naturals_per_wild": 1, "out_bonus": 200},
    ],
    ids=["no-wild-melds", "eleven-and-thirteen", "six-decks", "piles-of-six"],
)
def test_no_true_card_of_a_house_rule_is_refused(changed, count, tried):
    for shape in (Shape(2, 2), Shape(3, 1)):
        rules, rng = replace(rules_of(RULE_SET, shape), **changed), Random(11)
        deals = [play(rng, rules, deals_before=number % 4) for number in range(count)]
        tried(count)
        assert [check(facts, rules) for facts in deals] == [()] * len(deals)


def test_true_deals_are_of_every_kind():
    rng = Random(3)
    deals = [play(rng, PARTNERS, deals_before=number % 4) for number in range(150)]
    cards = [card for facts in deals for card in facts.sides]
    assert {facts.out for facts in deals} == {0, 1, None}
    assert sum(facts.out is not None for facts in deals) > len(deals) // 3
    assert any(card.red_threes_missed for card in cards)
    assert any(card.wild for card in cards)
    assert len({score(facts, PARTNERS).totals for facts in deals}) == len(deals)


def test_the_same_seed_plays_the_same_deal():
    assert play(Random(5), PARTNERS, deals_before=2) == play(Random(5), PARTNERS, deals_before=2)
    assert play(Random(5), PARTNERS, deals_before=2).number == 3


# --- properties ----------------------------------------------------------------------------------------

FIGURES = st.one_of(st.integers(-3, 12), st.integers(0, 300).map(lambda n: 5 * n), st.integers())
NAMES = st.sampled_from(["A", "8", "7", "3", "2", "joker", "wild", "8-K", "", "red 3"])
COUNTED = st.builds(
    CountedCards,
    melds=st.lists(st.builds(RankMeld, rank=NAMES, naturals=FIGURES, twos=FIGURES, jokers=FIGURES), max_size=4).map(
        tuple
    ),
    left=st.lists(st.builds(CardsLeft, of=NAMES, count=FIGURES), max_size=4).map(tuple),
)
SIDE_CARDS = st.builds(
    SideCard,
    **dict.fromkeys(("red_threes", "red_threes_missed", "perfect"), FIGURES),
    **dict.fromkeys(("clean", "dirty", "wild", "melded", "left", "score_before"), st.none() | FIGURES),
    special=st.lists(st.none() | FIGURES, max_size=3).map(tuple),
    counted=st.none() | COUNTED,
)
ANY_CARDS = st.builds(
    HandAndFootDeal,
    sides=st.lists(SIDE_CARDS, max_size=7).map(tuple),
    out=st.none() | st.integers(-2, 8) | st.integers(),
    number=st.none() | st.integers(-2, 8) | st.integers(),
    concealed=st.booleans(),
)


@given(facts=ANY_CARDS, shape=st.sampled_from(RULE_SET.shapes))
def test_a_bad_card_never_breaks_the_check_or_the_score(facts, shape):
    rules = rules_of(RULE_SET, shape)
    assert all(wording.what_is_wrong(problem, {}) for problem in check(facts, rules))
    assert all(problem.side is None or problem.side < shape.sides for problem in check(facts, rules))
    result = score(facts, rules)
    assert all(wording.why(line, {}) for line in result.lines)
    assert sum(result.totals) == sum(line.points for line in result.lines)
    assert from_data(HandAndFootDeal, to_data(facts)) == facts


@given(first=SIDE_CARDS, second=SIDE_CARDS, out=st.sampled_from([None, 0, 1]), number=st.sampled_from([None, 1, 4]))
def test_changing_the_sides_round_changes_the_score_round(first, second, out, number):
    one = deal(first, second, out=out, number=number)
    other = deal(second, first, out=None if out is None else 1 - out, number=number)
    assert score(one, PARTNERS).totals == score(other, PARTNERS).totals[::-1]
    turned = {(p.code, None if p.side is None else 1 - p.side, p.args) for p in check(other, PARTNERS)}
    assert {(p.code, p.side, p.args) for p in check(one, PARTNERS)} == turned


# --- the rule set --------------------------------------------------------------------------------------


def test_the_settings_are_exactly_those_of_the_rules():
    assert {s.name for s in RULE_SET.settings} == {f.name for f in fields(HandAndFootRules)} - {"shape"}


def test_what_is_a_ruling_is_marked():
    assert {s.name for s in RULE_SET.settings if s.ruling} == {"wild_pile", "out_wild"}


@pytest.mark.parametrize(
    ("shape", "decks"), [((2, 1), 3), ((3, 1), 4), ((2, 2), 5), ((5, 1), 6), ((2, 3), 7), ((6, 1), 7)]
)
def test_there_is_one_deck_more_than_players(shape, decks):
    rules = rules_of(RULE_SET, Shape(*shape))
    assert rules.decks == decks
    assert limits_of(rules).pack_points == 590 * decks


def test_piles_of_low_cards_add_up():
    """35 for each clean pile, 50 for each dirty one, 140 for each wild one, as long as the low cards last."""
    limits = limits_of(PARTNERS)
    for clean, dirty, wild in product(range(3), range(3), range(2)):
        least = limits.least_melded(Piles(clean, dirty, wild))
        assert least == 35 * clean + 50 * dirty + 140 * wild
