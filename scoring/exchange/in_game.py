"""Deals from a file checked against their game: the scores before them, and their place in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.engine.core.ledger import Problem
from scoring.engine.families import rules_of
from scoring.engine.in_game import check_in_game, judge_in_game, place_after
from scoring.exchange.records import GameRecord, VersionRecord
from scoring.models import DealVersion, Game


def wrong_in_game(
    game: GameRecord, here: Game | None, *, fresh: Mapping[int, Sequence[VersionRecord]]
) -> dict[int, tuple[Problem, ...]]:
    """What is wrong with the new deals, by number, where the scores before a deal or its place in the game matter.

    Scores are used only up to the first deal that was corrected or made void: a later deal was checked against other
    scores when it was recorded, and if it is wrong now, its card says so. Its place is counted among the deals that
    were never void: when it was recorded, it was at least that.
    """
    rules = rules_of(game.rule_set, game.said.shape)
    new = {number: versions for number, versions in fresh.items() if versions}
    rows: dict[int, list[tuple[str, Any, str]]] = {}  # state, facts and reason of every version
    latest = [versions[-1].facts for versions in new.values()]
    ways = game.family.in_game
    if not any(ways.goes_by_scores(facts, rules) or ways.goes_by_place(facts, rules) for facts in latest):
        return {}
    if here is not None:
        for version in DealVersion.objects.filter(deal__game=here).select_related("deal").order_by("number"):
            facts = game.family.read(version.facts)
            rows.setdefault(version.deal.number, []).append((version.state, facts, version.reason))
    for number, versions in new.items():
        rows.setdefault(number, []).extend((v.said.state, v.facts, v.said.reason) for v in versions)
    start = [side.start for side in here.sides.all()] if here is not None else game.said.start
    settled = next((number for number in sorted(rows) if _changed(rows[number])), max(rows))
    standing = {n: rows[n][-1][1] for n in sorted(rows) if rows[n][-1][0] != DealVersion.State.VOID}
    sure = [n for n in standing if n <= settled]
    judged = judge_in_game(game.family, rules, cards=[standing[n] for n in sure], start=start)
    found = {n: problems for n, (problems, _score) in zip(sure, judged, strict=True)}
    place = 0
    for number, facts in standing.items():
        at = place_after(game.family, place, facts=facts, rules=rules)
        if number not in found:
            found[number] = check_in_game(game.family, facts, rules=rules, before=None, place=at)
        if not any(state == DealVersion.State.VOID for state, _facts, _reason in rows[number]):
            place = at
    return {number: problems for number, problems in found.items() if number in new}


def _changed(versions: Sequence[tuple[str, Any, str]]) -> bool:
    """Whether a deal was ever corrected or void; a table, which has only the last version, tells it by the reason."""
    return any(
        reason or state == DealVersion.State.VOID or facts != versions[0][1] for state, facts, reason in versions
    )
