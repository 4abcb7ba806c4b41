"""A knock-out's bracket on paper: one sheet for up to 32 sides, with the match for the third place."""

import pytest

from clubsite.pdf.documents import render_now
from tests.tournaments.documents.sheets import pages_of
from tests.tournaments.documents.test_long_names import off_the_sheet
from tests.tournaments.draws.test_by_format import play_round
from tests.tournaments.draws.test_knock_outs import cup
from tests.tournaments.draws.test_out_by_losing import singles
from tests.tournaments.nights import publish_next
from tests.tournaments.rounds.test_going_back import decide
from tournaments.documents.bracket import bracket_sheet
from tournaments.documents.sheets import list_pages

pytestmark = pytest.mark.django_db


@pytest.mark.daily(1)
@pytest.mark.parametrize(("people", "paper"), [(32, "A4"), (27, "Letter"), (6, "A4")])
def test_everybody_is_on_one_sheet(club, actor, people, paper):
    event = cup(club, actor, people, consolation=False)
    assert bracket_sheet(event, paper) is None
    decide(publish_next(event, actor), actor)
    pdf = render_now(list_pages(bracket_sheet(event, paper), paper))
    (words,) = pages_of(pdf)
    assert [name for name in event.entries.values_list("name", flat=True) if name not in words] == []
    assert off_the_sheet(pdf) == {}


def test_the_consolation_has_a_sheet_of_its_own_and_a_long_name_is_shortened(club, actor):
    event = cup(club, actor, 8)
    event.entries.filter(number=1).update(name="Maximiliana Eugenia von Hohenwald-Reichert-Trostburg zu Wolkenstein")
    publish_next(event, actor)
    pdf = render_now(list_pages(bracket_sheet(event, "A4"), "A4"))
    assert len(pages_of(pdf)) == 2
    assert off_the_sheet(pdf) == {}


@pytest.mark.parametrize(("people", "paper"), [(16, "A4"), (11, "Letter")])
def test_a_double_knock_out_has_a_sheet_for_each_bracket(club, actor, people, paper):
    event = singles(club, actor, "double-ko", people)
    play_round(event, actor)
    pdf = render_now(list_pages(bracket_sheet(event, paper), paper))
    assert len(pages_of(pdf)) == 2
    assert off_the_sheet(pdf) == {}
