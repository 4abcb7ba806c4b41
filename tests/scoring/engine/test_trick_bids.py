"""Spades, oh hell: what bids and tricks are worth, what can't be, and bags that go on from deal to deal."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from lab.simulation.tricks import SPADES as TRUMP, deal_hands, play_out
from scoring.engine.core.family import check_in_game, judge_deals, score_deals
from scoring.engine.core.game import progress
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.settings import change_settings, setting_problems
from scoring.engine.trick_bids import FAMILY, TrickBidsDeal, check, score
from tests.examples import cases

SPADES = rules_of(shipped()["spades"])
ALONE = rules_of(shipped()["spades"], Shape(4))
OH_HELL = rules_of(shipped()["oh-hell"])
TO_BID = replace(SPADES, nil_tricks="bid")
NONE = (0, 0, 0, 0)  # tricks after nil


def spades(*bids, tricks, **more):
    return TrickBidsDeal(bids=bids, tricks=tricks, **more)


LINES = [
    (deal, rules, score(deal, rules).lines)
    for deal, rules in [
        (spades(4, 3, 5, 0, tricks=(8, 5), nil_tricks=NONE), SPADES),
        (spades(4, 3, 5, 0, tricks=(9, 4), nil_tricks=(0, 0, 0, 1)), SPADES),
        (spades(0, 3, 5, 0, tricks=(4, 9), nil_tricks=(1, 0, 0, 0), blind=(True, False, False, True)), SPADES),
        (spades(1, 1, 1, 1, tricks=(13, 0)), SPADES),
        (spades(2, 3, 3, 1, tricks=(2, 3, 4, 1), cards=10), OH_HELL),
    ]
]
"""Cards with every line of the family."""


def test_every_line_is_brought_about():
    assert {line.rule for _deal, _rules, found in LINES for line in found} == {
        f"trick-bids.{code}"
        for code in (
            *("made", "failed", "bags", "bag-penalty"),
            *("nil-made", "nil-failed", "blind-made", "blind-failed"),
        )
    }


@pytest.mark.parametrize(
    ("deal", "rules", "points"),
    [
        (spades(4, 3, 5, 1, tricks=(8, 5)), SPADES, (71, -60)),
        (spades(4, 3, 5, 1, tricks=(7, 6)), SPADES, (70, 60)),
        (spades(4, 3, 5, 0, tricks=(7, 6), nil_tricks=NONE), SPADES, (70, 151)),
        (spades(4, 3, 5, 0, tricks=(7, 6), nil_tricks=(0, 0, 0, 1)), SPADES, (70, 50 + 1 - 100)),
        (spades(4, 3, 5, 0, tricks=(8, 5), nil_tricks=(0, 0, 0, 1)), SPADES, (71, -50 + 1 - 100)),
        (spades(4, 3, 5, 0, tricks=(8, 5), nil_tricks=(0, 0, 0, 1)), TO_BID, (71, 50 - 100)),
        (spades(4, 3, 5, 0, tricks=(8, 5), nil_tricks=NONE, blind=(False, False, False, True)), SPADES, (71, 250)),
        (spades(0, 0, 5, 5, tricks=(3, 10), nil_tricks=(1, 2, 0, 0)), SPADES, (-200 + 3, 100)),
        (spades(0, 0, 5, 5, tricks=(3, 10), nil_tricks=(1, 2, 0, 0)), TO_BID, (-200 + 3, 100)),
        (spades(0, 0, 5, 8, tricks=(0, 13), nil_tricks=NONE), SPADES, (200, 130)),
        (spades(1, 1, 1, 1, tricks=(13, 0)), SPADES, (20 + 11 - 100, -20)),
        (spades(0, 4, 5, 2, tricks=(0, 4, 6, 3)), ALONE, (100, 40, 51, 21)),
        (spades(0, 4, 5, 2, tricks=(2, 4, 5, 2)), ALONE, (-98, 40, 50, 20)),
        (spades(2, 3, 3, 0, tricks=(2, 3, 5, 0), cards=10), OH_HELL, (12, 13, 0, 10)),
        (spades(2, 3, 3, 0, tricks=(2, 3, 5, 0), cards=10), replace(OH_HELL, failed="tricks"), (12, 13, 5, 10)),
        (spades(2, 3, 3, 0, tricks=(2, 3, 5, 0), cards=10), replace(OH_HELL, failed="off"), (12, 13, -2, 10)),
        (
            spades(2, 3, 3, 0, tricks=(2, 3, 5, 0), cards=10),
            replace(OH_HELL, bid_points=0, square_points=1, failed="off-squared"),
            (14, 19, -4, 10),
        ),
        (spades(2, 3, 3, 0, tricks=(2, 3, 5, 0), cards=10), replace(OH_HELL, nil=5, failed_base=5), (12, 13, -5, 5)),
        (spades(2, 3, 3, 0, tricks=(2, 4, 3, 1), cards=10), replace(OH_HELL, nil=5), (12, 0, 13, -5)),
    ],
)
def test_what_a_deal_is_worth(deal, rules, points):
    assert check(deal, rules) == ()
    assert score(deal, rules).totals == points


@pytest.mark.parametrize(
    ("deal", "rules", "found"),
    [
        (spades(4, 3, 5, tricks=(8, 5)), SPADES, ["players"]),
        (spades(4, 3, 5, 1, tricks=(8, 5), blind=(True,)), SPADES, ["players"]),
        (spades(4, 3, 5, 1, tricks=(8,)), SPADES, ["sides"]),
        (spades(4, 3, 5, 1, tricks=(8, 4)), SPADES, ["whole"]),
        (spades(4, 3, 5, 1, tricks=(14, -1)), SPADES, ["tricks", "tricks"]),
        (spades(14, 3, 5, 1, tricks=(8, 5)), SPADES, ["bid", "bid-together"]),
        (spades(4, 3, -5, 1, tricks=(8, 5)), SPADES, ["bid"]),
        (spades(7, 7, 5, 1, tricks=(8, 5)), SPADES, ["bid-together"]),
        (spades(4, 3, 5, 1, tricks=(8, 5)), replace(SPADES, hook=True), ["hook"]),
        (spades(4, 3, 5, 1, tricks=(8, 5), blind=(True, False, False, False)), SPADES, ["blind"]),
        (spades(0, 3, 5, 1, tricks=(8, 5), nil_tricks=NONE, blind=(True, False, False, False)),
         replace(SPADES, blind_nil=None), ["no-blind"]),
        (spades(4, 3, 5, 1, tricks=(8, 5), nil_tricks=(1, 0, 0, 0)), SPADES, ["not-nil"]),
        (spades(0, 3, 5, 1, tricks=(8, 5), nil_tricks=(9, 0, 0, 0)), SPADES, ["nil-tricks"]),
        (spades(0, 3, 5, 1, tricks=(8, 5), nil_tricks=(-1, 0, 0, 0)), SPADES, ["nil-tricks"]),
        (spades(0, 0, 5, 1, tricks=(8, 5), nil_tricks=(4, 3, 0, 0)), SPADES, ["nil-both"]),
        (spades(0, 0, 5, 1, tricks=(8, 5)), SPADES, ["nil-missing", "nil-missing"]),
        (spades(0, 4, 5, 2, tricks=(2, 4, 5, 2), nil_tricks=(1, 0, 0, 0)), ALONE, ["nil-alone"]),
        (spades(2, 3, 3, 1, tricks=(2, 3, 5, 1), cards=11), OH_HELL, ["cards"]),
        (spades(2, 3, 3, 2, tricks=(2, 3, 4, 1), cards=10), OH_HELL, ["hook"]),
        (spades(2, 3, 3, 1, tricks=(2, 3, 4, 1), cards=9), OH_HELL, ["whole", "hook"]),
        (spades(2, 3, 3, 1, tricks=(2, 3, 5, 1)), OH_HELL, ["whole"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_card(deal, rules, found):
    assert [problem.code.removeprefix("trick-bids.") for problem in check(deal, rules)] == found


# --- bags ----------------------------------------------------------------------------------------------


def over(bags):
    """A deal of spades in which the first side bids four and takes so many more; the second makes its bid and a nil."""
    return spades(2, 2, 9 - bags, 0, tricks=(4 + bags, 9 - bags), nil_tricks=NONE)


def test_the_tenth_bag_costs_a_hundred_in_the_deal_in_which_it_falls():
    scores = score_deals(FAMILY, SPADES, cards=[over(4), over(5), over(3), over(2)])
    assert [made.totals[0] for made in scores] == [44, 45, 43 - 100, 42]
    assert [made.carried[0] for made in scores] == [4, 9, 2, 4]
    assert dict(scores[2].lines[2].args) == {"bags": 12, "limit": 10}


def test_a_deal_that_is_changed_changes_those_after_it():
    deals = [over(4), over(5), over(3)]
    assert sum(made.totals[0] for made in score_deals(FAMILY, SPADES, cards=deals)) == 132 - 100
    assert sum(made.totals[0] for made in score_deals(FAMILY, SPADES, cards=[over(1), *deals[1:]])) == 129


def test_without_a_limit_no_bags_are_carried():
    assert sum(s.totals[0] for s in score_deals(FAMILY, replace(SPADES, bag_limit=None), cards=[over(9)] * 3)) == 3 * 49


def test_bags_go_on_after_a_card_that_says_nothing():
    broken = TrickBidsDeal(bids=(), tricks=())
    judged = list(judge_deals(FAMILY, SPADES, cards=[over(6), broken, over(6)]))
    assert judged[1][1] is None
    assert judged[2][1].totals[0] == 46 - 100


def test_a_side_down_to_minus_200_has_lost():
    deal = spades(7, 6, 1, 1, tricks=(11, 2))
    now = progress(score_deals(FAMILY, SPADES, cards=[deal, deal]), SPADES)
    assert (now.totals[0], now.over, now.winners, now.ended_by) == (-260, True, (1,), "lost")


# --- the hands of oh hell ----------------------------------------------------------------------------


def test_the_place_in_the_game_says_how_many_cards_there_are():
    deal = spades(2, 3, 3, 0, tricks=(2, 3, 4, 0))
    assert [p.code for p in check_in_game(FAMILY, deal, rules=OH_HELL, before=None, place=1)] == ["trick-bids.whole"]
    assert check_in_game(FAMILY, deal, rules=OH_HELL, before=None, place=2) == ()
    noted = replace(deal, cards=9)
    assert check_in_game(FAMILY, noted, rules=OH_HELL, before=None, place=1) == ()


@pytest.mark.parametrize(
    ("schedule", "hands"),
    [
        ("level", (4,)),
        ("down", (4, 3, 2, 1)),
        ("up", (1, 2, 3, 4)),
        ("down-up", (4, 3, 2, 1, 2, 3, 4)),
        ("up-down", (1, 2, 3, 4, 3, 2, 1)),
    ],
)
def test_the_hands_follow_the_schedule_and_end_the_game(schedule, hands):
    rules = replace(OH_HELL, hand_sizes=((3, 4),), schedule=schedule, deals=None)
    assert rules.hands == hands
    assert rules.deals == (None if schedule == "level" else len(hands))
    assert [rules.cards_at(place) for place in range(1, len(hands) + 2)] == [*hands, hands[0]]


# --- another way to count ------------------------------------------------------------------------------


def counted_otherwise(bids, taken, *, exact):
    """Points by hand: spades in partnerships of seats 0, 1 and 2, 3 with the bags, or oh hell; from tricks."""
    if exact:
        return [10 + bid if sum(1 for _ in tricks) == bid else 0 for bid, tricks in zip(bids, taken, strict=True)]
    points, bags = [0, 0], [0, 0]
    for side in (0, 1):
        pair = [2 * side, 2 * side + 1]
        contract, towards = 0, 0
        for seat in pair:
            if bids[seat] == 0:
                points[side] += 100 if not taken[seat] else -100
                bags[side] += len(taken[seat])
            else:
                contract += bids[seat]
                towards += len(taken[seat])
        if contract and towards < contract:
            points[side] -= 10 * contract
        elif contract:
            points[side] += 10 * contract
            bags[side] += towards - contract
        points[side] += bags[side]
    return points, bags


@pytest.mark.parametrize("games", cases(60, proof=2_500))
def test_dealt_games_of_spades_come_to_the_same_counted_otherwise(games, tried):
    """Eight deals a game, so 20,000 in a proof; bags and their penalties too."""
    rng = Random(f"spades {games}")
    for _game in range(games):
        deals, expected, bags = [], [], Counter()
        for _deal in range(8):
            taken = play_out(rng, deal_hands(rng, 4, 13), trump=TRUMP).took
            bids = [0 if rng.random() < 0.15 else rng.randint(1, 5) for _seat in range(4)]
            points, more = counted_otherwise(bids, taken, exact=False)
            for side in (0, 1):
                bags[side] += more[side]
                if bags[side] >= 10:
                    points[side] -= 100 * (bags[side] // 10)
                    bags[side] %= 10
            nil = [len(tricks) if bid == 0 else 0 for bid, tricks in zip(bids, taken, strict=True)]
            sides = [len(taken[0]) + len(taken[1]), len(taken[2]) + len(taken[3])]
            deals.append(
                TrickBidsDeal(bids=tuple(bids), tricks=tuple(sides), nil_tricks=tuple(nil) if 0 in bids else ())
            )
            expected.append(points)
        assert not any(p for deal in deals for p in check(deal, SPADES) if p.severity.stops)
        assert [list(made.totals) for made in score_deals(FAMILY, SPADES, cards=deals)] == expected
    tried(8 * games)


@pytest.mark.parametrize("deals", cases(400, proof=20_000))
def test_dealt_oh_hell_comes_to_the_same_counted_otherwise(deals, tried):
    rng = Random(f"oh hell {deals}")
    for _deal in range(deals):
        players, cards = rng.randint(3, 7), rng.randint(1, 7)
        rules = rules_of(shipped()["oh-hell"], Shape(players))
        taken = play_out(rng, deal_hands(rng, players, cards), trump=TRUMP).took
        bids = [min(cards, rng.randint(0, 3)) for _player in range(players)]
        deal = TrickBidsDeal(bids=tuple(bids), tricks=tuple(map(len, taken)), cards=cards)
        assert {p.code for p in check(deal, rules)} == ({"trick-bids.hook"} if sum(bids) == cards else set())
        assert list(score(deal, rules).totals) == counted_otherwise(bids, taken, exact=True)
    tried(deals)


@pytest.mark.parametrize("cards", cases(200, proof=2_000))
def test_impossible_cards_are_refused(cards, tried):
    """A true card on which tricks of one side are miscounted, a bid is more than the hand, or a nil took too many."""
    rng = Random(f"impossible {cards}")
    for _card in range(cards):
        taken = list(map(len, play_out(rng, deal_hands(rng, 4, 13), trump=TRUMP).took))
        bids, sides = [rng.randint(1, 5) for _seat in range(4)], [taken[0] + taken[1], taken[2] + taken[3]]
        wrong, nil = rng.choice(("tricks", "bid", "nil", "both")), [0, 0, 0, 0]
        if wrong == "tricks":
            sides[rng.randrange(2)] += rng.choice((-2, -1, 1, 2))
        elif wrong == "bid":
            bids[rng.randrange(4)] = rng.randint(14, 20)
        elif wrong == "nil":
            seat = rng.randrange(4)
            bids[seat], nil[seat] = 0, sides[seat // 2] + rng.randint(1, 3)
        else:
            bids[0] = bids[1] = 0
            nil[0] = sides[0] + rng.choice((-1, 1)) if sides[0] else 1
        deal = TrickBidsDeal(bids=tuple(bids), tricks=tuple(sides), nil_tricks=tuple(nil) if 0 in bids else ())
        assert any(problem.severity.stops for problem in check(deal, SPADES)), deal
    tried(cards)


@pytest.mark.parametrize(
    ("sizes", "code"),
    [([[2, 13], [3, 18]], "setting.pack"), ([[5, 10]], "rules.no-deal"), ([[2, 26], [3, 17], [4, 13]], None)],
)
def test_every_player_needs_cards_and_no_more_than_the_pack_has(sizes, code):
    values = {"hand_sizes": sizes}
    draft = change_settings(shipped()["spades"], values, original=None, source="the club")
    assert ({problem.code for problem in setting_problems(draft)} or {None}) == {code}
