"""A correction of what people have seen shows first who moves, and asks; one in a round that is played asks nothing."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game, start_game
from scoring.models import Deal, DealVersion, Game
from tests.pages import page_of
from tests.tournaments.contests import deal as record, played_contest, stage_of
from tests.tournaments.nights import arrive, games_of, make_night, publish_next
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.models import Entry, PublishedStandings, Round
from tournaments.rounds import publishing
from tournaments.standings.results import publish_result

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
    publishing.close_round(round=Round.objects.select_related("stage__event").get(), by=by, end_open=False)


def correct(client, deal, points, **sent):
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
    assert correct(client, deal, (400, 50)).status_code == 302
    assert deal.versions.count() == 2


@pytest.mark.parametrize("published", [False, True])
def test_after_the_round_is_closed_it_shows_first_who_moves(night, actor, client, published):
    close_round(night, actor)
    if published:
        publish_result(event=night, by=actor)
    deal, before = Deal.objects.order_by("pk")[1], written()
    answer = correct(client, deal, (400, 50))
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
    assert correct(client, deal, (400, 50), sure="on").status_code == 302
    assert deal.versions.count() == 2


def _first_game():
    return Deal.objects.order_by("pk")[0].game


def test_a_correction_by_which_nobody_moves_asks_nothing(night, actor, client):
    close_round(night, actor)
    assert correct(client, Deal.objects.order_by("pk")[1], (200, 50)).status_code == 302


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
    answer = correct(client, deal, tuple(5000 if n == worst else p for n, p in enumerate(points)))
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
    correct(client, Deal.objects.order_by("pk")[1], (400, 50), sure="on")
    page = words_of(client_of(director).get(reverse("night_close", args=["st-hilary", night.slug])))
    assert "The next version against version 1" in page
    assert "200 → would be 400" in page
    assert PublishedStandings.objects.count() == 1


def test_a_game_outside_events_has_nothing_published(club, actor, rules_for, client):
    game = start_game(club=club, rules=rules_for("points-only"), title="Window", sides=[["Ann"], ["Bob"]])
    record(game, actor, (10, 5))
    assert correct(client, Deal.objects.get(), (12, 5)).status_code == 302


def test_asking_costs_the_same_with_two_tables_and_with_ten(club, actor, rules_for, client):
    counts = []
    for slug, people in (("two", 8), ("ten", 40)):
        event = make_night(club, rules_for("points-only"), slug=slug)
        arrive(event, actor, people)
        for game in games_of(publish_next(event, actor)):
            record(game, actor, (300, 100))
            end_game(game=game, by=actor, reason="time")
        publishing.close_round(
            round=Round.objects.select_related("stage__event").get(stage__event=event), by=actor, end_open=False
        )
        deal = Deal.objects.order_by("-pk")[0]
        with CaptureQueriesContext(connection) as taken:
            assert correct(client, deal, (500, 0)).status_code == ASKED
        counts.append(len(taken))
    assert counts[0] == counts[1]
    assert Entry.objects.filter(event__slug="ten").count() == 40
