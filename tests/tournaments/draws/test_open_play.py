"""Open play and the ladder over weeks, as the desk and pages show them."""

import re

import pytest
from django.urls import reverse

from scoring.cards.deals import end_game
from scoring.engine.core.ruleset import Shape
from tests.pages import page_of
from tests.tournaments.draws.test_by_format import make_event, paired, play_round
from tests.tournaments.nights import drafted, games_of
from tournaments.draws.by_format import is_over
from tournaments.draws.changes import swap_in_draft
from tournaments.draws.drafts import engine_round
from tournaments.events.state import night_stage
from tournaments.models import Entry
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results
from tournaments.standings.standings import standings_of

pytestmark = pytest.mark.django_db


def test_people_come_and_go_and_who_has_waited_is_next(club, actor, browser):
    event = make_event(club, actor, "open-play", people=11, tables=2)
    first = play_round(event, actor)
    waiting = set(first.sit_outs.values_list("entry", flat=True))
    assert len(waiting) == 3
    late = attendance.arrive(event=event, by=actor, name="Late")
    attendance.leave(entry=first.seats.first().entry, by=actor)
    draft = drafted(event, actor)
    seated = set(draft.seats.values_list("entry", flat=True))
    assert waiting | {late.pk} <= seated
    page = page_of(browser.get(reverse("round_draw", args=[club.slug, event.slug])))
    assert "Least possible" in page
    assert draft.statement["partner"]["repeats"] == 0
    publishing.publish_draw(draw=draft, by=actor)
    desk = page_of(browser.get(event.get_desk_url()))
    assert "Round 2 is being played" in desk
    assert not is_over(event)
    assert "Tables in the hall: 2." in page_of(browser.get(event.get_absolute_url()))


def test_a_table_that_has_finished_is_filled_with_those_who_have_waited_longest(club, actor, client_of, director):
    event = make_event(club, actor, "open-play", people=13, tables=2)
    play_round(event, actor)
    draw = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    late = attendance.arrive(event=event, by=actor, name="Late")
    desk, browser = event.get_desk_url(), client_of(director)
    address = reverse("seat_changes", args=[club.slug, event.slug, draw.groups[0].pk])
    assert "is free" not in page_of(browser.get(desk))
    end_game(game=games_of(draw)[0], by=actor, reason="time")
    assert "1 table is free, 6 wait" in page_of(browser.get(desk))
    page = browser.get(address)
    keys = re.findall(r'name="person" value="([0-9]+)"( checked)?', page_of(page))
    assert [bool(checked) for _pk, checked in keys] == [True] * 4 + [False] * 2
    (offer,) = browser.post(address, {"what": "table", "person": [pk for pk, on in keys if on]}).context["offers"]
    browser.post(address, {"step": "do", **offer["send"]})
    made = event.stages.get().rounds.get(number=2).draws.get(state="published")
    assert list(made.groups)[-1].label_in(event) == "3"
    left = [int(pk) for pk, on in keys if not on]
    assert late.pk in left, "the others have waited for this round"
    assert {*made.sit_outs.values_list("entry", flat=True), late.pk} == set(left)
    assert "is free" not in page_of(browser.get(desk))


def test_pairs_of_open_play_hear_who_meets_again(club, actor):
    event = paired(club, actor, "open-pairs", 4)
    play_round(event, actor)
    ((*sides, times),) = drafted(event, actor).statement["meet_again"]
    assert (sorted(sides), times) == (["Player 01 & Player 02", "Player 03 & Player 04"], 2)


def test_the_winner_takes_the_higher_rung_from_week_to_week(club, actor, browser):
    event = make_event(club, actor, "rungs", people=6, game="points-only", shape=Shape(2), first_by_lot=False)
    first = play_round(event, actor)
    rows = [row.entry for row in standings_of(night_stage(event)).rows]
    tables = engine_round(first).tables
    people = sorted(rows)
    assert {frozenset(p for side in table for p in side) for table in tables} == {
        frozenset(people[n : n + 2]) for n in (0, 2, 4)
    }
    for (high,), (low,) in tables:
        assert abs(rows.index(high) - rows.index(low)) == 1
    gone = event.entries.get(pk=rows[0])
    attendance.leave(entry=gone, by=actor)
    play_round(event, actor, seed=2)
    assert standings_of(night_stage(event)).rows[0].entry == gone.pk
    attendance.return_to_event(entry=gone, by=actor)
    page = page_of(browser.get(reverse("round_draw", args=[club.slug, event.slug])))
    assert "keeps it from week to week" in page
    standings_results.publish_result(event=event, by=actor)


def test_a_challenge_is_a_draw_changed_by_hand(club, actor):
    event = make_event(club, actor, "rungs", people=6, game="points-only", shape=Shape(2), first_by_lot=False)
    draft = drafted(event, actor)
    people = list(Entry.objects.filter(event=event).order_by("number"))
    changed = swap_in_draft(draw=draft, entry=people[1].pk, other=people[5].pk, by=actor)
    assert {frozenset(p for side in table for p in side) for table in engine_round(changed).tables} >= {
        frozenset({people[0].pk, people[5].pk})
    }
