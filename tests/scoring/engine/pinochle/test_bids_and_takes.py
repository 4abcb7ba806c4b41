"""The bids, takes and auctions that there are."""

from dataclasses import replace
from itertools import product

import pytest

from lab.simulation.pinochle import next_bid
from scoring.engine.core.ledger import Severity
from scoring.engine.pinochle.auction import all_bids, all_takes, auction_problems, bid_problems, is_bid, take_problems
from scoring.engine.pinochle.melds import points_in_pack
from scoring.engine.pinochle.partnership import PartnershipDeal
from tests.scoring.engine.pinochle.cards import DOUBLE_DECK, ST_HILARY, THREE_HAND
from tests.scoring.engine.pinochle.two_hand.cards import CLASSIC

BY_FIVES = replace(ST_HILARY, opening_bid=16, bid_step=5)


@pytest.mark.parametrize(
    ("take", "wrong"),
    [
        ((249, 1), [0, 1]),  # cards count 11, 10, 4, 3 and 2: none are worth 1, or all but 1
        ((239, 11), []),  # 229 and the last trick
        ((12, 238), []),
        ((240, 10), []),
        ((260, 0), []),  # told by the sum
    ],
)
def test_a_take_comes_from_cards_and_the_last_trick(take, wrong):
    found = [
        problem.side for problem in take_problems(take, None, rules=CLASSIC) if problem.code == "pinochle.take-cards"
    ]
    assert found == wrong


def allowed(problems):
    return all(problem.severity == Severity.UNLIKELY for problem in problems)


@pytest.mark.parametrize("rules", [ST_HILARY, BY_FIVES, THREE_HAND, CLASSIC], ids=str)
def test_the_bids_and_takes_there_are_are_those_that_the_check_allows(rules):
    most = 3 * rules.opening_bid
    assert list(all_bids(most, rules)) == [bid for bid in range(most + 1) if allowed(bid_problems(bid, rules))]
    takes = range(points_in_pack(rules) + 1)
    assert list(all_takes(rules)) == [n for n in takes if allowed(take_problems((n,), None, rules=rules))]


@pytest.mark.parametrize(
    ("rules", "bids"),
    [
        (ST_HILARY, [15, 16, 17, 18]),
        (replace(ST_HILARY, bid_step=5), [15, 20, 25]),
        (replace(ST_HILARY, opening_bid=16, bid_step=5), [16, 21, 26]),
        (THREE_HAND, [500, 510, 520]),
        (DOUBLE_DECK, [*range(50, 61), 65, 70, 75]),
        (replace(DOUBLE_DECK, later_steps=((60, 5), (100, 10))), [*range(50, 61), *range(65, 101, 5), 110, 120]),
        (replace(DOUBLE_DECK, bid_step=4), [50, 54, 58, 60, 65]),
    ],
)
def test_the_bids_there_are(rules, bids):
    row = [next_bid(0, rules)]
    while row[-1] < bids[-1]:
        row.append(next_bid(row[-1], rules))
    assert row == bids
    assert [bid for bid in range(bids[-1] + 1) if is_bid(bid, rules)] == bids
    assert all_bids(bids[-1], rules) == tuple(sorted({rules.dropped_bid, *bids}))


def _auctions(bidding, turn, highest, calls):
    """All auctions up to 17 points and six calls, by the words of 004: calls, the bid, the side that holds it."""
    if len(bidding) == 1 and highest:
        yield calls, highest, bidding[0] % 2
    elif len(bidding) == 1:
        yield calls, 15, bidding[0] % 2
        yield (*calls, 15), 15, bidding[0] % 2
    elif len(calls) < 6:
        turn %= len(bidding)
        passed = bidding[:turn] + bidding[turn + 1 :]
        yield from _auctions(passed, turn, highest, (*calls, 0))
        for bid in range(max(15, highest + 1), 18):
            yield from _auctions(bidding, turn + 1, bid, (*calls, bid))


def test_an_auction_is_accepted_exactly_when_a_table_can_bid_so():
    legal = set(_auctions([0, 1, 2, 3], 0, 0, ()))
    accepted = {
        (calls, bid, side)
        for length in range(1, 7)
        for calls in product((0, 14, 15, 16, 17), repeat=length)
        for bid, side in product((15, 16, 17), (0, 1))
        for deal in [PartnershipDeal(bid_side=side, bid=bid, dealer=3, bids=calls)]
        if not any(auction_problems(deal, ST_HILARY, holder="bid_side"))
    }
    assert accepted == {auction for auction in legal if len(auction[0]) < 7}
    assert len(accepted) == 39
