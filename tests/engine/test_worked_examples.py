"""Every worked example of the source documents, as they put it: figures in, figures out.

"000" to "004" are the documents by number, as in `docs/rules-data.md`. Where a document is garbled the example is the
one that its published original has (pagat.com for Hand and Foot). Examples of play that no card shows, such as which
cards of the discard pile may be taken, have nothing to score and aren't here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.engine.families import rules_of
from scoring.engine.game import progress
from scoring.engine.hand_and_foot import HandAndFootDeal, HandAndFootRules, SideCard
from scoring.engine.hand_and_foot import check as check_hand_and_foot
from scoring.engine.hand_and_foot import score as score_hand_and_foot
from scoring.engine.hand_and_foot_card import CardsLeft, CountedCards, RankMeld
from scoring.engine.hand_and_foot_counted import points_of
from scoring.engine.hand_and_foot_limits import limits_of
from scoring.engine.handicap import HandicapRules, Result, after
from scoring.engine.ledger import Line, Score
from scoring.engine.partnership_pinochle import Ending as PartnershipEnding
from scoring.engine.partnership_pinochle import PartnershipDeal, PartnershipRules
from scoring.engine.partnership_pinochle import score as score_partnership
from scoring.engine.pinochle_cards import points_in_pack
from scoring.engine.pinochle_counted import Meld, MeldKind, PlayerMelds, Suit, points_of_player
from scoring.engine.ruleset import Shape, shipped
from scoring.engine.two_hand_pinochle import score as score_two_hand
from scoring.engine.two_hand_pinochle_facts import Ending, Guess, LastDraw, Laying, TwoHandDeal, TwoHandRules
from scoring.engine.two_hand_pinochle_laid import follow
from tournaments.engine.contest import contest_draw, table_sizes

PARTNERS = Shape(2, 2)
HAND_AND_FOOT: HandAndFootRules = rules_of(shipped()["hand-and-foot"], PARTNERS)
OF_003: HandAndFootRules = rules_of(shipped()["hand-and-foot-003"], PARTNERS)
ST_HILARY: PartnershipRules = rules_of(shipped()["st-hilary-v3"])
FLETCHER: TwoHandRules = rules_of(shipped()["fletcher-two-hand"])
CLASSIC: TwoHandRules = rules_of(shipped()["two-hand-pinochle-classic"])


# --- Hand and Foot: 000, 001, 003 ----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "decks"), [(2, 3), (3, 4), (4, 5), (5, 6), (6, 7)])
def test_000_using_one_more_deck_of_cards_than_the_number_of_players(players: int, decks: int) -> None:
    shape = {4: Shape(2, 2), 6: Shape(2, 3)}.get(players, Shape(players, 1))
    assert rules_of(shipped()["hand-and-foot"], shape).decks == decks


def test_003_five_decks_with_two_jokers_each_are_270_cards() -> None:
    limits = limits_of(HAND_AND_FOOT)
    of_ranks = limits.per_rank * len(limits.naturals)
    threes = 2 * limits.red_threes  # as many black ones
    assert of_ranks + threes + limits.wilds == 270


@pytest.mark.parametrize(("cards", "wilds"), [(3, 1), (4, 1), (5, 1), (6, 2), (7, 2)])
def test_000_a_meld_of_3_4_or_5_cards_has_at_most_one_wild_card_of_6_or_7_at_most_two(cards: int, wilds: int) -> None:
    def told(more: int) -> set[str]:
        meld = RankMeld(rank="8", naturals=cards - wilds - more, twos=wilds + more)
        held = CardsLeft(of="4-7", count=60)
        card = SideCard(counted=CountedCards(melds=(meld,), left=(held,)))
        facts = HandAndFootDeal(sides=(card, SideCard(left=600)), out=None, number=None)
        return {problem.code for problem in check_hand_and_foot(facts, HAND_AND_FOOT)}

    assert "hand-and-foot.counted-wilds" not in told(0)
    assert "hand-and-foot.counted-wilds" in told(1)


def test_000_seven_sixes_are_only_35_points_and_not_sufficient_for_an_initial_meld() -> None:
    assert points_of(RankMeld(rank="6", naturals=7), HAND_AND_FOOT) == 35
    sixes = SideCard(clean=1, dirty=0, wild=0, red_threes=1, red_threes_missed=0, melded=35, left=400)
    others = SideCard(clean=0, dirty=0, wild=0, red_threes=0, red_threes_missed=0, melded=0, left=600)
    facts = HandAndFootDeal(sides=(sixes, others), out=None, number=1)
    (problem,) = check_hand_and_foot(facts, HAND_AND_FOOT)
    assert (problem.code, dict(problem.args)["least"]) == ("hand-and-foot.first-meld", 50)


@pytest.mark.parametrize(
    ("of", "points"),
    [("joker", 50), ("2", 20), ("A", 20), ("8-K", 10), ("4-7", 5), ("3", 5)],
)
def test_003_cost_of_cards(of: str, points: int) -> None:
    left = SideCard(red_threes=0, red_threes_missed=0, counted=CountedCards(left=(CardsLeft(of=of, count=1),)))
    facts = HandAndFootDeal(sides=(left, SideCard()), out=None, number=None)
    assert score_hand_and_foot(facts, HAND_AND_FOOT).totals == (-points, 0)


@pytest.mark.parametrize(
    ("figure", "rules", "points"),
    [
        ({"clean": 1}, HAND_AND_FOOT, 500),
        ({"dirty": 1}, HAND_AND_FOOT, 300),
        ({"wild": 1}, OF_003, 150),
        ({"wild": 1}, HAND_AND_FOOT, 1500),
        ({"red_threes": 1, "melded": 0}, HAND_AND_FOOT, 100),
        ({"red_threes_missed": 1}, HAND_AND_FOOT, -100),
    ],
    ids=str,
)
def test_003_bonus_points_separate_from_the_points_for_the_cards(
    figure: dict[str, int], rules: HandAndFootRules, points: int
) -> None:
    facts = HandAndFootDeal(sides=(SideCard(**figure), SideCard()), out=None, number=None)
    assert score_hand_and_foot(facts, rules).totals == (points, 0)
    assert score_hand_and_foot(replace(facts, out=0), rules).totals == (points + 100, 0)  # "for leaving the game"


def test_000_two_dirty_two_clean_and_one_wild_let_a_side_go_out() -> None:
    side = SideCard(clean=2, dirty=2, wild=1, red_threes=0, red_threes_missed=0, melded=600, left=20)
    others = SideCard(clean=0, dirty=0, wild=0, red_threes=0, red_threes_missed=0, melded=0, left=600)
    facts = HandAndFootDeal(sides=(side, others), out=0, number=1)
    assert check_hand_and_foot(facts, HAND_AND_FOOT) == ()
    for missing in ("clean", "dirty", "wild"):
        short = replace(facts, sides=(replace(side, **{missing: getattr(side, missing) - 1}), others))
        assert "hand-and-foot.out-piles" in {p.code for p in check_hand_and_foot(short, HAND_AND_FOOT)}


def test_000_a_complete_game_consists_of_four_deals() -> None:
    deal = Score(2, (Line(0, 1000, "x"), Line(1, 900, "x")))
    assert not progress([deal] * 3, HAND_AND_FOOT).over
    assert progress([deal] * 4, HAND_AND_FOOT).winners == (0,)


def test_001_fifteen_cards_in_the_hand_13_in_the_knee_and_11_in_the_foot() -> None:
    assert rules_of(shipped()["hand-knee-and-foot"]).packets == (15, 13, 11)


def test_000_each_player_is_dealt_11_cards_at_canasta() -> None:
    assert rules_of(shipped()["canasta"]).packets == (11,)


# --- pinochle for two: 000, 002 ------------------------------------------------------------------------


def test_000_broken_up_the_second_pinochle_would_only_score_40_points() -> None:
    assert follow((Laying.DOUBLE_PINOCHLE,), CLASSIC).points == (300,)
    assert follow((Laying.PINOCHLE, Laying.PINOCHLE), CLASSIC).points == (40, 40)


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ((Laying.RUN,), 15),
        ((Laying.RUN, Laying.ADDED_KING), 17),
        ((Laying.RUN, Laying.ADDED_KING, Laying.ADDED_QUEEN), 19),
        ((Laying.DOUBLE_RUN,), 150),
        ((Laying.ROYAL_MARRIAGE,), 4),
        ((Laying.MARRIAGE_HEARTS,), 2),
        ((Laying.ACES,), 10),
        ((Laying.DOUBLE_ACES,), 100),
        ((Laying.KINGS,), 8),
        ((Laying.DOUBLE_KINGS,), 80),
        ((Laying.QUEENS,), 6),
        ((Laying.DOUBLE_QUEENS,), 60),
        ((Laying.JACKS,), 4),
        ((Laying.DOUBLE_JACKS,), 40),
        ((Laying.PINOCHLE,), 4),
        ((Laying.DOUBLE_PINOCHLE,), 30),
        ((Laying.NINE,), 1),
        ((Laying.NINE, Laying.NINE), 2),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else str(value),
)
def test_002_section_6a_values_of_the_meld(laid: tuple[Laying, ...], points: int) -> None:
    assert sum(follow(laid, FLETCHER).points) == points


def test_002_section_6b_values_of_cards_taken() -> None:
    assert dict(FLETCHER.counters) == {"A": 1, "K": 1, "10": 1}
    assert FLETCHER.last_trick == 1
    assert points_in_pack(FLETCHER) == 25


def fletcher(**facts: Any) -> tuple[int, ...]:
    """Points of both: the first holds a contract of 24 with a meld of 14, and takes 12 of 25."""
    card = {"bidder": 0, "bid": 24, "meld": (14, 6), "take": (12, 13)} | facts
    return score_two_hand(TwoHandDeal(**card), FLETCHER).totals


@pytest.mark.parametrize(
    ("section", "facts", "totals"),
    [
        ("11b: the total is the sum of meld and trick points", {}, (26, 19)),
        ("8: correct in guessing, he is awarded 5", {"guess": Guess.RIGHT}, (26, 24)),
        ("8: incorrect, the winning bidder is awarded 5", {"guess": Guess.WRONG}, (31, 19)),
        ("9f: a nine not declared loses meld and trick points", {"undeclared_nine": (False, True)}, (26, 0)),
        (
            "9g: the nine of trump he placed there himself",
            {"last_draw": (LastDraw.NINE_PUT_BACK, LastDraw.OTHER)},
            (26, 19),
        ),
        ("9h: a nine, 10 points", {"last_draw": (LastDraw.NINE, LastDraw.OTHER)}, (36, 19)),
        ("9h: the nine of trump, 11 points", {"last_draw": (LastDraw.OTHER, LastDraw.NINE_OF_TRUMP)}, (26, 30)),
        ("9h: the jack of clubs, 5 points", {"last_draw": (LastDraw.OTHER, LastDraw.JACK_OF_CLUBS)}, (26, 24)),
        ("10b: one card too few or too many, the opponent 5", {"cards_wrong": (0, 1)}, (31, 19)),
        ("10b: 5 for each additional card in error", {"cards_wrong": (0, 3)}, (41, 19)),
        ("10d: not corrected, again 5 for each", {"cards_wrong": (0, 2), "cards_still_wrong": (0, 2)}, (46, 19)),
        ("10b: leads a card before drawing, the other 5", {"led_early": (1, 0)}, (26, 24)),
        ("11c: a revoke forfeits all trick and meld points", {"revoked": (False, True)}, (26, 0)),
        ("11d: the contract not made, back to before; the other scores", {"bid": 27}, (0, 19)),
        ("11e: no trick points, no meld", {"take": (25, 0), "bid": 24}, (39, 0)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_002_what_stands_on_the_card(section: str, facts: dict[str, Any], totals: tuple[int, int]) -> None:
    assert fletcher(**facts) == totals


def test_002_section_13_a_claim_with_the_contract_made_wins_before_the_cards_are_counted() -> None:
    before = [Score(2, (Line(0, 125, "x"), Line(1, 148, "x")))]
    claimed = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=Ending.CLAIM, claimant=0)
    assert progress([*before, score_two_hand(claimed, FLETCHER)], FLETCHER).winners == (0,)
    challenged = replace(claimed, ending=Ending.CHALLENGE)
    assert progress([*before, score_two_hand(challenged, FLETCHER)], FLETCHER).winners == (0,)
    failed = replace(challenged, bid=27, take=(12, 13))
    assert progress([*before, score_two_hand(failed, FLETCHER)], FLETCHER).winners == (1,)


@pytest.mark.parametrize(
    ("section", "before", "loser_total", "expected"),
    [
        ("14b: the loser receives 4", (0, 0), 100, (4, 0)),
        ("14b: or 4 are subtracted from the other's", (0, 8), 100, (0, 4)),
        ("14c: unable to reach 75, receives 8, not 4", (0, 0), 74, (8, 0)),
        ("14c: 75 is reached", (0, 0), 75, (4, 0)),
        ("14c: or 8 are subtracted from the other's", (0, 12), 60, (0, 4)),
        ("14d: starts with 8 and loses again: 12, and the opponent 0", (8, 0), 100, (12, 0)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_002_section_14_handicap(
    section: str, before: tuple[int, int], loser_total: int, expected: tuple[int, int]
) -> None:
    assert after(before, Result(winner=1, loser_total=loser_total), HandicapRules()) == expected


# --- St. Hilary House Rules: 004 -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        (Meld(MeldKind.RUN), 15),
        (Meld(MeldKind.RUN, count=2), 150),
        (Meld(MeldKind.ROYAL_MARRIAGE), 4),
        (Meld(MeldKind.MARRIAGE, Suit.CLUBS), 2),
        (Meld(MeldKind.NINE_OF_TRUMP), 1),
        (Meld(MeldKind.NINE_OF_TRUMP, count=2), 2),
        (Meld(MeldKind.ACES), 10),
        (Meld(MeldKind.ACES, count=2), 100),
        (Meld(MeldKind.KINGS), 8),
        (Meld(MeldKind.KINGS, count=2), 80),
        (Meld(MeldKind.QUEENS), 6),
        (Meld(MeldKind.QUEENS, count=2), 60),
        (Meld(MeldKind.JACKS), 4),
        (Meld(MeldKind.JACKS, count=2), 40),
        (Meld(MeldKind.PINOCHLE), 4),
        (Meld(MeldKind.PINOCHLE, count=2), 30),
    ],
    ids=lambda value: f"{value.count}-{value.kind}" if isinstance(value, Meld) else str(value),
)
def test_004_meld_points_scoring_sheet(meld: Meld, points: int) -> None:
    assert points_of_player(PlayerMelds((meld,)), ST_HILARY) == points


def test_004_the_count_24_points_in_the_deck_and_1_for_the_last_trick_make_25() -> None:
    assert points_in_pack(ST_HILARY) - ST_HILARY.last_trick == 24
    assert points_in_pack(ST_HILARY) == 25


@pytest.mark.parametrize(
    ("section", "facts", "totals"),
    [
        ("The Count: their total meets the bid", {"bid": 25}, (25, 16)),
        ("The Count: their total exceeds the bid", {"bid": 24}, (25, 16)),
        ("The Count: less than the bid, the bid is deducted", {"bid": 26}, (-26, 16)),
        ("The Count: no counter, no meld", {"bid": 25, "take": (25, 0)}, (35, 0)),
        ("On the Board: meld and 25 equal the bid", {"bid": 35, "take": (25, 0)}, (35, 0)),
        ("On the Board: meld and 25 less than the bid", {"bid": 36, "take": (20, 5)}, (-36, 11)),
        ("The Play: the bid team reneges", {"bid": 24, "ending": PartnershipEnding.RENEGE_BID_SIDE}, (-24, 6)),
        ("The Play: the others misplay", {"bid": 24, "ending": PartnershipEnding.RENEGE_OTHER_SIDE}, (34, -24)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_004_what_stands_on_the_card(section: str, facts: dict[str, Any], totals: tuple[int, int]) -> None:
    card = {"bid_side": 0, "meld": (10, 6), "take": (15, 10)} | facts
    assert score_partnership(PartnershipDeal(**card), ST_HILARY).totals == totals


def test_004_scoring_and_winning_the_bidding_side_is_counted_first() -> None:
    """Though the "opponent's score, if it were counted, would be more"."""
    before = Score(2, (Line(0, 125, "x"), Line(1, 149, "x")))
    last = score_partnership(PartnershipDeal(bid_side=0, bid=25, meld=(10, 6), take=(15, 10)), ST_HILARY)
    now = progress([before, last], ST_HILARY)
    assert (now.totals, now.winners) == ((150, 165), (0,))


# --- the competition: 000 ------------------------------------------------------------------------------


def test_000_fifty_four_persons_at_nine_tables_of_six() -> None:
    tables = contest_draw(range(1, 55), seed=1)
    assert len(tables) == 9
    assert {len(table.entries) for table in tables} == {6}
    assert table_sizes(54) == ((3, 3),) * 9
    assert len([group for table in tables for group in table.groups]) == 18  # "eighteen finalists emerge"
