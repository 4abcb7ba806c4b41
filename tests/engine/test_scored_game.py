"""A whole game: which deals are refused; and deals played at their place of a game."""

from __future__ import annotations

from random import Random

from scoring.engine.deal_files import FileDeal, FileGame
from scoring.engine.families import FAMILIES, rules_of
from scoring.engine.in_game import check_in_game, play_in_game
from scoring.engine.points_only import PointsDeal
from scoring.engine.ruleset import shipped
from scoring.engine.scored_game import score_game

WHIST = shipped()["whist-drive"]


def test_the_refused_deals_are_named_by_number() -> None:
    deals = tuple(FileDeal(facts=PointsDeal(points=points)) for points in ((8, 5), (8, 6), (13, 0), (7, 7)))
    scored = score_game(FileGame(rule_set=WHIST, shape=WHIST.shapes[0], deals=deals))
    assert scored.refused == (2, 4)


def test_a_deal_of_a_game_without_minimums_by_score_is_a_deal_like_any() -> None:
    st_hilary, family = rules_of(shipped()["st-hilary-v3"]), FAMILIES["partnership-pinochle"]
    assert play_in_game(family, Random(3), st_hilary, 2, (40, 90)) == family.play(Random(3), st_hilary, 2)


def test_a_deal_of_a_game_with_minimums_by_score_keeps_to_them() -> None:
    canasta, family, before = rules_of(shipped()["canasta"]), FAMILIES["hand-and-foot"], (3500, 4000)
    for seed in range(12):
        assert check_in_game(family, play_in_game(family, Random(seed), canasta, 4, before), canasta, before) == ()
