"""The stages of a competition: planned from the number of places, and changed."""

import pytest
from django.urls import reverse

from scoring.engine.core.ruleset import Shape
from tests.tournaments.contests import NAMES, contest, drawn, enter, stage_of
from tournaments.errors import StepRefused
from tournaments.events.stages import StageFacts, change_stage, plan_stages


@pytest.mark.parametrize(
    ("places", "shape", "advance"),
    [
        (54, Shape(3), [18, 6, 0]),
        (54, Shape(2, 3), [18, 6, 0]),
        (36, Shape(3), [12, 6, 0]),
        (48, Shape(3), [18, 6, 0]),
        (72, Shape(3), [24, 12, 6, 0]),
        (32, Shape(2, 2), [12, 4, 0]),
        (6, Shape(3), [0]),
    ],
)
def test_stages_are_planned_from_the_number(places, shape, advance):
    plans = plan_stages(places, shape)
    assert [plan.advance for plan in plans] == advance
    assert plans[-1].name == "Final"
    assert plans[-1].tables == 1


def test_54_at_three_hands_send_on_one_of_each_group(club, actor):
    event = contest(club, actor)
    assert [(s.name, s.cut_rule, s.advance) for s in event.stages.all()] == [
        ("Qualifying", "group", 18),
        ("Semi-final", "group", 6),
        ("Final", "", 0),
    ]


def test_54_at_six_hands_send_on_two_of_each_table(club, actor):
    event = contest(club, actor, shape=Shape(2, 3))
    assert [(s.cut_rule, s.advance) for s in event.stages.all()] == [("table", 18), ("table", 6), ("", 0)]


def test_a_stage_keeps_its_games_once_it_is_drawn(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    stage = change_stage(
        stage=stage_of(event, 1), by=actor, facts=StageFacts(name="Round one", games=3, cut_rule="table", advance=18)
    )
    assert (stage.name, stage.games, stage.cut_rule) == ("Round one", 3, "table")
    drawn(stage, actor)
    with pytest.raises(StepRefused, match="its number of games stays"):
        change_stage(stage=stage, by=actor, facts=StageFacts(name="Round one", games=4, cut_rule="table", advance=18))


def test_no_more_go_on_than_come_in(club, actor):
    """Planned: the places, then who goes on from the stage before. Once a stage is drawn: who has a seat in it."""
    event = contest(club, actor)

    def let_go_on(number, advance, name="Q"):
        facts = StageFacts(name, games=1, cut_rule="overall", advance=advance)
        return change_stage(stage=stage_of(event, number), by=actor, facts=facts)

    with pytest.raises(StepRefused, match="Q: 54 come in, so 55 can't go on"):
        let_go_on(1, 55)
    let_go_on(1, 54)
    with pytest.raises(StepRefused, match="S: 54 come in, so 55 can't go on"):
        let_go_on(2, 55, "S")
    enter(event, actor, NAMES[:33])
    drawn(stage_of(event, 1), actor)
    assert stage_of(event, 1).advance == 54
    with pytest.raises(StepRefused, match="Q: 33 come in, so 34 can't go on"):
        let_go_on(1, 34)
    assert let_go_on(1, 33).advance == 33


def test_too_many_who_go_on_are_refused_with_all_that_was_typed_kept(club, actor, director, client_of):
    event = contest(club, actor)
    url = reverse("event_change", args=[club.slug, event.slug])
    typed = {"stages": "1", "stage-3-name": "Last", "stage-3-games": "1", "stage-3-seeded": "no"}
    for number, advance in ((1, "12"), (2, "13")):
        typed |= {f"stage-{number}-name": f"Part {number}", f"stage-{number}-games": "2"}
        typed |= {f"stage-{number}-cut_rule": "overall", f"stage-{number}-advance": advance}
        typed |= {f"stage-{number}-wild_cards": "0", f"stage-{number}-seeded": "no"}
    page = client_of(director).post(url, typed).content.decode()
    assert "Part 2: 12 come in, so 13 can&#x27;t go on. Choose 12 or fewer." in page
    assert 'value="13"' in page
    assert 'value="Part 1"' in page
    assert [stage.name for stage in event.stages.all()] == ["Qualifying", "Semi-final", "Final"]
    assert client_of(director).post(url, typed | {"stage-2-advance": "6"}).status_code == 302
    assert [stage.advance for stage in event.stages.all()] == [12, 6, 0]
