"""What tricks can give: takes that cards make, and tricks that are sure, against all play of small packs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.cards import PinochleRules, counted, pack, points_by_kind
from scoring.engine.pinochle.named_melds import Meld, MeldKind, PlayerMelds, Suit
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal, PartnershipRules
from scoring.engine.pinochle.partnership import check as check_partnership
from scoring.engine.pinochle.play import legal, winner
from scoring.engine.pinochle.tricks import Sure, Takes, sure_of, take_card_problems, takes_of
from scoring.engine.pinochle.two_hand.card import Ending as TwoHandEnding
from scoring.engine.pinochle.two_hand.card import Laying
from scoring.engine.pinochle.two_hand.scoring import TwoHandDeal, TwoHandRules
from scoring.engine.pinochle.two_hand.scoring import check as check_two_hand

ST_HILARY: PartnershipRules = rules_of(shipped()["st-hilary-v3"])
DOUBLE_DECK: PartnershipRules = rules_of(shipped()["double-deck-partnership-pinochle"])
CLASSIC: TwoHandRules = rules_of(shipped()["two-hand-pinochle-classic"])
FLETCHER: TwoHandRules = rules_of(shipped()["fletcher-two-hand"])


def melded(*kinds: str) -> tuple[PlayerMelds, ...]:
    """The melds of four players, as "2*run aces"."""
    return tuple(
        PlayerMelds(
            tuple(
                Meld(MeldKind(one.split("*")[-1]), count=int(one.split("*")[0]) if "*" in one else 1)
                for one in player.split()
            )
        )
        for player in kinds
    )


def partnership(
    take: tuple[int, int], *kinds: str, trump: Suit | None = Suit.HEARTS, last: int | None = None
) -> list[str]:
    """Codes of a St. Hilary card with these melds and take."""
    card = PartnershipDeal(bid_side=0, bid=20, take=take, last_trick=last, trump=trump, counted=melded(*kinds))
    return [problem.code for problem in check_partnership(card, ST_HILARY) if problem.severity.value != "unlikely"]


def two_hand(rules: TwoHandRules, take: tuple[int, int], last: int | None = None, **facts: object) -> list[str]:
    """Codes of a card for two with this take."""
    bid = {"bidder": 0, "bid": 20} if rules.bidding else {}
    meld = {} if "laid" in facts else {"meld": (0, 0)}
    card = TwoHandDeal(take=take, last_trick=last, **bid, **meld, **facts)  # type: ignore[arg-type]
    return [problem.code for problem in check_two_hand(card, rules) if problem.severity.value != "unlikely"]


# --- takes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("take", [(249, 1), (1, 249)])
def test_no_cards_of_the_classic_game_are_worth_1_or_239(take: tuple[int, int]) -> None:
    assert two_hand(CLASSIC, take) == ["pinochle.take-cards"] * 2


@pytest.mark.parametrize(
    ("take", "last", "wrong"),
    [
        ((239, 11), None, False),  # an ace, or a jack's neighbour and the last trick: 11 without it
        ((239, 11), 0, False),
        ((239, 11), 1, True),  # 1 in cards
        ((249, 1), 0, True),
        ((250, 0), 0, False),
        ((240, 10), 1, False),  # two nines in the last trick
        ((248, 2), 0, False),
        ((247, 3), 0, False),
    ],
)
def test_the_last_trick_is_part_of_a_take(take: tuple[int, int], last: int | None, wrong: bool) -> None:
    assert bool(two_hand(CLASSIC, take, last)) == wrong


def test_every_other_take_of_the_classic_game_can_be() -> None:
    wrong = [take for take in range(251) if two_hand(CLASSIC, (take, 250 - take))]
    assert wrong == [1, 249]


def test_what_two_have_so_far_must_come_from_different_cards() -> None:
    claims = replace(CLASSIC, claims=True)

    def claimed(*take: int) -> list[str]:
        return two_hand(claims, (take[0], take[1]), ending=TwoHandEnding.CLAIM, claimant=0)

    assert claimed(238, 2) == []
    assert claimed(237, 2) == ["pinochle.takes-cards"]  # a card worth 1 would be left
    assert claimed(20, 1) == ["pinochle.take-cards"]


def test_partners_takes_are_held_against_the_same_figures() -> None:
    rules = replace(ST_HILARY, counters=CLASSIC.counters, last_trick=10)
    card = PartnershipDeal(bid_side=0, bid=20, meld=(0, 0), take=(249, 1))
    assert {problem.code for problem in check_partnership(card, rules)} == {"pinochle.take-cards"}
    down = replace(card, take=(20, 1), ending=Ending.LAY_DOWN_BID_SIDE)
    assert {problem.code for problem in check_partnership(down, rules)} == {"pinochle.take-cards"}
    assert check_partnership(replace(down, take=(20, 2)), rules) == ()


SMALL = replace(CLASSIC, ranks=("A", "K", "9"), copies=1, hand_size=6, counters=(("A", 11), ("K", 4)), last_trick=10)
NO_BLANKS = replace(SMALL, ranks=("A", "10"), counters=(("A", 11), ("10", 3)), hand_size=4)


@cache
def outcomes(
    hands: tuple[tuple[int, ...], ...], leader: int, trump: int, rules: PinochleRules
) -> frozenset[tuple[tuple[int, ...], int]]:
    """Every way that legal play can end: what each player takes in cards, and who wins the last trick."""
    worth, found = points_by_kind(rules), set()
    for trick, left in _tricks(hands, leader, trump):
        taker = (leader + winner(trick, trump)) % len(hands)
        points = sum(worth[card] for card in trick)
        for taken, last in outcomes(left, taker, trump, rules) if left[0] else {((0,) * len(hands), taker)}:
            found.add((tuple(had + points * (seat == taker) for seat, had in enumerate(taken)), last))
    return frozenset(found)


def _tricks(
    hands: tuple[tuple[int, ...], ...], leader: int, trump: int, trick: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    if len(trick) == len(hands):
        yield trick, hands
        return
    seat = (leader + len(trick)) % len(hands)
    for card in set(legal(hands[seat], trick, trump)):
        held = list(hands[seat])
        held.remove(card)
        yield from _tricks((*hands[:seat], tuple(held), *hands[seat + 1 :]), leader, trump, (*trick, card))


def splits(cards: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every way to deal all these cards to two players."""
    for first in combinations(range(len(cards)), size):
        mine = tuple(cards[place] for place in first)
        yield mine, tuple(card for place, card in enumerate(cards) if place not in first)


