"""A whole game: which deals are refused; and deals played at their place of a game."""

from dataclasses import replace
from random import Random

from lab.simulation.deals import true_deal
from lab.tools.deal_files import file_game
from scoring.deal_files.formats import FileDeal
from scoring.deal_files.scored import score_game
from scoring.engine.core.family import check_in_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.engine.points_only import PointsDeal

WON, OVER, UNDER = (121, 90), (200, 90), (70, 121)  # cribbage: a game of 121; nobody pegs 200


def cribbage(*points, deals=2, rulings=()):
    """Games of cribbage, so many to win, as deals of a file; with a director's ruling on some, by number."""
    rule_set = shipped()["cribbage"]
    changed = replace(
        rule_set, settings=tuple(replace(s, value=deals) if s.name == "deals" else s for s in rule_set.settings)
    )
    return score_game(
        file_game(
            changed,
            deals=tuple(
                FileDeal(facts=PointsDeal(points=two), ruling="It stood so" if number in rulings else "")
                for number, two in enumerate(points, start=1)
            ),
        )
    )


def test_nothing_is_won_on_a_deal_that_is_refused():
    st_hilary = shipped()["st-hilary-v3"]
    true = PartnershipDeal(bid_side=0, bid=20, meld=(10, 4), take=(15, 10))
    too_much = replace(true, take=(25, 10))
    facts = (true, too_much, true, true)
    game = file_game(st_hilary, st_hilary.shapes[0], start=(100, 0))
    scored = score_game(game.model_copy(update={"deals": tuple(FileDeal(facts=one) for one in facts)}))
    assert [deal.running for deal in scored.deals] == [(125, 14), (160, 28), (185, 42), (210, 56)]
    assert [deal.provisional for deal in scored.deals] == [False, True, True, True]
    assert [(deal.refused, deal.too_late) for deal in scored.deals] == [(False, False), (True, False)] + [
        (False, False)
    ] * 2
    assert (scored.progress.over, scored.progress.winners, scored.undecided) == (False, (), True)
    ruled = tuple(FileDeal(facts=one, ruling="So it was") for one in facts)
    scored = score_game(game.model_copy(update={"deals": ruled}))
    assert (scored.progress.over, scored.progress.winners, scored.undecided) == (True, (0,), False)
    assert [deal.too_late for deal in scored.deals] == [False, False, True, True]


def test_a_game_of_so_many_deals_is_played_out_but_not_won_with_a_refused_one():
    scored = cribbage(OVER, UNDER, WON)
    assert (scored.progress.over, scored.undecided, scored.refused) == (False, True, (1, 3))
    assert [deal.too_late for deal in scored.deals] == [False, False, True]
    scored = cribbage(OVER, UNDER, WON, rulings=(1,))
    assert (scored.progress.over, scored.undecided, scored.refused) == (True, False, (3,))


def test_a_game_that_was_won_before_the_refused_deal_stays_won():
    scored = cribbage(WON, UNDER, OVER)
    assert (scored.progress.over, scored.undecided, scored.refused) == (True, False, (3,))


def test_a_game_short_of_its_end_is_not_called_undecided():
    assert not cribbage(OVER).undecided


def test_a_deal_of_a_game_with_minimums_by_score_keeps_to_them():
    canasta, family, before = rules_of(shipped()["canasta"]), FAMILIES["hand-and-foot"], (3500, 4000)
    for seed in range(6):
        card = true_deal(family, Random(seed), canasta, deals_before=seed % 2, before=before)
        assert check_in_game(family, card, rules=canasta, before=before) == ()
        assert [side.score_before for side in card.sides] == [None, None]  # not made up: the game has them
