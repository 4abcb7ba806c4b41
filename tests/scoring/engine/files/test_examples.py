"""Example games: always the same, with names for all seats, written up as a scorer would."""

from __future__ import annotations

from dataclasses import replace

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.files.examples import examples_of


def test_examples_are_always_the_same_and_every_seat_has_a_name() -> None:
    eight = replace(shipped()["points-only"], shapes=(Shape(4, 2),))
    (game,) = examples_of(eight)
    assert examples_of(eight) == (game,)
    assert game.sides == (("Ann", "Bob"), ("Cal", "Dee"), ("Eve", "Flo"), ("Player 7", "Player 8"))
    assert all(len(deal.written) == 4 for deal in game.deals)


def test_the_score_before_a_deal_stands_in_the_game_and_not_on_the_card() -> None:
    (game,) = examples_of(replace(shipped()["canasta"], shapes=shipped()["canasta"].shapes[:1]))
    assert {side.score_before for deal in game.deals for side in deal.facts.sides} == {None}