def test_a_small_pack_gives_all_takes_that_pass_and_no_others() -> None:
    true = set()
    for hands in splits(pack(SMALL), SMALL.hand_size):
        for taken, last in outcomes(hands, 0, 0, SMALL):  # which suit and who leads makes no difference to all deals
            take = [had + 10 * (player == last) for player, had in enumerate(taken)]
            true |= {(take[0], take[1], last), (take[1], take[0], 1 - last)}
    passed = {
        (one, 70 - one, last)
        for one, last in product(range(71), (0, 1))
        if (one, 70 - one)[last] >= 10 and not any(take_card_problems((one, 70 - one), [last], SMALL, trick=2))
    }
    assert passed == true


def takes(rules: PinochleRules, trick: int) -> Takes:
    """The takes of two sides by these rules."""
    return takes_of(rules.counters, rules.ranks, rules.copies, trick)


def test_a_trick_without_points_needs_cards_without_points() -> None:
    assert not any(take_card_problems((66, 0), [0], NO_BLANKS, trick=2))
    assert any(take_card_problems((56, 10), [1], NO_BLANKS, trick=2))
    assert takes(SMALL, 2).bare
    assert not takes(NO_BLANKS, 2).bare


def test_a_trick_has_a_card_of_each_player() -> None:
    """Where every card counts 1, two players take by twos and partners by fours; a discard adds single cards."""
    ones = replace(NO_BLANKS, counters=(("A", 1), ("10", 1)))
    for trick, steps in ((1, 1), (2, 2), (4, 4)):
        assert [one for one in range(9) if takes(ones, trick).can(one, 8 - one)] == list(range(0, 9, steps))


# --- sure tricks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("take", "melds", "wrong"),
    [
        ((2, 23), ("2*run", "", "", ""), True),
        ((15, 10), ("2*run", "", "", ""), True),
        ((16, 9), ("2*run", "", "", ""), False),  # two tricks are left: eight counters and the last trick
        ((1, 24), ("2*aces", "", "", ""), True),
        ((2, 23), ("2*aces", "", "", ""), False),
        ((23, 2), ("", "", "2*aces", ""), False),
        ((24, 1), ("", "", "2*aces", ""), True),
        ((2, 23), ("run", "run", "", ""), True),  # of one run no king or queen is sure, but none is above either's
        ((25, 0), ("2*run 2*nine-of-trump", "", "", ""), False),
        ((24, 1), ("2*run 2*nine-of-trump", "", "", ""), True),  # all twelve tricks, the last one too
        ((0, 25), ("run", "", "run", ""), False),  # one ace of trump each: the first that is played wins
    ],
)
def test_trumps_that_were_melded_are_sure_tricks(take: tuple[int, int], melds: Sequence[str], wrong: bool) -> None:
    assert ("pinochle.sure-tricks" in partnership(take, *melds)) == wrong


def test_the_problem_says_how_much_is_sure() -> None:
    card = PartnershipDeal(bid_side=0, bid=20, take=(2, 23), trump=Suit.CLUBS, counted=melded("2*run", "", "", ""))
    (problem,) = (found for found in check_partnership(card, ST_HILARY) if found.code == "pinochle.sure-tricks")
    assert (problem.field, problem.side) == ("take", 0)
    assert dict(problem.args) == {"tricks": 10, "least": 16, "take": 2}


def test_without_a_trump_what_is_sure_holds_for_every_suit() -> None:
    assert partnership((1, 24), "2*aces", "", "", "", trump=None) == ["pinochle.sure-tricks"]
    assert partnership((2, 23), "2*aces", "", "", "", trump=None) == []


