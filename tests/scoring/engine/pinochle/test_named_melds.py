"""Melds counted by name: worth, the cards they need, what one pack can't give, and the lines they make."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.simulation.pinochle import all_melds, meld_points, play_partnership as play, shuffled
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.melds import (
    Meld,
    MeldKind,
    PlayerMelds,
    Suit,
    cards_needed,
    counted,
    counted_problems,
    meld_table,
    points_of_player,
    points_of_sides,
)
from scoring.engine.pinochle.partnership import (
    Ending,
    PartnershipDeal,
    check as check_partnership,
    score as score_partnership,
)
from scoring.engine.pinochle.three_hand import ThreeHandDeal, check as check_three_hand, score as score_three_hand
from scoring.wording import PROBLEMS
from tests.scoring.engine.pinochle.strategies import SEEDS, ST_HILARY, THREE_HAND

DOUBLE_DECK = rules_of(shipped()["double-deck-partnership-pinochle"])
SPADES, HEARTS, DIAMONDS, CLUBS = Suit
NAMES = {kind.value: kind for kind in MeldKind}


def melds(text):
    """Melds from their names: "2*run aces marriage:hearts"."""
    found = []
    for word in text.split():
        many, _, name = word.rpartition("*")
        kind, _, suit = name.partition(":")
        found.append(Meld(NAMES[kind], Suit(suit) if suit else None, int(many or 1)))
    return PlayerMelds(tuple(found))


def table(*players):
    return tuple(melds(player) for player in players)


def codes(problems):
    return [problem.code.removeprefix("pinochle.") for problem in problems]


# --- worth and cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "points", "cards"),
    [
        # 004, "The Meld" and "Meld Points Scoring Sheet", line by line; hearts are trump
        ("run", 15, 5),
        ("2*run", 150, 10),
        ("royal-marriage", 4, 2),
        ("marriage:spades", 2, 2),
        ("nine-of-trump", 1, 1),
        ("2*nine-of-trump", 2, 2),
        ("aces", 10, 4),
        ("2*aces", 100, 8),
        ("kings", 8, 4),
        ("2*kings", 80, 8),
        ("queens", 6, 4),
        ("2*queens", 60, 8),
        ("jacks", 4, 4),
        ("2*jacks", 40, 8),
        ("pinochle", 4, 2),
        ("2*pinochle", 30, 4),
        # "1 MARRIAGE in every suit. This is a convenient way to add the sums of KINGS and QUEENS around plus the
        # values of the MARRIAGES."
        ("kings queens royal-marriage marriage:spades marriage:diamonds marriage:clubs", 24, 8),
        # "Extra marriages in trump can be meld if not used to make a RUN"
        ("run royal-marriage", 19, 7),
        # a card serves in melds of different kinds
        ("run pinochle aces", 29, 10),
        ("queens pinochle", 10, 5),
        ("kings marriage:clubs", 10, 5),
        ("", 0, 0),
        # numbers that can't be: none, and more than the pack has
        ("0*aces", 0, 0),
        ("-1*run", 0, 0),
        ("3*aces", 100, 12),
    ],
)
def test_what_melds_are_worth_and_need(laid, points, cards):
    assert points_of_player(melds(laid), ST_HILARY) == points
    assert sum(cards_needed(melds(laid), HEARTS)) == cards


def test_a_run_shares_the_queen_of_spades_only_when_spades_are_trump():
    laid = melds("run pinochle")
    assert [sum(cards_needed(laid, trump)) for trump in Suit] == [6, 7, 6, 7]


def test_the_sides_melds_are_added_and_never_pooled():
    laid = table("kings", "queens", "run", "royal-marriage")
    assert points_of_sides(laid, ST_HILARY) == (14, 19)
    assert points_of_sides(laid[:3], THREE_HAND) == (80, 60, 150)


@pytest.mark.parametrize("rules", [ST_HILARY, DOUBLE_DECK, THREE_HAND], ids=("single", "double", "tens"))
def test_all_melds_of_real_hands_are_worth_what_the_cards_are_and_need_no_more(rules):
    rng = Random(80)
    for _deal in range(60):
        hands, _widow = shuffled(rng, rules, seats=rules.shape.players)
        for hand, (place, trump) in product(hands, enumerate(Suit)):
            held = counted(hand)
            laid = all_melds(held, trump)
            assert points_of_player(laid, rules) == meld_points(held, place, table=meld_table(rules))
            assert all(needed <= have for needed, have in zip(cards_needed(laid, trump), held, strict=True))


@given(st.permutations(melds("run royal-marriage marriage:clubs 2*aces kings pinochle nine-of-trump").melds))
def test_the_order_of_melds_does_not_matter(laid):
    player = PlayerMelds(tuple(laid))
    assert points_of_player(player, ST_HILARY) == 15 + 4 + 2 + 100 + 8 + 4 + 1
    assert cards_needed(player, SPADES) == cards_needed(PlayerMelds(player.melds[::-1]), SPADES)


# --- exact against every deal of small packs -----------------------------------------------------------


def _laid(numbers, kinds):
    return PlayerMelds(tuple(replace(meld, count=n) for meld, n in zip(kinds, numbers, strict=True) if n))


def _numbers(player, kinds):
    found = {(meld.kind, meld.suit): meld.count for meld in player.melds}
    return tuple(found.get((meld.kind, meld.suit), 0) for meld in kinds)


def _declared(real):
    """All that players can lay down of what their cards make: any melds may stay undeclared."""
    full = {one + other for one, other in real}
    return {some for each in full for some in product(*(range(n + 1) for n in each))}


def test_melds_of_two_are_refused_exactly_when_no_deal_of_a_small_pack_gives_them():
    rules = replace(ST_HILARY, ranks=("K", "Q", "J"), copies=1, hand_size=6)
    kinds = list(
        melds("royal-marriage marriage:spades marriage:diamonds marriage:clubs kings queens jacks pinochle").melds
    )
    pack = [6 * suit + rank for suit in range(4) for rank in (2, 3, 4)]
    real = set()
    for chosen in range(1 << len(pack)):
        if chosen.bit_count() == rules.hand_size:
            first = [card for n, card in enumerate(pack) if chosen >> n & 1]
            hands = [first, [card for card in pack if card not in first]]
            real.add(tuple(_numbers(all_melds(counted(hand), HEARTS), kinds) for hand in hands))
    possible = _declared(real)
    pairs = list(product(product((0, 1), repeat=len(kinds)), repeat=2))
    for pair in Random(12).sample(pairs, 9000):
        players = [_laid(numbers, kinds) for numbers in pair]
        found = list(counted_problems(players, HEARTS, rules=rules))
        assert (not found) == (pair[0] + pair[1] in possible), pair


def test_numbers_of_melds_are_refused_exactly_when_no_deal_of_a_small_pack_gives_them():
    rules = replace(ST_HILARY, ranks=("K", "Q"), copies=2, hand_size=8)
    kinds = list(melds("royal-marriage marriage:spades marriage:diamonds marriage:clubs kings queens").melds)
    places = [6 * suit + rank for suit in range(4) for rank in (2, 3)]
    real = set()
    for numbers in product((0, 1, 2), repeat=len(places)):
        if sum(numbers) == rules.hand_size:
            held, other = [0] * 24, [0] * 24
            for place, n in zip(places, numbers, strict=True):
                held[place], other[place] = n, 2 - n
            real.add(tuple(_numbers(all_melds(hand, HEARTS), kinds) for hand in (held, other)))
    possible = _declared(real)
    rng = Random(16)
    refused = 0
    for _pair in range(3000):
        pair = [tuple(rng.choice((0, 0, 0, 1, 2)) for _kind in kinds) for _player in range(2)]
        players = [_laid(numbers, kinds) for numbers in pair]
        found = list(counted_problems(players, HEARTS, rules=rules))
        assert (not found) == (pair[0] + pair[1] in possible), pair
        refused += bool(found)
    assert 300 < refused < 2700


# --- what is wrong with a card -------------------------------------------------------------------------

LAID = table("run", "marriage:clubs aces", "pinochle nine-of-trump", "jacks")
LAID_WITHOUT_NINE = table("run", "marriage:clubs aces", "pinochle", "jacks")
NO_MARRIAGE = {"ending": Ending.NO_MARRIAGE, "meld": (), "counted": (), "take": (), "last_trick": None}


def partnership(**facts):
    """A card with counted melds, 27 against 9, but for what is named."""
    plain = {"bid_side": 0, "bid": 30, "take": (15, 10), "last_trick": 0}
    return PartnershipDeal(**({**plain, "trump": HEARTS, "counted": LAID} | facts))


def three_hand(**facts):
    plain = {"bidder": 0, "bid": 500, "take": (350, 100, 50), "last_trick": 0}
    laid = table("run", "aces", "royal-marriage marriage:clubs")
    return ThreeHandDeal(**({**plain, "trump": HEARTS, "counted": laid} | facts))


PARTNERSHIP = [
    ({}, []),
    ({"meld": (27, 9)}, []),
    ({"meld": (26, 9)}, ["counted-differs"]),
    ({"meld": (27, 9, 0)}, ["columns"]),
    ({"meld": (-27, 9)}, ["negative", "counted-differs"]),
    ({"counted": LAID[:3]}, ["counted-players"]),
    ({"counted": table("aces aces", "", "", "")}, ["counted-twice"]),
    ({"counted": table("3*aces", "", "", "")}, ["counted-number", "counted-copies"]),
    ({"counted": table("0*aces", "", "", "")}, ["counted-number"]),
    ({"counted": table("marriage", "", "", "")}, ["marriage-suit"]),
    ({"counted": table("marriage:hearts", "", "", "")}, ["marriage-of-trump"]),
    ({"counted": table("marriage:clubs 2*marriage:spades", "", "", "")}, []),
    ({"counted": table("run:hearts", "", "", "")}, []),
    ({"counted": table("run:clubs", "", "", "")}, ["counted-suit"]),
    ({"counted": table("aces:clubs", "", "", "")}, ["counted-suit"]),
    ({"trump": None}, ["trump-needed"]),
    ({"trump": None, "counted": table("aces marriage:clubs", "", "", "")}, []),
    ({"counted": table("2*run royal-marriage", "", "", "")}, ["counted-copies"]),
    ({"counted": table("run", "run", "royal-marriage", "")}, ["counted-pack"]),
    ({"counted": table("2*aces 2*kings", "", "", "")}, ["counted-cards"]),
    ({"counted": table("2*aces kings", "", "", "")}, []),
    ({"counted": table("aces", "aces", "run", "")}, ["counted-pack"]),
    # the auction: seats 0 and 2 are side 0's
    ({"dealer": 4}, ["dealer"]),
    ({"dealer": 3, "bids": (15, 0, 30, 0, 0)}, []),
    ({"dealer": 3, "bids": (15, 16, 30, 0, 0, 0)}, []),
    ({"bids": (15, 0, 30, 0, 0)}, ["dealer-needed"]),
    ({"dealer": 2, "bids": (15, 0, 30, 0, 0)}, ["auction-holder"]),
    ({"dealer": 3, "bids": (15, 0, 29, 0, 0)}, ["auction-bid"]),
    ({"dealer": 3, "bids": (15, 0, 30, 0)}, ["auction-open"]),
    ({"dealer": 3, "bids": (15, 0, 30, 0, 0, 0)}, ["auction-long"]),
    ({"dealer": 3, "bids": (30, 0, 30, 0, 0)}, ["auction-low"]),
    ({"dealer": 3, "bids": (14, 0, 30, 0, 0)}, ["bid-too-low"]),
    ({"dealer": 3, "bids": (-1, 0, 30, 0, 0)}, ["bid-too-low"]),
    ({"dealer": 2, "bid": 15, "bids": (0, 0, 0)}, []),
    ({"dealer": 2, "bid": 15, "bids": (0, 0, 0, 15)}, []),
    ({"dealer": 2, "bid": 16, "bids": (0, 0, 0, 16)}, ["auction-dropped"]),
    ({"dealer": 2, "bid": 15, "bids": (0, 0, 0, 0)}, ["auction-dropped"]),
    ({"dealer": 2, "bid": 15, "bids": (0, 0, 0, 15, 15)}, ["auction-long"]),
    ({"dealer": 3, "bid": 15, "bids": (0, 0, 0)}, ["auction-holder"]),
    ({"bid": 12}, ["bid-too-low"]),
    ({"bid": 61}, ["bid-high"]),
    ({"bid_side": 2}, ["bid-side"]),
    ({"last_trick": 2}, ["last-trick-side"]),
    ({"ending": Ending.CONCEDED, "take": (), "last_trick": None}, ["no-concession"]),
    (NO_MARRIAGE, ["no-marriage-played"]),
    # totals alone
    ({"counted": (), "meld": (205, 6)}, ["meld-impossible-pair"]),
    ({"counted": (), "meld": (200, 83)}, ["meld-high", "meld-high", "meld-pack"]),
    ({"counted": (), "meld": (1000, 6)}, ["meld-most-pair"]),
    ({"counted": (), "meld": (150, 6)}, ["meld-high"]),
    ({"take": (15, 9)}, ["take-total"]),
    ({"take": (0, 25)}, ["last-trick-take"]),
    ({"take": (24, 1), "last_trick": None}, ["last-trick-needed"]),
    ({"take": (20, 6), "ending": Ending.LAY_DOWN_BID_SIDE}, ["take-over"]),
]

DROPPED_BELOW = replace(ST_HILARY, opening_bid=16)
DROPPED = [
    ({"dealer": 0, "bid": 15}, []),
    ({"dealer": 1, "bid": 15}, ["dropped-not-dealer"]),
    ({"bid": 15}, []),
    ({"dealer": 2, "bid": 15, "bids": (0, 0, 0)}, []),
    ({"dealer": 2, "bids": (0, 15, 0, 30, 0)}, ["bid-too-low"]),
]

DOUBLE = [
    ({"bid": 58, "take": (30, 20)}, []),
    ({"bid": 58, "take": (30, 20), "redeals": (1, 0)}, ["no-redeals"]),
    ({"bid": 58, "take": (30, 20), "deals_lost": (0, 2)}, ["no-deals-lost"]),
    ({"bid": 65, "take": (30, 20)}, []),
    ({"bid": 61, "take": (30, 20)}, ["bid-step"]),
    ({"bid": 49, "take": (30, 20)}, ["bid-too-low"]),
    ({"dealer": 3, "bid": 65, "bids": (50, 60, 65, 0, 0, 0), "take": (30, 20)}, []),
    ({"dealer": 3, "bid": 65, "bids": (50, 62, 65, 0, 0, 0), "take": (30, 20)}, ["bid-step"]),
    ({"bid": 50, "take": (30, 20), "counted": table("nine-of-trump", "", "", "")},
     ["counted-copies", "no-marriage-shown"]),
    ({"bid": 50, "take": (30, 20), "meld": (26, 0), "counted": table("run aces 2*nine-of-trump", "", "", "")},
     ["counted-copies", "counted-differs"]),
    ({"bid": 50, "take": (30, 20), "meld": (0, 0), "counted": table("run", "", "", "")}, []),
    ({"bid": 50, "take": (30, 20), "meld": (0, 0), "counted": table("run aces", "", "", "")}, ["counted-differs"]),
    ({"bid": 50, "take": (30, 20), "counted": table("", "", "2*royal-marriage", "2*royal-marriage")},
     ["no-marriage-left"]),
    ({"bid": 50, "take": (30, 20), "counted": table("", "", "2*royal-marriage", "royal-marriage")},
     ["no-marriage-shown"]),
    ({**NO_MARRIAGE, "bid": 50}, []),
    ({**NO_MARRIAGE, "bid": 50, "meld": (20, 0)}, ["no-marriage-melded"]),
    ({**NO_MARRIAGE, "bid": 50, "counted": table("aces", "", "", "")}, ["no-marriage-melded"]),
]  # fmt: skip

PARTNERSHIP += [
    # a double run is the ten highest trumps, aces twice both aces of trump: they win, whoever leads
    ({"counted": table("2*run", "", "", ""), "take": (2, 23), "last_trick": 1, "bid": 154}, ["bid-high", "sure-take"]),
    ({"counted": table("2*run", "", "", ""), "take": (6, 19), "last_trick": 1, "bid": 154}, ["bid-high"]),
    ({"counted": table("2*aces", "", "", ""), "trump": None, "take": (1, 24), "last_trick": 1}, ["sure-take"]),
    ({"counted": table("2*aces", "", "", ""), "take": (2, 23), "last_trick": 1}, []),
    ({"counted": table("aces", "aces", "", ""), "take": (1, 24), "last_trick": 1}, []),
]

THREE = [
    ({}, []),
    ({"meld": (150, 100, 60)}, []),
    ({"meld": (150, 100, 50)}, ["counted-differs"]),
    ({"counted": table("run", "aces")}, ["counted-players"]),
    ({"counted": table("nine-of-trump", "", "")}, ["counted-copies"]),
    ({"counted": table("4*aces 3*run", "", "")}, ["counted-cards"]),
    ({"counted": table("", "", "4*aces"), "take": (350, 130, 20)}, ["sure-take"]),
    ({"counted": table("4*aces", "run", "")}, ["counted-pack"]),
    ({"bid": 1600}, ["bid-high"]),
    ({"dealer": 2, "bids": (500, 0, 0)}, []),
    ({"dealer": 0, "bids": (500, 0, 0)}, ["auction-holder"]),
    ({"dealer": 0, "bids": (0, 0)}, []),
    ({"bid": 505}, ["bid-step"]),
    ({"bidder": 3}, ["bidder"]),
    ({"last_trick": 3}, ["last-trick-player"]),
    ({"counted": (), "meld": (305, 0, 0)}, ["meld-impossible"]),
    ({"counted": (), "meld": (5560, 0, 0)}, ["meld-most"]),
    ({"counted": (), "meld": (5540, 0, 0)}, ["meld-most"]),  # its pinochle needs spades or diamonds as trump
    ({"counted": (), "trump": None, "meld": (5540, 5540, 5540)}, ["meld-high"] * 3 + ["meld-pack"]),
    ({"take": (352, 98, 50)}, ["take-step", "take-step"]),
    ({"take": (50, 450, 0), "bidder_scored": False}, ["bidder-scored-last"]),
    ({"take": (100, 400, 0), "bidder_scored": False, "last_trick": 1}, ["bidder-scored-take"]),
    ({"take": (0, 450, 50), "bidder_scored": True, "last_trick": 1}, ["bidder-scored-nothing"]),
    ({"meld": (1000, 0, 0), "counted": (), "take": (40, 300, 160), "last_trick": 1}, ["bidder-scored-needed"]),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "expected"), PARTNERSHIP)
def test_each_problem_of_a_partnership_s_card_and_its_neighbour_that_is_none(facts, expected):
    assert codes(check_partnership(partnership(**facts), ST_HILARY)) == expected


@pytest.mark.parametrize(("facts", "expected"), DROPPED)
def test_a_bid_below_the_opening_is_the_dealer_s_alone(facts, expected):
    assert codes(check_partnership(partnership(**facts), DROPPED_BELOW)) == expected


@pytest.mark.parametrize(("facts", "expected"), DOUBLE)
def test_each_problem_of_a_double_deck_s_card(facts, expected):
    card = partnership(**({"counted": LAID_WITHOUT_NINE} | facts))
    assert codes(check_partnership(card, DOUBLE_DECK)) == expected


@pytest.mark.parametrize(("facts", "expected"), THREE)
def test_each_problem_of_a_three_hand_card(facts, expected):
    assert codes(check_three_hand(three_hand(**facts), THREE_HAND)) == expected


def test_every_problem_of_both_games_is_reached_above():
    reached = {code for _facts, found in PARTNERSHIP + DROPPED + DOUBLE + THREE for code in found}
    said = {code for code in PROBLEMS if code.startswith("pinochle.")}
    of_other_figures = {"pinochle.take-cards"}  # tests/scoring/engine/pinochle/test_checks.py
    assert {f"pinochle.{code}" for code in reached} == said - of_other_figures


def test_a_problem_names_the_player_and_the_card():
    (problem,) = check_partnership(partnership(counted=table("run", "run", "royal-marriage", "")), ST_HILARY)
    assert (problem.severity, problem.field, problem.side) == (Severity.IMPOSSIBLE, "counted", None)
    assert dict(problem.args) == {"lacking": "3 K hearts, 3 Q hearts", "there": 2}
    (problem,) = check_partnership(partnership(counted=table("", "", "2*aces 2*kings", "")), ST_HILARY)
    assert (problem.side, dict(problem.args)) == (1, {"player": 3, "needed": 16, "cards": 12})


# --- the score -----------------------------------------------------------------------------------------


def rules_of_lines(lines):
    return [(line.side, line.points, line.rule.removeprefix("pinochle.")) for line in lines]


def test_counted_melds_are_lines_of_their_own():
    result = score_partnership(partnership(), ST_HILARY)
    assert result.totals == (42, 19)
    assert rules_of_lines(result.lines) == [
        (0, 0, "made"),
        (0, 15, "counted-run"), (0, 2, "counted-marriage"), (0, 10, "counted-aces"), (0, 15, "take-last"),
        (1, 4, "counted-pinochle"), (1, 1, "counted-nine-of-trump"), (1, 4, "counted-jacks"), (1, 10, "take"),
    ]  # fmt: skip


def test_the_total_on_the_card_counts_when_a_ruling_lets_it_differ():
    result = score_partnership(partnership(meld=(25, 9)), ST_HILARY)
    assert result.totals == (40, 19)
    assert (0, 25, "meld") in rules_of_lines(result.lines)


def test_counted_melds_of_three():
    result = score_three_hand(three_hand(), THREE_HAND)
    assert result.totals == (500, 200, 110)
    conceded = score_three_hand(three_hand(conceded=True, take=(), last_trick=None), THREE_HAND)
    assert conceded.totals == (-500, 200, 160)


@pytest.mark.parametrize(
    ("set_points", "partners", "alone"),
    [("deducted", (-60, 19), (-700, 200, 110)), ("with-meld", (-87, 19), (-850, 200, 110)),
     ("reverted", (0, 19), (0, 200, 110)),
     ("given", (0, 79), (0, 900, 810))],
)  # fmt: skip
def test_what_a_failed_bid_costs(set_points, partners, alone):
    result = score_partnership(partnership(bid=60), replace(ST_HILARY, set_points=set_points))
    assert (result.totals, result.sets) == (partners, (0,))
    three = score_three_hand(three_hand(bid=700), replace(THREE_HAND, set_points=set_points))
    assert (three.totals, three.sets) == (alone, (0,))


@pytest.mark.parametrize("set_points", ["deducted", "with-meld", "reverted", "given"])
@pytest.mark.parametrize("ending", [Ending.RENEGE_BID_SIDE, Ending.CONCEDED, Ending.NO_MARRIAGE])
def test_every_way_to_be_set_costs_the_same(set_points, ending):
    rules = replace(ST_HILARY, set_points=set_points, concession=5, no_marriage_is_set=True)
    melded = {Ending.RENEGE_BID_SIDE: 9, Ending.CONCEDED: 14, Ending.NO_MARRIAGE: 0}[ending]
    own = 0 if ending is Ending.NO_MARRIAGE else 27
    facts = NO_MARRIAGE if ending is Ending.NO_MARRIAGE else {"take": (), "last_trick": None, "ending": ending}
    card = partnership(**facts)
    assert check_partnership(card, rules) == ()
    result = score_partnership(card, rules)
    cost, gain = {"deducted": (-30, 0), "with-meld": (-30 - own, 0), "reverted": (0, 0), "given": (0, 30)}[set_points]
    assert (result.totals, result.sets) == ((cost, melded + gain), (0,))


def test_double_deck_records_20_in_meld_and_scores_with_20_in_tricks():
    laid = table("run aces", "", "royal-marriage aces", "jacks kings")
    card = partnership(bid=50, take=(30, 20), counted=laid)
    assert score_partnership(card, DOUBLE_DECK).totals == (55, 46)
    lost = score_partnership(replace(card, take=(31, 19)), DOUBLE_DECK)
    assert (lost.totals, rules_of_lines(lost.lines)[-1]) == ((56, 0), (1, 0, "take-too-low"))
    low = replace(card, counted=table("run aces", "", "", "jacks kings"))
    assert rules_of_lines(score_partnership(low, DOUBLE_DECK).lines)[-2:] == [(1, 0, "meld-too-low"), (1, 20, "take")]
    set_low = score_partnership(replace(card, counted=table("run", "", "", "")), DOUBLE_DECK)
    assert rules_of_lines(set_low.lines)[:2] == [(0, 0, "meld-too-low"), (0, -50, "set")]


def test_double_deck_s_last_trick_counts_two_towards_the_20():
    card = partnership(bid=50, meld=(25, 26), counted=(), trump=None, take=(30, 20), last_trick=1)
    assert score_partnership(card, DOUBLE_DECK).totals == (55, 46)
    assert score_partnership(card, replace(DOUBLE_DECK, last_trick_saves_meld=False)).totals == (55, 20)


# --- true deals ----------------------------------------------------------------------------------------

CLUBS_PLAY = {
    "double deck": DOUBLE_DECK,
    "double deck, conceding": replace(DOUBLE_DECK, concession=10, set_points="given", last_trick_saves_meld=False),
    "double deck, other table": replace(DOUBLE_DECK, aces_around=(10, 100, 200, 400), later_steps=((60, 5), (100, 10))),
    "opening at 16": replace(ST_HILARY, opening_bid=16, set_points="reverted", meld_to_record=6),
    "by fives": replace(ST_HILARY, bid_step=5, dropped_bid=10, concession=0, lay_down_forfeit="opponents"),
    "marriage needed": replace(ST_HILARY, no_marriage_is_set=True, renege_other_side="nothing", meld_savers="both"),
}


@pytest.mark.parametrize("rules", CLUBS_PLAY.values(), ids=CLUBS_PLAY.keys())
def test_no_true_card_is_refused_however_clubs_play(rules):
    rng = Random(20)
    for number in range(150):
        card = play(rng, rules, deals_before=number)
        assert [p for p in check_partnership(card, rules) if p.severity is not Severity.UNLIKELY] == [], card
        result = score_partnership(card, rules)
        assert sum(result.totals) == sum(line.points for line in result.lines)
        assert from_data(PartnershipDeal, to_data(card)) == card


@given(SEEDS, st.integers(0, 9))
def test_moving_everybody_one_seat_mirrors_everything(seed, before):
    card = play(Random(seed), ST_HILARY, deals_before=before)
    moved = replace(
        card,
        bid_side=1 - card.bid_side,
        meld=card.meld[::-1],
        take=card.take[::-1],
        last_trick=None if card.last_trick is None else 1 - card.last_trick,
        counted=card.counted[2:] + card.counted[:2],
        dealer=None if card.dealer is None else (card.dealer + 1) % 4,
    )
    assert codes(check_partnership(moved, ST_HILARY)) == codes(check_partnership(card, ST_HILARY))
    assert score_partnership(moved, ST_HILARY).totals == score_partnership(card, ST_HILARY).totals[::-1]
