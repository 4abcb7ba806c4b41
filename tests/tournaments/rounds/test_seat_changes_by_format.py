"""Seats changed while a round is being played: where it is allowed, in every kind of event."""

import pytest

from scoring.models import Game
from tests.tournaments import contests
from tests.tournaments.nights import arrive, games_of, make_night, play_round, publish_next
from tests.tournaments.seats import at, games_are_whole, points_by_seats, points_in_standings
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.changes import units_of
from tournaments.draws.drafts import seated_in
from tournaments.entries import partners
from tournaments.entries.actions import add_entry
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, GroupGame, Seat
from tournaments.rounds import publishing, seat_changes
from tournaments.rounds.seat_changes import Newcomer
from tournaments.standings.standings import standings_of


def test_a_competition_gives_a_seat_to_a_reserve_and_to_a_guest(club, actor):
    event = contests.contest(club, actor, games=2)
    entries = contests.enter(event, actor)
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    made = seat_changes.take_over(draw=draw, leaving=entries[5], newcomer=Newcomer(reserve), by=actor)
    made = seat_changes.take_over(draw=made, leaving=entries[6], newcomer=Newcomer(guest="Gil Guest"), by=actor)
    states = dict(event.entries.values_list("name", "state"))
    assert [states[n] for n in (entries[5].name, "Rita Reserve", "Gil Guest")] == ["withdrawn", "here", "here"]
    assert Game.objects.count() == 36
    again = seat_changes.take_change_back(draw=made, by=actor)
    assert event.entries.get(name="Gil Guest").state == Entry.State.RESERVE
    assert again.seats.filter(entry=entries[6]).exists()


def test_a_table_of_a_competition_moves_with_both_its_groups(club, actor):
    event = contests.contest(club, actor)
    contests.enter(event, actor)
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    game = games_of(draw)[0]
    contests.deal(game, actor, [5, 4, 3])
    made = seat_changes.move_table(draw=draw, table=1, to=9, by=actor)
    assert seated_in(made).tables[9] == seated_in(draw).tables[1]
    assert seated_in(made).tables[1] == seated_in(draw).tables[9]
    row = GroupGame.objects.get(game=game)
    assert (row.group.table.draw, row.group.table.number) == (made, 9)
    assert {r.group for r in standings_of(contests.stage_of(event, 1)).rows if r.points} == {str(row.group)}


def test_in_a_final_somebody_plays_for_a_finalist_and_the_cut_says_whose_seat_it_is(club, actor):
    event = contests.played_contest(club, actor)
    first = contests.stage_of(event, 1)
    publish_cut(stage=first, by=actor, fingerprint=propose(first).fingerprint)
    draw = contests.drawn(contests.stage_of(event, 2), actor)
    a, b = at(draw, 1, 0), at(draw, 2, 0)
    with pytest.raises(StepRefused, match="cut decides who plays"):
        seat_changes.take_over(draw=draw, leaving=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    made = seat_changes.play_for(draw=draw, absent=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    made = seat_changes.swap(draw=made, entry=a.pk, other=b.pk, by=actor)
    assert Seat.objects.get(draw=made, entry=a).name == f"Ruth for {a.name}"  # who plays for her goes along
    tables = {n: {e for g in t for s in g for e in s} for n, t in enumerate(seated_in(made).seating)}
    before = seated_in(Draw.objects.get(round__stage=first, state="published"))
    mates = [{e for g in t for s in g for e in s} for t in before.seating]
    again = sum(len(t & m) * (len(t & m) - 1) // 2 for t in tables.values() for m in mates)
    assert made.statement["met_again"] == again
    with pytest.raises(StepRefused, match=r"cut of .* is published"):
        seat_changes.move_table(draw=Draw.objects.get(round__stage=first, state="published"), table=1, to=20, by=actor)


FORMATS = [  # may a seat be another's, may two change places, may two tables change numbers
    (Event.Format.ROTATION, "yes", "yes", "yes"),
    (Event.Format.PROGRESSIVE, "yes", "yes", "order of the tables"),
    (Event.Format.ROUND_ROBIN, "same people score together", "yes", "yes"),
    (Event.Format.SWISS, "same people score together", "yes", "yes"),
    (Event.Format.LADDER, "same people score together", "yes", "order of the tables"),
    (Event.Format.KNOCK_OUT, "same people score together", "bracket of a knock-out", "order of the tables"),
    (Event.Format.TEAM_MATCH, "same people score together", "yes", "yes"),
]


@pytest.mark.daily(3)
@pytest.mark.parametrize(("format", "take", "swap", "move"), FORMATS)
def test_every_format_allows_it_or_says_why_not(club, actor, rules_for, format, take, swap, move):
    event = make_night(club, rules_for("st-hilary-v3"), slug="other", format=format)
    arrive(event, actor, 8)
    if event.makes_sides:
        partners.join_rest(event=event, by=actor, seed=1)
    if format == Event.Format.TEAM_MATCH:
        for number in (1, 2, 3, 4):
            partners.play_for(event=event, number=number, club_name=("Oaks", "Acorns")[number % 2], by=actor)
    draw = publish_next(event, actor)
    games, a = games_of(draw), at(draw, 1, 0)
    units = {unit.key: unit for unit in units_of(draw)}
    own = next(unit for unit in units.values() if a.pk in unit.entries)
    clubs = dict(event.entries.values_list("pk", "plays_for"))
    other = next(u for u in units.values() if u.table == 2 and clubs[u.key] == clubs[own.key])
    now = draw

    def tried(wanted, deed):
        if wanted == "yes":
            return deed()
        with pytest.raises(StepRefused, match=wanted):
            deed()
        return now

    now = seat_changes.play_for(draw=now, absent=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    now = tried(swap, lambda: seat_changes.swap(draw=now, entry=a.pk, other=other.key, by=actor))
    now = tried(move, lambda: seat_changes.move_table(draw=now, table=1, to=2, by=actor))
    guest = Newcomer(guest="Gil Guest")
    now = tried(take, lambda: seat_changes.take_over(draw=now, leaving=a, newcomer=guest, by=actor))
    games_are_whole(now, games_of(now), deals=0)
    assert {game.pk for game in games_of(now)} == {game.pk for game in games}
    play_round(now, actor)
    counted = points_by_seats(now)
    assert {pk: n for pk, n in points_in_standings(event).items() if n} == {pk: n for pk, n in counted.items() if n}
    reopened = publishing.reopen_round(round=now.round, by=actor)
    assert not reopened.closed
    while now.follows_id:
        if seat_changes.why_it_stays(now):
            break
        now = seat_changes.take_change_back(draw=now, by=actor)


def test_a_single_table_plays_anywhere(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"), slug="one", format=Event.Format.SINGLE_TABLE)
    arrive(event, actor, 4)
    draw = publish_next(event, actor)
    made = seat_changes.move_table(draw=draw, table=1, to=7, by=actor)
    assert sorted(seated_in(made).tables) == [7]


def test_a_gap_in_the_numbers_is_refused_where_tables_are_counted(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"), slug="swiss", format=Event.Format.SWISS)
    arrive(event, actor, 8)
    partners.join_rest(event=event, by=actor, seed=1)
    with pytest.raises(StepRefused, match="without a gap: choose one from 1 to 2"):
        seat_changes.move_table(draw=publish_next(event, actor), table=1, to=9, by=actor)
