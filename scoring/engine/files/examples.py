"""True deals as examples: for every rule set a game of each shape, played with real packs to its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.files.deal_files import FileDeal, FileGame
from scoring.engine.files.scored_game import score_game
from scoring.engine.in_game import play_in_game

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
    game = FileGame(rule_set=rule_set, shape=shape, sides=_sides(shape))
    scored = score_game(game)
    while not scored.progress.over and len(game.deals) < DEALS_AT_MOST:
        totals = scored.progress.totals
        facts = play_in_game(game.family, rng, rules=game.rules, deals_before=len(game.deals), before=totals)
        game = replace(game, deals=(*game.deals, FileDeal(facts=facts)))
        scored = score_game(game)
    deals = zip(game.deals, scored.progress.running, strict=True)
    return replace(game, deals=tuple(replace(deal, written=totals) for deal, totals in deals))


def _sides(shape: Shape) -> tuple[tuple[str, ...], ...]:
    """Names for the seats of every side; numbers where there are more seats than names.

    >>> _sides(Shape(2, 2))
    (('Ann', 'Bob'), ('Cal', 'Dee'))
    """
    names = [PLAYERS[n] if n < len(PLAYERS) else f"Player {n + 1}" for n in range(shape.players)]
    return tuple(tuple(names[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides))
