"""Hand and Foot counted card by card: the figures it comes to, and what is wrong with a meld, a side or the pack."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.simulation.hand_and_foot import played
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, HandAndFootDeal, RankMeld, SideCard, Totals
from scoring.engine.hand_and_foot.cards import Piles, limits_of, totals_of
from scoring.engine.hand_and_foot.scoring import check, score
from tests.examples import cases
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, TWO_PLAYERS, codes, stopped, wrong

FAMILY = [slug for slug, r in shipped().items() if r.family == "hand-and-foot" and not r.values["sequences"]]
CANASTA = rules_of(shipped()["canasta"])
KNEE = rules_of(shipped()["hand-knee-and-foot"])

SEVEN_KINGS = RankMeld(rank="K", naturals=7)
DIRTY_SIXES = RankMeld(rank="6", naturals=5, twos=1, jokers=1)
LEFT = (
    CardsLeft(of="8-K", count=30),
    CardsLeft(of="4-7", count=20),
    CardsLeft(of="joker", count=1),
    CardsLeft(of="3", count=2),
)


def side(*melds, held=LEFT, **figures):
    """A side with these cards on the table and held; figures are noted beside them."""
    return SideCard(counted=CountedCards(melds=melds, left=held), **figures)


OTHERS = SideCard(left=600)


def counted(*melds, rules=PARTNERS, **facts):
    """The codes for a side with these melds, beside one that has melded nothing."""
    return codes(check(stopped(side(*melds), OTHERS, **facts), rules))


# --- the figures ---------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_cards():
    card = side(SEVEN_KINGS, DIRTY_SIXES, RankMeld(rank="wild", twos=6, jokers=1), RankMeld(rank="A", naturals=3))
    assert totals_of(card, PARTNERS) == Totals(
        clean=1, dirty=1, wild=1, melded=70 + 95 + 170 + 60, left=30 * 10 + 20 * 5 + 50 + 2 * 5
    )
    assert check(stopped(card, OTHERS), PARTNERS) == ()


def test_the_score_needs_no_figure_that_is_counted():
    card = side(SEVEN_KINGS, red_threes=1)
    assert score(stopped(card, OTHERS), PARTNERS).totals == (70 + 500 + 100 - 460, -600)


def test_figures_that_are_noted_count_as_they_are_noted():
    card = side(SEVEN_KINGS, clean=2)
    assert totals_of(card, PARTNERS).clean == 2
    assert totals_of(card, PARTNERS).melded == 70


def test_a_clean_pile_of_a_special_rank_is_a_book_of_its_own():
    sevens, dirty = RankMeld(rank="7", naturals=7), RankMeld(rank="7", naturals=6, twos=1)
    totals = totals_of(side(sevens, sevens, dirty, SEVEN_KINGS), KNEE)
    assert (totals.clean, totals.dirty, totals.special) == (1, 1, (2, 0))
    assert totals_of(side(sevens), PARTNERS).clean == 1


def test_a_canasta_may_have_more_than_seven_cards():
    nine = RankMeld(rank="K", naturals=8, twos=1)
    assert totals_of(side(nine), CANASTA).dirty == 1
    held = (CardsLeft(of="8-K", count=13),)
    assert check(stopped(side(nine, held=held), SideCard(left=250)), CANASTA) == ()


@pytest.mark.parametrize("deals", cases(4, proof=40))
@pytest.mark.parametrize("slug", FAMILY)
def test_a_true_deal_is_the_same_in_either_depth(slug, deals, tried):
    for shape in shipped()[slug].shapes:
        rules, rng = rules_of(shipped()[slug], shape), Random(f"{slug}{shape}")
        tried(deals)
        for number in range(deals):
            figures, cards = played(rng, rules, deals_before=number % 4)
            assert [totals_of(card, rules) for card in cards.sides] == [totals_of(c, rules) for c in figures.sides]
            assert score(cards, rules) == score(figures, rules)
            both = replace(
                figures,
                sides=tuple(
                    replace(noted, counted=card.counted) for noted, card in zip(figures.sides, cards.sides, strict=True)
                ),
            )
            assert [check(facts, rules) for facts in (figures, cards, both)] == [(), (), ()]
            assert from_data(HandAndFootDeal, to_data(both)) == both


def test_older_facts_without_the_newer_fields_are_read():
    old = {"clean": 1, "dirty": 0, "wild": 0, "red_threes": 2, "red_threes_missed": 0, "melded": 70, "left": 460}
    facts = from_data(HandAndFootDeal, {"sides": [old, old], "out": None, "number": 1})
    assert totals_of(facts.sides[0], PARTNERS) == Totals(clean=1, red_threes=2, melded=70, left=460)


# --- what is wrong -------------------------------------------------------------------------------------


@given(
    st.permutations([SEVEN_KINGS, DIRTY_SIXES, RankMeld(rank="A", naturals=2, twos=2), RankMeld(rank="A", naturals=3)])
)
def test_the_order_of_melds_does_not_matter(melds):
    assert counted(*melds) == {"counted-wilds", "counted-open"}


def test_a_noted_figure_must_be_what_the_cards_come_to():
    figures = {"clean": 2, "dirty": 0, "wild": 1, "melded": 75, "left": 400}
    problems = check(stopped(side(SEVEN_KINGS, **figures), OTHERS), PARTNERS)
    differing = {p.field: dict(p.args) for p in problems if p.code.endswith("counted-differs")}
    assert differing == {
        "clean": {"field": "clean", "written": 2, "counted": 1},
        "wild": {"field": "wild", "written": 1, "counted": 0},
        "melded": {"field": "melded", "written": 75, "counted": 70},
        "left": {"field": "left", "written": 400, "counted": 460},
    }


def test_a_noted_special_book_must_be_among_the_melds():
    card = side(RankMeld(rank="7", naturals=7), special=(1, 1))
    (problem,) = (p for p in check(stopped(card, OTHERS), KNEE) if p.code.endswith("counted-differs"))
    assert (problem.field, dict(problem.args)["counted"]) == ("special_5", 0)


def test_what_is_not_counted_says_nothing_beside_a_noted_figure():
    only_melds = side(SEVEN_KINGS, held=(), left=460)
    only_left = side(clean=1, melded=70)
    for card in (only_melds, only_left):
        assert check(stopped(card, OTHERS), PARTNERS) == ()


@pytest.mark.parametrize(
    ("meld", "code"),
    [
        (RankMeld(rank="K", naturals=2), "counted-small"),
        (RankMeld(rank="K", naturals=8), "counted-size"),
        (RankMeld(rank="K", naturals=2, twos=2), "counted-wilds"),
        (RankMeld(rank="K", naturals=4, twos=3), "counted-wilds"),
        (RankMeld(rank="K", twos=3), "counted-wilds"),
        (RankMeld(rank="wild", naturals=1, twos=3), "counted-naturals"),
        (RankMeld(rank="3", naturals=3), "counted-black-threes"),
        (RankMeld(rank="2", twos=3), "counted-rank"),
        (RankMeld(rank="red 3", naturals=3), "counted-rank"),
        (RankMeld(rank="K", naturals=8, twos=-1), "counted-negative"),
    ],
    ids=str,
)
def test_a_meld_keeps_the_rules(meld, code):
    assert code in counted(meld)


def test_a_wild_meld_is_played_only_where_the_rules_have_it():
    wild = RankMeld(rank="wild", twos=3)
    assert counted(wild) == set()
    assert counted(wild, rules=replace(PARTNERS, wild_melds=False)) == {"counted-wild-meld"}


def test_a_side_has_one_open_meld_of_a_rank_and_any_number_of_piles():
    open_kings = RankMeld(rank="K", naturals=3)
    assert counted(SEVEN_KINGS, open_kings) == set()
    assert counted(open_kings, open_kings) == {"counted-open"}


def test_at_canasta_a_side_has_one_meld_of_a_rank():
    three = RankMeld(rank="K", naturals=3)
    assert "counted-one-meld" in counted(three, three, rules=CANASTA)


def test_a_meld_of_canasta_has_two_natural_cards_and_at_most_three_wild_ones():
    for naturals, twos in ((4, 3), (2, 1), (2, 2), (2, 3), (3, 3)):
        assert "counted-wilds" not in counted(RankMeld(rank="K", naturals=naturals, twos=twos), rules=CANASTA)
    for naturals, twos in ((4, 4), (2, 4), (1, 2)):
        assert "counted-wilds" in counted(RankMeld(rank="K", naturals=naturals, twos=twos), rules=CANASTA)


def test_a_club_may_ask_for_as_many_natural_cards_as_wild_ones():
    rules = replace(CANASTA, naturals_per_wild=1)
    assert "counted-wilds" not in counted(RankMeld(rank="K", naturals=3, twos=3), rules=rules)
    assert "counted-wilds" in counted(RankMeld(rank="K", naturals=2, twos=3), rules=rules)


def test_black_threes_are_melded_only_by_the_side_that_goes_out():
    threes = RankMeld(rank="3", naturals=3)
    sevens = RankMeld(rank="K", naturals=7)
    facts = HandAndFootDeal(
        sides=(side(sevens, threes, held=(CardsLeft(of="4-7", count=12),)), SideCard(left=250)), out=0
    )
    assert check(facts, CANASTA) == ()
    assert codes(check(replace(facts, out=None), CANASTA)) == {"counted-black-threes"}
    wild = replace(threes, twos=1)
    other = replace(facts, sides=(side(sevens, wild, held=(CardsLeft(of="4-7", count=12),)), facts.sides[1]))
    assert codes(check(other, CANASTA)) == {"counted-wilds"}


@pytest.mark.parametrize(("of", "count", "code"), [("9-K", 3, "counted-left"), ("", 1, "counted-left")])
def test_cards_left_have_names_that_the_rules_know(of, count, code):
    problem, _ = wrong(stopped(side(held=(*LEFT, CardsLeft(of=of, count=count))), OTHERS), code)
    assert problem.side == 0


def test_there_are_no_fewer_than_no_cards():
    assert "counted-negative" in codes(check(stopped(side(held=(CardsLeft(of="A", count=-1),)), OTHERS), PARTNERS))


@pytest.mark.parametrize(
    ("melds", "held", "of", "most"),
    [
        ((RankMeld(rank="K", naturals=7),) * 3, LEFT, "K", 20),
        ((), (CardsLeft(of="joker", count=11), *LEFT[:2]), "joker", 10),
        ((RankMeld(rank="wild", twos=7),) * 2, (CardsLeft(of="2", count=7), *LEFT[:2]), "2", 20),
        ((), (CardsLeft(of="3", count=11), *LEFT[:2]), "3", 10),
        ((RankMeld(rank="5", naturals=7),) * 2, (CardsLeft(of="4-7", count=67),), "4-7", 80),
    ],
    ids=["rank", "jokers", "twos", "black-threes", "class"],
)
def test_the_cards_of_all_sides_are_in_the_pack(melds, held, of, most):
    _, args = wrong(stopped(side(*melds, held=held), OTHERS), "counted-pack")
    assert args == {"of": of, "counted": most + 1, "most": most}
    half = tuple(melds[: len(melds) // 2]), tuple(melds[len(melds) // 2 :])
    _, args = wrong(stopped(side(*half[0], held=held), side(*half[1], held=())), "counted-pack")
    assert args["of"] == of


def test_the_cards_dealt_are_on_the_table_or_left():
    few = (CardsLeft(of="8-K", count=30), CardsLeft(of="4-7", count=14))
    _, args = wrong(stopped(side(SEVEN_KINGS, held=few), OTHERS), "counted-dealt")
    assert args == {"dealt": 52, "counted": 51}
    assert check(stopped(side(SEVEN_KINGS, held=few, red_threes=1), OTHERS), PARTNERS) == ()


def test_who_is_not_out_holds_a_card():
    """A joker left is 50 points, but one card: one of two players has none, and should be out."""
    melds = [RankMeld(rank=rank, naturals=7) for rank in "AKQJ9876"]
    _, args = wrong(stopped(side(*melds, held=(CardsLeft(of="joker", count=1),)), OTHERS), "counted-holders")
    assert args == {"holders": 2, "left": 1}


def test_a_meld_knows_how_many_cards_it_has():
    meld = RankMeld(rank="K", naturals=4, twos=2, jokers=1)
    assert (meld.wilds, meld.cards) == (3, 7)


BLACK_THREES = replace(PARTNERS, black_three_melds=True)
SMALL = replace(
    TWO_PLAYERS,
    decks_in_all=1,
    jokers_per_deck=1,
    card_values=(("joker", 50), ("2", 20), ("K", 10), ("4", 5), ("3", 5)),
    meld_least=2,
    pile_size=3,
    naturals_per_wild=1,
    naturals_least=1,
)
"""One deck of kings, fours, twos, a joker and two black threes; piles of three cards, melds of two."""
GROWING = replace(PARTNERS, pile_closed=False)


def twos_at(points, rules):
    values = tuple((rank, points if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


@pytest.mark.parametrize(
    ("rules", "piles", "least"),
    [
        (PARTNERS, (22, 0, 0), 8 * 35 + 12 * 70 + 2 * 140),  # all the clean piles of five decks
        (SMALL, (0, 1, 0), 5 + 5 + 20),
        (twos_at(7, SMALL), (0, 1, 0), 5 + 5 + 7),
        (twos_at(2, PARTNERS), (1, 1, 1), 35 + 14 + 14),
        (twos_at(5, PARTNERS), (0, 7, 2), 7 * 30 + 20 * 5 + 50),
        (BLACK_THREES, (9, 0, 0), 9 * 35),  # one of them of black threes
        (replace(BLACK_THREES, decks_in_all=3, pile_size=6), (9, 0, 0), 9 * 30),
        (replace(CANASTA, pile_closed=True), (4, 0, 0), 4 * 35),
        (replace(CANASTA, pile_closed=True), (5, 0, 0), 4 * 35 + 70),  # four black threes are no pile
    ],
)
def test_piles_are_worth_at_least_their_cheapest_cards(rules, piles, least):
    assert limits_of(rules).least_melded(Piles(*piles)) == least


@pytest.mark.parametrize(
    ("rules", "cards"),
    [  # for nothing, 35, 300 and 1,260 points beside no pile; for 200 points with a clean and a dirty one
        (PARTNERS, (0, 7, 24 + 18, 12 * 6, 14 + 23)),
        (replace(PARTNERS, wild_melds=False), (0, 7, 24 + 18, 11 * 6, 14 + 23)),
        (twos_at(0, PARTNERS), (12 * 6, 12 * 6, 12 * 6, 12 * 6, 14 + 12 * 6)),
        (BLACK_THREES, (0, 7, 60, 252, 14 + 23)),
        (GROWING, (0, 7, 60, 252, 14 + 23)),
        (twos_at(0, GROWING), (260, 260, 260, 260, 260)),  # as many as the pack has
    ],
    ids=("usual", "no-wild-melds", "cheap-twos", "black-threes", "growing-piles", "growing-cheap-twos"),
)
def test_so_many_points_are_so_many_cards_at_most(rules, cards):
    most = limits_of(rules).most_cards_melded
    alone = [most(Piles(), points) for points in (0, 35, 300, 1260)]
    assert (*alone, most(Piles(clean=1, dirty=1), 200)) == cards


def test_wild_cards_in_a_meld_go_by_the_ratio_the_least_naturals_and_the_most():
    assert [PARTNERS.wilds_in(cards) for cards in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert [CANASTA.wilds_in(cards) for cards in range(10)] == [0, 0, 0, 1, 2, 3, 3, 3, 3, 3]
    assert [replace(PARTNERS, naturals_per_wild=0).wilds_in(cards) for cards in range(6)] == [0, 0, 0, 1, 2, 3]


def test_where_any_first_meld_will_do_it_needs_nothing():
    assert replace(PARTNERS, first_meld=()).least_first_meld(1) == 0


SHIPPED = {slug: rule_set for slug, rule_set in shipped().items() if rule_set.family == "hand-and-foot"}


@pytest.mark.parametrize(
    "rules", [*map(rules_of, SHIPPED.values()), BLACK_THREES, SMALL], ids=[*SHIPPED, "threes", "small"]
)
def test_the_most_of_a_figure_is_what_the_pack_still_allows(rules):
    limits = limits_of(rules)
    for figure in rules.figures:
        most = limits.most_of(figure)
        if figure in ("clean", "dirty", "wild"):
            assert limits.piles_fit(Piles(**{figure: most}))
            assert not limits.piles_fit(Piles(**{figure: most + 1}))
        elif figure in ("red_threes", "red_threes_missed", "black_threes"):
            assert most == limits.red_threes
        elif figure in ("melded", "left"):
            assert most == limits.pack_points
        elif figure == "perfect":
            assert most == rules.shape.per_side
        elif figure.startswith("extra_"):
            assert most == (2 * rules.shape.per_side if "held" in figure else 1)
        elif figure.removeprefix("special_") in rules.natural_ranks:
            assert most * rules.pile_size <= limits.per_rank < (most + 1) * rules.pile_size
