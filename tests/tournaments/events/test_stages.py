"""The stages of a competition: planned from the number of places, and changed."""

from dataclasses import replace

import pytest
from django.urls import reverse

from scoring.engine.core.ruleset import Shape
from tests.tournaments.contests import NAMES, by_number, contest, drawn, enter, play, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.drafts import WITH_EVENT
from tournaments.draws.making import DrawOptions, make_draw, why_stale
from tournaments.errors import StepRefused
from tournaments.events.stages import StageFacts, change_stage, groups_warning, plan_stages
from tournaments.models import Group
from tournaments.pages.at_tables import event_tables
from tournaments.pages.contest_desk import ContestDesk
from tournaments.pages.next_steps import next_steps
from tournaments.standings.standings import standings_of


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


@pytest.mark.parametrize(("shape", "rule"), [(Shape(3), "group"), (Shape(2, 3), "table")])
def test_54_at_three_hands_send_on_one_of_each_group_and_at_six_two_of_each_table(club, actor, shape, rule):
    event = contest(club, actor, shape=shape)
    assert [(s.cut_rule, s.advance) for s in event.stages.all()] == [(rule, 18), (rule, 6), ("", 0)]


def test_a_stage_keeps_its_games_once_it_is_drawn(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    facts = StageFacts(name="Round one", games=3, cut_rule="table", advance=18)
    stage = change_stage(stage=stage_of(event, 1), by=actor, facts=facts)
    assert (stage.name, stage.games, stage.cut_rule) == ("Round one", 3, "table")
    drawn(stage, actor)
    with pytest.raises(StepRefused, match="its number of games stays"):
        change_stage(stage=stage, by=actor, facts=replace(facts, games=4))


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


# The shape of a final is a choice whose consequence is said: groups that don't meet, one table, or fewer finalists


PEOPLE = [f"Player {n:02}" for n in range(1, 19)]


@pytest.fixture
def event(club, actor):
    """Eighteen people, of whom six play the final; the first stage is being played."""
    made = contest(club, actor, places=18)
    enter(made, actor, PEOPLE)
    drawn(stage_of(made, 1), actor)
    made.refresh_from_db()
    return made


def change(event):
    return reverse("event_change", args=[event.club.slug, event.slug])


def stages_as_shown(page):
    return {"stages": "1"} | {
        field.html_name: ("yes" if field.value() else "no") if field.name in ("seeded", "together") else field.value()
        for form in page.context["stages"]
        for field in form
    }


def on_desk(event):
    steps = next_steps(event_tables(event), ContestDesk(event).tasks())
    return any(action.address == f"{change(event)}#stages" for step in steps for action in step.actions)


def test_two_groups_are_pointed_out_before_the_cut(event, director, client_of):
    final = stage_of(event, 2)
    assert "2 groups" in groups_warning(final, 6)
    assert groups_warning(final, 3) == ""
    assert on_desk(event)
    page = client_of(director).get(change(event))
    assert page.context["stages"][1].apart == groups_warning(final, 6)
    assert "together" in page.context["stages"][1].fields
    assert "together" not in page.context["stages"][0].fields


def test_all_six_play_at_one_table(event, actor, browser):
    sent = stages_as_shown(browser.get(change(event)))
    browser.post(change(event), sent | {"stage-2-together": "yes"})
    assert stage_of(event, 2).together
    assert not on_desk(event)
    stage = stage_of(event, 1)
    play(stage.rounds.get().draws.get(), actor, by_number)
    publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    final = stage_of(event, 2)
    draft = make_draw(stage=final, by=actor, seen=0, options=DrawOptions(seed=1))
    browser.post(change(event), sent | {"stage-2-together": "no"})
    assert why_stale(WITH_EVENT.get(pk=draft.pk))
    browser.post(change(event), sent | {"stage-2-together": "yes"})
    assert not why_stale(WITH_EVENT.get(pk=draft.pk))
    draw = drawn(stage_of(event, 2), actor)
    group = Group.objects.get(table__draw=draw)
    assert group.seats.count() == 6
    assert group.games.get().game.sides.count() == 6
    play(draw, actor, by_number)
    assert [row.place for row in standings_of(stage_of(event, 2)).rows] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(StepRefused):
        change_stage(stage=final, by=actor, facts=StageFacts(name="Final", games=final.games, together=False))


def test_three_finalists_meet_at_one_table(event, browser):
    sent = stages_as_shown(browser.get(change(event)))
    browser.post(change(event), sent | {"stage-1-advance": "3", "stage-1-cut_rule": "overall"})
    assert stage_of(event, 1).advance == 3
    assert not on_desk(event)


def test_a_game_of_three_offers_no_table_of_six(club, actor, director, client_of):
    event = contest(club, actor, places=18, game="three-hand-double-pinochle")
    final = stage_of(event, 2)
    assert "3" in groups_warning(final, 6)
    assert "together" not in client_of(director).get(change(event)).context["stages"][1].fields
    with pytest.raises(StepRefused):
        change_stage(stage=final, by=actor, facts=StageFacts(name="Final", games=4, together=True))
