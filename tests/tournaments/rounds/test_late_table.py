"""People who come while a round is being played get a table of their own in it; nobody else is drawn again."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.models import Deal, Game
from tests.tournaments.draws.test_by_format import make_event, pair_in_order, paired, play_round as decide_round
from tests.tournaments.nights import arrive, drafted, games_of, make_night, play_deals, play_round, publish_next, seated
from tests.tournaments.seats import points_by_seats, points_in_standings
from tournaments.draws.drafts import earlier_draws, engine_round, played_draws, seats_in
from tournaments.draws.making import why_stale
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, TableLink
from tournaments.rounds import attendance, publishing, seat_changes


def latecomers(event, by, count=3):
    return [attendance.arrive(event=event, by=by, name=f"Late {n}").pk for n in range(1, count + 1)]


@pytest.fixture
def seven(club, actor, rules_for):
    """Seven people, a table of four and one of three, with deals at both."""
    event = make_night(club, rules_for("points-only"))
    arrive(event, actor, 7)
    draw = publishing.publish_draw(draw=drafted(event, actor, planned=3, seed=7, odd="three"), by=actor)
    for game in games_of(draw):
        play_deals(game, actor)
    return draw


@pytest.fixture
def nine(draw, actor):
    """Nine people, two tables of four with a deal at the first; one sits out."""
    play_deals(games_of(draw)[0], actor)
    return draw


def test_seven_and_three_who_come_late_play_at_three_tables(seven, actor, browser):
    event, games, before = seven.round.stage.event, games_of(seven), seats_in(seven)
    late, desk = latecomers(event, actor), browser
    page = desk.get(event.get_desk_url()).content.decode()
    address = reverse("seat_changes", args=["st-hilary", event.slug, seven.groups[0].pk])
    assert f"{address}#more-table" in page
    looked = desk.post(address, {"what": "table", "person": late})
    (offer,) = looked.context["offers"]
    assert "refused" not in offer
    assert Draw.objects.count() == 1, "looking changes nothing"
    for _tap in range(2):
        desk.post(address, {"step": "do", **offer["send"]})
    made = event.stages.get().rounds.get().draws.get(state="published")
    now = seats_in(made)
    assert [[chair.entry for chair in side] for side in now.tables[3][0]] == [[pk] for pk in late]
    assert {number: now.tables[number] for number in (1, 2)} == before.tables
    assert games_of(made)[:2] == games
    assert games_of(made)[2].title.endswith("Table 3")
    assert TableLink.objects.filter(group__table__draw=made).count() == 3
    play_deals(games_of(made)[2], actor)
    assert points_in_standings(event) == points_by_seats(made)
    assert LogEntry.objects.filter(verb="seats.table").count() == 1


def test_who_leaves_as_the_table_is_added_gets_no_seat(nine, actor, monkeypatch):
    late = latecomers(nine.round.stage.event, actor, count=4)
    locked = seat_changes.event_locked

    def after_one_has_left(event):
        attendance.leave(entry=Entry.objects.get(pk=late[0]), by=actor)
        return locked(event)

    monkeypatch.setattr(seat_changes, "event_locked", after_one_has_left)
    with pytest.raises(StepRefused):
        seat_changes.add_table(draw=nine, entries=late, by=actor)


def test_who_sits_out_makes_up_the_table_and_the_next_round_is_drawn_with_all(nine, actor):
    event, (sitting,) = nine.round.stage.event, seats_in(nine).sit_outs
    made = seat_changes.add_table(draw=nine, entries=[*latecomers(event, actor), sitting], by=actor)
    assert [len(side) for side in seats_in(made).tables[3][0]] == [2, 2]
    assert seats_in(made).sit_outs == ()
    play_round(made, actor)
    second = publish_next(event, actor)
    assert sorted(map(len, seats_in(second).tables.values())) == [1, 1, 1]
    assert second.statement["partner"]["repeats"] == 0


def test_those_who_have_played_together_least_are_partners(nine, actor):
    event, (sitting,) = nine.round.stage.event, seats_in(nine).sit_outs
    first = seat_changes.add_table(draw=nine, entries=[*latecomers(event, actor), sitting], by=actor)
    pairs = {frozenset(chair.entry for chair in side) for side in seats_in(first).tables[3][0]}
    play_round(first, actor)
    for entry in Entry.objects.filter(pk__in=set().union(*pairs)):
        attendance.leave(entry=entry, by=actor)
    second = publish_next(event, actor)
    for entry in Entry.objects.filter(pk__in=set().union(*pairs)):
        attendance.return_to_event(entry=entry, by=actor)
    made = seat_changes.add_table(draw=second, entries=set().union(*pairs), by=actor)
    again = {frozenset(chair.entry for chair in side) for side in seats_in(made).tables[max(seats_in(made).tables)][0]}
    assert not pairs & again


def test_it_is_taken_back_until_a_deal_is_recorded_there(nine, actor):
    event, before, games, deals = nine.round.stage.event, seats_in(nine), Game.objects.count(), Deal.objects.count()
    people = [*latecomers(event, actor), *before.sit_outs]
    made = seat_changes.add_table(draw=nine, entries=people, by=actor)
    for _tap in range(2):
        back = seat_changes.take_change_back(draw=made, by=actor)
    assert (seats_in(back), Game.objects.count(), Deal.objects.count()) == (before, games, deals)
    again = seat_changes.add_table(draw=back, entries=people, by=actor)
    play_deals(games_of(again)[2], actor)
    with pytest.raises(StepRefused):
        seat_changes.take_change_back(draw=again, by=actor)


def test_only_people_without_a_seat_in_a_number_that_the_rules_know(nine, actor):
    event, late = nine.round.stage.event, latecomers(nine.round.stage.event, actor)
    with_a_seat = next(seats_in(nine).chairs()).entry
    gone = attendance.leave(entry=attendance.arrive(event=event, by=actor, name="Gone home"), by=actor).pk
    for people in (late, [*late, with_a_seat], [*late, gone], [], [*late, 0]):
        with pytest.raises(StepRefused):
            seat_changes.add_table(draw=nine, entries=people, by=actor)
    assert Draw.objects.count() == 1


@pytest.mark.daily(1)
@pytest.mark.parametrize("format", ["swiss", "ladder"])
def test_a_late_pair_meets_the_one_that_rests(club, actor, browser, format):
    event = paired(club, actor, format, 10)
    decide_round(event, actor)
    draw = publish_next(event, actor)
    play_deals(games_of(draw)[0], actor)
    resting = seats_in(draw).sit_outs
    late = latecomers(event, actor, 2)
    address = reverse("seat_changes", args=["st-hilary", event.slug, draw.groups[0].pk])
    assert browser.get(address).context["more_table"] == [], "who has no partner can't play yet"
    partners.join_side(event=event, entries=list(Entry.objects.filter(pk__in=late)), by=actor)
    assert f"{address}#more-table" in browser.get(event.get_desk_url()).content.decode()
    offered = [keys for keys, _names, _why in browser.get(address).context["more_table"]]
    assert sorted(offered) == sorted(",".join(map(str, side)) for side in (late, resting))
    (offer,) = browser.post(address, {"what": "table", "person": offered}).context["offers"]
    assert "refused" not in offer
    with pytest.raises(StepRefused):
        seat_changes.add_table(draw=draw, entries=[late[0], *resting], by=actor)
    browser.post(address, {"step": "do", **offer["send"]})
    made = event.stages.get().rounds.get(number=2).draws.get(state="published")
    assert sorted(seats_in(made).seats.tables[2]) == sorted([tuple(late), tuple(resting)])
    assert seats_in(made).sit_outs == ()
    play_round(made, actor)
    in_seats = points_by_seats(made) + points_by_seats(earlier_draws(made)[0])
    assert {entry: points for entry, points in points_in_standings(event).items() if points} == in_seats
    publishing.take_back_draw(draw=made, by=actor)
    assert not why_stale(made)
    publishing.publish_draw(draw=made, by=actor)
    publishing.close_round(round=made.round, by=actor, end_open=False)
    decide_round(event, actor)
    assert len(engine_round(played_draws(event)[-1]).tables) == 3


@pytest.mark.daily(1)
@pytest.mark.parametrize("moves", ["losers-stay", "colours"])
def test_four_who_come_late_sit_at_the_last_table_of_a_progressive_night(club, actor, moves):
    event = make_event(club, actor, "progressive", moves=moves)
    draw = seated(event, actor, 9)
    late = latecomers(event, actor, 3)
    for too_few in (1, 2, 3):
        with pytest.raises(StepRefused):
            seat_changes.add_table(draw=draw, entries=late[:too_few], by=actor)
    made = seat_changes.add_table(draw=draw, entries=[*late, *seats_in(draw).sit_outs], by=actor)
    assert sorted(seats_in(made).tables) == [1, 2, 3]
    play_round(made, actor)
    decide_round(event, actor)
    assert len(engine_round(played_draws(event)[-1]).tables) == 3


@pytest.mark.daily(2)
@pytest.mark.parametrize("format", ["round-robin", "knock-out", "team-match", "single-table"])
def test_other_formats_say_why_not(club, actor, browser, format):
    event = make_event(club, actor, format, people=4)
    if event.fixed_sides:
        pair_in_order(event, actor)
    for entry in event.entries.filter(number__gt=2) if format == "team-match" else ():
        partners.set_side_club(event=event, number=entry.team, club_name="Oak", by=actor)
    for entry in event.entries.filter(number__lte=2) if format == "team-match" else ():
        partners.set_side_club(event=event, number=entry.team, club_name="Elm", by=actor)
    draw = publish_next(event, actor)
    if format != "knock-out":
        latecomers(event, actor, 4)
    with pytest.raises(StepRefused):
        seat_changes.add_table(draw=draw, entries=list(event.entries.values_list("pk", flat=True)), by=actor)
    page = browser.get(reverse("seat_changes", args=["st-hilary", event.slug, draw.groups[0].pk]))
    assert page.context["more_table"] == []
    assert bool(page.context["no_table"]) is (format != "knock-out")
