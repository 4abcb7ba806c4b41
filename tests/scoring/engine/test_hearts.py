"""Hearts: what cards count for, shooting the moon, and what can't be."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.tricks import PACK, deal_hands, play_out
from scoring.engine.core.game import progress
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hearts import HeartsDeal, Moon, check, score
from tests.examples import cases

HEARTS = rules_of(shipped()["hearts"])
THREE = rules_of(shipped()["hearts"], Shape(3))
OMNIBUS = replace(HEARTS, jack=10, moon="choice")
BLACK_MARIA = replace(HEARTS, king=10, ace=7)
OWN = replace(HEARTS, moon="own")


def deal(*hearts, queen=0, **more):
    return HeartsDeal(hearts=hearts, queen=queen, **more)


LINES = [
    (card, rules, score(card, rules).lines)
    for card, rules in [
        (deal(5, 0, 7, 1, queen=3), HEARTS),
        (deal(5, 0, 7, 1, queen=3, jack=1, king=0, ace=0), replace(BLACK_MARIA, jack=10)),
        (deal(13, 0, 0, 0), HEARTS),
        (deal(13, 0, 0, 0), OWN),
    ]
]
"""Cards with every line of the family."""


@pytest.mark.parametrize(
    ("card", "rules", "points"),
    [
        (deal(5, 0, 7, 1, queen=3), HEARTS, (5, 0, 7, 14)),
        (deal(0, 13, 0, 0, queen=3), HEARTS, (0, 13, 0, 13)),
        (deal(0, 13, 0, 0, queen=1), HEARTS, (26, 0, 26, 26)),  # 78 in all
        (deal(0, 13, 0, 0, queen=1), OWN, (0, -26, 0, 0)),
        (deal(0, 13, 0, 0, queen=1), replace(HEARTS, moon="nothing"), (0, 26, 0, 0)),
        (deal(13, 0, 0), THREE, (0, 26, 26)),
        (deal(5, 0, 7, 1, queen=3, jack=3), OMNIBUS, (5, 0, 7, 4)),
        (deal(0, 13, 0, 0, queen=1, jack=1, moon=Moon.OTHERS), OMNIBUS, (26, -10, 26, 26)),
        (deal(0, 13, 0, 0, queen=1, jack=2, moon=Moon.OTHERS), OMNIBUS, (26, 0, 16, 26)),
        (deal(0, 13, 0, 0, queen=1, jack=1, moon=Moon.OWN), OMNIBUS, (0, -36, 0, 0)),
        (deal(5, 0, 7, 1, queen=3, king=2, ace=2), BLACK_MARIA, (5, 0, 24, 14)),
        (deal(0, 13, 0, 0, queen=1, king=1, ace=2), BLACK_MARIA, (0, 36, 7, 0)),
        (deal(0, 13, 0, 0, queen=1, king=1, ace=1), BLACK_MARIA, (43, 0, 43, 43)),
        (deal(40, 0, 59, 0, queen=1), replace(HEARTS, hearts=99, queen=25), (40, 25, 59, 0)),
    ],
)
def test_what_a_deal_is_worth(card, rules, points):
    assert check(card, rules) == ()
    assert score(card, rules).totals == points


@pytest.mark.parametrize(
    ("card", "rules", "found"),
    [
        (deal(5, 7, 1), HEARTS, ["players"]),
        (deal(5, 0, 7, 1, queen=None), HEARTS, ["missing"]),
        (deal(5, 0, 7, 1, queen=4), HEARTS, ["taker"]),
        (deal(5, 0, 7, 1, jack=-1), OMNIBUS, ["taker"]),
        (deal(13, 0, 0, 0, jack=2), OMNIBUS, ["moon-choice"]),
        (deal(5, 0, 7, 2), HEARTS, ["whole"]),
        (deal(14, 0, 0, 0), HEARTS, ["whole", "hearts"]),
        (deal(14, -1, 0, 0), HEARTS, ["hearts", "hearts"]),
        (deal(5, 0, 7, 1, jack=1), HEARTS, ["not-in-rules"]),
        (deal(5, 0, 7, 1, jack=1, moon=Moon.OWN), OMNIBUS, ["no-moon"]),
        (deal(13, 0, 0, 0, moon=Moon.OWN), HEARTS, ["no-choice"]),
    ],
)
def test_what_is_wrong_with_a_card(card, rules, found):
    assert [problem.code.removeprefix("hearts.") for problem in check(card, rules)] == found


def test_the_game_ends_at_100_and_the_lowest_wins():
    deals = [deal(13, 0, 0, 0, queen=1), deal(13, 0, 0, 0, queen=1), deal(0, 0, 13, 0, queen=2)]
    now = progress([score(card, HEARTS) for card in [*deals, deals[2], deals[2]]], HEARTS)
    assert (now.over, now.totals, now.winners) == (True, (104, 104, 0, 78), (2,))


@pytest.mark.parametrize("deals", cases(400, proof=20_000))
def test_dealt_hearts_come_to_the_same_counted_card_by_card(deals, tried):
    """By other code, from the cards in the tricks; every fifth deal one hand has all hearts."""
    rng, shot = Random(f"hearts {deals}"), 0
    worth = {(2, rank): 1 for rank in range(2, 15)} | {(3, 12): 13}
    for number in range(deals):
        hands = deal_hands(rng, 4, 13)
        if number % 5 == 0:
            pack = sorted(PACK, key=lambda card: card[0] != 2)
            hands = [pack[13 * seat : 13 * (seat + 1)] for seat in range(4)]
        tricks = play_out(rng, hands).took
        took = [[card for trick in own for card in trick] for own in tricks]
        points = [sum(worth.get(card, 0) for card in own) for own in took]
        if 26 in points:
            shot += 1
            points = [26 - mine for mine in points]
        jack = next(seat for seat, own in enumerate(took) if (1, 11) in own)
        queen = next(seat for seat, own in enumerate(took) if (3, 12) in own)
        card = HeartsDeal(hearts=tuple(sum(suit == 2 for suit, _rank in own) for own in took), queen=queen)
        assert (check(card, HEARTS), list(score(card, HEARTS).totals)) == ((), points)
        rules = replace(HEARTS, jack=10)
        with_jack = [mine - 10 * (seat == jack) for seat, mine in enumerate(points)]
        assert list(score(replace(card, jack=jack), rules).totals) == with_jack
    assert shot >= deals // 5
    tried(deals)


@pytest.mark.parametrize("cards", cases(200, proof=2_000))
def test_impossible_cards_are_refused(cards, tried):
    rng = Random(f"impossible hearts {cards}")
    for _card in range(cards):
        tricks = play_out(rng, deal_hands(rng, 4, 13)).took
        hearts = [sum(card[0] == 2 for trick in own for card in trick) for own in tricks]
        hearts[rng.randrange(4)] += rng.choice((-3, -2, -1, 1, 2, 3))
        assert any(p.severity.stops for p in check(HeartsDeal(hearts=tuple(hearts), queen=rng.randrange(4)), HEARTS))
    tried(cards)
