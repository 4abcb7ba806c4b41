"""The pages that anyone may read, and what they don't show."""

import pytest
from django.utils.html import strip_tags

from tests.log_entries import log
from tests.pages import page_of
from tests.tournaments import contests
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_night,
    play_deals,
    play_night,
    publish_next,
    queries_of,
)
from tournaments.draws.drafts import as_played
from tournaments.models import Cut, CutLine, Draw
from tournaments.rounds import publishing
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of


@pytest.fixture
def anyone(client_of):
    return client_of(None)


def page(browser, path):
    response = browser.get(f"/st-hilary/{path}")
    assert response.status_code == 200
    return page_of(response)


@pytest.mark.parametrize(
    "path", ["events/friday/", "events/friday/seats/", "events/friday/board/?show=tables&show=names"]
)
def test_a_draft_is_seen_nowhere(event, actor, anyone, path):
    arrive(event, actor, 8)
    draft = drafted(event, actor)
    assert "Player 01" not in page(anyone, path)
    publishing.publish_draw(draw=draft, by=actor)
    assert "Player 01" in page(anyone, path)
    publishing.take_back_draw(draw=draft, by=actor)
    assert "Player 01" not in page(anyone, path)


def test_live_standings_say_that_they_are_provisional(event, actor, anyone):
    arrive(event, actor, 8)
    draw = publish_next(event, actor)
    assert "Provisional, before the first deal" in page(anyone, "events/friday/")
    play_deals(games_of(draw)[0], actor, 2)
    shown = page(anyone, "events/friday/")
    assert "Provisional, as of" in shown
    assert "after 2 deals" in shown
    assert "own average of the day" in shown.replace("&#x27;", "'")


def test_a_competition_counts_groups_as_its_draw_does(club, actor, anyone):
    event = contests.contest(club, actor, places=9)
    contests.enter(event, actor, contests.NAMES[:9])
    contests.drawn(contests.stage_of(event, 1), actor)
    shown = page(anyone, f"events/{event.slug}/")
    assert "0 of 3 groups finished" in shown
    assert "tables finished" not in shown


def test_a_result_says_when_it_was_published_and_stays_so(event, actor, anyone):
    play_night(event, actor, 8)
    assert "Result of" in page(anyone, "events/friday/")
    published = result_of(event)
    name = published.rows[0]["name"]
    event.entries.filter(name=name).update(name="Renamed Afterwards")
    shown = page(anyone, "events/friday/")
    assert name in shown.split("Round 1")[0]


def test_the_result_taken_back_is_provisional_again(event, actor, anyone):
    play_night(event, actor, 8)
    standings_results.take_back_result(event=event, by=actor)
    shown = page(anyone, "events/friday/")
    assert "Provisional" in shown
    assert "Result of" not in shown


def test_seats_are_alphabetical_with_partner_and_opponents(event, actor, anyone):
    arrive(event, actor, 9)
    draw = publish_next(event, actor)
    shown = page(anyone, "events/friday/seats/")
    rows = [" ".join(strip_tags(row).split()) for row in shown.split("<li>") if 'class="who"' in row]
    assert [row[:9] for row in rows] == [f"Player {n:02}" for n in range(1, 10)]
    assert "sits out" in shown
    (side, others) = as_played(draw).tables[0]
    names = dict(event.entries.values_list("pk", "name"))
    mine = next(row for row in rows if row.startswith(names[side[0]]))
    assert "Table 1" in mine
    assert f"with {names[side[1]]} · against {names[others[0]]}, {names[others[1]]}" in mine


def test_a_standing_below_zero_has_a_minus_sign(event, actor, anyone):
    play_night(event, actor, 4)
    published = result_of(event)
    published.rows[-1]["points"] = -15
    published.save()
    assert '<span class="minus">\N{MINUS SIGN}15</span>' in page(anyone, "events/friday/")


def test_standings_can_be_sorted_by_any_column(event, actor, anyone):
    play_night(event, actor, 8)
    for column in ("place", "name", "points", "games_won", "sets", "games_played", "sit_outs"):
        page(anyone, f"events/friday/?sort={column}")
    shown = page(anyone, "events/friday/?sort=-name").partition("<table")[2].partition("</table>")[0]
    assert shown.index("Player 08") < shown.index("Player 01")


def test_the_list_of_events_sorts_and_pages(event, club, anyone):
    for n in range(30):
        make_night(club, event.rules, slug=f"e{n:02}", day=1 + n % 28)
    first = page(anyone, "events/?sort=name")
    assert "Night e00" in first
    assert "Night e29" not in first
    assert "Night e29" in page(anyone, "events/?sort=name&page=2")
    assert "19:30" in first  # in the club's zone


def test_the_public_sees_no_desk_and_a_scorekeeper_does(event, anyone, scorekeeper, director, stranger, client_of):
    for browser, desk, people in (
        (anyone, False, False),
        (client_of(stranger), False, False),
        (client_of(scorekeeper), True, False),
        (client_of(director), True, True),
    ):
        shown = page(browser, "events/")
        assert ('href="/st-hilary/desk/"' in shown) is desk
        assert ('href="/st-hilary/people/"' in shown) is people


@pytest.mark.daily(2)
@pytest.mark.parametrize("path", ["", "events/", "events/{}/", "events/{}/seats/", "events/{}/board/"])
def test_queries_do_not_grow(event, club, actor, anyone, path):
    def fill(slug, people, deals):
        one = make_night(club, event.rules, slug=slug)
        play_night(one, actor, people, deals=deals)
        standings_results.take_back_result(event=one, by=actor)
        return queries_of(anyone, "/st-hilary/" + path.format(slug))

    fill("warm", 4, 1)
    assert fill("few", 4, 1) == fill("many", 16, 3)


def test_three_draws_of_one_round_show_the_published_one(event, actor, anyone):
    arrive(event, actor, 8)
    for seed in (1, 2, 3):
        drafted(event, actor, seed=seed)
    publishing.publish_draw(draw=Draw.objects.get(number=2), by=actor)
    assert "draw 2, published at" in page(anyone, "events/friday/seats/")


def test_a_cut_is_shown_with_its_reasons_once_published(event, actor, anyone):
    arrive(event, actor, 4)
    publish_next(event, actor)
    cut = Cut.objects.create(stage=event.stages.get(), number=1)
    first, second = event.entries.order_by("number")[:2]
    CutLine.objects.create(
        cut=cut, entry=first, order=1, place=1, advances=True, reason="cut.table-top", args={"place": 1, "table": 1}
    )
    CutLine.objects.create(cut=cut, entry=second, order=2, place=2, advances=False, reason="cut.withdrawn")
    assert "Place 1 at table 1" not in page(anyone, "events/friday/")
    Cut.objects.filter(pk=cut.pk).update(state=Cut.State.PUBLISHED)
    log(club=event.club, by=actor, verb="cut.publish", subject=cut)
    shown = page(anyone, "events/friday/")
    assert "Place 1 at table 1" in shown
    assert "Has withdrawn" in shown
    assert shown.count('class="cut"') == 1
