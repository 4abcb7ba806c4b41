"""A draw that is taken back: what was played under it is kept, said on its cards, and comes back."""

import pytest

from scoring.models import Deal
from tests.scoring.conftest import a_deal, as_typed
from tests.tournaments import contests
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next
from tournaments.entries.actions import withdraw
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.models import Draw
from tournaments.rounds import attendance, publishing
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.standings.standings import standings_of

SAID = "This card doesn't count now"


@pytest.fixture
def friday(club, actor, rules_for):
    """A night of eight."""
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 8)
    return event


def test_a_card_of_a_draw_taken_back_says_that_it_counts_nowhere(friday, actor, client_of, scorekeeper):
    draw = publish_next(friday, actor)
    game, browser = games_of(draw)[0], client_of(scorekeeper)
    assert SAID not in browser.get(game.get_absolute_url()).content.decode()
    publishing.take_back_draw(draw=draw, by=actor)
    page = browser.post(game.get_absolute_url(), as_typed(a_deal()), follow=True).content.decode()
    assert SAID in page
    assert "Deal 1 is recorded" in page
    assert Deal.objects.filter(game=game).count() == 1
    publishing.publish_draw(draw=draw, by=actor)
    assert SAID not in browser.get(game.get_absolute_url()).content.decode()
    assert standings_of(state.stage_of(friday)).deals == 1


def test_a_round_that_was_played_comes_back_though_somebody_has_gone_home(friday, actor):
    draw = publish_next(friday, actor)
    play_deals(games_of(draw)[0], actor)
    attendance.leave(entry=draw.seats.first().entry, by=actor)
    publishing.take_back_draw(draw=draw, by=actor)
    publishing.publish_draw(draw=draw, by=actor)
    assert standings_of(state.stage_of(friday)).deals == 1


def test_a_round_without_a_deal_has_no_seat_for_who_has_gone(friday, actor):
    draw = publish_next(friday, actor)
    attendance.leave(entry=draw.seats.first().entry, by=actor)
    publishing.take_back_draw(draw=draw, by=actor)
    with pytest.raises(StepRefused, match="left after this draw was made"):
        publishing.publish_draw(draw=draw, by=actor)


def test_a_stage_that_was_played_comes_back_though_somebody_has_withdrawn(club, actor):
    event = contests.played_contest(club, actor)
    draw = Draw.objects.get(round__stage__event=event)
    withdraw(entry=draw.seats.first().entry, by=actor)
    take_back_draw(draw=draw, by=actor)
    assert standings_of(contests.stage_of(event, 1)).deals == 0
    publish_draw(draw=draw, by=actor)
    assert standings_of(contests.stage_of(event, 1)).deals == 18


@pytest.mark.daily(2)
@pytest.mark.parametrize("page", ["", "keying/", "keying/second/"])
def test_a_page_of_a_round_taken_back_leads_to_the_desk(friday, actor, client_of, director, scorekeeper, page):
    """As the browser's Back opens it, or a scorekeeper who had it open: it was "no such page, or mistyped"."""
    address = f"/st-hilary/desk/friday/rounds/1/{page}"
    assert client_of(director).get(address).status_code == 404  # there was none yet
    draw = publish_next(friday, actor)
    publishing.take_back_draw(draw=draw, by=actor)
    for user in (director, scorekeeper):
        answer = client_of(user).get(address, follow=True)
        assert answer.redirect_chain == [("/st-hilary/desk/friday/", 302)]
        assert "The draw of Round 1 was taken back." in answer.content.decode()
    if page:
        assert client_of(scorekeeper).post(address, {"game": games_of(draw)[0].pk}).status_code == 404
    else:
        told = client_of(director).post(address, {"step": "close", "games": "open"}, follow=True)
        assert "The draw of Round 1 was taken back." in told.content.decode()
    publishing.publish_draw(draw=draw, by=actor)
    if page != "keying/second/":
        assert client_of(scorekeeper).get(address).status_code == 200
