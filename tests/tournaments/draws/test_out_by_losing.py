"""A double knock-out and an event in which who has lost so often is out, as the desk, pages and paper show them."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import mark_deal
from scoring.engine.core.ruleset import Shape
from scoring.models import Deal, DealVersion
from tests.pages import page_of
from tests.tournaments.draws.test_by_format import make_event, play_round
from tests.tournaments.nights import drafted, games_of
from tournaments.documents.bracket import bracket_sheet
from tournaments.draws.bracket import board_pages, bracket_of
from tournaments.draws.by_format import is_over, matches_without_table
from tournaments.draws.changes import swap_units
from tournaments.draws.drafts import seats_in
from tournaments.errors import StepRefused
from tournaments.events.state import night_stage
from tournaments.rounds import attendance, publishing, seat_changes
from tournaments.standings.standings import standings_of

pytestmark = pytest.mark.django_db


def singles(club, by, format, people, **options):
    return make_event(club, by, format, people=people, game="points-only", shape=Shape(2), level="lots", **options)


def shape_of(event):
    return [[len(one["matches"]) for one in part["rounds"]] for part in bracket_of(event)]


def test_the_bracket_of_a_double_knock_out_has_winners_losers_and_their_final(club, actor, browser):
    event = singles(club, actor, "double-ko", 8)
    play_round(event, actor)
    assert shape_of(event) == [[4, 2, 1], [2, 2, 1, 1], [1]]
    coming = dict(matches_without_table(event))
    assert coming["Losers, match 1"] == [side for side in coming["Losers, match 1"] if not side.startswith("winner")]
    assert coming["Final"] == ["winner of match 7 (winners)", "winner of match 6 (losers)"]
    sheet = bracket_sheet(event, "A4")
    assert [part["title"] for part in sheet["brackets"]] == ["", "With one loss"]
    page = page_of(browser.get(event.get_absolute_url()))
    assert "With one loss" in page
    assert "Winners, match 5" in page
    assert board_pages(bracket_of(event))
    played = 1
    while not is_over(event):
        play_round(event, actor, seed=played)
        played += 1
    assert all(match["mark"] or any(side["won"] for side in match["sides"]) for match in all_matches(event))
    rows = standings_of(night_stage(event)).rows
    assert [row.place for row in rows[:4]] == [1, 2, 3, 4]
    assert sum(side["won"] for match in all_matches(event) for side in match["sides"] if side["name"] == rows[0].name)


def all_matches(event):
    matches = [m for part in bracket_of(event) for one in part["rounds"] for m in one["matches"] if m]
    return [match for match in matches if len(match["sides"]) > 1]


def test_who_is_out_has_no_match_and_who_comes_late_begins_with_a_loss(club, actor, browser):
    event = singles(club, actor, "out-after", 6, losses=1)
    play_round(event, actor)
    draw = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    seats = page_of(browser.get(reverse("seats", args=[club.slug, event.slug])))
    assert "no match this round" in seats
    assert draw.tables.count() == 1
    assert draw.sit_outs.count() == 4
    page = page_of(browser.get(event.get_absolute_url()))
    assert "Losses after which a side is out: 1." in page
    assert sorted(row.losses for row in standings_of(night_stage(event)).rows) == [0, 0, 0, 1, 1, 1]
    assert page.count("1 loss") == 3
    publishing.take_back_draw(draw=draw, by=actor)
    attendance.arrive(event=event, by=actor, name="Late")
    with_late = drafted(event, actor)
    assert "Late" in with_late.sit_outs.values_list("entry__name", flat=True)


def test_a_match_left_level_by_a_correction_stops_neither_late_tables_nor_changed_seats(club, actor):
    event = make_event(club, actor, "out-after", people=6, game="points-only", shape=Shape(2), losses=3)
    first = play_round(event, actor)
    second = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    for deal in Deal.objects.filter(game=games_of(first)[0]):
        void = DealVersion.State.VOID
        mark_deal(deal=deal, seen=1, state=void, by=actor, submission=uuid4(), reason="Another table's")
    late = [attendance.arrive(event=event, by=actor, name=f"Late {n}").pk for n in range(2)]
    made = seat_changes.add_table(draw=second, entries=late, by=actor)
    assert made.tables.count() == 4
    one, _beside, other, *_others = swap_units(made)
    swapped = seat_changes.swap(draw=made, entry=one.key, other=other.key, by=actor)
    assert seats_in(swapped).tables.keys() == seats_in(made).tables.keys()
    assert seats_in(swapped) != seats_in(made)


def test_a_double_knock_out_takes_nobody_once_it_has_begun(club, actor):
    event = singles(club, actor, "double-ko", 5)
    play_round(event, actor)
    with pytest.raises(StepRefused, match="has begun"):
        attendance.arrive(event=event, by=actor, name="Late")
