"""Points and problems while typing."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring.models import Deal, Game
from tests.scoring.conftest import IMPOSSIBLE, WINNING, a_deal, as_typed


def reckon(client_of: Any, user: Any, game: Game, typed: dict[str, Any]) -> Any:
    return client_of(user).post(reverse("reckon", args=[game.club.slug, game.pk]), typed)


def test_points_and_totals_come_back_as_a_part(client_of: Any, scorekeeper: Any, game: Game, record: Any) -> None:
    record(game)
    answer = reckon(client_of, scorekeeper, game, as_typed(a_deal(), number=2))
    page = answer.content.decode()
    assert "<html" not in page
    assert "total 25 → <strong>50</strong>" in page
    assert "Bid of 20 made with 25" in page
    assert "004" in page  # the source of the rule
    assert Deal.objects.count() == 1


def test_empty_fields_are_named_quietly(client_of: Any, scorekeeper: Any, game: Game) -> None:
    page = reckon(client_of, scorekeeper, game, {**as_typed(a_deal()), "meld_1": "", "bid": "x"}).content.decode()
    assert "Still empty:" in page
    assert "Meld, Cal &amp; Dee" in page
    assert "Bid: Write a whole number" in page
    assert "problem" not in page


def test_problems_come_with_the_points(client_of: Any, scorekeeper: Any, game: Game) -> None:
    page = reckon(client_of, scorekeeper, game, as_typed(IMPOSSIBLE)).content.decode()
    assert "Impossible with a real pack" in page
    assert "comes to 26" in page


def test_the_end_of_the_game_is_foretold(client_of: Any, scorekeeper: Any, game: Game) -> None:
    page = reckon(client_of, scorekeeper, game, as_typed(WINNING)).content.decode()
    assert "With this the game is over, won by Ann &amp; Bob." in page


def test_who_may(client_of: Any, scorekeeper: Any, stranger: Any, game: Game) -> None:
    assert reckon(client_of, stranger, game, as_typed(a_deal())).status_code == 404
    assert reckon(client_of, None, game, as_typed(a_deal())).status_code == 302
    assert client_of(scorekeeper).get(reverse("reckon", args=[game.club.slug, game.pk])).status_code == 405
