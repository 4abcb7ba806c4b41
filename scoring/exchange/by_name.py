"""Deals by the slug of their rules, from Python: facts as in deal files, answers as `manage.py score` gives them.

The worked examples of the sources are written with this (`docs/worked-examples.md`). Players sit in the first of the
rule set's shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.engine.core.facts import Json
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.files.deal_files import FileDeal, FileGame
from scoring.engine.files.scored_game import score_game
from scoring.exchange.explained import Explained


def points(slug: str, /, **facts: Json) -> list[int] | None:
    """The points of each side for a deal, None where the card doesn't say what to score.

    Raises:
        FactsError: facts are missing, unknown or of the wrong type.
    """
    found: list[int] | None = _told(slug, [facts])["deals"][0]["points"]
    return found


def wrong(slug: str, /, **facts: Json) -> list[str]:
    """What is wrong with the card of a deal, in sentences. Raises FactsError likewise."""
    return [problem["words"] for problem in _told(slug, [facts])["deals"][0]["problems"]]


def result(slug: str, /, *deals: Mapping[str, Json], start: Sequence[int] = ()) -> str:
    """Where a game stands after these deals, in words; `start` has each side's points before them."""
    words: str = _told(slug, deals, start=start)["words"]
    return words


def melded(slug: str, /, *melds: Json) -> int:
    """Points of one player's melds at pinochle, as they stand in `counted` of a deal file, or for two in `laid`."""
    rule_set = shipped()[slug]
    worth = family_of(rule_set).melded
    if worth is None:
        raise ValueError(f"{slug} has no melds of players")
    return worth(melds, rules_of(rule_set))


def _told(slug: str, deals: Iterable[Mapping[str, Json]], *, start: Sequence[int] = ()) -> dict[str, Any]:
    rule_set = shipped()[slug]
    read = family_of(rule_set).read
    played = tuple(FileDeal(facts=read(facts)) for facts in deals)
    game = FileGame(rule_set=rule_set, shape=rule_set.shapes[0], start=tuple(start), deals=played)
    return Explained(score_game(game), 1).data()
