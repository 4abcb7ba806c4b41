"""Values from other scorers' own tests, for spades, oh hell and hearts; no code is theirs.

- mreishus/spades, backend/test/spades_game/game_score_round_team_test.exs: nothing differs.
- google-deepmind/open_spiel, open_spiel/games/spades/spades_test.cc: a failed nil's tricks count to the partner's bid;
  bags are the last figure of the score.
- Cards with cats, tests of the package `cards_with_cats`: ten bags cost 110 in spades, and without that penalty bags
  count nothing.
- Wh3g/oh_hell_scorer, spec/scorecard_spec.rb: 10 and 5 for each trick bid; 5 off for each trick too many or too few.
- psalaets/ohhell, test/RoundScoreSpec.js: a failed bid loses what it would have earned.
- A scorer of Israeli whist, TestMadeContractScoring and TestFailedContractScoring: 10 and the square of the bid,
  10 off for each trick too many or too few; its bids of zero are otherwise and aren't here.
"""

from dataclasses import replace

import pytest

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hearts import HeartsDeal, score as score_hearts
from scoring.engine.trick_bids import TrickBidsDeal, score

SPADES = rules_of(shipped()["spades"])
TO_BID = replace(SPADES, nil_tricks="bid")
CATS = replace(SPADES, bag_penalty=110)
OH_HELL = rules_of(shipped()["oh-hell"], Shape(3))


@pytest.mark.parametrize(
    ("rules", "bids", "won", "bags", "points", "after"),
    [
        # mreishus/spades: bids and tricks of two partners, bags before; points and bags after
        (SPADES, (3, 3), (3, 3), 0, 60, 0),
        (SPADES, (4, 2), (2, 4), 0, 60, 0),
        (SPADES, (3, 3), (3, 2), 0, -60, 0),
        (SPADES, (0, 2), (0, 2), 0, 120, 0),
        (SPADES, (0, 0), (0, 0), 0, 200, 0),
        (SPADES, (0, 2), (1, 2), 0, -79, 1),
        (SPADES, (4, 2), (4, 3), 0, 61, 1),
        (SPADES, (4, 2), (4, 3), 5, 116 - 55, 6),
        (SPADES, (4, 2), (4, 4), 9, 21 - 59, 1),
        # open_spiel: partners sit opposite; bags before are the last figure of the score
        (TO_BID, (4, 5), (5, 5), 0, 91, 1),
        (TO_BID, (13, 0), (4, 1), 0, -230, 0),
        (TO_BID, (3, 3), (4, 5), 9, -37, 2),  # with 99, and the other side with 99, too
        # Cards with cats
        (CATS, (4, 2), (5, 3), 1, 62, 3),
        (CATS, (3, 2), (4, 1), 9, 50, 9),
        (CATS, (3, 3), (4, 1), 9, -60, 9),
        (CATS, (4, 0), (4, 1), 0, -59, 1),
        (CATS, (4, 0), (5, 0), 0, 141, 1),
        (CATS, (4, 2), (5, 3), 9, -48, 1),
        (replace(CATS, bag_points=0, bag_limit=None), (4, 2), (5, 3), 0, 60, 2),
    ],
)
def test_spades(rules, bids, won, bags, points, after):
    others = (1, 12)  # what the other side bids and takes is no matter
    nil = tuple(tricks if bid == 0 else 0 for bid, tricks in zip(bids, won, strict=True))
    deal = TrickBidsDeal(bids=(*bids, *others), tricks=(sum(won), 13 - sum(won)), nil_tricks=(*nil, 0, 0))
    result = score(deal, rules, carried=(bags, 0))
    assert (result.totals[0], result.carried[0]) == (points, after)


WH3G = replace(OH_HELL, bid_points=5, failed="off", failed_points=5)
PSALAETS = replace(OH_HELL, failed="bid", failed_points=1, failed_base=10)
SQUARES = replace(OH_HELL, bid_points=0, square_points=1, failed="off", failed_points=10)


@pytest.mark.parametrize(
    ("rules", "bid", "won", "points"),
    [
        (WH3G, 0, 0, 10),
        (WH3G, 1, 1, 15),
        (WH3G, 1, 0, -5),
        (WH3G, 0, 1, -5),
        (PSALAETS, 2, 2, 12),
        (PSALAETS, 2, 1, -12),
        (SQUARES, 3, 3, 19),
        (SQUARES, 5, 5, 35),
        (SQUARES, 1, 1, 11),
        (SQUARES, 13, 13, 179),
        (SQUARES, 5, 3, -20),
        (SQUARES, 3, 5, -20),
        (SQUARES, 5, 4, -10),
        (SQUARES, 10, 3, -70),
    ],
)
def test_oh_hell(rules, bid, won, points):
    deal = TrickBidsDeal(bids=(bid, 0, 0), tricks=(won, 13 - won, 0), cards=13)
    assert score(deal, rules).totals[0] == points


FOUR = rules_of(shipped()["hearts"])


@pytest.mark.parametrize(
    ("rules", "hearts", "queen", "jack", "points"),
    [
        (FOUR, (0, 1, 0, 0), 2, None, (0, 1, 13, 0)),
        (replace(FOUR, jack=10), (0, 1, 0, 0), 2, 1, (0, -9, 13, 0)),
        (FOUR, (0, 13, 0, 0), 1, None, (26, 0, 26, 26)),
        (replace(FOUR, jack=10), (0, 13, 0, 0), 1, 1, (26, -10, 26, 26)),
        (replace(FOUR, moon="nothing"), (0, 13, 0, 0), 1, None, (0, 26, 0, 0)),
        (replace(FOUR, moon="nothing", jack=10), (0, 13, 0, 0), 1, 1, (0, 16, 0, 0)),
    ],
)
def test_hearts_of_cards_with_cats(rules, hearts, queen, jack, points):
    """Its "Trick points" are of three tricks, so one heart in all: no whole deal, but scored the same."""
    assert score_hearts(HeartsDeal(hearts=hearts, queen=queen, jack=jack), rules).totals == points
