"""Games to hold in the hand, and the thumb that taps."""

import pytest

from scoring.cards.deals import start_game
from tests.browser.hand.thumb import PHONE, Thumb

NAMES = ("Ann Lee", "Bob Wu", "Cal Poe", "Dee Fitzgerald")


@pytest.fixture
def game_of(rules_for):
    def make(slug):
        rules = rules_for(slug)
        shape = rules.rule_set.shapes[0]
        sides = [list(NAMES[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides)]
        return start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)

    return make


@pytest.fixture
def phone(signed_in, scorekeeper):
    return signed_in(scorekeeper, **PHONE)


@pytest.fixture
def thumb(phone):
    return Thumb(phone)


@pytest.fixture
def pinochle(phone, game_of):
    game = game_of("st-hilary-v3")
    phone.goto(game.get_absolute_url())
    return game
