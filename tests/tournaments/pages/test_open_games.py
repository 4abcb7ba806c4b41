"""Games that a closed round has left open stand on the desk until they are finished."""

from __future__ import annotations

from clubsite.accounts.models import Actor
from scoring.cards.deals import end_game, reopen_game
from scoring.models import Deal
from tests.tournaments.nights import play_deals
from tests.tournaments.pages.steps import begun, mark, task, titles
from tournaments.models import Draw, Event, Round
from tournaments.pages.next_steps.tasks import Urgency
from tournaments.rounds import closing, publishing
from tournaments.standings.results import publish_result


def test_games_left_open_by_a_closed_round_are_named_until_they_are_ended(event: Event, actor: Actor) -> None:
    games = begun(event, actor)
    for game in games[2:]:
        end_game(game=game, by=actor, reason="time")
    assert "closed round" not in titles(event)
    closing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    found = task(event, "2 games of closed rounds are still open")
    assert found.urgency == Urgency.SOON
    assert [action.words for action in found.actions] == ["Table 1 of round 1", "Table 2 of round 1"]
    assert found.actions[1].address.startswith(games[1].get_absolute_url())
    end_game(game=games[0], by=actor, reason="time")
    assert task(event, "1 game of a closed round is still open")
    end_game(game=games[1], by=actor, reason="time")
    assert "closed round" not in titles(event)


def test_a_game_that_a_correction_opens_again_is_named(event: Event, actor: Actor) -> None:
    games = begun(event, actor)
    for game in games[1:]:
        end_game(game=game, by=actor, reason="time")
    play_deals(games[0], actor, deals=60)
    closing.close_round(round=Draw.objects.get().round, by=actor, end_open=False)
    assert "closed round" not in titles(event)
    mark(Deal.objects.filter(game=games[0]).latest("number"), actor, "void", "misdealt")
    assert task(event, "1 game of a closed round is still open").actions[0].words == "Table 1 of round 1"
    end_game(game=games[0], by=actor, reason="time")
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    reopen_game(game=games[0], by=actor, reason="it goes on")
    assert "Opened again after the result was published" in task(event, "1 game of a closed round").words


def test_games_of_a_draw_that_was_taken_back_are_not_named(event: Event, actor: Actor) -> None:
    begun(event, actor)
    draw = Draw.objects.get()
    closing.close_round(round=draw.round, by=actor, end_open=False)
    closing.reopen_round(round=draw.round, by=actor)
    publishing.take_back_draw(draw=draw, by=actor, reason="somebody is missing")
    Round.objects.update(closed=True)
    assert "closed round" not in titles(event)
