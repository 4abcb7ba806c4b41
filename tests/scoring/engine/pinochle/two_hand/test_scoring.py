"""Two-hand pinochle: the score of a card, and what is wrong with one."""

from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.simulation.pinochle import points_of
from lab.simulation.two_hand import dead, dealt, play
from scoring import wording
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.melds import Suit
from scoring.engine.pinochle.two_hand.card import (
    SIDES,
    Guess,
    LastDraw,
    Laying,
    TwoHandDeal,
    TwoHandEnding,
    TwoHandRules,
)
from scoring.engine.pinochle.two_hand.melds import follow
from scoring.engine.pinochle.two_hand.scoring import UNSCORABLE, check, score
from tests.examples import examples
from tests.scoring.engine.pinochle.strategies import cards

FLETCHER = rules_of(shipped()["fletcher-two-hand"])
CLASSIC = rules_of(shipped()["two-hand-pinochle-classic"])
BOTH = pytest.mark.parametrize("rules", [FLETCHER, CLASSIC], ids=["fletcher", "classic"])
SEEDS = st.integers(0, 2**32)
L, D = Laying, LastDraw


def deal(**facts):
    """A normal card of Fletcher's game, but for what is named: 0 makes 24 with 26, 1 has 19."""
    plain = {"bidder": 0, "bid": 24, "meld": (14, 6), "take": (12, 13), "last_trick": 1}
    return TwoHandDeal(**(plain | facts))


def classic(**facts):
    return TwoHandDeal(**({"meld": (140, 60), "take": (120, 130)} | facts))


def laid(*layings, **facts):
    return deal(meld=(), laid=layings, **facts)


def codes(problems):
    return [problem.code.rpartition(".")[2] for problem in problems]


def stopping(card, rules):
    return [problem for problem in check(card, rules) if problem.severity != Severity.UNLIKELY]


def points(card, rules=FLETCHER):
    return score(card, rules).totals


# --- the rules' own examples: 002, by section ------------------------------------------------------------


def test_a_contract_that_is_made():
    result = score(deal(), FLETCHER)
    assert (result.totals, result.sets, result.first) == ((26, 19), (), 0)


def test_a_contract_that_is_not_made_takes_all_gains_of_the_deal_and_the_other_keeps_theirs():
    """002, 11d: the total reverts to what it was before the hand commenced."""
    short = deal(bid=27, guess=Guess.WRONG, cards_wrong=(0, 1), last_draw=(D.OTHER, D.JACK_OF_CLUBS))
    result = score(short, FLETCHER)
    assert (result.totals, result.sets) == ((0, 24), (0,))
    assert dict(result.lines[0].args) == {"bid": 27, "total": 26, "short": 1, "awards": 10}
    assert progress([result], FLETCHER, start=(40, 0)).totals == (40, 24)


def test_the_guess_gives_five_to_one_or_the_other():
    assert points(deal(guess=Guess.RIGHT)) == (26, 24)
    assert points(deal(guess=Guess.WRONG)) == (31, 19)
    assert score(deal(bid=30, guess=Guess.WRONG), FLETCHER).sets == (0,)  # it makes no contract


@pytest.mark.parametrize(
    ("draw", "bonus"), [(D.NINE, 10), (D.NINE_OF_TRUMP, 11), (D.JACK_OF_CLUBS, 5), (D.NINE_PUT_BACK, 0), (D.OTHER, 0)]
)
def test_the_last_card_drawn(draw, bonus):
    """002, 9g and h; the bonus helps to make the contract."""
    card = deal(bid=26 + bonus, last_draw=(draw, D.OTHER))
    assert points(card) == (26 + bonus, 19)
    apart = replace(FLETCHER, last_draw_is_meld=False)
    assert score(card, apart).sets == ((0,) if bonus else ())
    assert points(replace(card, bid=24), apart) == (26 + bonus, 19)


def test_penalties_for_cards_and_early_leads_go_to_the_opponent():
    """002, 10b and d: 5 for each card, again for each that isn't put right."""
    assert points(deal(cards_wrong=(0, 2))) == (36, 19)
    assert points(deal(cards_wrong=(0, 2), cards_still_wrong=(0, 1))) == (41, 19)
    assert points(deal(led_early=(1, 0))) == (26, 24)


