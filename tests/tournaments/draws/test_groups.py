"""Groups, then a knock-out: from the names to the bracket of those who go on, through the verbs and pages."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import mark_deal
from scoring.models import Deal, DealVersion
from tests.tournaments.draws.test_by_format import paired, play_round
from tests.tournaments.nights import drafted
from tournaments.draws.by_format import groups_of, is_over, seeding_words
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.models import Adjustment, Event
from tournaments.rounds import attendance, publishing
from tournaments.rounds.seeding import sides_here
from tournaments.rulings.actions import adjust_points
from tournaments.standings import results as standings_results
from tournaments.standings.groups import make_groups_bracket
from tournaments.standings.standings import standings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def groups(club, actor):
    """Eight pairs in two groups, all played."""
    event = paired(club, actor, "groups", 16, groups=2, advance=2)
    for seed in range(1, 4):
        play_round(event, actor, seed=seed)
    return event


def names(rows):
    return [{person.name for person in row.persons} for row in rows]


def test_the_first_two_of_each_group_play_a_knock_out_in_which_they_meet_last(groups, actor):
    assert is_over(groups)
    rows = standings_of(state.night_stage(groups)).rows
    assert [{row.in_group for row in rows[n : n + 2]} for n in range(0, 8, 2)] == [
        {f"A{place}", f"B{place}"} for place in range(1, 5)
    ]
    group = groups_of(groups)
    standings_results.publish_result(event=groups, by=actor)
    groups.refresh_from_db()
    bracket = make_groups_bracket(event=groups, by=actor)
    assert make_groups_bracket(event=groups, by=actor) == bracket
    assert bracket.format == Event.Format.KNOCK_OUT
    sides, alone = partners.sides_and_singles(bracket)
    assert not alone
    through = names(rows[:4])
    assert {frozenset(entry.name for entry in side) for side in sides} == set(map(frozenset, through))
    draw = publishing.publish_draw(draw=drafted(bracket, actor), by=actor)
    letter = {person.name: group[person.entry] for row in rows for person in row.persons}
    for table in draw.tables.all():
        at = {letter[name] for name in table.groups.values_list("seats__entry__name", flat=True)}
        assert at == {"A", "B"}
    with pytest.raises(StepRefused):
        standings_results.take_back_result(event=groups, by=actor)
    publishing.take_back_draw(draw=draw, by=actor)
    standings_results.take_back_result(event=groups, by=actor)


def test_who_plays_the_knock_out_follows_a_corrected_result_until_it_begins(groups, actor, client_of, director):
    stage, browser = state.night_stage(groups), client_of(director)
    standings_results.publish_result(event=groups, by=actor)
    bracket = make_groups_bracket(event=groups, by=actor)
    first = standings_of(stage).rows[0]
    void_games_of(first.entry, actor)
    standings_results.publish_result(event=groups, by=actor)
    assert "Make the knock-out" in browser.get(groups.get_desk_url()).content.decode()
    assert make_groups_bracket(event=groups, by=actor) == bracket
    through = names(row for row in standings_of(stage).rows if row.in_group in ("A1", "A2", "B1", "B2"))
    playing = [{entry.name for entry in side} for side in sides_here(bracket)]
    assert sorted(map(sorted, playing)) == sorted(map(sorted, through))
    assert {person.name for person in first.persons} not in playing
    assert "Make the knock-out" not in browser.get(groups.get_desk_url()).content.decode()
    publishing.publish_draw(draw=drafted(bracket, actor), by=actor)
    void_games_of(standings_of(stage).rows[0].entry, actor)
    standings_results.publish_result(event=groups, by=actor)
    assert "Make the knock-out" in browser.get(groups.get_desk_url()).content.decode()
    with pytest.raises(StepRefused, match="has begun"):
        make_groups_bracket(event=groups, by=actor)


def void_games_of(entry, actor):
    for deal in Deal.objects.filter(game__group_game__group__seats__entry=entry):
        mark_deal(
            deal=deal, seen=1, state=DealVersion.State.VOID, by=actor, submission=uuid4(), reason="Another table's"
        )


def test_nobody_goes_on_before_the_result_nor_from_a_tie_at_the_line(groups, actor):
    with pytest.raises(StepRefused, match="Close the groups"):
        make_groups_bracket(event=groups, by=actor)
    stage = state.night_stage(groups)
    groups.tie_breaks = ["points", "play-off", "lots"]
    groups.save()
    _first, second, third, _last = (row for row in standings_of(stage).rows if row.in_group.startswith("A"))
    level = Adjustment(entry_id=third.entry, points=second.points - third.points, reason="A bonus")
    adjust_points(stage=stage, facts=level, by=actor, submission=uuid4())
    standings_results.publish_result(event=groups, by=actor)
    groups.refresh_from_db()
    with pytest.raises(StepRefused, match="level"):
        make_groups_bracket(event=groups, by=actor)


def test_pages_lead_from_the_groups_to_the_knock_out_and_name_the_groups(groups, browser, actor):
    closing = reverse("night_close", args=[groups.club.slug, groups.slug])
    for address in (groups.get_desk_url(), closing, reverse("round_draw", args=[groups.club.slug, groups.slug])):
        page = browser.get(address).content.decode()
        assert "Close the groups" in page
        assert "make the knock-out" in page
    standings_results.publish_result(event=groups, by=actor)
    desk = browser.get(groups.get_desk_url()).content.decode()
    assert "Make the knock-out" in desk
    answer = browser.post(reverse("night_close", args=[groups.club.slug, groups.slug]), {"step": "bracket"})
    bracket = state.following_bracket(groups)
    assert answer["Location"] == bracket.get_desk_url()
    assert "Group A" in browser.get(reverse("seats", args=[groups.club.slug, groups.slug])).content.decode()
    page = browser.get(groups.get_absolute_url()).content.decode()
    assert bracket.name in page
    assert ">A1<" in page.replace("\n", "").replace(" ", "")
    assert groups.name in browser.get(bracket.get_desk_url()).content.decode()


@pytest.mark.proof
def test_the_first_draw_says_that_groups_are_by_lot(club, actor, browser):
    event = paired(club, actor, "groups", 12, groups=2)
    orders = [tuple(drafted(event, actor, seed=seed).statement["order"]) for seed in (1, 2)]
    assert orders[0] != orders[1]
    draw = play_round(event, actor)
    told = seeding_words(draw.statement)
    assert told
    assert told[0] in browser.get(event.get_absolute_url()).content.decode()
    assert not seeding_words(play_round(event, actor).statement)


def test_who_comes_late_joins_a_group(club, actor):
    event = paired(club, actor, "groups", 12, groups=2)
    play_round(event, actor)
    before = groups_of(event)
    late = [attendance.arrive(event=event, by=actor, name=f"Late {n}") for n in range(2)]
    partners.join_side(event=event, entries=late, by=actor)
    now = groups_of(event)
    assert {entry: now[entry] for entry in before} == before
    assert len({now[entry.pk] for entry in late}) == 1
    played = 1
    while not is_over(event):
        play_round(event, actor, seed=played + 1)
        played += 1
    assert played <= 5
