"""Games that a closed round has left open stand on the desk until they are finished."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game, reopen_game
from scoring.models import Deal, Game
from tests.pages import page_of
from tests.tournaments.contests import play_further_stages, played_contest
from tests.tournaments.nights import play_deals
from tests.tournaments.pages.steps import begun, mark, task, titles
from tournaments.errors import ReasonWanted, StepRefused
from tournaments.models import Draw, Round
from tournaments.pages.at_tables import event_tables
from tournaments.pages.contest_desk import ContestDesk
from tournaments.pages.next_steps import Urgency, next_steps
from tournaments.rounds import publishing
from tournaments.standings.results import publish_result


def open_games(event):
    return reverse("open_games", args=[event.club.slug, event.slug])


def test_games_left_open_by_a_closed_round_are_named_until_they_are_ended(event, actor):
    games = begun(event, actor)
    for game in games[2:]:
        end_game(game=game, by=actor, reason="time")
    assert "closed round" not in titles(event)
    publishing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    found = task(event, "2 games of closed rounds are still open")
    assert found.urgency == Urgency.SOON
    assert [action.words for action in found.actions[1:]] == ["Table 1 of round 1", "Table 2 of round 1"]
    assert found.actions[0].address == open_games(event)
    assert found.actions[2].address.startswith(games[1].get_absolute_url())
    end_game(game=games[0], by=actor, reason="time")
    assert task(event, "1 game of a closed round is still open")
    end_game(game=games[1], by=actor, reason="time")
    assert "closed round" not in titles(event)


def test_a_game_that_a_correction_opens_again_is_named(event, actor):
    games = begun(event, actor)
    for game in games[1:]:
        end_game(game=game, by=actor, reason="time")
    play_deals(games[0], actor, deals=60)
    publishing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    assert "closed round" not in titles(event)
    mark(Deal.objects.filter(game=games[0]).latest("number"), actor, "void", "misdealt")
    assert task(event, "1 game of a closed round is still open").actions[1].words == "Table 1 of round 1"
    end_game(game=games[0], by=actor, reason="time")
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    reopen_game(game=games[0], by=actor, reason="it goes on")
    assert "Reopened after the result was published" in task(event, "1 game of a closed round").words


def test_games_of_a_draw_that_was_taken_back_are_not_named(event, actor):
    begun(event, actor)
    draw = Draw.objects.get()
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    publishing.reopen_round(round=draw.round, by=actor)
    publishing.take_back_draw(draw=draw, by=actor, reason="somebody is missing")
    Round.objects.update(closed=True)
    assert "closed round" not in titles(event)


def test_all_of_them_are_ended_with_one_reason(event, actor, director, client_of):
    games, browser = begun(event, actor), client_of(director)
    play_deals(games[0], actor)
    publishing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    page = page_of(browser.get(open_games(event)))
    assert "Table 4 of round 1" in page
    sent = {"game": [game.pk for game in games], "reason": ""}
    assert browser.post(open_games(event), sent).status_code == 422
    assert Game.objects.filter(state=Game.State.OPEN).count() == 4
    answer = browser.post(open_games(event), sent | {"reason": "The hall closes"})
    assert (answer.status_code, answer["Location"]) == (302, event.get_desk_url())
    browser.post(open_games(event), sent | {"reason": "The hall closes"})
    states = [(game.state, game.reason) for game in Game.objects.filter(pk__in=sent["game"]).order_by("pk")]
    assert states == [("over", "The hall closes")] + [("not-played", "The hall closes")] * 3
    assert LogEntry.objects.filter(verb="game.end").count() == 4
    assert "closed round" not in titles(event)


def test_only_the_games_that_were_seen_are_ended(event, actor):
    games = begun(event, actor)
    publishing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    publishing.end_unfinished_games(event=event, by=actor, reason="time", seen=[games[1].pk])
    assert [game.pk for game in Game.objects.filter(state=Game.State.OPEN).order_by("pk")] == [
        game.pk for game in games if game != games[1]
    ]
    with pytest.raises(ReasonWanted):
        publishing.end_unfinished_games(event=event, by=actor, reason=" ", seen=[games[0].pk])


def contest_titles(event):
    steps = next_steps(event_tables(event), ContestDesk(event).tasks())
    return " | ".join(step.title for step in steps)


def test_a_game_of_an_earlier_stage_is_named_and_asked_about_before_the_result(club, actor, browser):
    event = played_contest(club, actor)
    early = Game.objects.filter(club=club)[0]
    play_further_stages(event, actor)
    reopen_game(game=early, by=actor, reason="the card was misread")
    assert "1 game of an earlier stage is still open" in contest_titles(event)
    with pytest.raises(StepRefused, match="Qualifying"):
        publish_result(event=event, by=actor)
    result = reverse("result", args=[club.slug, event.slug])
    page = page_of(browser.get(result))
    assert open_games(event) in page
    assert 'name="sure"' in page
    browser.post(open_games(event), {"game": [early.pk], "reason": "as it was"})
    assert "earlier stage" not in contest_titles(event)
    assert 'name="sure"' not in page_of(browser.get(result))
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    reopen_game(game=Game.objects.filter(club=club).latest("pk"), by=actor, reason="another misread card")
    assert "1 game is open again" in contest_titles(event)
