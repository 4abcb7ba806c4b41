"""A correction of what people have seen shows first who moves; a cut that it puts in question needs a ruling."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game, start_game
from scoring.engine.points_only import PointsDeal
from scoring.models import Deal, DealVersion, Game, Side
from tests.pages import page_of
from tests.scoring.conftest import correct
from tests.tournaments.contests import by_number, deal as record, drawn, play, played_contest, stage_of
from tests.tournaments.cuts.test_cuts import group_of, published
from tests.tournaments.nights import arrive, games_of, make_night, publish_next, queries_in
from tournaments.cuts.cuts import difference, propose, publish_cut
from tournaments.cuts.reserves import leave_cut, replace_by_ruling
from tournaments.documents.sheets import cut_sheet
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import PublishedStandings, Round, Seat
from tournaments.pages.contest_desk import ContestDesk
from tournaments.rounds import publishing
from tournaments.standings.results import publish_result
from tournaments.standings.standings import standings_of

ASKED = 422


@pytest.fixture
def night(club, actor, rules_for):
    """Two tables, one deal each: 300 against 100, and 200 against 50; the round is being played."""
    event = make_night(club, rules_for("points-only"))
    arrive(event, actor, 8)
    for game, points in zip(games_of(publish_next(event, actor)), ((300, 100), (200, 50)), strict=True):
        record(game, actor, points)
    event.refresh_from_db()
    return event


@pytest.fixture
def client(scorekeeper, client_of):
    return client_of(scorekeeper)


def close_round(event, by):
    for game in Game.objects.filter(group_game__group__table__draw__round__stage__event=event):
        end_game(game=game, by=by, reason="time")
    rounds = Round.objects.select_related("stage__event")
    publishing.close_round(round=rounds.get(stage__event=event), by=by, end_open=False)


def corrected(client, deal, points, **sent):
    typed = {f"points_{side}": str(figure) for side, figure in enumerate(points)}
    form = {"submission": str(uuid4()), "number": str(deal.number), "seen": "1", "reason": "misread"}
    return client.post(reverse("deal", args=["st-hilary", deal.pk]), form | typed | sent)


def moves(answer):
    """Who would move, as the page says: points before and after, places, and whether the line is crossed."""
    (table,) = answer.context["beyond"].tables
    return {
        after.name: (before.points, after.points, before.place, after.place, move["crosses"])
        for move in table["moves"]
        for before, after in [(move["before"], move["after"])]
    }


def words_of(answer):
    return " ".join(re.sub(r"<[^>]*>", " ", page_of(answer)).split())


def written():
    return DealVersion.objects.count(), LogEntry.objects.count()


def test_a_slip_put_right_while_the_round_is_played_asks_nothing(night, client):
    deal = Deal.objects.order_by("pk")[1]
    assert corrected(client, deal, (400, 50)).status_code == 302
    assert deal.versions.count() == 2


@pytest.mark.parametrize("published", [False, True])
def test_after_the_round_is_closed_it_shows_first_who_moves(night, actor, client, published):
    close_round(night, actor)
    if published:
        publish_result(event=night, by=actor)
    deal, before = Deal.objects.order_by("pk")[1], written()
    answer = corrected(client, deal, (400, 50))
    assert answer.status_code == ASKED
    assert written() == before  # looked at, and nothing kept
    winners = [seat.entry.name for seat in deal.game.group_game.group.seats.filter(side=0)]
    others = [seat.entry.name for seat in _first_game().group_game.group.seats.filter(side=0)]
    assert moves(answer) == {
        **dict.fromkeys(winners, (200, 400, "3=", "1=", "")),
        **dict.fromkeys(others, (300, 300, "1=", "3=", "")),
    }
    page = words_of(answer)
    assert ("The result of Night friday is published." if published else "Round 1 is closed") in page
    assert "3= → would be 1=" in page
    assert corrected(client, deal, (400, 50), sure="on").status_code == 302
    assert deal.versions.count() == 2


def _first_game():
    return Deal.objects.order_by("pk")[0].game


def test_a_correction_by_which_nobody_moves_asks_nothing(night, actor, client):
    close_round(night, actor)
    assert corrected(client, Deal.objects.order_by("pk")[1], (200, 50)).status_code == 302


def test_a_void_and_a_game_that_goes_on_show_it_too(night, actor, director, client_of):
    close_round(night, actor)
    publish_result(event=night, by=actor)
    director_client, deal, before = client_of(director), Deal.objects.order_by("pk")[1], written()
    void = {"state": "void", "seen": "1", "submission": str(uuid4()), "reason": "misdealt"}
    answer = director_client.post(reverse("deal_mark", args=["st-hilary", deal.pk]), void)
    assert answer.status_code == ASKED
    assert "200 → would be 0" in words_of(answer)
    assert written() == before
    end = reverse("game_end", args=["st-hilary", deal.game_id])
    answer = director_client.post(end, {"reason": "they want to play on"})
    assert answer.status_code == 302  # the points stay, and so do the places
    record(Game.objects.get(pk=deal.game_id), actor, (150, 0), number=2)
    again = director_client.post(end, {"reason": "time"})
    assert again.status_code == 302
    assert DealVersion.objects.filter(deal__game=deal.game_id).count() == 2


def test_after_a_cut_it_says_who_crosses_the_line(club, actor, client):
    event = played_contest(club, actor)
    stage = stage_of(event, 1)
    publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    deal = Deal.objects.order_by("pk")[0]
    seats = list(deal.game.group_game.group.seats.order_by("side").select_related("entry"))
    points = [DealVersion.objects.get(deal=deal).facts["points"][seat.side] for seat in seats]
    best, worst = points.index(max(points)), points.index(min(points))
    before = written()
    answer = corrected(client, deal, tuple(5000 if n == worst else p for n, p in enumerate(points)))
    assert answer.status_code == ASKED
    assert written() == before
    found = moves(answer)
    assert found[seats[worst].entry.name][-1] == "in"
    assert found[seats[best].entry.name][-1] == "out"
    page = words_of(answer)
    assert "The cut of Qualifying is published." in page
    assert "would go on" in page
    assert "would not go on" in page


def test_publishing_the_next_version_shows_who_moves_against_the_last(night, actor, client, director, client_of):
    close_round(night, actor)
    publish_result(event=night, by=actor)
    corrected(client, Deal.objects.order_by("pk")[1], (400, 50), sure="on")
    page = words_of(client_of(director).get(reverse("night_close", args=["st-hilary", night.slug])))
    assert "The next version against version 1" in page
    assert "200 → would be 400" in page
    assert PublishedStandings.objects.count() == 1


def test_a_game_outside_events_has_nothing_published(club, actor, rules_for, client):
    game = start_game(club=club, rules=rules_for("points-only"), title="Window", sides=[["Ann"], ["Bob"]])
    record(game, actor, (10, 5))
    assert corrected(client, Deal.objects.get(), (12, 5)).status_code == 302


@pytest.mark.proof
def test_asking_costs_the_same_with_two_tables_and_with_ten(club, actor, rules_for, client):
    counts = []
    for slug, people in (("two", 8), ("ten", 40)):
        event = make_night(club, rules_for("points-only"), slug=slug)
        arrive(event, actor, people)
        for game in games_of(publish_next(event, actor)):
            record(game, actor, (300, 100))
        close_round(event, actor)
        deal = Deal.objects.order_by("-pk")[0]
        counts.append(queries_in(lambda deal=deal: corrected(client, deal, (500, 0))))
    assert counts[0] == counts[1]


# Rulings on a cut that a correction has put in question


def misread(event, by, points=999):
    """Correct the first group's only deal so that its last would win it; the group as it was, the winner first."""
    group = group_of(event)
    first = Deal.objects.get(
        game__group_game__group__seats__entry=group[0], game__group_game__group__table__draw__round__stage__number=1
    )
    sides = {seat.entry_id: seat.side for seat in Seat.objects.filter(group__games__game__deals=first)}
    figures = [0, 0, 0]
    figures[sides[group[2].pk]] = points
    correct(first, PointsDeal(points=tuple(figures)), by=by, seen=first.versions.get(current=True).number)
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
    assert ContestDesk(event).differences
    seen = browser.get(address(cut)).context["seen"]
    ruling = {"step": "leave", "seen": seen, "reason": "found after play had begun"}
    browser.post(address(cut), ruling | {"reason": " "})
    assert cut_of(event) == cut
    browser.post(address(cut), ruling)
    browser.post(address(cut), ruling)  # a double tap
    made = cut_of(event)
    assert made.number == cut.number + 1
    assert not ContestDesk(event).differences
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
    record(game, actor, [50 if side == seat.side else 0 for side in range(3)])
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
    assert not ContestDesk(event).unseated


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


@pytest.mark.proof
def test_a_correction_that_moves_places_but_no_finalist_says_so(event, scorekeeper, client_of):
    group = group_of(event)
    first = Deal.objects.get(game__group_game__group__seats__entry=group[0])
    points = [*first.versions.get(current=True).facts["points"]]
    best = points.index(max(points))
    answer = corrected(client_of(scorekeeper), first, tuple(p + 500 if n == best else p for n, p in enumerate(points)))
    (table,) = answer.context["beyond"].tables
    assert "The same 18 go on." in table["words"]
    other = corrected(client_of(scorekeeper), first, tuple(0 if n == best else p for n, p in enumerate(points)))
    (table,) = other.context["beyond"].tables
    assert "The same" not in table["words"]
