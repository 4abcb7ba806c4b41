"""What is kept in the database is read in each reader's language, and a name that somebody gave stays as it is."""

import pytest
from django.utils import translation

from clubsite.names import NAMES, shown, to_keep
from scoring.models import Game
from tests.tournaments import contests
from tournaments.models import Stage


def kept(stage):
    return str(Stage.objects.filter(pk=stage.pk).values_list("name", flat=True)[0])


def test_stages_are_called_in_each_readers_language(club, actor):
    with translation.override("es"):
        event = contests.contest(club, actor)
    stage = event.stages.get(number=1)
    assert (kept(stage), stage.name) == ("Qualifying", "Qualifying")
    with translation.override("es"):
        stage.refresh_from_db()
        assert stage.name == "Clasificatoria"
        stage.name = "Clasificatoria"
        stage.save()
    assert (kept(stage), stage.name) == ("Qualifying", "Qualifying")


def test_a_name_that_a_director_gives_stays(club, actor):
    stage = contests.contest(club, actor).stages.get(number=1)
    stage.name = "The Abbot's Round 2"
    stage.save()
    with translation.override("es"):
        stage.refresh_from_db()
        assert (kept(stage), stage.name) == ("The Abbot's Round 2", "The Abbot's Round 2")


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "name", [*NAMES, "Stage 2", "Round 11", "Table 3", "Table 3A", "Group B", "Game 4", "Deal 7", "Draw 2", "Version 1"]
)
def test_a_name_of_the_program_is_known_in_every_language(language, name):
    with translation.override(language):
        assert to_keep(shown(name)) == name
        assert (shown(name) == name) == (language == "en" or name == "Final")
        assert name in NAMES or name.split()[1] in shown(name)


def test_a_game_is_called_in_each_readers_language(club, actor):
    with translation.override("es"):
        event = contests.contest(club, actor)
        contests.enter(event, actor)
        draw = contests.drawn(contests.stage_of(event, 1), actor)
        game = Game.objects.filter(group_game__group__table__draw=draw).order_by("pk")[0]
        assert game.title.startswith("Spring contest · Clasificatoria · Mesa 1")
    game.refresh_from_db()
    assert game.title.startswith("Spring contest · Qualifying · Table 1")
