"""A reserve takes a seat while its table hasn't begun."""

from math import comb

import pytest

from scoring.models import Game
from tests.tournaments.contests import contest, deal, drawn, enter, played_contest, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.changes import seat_reserve, take_seat
from tournaments.draws.making import met_before
from tournaments.entries.actions import add_entry, withdraw
from tournaments.errors import StepRefused
from tournaments.models import Entry, Seat
from tournaments.rounds.publishing import publish_draw


def test_a_reserve_takes_the_seat_while_no_deal_is_recorded(club, actor):
    event = contest(club, actor, games=2)
    entries = enter(event, actor)
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    draw = drawn(stage_of(event, 1), actor)
    gone = entries[5]
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
    with pytest.raises(StepRefused, match=r"Take that one back first|went over to a later version"):
        publish_draw(draw=draw, by=actor)


def test_nobody_takes_a_seat_at_a_table_that_has_begun(club, actor):
    event = contest(club, actor)
    entries = enter(event, actor)
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    draw = drawn(stage_of(event, 1), actor)
    game = Game.objects.get(group_game__group__seats__entry=entries[5], group_game__group__table__draw=draw)
    deal(game, actor, [5, 4, 3])
    withdraw(entry=entries[5], by=actor)
    with pytest.raises(StepRefused, match="have begun"):
        seat_reserve(leaving=entries[5], entering=reserve, by=actor)


def test_a_seat_in_a_later_stage_is_counted_again_when_somebody_else_takes_it(club, actor):
    event = played_contest(club, actor)
    first = stage_of(event, 1)
    publish_cut(stage=first, by=actor, fingerprint=propose(first).fingerprint)
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
