"""How places move from round to round."""

from tests.tournaments.nights import arrive, games_of, make_members, play_deals, play_round, publish_next
from tournaments.events.state import stage_of
from tournaments.rounds import attendance
from tournaments.standings.results import movement_of
from tournaments.standings.standings import standings_of


def places(stage):
    return {row.entry: row.place for row in standings_of(stage).rows}


def test_places_before_a_round_are_those_that_stood_then(event, actor):
    arrive(event, actor, 9)
    stood = []
    for _round in range(3):
        play_round(publish_next(event, actor), actor, 2)
        stood.append(standings_of(stage_of(event)))
    for number, then in enumerate(stood[:-1], start=2):
        assert standings_of(stage_of(event), before=number).rows == then.rows


def test_movement_is_against_the_places_after_the_round_before(event, actor):
    arrive(event, actor, 8)
    stage = stage_of(event)
    first = publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) is None
    play_round(first, actor, 2)
    assert movement_of(stage, standings_of(stage).rows) is None
    before = places(stage)
    second = publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) is None  # no deal in it yet
    play_deals(games_of(second)[0], actor, 3)
    moved = movement_of(stage, standings_of(stage).rows)
    assert moved[0] == 1
    now = places(stage)
    assert moved[1] == {entry: before[entry] - now[entry] for entry in now}
    assert any(moved[1].values())


def test_after_a_round_and_before_the_next_it_stays(event, actor):
    arrive(event, actor, 8)
    stage = stage_of(event)
    for _round in range(2):
        play_round(publish_next(event, actor), actor, 2)
    shown = movement_of(stage, standings_of(stage).rows)
    publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) == shown


def test_who_came_later_is_new(event, actor):
    arrive(event, actor, 8)
    play_round(publish_next(event, actor), actor)
    for member in make_members(event.club, 12)[8:]:
        attendance.arrive(event=event, by=actor, member=member)
    play_round(publish_next(event, actor), actor)
    stage = stage_of(event)
    rows = standings_of(stage).rows
    moved = movement_of(stage, rows)
    assert {row.name for row in rows if moved[1].get(row.entry) is None} == {f"Player {n:02}" for n in range(9, 13)}