def test_the_last_trick_is_sure_where_all_tricks_are() -> None:
    whole = ("2*run 2*nine-of-trump", "", "", "")
    assert partnership((24, 1), *whole, last=1) == ["pinochle.sure-tricks"]
    assert partnership((25, 0), *whole, last=0) == []


def test_both_aces_of_trump_laid_take_two_points_at_pinochle_for_two() -> None:
    both = ((), (Laying.DOUBLE_ACES,))
    assert two_hand(FLETCHER, (25, 0), laid=both) == ["pinochle.sure-tricks"]
    assert two_hand(FLETCHER, (24, 1), laid=both) == ["pinochle.sure-tricks"]
    assert two_hand(FLETCHER, (23, 2), laid=both) == []
    assert two_hand(FLETCHER, (23, 2), last=1, laid=both) == ["pinochle.sure-tricks"]  # 1 in cards


def test_a_double_run_laid_takes_ten_tricks_at_pinochle_for_two() -> None:
    run = ((Laying.DOUBLE_RUN,), ())
    assert two_hand(FLETCHER, (5, 20), laid=run) == ["pinochle.sure-tricks"]
    assert two_hand(FLETCHER, (6, 19), laid=run) == []


def test_what_is_sure_waits_until_melds_can_be_and_until_all_is_counted() -> None:
    assert "pinochle.sure-tricks" not in partnership((2, 23), "2*run", "run", "", "")
    assert "pinochle.sure-tricks" not in two_hand(FLETCHER, (20, 0), laid=((), (Laying.DOUBLE_ACES,)))
    claim = {"ending": TwoHandEnding.CLAIM, "claimant": 0}
    assert two_hand(FLETCHER, (25, 0), laid=((), (Laying.DOUBLE_ACES,)), **claim) == []


FEW = replace(ST_HILARY, ranks=("A", "K"), copies=2, hand_size=4, counters=(("A", 3), ("K", 1)), last_trick=0)
ALONE = replace(SMALL, last_trick=0)


def test_no_play_of_a_small_pack_gives_two_players_less_than_is_sure_and_some_gives_no_more() -> None:
    """All deals of twelve cards, all legal play: for every set of trumps that one player may have shown."""
    trumps = (0, 2, 5)  # A, K and 9 of spades
    shown = [known for many in range(4) for known in combinations(trumps, many)]
    least = dict.fromkeys(shown, 99)
    for hands in splits(pack(ALONE), 6):
        fewest = min(taken[0] for leader in (0, 1) for taken, _last in outcomes(hands, leader, 0, SMALL))
        for known in shown:
            if set(known) <= set(hands[0]):
                least[known] = min(least[known], fewest)
    for known, fewest in least.items():
        sure = sure_of([counted(known)[:6]], ALONE, seats=2, tricks=6)
        assert sure.points <= fewest, known
    reached = [
        known for known in shown if sure_of([counted(known)[:6]], ALONE, seats=2, tricks=6).points == least[known]
    ]
    assert set(reached) >= {(), (2,), (5,), (0,), (0, 2)}


def test_no_play_of_a_small_pack_gives_partners_less_than_is_sure_and_some_gives_no_more() -> None:
    """Sixteen cards, equal ones among them: hands drawn at random, all legal play of each."""
    rng, reached = Random(4), set()
    for _deal in range(24):
        cards = pack(FEW)
        rng.shuffle(cards)
        hands = tuple(tuple(sorted(cards[4 * seat : 4 * seat + 4])) for seat in range(4))
        leader = rng.randrange(4)
        ends = outcomes(hands, leader, 0, FEW)
        for side in (0, 1):
            fewest = min(taken[side] + taken[side + 2] for taken, _last in ends)
            trumps = [tuple(card for card in hands[seat] if card < 6) for seat in (side, side + 2)]
            for known in product(*([(), of, of[:1]] for of in trumps)):
                sure = sure_of([counted(of)[:6] for of in known], FEW, seats=4, tricks=4)
                assert sure.points <= fewest, (hands, leader, known)
                if sure.points == fewest:
                    reached.add(sure)
    assert len(reached) > 1


@pytest.mark.parametrize(
    ("known", "sure"),
    [
        ([(0, 0)], Sure(2, 12)),  # both aces: two tricks; the eight cards left have 20 of the 32 at most
        ([(0,)], Sure(0, 0)),  # the other ace may be played before it
        ([(0,), (0,)], Sure(1, 8)),  # one each: both win, perhaps in one trick
        ([(0, 0, 2)], Sure(2, 12)),
        ([(0, 0, 2, 2)], Sure(4, 32)),  # all trumps: all tricks
        ([(2, 2)], Sure(0, 0)),
        ([(0, 2, 2)], Sure(2, 8)),  # one ace above three: it beats one of them
    ],
)
def test_what_is_sure_is_counted_by_the_trumps_that_can_beat(known: list[tuple[int, ...]], sure: Sure) -> None:
    assert sure_of([counted(of)[:6] for of in known], FEW, seats=4, tricks=4) == sure
