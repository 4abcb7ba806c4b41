"""What a table's page asks every few seconds: whether others have changed its card."""

from uuid import uuid4

from django.utils import timezone

from scoring.cards.deals import Objection, agree, dispute, end_game, reopen_game
from tests.pages import news_at
from tests.tournaments import nights
from tests.tournaments.table_links.conftest import game_at, link_of, url_of


def test_a_page_learns_of_each_thing_that_is_done_to_its_card_elsewhere(client, draw, actor):
    game = game_at(draw)

    def deal():
        return game.deals.get(number=1)

    def said_wrong():
        dispute(deal=deal(), side=0, objection=Objection("no"), by=actor, submission=uuid4(), seen=1)

    for do in (
        lambda: nights.play_deals(game, actor),
        said_wrong,
        lambda: agree(deal=deal(), side=0, by=actor, submission=uuid4(), seen=2),  # the other side is still asked
        lambda: end_game(game=game, by=actor, reason="the hall closes"),
        lambda: reopen_game(game=game, by=actor, reason="it does not"),
    ):
        asks = news_at(client.get(url_of(draw)))
        assert client.get(asks).status_code == 204
        do()
        assert client.get(asks).status_code == 200
        assert client.get(asks).content == b""


def test_while_nothing_is_new_it_costs_one_query(client, draw, actor, django_assert_num_queries):
    nights.play_deals(game_at(draw), actor, 2)
    asks = news_at(client.get(url_of(draw)))
    nights.play_deals(game_at(draw, 2), actor)  # another table's is no news here
    with django_assert_num_queries(1):
        assert client.get(asks).status_code == 204


def test_a_link_that_was_ended_says_so(client, draw):
    asks, link = news_at(client.get(url_of(draw))), link_of(draw)
    link.revoked_at = timezone.now()
    link.save()
    assert client.get(asks).status_code == 410


def test_a_token_of_no_table_is_refused(client, draw):
    assert client.get(f"/t/{'A' * 26}/news/", {"v": ""}).status_code == 404
