"""Sentences about people whose verb goes by how many they are, in Spanish also where English has one word for both."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from scoring.cards.queries import over_words
from tournaments.draws.making import came_after

ONE, TWO = ["Luz Pérez"], ["Luz Pérez", "Rosa Gil"]


def shown(template, **context):
    return " ".join(render_to_string(template, context).split())


@pytest.mark.parametrize(("names", "verb"), [(ONE, "Descansa"), (TWO, "Descansan")])
def test_one_person_sits_out_and_two_do(names, verb):
    with override("es"):
        line = shown("tournaments/shared/_sit_outs.html", sit_outs=names)
        board = shown("tournaments/pages/board/tables.html", round={"sit_outs": names})
    assert f"{verb} en esta ronda:" in line
    assert f"<p> {verb} </p>" in board or f"<p>{verb}</p>" in board


def test_one_person_comes_too_late_and_two_do():
    with override("es"):
        assert came_after(ONE).startswith("Luz Pérez llegó ")
        assert came_after(TWO).startswith("Luz Pérez, Rosa Gil llegaron ")


@pytest.mark.parametrize("side", ["Luz Pérez", "Luz Pérez & Rosa Gil", "Las Águilas"])
def test_a_side_wins_in_words_that_fit_one_two_and_a_team(side):
    with override("es"):
        said = [over_words([side])]
        said += [
            gettext(words) % {"side": side}
            for words in (
                "With this the game has %(side)s as the winner.",
                "With this the game is over, with %(side)s as the winner.",
            )
        ]
    assert [words for words in said if re.search(r"\bgan[aó]\b", words) or f" de {side}" not in words] == []
