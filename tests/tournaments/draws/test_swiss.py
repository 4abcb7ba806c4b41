"""A Swiss on the pages: rounds without a rematch, and what becomes of those for which there is none."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.pages import page_of
from tests.tournaments.draws.test_by_format import make_event, paired, play_round
from tests.tournaments.nights import drafted
from tournaments.documents.sheets import seating_sheet
from tournaments.draws.drafts import played_draws
from tournaments.draws.making import why_stale
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.events.words import TIE_BREAKS, format_games_won
from tournaments.exports.spreadsheets import result_sheet
from tournaments.models import Adjustment, Event
from tournaments.rounds import publishing
from tournaments.rulings.actions import adjust_points, change_tie_breaks
from tournaments.standings import results as standings_results
from tournaments.standings.standings import Row, standings_of

pytestmark = pytest.mark.django_db


def page(browser, event):
    return page_of(browser.get(reverse("round_draw", args=[event.club.slug, event.slug])))


def test_too_many_rounds_are_told_with_the_first_draw_and_refused_with_the_way_on(club, actor, browser):
    event = paired(club, actor, "swiss", 8, rounds=5)
    drafted(event, actor)
    assert "With the people here, 2 of them can avoid rematches." in page(browser, event)
    for n in range(3):
        play_round(event, actor, seed=n)
    with pytest.raises(StepRefused, match="“When not all can meet somebody new”"):
        drafted(event, actor)
    assert "When not all can meet somebody new: no further round is drawn." in page(browser, event)


def test_the_director_allows_the_fewest_rematches_and_the_draw_names_them(club, actor, browser):
    event = paired(club, actor, "swiss", 10, rounds=6)
    for n in range(5):
        play_round(event, actor, seed=n)
    address = reverse("event_change", args=[club.slug, event.slug])
    form = browser.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    sent["starts_at"] = "2054-11-06T19:30"
    answer = browser.post(address, {**sent, "rematches": "fewest"})
    assert answer.status_code == 302, answer.context["form"].errors
    event = Event.objects.get(pk=event.pk)
    assert "When not all can meet somebody new: as few sides as possible meet again, or sit out again." in page(
        browser, event
    )
    draw = drafted(event, actor, seed=1)
    assert len(draw.statement["meet_again"]) == 2
    assert len(draw.statement["rest_again"]) == 1
    said = page(browser, event)
    assert said.count("meet again, 2 times in all.") == 2
    assert said.count("sit out again, 2 times in all.") == 1
    assert seating_sheet(draw)["fairness"].count("again, 2 times in all.") == 3
    publishing.publish_draw(draw=draw, by=actor)
    rested = [row for row in standings_of(state.night_stage(event)).rows if row.sit_outs == 2]
    assert len(rested) == 1


def sides_in_order(event):
    rows = standings_of(state.night_stage(event)).rows
    return [frozenset(person.entry for person in row.persons) for row in rows if row.games_won == rows[0].games_won]


def matches_in(draw):
    return {
        frozenset(frozenset(s.entry_id for s in g.seats.all() if s.side == side) for side in (0, 1))
        for table in draw.tables.all()
        for g in table.groups.all()
    }


def give_points(event, actor, side, points):
    given = Adjustment(entry=event.entries.get(pk=min(side)), points=points, reason="late")
    return adjust_points(stage=state.night_stage(event), facts=given, by=actor, submission=uuid4())


def test_a_swiss_pairs_by_the_totals_of_the_standings_with_penalties(club, actor):
    event = paired(club, actor, "swiss", 16, rounds=3)
    play_round(event, actor)
    winner, *_others, last = sides_in_order(event)
    give_points(event, actor, winner, 500)
    give_points(event, actor, last, 250)
    first, second, third, fourth = sides_in_order(event)
    assert (first, second) == (winner, last)
    assert {frozenset((first, third)), frozenset((second, fourth))} <= matches_in(drafted(event, actor))


def test_a_penalty_makes_the_draft_that_was_paired_without_it_stale(club, actor):
    event = paired(club, actor, "swiss", 16, rounds=3)
    play_round(event, actor)
    draft = drafted(event, actor)
    assert not why_stale(draft)
    give_points(event, actor, sides_in_order(event)[0], -5)
    assert why_stale(draft)
    with pytest.raises(StepRefused):
        publishing.publish_draw(draw=draft, by=actor)
    assert not why_stale(drafted(event, actor))


def strengths(event):
    """Games won by the opponents of each side, by a second way: from the draws and the games won that the standings
    show. A round without an opponent counts one's own."""
    rows = standings_of(state.night_stage(event)).rows
    side_of = {person.entry: row for row in rows for person in row.persons}
    met = {row.entry: [] for row in rows}
    for draw in played_draws(event):
        for match in matches_in(draw):
            one, other = (side_of[min(side)] for side in match)
            met[one.entry].append(other.won)
            met[other.entry].append(one.won)
        for entry in {side_of[s.entry_id].entry for s in draw.sit_outs.all()}:
            met[entry].append(side_of[entry].won)
    return {entry: sorted(won) for entry, won in met.items()}


@pytest.mark.proof
def test_a_swiss_can_order_sides_by_the_strength_of_their_opponents(club, actor, browser):
    event = paired(club, actor, "swiss", 14, rounds=4)
    change_tie_breaks(event=event, by=actor, tie_breaks=["games-won", "buchholz", "median-buchholz"])
    for n in range(4):
        play_round(event, actor, seed=n)
    event.refresh_from_db()
    rows, own = standings_of(state.night_stage(event)).rows, strengths(event)
    keys = [(row.won, sum(own[row.entry]), sum(own[row.entry][1:-1])) for row in rows]
    assert keys == sorted(keys, reverse=True)
    by = {row.separated_by for row in rows}
    assert "buchholz" in by
    assert {row.sit_outs for row in rows} == {0, 1}
    assert [dict(row.strength) for row in rows] == [
        {"buchholz": format_games_won(whole), "median-buchholz": format_games_won(median)}
        for _won, whole, median in keys
    ]
    result = standings_results.publish_result(event=event, by=actor)
    assert [Row.from_data(row).strength for row in result.rows] == [row.strength for row in rows]
    shown = page_of(browser.get(reverse("event", args=[event.club.slug, event.slug])))
    for row in rows:
        assert f"{TIE_BREAKS['buchholz']}: {dict(row.strength)['buchholz']}" in shown
    answer = browser.get(reverse("result_data", args=[event.club.slug, event.slug])).json()
    figures = [{"buchholz": float(whole), "median-buchholz": float(median)} for _won, whole, median in keys]
    assert [row["strength"] for row in answer["rows"]] == figures
    sheet = result_sheet(event, result)
    columns = [sheet.heads.index(TIE_BREAKS[slug]) for slug in ("buchholz", "median-buchholz")]
    assert [[row[n] for n in columns] for row in sheet.rows] == [list(own.values()) for own in figures]


def test_strength_of_opponents_is_offered_in_a_swiss_alone(club, actor, browser):
    for format, offered in (("swiss", True), ("round-robin", False), ("knock-out", False)):
        page = browser.get(reverse("event_new", args=[club.slug]), {"format": format})
        assert ("buchholz" in dict(page.context["form"].fields["tie_2"].choices)) is offered, format
    league = make_event(club, actor, "round-robin")
    with pytest.raises(StepRefused):
        change_tie_breaks(event=league, by=actor, tie_breaks=["games-won", "buchholz"])
