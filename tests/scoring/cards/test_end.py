"""How a game ends and why, its picture then, and what is new on its card."""

from itertools import accumulate
from uuid import uuid4

from django.urls import reverse
from django.utils import translation

from scoring import wording
from scoring.cards.deals import agree, end_game, mark_deal, reopen_game, start_game
from scoring.cards.queries import card_of, running_chart
from scoring.cards.views import reasons_pages
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.models import DealVersion, Game
from scoring.templatetags.figures import points
from tests.pages import news_at
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, a_deal, as_typed


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


def in_words(code, **figures):
    return str(wording.OUTCOMES[code]).format(**figures)


def test_a_card_says_that_the_bid_side_was_counted_first(client_of, scorekeeper, club, game_of, record):
    game = game_of("st-hilary-v3", start=(125, 145))
    record(game, 1, a_deal())  # 25 and 16 points
    said = in_words("bid-side-first", won="150", best="161")
    assert card_of(Game.get_or_404(club, game.pk)).why == said
    assert said in reasons_pages(card_of(Game.get_or_404(club, game.pk)), "A4").documents[0]
    assert said in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    with translation.override("es"):
        assert card_of(Game.get_or_404(club, game.pk)).why not in {"", said}


BOTH_MELDED_400 = HandAndFootDeal(sides=(SideCard(clean=1, melded=400, left=50),) * 2, number=1)


def test_a_level_score_at_the_target_asks_for_another_deal(client_of, scorekeeper, game_of, record):
    game = game_of("canasta", start=(4310, 4310))
    record(game, 1, BOTH_MELDED_400)
    game.refresh_from_db()
    assert game.state == Game.State.OPEN
    said = in_words("level", best="5,160")
    assert said in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()


def test_a_plain_end_says_nothing_more(finished, record):
    assert card_of(finished).why == ""


def test_the_entry_screen_says_what_the_first_meld_needs(client_of, scorekeeper, club, game_of, record, actor):
    game = game_of("hand-and-foot")
    assert "50" in card_of(Game.get_or_404(club, game.pk)).before_deal
    first = record(game, 1, BOTH_MELDED_400)
    needs = card_of(Game.get_or_404(club, game.pk)).before_deal
    assert "90" in needs
    assert needs in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    mark_deal(deal=first.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    assert "50" in card_of(Game.get_or_404(club, game.pk)).before_deal  # the next deal takes the place of the void one


def test_where_the_first_meld_goes_by_the_score_each_side_has_its_own(club, game_of, game):
    canasta = game_of("canasta", start=(1495, 1500))
    needs = card_of(Game.get_or_404(club, canasta.pk)).before_deal
    assert "Ann & Bob 50, Cal & Dee 90" in needs
    assert card_of(game).before_deal == ""


def test_a_finished_card_has_its_running_totals_as_a_picture_and_in_words(finished, desk):
    card = card_of(finished)
    chart = running_chart(card)
    for side, (one, words) in zip(card.sides, chart.rows, strict=True):
        made = accumulate((deal.points[side.number] for deal in card.deals if deal.counts), initial=side.start)
        assert (one.name, words) == (side.name, tuple(map(points, made)))
        assert words[-1] == points(side.total)
    assert [one.lit for one, _words in chart.rows] == [side.half_wins == 2 for side in card.sides]
    page = desk.get(finished.get_absolute_url()).content.decode()
    assert "The running totals, deal by deal" in page
    assert "pictures.css" in page


def test_a_card_that_is_being_played_carries_no_picture(game, record, desk):
    record(game, 1)
    record(game, 2)
    assert running_chart(card_of(game)) is None
    assert "pictures.css" not in desk.get(game.get_absolute_url()).content.decode()


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
