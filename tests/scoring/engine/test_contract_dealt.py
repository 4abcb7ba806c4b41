"""Five hundred, euchre, bid euchre and whist against other code, and against what other score keepers' tests expect.

- minnesota_whist and fivehundred (Flutter), test of `FiveHundredScorer`: five hundred by the Avondale schedule.
- fivehundred (Python), test of `gen_all_bids`: the whole schedule with misère and open misère.
- Two euchre games in TypeScript: `calculateHandScore` ("Go Alone Scoring") and `scoreHand` ("Scoring").

Values that docs/worked-examples.md has, too, don't stand here again: the schedule, euchre, and what eight hearts are
worth with seven to ten tricks.

What differs: minnesota_whist knows no misère, and a side goes out with tricks, which is a setting here; when both sides
have 500 its higher total wins, where here the bid side does unless `bid_side_first` says no. All give two points for
the euchre of a lone hand, as here; four is a setting. Of the euchre games none asks whether the tricks are five.
"""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.contract import play
from scoring.engine.contract import Alone, ContractDeal, Trump, check, score
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from tests.examples import cases

AVONDALE = {
    "spades": (40, 140, 240, 340, 440),
    "clubs": (60, 160, 260, 360, 460),
    "diamonds": (80, 180, 280, 380, 480),
    "hearts": (100, 200, 300, 400, 500),
    "no-trump": (120, 220, 320, 420, 520),
}
FIVE_HUNDRED = rules_of(shipped()["five-hundred-by-contract"])
EUCHRE = rules_of(shipped()["euchre-by-tricks"])
DEFENDED = replace(EUCHRE, maker_points=(*EUCHRE.maker_points, ("defended-alone", 4)))
ALL = [
    *(rules_of(rule_set, shape) for rule_set in shipped().values() if rule_set.family == "contract" for shape in
      rule_set.shapes),
    DEFENDED,
    replace(FIVE_HUNDRED, misere_tricks=True, slam=None),
]  # fmt: skip


def by_hand(card, rules):
    """The points of a card, worked out as at the table."""
    took, sides = card.tricks, range(rules.shape.sides)
    if rules is DEFENDED or rules == EUCHRE:
        mine, alone = took[card.bidder], card.alone in {Alone.MAKER, Alone.BOTH}
        if mine >= 3:
            won = (4 if alone else 2) if mine == 5 else 1
            return [won if side == card.bidder else 0 for side in sides]
        euchre = 4 if card.alone in {Alone.BOTH, Alone.DEFENDER} else 2
        return [0 if side == card.bidder else euchre for side in sides]
    if rules.tricks == 13:
        held = card.honours or (0, 0)
        return [max(0, tricks - 6) + {3: 2, 4: 4}.get(own, 0) for tricks, own in zip(took, held, strict=True)]
    if rules.tricks == 6:
        mine = took[card.bidder]
        if card.call:
            won = {"moon": 12, "double-moon": 24}[card.call] * (1 if mine == 6 else -1)
        else:
            won = mine if mine >= card.bid else -card.bid
        return [won if side == card.bidder else took[side] for side in sides]
    pair = {card.bidder, card.partner} - {None}
    mine = sum(took[side] for side in pair)
    if card.call:
        won = {"misere": 250, "open-misere": 500}[card.call] * (-1 if mine else 1)
        each = 10 if rules.misere_tricks else 0
    else:
        worth, each = AVONDALE[card.trump][card.bid - 6], 10
        won = -worth if mine < card.bid else max(worth, 250 if rules.slam and mine == 10 else 0)
    return [won if side in pair else each * took[side] for side in sides]


@pytest.mark.parametrize("deals", cases(600, proof=20_000))
def test_played_deals_come_to_the_same_worked_out_by_hand(deals, tried):
    rng = Random(f"contract {deals}")
    kinds = set()
    for number in range(deals):
        rules = ALL[number % len(ALL)]
        card = play(rng, rules, deals_before=0)
        result = score(card, rules)
        assert (check(card, rules), list(result.totals)) == ((), by_hand(card, rules)), card
        kinds.update(line.rule for line in result.lines)
    assert len(kinds) >= 11
    tried(deals)


def spoilt(rng, card, rules):
    """The card with one figure that no deal can have."""
    tricks = list(card.tricks)
    place = rng.randrange(len(tricks))
    if card.honours and rng.random() < 0.5:
        return replace(card, honours=(sum(card.honours) + 1, 4))
    if card.bid and rng.random() < 0.3:
        return replace(card, bid=rng.choice((0, 1, 2, rules.tricks + 1, rules.tricks + 5)))
    tricks[place] += rng.choice((1, 2, 5)) + (rules.tricks if card.call else 0)
    return replace(card, tricks=tuple(tricks))


@pytest.mark.parametrize("cards", cases(200, proof=2_000))
def test_impossible_cards_are_refused(cards, tried):
    rng = Random(f"impossible contract {cards}")
    for number in range(cards):
        rules = ALL[number % len(ALL)]
        card = spoilt(rng, play(rng, rules, deals_before=0), rules)
        assert any(problem.severity.stops for problem in check(card, rules)), card
    tried(cards)


@pytest.mark.parametrize(
    ("level", "trump", "tricks", "totals"),
    [
        (8, "hearts", 6, (-300, 40)),
        (8, "hearts", 5, (-300, 50)),
        (8, "spades", 10, (250, 0)),
        (6, "spades", 10, (250, 0)),
        (10, "no-trump", 9, (-520, 10)),
    ],
)
def test_what_the_five_hundred_scorer_expects(level, trump, tricks, totals):
    card = ContractDeal(bidder=0, bid=level, trump=Trump(trump), tricks=(tricks, 10 - tricks))
    assert check(card, FIVE_HUNDRED) == ()
    assert score(card, FIVE_HUNDRED).totals == totals
