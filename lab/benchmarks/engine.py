"""What `./dev bench engine` measures: how fast cards are checked and scored, in either depth, and deal files.

Times depend on the machine and on what else it does, so each has something beside it that was measured in the same
run: for the engine a plain reading of the same facts, for a deal file Python's own parsing of its text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from django.conf import settings

from lab.benchmarks.paper import cost_apart
from lab.simulation.deals import Deals, both_depths
from lab.tools.deal_files import played
from scoring.deal_files.formats import FileGame, to_text
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of

WARM_UP = 300  # deals judged before the measured ones, at most: what is computed once for a rule set isn't measured
WRONG_BY = (-50, -20, -10, -5, -1, 1, 5, 10, 20, 50)
FILE_RULES = ("st-hilary-v3", "hand-and-foot", "fletcher-two-hand", "whist-drive")


@dataclass(frozen=True, slots=True)
class DepthSpeed:
    """How fast a rule set's cards are checked and scored in one depth: deals a second, and how many times as long as
    reading the facts that takes."""

    rules: str
    depth: str  # "card": a card's figures only; "counted": melds by name, or cards by rank
    deals: int
    per_second: int
    ratio: float


@dataclass(frozen=True, slots=True)
class FileSpeed:
    """How long `manage.py score` takes for a deal file, as a whole process. `ratio` is to Python's parsing of its
    JSON."""

    output: str  # "text" or "json"
    deals: int
    seconds: float
    busy: float  # seconds of processor time, so that other programs make no difference
    start: float  # seconds of processor time that the same command takes for one deal
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


def file_speeds(count: int) -> list[FileSpeed]:
    """A file of so many true deals of several games, as text and as JSON."""
    with TemporaryDirectory() as folder:
        whole, one = Path(folder, "deals.json"), Path(folder, "one.json")
        games = _games(count)
        whole.write_text(to_text(games), encoding="utf-8")
        one.write_text(to_text([games[0].model_copy(update={"deals": games[0].deals[:1]})]), encoding="utf-8")
        start = process_time()
        json.loads(whole.read_text(encoding="utf-8"))
        parsing = process_time() - start
        found = []
        for output, options in (("text", []), ("json", ["--json"])):
            (_, starting), (seconds, busy) = _scoring(one, options), _scoring(whole, options)
            deals = sum(len(game.deals) for game in games)
            found.append(FileSpeed(output, deals, seconds, busy, starting, busy / parsing))
        return found


def _games(count: int) -> list[FileGame]:
    """Games by each of `FILE_RULES`, together with so many deals."""
    games: list[FileGame] = []
    for slug in FILE_RULES:
        rng, wanted = Random(f"bench-file/{slug}"), max(1, count // len(FILE_RULES))
        rule_set = shipped()[slug]
        game = FileGame.of(rule_set, rule_set.shapes[0])
        while wanted > 0:
            games.append(played(game, rng, most=wanted))
            wanted -= len(games[-1].deals)
    return games


def _scoring(file: Path, options: list[str]) -> tuple[float, float]:
    """Seconds that the command takes, and its processor time. Correct deals need no ruling, so it must exit with 0."""
    command = [sys.executable, "manage.py", "score", str(file), *options]
    return cost_apart(partial(subprocess.run, command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, check=True))
