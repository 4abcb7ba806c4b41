"""What `./dev bench engine` measures: how fast cards are checked and scored, in either depth.

Times depend on the machine and on what else it does, so each has a plain reading of the same facts beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

from lab.simulation.deals import Deals, both_depths
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of

WARM_UP = 300  # deals judged before the measured ones, at most: what is computed once for a rule set isn't measured
WRONG_BY = (-50, -20, -10, -5, -1, 1, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class DepthSpeed:
    """How fast a rule set's cards are checked and scored in one depth: deals a second, and how many times as long as
    reading the facts that takes."""

    rules: str
    depth: str  # "card": a card's figures only; "counted": melds by name, or cards by rank
    deals: int
    per_second: int
    ratio: float


def depth_speeds(count: int) -> list[DepthSpeed]:
    """Every shipped rule set, each card judged once, so that nothing is cached; in processor time."""
    speeds = []
    for slug, rule_set in shipped().items():
        family = family_of(rule_set)
        first = both_depths(rule_set, min(WARM_UP, count), what="warm-up")
        for depth, deals in both_depths(rule_set, count, what="speed").items():
            _judging(family, first[depth])
            seconds, plain = _judging(family, deals), _reading(family, deals)
            speeds.append(DepthSpeed(slug, depth, len(deals), round(len(deals) / seconds), seconds / plain))
    return speeds


def _judging(family: Family, deals: Deals) -> float:
    start = process_time()
    for rules, facts in deals:
        family.check(facts, rules)
        family.score(facts, rules)
    return process_time() - start


def _reading(family: Family, deals: Deals) -> float:
    data = [family.write(facts) for _rules, facts in deals]
    start = process_time()
    for one in data:
        family.read(one)
    return process_time() - start


def check_times(count: int) -> Iterator[tuple[str, str, list[float]]]:
    """The milliseconds of each check, by rule set whose cards are checked against a pack and by depth: of correct cards
    and as many with one wrong figure, each seen for the first time."""
    for slug, rule_set in shipped().items():
        family = family_of(rule_set)
        if family.is_counted is None:
            continue
        rng = Random(f"bench-wrong/{slug}")
        for depth, deals in both_depths(rule_set, count, what="times").items():
            mixed = [*deals, *((rules, with_one_wrong(family, facts, rng=rng)) for rules, facts in deals)]
            times = []
            for rules, facts in mixed:
                start = process_time()
                family.check(facts, rules)
                times.append(1000 * (process_time() - start))
            yield slug, depth, times


def with_one_wrong(family: Family, facts: Any, *, rng: Random) -> Any:
    """The card with one of its figures wrong, by a little or by much."""
    data = family.write(facts)
    holder, key = rng.choice(_figures(data))
    holder[key] = max(0, holder[key] + rng.choice(WRONG_BY))
    return family.read(data)


def _figures(data: Any) -> list[tuple[Any, Any]]:
    """Where whole numbers stand in JSON data: for each the dict or list that holds it, and its key or index."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found: list[tuple[Any, Any]] = []
    for key, item in items:
        found += [(data, key)] if type(item) is int else _figures(item)
    return found
