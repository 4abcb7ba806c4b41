"""The draw of a stage: who sits where, made once, published, taken back, come back."""

from itertools import combinations

import pytest

from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.tournaments.contests import contest, drawn, enter, played_contest, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.entries.actions import add_entry, make_reserve, withdraw
from tournaments.errors import StepRefused
from tournaments.models import Draw, Event, Group, Seat
from tournaments.rounds.publishing import publish_draw, take_back_draw


def test_the_draw_seats_54_at_nine_tables_of_two_groups(club, actor):
    event = contest(club, actor, games=4)
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
    assert draw.tables.count() == 9
    groups = Group.objects.filter(table__draw=draw)
    assert [group.seats.count() for group in groups] == [3] * 18
    assert Game.objects.filter(group_game__group__in=groups, state="open").count() == 18 * 4
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


def test_partners_of_a_team_of_three_sit_in_turn(club, actor):
    event = contest(club, actor, shape=Shape(2, 3))
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
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
    stage = stage_of(event, 1)
    one = make_draw(stage=stage, by=actor, seen=0, options=DrawOptions(seed=41))
    two = make_draw(stage=stage, by=actor, seen=1, options=DrawOptions(seed=41))
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


def test_a_draw_taken_back_comes_back_with_its_deals(club, actor):
    event = played_contest(club, actor)
    draw = Draw.objects.get(state=Draw.State.PUBLISHED)
    take_back_draw(draw=draw, by=actor)
    with pytest.raises(StepRefused, match="isn't drawn"):
        propose(stage_of(event, 1))
    publish_draw(draw=draw, by=actor)
    assert len(propose(stage_of(event, 1)).through) == 18
    assert Game.objects.count() == 18


def test_eighteen_finalists_meet_nobody_of_their_first_table_where_that_can_be(club, actor):
    event = played_contest(club, actor)
    first, second = stage_of(event, 1), stage_of(event, 2)
    publish_cut(stage=first, by=actor, fingerprint=propose(first).fingerprint)
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
