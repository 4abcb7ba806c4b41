"""Games to hold in the hand, and the thumb that taps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from clubsite.accounts.models import User
from scoring.games import start_game
from scoring.models import Game, HouseRules
from tests.browser.conftest import SignIn
from tests.browser.hand.thumb import PHONE, Thumb

NAMES = ("Ann Lee", "Bob Wu", "Cal Poe", "Dee Fitzgerald")
GameOf = Callable[[str], Game]


@pytest.fixture
def game_of(rules_for: Callable[[str], HouseRules]) -> GameOf:
    def make(slug: str) -> Game:
        rules = rules_for(slug)
        shape = rules.rule_set.shapes[0]
        sides = [list(NAMES[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides)]
        return start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)

    return make


@pytest.fixture
def phone(signed_in: SignIn, scorekeeper: User) -> Page:
    return signed_in(scorekeeper, **PHONE)


@pytest.fixture
def thumb(phone: Page) -> Thumb:
    return Thumb(phone)


@pytest.fixture
def pinochle(phone: Page, game_of: GameOf) -> Game:
    game = game_of("st-hilary-v3")
    phone.goto(game.get_absolute_url())
    return game
