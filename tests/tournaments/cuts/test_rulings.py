"""A cut that a late correction has put in question: left by a ruling, changed by one, or taken back step by step."""

from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import correct_deal
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import Entered
from scoring.models import Deal, Side
from tests.tournaments.contests import by_number, deal, drawn, play, played_contest, stage_of
from tests.tournaments.cuts.test_cuts import group_of, published
from tests.tournaments.cuts.test_who_moves import correct
from tournaments.cuts.cuts import difference
from tournaments.cuts.reserves import leave_cut, replace_by_ruling
from tournaments.documents.sheets import cut_sheet
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import Seat
from tournaments.pages.contest_desk import Desk
from tournaments.standings.results import publish_result
from tournaments.standings.standings import standings_of


def misread(event, by, points=999):
    """Correct the first group's only deal so that its last would win it; the group as it was, the winner first."""
    group = group_of(event)
    first = Deal.objects.get(
        game__group_game__group__seats__entry=group[0], game__group_game__group__table__draw__round__stage__number=1
    )
    sides = {seat.entry_id: seat.side for seat in Seat.objects.filter(group__games__game__deals=first)}
    figures = [0, 0, 0]
    figures[sides[group[2].pk]] = points
    correct_deal(
        deal=first,
        entered=Entered(PointsDeal(points=tuple(figures)), sure=True),
        by=by,
        submission=uuid4(),
        seen=first.versions.get(current=True).number,
        reason="swapped",
    )
    return group


@pytest.fixture
def event(club, actor):
    """A competition whose first cut is published and whose second stage is drawn."""
    made = played_contest(club, actor)
    published(made, actor)
    drawn(stage_of(made, 2), actor)
    made.refresh_from_db()
    return made


def cut_of(event):
    cut = published_cut(stage_of(event, 1))
    assert cut
    return cut


def address(cut):
    event = cut.stage.event
    return reverse("cut_step", args=[event.club.slug, event.slug, cut.pk])


def test_a_cut_is_left_as_it_is_by_a_ruling_that_is_printed(event, actor, director, client_of):
    misread(event, actor)
    browser, cut = client_of(director), cut_of(event)
    assert Desk(event).differences
    seen = browser.get(address(cut)).context["seen"]
    ruling = {"step": "leave", "seen": seen, "reason": "found after play had begun"}
    browser.post(address(cut), ruling | {"reason": " "})
    assert cut_of(event) == cut
    browser.post(address(cut), ruling)
    browser.post(address(cut), ruling)  # a double tap
    made = cut_of(event)
    assert made.number == cut.number + 1
    assert not Desk(event).differences
    assert [line.entry_id for line in made.lines.all()] == [line.entry_id for line in cut.lines.all()]
    (printed,) = cut_sheet(stage_of(event, 1), made)["settled"]
    assert "found after play had begun" in printed
    assert LogEntry.objects.filter(verb="cut.leave").count() == 1
    assert browser.get(address(made)).context["choices"]["entering"]  # another ruling can still let them go on
    misread(event, actor, points=998)
    assert not difference(cut_of(event))  # the same names
    misread(event, actor, points=0)
    assert difference(cut_of(event))  # others: it is asked anew


def test_a_ruling_on_what_nobody_has_seen_is_refused(event, actor):
    misread(event, actor)
    with pytest.raises(StepRefused):
        leave_cut(cut=cut_of(event), by=actor, reason="as it is", seen="")


def test_a_finalist_is_replaced_in_a_running_stage(event, actor, director, client_of):
    group = group_of(event)
    seat = Seat.objects.get(entry=group[0], draw__round__stage__number=2)
    game = seat.group.games.get().game
    deal(game, actor, [50 if side == seat.side else 0 for side in range(3)])
    misread(event, actor)
    browser, cut = client_of(director), cut_of(event)
    page = browser.get(address(cut))
    assert page.context["choices"] == {"leaving": [group[0]], "entering": [group[2]]}
    ruling = {"step": "replace", "leaving": group[0].pk, "entering": group[2].pk, "reason": "the card was misread"}
    browser.post(address(cut), ruling)
    browser.post(address(cut), ruling)
    made = cut_of(event)
    assert made.number == cut.number + 1
    through = {line.entry_id for line in made.lines.all() if line.advances}
    assert group[2].pk in through
    assert group[0].pk not in through
    assert len(through) == 18
    assert not difference(made)
    sheet = cut_sheet(stage_of(event, 1), made)
    (reason,) = [row["reason"] for row in sheet["on"] if row["name"] == group[2].name]
    assert group[0].name in reason
    assert "the card was misread" in reason
    now = Seat.objects.get(entry=group[2], draw__round__stage__number=2, draw__state="published")
    assert not Seat.objects.filter(entry=group[0], draw__state="published", draw__round__stage__number=2).exists()
    assert Side.objects.get(game=game, number=now.side).names == [group[2].name]
    points = {row.entry: row.points for row in standings_of(stage_of(event, 2)).rows}
    assert points[group[2].pk] == 50
    assert LogEntry.objects.filter(verb="cut.rule").count() == 1
    assert browser.get(address(made)).context["choices"] == {"leaving": [group[2]], "entering": [group[0]]}
    browser.post(address(made), ruling | {"leaving": group[2].pk, "entering": group[0].pk})  # the way back
    assert cut_of(event).lines.get(entry=group[0]).advances
    assert difference(cut_of(event))
    browser.post(address(cut), ruling)  # the first once more, come late
    assert cut_of(event).lines.get(entry=group[0]).advances
    ruling |= {"reason": "no, the first card was right"}
    browser.post(address(cut_of(event)), ruling)
    assert not Desk(event).unseated


def test_no_finalist_is_replaced_once_the_next_cut_rests_on_who_played(event, actor):
    second = stage_of(event, 2)
    play(second.rounds.get().draws.get(), actor, by_number)
    published(event, actor, 2)
    group = misread(event, actor)
    before = cut_of(event)
    with pytest.raises(StepRefused):
        replace_by_ruling(cut=before, leaving=group[0], entering=group[2], by=actor, reason="misread")
    assert cut_of(event) == before


def test_what_has_to_be_taken_back_first_is_a_list_of_links(event, actor, director, client_of):
    play(stage_of(event, 2).rounds.get().draws.get(), actor, by_number)
    published(event, actor, 2)
    play(drawn(stage_of(event, 3), actor), actor, by_number)
    publish_result(event=event, by=actor)
    misread(event, actor)
    browser, cut = client_of(director), cut_of(event)
    order = ["result", "draw_step", "cut_step", "draw_step"]
    for left in range(len(order), 0, -1):
        steps = browser.get(address(cut)).context["in_the_way"]
        assert len(steps) == left
        browser.post(steps[0][1], {"step": "take-back", "reason": "a late correction"})
    assert not browser.get(address(cut)).context["in_the_way"]
    browser.post(address(cut), {"step": "take-back"})
    assert published_cut(stage_of(event, 1)) is None


def test_a_correction_that_moves_places_but_no_finalist_says_so(event, scorekeeper, client_of):
    group = group_of(event)
    first = Deal.objects.get(game__group_game__group__seats__entry=group[0])
    points = [*first.versions.get(current=True).facts["points"]]
    best = points.index(max(points))
    answer = correct(client_of(scorekeeper), first, tuple(p + 500 if n == best else p for n, p in enumerate(points)))
    (table,) = answer.context["beyond"].tables
    assert "The same 18 go on." in table["words"]
    other = correct(client_of(scorekeeper), first, tuple(0 if n == best else p for n, p in enumerate(points)))
    (table,) = other.context["beyond"].tables
    assert "The same" not in table["words"]
