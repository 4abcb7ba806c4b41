"""Cribbage by deal: what hands can be worth, counted; deals played with cards; and the end of a game, at once."""

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random

import pytest

from lab.simulation.cribbage import PACK, count_hand, peg, play
from scoring.engine.core.family import check_in_game, judge_deals
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.cribbage import FAMILY, HANDS, PARTNERS, CribbageDeal, check, score
from scoring.engine.families import rules_of
from tests.examples import cases

RULE_SET = shipped()["cribbage-by-deal"]
RULES = {shape: rules_of(RULE_SET, shape) for shape in RULE_SET.shapes}
TWO = RULES[Shape(2, 1)]
DEAL = CribbageDeal(dealer=1, pegging=(2, 3), hands=(8, 12), crib=4)
PAST_ALL = [*["cribbage.after-end"] * 3, "cribbage.two-out", *["cribbage.past"] * 2]
LINES = [(DEAL, TWO, score(DEAL, TWO).lines)]
"""A card with every line of the family."""


def codes(deal, before=(0, 0), rules=TWO):
    return [problem.code for problem in check_in_game(FAMILY, deal, rules=rules, before=before)]


def test_pegging_hands_and_the_dealers_crib_add_up():
    lines = [(line.side, line.points, line.rule.partition(".")[2]) for line in score(DEAL, TWO).lines]
    assert lines == [(0, 2, "pegging"), (1, 3, "pegging"), (0, 8, "hands"), (1, 12, "hands"), (1, 4, "crib")]
    assert codes(DEAL) == []


@pytest.mark.parametrize("most", cases(3_000, proof=0))
def test_hands_are_worth_what_the_form_offers(most):
    """Brute force, by other code, over ranks and the ways to have a flush and his nobs, or a sample of them."""
    found = Counter()
    hands = combinations_with_replacement(range(1, 14), 5)
    sample = [ranks for ranks in hands if max(Counter(ranks).values()) <= 4]
    if most:
        sample = [*Random(1).sample(sample, most), (5, 5, 5, 5, 11)]
    for ranks in sample:
        for place in range(5):
            hand, starter = [*ranks[:place], *ranks[place + 1 :]], ranks[place]
            plain = counted_by_ranks([*hand, starter])
            found[plain] += 1
            nobs = 11 in hand and starter != 11
            found[plain + nobs] += 1
            if len(set(hand)) == 4:
                for flush in (4, *((5 + nobs,) if starter not in hand else ())):
                    found[plain + flush] += 1
    assert set(found) - {0} <= HANDS
    assert most or set(found) == HANDS
    assert max(found) == 29


def counted_by_ranks(ranks):
    """Fifteens, pairs and runs of five ranks: another way than that of the simulation."""
    fifteens = [1] + [0] * 15
    for pips in (min(rank, 10) for rank in ranks):
        for total in range(15, pips - 1, -1):
            fifteens[total] += fifteens[total - pips]
    many = Counter(ranks)
    points = 2 * fifteens[15] + sum(n * (n - 1) for n in many.values())
    length, ways, best = 0, 1, 0
    for rank in range(1, 15):
        if many[rank]:
            length, ways = length + 1, ways * many[rank]
            continue
        best = max(best, length * ways if length >= 3 else 0)
        length, ways = 0, 1
    return points + best


def test_partners_hands_together_can_be_nearly_anything():
    assert set(range(58)) - PARTNERS == {54, 55}


@pytest.mark.parametrize("shape", RULES, ids=str)
@pytest.mark.parametrize("deals", cases(600, proof=7_000))
def test_deals_played_with_cards_are_exact_up_to_the_game_hole(shape, deals, tried):
    rng, rules, played = Random(f"{shape}"), RULES[shape], 0
    while played < deals:
        before, game = (0,) * shape.sides, []
        while max(before) < rules.target:
            deal = play(rng, rules, deals_before=len(game), before=before)
            assert check_in_game(FAMILY, deal, rules=rules, before=before) == ()
            before = tuple(map(sum, zip(before, score(deal, rules).totals, strict=True)))
            game.append(deal)
        assert max(before) == rules.target
        assert [p for problems, _score in judge_deals(FAMILY, rules, cards=game) for p in problems] == []
        played += len(game)
    tried(played)


@pytest.mark.parametrize("wrong", cases(200, proof=2_000))
def test_impossible_cards_are_refused(wrong, tried):
    rng, tries = Random(2), 0
    while tries < wrong:
        deal = play(rng, TWO, deals_before=rng.randrange(2), before=(0, 0))
        side = rng.randrange(2)
        never = rng.choice([19, 25, 26, 27, 30, 31, 40, 99, -1])
        spoilt = rng.choice(
            [
                replace(deal, crib=never),
                replace(deal, hands=tuple(never if n == side else p for n, p in enumerate(deal.hands))),
                replace(deal, pegging=tuple(33 + never % 60 if n == side else p for n, p in enumerate(deal.pegging))),
                replace(deal, pegging=(0, 0)),
            ]
        )
        assert codes(spoilt)
        tries += 1
    tried(tries)