def test_an_undeclared_nine_or_a_revoke_costs_meld_and_take():
    """002, 9f and 11c."""
    assert points(deal(undeclared_nine=(False, True))) == (26, 0)
    assert points(deal(revoked=(False, True), last_draw=(D.OTHER, D.NINE))) == (26, 0)
    assert points(deal(revoked=(False, True), led_early=(1, 0))) == (26, 5)
    assert score(deal(revoked=(True, False)), FLETCHER).sets == (0,)
    kept = replace(FLETCHER, last_draw_is_meld=False)
    assert points(deal(revoked=(False, True), last_draw=(D.OTHER, D.NINE)), kept) == (26, 10)


def test_in_the_classic_game_a_revoke_costs_the_take():
    assert points(classic(), CLASSIC) == (260, 190)
    assert points(classic(revoked=(True, False)), CLASSIC) == (140, 190)


def test_who_takes_nothing_after_the_last_draw_loses_meld():
    """002, 11e."""
    assert points(deal(bid=20, take=(25, 0), last_trick=0)) == (39, 0)
    assert points(deal(bid=20, take=(20, 5), last_trick=0, no_trick_points=1)) == (34, 5)
    assert points(deal(bid=20, take=(20, 5), last_trick=0)) == (34, 11)
    assert points(classic(take=(250, 0)), CLASSIC) == (390, 60)


def test_a_royal_marriage_grows_into_a_run_and_a_run_gives_no_marriage():
    assert points(laid((L.ROYAL_MARRIAGE, L.RUN), (), bid=20)) == (31, 13)
    assert points(laid((L.RUN, L.ADDED_KING), (), bid=20)) == (29, 13)
    assert points(laid((L.RUN, L.ADDED_KING, L.ADDED_QUEEN), (), bid=20)) == (31, 13)
    assert codes(check(laid((L.RUN, L.ADDED_KING, L.ROYAL_MARRIAGE), ()), FLETCHER)) == ["royal-from-run"]


def test_doubles():
    """002, 6a; a double that grows from its single: an option."""
    assert points(laid((L.DOUBLE_RUN,), ()))[0] == 162
    assert points(laid((L.PINOCHLE, L.PINOCHLE), (), bid=20))[0] == 20
    assert points(laid((L.PINOCHLE, L.DOUBLE_PINOCHLE), ()))[0] == 46
    difference, never = (replace(FLETCHER, grown_double=how) for how in ("difference", "never"))
    assert points(laid((L.PINOCHLE, L.DOUBLE_PINOCHLE), ()), difference)[0] == 42
    assert codes(check(laid((L.PINOCHLE, L.DOUBLE_PINOCHLE), ()), never)) == ["laid-too-often"]


def test_a_double_run_grows_from_a_run_with_cards_added():
    grown = laid((L.ROYAL_MARRIAGE, L.RUN, L.ADDED_KING, L.DOUBLE_RUN), ())
    assert points(grown)[0] == 4 + 15 + 2 + 150 + 12
    assert codes(check(laid((L.ROYAL_MARRIAGE, L.ROYAL_MARRIAGE, L.RUN, L.RUN), ()), FLETCHER)) == []
    assert codes(check(laid((L.RUN, L.RUN, L.RUN), ()), FLETCHER)) == ["laid-too-often"]
    assert codes(check(laid((L.RUN, L.ADDED_KING, L.RUN), ()), FLETCHER)) == ["laid-too-often"]


# --- the end of a game: 002, 13 --------------------------------------------------------------------------


def test_a_claim_wins_at_once_whatever_the_contract_and_the_other_have():
    claim = deal(bid=40, take=(3, 9), last_trick=None, ending=TwoHandEnding.CLAIM, claimant=0)
    assert codes(check(claim, FLETCHER)) == []
    result = score(claim, FLETCHER)
    assert (result.totals, result.sets) == ((17, 15), ())
    now = progress([result], FLETCHER, start=(140, 148))
    assert (now.totals, now.over, now.winners, now.ended_by) == ((157, 163), True, (0,), "claim")


def test_a_claim_without_the_target_ends_nothing():
    claim = deal(take=(3, 9), last_trick=None, ending=TwoHandEnding.CLAIM, claimant=0)
    assert not progress([score(claim, FLETCHER)], FLETCHER, start=(100, 0)).over
    other = progress([score(claim, FLETCHER)], FLETCHER, start=(100, 140))
    assert (other.winners, other.ended_by) == ((1,), "target")


