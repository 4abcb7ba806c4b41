"""A cut leads into a knock-out: made once, with the finalists as its entries and the cut's order as its seeds."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import Member
from scoring.engine.core.ruleset import Shape
from tests.tournaments.contests import contest, played_contest, stage_of
from tests.tournaments.nights import drafted
from tournaments.cuts.cuts import propose, publish_cut, take_back_cut
from tournaments.cuts.reserves import next_in_line, replace_finalist
from tournaments.draws.making import make_draw
from tournaments.entries.actions import finalist_line, withdraw
from tournaments.errors import StepRefused
from tournaments.events.actions import call_off, reinstate
from tournaments.events.state import following_bracket
from tournaments.members.erasing import erase
from tournaments.models import Entry
from tournaments.pages.contest_desk import ContestDesk
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.rounds.seeding import bracket_shape, lead_into_bracket
from tournaments.standings.results import publish_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def cut(club, actor):
    """The published cut from 54 to 18 of a competition by points only."""
    stage = stage_of(played_contest(club, actor), 1)
    return publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)


def here(event):
    return list(event.entries.filter(state=Entry.State.HERE).order_by("number").values_list("name", flat=True))


def through(cut):
    return list(cut.lines.filter(advances=True).values_list("entry__name", flat=True))


def test_a_button_leads_from_the_cut_into_a_seeded_knock_out_and_twice_into_the_same(club, cut, director, client_of):
    event, browser = cut.stage.event, client_of(director)
    page = reverse("cut_step", args=[club.slug, event.slug, cut.pk])
    assert 'value="bracket"' in browser.get(page).content.decode()
    answers = [browser.post(page, {"step": "bracket"}) for _press in (1, 2)]
    bracket = club.events.get(format="knock-out")
    assert {answer["Location"] for answer in answers} == {bracket.get_desk_url()}
    assert here(bracket) == through(cut)
    assert bracket.rules == event.rules
    assert bracket.sides == 2
    numbers = bracket.seeding["numbers"]
    assert [numbers[str(entry.pk)] for entry in bracket.entries.order_by("number")] == list(range(1, 19))
    assert bracket.get_desk_url() in browser.get(page).content.decode()
    of_cut = reverse("cut", args=[club.slug, event.slug, cut.stage.number])
    for address in (bracket.get_desk_url(), reverse("seeds", args=[club.slug, bracket.slug])):
        assert of_cut in browser.get(address).content.decode()
    assert event.get_absolute_url() in client_of(None).get(bracket.get_absolute_url()).content.decode()
    assert bracket.get_absolute_url() in client_of(None).get(event.get_absolute_url()).content.decode()


def test_the_competition_then_waits_for_its_result_alone(cut, actor):
    event, stage = cut.stage.event, cut.stage
    bracket = lead_into_bracket(cut=cut, by=actor)
    event.refresh_from_db()
    assert ContestDesk(event).next == "bracket"
    with pytest.raises(StepRefused):
        make_draw(stage=stage_of(event, 2), by=actor, seen=0)
    result = publish_result(event=event, by=actor)
    assert result.stage == stage
    event.refresh_from_db()
    assert ContestDesk(event).next == "finished"
    assert following_bracket(event) == bracket


def test_who_was_erased_is_left_out_of_the_knock_out(club, cut, actor):
    first = cut.lines.filter(advances=True)[0].entry
    first.member = Member.objects.create(club=club, name=first.name)
    first.save()
    erase(member=first.member, by=actor, typed=first.name)
    bracket = lead_into_bracket(cut=cut, by=actor)
    assert here(bracket) == through(cut)[1:]


def test_a_called_off_knock_out_leaves_the_final_to_the_competition(cut, actor):
    event = cut.stage.event
    call_off(event=lead_into_bracket(cut=cut, by=actor), by=actor, reason="No time")
    event.refresh_from_db()
    assert ContestDesk(event).next == "draw"
    with pytest.raises(StepRefused):
        publish_result(event=event, by=actor)
    publish_draw(draw=make_draw(stage=stage_of(event, 2), by=actor, seen=0), by=actor)
    with pytest.raises(StepRefused):
        lead_into_bracket(cut=cut, by=actor)


def test_a_called_off_knock_out_comes_back_only_while_nothing_took_its_place(cut, actor):
    event = cut.stage.event
    bracket = lead_into_bracket(cut=cut, by=actor)
    call_off(event=bracket, by=actor, reason="No time")
    other = lead_into_bracket(cut=cut, by=actor)
    assert other != bracket
    with pytest.raises(StepRefused):
        reinstate(event=bracket, by=actor)
    call_off(event=other, by=actor, reason="No time")
    final = publish_draw(draw=make_draw(stage=stage_of(event, 2), by=actor, seen=0), by=actor)
    with pytest.raises(StepRefused):
        reinstate(event=bracket, by=actor)
    take_back_draw(draw=final, by=actor)
    reinstate(event=bracket, by=actor)
    assert following_bracket(event) == bracket


def test_a_finalist_replaced_by_the_next_in_line_is_taken_over_until_the_bracket_is_drawn(cut, actor):
    event = cut.stage.event
    bracket = lead_into_bracket(cut=cut, by=actor)
    first = cut.lines.filter(advances=True).first()
    gone = withdraw(entry=first.entry, by=actor)
    line = finalist_line(gone)
    assert line
    cut = replace_finalist(entry=gone, reserve=event.entries.get(pk=next_in_line(line).entry), by=actor)
    assert gone.name in here(bracket)
    assert lead_into_bracket(cut=cut, by=actor) == bracket  # a second press of the first button changes nothing
    assert gone.name in here(bracket)
    lead_into_bracket(cut=cut, by=actor, again=True)
    assert sorted(here(bracket)) == sorted(through(cut))
    bracket.refresh_from_db()
    publish_draw(draw=drafted(bracket, actor, seed=1), by=actor)
    with pytest.raises(StepRefused):
        take_back_cut(cut=cut, by=actor)
    with pytest.raises(StepRefused):
        lead_into_bracket(cut=cut, by=actor, again=True)
    take_back_draw(draw=bracket.stages.get().rounds.get().draws.get(state="published"), by=actor)
    take_back_cut(cut=cut, by=actor)
    with pytest.raises(StepRefused):
        lead_into_bracket(cut=cut, by=actor, again=True)


def test_a_game_that_two_sides_cant_play_makes_no_knock_out(club, actor):
    assert bracket_shape(contest(club, actor)) == Shape(2)  # points only, by threes
    assert bracket_shape(contest(club, actor, game="canasta-three-hand", name="Canasta")) is None
    assert bracket_shape(contest(club, actor, game="st-hilary-v3", shape=Shape(2, 2), name="Pairs")) == Shape(2, 2)
