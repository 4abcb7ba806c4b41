"""What is kept in the database is read in each reader's language, and a name that somebody gave stays as it is."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, override
from django.views.defaults import server_error

from clubsite.names import NAMES, english_name, translate_name
from scoring.cards.queries import winners_message
from scoring.models import Game
from tests.pages import page_of
from tests.tournaments import contests
from tournaments.draws.making import came_late_message
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
        assert english_name(translate_name(name)) == name
        assert (translate_name(name) == name) == (language == "en" or name == "Final")
        assert name in NAMES or name.split()[1] in translate_name(name)


def test_a_game_is_called_in_each_readers_language(club, actor):
    with translation.override("es"):
        event = contests.contest(club, actor)
        contests.enter(event, actor)
        draw = contests.drawn(contests.stage_of(event, 1), actor)
        game = Game.objects.filter(group_game__group__table__draw=draw).order_by("pk")[0]
        assert game.title.startswith("Spring contest · Clasificatoria · Mesa 1")
    game.refresh_from_db()
    assert game.title.startswith("Spring contest · Qualifying · Table 1")


# Sentences about people whose verb goes by how many they are, in Spanish also where English has one word for both


ONE, TWO = ["Luz Pérez"], ["Luz Pérez", "Rosa Gil"]


def rendered(template, **context):
    return " ".join(render_to_string(template, context).split())


@pytest.mark.parametrize(("names", "verb"), [(ONE, "Descansa"), (TWO, "Descansan")])
def test_one_person_sits_out_and_two_do(names, verb):
    with override("es"):
        line = rendered("tournaments/shared/_sit_outs.html", sit_outs=names)
        board = rendered("tournaments/pages/board/tables.html", round={"sit_outs": names})
    assert f"{verb} en esta ronda:" in line
    assert f"<p> {verb} </p>" in board or f"<p>{verb}</p>" in board


def test_one_person_comes_too_late_and_two_do():
    with override("es"):
        assert came_late_message(ONE).startswith("Luz Pérez llegó ")
        assert came_late_message(TWO).startswith("Luz Pérez, Rosa Gil llegaron ")


@pytest.mark.parametrize("side", ["Luz Pérez", "Luz Pérez & Rosa Gil", "Las Águilas"])
def test_a_side_wins_in_words_that_fit_one_two_and_a_team(side):
    with override("es"):
        said = [winners_message([side])]
        said += [
            gettext(words) % {"side": side}
            for words in (
                "After this change %(side)s won the game.",
                "After this the game is over: %(side)s won.",
            )
        ]
    assert [words for words in said if re.search(r"\bgan[aó]\b", words) or f" de {side}" not in words] == []


# Pages that refuse: in the other language by one press, without a query at a fault's


BUTTON = 'name="language" value="es"'


@pytest.mark.django_db
def test_what_the_doorway_refuses_has_the_button(client):
    for answer in (client.put("/"), client.get(f"/{'a' * 3000}/"), client.get("/no-such-page/")):
        assert answer.status_code in (404, 405, 414)
        assert BUTTON in page_of(answer)


def test_a_refused_post_leads_back_to_where_it_was_sent_from(club, scorekeeper, client_of):
    browser, came = client_of(scorekeeper), f"http://testserver{reverse('desk', args=[club.slug])}"
    answer = browser.post(reverse("event_new", args=[club.slug]), {}, headers={"Referer": came})
    assert answer.status_code in (403, 404)
    assert f'name="next" value="{came}"' in page_of(answer)
    there = browser.post(reverse("language"), {"language": "es", "next": came})
    assert there["Location"] == came
    assert '<html lang="es' in page_of(browser.get(came))


@pytest.mark.django_db
def test_the_page_of_a_fault_asks_nothing(django_assert_num_queries):
    request = RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert BUTTON in server_error(request).content.decode()
