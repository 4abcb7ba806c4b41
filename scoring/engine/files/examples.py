"""True deals as examples: for every rule set a game of each shape, played with real packs to its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Score
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.files.deal_files import FileDeal, FileGame
from scoring.engine.files.scored_game import score_game

PLAYERS = ("Ann", "Bob", "Cal", "Dee", "Eve", "Flo")
DEALS_AT_MOST = 60  # where the rules let a game go on for long


def examples_of(rule_set: RuleSet) -> tuple[FileGame, ...]:
    """The games of a rule set's example file, with the running totals written in. Always the same.

    >>> from scoring.engine.core.ruleset import shipped
    >>> (game,) = examples_of(shipped()["st-hilary-v3"])
    >>> score_game(game).progress.totals == game.deals[-1].written
    True
    """
    return tuple(_game(rule_set, shape) for shape in rule_set.shapes)


def _game(rule_set: RuleSet, shape: Shape) -> FileGame:
    rng = Random(f"{rule_set.slug}/{shape.sides}x{shape.per_side}")
    game = played(FileGame(rule_set=rule_set, shape=shape, sides=_sides(shape)), rng, most=DEALS_AT_MOST)
    deals = zip(game.deals, score_game(game).progress.running, strict=True)
    return replace(game, deals=tuple(replace(deal, written=totals) for deal, totals in deals))


def played(game: FileGame, rng: Random, *, most: int) -> FileGame:
    """The game with true deals, to its end or so many."""
    family, rules = game.family, game.rules
    deals: list[FileDeal] = []
    scores: list[Score] = []
    now = progress(scores, rules)
    while not now.over and len(deals) < most:
        facts = family.play(rng, rules, deals_before=len(deals), before=now.totals)
        deals.append(FileDeal(facts=facts))
        scores.append(family.score(facts, rules))
        now = progress(scores, rules)
    return replace(game, deals=tuple(deals))


def _sides(shape: Shape) -> tuple[tuple[str, ...], ...]:
    """Names for the seats of every side; numbers where there are more seats than names.

    >>> _sides(Shape(2, 2))
    (('Ann', 'Bob'), ('Cal', 'Dee'))
    """
    names = [PLAYERS[n] if n < len(PLAYERS) else f"Player {n + 1}" for n in range(shape.players)]
    return tuple(tuple(names[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides))
