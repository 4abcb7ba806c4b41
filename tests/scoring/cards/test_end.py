"""Ending a game early, and going on with it."""

from django.urls import reverse

from scoring.models import Game


def end_of(game):
    return reverse("game_end", args=[game.club.slug, game.pk])


def test_the_director_ends_a_game_with_a_reason(client_of, director, game, record):
    record(game)
    client = client_of(director)
    assert client.post(end_of(game), {"reason": ""}).status_code == 422
    answer = client.post(end_of(game), {"reason": "The hall closes."}, follow=True)
    assert "Over: Ann &amp; Bob won" in answer.content.decode()
    assert "The hall closes." in answer.content.decode()
    client.post(end_of(game), {"reason": "It stays open."})
    game.refresh_from_db()
    assert (game.state, game.ended_by) == (Game.State.OPEN, "")


def test_a_game_without_a_deal_is_not_played(client_of, director, game):
    client_of(director).post(end_of(game), {"reason": "Nobody came."})
    game.refresh_from_db()
    assert game.state == Game.State.NOT_PLAYED


def test_a_game_won_by_the_cards_stays_so(client_of, director, finished):
    client_of(director).post(end_of(finished), {"reason": "No."})
    finished.refresh_from_db()
    assert (finished.state, finished.ended_by) == (Game.State.OVER, "target")
