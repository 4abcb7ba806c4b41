"""Sentences about people whose verb goes by how many they are, in Spanish also where English has one word for both."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from tournaments.draws.formats.base import came_after

ONE, TWO = ["Luz Pérez"], ["Luz Pérez", "Rosa Gil"]


def shown(template: str, **context: object) -> str:
    return " ".join(render_to_string(template, context).split())


@pytest.mark.parametrize(("names", "verb"), [(ONE, "Descansa"), (TWO, "Descansan")])
def test_one_person_sits_out_and_two_do(names: list[str], verb: str) -> None:
    with override("es"):
        line = shown("tournaments/shared/_sit_outs.html", sit_outs=names)
        board = shown("tournaments/pages/board/tables.html", round={"sit_outs": names})
    assert f"{verb} en esta ronda:" in line
    assert f"<p> {verb} </p>" in board or f"<p>{verb}</p>" in board


def test_one_person_comes_too_late_and_two_do() -> None:
    with override("es"):
        assert came_after(ONE).endswith("llegó: Luz Pérez.")
        assert came_after(TWO).endswith("llegaron: Luz Pérez, Rosa Gil.")