def test_a_challenged_bidder_wins_once_the_contract_is_made():
    made = deal(bid=20, take=(6, 2), last_trick=None, ending=TwoHandEnding.CHALLENGE, claimant=0)
    assert codes(check(made, FLETCHER)) == []
    now = progress([score(made, FLETCHER)], FLETCHER, start=(140, 149))
    assert (now.winners, now.ended_by) == ((0,), "challenge")


def test_a_challenged_bidder_who_fails_reverts_and_the_game_goes_on():
    failed = deal(bid=30, ending=TwoHandEnding.CHALLENGE, claimant=0)
    assert codes(check(failed, FLETCHER)) == []
    result = score(failed, FLETCHER)
    assert (result.totals, result.sets) == ((0, 19), (0,))
    assert (result.claimant, result.challenged) == (None, False)
    now = progress([result], FLETCHER, start=(140, 100))
    assert (now.totals, now.over) == ((140, 119), False)
    early = deal(bid=30, take=(3, 2), last_trick=None, ending=TwoHandEnding.CHALLENGE, claimant=0)
    assert codes(check(early, FLETCHER)) == ["take-total"]  # it is played out
    blank = deal(bid=40, take=(25, 0), last_trick=0, ending=TwoHandEnding.CHALLENGE, claimant=0)
    assert points(blank) == (0, 0)


def test_without_a_claim_the_bidder_is_counted_first():
    now = progress([score(deal(), FLETCHER)], FLETCHER, start=(130, 140))
    assert (now.totals, now.winners, now.ended_by) == ((156, 159), (0,), "target")


def test_a_claim_counts_nothing_where_the_rules_know_none():
    card = classic(ending=TwoHandEnding.CLAIM, claimant=0)
    assert codes(check(card, CLASSIC)) == ["not-in-rules"]
    assert score(card, CLASSIC).claimant is None


# --- problems ------------------------------------------------------------------------------------------