@pytest.mark.parametrize(
    ("before", "deal", "wrong"),
    [
        ((118, 110), replace(DEAL, pegging=(3, 5), hands=(0, 0), crib=0), []),  # out in the play
        (
            (118, 110),
            replace(DEAL, pegging=(3, 5)),
            PAST_ALL,
        ),
        ((112, 110), replace(DEAL, hands=(7, 0), crib=0), []),  # the other hand is counted first
        ((112, 110), replace(DEAL, hands=(8, 0), crib=0), ["cribbage.past"]),
        ((92, 110), replace(DEAL, hands=(17, 8), crib=0), []),  # 111, then the dealer is out with a hand
        ((100, 110), replace(DEAL, hands=(19, 0), crib=0), []),  # 19 of a hand were needed
        ((92, 98), replace(DEAL, hands=(8, 12), crib=8), []),
        ((92, 98), replace(DEAL, hands=(19, 12), crib=8), ["cribbage.hands"]),
        ((100, 83), replace(DEAL, hands=(8, 8), crib=27), []),
        ((100, 82), replace(DEAL, hands=(8, 8), crib=27), ["cribbage.crib"]),
    ],
)
def test_the_game_ends_as_soon_as_somebody_is_in_the_game_hole(before, deal, wrong):
    assert codes(deal, before) == wrong


@pytest.mark.parametrize(
    ("deal", "wrong"),
    [
        (replace(DEAL, pegging=(25, 3)), "cribbage.pegging"),
        (replace(DEAL, pegging=(2, 33)), "cribbage.pegging"),
        (replace(DEAL, pegging=(0, 0)), "cribbage.nothing-pegged"),
        (replace(DEAL, hands=(8,)), "cribbage.sides"),
        (replace(DEAL, before=(0,)), "cribbage.sides"),
        (replace(DEAL, dealer=2), "cribbage.dealer"),
    ],
)
def test_what_no_cards_give_is_told(deal, wrong):
    assert [problem.code for problem in check(deal, TWO)] == [wrong]


def test_nobody_pegs_more_than_the_limits():
    """Found by trying every way to play four cards each: 4, 6, 5, 5, 5 and again 5, the last two by the player who led
    as the dealer can't go on; and 7, 7, 7, 7, go, 4, 4, 4, 4. The dealer may have his heels besides."""
    other = ([4, 6, 5], [4, 6, 5, 5, 5], [4, 6, 5, 5, 5, 5])
    assert sum(map(peg, other)) + 1 == TWO.most_pegged(dealer=False)
    dealer = ([7, 7], [7, 7, 7, 7], [4, 4], [4, 4, 4, 4])
    assert sum(map(peg, dealer)) + 1 + 1 + 2 == TWO.most_pegged(dealer=True)


SUITS = "cdhs"


def card(text):
    return "A23456789TJQK".index(text[0]) + 1, SUITS.index(text[1])


PEERS = [
    # nlemoing/cribbage, tests/test_score.py: cards by number, 13 to a suit; and the worth of each hand
    ("4 30 17 36|43", 28),
    ("4 43 17 36|30", 29),
    ("0 14 28 42|43", 7),
    ("0 14 28 42|29", 10),
    ("10 23 36 48|50", 15),
    ("10 23 48 50|37", 16),
    ("1 3 5 20|9", 0),
    ("1 3 5 7|22", 4),
    ("1 3 5 7|22 crib", 0),
    ("1 3 5 7|9", 5),
    ("1 3 5 7|9 crib", 5),
    ("20 33 29 16|15", 12),
    ("45 46 32 33|21", 24),
    ("41 28 29 30|48", 12),
    ("44 40 13 17|26", 4),
    ("1 16 31 46|48", 0),
    ("1 14 31 46|48", 2),
    ("1 14 27 46|48", 6),
    ("1 14 27 40|48", 12),
    # dario-campagna/cribbage-score-calculator-25, notes.md
    ("3c 7c Ac Kc|Jd", 4),
    ("3c 7c Ac Kc|Jc", 5),
    # CribbageScoringTests of a Swift library of card games
    ("As 3h 8h 9h|Js", 0),
    ("As 3h 8h Jh|9h", 1),
    ("As 3h 8h 9h|9s", 2),
]


@pytest.mark.parametrize(("cards", "points"), PEERS)
def test_hands_of_other_scorers(cards, points):
    cards, in_crib, _end = cards.partition(" crib")
    hand, starter = (
        [(int(one) % 13 + 1, int(one) // 13) if one.isdecimal() else card(one) for one in part.split()]
        for part in cards.split("|")
    )
    assert count_hand(hand, starter[0], crib=bool(in_crib)) == points
    assert points in HANDS


def test_hands_of_the_simulation_are_those_counted_by_rank():
    rng = Random(3)
    for _hand in range(500):
        *hand, starter = rng.sample(PACK, 5)
        flush = 0 if len({suit for _rank, suit in hand}) > 1 else 4 + (starter[1] == hand[0][1])
        nobs = (11, starter[1]) in hand
        expected = counted_by_ranks([rank for rank, _suit in (*hand, starter)]) + flush + nobs
        assert count_hand(hand, starter, crib=False) == expected
