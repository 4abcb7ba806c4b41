"""The shape of a final is a choice whose consequence is said: groups that don't meet, one table, or fewer finalists."""

import pytest
from django.urls import reverse

from tests.tournaments.contests import by_number, contest, drawn, enter, play, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.drafts import WITH_EVENT
from tournaments.draws.making import DrawOptions, make_draw, why_stale
from tournaments.errors import StepRefused
from tournaments.events.stages import StageFacts, apart_words, change_stage
from tournaments.models import Group
from tournaments.pages.at_tables import at_tables
from tournaments.pages.contest_desk import Desk
from tournaments.pages.next_steps import next_steps
from tournaments.standings.standings import standings_of

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
    steps = next_steps(at_tables(event), Desk(event).tasks())
    return any(action.address == f"{change(event)}#stages" for step in steps for action in step.actions)


def test_two_groups_are_pointed_out_before_the_cut(event, director, client_of):
    final = stage_of(event, 2)
    assert "2 groups" in apart_words(final, 6)
    assert apart_words(final, 3) == ""
    assert on_desk(event)
    page = client_of(director).get(change(event))
    assert page.context["stages"][1].apart == apart_words(final, 6)
    assert "together" in page.context["stages"][1].fields
    assert "together" not in page.context["stages"][0].fields


def test_all_six_play_at_one_table(event, actor, director, client_of):
    browser = client_of(director)
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


def test_three_finalists_meet_at_one_table(event, director, client_of):
    browser = client_of(director)
    sent = stages_as_shown(browser.get(change(event)))
    browser.post(change(event), sent | {"stage-1-advance": "3", "stage-1-cut_rule": "overall"})
    assert stage_of(event, 1).advance == 3
    assert not on_desk(event)


def test_a_game_of_three_offers_no_table_of_six(club, actor, director, client_of):
    event = contest(club, actor, places=18, game="three-hand-double-pinochle")
    final = stage_of(event, 2)
    assert "3" in apart_words(final, 6)
    assert "together" not in client_of(director).get(change(event)).context["stages"][1].fields
    with pytest.raises(StepRefused):
        change_stage(stage=final, by=actor, facts=StageFacts(name="Final", games=4, together=True))