FOUR_MARRIAGES = (L.MARRIAGE_SPADES, L.MARRIAGE_HEARTS, L.MARRIAGE_DIAMONDS, L.MARRIAGE_CLUBS)
MANY = ((L.ACES, L.ACES, L.KINGS, L.KINGS), (L.QUEENS, L.QUEENS, L.JACKS, L.JACKS, L.PINOCHLE, L.PINOCHLE))
TRICKLESS = {"take": (25, 0), "last_trick": 0}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, []),
        ({"bidder": 2}, ["bidder"]),
        ({"bid": None}, ["bid-needed"]),
        ({"last_trick": 2}, ["last-trick-player"]),
        ({"no_trick_points": 2}, ["no-trick-player"]),
        ({"meld": (14,)}, ["columns"]),
        ({"take": ()}, ["columns"]),
        ({"laid": ((), (), ())}, ["columns"]),
        ({"revoked": (True,)}, ["columns"]),
        ({"bid": 19}, ["bid-too-low"]),
        ({"bid": 61}, ["bid-high"]),
        ({"meld": (-1, 6)}, ["negative"]),
        ({"meld": (91, 6), "bid": 24}, ["meld-high"]),
        ({"meld": (1000, 6)}, ["meld-impossible"]),
        ({"meld": (100, 10)}, ["meld-high"]),
        ({"meld": (14, 7), "laid": ((L.ACES, L.PINOCHLE), (L.QUEENS,))}, ["meld-differs"]),
        ({"meld": (14, 6), "laid": ((L.ACES, L.PINOCHLE), (L.QUEENS,))}, []),
        ({"laid": ((L.ADDED_KING,), ()), "meld": ()}, ["added-without-run"]),
        ({"laid": ((L.ACES,) * 3, ()), "meld": ()}, ["laid-too-often"]),
        ({"laid": ((L.NINE,) * 3, ()), "meld": ()}, ["laid-too-often"]),
        ({"laid": ((L.MARRIAGE_HEARTS,), ()), "meld": (), "trump": Suit.HEARTS}, ["marriage-of-trump"]),
        ({"laid": (FOUR_MARRIAGES, ()), "meld": ()}, ["no-trump"]),
        (
            {"laid": ((L.DOUBLE_ACES, L.DOUBLE_KINGS, L.DOUBLE_JACKS, L.RUN), ()), "meld": ()},
            ["meld-high", "cards-seen"],
        ),
        ({"laid": ((L.DOUBLE_ACES,), (L.ACES,)), "meld": ()}, ["meld-high", "laid-pack-any"]),
        ({"laid": ((L.RUN, L.RUN), (L.RUN,)), "meld": (), "trump": Suit.CLUBS}, ["laid-pack"]),
        ({"laid": MANY, "meld": (), "trump": Suit.CLUBS}, []),
        ({"laid": ((L.NINE, L.NINE), (L.NINE,)), "meld": ()}, ["too-many-nines"]),
        ({"laid": ((L.NINE, L.NINE), ()), "meld": (), "last_draw": (D.OTHER, D.NINE_OF_TRUMP)}, []),
        ({"laid": ((L.NINE, L.NINE), ()), "meld": (), "last_draw": (D.NINE_OF_TRUMP, D.OTHER)}, ["too-many-nines"]),
        ({"laid": ((), ()), "meld": (0, 0), "last_draw": (D.NINE_PUT_BACK, D.OTHER)}, ["put-back-undeclared"]),
        ({"meld": (0, 0), "last_draw": (D.NINE_PUT_BACK, D.OTHER)}, ["melds-together"]),
        ({"meld": (1, 0), "last_draw": (D.NINE_PUT_BACK, D.OTHER)}, []),
        ({"last_draw": (D.NINE_PUT_BACK, D.NINE_PUT_BACK)}, ["put-back-twice"]),
        ({"meld": (0, 15), **TRICKLESS}, []),
        ({"take": (12, 12)}, ["take-total"]),
        ({"take": (25, 0)}, ["last-trick-take"]),
        ({"take": (15, 10), "no_trick_points": 0}, []),
        ({"take": (15, 10), "no_trick_points": 1}, ["no-trick-last"]),
        ({"take": (25, 0), "last_trick": None, "no_trick_points": 0}, ["no-trick-take"]),
        ({"cards_wrong": (1, 0), "cards_still_wrong": (0, 1)}, ["still-wrong"]),
        ({"cards_wrong": (-1, 0)}, ["negative"]),
        ({"cards_wrong": (6, 0)}, ["cards-wrong-high"]),
        ({"led_early": (7, 6)}, ["led-early-too-often"]),
        ({"ending": TwoHandEnding.CLAIM}, ["claimant"]),
        ({"claimant": 0}, ["claimant-without-claim"]),
        ({"ending": TwoHandEnding.CLAIM, "claimant": 0, "take": (0, 3), "last_trick": None}, ["claim-without-count"]),
        ({"ending": TwoHandEnding.CLAIM, "claimant": 0, "take": (13, 13)}, ["take-over"]),
        ({"ending": TwoHandEnding.CHALLENGE, "claimant": 1}, ["challenge-not-bidder"]),
    ],
)
def test_each_problem_and_its_neighbour_that_is_none(facts, expected):
    found = codes(check(deal(**facts), FLETCHER))
    assert sorted(found) == sorted(expected)


def test_more_melds_than_tricks():
    plain = (L.MARRIAGE_HEARTS, L.MARRIAGE_SPADES, L.MARRIAGE_DIAMONDS)
    around = (L.KINGS, L.QUEENS, L.JACKS)
    one, other = (*plain, *around, L.ACES), (*plain, *around)
    full = laid(one, other, bid=20, trump=Suit.CLUBS)
    assert codes(check(full, FLETCHER)) == []  # thirteen
    assert codes(check(laid(one, (*other, L.ACES), trump=Suit.CLUBS), FLETCHER)) == ["too-many-melds"]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, []),
        ({"bidder": 0, "bid": 200}, ["not-in-rules", "not-in-rules"]),
        ({"guess": Guess.RIGHT}, ["not-in-rules"]),
        ({"last_draw": (D.NINE, D.OTHER)}, ["not-in-rules"]),
        ({"last_draw": (D.JACK_OF_CLUBS, D.OTHER)}, ["not-in-rules"]),
        ({"undeclared_nine": (True, False)}, ["not-in-rules"]),
        ({"cards_wrong": (1, 0)}, ["not-in-rules"]),
        ({"led_early": (1, 0)}, ["not-in-rules"]),
        ({"meld": (145, 60)}, ["meld-impossible"]),
        ({"take": (125, 126)}, ["take-total"]),
        ({"laid": ((L.NINE, L.NINE, L.NINE), ()), "meld": ()}, []),  # the dealer's turned up, and both declared
        ({"laid": ((L.RUN, L.ADDED_KING), ()), "meld": ()}, ["added-without-run"]),
    ],
)
def test_problems_of_the_classic_game(facts, expected):
    assert codes(check(classic(**facts), CLASSIC)) == expected


