"""The result of a competition, from the names on."""

import pytest

from clubsite.accounts.models import LogEntry
from scoring.models import Game
from tests.tournaments.contests import by_number, contest, deal, drawn, enter, play, played_contest, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.errors import StepRefused
from tournaments.models import Event
from tournaments.standings.results import publish_result, take_back_result


def test_from_54_names_to_the_result(club, actor):
    event = played_contest(club, actor)
    for number in (1, 2):
        stage = stage_of(event, number)
        publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
        play(drawn(stage_of(event, number + 1), actor), actor, by_number)
    result = publish_result(event=event, by=actor)
    assert result.final
    assert len(result.rows) == 6
    assert [row["place"] for row in result.rows] == [1, 2, 3, 4, 5, 6]
    assert [row["number"] for row in result.rows] == sorted(row["number"] for row in result.rows)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert publish_result(event=event, by=actor) == result
    take_back_result(event=event, by=actor, reason="a card was found")
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    verbs = set(LogEntry.objects.filter(club=club).values_list("verb", flat=True))
    assert {"entries.import", "draw.publish", "cut.publish", "result.publish", "result.withdraw"} <= verbs


def test_the_result_waits_for_open_games_unless_the_director_says_otherwise(club, actor):
    event = contest(club, actor, places=6, games=2)
    enter(event, actor, [f"Player {letter}" for letter in "abcdef"])
    drawn(stage_of(event, 1), actor)
    for game in Game.objects.filter(group_game__number=1):
        deal(game, actor, [3, 2, 1])
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)
    assert publish_result(event=event, by=actor, sure=True).final
    deal(Game.objects.filter(group_game__number=1)[0], actor, [3, 9, 1], number=2)
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)
