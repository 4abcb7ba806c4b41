"""The bench of the engine: every rule set in the depths it has."""

from __future__ import annotations

from random import Random

from lab.benchmarks import engine
from lab.simulation.deals import both_depths
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of


def test_every_rule_set_is_measured_in_each_of_its_depths() -> None:
    speeds = engine.depth_speeds(2)
    depths = {
        slug: {"card"} if rule_set.family == "points-only" else {"card", "counted"}
        for slug, rule_set in shipped().items()
    }
    assert {slug: {one.depth for one in speeds if one.rules == slug} for slug in shipped()} == depths
    assert all(one.deals == 2 and one.per_second > 0 for one in speeds)


def test_a_wrong_card_differs_in_one_figure() -> None:
    rule_set = shipped()["whist-drive"]
    family = family_of(rule_set)
    ((_rules, facts),) = both_depths(rule_set, 1, what="test")["card"]
    wrong = [engine.with_one_wrong(family, facts, rng=Random(seed)) for seed in range(8)]
    assert any(card != facts for card in wrong)
    assert all(sum(a != b for a, b in zip(card.points, facts.points, strict=True)) <= 1 for card in wrong)
