"""The canasta games against deals made by other code: exact for legal ones, and nothing impossible is accepted."""

from dataclasses import replace
from random import Random

import pytest

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.scoring import check, score
from tests.examples import cases
from tests.scoring.engine.hand_and_foot.dealt import GAMES, deal


@pytest.mark.parametrize("deals", cases(150, proof=3400))
@pytest.mark.parametrize("slug", GAMES)
def test_legal_deals_are_accepted_and_scored_as_their_sources_count(slug, deals, tried):
    rules, rng = rules_of(shipped()[slug]), Random(slug)
    tried(deals)
    for _deal in range(deals):
        facts, points = deal(rng, slug)
        assert check(facts, rules) == (), facts
        assert score(facts, rules).totals == points, facts


def spoilt(rng, facts, *, slug):
    """The deal with something on it that no pack gives, or that no side of these rules can have."""
    game, place = GAMES[slug], rng.randrange(2)
    card = facts.sides[place]
    tabled = card.red_threes + card.black_threes
    few = game.dealt - tabled
    ways = [
        {"melded": card.melded + rng.randint(1, 4)},
        {"left": card.left + rng.randint(1, 4)},
        {"melded": card.melded + 3000},
        {"dirty": 6 * game.decks + 1, "melded": 2000},
        {"clean": 11 * game.decks + 1, "melded": 1900},
        {"clean": 4, "dirty": 1, "special": (), "melded": 4 * 35 + 35},
        {"clean": 0, "dirty": 0, "wild": 0, "special": (), "melded": 0, "extras": (), "left": 5 * few - 5},
        {"special": (13 * game.decks,) + (0,) * (len(game.books) - 1)} if game.books else {"red_threes": 5},
        {"red_threes": 2 * game.decks + 1},
        {"extras": (5, *card.extras[1:])} if card.extras else {"wild": 3 + 2 * game.decks, "melded": 1000},
        {"clean": -1},
    ]
    sides = list(facts.sides)
    sides[place] = replace(card, **rng.choice(ways))
    return replace(facts, sides=tuple(sides))


@pytest.mark.parametrize("deals", cases(60, proof=360))
@pytest.mark.parametrize("slug", GAMES)
def test_no_impossible_deal_is_accepted(slug, deals, tried):
    rules, rng = rules_of(shipped()[slug]), Random(f"spoilt {slug}")
    tried(deals)
    for _deal in range(deals):
        facts, _points = deal(rng, slug)
        if facts.special_hand is None:
            wrong = spoilt(rng, facts, slug=slug)
            assert any(problem.severity.stops for problem in check(wrong, rules)), wrong
