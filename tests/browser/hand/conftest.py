"""Games to hold in the hand, and the thumb that taps."""

import pytest

from scoring.cards.deals import start_game
from tests.browser.hand.thumb import PHONE, Thumb

NAMES = ("Ann Lee", "Bob Wu", "Cal Poe", "Dee Fitzgerald")


@pytest.fixture
def game_of(rules_for):
    def make(slug, shape=None):
        rules = rules_for(slug)
        shape = shape or rules.rule_set.shapes[0]
        sides = [[*NAMES, "Eve Fox"][side * shape.per_side :][: shape.per_side] for side in range(shape.sides)]
        return start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)

    return make


@pytest.fixture
def new_phone(signed_in, scorekeeper):
    """A phone whose pad has digits, as nobody has asked for more keys."""
    return signed_in(scorekeeper, **PHONE)


@pytest.fixture
def phone(new_phone):
    """A phone on which somebody has asked for the keys with which a deal takes fewer touches."""
    new_phone.add_init_script('try { localStorage["pad-fast"] ??= "1"; } catch {}')
    return new_phone


@pytest.fixture
def thumb(phone):
    return Thumb(phone)


@pytest.fixture
def pinochle(phone, game_of):
    game = game_of("st-hilary-v3")
    phone.goto(game.get_absolute_url())
    return game
