"""A round of St. Hilary with two tables: its night, draw and games."""

import pytest

from tests.tournaments.keying.keying import a_round


@pytest.fixture
def night(rules, actor):
    return a_round(rules, actor)


@pytest.fixture
def event(night):
    return night[0]


@pytest.fixture
def draw(night):
    return night[1]


@pytest.fixture
def games(night):
    return night[2]


@pytest.fixture
def game(games):
    return games[0]
