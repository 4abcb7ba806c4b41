"""The stages of a competition: planned, drawn, played, ended early, down to the result."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, LogEntry, User
from scoring.engine.ruleset import Shape
from scoring.models import Game
from tests.tournaments.contests import NAMES, by_number, contest, deal, drawn, enter, play, played_contest, stage_of
from tournaments.contest import (
    change_stage,
    draw_stage,
    end_set,
    publish_result,
    publish_stage_draw,
    reopen_set,
    take_back_draw,
    take_back_result,
)
from tournaments.cuts import propose, publish_cut
from tournaments.entries import add_entry, make_reserve, withdraw
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, Group, Seat
from tournaments.reserves import seat_reserve
from tournaments.stage_plans import plan_stages


@pytest.mark.parametrize(
    ("places", "shape", "advance"),
    [
        (54, Shape(3), [18, 6, 0]),
        (54, Shape(2, 3), [18, 6, 0]),
        (36, Shape(3), [12, 6, 0]),
        (48, Shape(3), [18, 6, 0]),
        (72, Shape(3), [24, 12, 6, 0]),
        (32, Shape(2, 2), [12, 4, 0]),
        (6, Shape(3), [0]),
    ],
)
def test_stages_are_planned_from_the_number(places: int, shape: Shape, advance: list[int]) -> None:
    plans = plan_stages(places, shape)
    assert [plan.advance for plan in plans] == advance
    assert plans[-1].name == "Final"
    assert plans[-1].tables == 1


def test_54_at_three_hands_send_on_one_of_each_group(club: Club, actor: Actor) -> None:
    event = contest(club, actor)
    assert [(s.name, s.cut_rule, s.advance) for s in event.stages.all()] == [
        ("Qualifying", "group", 18),
        ("Semi-final", "group", 6),
        ("Final", "", 0),
    ]


def test_54_at_six_hands_send_on_two_of_each_table(club: Club, actor: Actor) -> None:
    event = contest(club, actor, shape=Shape(2, 3))
    assert [(s.cut_rule, s.advance) for s in event.stages.all()] == [("table", 18), ("table", 6), ("", 0)]


def test_the_draw_seats_54_at_nine_tables_of_two_groups(club: Club, actor: Actor) -> None:
    event = contest(club, actor, games=4)
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
    assert draw.tables.count() == 9
    groups = Group.objects.filter(table__draw=draw)
    assert [group.seats.count() for group in groups] == [3] * 18
    assert Game.objects.filter(group_game__group__in=groups, state="open").count() == 18 * 4
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


def test_partners_of_a_team_of_three_sit_in_turn(club: Club, actor: Actor) -> None:
    event = contest(club, actor, shape=Shape(2, 3))
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
    game = Game.objects.filter(group_game__group__table__draw=draw).first()
    assert game is not None
    assert [len(side.names) for side in game.sides.all()] == [3, 3]


def test_a_double_tap_makes_one_draw_and_another_press_another(club: Club, actor: Actor) -> None:
    event = contest(club, actor)
    enter(event, actor)
    stage = stage_of(event, 1)
    first = draw_stage(stage=stage, by=actor, seen=0)
    assert draw_stage(stage=stage, by=actor, seen=0) == first
    again = draw_stage(stage=stage, by=actor, seen=first.number)
    assert again.number == 2
    assert Draw.objects.filter(round__stage=stage).count() == 2


def test_the_same_seed_draws_the_same_seats(club: Club, actor: Actor) -> None:
    event = contest(club, actor)
    enter(event, actor)
    stage = stage_of(event, 1)
    one = draw_stage(stage=stage, by=actor, seen=0, seed=41)
    two = draw_stage(stage=stage, by=actor, seen=1, seed=41)
    seats = [list(d.seats.order_by("entry").values_list("entry", "group__table__number", "side")) for d in (one, two)]
    assert seats[0] == seats[1]


def test_53_names_can_not_be_drawn_and_the_message_says_what_to_do(club: Club, actor: Actor) -> None:
    event = contest(club, actor, game="three-hand-double-pinochle")
    entries = enter(event, actor)
    withdraw(entry=entries[0], by=actor)
    with pytest.raises(StepRefused, match=r"53 entries don't fit groups of 3: add 1 name .*or make 2 entries reserves"):
        draw_stage(stage=stage_of(event, 1), by=actor, seen=0)
    assert not Draw.objects.exists()
    for entry in entries[1:3]:
        make_reserve(entry=entry, by=actor)
    draw = draw_stage(stage=stage_of(event, 1), by=actor, seen=0)
    assert draw.seats.count() == 51


def test_a_draw_made_before_somebody_came_can_not_be_published(club: Club, actor: Actor) -> None:
    event = contest(club, actor, places=57)
    entries = enter(event, actor)
    draft = draw_stage(stage=stage_of(event, 1), by=actor, seen=0)
    withdraw(entry=entries[3], by=actor)
    add_entry(event=event, name="Zora Neale", by=actor)
    with pytest.raises(StepRefused, match=r"Dolores Abel no longer plays\. Zora Neale came after.*Make the draw again"):
        publish_stage_draw(draw=draft, by=actor)
    draft.refresh_from_db()
    assert draft.state == Draw.State.DRAFT


def test_a_draw_taken_back_comes_back_with_its_deals(club: Club, actor: Actor) -> None:
    event = played_contest(club, actor)
    draw = Draw.objects.get(state=Draw.State.PUBLISHED)
    take_back_draw(draw=draw, by=actor)
    with pytest.raises(StepRefused, match="isn't drawn"):
        propose(stage_of(event, 1))
    publish_stage_draw(draw=draw, by=actor)
    assert len(propose(stage_of(event, 1)).through) == 18
    assert Game.objects.count() == 18


def test_a_set_ended_early_counts_what_was_played(club: Club, actor: Actor) -> None:
    event = contest(club, actor, games=4)
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
    group = Group.objects.filter(table__draw=draw).first()
    assert group is not None
    games = [row.game for row in group.games.order_by("number")]
    deal(games[0], actor, [30, 20, 10])
    with pytest.raises(StepRefused, match="Write the reason"):
        end_set(group=group, by=actor, reason="  ")
    end_set(group=group, by=actor, reason="time is up")
    end_set(group=group, by=actor, reason="a second tap")
    assert [Game.objects.get(pk=g.pk).state for g in games] == ["over", "not-played", "not-played", "not-played"]
    group.refresh_from_db()
    assert group.ended == "time is up"
    reopen_set(group=group, by=actor, reason="ten more minutes")
    assert [Game.objects.get(pk=g.pk).state for g in games] == ["open"] * 4


def test_a_set_can_not_be_ended_once_the_cut_is_published(club: Club, actor: Actor) -> None:
    event = played_contest(club, actor)
    stage = stage_of(event, 1)
    publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    group = Group.objects.first()
    assert group is not None
    with pytest.raises(StepRefused, match="The cut of Qualifying is published"):
        end_set(group=group, by=actor, reason="late")


def test_eighteen_finalists_meet_nobody_of_their_first_table_where_that_can_be(club: Club, actor: Actor) -> None:
    event = played_contest(club, actor)
    first, second = stage_of(event, 1), stage_of(event, 2)
    publish_cut(stage=first, by=actor, fingerprint=propose(first).fingerprint)
    draw = drawn(second, actor)
    before: dict[int, set[int]] = {}
    for table, entry in Seat.objects.filter(draw__round__stage=first).values_list("group__table", "entry"):
        before.setdefault(table, set()).add(entry)
    now: dict[int, set[int]] = {}
    for table, entry in Seat.objects.filter(draw=draw).values_list("group__table", "entry"):
        now.setdefault(table, set()).add(entry)
    again = [pair for t in now.values() for pair in combinations(t, 2) if any(set(pair) <= b for b in before.values())]
    assert len(now) == 3
    assert again == []
    assert draw.statement["met_again"] == 0


def test_a_later_stage_waits_for_the_cut(club: Club, actor: Actor) -> None:
    event = played_contest(club, actor)
    with pytest.raises(StepRefused, match="Publish the cut of Qualifying first"):
        draw_stage(stage=stage_of(event, 2), by=actor, seen=0)


def test_from_54_names_to_the_result(club: Club, actor: Actor) -> None:
    event = played_contest(club, actor)
    for number in (1, 2):
        stage = stage_of(event, number)
        publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
        play(drawn(stage_of(event, number + 1), actor), actor, by_number)
    result = publish_result(event=event, by=actor)
    assert result.final
    assert len(result.rows) == 6
    assert [row["place"] for row in result.rows] == [1, 2, 3, 4, 5, 6]
    assert [row["number"] for row in result.rows] == sorted(row["number"] for row in result.rows)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert publish_result(event=event, by=actor) == result
    take_back_result(event=event, by=actor, reason="a card was found")
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    verbs = set(LogEntry.objects.filter(club=club).values_list("verb", flat=True))
    assert {"entries.import", "draw.publish", "cut.publish", "result.publish", "result.withdraw"} <= verbs


def test_the_result_waits_for_open_games_unless_the_director_says_otherwise(club: Club, actor: Actor) -> None:
    event = contest(club, actor, places=6, games=2)
    enter(event, actor, [f"Player {letter}" for letter in "abcdef"])
    drawn(stage_of(event, 1), actor)
    for game in Game.objects.filter(group_game__number=1):
        deal(game, actor, [3, 2, 1])
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)
    assert publish_result(event=event, by=actor, sure=True).final
    deal(Game.objects.filter(group_game__number=1)[0], actor, [3, 9, 1], number=2)
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)


def test_a_reserve_takes_the_seat_while_no_deal_is_recorded(club: Club, actor: Actor) -> None:
    event = contest(club, actor, games=2)
    entries = enter(event, actor)
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    draw = drawn(stage_of(event, 1), actor)
    gone = entries[5]
    place = Seat.objects.get(draw=draw, entry=gone)
    elsewhere = Game.objects.filter(group_game__group__table__draw=draw).exclude(group_game__group=place.group).first()
    assert elsewhere is not None
    deal(elsewhere, actor, [5, 4, 3])
    withdraw(entry=gone, by=actor)
    made = seat_reserve(leaving=gone, entering=reserve, by=actor)
    seat = Seat.objects.get(draw=made, entry=reserve)
    assert (seat.group.table.number, seat.group.number, seat.side) == (
        place.group.table.number,
        place.group.number,
        place.side,
    )
    assert Game.objects.count() == 36  # the games went over, none was opened anew
    assert all(reserve.name in row.game.sides.get(number=seat.side).names for row in seat.group.games.all())
    assert seat_reserve(leaving=gone, entering=reserve, by=actor) == made
    assert Entry.objects.get(pk=reserve.pk).state == Entry.State.HERE
    elsewhere.refresh_from_db()
    assert elsewhere.group_game.group.table.draw == made
    draw.refresh_from_db()
    with pytest.raises(StepRefused, match=r"Take that one back first|went over to a later version"):
        publish_stage_draw(draw=draw, by=actor)


def test_nobody_takes_a_seat_at_a_table_that_has_begun(club: Club, actor: Actor) -> None:
    event = contest(club, actor)
    entries = enter(event, actor)
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    draw = drawn(stage_of(event, 1), actor)
    game = Game.objects.get(group_game__group__seats__entry=entries[5], group_game__group__table__draw=draw)
    deal(game, actor, [5, 4, 3])
    withdraw(entry=entries[5], by=actor)
    with pytest.raises(StepRefused, match="have begun"):
        seat_reserve(leaving=entries[5], entering=reserve, by=actor)


def test_a_stage_keeps_its_games_once_it_is_drawn(club: Club, actor: Actor) -> None:
    event = contest(club, actor)
    enter(event, actor)
    stage = change_stage(stage=stage_of(event, 1), by=actor, name="Round one", games=3, cut_rule="table", advance=18)
    assert (stage.name, stage.games, stage.cut_rule) == ("Round one", 3, "table")
    drawn(stage, actor)
    with pytest.raises(StepRefused, match="its number of games stays"):
        change_stage(stage=stage, by=actor, name="Round one", games=4, cut_rule="table", advance=18)


def test_no_more_go_on_than_come_in(club: Club, actor: Actor) -> None:
    """Planned: the places, then who goes on from the stage before. Once a stage is drawn: who has a seat in it."""
    event = contest(club, actor)
    first: dict[str, Any] = {"by": actor, "name": "Q", "games": 1, "cut_rule": "overall"}
    with pytest.raises(StepRefused, match="Q: 54 come in, so 55 can't go on"):
        change_stage(stage=stage_of(event, 1), advance=55, **first)
    change_stage(stage=stage_of(event, 1), advance=54, **first)
    with pytest.raises(StepRefused, match="S: 54 come in, so 55 can't go on"):
        change_stage(stage=stage_of(event, 2), advance=55, **first | {"name": "S"})
    enter(event, actor, NAMES[:33])
    drawn(stage_of(event, 1), actor)
    assert stage_of(event, 1).advance == 54
    with pytest.raises(StepRefused, match="Q: 33 come in, so 34 can't go on"):
        change_stage(stage=stage_of(event, 1), advance=34, **first)
    assert change_stage(stage=stage_of(event, 1), advance=33, **first).advance == 33


def test_too_many_who_go_on_are_refused_with_all_that_was_typed_kept(
    club: Club, actor: Actor, director: User, client_of: Callable[[User | None], Client]
) -> None:
    event = contest(club, actor)
    url = reverse("event_change", args=[club.slug, event.slug])
    typed = {"stages": "1", "stage-3-name": "Last", "stage-3-games": "1", "stage-3-seeded": "no"}
    for number, advance in ((1, "12"), (2, "13")):
        typed |= {f"stage-{number}-name": f"Part {number}", f"stage-{number}-games": "2"}
        typed |= {f"stage-{number}-cut_rule": "overall", f"stage-{number}-advance": advance}
        typed |= {f"stage-{number}-wild_cards": "0", f"stage-{number}-seeded": "no"}
    page = client_of(director).post(url, typed).content.decode()
    assert "Part 2: 12 come in, so 13 can&#x27;t go on. Choose 12 or fewer." in page
    assert 'value="13"' in page
    assert 'value="Part 1"' in page
    assert [stage.name for stage in event.stages.all()] == ["Qualifying", "Semi-final", "Final"]
    assert client_of(director).post(url, typed | {"stage-2-advance": "6"}).status_code == 302
    assert [stage.advance for stage in event.stages.all()] == [12, 6, 0]