def test_where_only_the_trick_play_counts_the_total_is_open():
    late = replace(FLETCHER, meld_play_tricks_count=False)
    assert codes(check(deal(take=(3, 4)), late)) == []
    assert codes(check(deal(take=(0, 0), last_trick=None), late)) == ["take-little"]
    assert codes(check(deal(take=(13, 13)), late)) == ["take-over"]
    assert codes(check(deal(take=(3, 4), no_trick_points=0), late)) == ["no-trick-take"]


def test_a_card_without_its_shape_has_no_score():
    bad = [deal(bidder=None), deal(bid=None), deal(take=(1,)), deal(meld=()), deal(ending=TwoHandEnding.CLAIM)]
    for card in [*bad, deal(last_trick=-1), deal(no_trick_points=5)]:
        assert {p.code for p in check(card, FLETCHER)} & UNSCORABLE
        with pytest.raises(ValueError, match=r"pinochle|two-hand"):
            score(card, FLETCHER)


# --- true deals ----------------------------------------------------------------------------------------


@BOTH
@examples(60)
@given(seed=SEEDS, before=st.integers(0, 9))
def test_no_true_card_is_refused(rules, seed, before):
    card = play(Random(seed), rules, deals_before=before)
    assert stopping(card, rules) == []
    assert from_data(TwoHandDeal, to_data(card)) == card


def play_until_claim(rng, rules, deals_before):
    """A true deal in which somebody claims the game before the cards are counted: laid and won is what was by then."""
    table = dealt(rng, rules, dealer=deals_before % SIDES)
    stop, number, take = rng.randint(1, rules.tricks_before_last_draw), 0, (0, 0)
    while number < stop or (not any(take) and number < rules.tricks_before_last_draw):
        number += 1
        table.trick(rng, number)
        take = (points_of(table.players[0].won, rules), points_of(table.players[1].won, rules))
    claimant = take.index(max(take))
    deal = replace(table.card(rng), ending=TwoHandEnding.CLAIM, claimant=claimant, take=take)
    meld = deal.meld or tuple(follow(laid, rules).total for laid in deal.laid)
    lost = deal.forfeits_all(claimant, rules)
    if claimant == deal.bidder and meld[claimant] + take[claimant] >= rules.opening_bid and not lost:
        return replace(
            deal, ending=TwoHandEnding.CHALLENGE, bid=rng.randint(rules.opening_bid, meld[claimant] + take[claimant])
        )
    return deal


@examples(60)
@given(seed=SEEDS, before=st.integers(0, 9))
def test_no_true_claim_is_refused(seed, before):
    claim = play_until_claim(Random(seed), FLETCHER, before)
    assert stopping(claim, FLETCHER) == []
    if claim.ending == TwoHandEnding.CLAIM:
        uncounted = replace(claim, take=(), last_trick=None, no_trick_points=None, trick_won=True)
        assert stopping(uncounted, FLETCHER) == []
        melds = [line for line in score(claim, FLETCHER).lines if not line.rule.startswith("two-hand.take")]
        assert [line for line in score(uncounted, FLETCHER).lines if "lost" not in line.rule] == [
            line for line in melds if "lost" not in line.rule
        ]


@BOTH
def test_totals_are_possible_where_the_same_melds_one_by_one_are(rules):
    rng = Random(48)
    for number in range(150):
        card = play(rng, rules, deals_before=number)
        if card.laid:
            totals = tuple(
                sum(x.points for x in score(card, rules).lines if ".laid-" in x.rule and x.side == side)
                for side in (0, 1)
            )
            if not any(card.forfeits_all(side, rules) for side in (0, 1)) and not score(card, rules).sets:
                assert stopping(replace(card, laid=(), meld=card.meld or totals), rules) == []


