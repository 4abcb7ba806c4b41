"""What a scorekeeper's card asks every few seconds: whether others have changed it."""

from uuid import uuid4

from scoring.cards.deals import agree, end_game, mark_deal, reopen_game, start_game
from scoring.models import DealVersion, Game
from tests.pages import news_at
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, as_typed

WHO = 3  # queries that say who it is: the session, the user, their role


def test_a_card_learns_of_each_thing_that_is_done_to_it_elsewhere(client_of, scorekeeper, game, record, actor):
    browser = client_of(scorekeeper)

    def marked():
        deal = game.deals.get(number=1)
        mark_deal(deal=deal, state=DealVersion.State.DISPUTED, by=actor, submission=uuid4(), seen=1, reason="")

    for do in (
        lambda: record(game),
        marked,
        lambda: agree(deal=game.deals.get(), side=0, by=actor, submission=uuid4(), seen=2),  # the other is still asked
        lambda: end_game(game=game, by=actor, reason="the hall closes"),
        lambda: reopen_game(game=game, by=actor, reason="it does not"),
        lambda: Game.objects.filter(pk=game.pk).update(set_aside=True),
    ):
        asks = news_at(browser.get(game.get_absolute_url()))
        assert browser.get(asks).status_code == 204
        do()
        answer = browser.get(asks)
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_card_that_was_refused_learns_of_what_is_new_too(client_of, scorekeeper, game, record):
    browser = client_of(scorekeeper)
    asks = news_at(browser.post(game.get_absolute_url(), as_typed(IMPOSSIBLE)))
    assert browser.get(asks).status_code == 204
    record(game)
    assert browser.get(asks).status_code == 200


def test_while_nothing_is_new_it_costs_one_query_beside_who_asks(
    client_of, scorekeeper, game, record, django_assert_num_queries
):
    browser = client_of(scorekeeper)
    other = start_game(club=game.club, rules=game.rules, title="Table 4", sides=PINOCHLE_SIDES)
    for number in (1, 2, 3):
        record(game, number)
        asks = news_at(browser.get(game.get_absolute_url()))
        record(other, number)  # another card's is no news here
        with django_assert_num_queries(WHO + 1):
            assert browser.get(asks).status_code == 204
