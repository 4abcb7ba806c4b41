"""A set of games ended early."""

import pytest
from django.urls import reverse

from scoring.models import Game
from tests.tournaments.contests import cut_stage, deal, drawn_contest, played_contest
from tournaments.errors import StepRefused
from tournaments.models import Group
from tournaments.rounds.publishing import close_round, end_set, reopen_round, reopen_set


def test_a_set_ended_early_counts_what_was_played(club, actor):
    _event, draw = drawn_contest(club, actor, games=4)
    group = Group.objects.filter(table__draw=draw).first()
    games = [row.game for row in group.games.order_by("number")]
    deal(games[0], actor, [30, 20, 10])
    with pytest.raises(StepRefused, match="Write why"):
        end_set(group=group, by=actor, reason="  ")
    end_set(group=group, by=actor, reason="time is up")
    end_set(group=group, by=actor, reason="a second tap")
    assert [Game.objects.get(pk=g.pk).state for g in games] == ["over", "not-played", "not-played", "not-played"]
    group.refresh_from_db()
    assert group.ended == "time is up"
    reopen_set(group=group, by=actor, reason="ten more minutes")
    assert [Game.objects.get(pk=g.pk).state for g in games] == ["open"] * 4


def test_a_set_can_not_be_ended_once_the_cut_is_published(club, actor):
    cut_stage(played_contest(club, actor), actor)
    group = Group.objects.order_by("pk")[0]
    with pytest.raises(StepRefused, match="The cut of Qualifying is published"):
        end_set(group=group, by=actor, reason="late")


def test_no_form_closes_the_round_of_a_competition_and_ends_its_games(club, actor, browser):
    event, draw = drawn_contest(club, actor, games=4)
    page = reverse("draw_step", args=[club.slug, event.slug, draw.pk])
    for step in ("close", "reopen"):
        answer = browser.post(page, {"step": step, "games": "end", "reason": "time"})
        assert answer.status_code == 400
    with pytest.raises(StepRefused, match="End the sets of its tables"):
        close_round(round=draw.round, by=actor, end_open=True, reason="time")
    with pytest.raises(StepRefused, match="End the sets of its tables"):
        reopen_round(round=draw.round, by=actor)
    assert set(Game.objects.filter(group_game__group__table__draw=draw).values_list("state", flat=True)) == {"open"}
    draw.round.refresh_from_db()
    assert not draw.round.closed
