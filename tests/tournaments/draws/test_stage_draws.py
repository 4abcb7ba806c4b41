"""The draw of a stage: who sits where, made once, published, taken back, come back."""

from itertools import combinations
from math import comb

import pytest

from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.tournaments.contests import contest, cut_stage, deal, drawn, drawn_contest, enter, played_contest, stage_of
from tournaments.draws.changes import seat_reserve, take_seat
from tournaments.draws.making import DrawOptions, make_draw, met_before
from tournaments.entries.actions import add_entry, make_reserve, withdraw
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, Group, Seat
from tournaments.rounds.publishing import publish_draw


def test_the_draw_seats_54_at_nine_tables_of_two_groups(club, actor):
    event, draw = drawn_contest(club, actor, games=4)
    assert draw.tables.count() == 9
    groups = Group.objects.filter(table__draw=draw)
    assert [group.seats.count() for group in groups] == [3] * 18
    assert Game.objects.filter(group_game__group__in=groups, state="open").count() == 18 * 4
    assert event.state == Event.State.RUNNING


def test_partners_of_a_team_of_three_sit_in_turn(club, actor):
    _event, draw = drawn_contest(club, actor, shape=Shape(2, 3))
    game = Game.objects.filter(group_game__group__table__draw=draw).first()
    assert [len(side.names) for side in game.sides.all()] == [3, 3]


def test_a_double_tap_makes_one_draw_and_another_press_another(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    stage = stage_of(event, 1)
    first = make_draw(stage=stage, by=actor, seen=0)
    assert make_draw(stage=stage, by=actor, seen=0) == first
    again = make_draw(stage=stage, by=actor, seen=first.number)
    assert again.number == 2
    assert Draw.objects.filter(round__stage=stage).count() == 2


def test_the_same_seed_draws_the_same_seats(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    one, two = (
        make_draw(stage=stage_of(event, 1), by=actor, seen=seen, options=DrawOptions(seed=41)) for seen in (0, 1)
    )
    seats = [list(d.seats.order_by("entry").values_list("entry", "group__table__number", "side")) for d in (one, two)]
    assert seats[0] == seats[1]


def test_53_names_can_not_be_drawn_and_the_message_says_what_to_do(club, actor):
    event = contest(club, actor, game="three-hand-double-pinochle")
    entries = enter(event, actor)
    withdraw(entry=entries[0], by=actor)
    with pytest.raises(StepRefused, match=r"53 entries don't fit groups of 3: add 1 name .*or make 2 entries reserves"):
        make_draw(stage=stage_of(event, 1), by=actor, seen=0)
    assert not Draw.objects.exists()
    for entry in entries[1:3]:
        make_reserve(entry=entry, by=actor)
    draw = make_draw(stage=stage_of(event, 1), by=actor, seen=0)
    assert draw.seats.count() == 51


def test_a_draw_made_before_somebody_came_can_not_be_published(club, actor):
    event = contest(club, actor, places=57)
    entries = enter(event, actor)
    draft = make_draw(stage=stage_of(event, 1), by=actor, seen=0)
    withdraw(entry=entries[3], by=actor)
    add_entry(event=event, name="Zora Neale", by=actor)
    with pytest.raises(StepRefused, match=r"Dolores Abel no longer plays\. Zora Neale came after.*Make the draw again"):
        publish_draw(draw=draft, by=actor)
    draft.refresh_from_db()
    assert draft.state == Draw.State.DRAFT


def test_eighteen_finalists_meet_nobody_of_their_first_table_where_that_can_be(club, actor):
    event = played_contest(club, actor)
    first, second = stage_of(event, 1), stage_of(event, 2)
    cut_stage(event, actor)
    draw = drawn(second, actor)
    before = {}
    for table, entry in Seat.objects.filter(draw__round__stage=first).values_list("group__table", "entry"):
        before.setdefault(table, set()).add(entry)
    now = {}
    for table, entry in Seat.objects.filter(draw=draw).values_list("group__table", "entry"):
        now.setdefault(table, set()).add(entry)
    again = [pair for t in now.values() for pair in combinations(t, 2) if any(set(pair) <= b for b in before.values())]
    assert len(now) == 3
    assert again == []
    assert draw.statement["met_again"] == 0


def test_a_later_stage_waits_for_the_cut(club, actor):
    event = played_contest(club, actor)
    with pytest.raises(StepRefused, match="Publish the cut of Qualifying first"):
        make_draw(stage=stage_of(event, 2), by=actor, seen=0)


# A reserve takes a seat while its table hasn't begun


def test_a_reserve_takes_the_seat_while_no_deal_is_recorded(club, actor):
    event, draw = drawn_contest(club, actor, games=2)
    reserve, gone = add_entry(event=event, name="Rita Reserve", by=actor), event.entries.get(number=6)
    place = Seat.objects.get(draw=draw, entry=gone)
    elsewhere = Game.objects.filter(group_game__group__table__draw=draw).exclude(group_game__group=place.group).first()
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
    with pytest.raises(StepRefused, match=r"Take that one back first|moved to a later version"):
        publish_draw(draw=draw, by=actor)


def test_nobody_takes_a_seat_at_a_table_that_has_begun(club, actor):
    event, draw = drawn_contest(club, actor)
    reserve, gone = add_entry(event=event, name="Rita Reserve", by=actor), event.entries.get(number=6)
    game = Game.objects.get(group_game__group__seats__entry=gone, group_game__group__table__draw=draw)
    deal(game, actor, [5, 4, 3])
    withdraw(entry=gone, by=actor)
    with pytest.raises(StepRefused, match="have begun"):
        seat_reserve(leaving=gone, entering=reserve, by=actor)


def test_a_seat_in_a_later_stage_is_counted_again_when_somebody_else_takes_it(club, actor):
    event = played_contest(club, actor)
    cut_stage(event, actor)
    draw = drawn(stage_of(event, 2), actor)
    tables = [set(table.groups.values_list("seats__entry", flat=True)) for table in draw.tables.all()]
    gone = draw.seats.get(group__table__number=1, group__number=1, side=0).entry
    there = tables[0] - {gone.pk}
    met = {pk for mates in met_before(stage_of(event, 2)) if there & set(mates) for pk in mates}
    other = event.entries.filter(pk__in=met - set().union(*tables)).first()
    made = take_seat(leaving=gone, entering=other, stage=stage_of(event, 2), by=actor)
    again = [set(mates) & ({other.pk} | there) for mates in met_before(stage_of(event, 2))]
    elsewhere = [set(mates) & table for mates in met_before(stage_of(event, 2)) for table in tables[1:]]
    assert made.statement["met_again"] == sum(comb(len(both), 2) for both in again + elsewhere) > 0