@BOTH
@examples(60)
@given(seed=SEEDS)
def test_changing_the_two_about_changes_everything_about(rules, seed):
    card = play(Random(seed), rules, deals_before=0)
    turned = {f.name: getattr(card, f.name)[::-1] for f in fields(card) if isinstance(getattr(card, f.name), tuple)}
    for name in ("bidder", "last_trick", "no_trick_points", "claimant"):
        who = getattr(card, name)
        turned[name] = None if who is None else 1 - who
    other = replace(card, **turned)
    assert score(other, rules).totals == score(card, rules).totals[::-1]
    assert sorted(codes(check(other, rules))) == sorted(codes(check(card, rules)))


@BOTH
def test_what_is_said_is_known(rules):
    rng = Random(7)
    for number in range(200):
        card = play(rng, rules, deals_before=number)
        result = score(card, rules)
        assert all(wording.why(line, {}) for line in result.lines)
        assert all(wording.what_is_wrong(problem, {}) for problem in check(card, rules))
        assert sum(result.totals) == sum(x.points for x in result.lines)


def test_a_dead_deal():
    """002, 7b: five nines and no meld, or six nines with or without."""
    assert dead(cards("99.s 99.h 99.d KQA.c T.s J.h J.s"), FLETCHER)
    assert dead(cards("99.s 99.h 9.d AA.c TT.s J.h J.s T.d"), FLETCHER)
    assert not dead(cards("99.s 99.h 9.d KQ.c TT.s J.h J.s T.d"), FLETCHER)
    assert not dead(cards("99.s 99.h AA.c TTA.s J.h J.s T.d"), FLETCHER)


@pytest.mark.parametrize("slug", ["fletcher-two-hand", "two-hand-pinochle-classic"])
def test_the_settings_of_the_file_are_the_fields_of_the_rules(slug):
    rule_set = shipped()[slug]
    assert {s.name for s in rule_set.settings} == {f.name for f in fields(TwoHandRules)} - {"shape"}
    assert all(s.label and s.source for s in rule_set.settings)


# --- nines of trump that weren't declared ---------------------------------------------------------------


NINE, NINES = (Laying.NINE,), (Laying.NINE, Laying.NINE)


@pytest.mark.parametrize(
    ("layings", "silent", "drawn", "found"),
    [
        ((NINES, ()), (False, True), (), ["undeclared-none-left"]),
        (((), NINES), (True, False), (), ["undeclared-none-left"]),
        ((NINES, ()), (True, False), (), ["undeclared-none-left"]),
        ((NINE, NINE), (True, False), (), ["undeclared-none-left"]),
        ((NINE, ()), (True, True), (), ["undeclared-none-left"] * 2),
        ((NINE, ()), (False, True), (), []),
        ((NINE, ()), (True, False), (), []),
        (((), ()), (True, True), (), []),
        # the one put under the stock was drawn last by the other player, who may have kept silent about it
        ((NINES, ()), (False, True), (LastDraw.OTHER, LastDraw.NINE_OF_TRUMP), []),
        ((NINE, ()), (True, False), (LastDraw.OTHER, LastDraw.NINE_OF_TRUMP), []),
        ((NINE, NINE), (True, False), (LastDraw.OTHER, LastDraw.NINE_OF_TRUMP), ["undeclared-none-left"]),
        ((NINES, ()), (True, False), (LastDraw.NINE_PUT_BACK, LastDraw.OTHER), []),
    ],
)
def test_a_player_keeps_silent_only_about_a_nine_that_is_left(layings, silent, drawn, found):
    card = laid(*layings, undeclared_nine=silent, last_draw=drawn)
    assert codes(check(card, FLETCHER)) == found


def test_melds_as_totals_leave_a_nine_for_who_kept_silent():
    """A meld of 1 is a nine of trump; when both players kept silent about one there is no third."""
    odd = deal(meld=(1, 0), undeclared_nine=(True, True))
    assert codes(check(odd, FLETCHER)) == ["undeclared-none-left"] * 2
    assert codes(check(replace(odd, undeclared_nine=(False, True)), FLETCHER)) == []
    assert codes(check(replace(odd, meld=(2, 0)), FLETCHER)) == []


def test_true_players_forget_a_nine_now_and_then():
    rng = Random(5)
    dealt = [play(rng, FLETCHER, deals_before=number) for number in range(300)]
    forgot = [card for card in dealt if any(card.undeclared_nine)]
    assert 5 < len(forgot) < 60
    assert not any(check(card, FLETCHER) and stopping(card, FLETCHER) for card in forgot)
