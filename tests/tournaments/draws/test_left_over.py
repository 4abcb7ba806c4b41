"""People who don't fit at tables of four: what may become of them, and what the page of the draw says of each way."""

import pytest
from django.urls import reverse

from scoring.engine.core.ruleset import shipped
from tests.pages import page_of
from tests.tournaments.nights import arrive, make_night
from tournaments.draws import rotation
from tournaments.draws.drafts import engine_round
from tournaments.models import Draw


@pytest.fixture
def night(club, rules_for):
    return make_night(club, rules_for("hand-and-foot"))


def test_an_odd_table_is_offered_where_fewer_sit_out_by_it_and_one_of_six_from_fourteen_people_on():
    offered = {people: list(rotation.odd_layouts(shipped()["hand-and-foot"], people)) for people in range(2, 17)}
    assert {people: odd for people, odd in offered.items() if odd != ["sit-out"]} == {
        2: [],
        3: ["three"],
        5: ["sit-out", "five"],
        6: ["sit-out", "three", "five"],
        7: ["sit-out", "three", "five"],
        9: ["sit-out", "five"],
        10: ["sit-out", "three", "five"],
        11: ["sit-out", "three", "five"],
        13: ["sit-out", "five"],
        14: ["sit-out", "three", "five", "six"],
        15: ["sit-out", "three", "five", "six"],
    }


@pytest.mark.parametrize(
    ("people", "said", "not_said"),
    [
        (9, ["1 sits out of each round: 2 tables of 4.", "Everybody plays: 1 table of 4, 1 table of 5."], "of three"),
        (6, ["Everybody plays: 2 tables of 3.", "1 sits out of each round: 1 table of 5."], "three against three"),
        (8, [], "fit at tables of four"),
        (3, ["1 table."], "fit at tables of four"),
    ],
)
def test_the_page_of_the_draw_says_what_each_choice_gives_for_those_who_are_here(
    night, actor, browser, *, people, said, not_said
):
    arrive(night, actor, people)
    page = page_of(browser.get(reverse("round_draw", args=["st-hilary", night.slug])))
    assert [words for words in said if words not in page] == []
    assert not_said not in page


def test_three_people_get_the_one_table_that_there_is(night, actor, browser):
    arrive(night, actor, 3)
    address = reverse("round_draw", args=["st-hilary", night.slug])
    browser.post(address, {"step": "make", "seen": "0", "planned": "3", "effort": "normal"})
    assert [sum(map(len, table)) for table in engine_round(Draw.objects.get()).tables] == [3]
