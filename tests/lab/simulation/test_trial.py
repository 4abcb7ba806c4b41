"""True deals by the thousand: what is counted, and that a refused one is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab.simulation.deals import Tally, TrialBlock, blocks_of, both_depths, judged, true_deals, try_block
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.points_only import PointsDeal


def test_deals_are_the_same_for_the_same_seed_and_go_through_all_shapes() -> None:
    rule_set = shipped()["points-only"]
    deals = true_deals(rule_set, seed="one", count=20)
    assert deals == true_deals(rule_set, seed="one", count=20)
    assert deals != true_deals(rule_set, seed="two", count=20)
    assert {rules.shape for rules, _facts in deals} == set(rule_set.shapes)


@pytest.mark.parametrize("slug", ["st-hilary-v3", "fletcher-two-hand", "hand-and-foot"])
def test_the_depths_are_what_they_are_called(slug: str) -> None:
    deals, is_counted = both_depths(shipped()[slug], 4, what="test"), family_of(shipped()[slug]).is_counted
    assert is_counted is not None
    assert not any(is_counted(facts) for _rules, facts in deals["card"])
    assert all(is_counted(facts) for _rules, facts in deals["counted"])


@pytest.mark.parametrize("slug", shipped())
def test_a_block_of_true_deals_is_clean(slug: str) -> None:
    tally = try_block(TrialBlock(slug, seed=1, number=0, count=6))
    assert (tally.played, tally.refused, tally.codes) == (6, 0, ())


def test_a_refused_deal_is_counted_with_its_code() -> None:
    whist = shipped()["whist-drive"]
    rules = rules_of(whist)
    tally = judged(whist, [(rules, PointsDeal(points=points)) for points in ((8, 5), (8, 6), (9, 6))])
    assert tally == Tally(played=3, refused=2, codes=("points-only.whole",))


def test_a_deal_that_is_only_asked_about_again_is_not_refused() -> None:
    st_hilary = shipped()["st-hilary-v3"]
    rules, facts = next(
        (replace(rules, ask_bid_above=facts.bid - 1), facts)
        for rules, facts in true_deals(st_hilary, seed="asked", count=50)
        if facts.bid != rules.dropped_bid
    )
    assert judged(st_hilary, [(rules, facts)]) == Tally(played=1, asked_again=1)


def test_tallies_add_up() -> None:
    both = Tally(2, 1, 0, ("b",)) + Tally(3, 1, 1, ("a", "b"))
    assert both == Tally(5, 2, 1, ("a", "b"))


def test_blocks_hold_all_deals() -> None:
    assert [sum(blocks_of(count)) for count in (1, 250, 251, 1000)] == [1, 250, 251, 1000]
