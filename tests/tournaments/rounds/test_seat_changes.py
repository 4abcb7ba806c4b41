"""Seats changed while a round is being played: what counts for whom, in every format, and the way back."""

import pytest

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game, reopen_game
from scoring.models import Deal, DealVersion, Game, Points
from tests.tournaments import contests
from tests.tournaments.draws.test_by_format import paired
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_round, publish_next, seated
from tests.tournaments.seats import at, games_are_whole, out, points_by_seats, points_in_standings
from tournaments.documents.sheets import seating_sheet
from tournaments.draws.changes import swap_units
from tournaments.draws.drafts import engine_round, seats_in
from tournaments.draws.making import make_draw, why_stale
from tournaments.draws.rotation import add_wish, stored_outcomes
from tournaments.draws.round_views import round_view, seats_of
from tournaments.engine.verify import make_statement
from tournaments.entries import partners
from tournaments.entries.actions import add_entry
from tournaments.errors import StepRefused
from tournaments.events.state import night_stage
from tournaments.models import Draw, Entry, Event, Group, GroupGame, Seat, TableLink, Wish
from tournaments.rounds import attendance, publishing, seat_changes
from tournaments.rounds.seat_changes import Newcomer
from tournaments.standings.results import publish_result
from tournaments.standings.standings import standings_of


def test_who_comes_late_takes_the_seat_of_who_goes_home(event, draw, actor):
    games, leaving = games_of(draw), at(draw, 1, 0)
    play_deals(games[1], actor, deals=2)  # the other table has begun: it doesn't matter
    late = attendance.arrive(event=event, name="Lena Late", by=actor)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor, reason="ill")
    assert at(made, 1, 0) == late
    assert [c.entry for c in seats_in(made).chairs()][1:] == [c.entry for c in seats_in(draw).chairs()][1:]
    games_are_whole(made, games, deals=2)
    assert games[0].sides.get(number=0).names[0] == "Lena Late"
    leaving.refresh_from_db()
    draw.refresh_from_db()
    assert (leaving.state, draw.state, made.state) == ("withdrawn", "withdrawn", "published")
    entry = LogEntry.objects.get(verb="seats.take")
    assert entry.new["names"] == [leaving.name, "Lena Late"]
    assert entry.new["reason"] == "ill"
    play_deals(games[0], actor)
    counted = points_by_seats(made)
    assert points_in_standings(event) == {**dict.fromkeys(counted, 0), **counted, out(made).pk: 0}
    assert leaving.pk not in counted


def test_who_sits_out_or_a_guest_takes_a_seat_and_is_here(event, draw, actor):
    sitting, leaving = out(draw), at(draw, 2, 3)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(sitting), by=actor)
    assert seats_in(made).sit_outs == ()
    assert at(made, 2, 3) == sitting
    made = seat_changes.take_over(draw=made, leaving=at(made, 1, 1), newcomer=Newcomer(guest=" Gil  Guest "), by=actor)
    guest = event.entries.get(name="Gil Guest")
    assert (at(made, 1, 1), guest.state) == (guest, Entry.State.HERE)


def test_with_deals_on_the_card_a_seat_changes_hands_only_where_they_sat_so(event, draw, actor):
    games, leaving = games_of(draw), at(draw, 1, 0)
    play_deals(games[0], actor, deals=2)
    late = attendance.arrive(event=event, name="Lena Late", by=actor)
    with pytest.raises(StepRefused, match="Deals are recorded at table 1"):
        seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor)
    other = at(draw, 2, 0)
    with pytest.raises(StepRefused, match="Deals are recorded at table 1"):
        seat_changes.swap(draw=draw, entry=leaving.pk, other=other.pk, by=actor)
    assert Draw.objects.count() == 1
    before = points_in_standings(event)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor, sat=True)
    after = points_in_standings(event)
    assert after[late.pk] == before[leaving.pk] == points_by_seats(made)[late.pk]
    assert leaving.pk not in after
    games_are_whole(made, games, deals=2)


def test_who_plays_on_for_somebody_scores_for_them(event, draw, actor):
    games, absent = games_of(draw), at(draw, 1, 2)
    play_deals(games[0], actor)
    made = seat_changes.play_for(
        draw=draw, absent=absent, newcomer=Newcomer(guest="Ruth Reed"), by=actor, gone=True, reason="ill"
    )
    seat = Seat.objects.get(draw=made, entry=absent)
    assert seat.name == f"Ruth Reed for {absent.name}"
    assert seat.name in games[0].sides.get(number=seat.side).names
    games[0].refresh_from_db()
    play_deals(games[0], actor)
    counted = points_by_seats(made)
    assert points_in_standings(event)[absent.pk] == counted[absent.pk] != 0
    assert not event.entries.filter(name="Ruth Reed").exists()
    absent.refresh_from_db()
    assert absent.state == Entry.State.WITHDRAWN
    games_are_whole(made, games, deals=2)
    again = seat_changes.play_for(draw=made, absent=absent, newcomer=Newcomer(absent), by=actor)
    assert Seat.objects.get(draw=again, entry=absent).name == absent.name
    with pytest.raises(StepRefused, match="is already playing"):
        seat_changes.play_for(draw=again, absent=absent, newcomer=Newcomer(absent), by=actor)


def test_who_plays_for_somebody_is_not_told_to_sit_out(draw, actor):
    """“Find your seat” and the list at the door sent them away from the table where they were awaited."""
    sitting, absent = out(draw), at(draw, 1, 2)
    made = seat_changes.play_for(
        draw=draw, absent=absent, newcomer=Newcomer(sitting), by=actor, gone=True, reason="ill"
    )
    assert list(round_view(draw).sit_outs) == seating_sheet(draw)["sit_outs"] == [sitting.name]
    assert list(round_view(made).sit_outs) == seating_sheet(made)["sit_outs"] == []
    assert [line.table for line in seats_of(round_view(made)) if sitting.name in line.name] == [1]
    assert engine_round(made).sit_outs == (sitting.pk,)  # the round without a seat is worth what it was


def test_a_card_that_goes_on_names_who_sits_there_again(draw, actor):
    game, absent = games_of(draw)[0], at(draw, 1, 2)
    play_deals(game, actor)
    made = seat_changes.play_for(
        draw=draw, absent=absent, newcomer=Newcomer(guest="Ruth Reed"), by=actor, gone=False, reason="late"
    )
    side = Seat.objects.get(draw=made, entry=absent).side
    end_game(game=Game.objects.get(pk=game.pk), by=actor, reason="time")
    seat_changes.take_change_back(draw=made, by=actor)
    assert f"Ruth Reed for {absent.name}" in game.sides.get(number=side).names  # who played it
    reopen_game(game=Game.objects.get(pk=game.pk), by=actor, reason="there is time left")
    names = game.sides.get(number=side).names
    assert (absent.name in names, len(names)) == (True, 2)


def test_nobody_plays_at_two_places(event, draw, actor):
    a, b, elsewhere = at(draw, 1, 0), at(draw, 1, 1), at(draw, 2, 0)
    for verb in (seat_changes.take_over, seat_changes.play_for):
        who = {"leaving" if verb is seat_changes.take_over else "absent": a}
        with pytest.raises(StepRefused, match="already has a seat, at table 2"):
            verb(draw=draw, newcomer=Newcomer(elsewhere), by=actor, **who)
        with pytest.raises(StepRefused, match="already has a seat, at table 2"):
            verb(draw=draw, newcomer=Newcomer(guest=elsewhere.name.upper()), by=actor, **who)
    made = seat_changes.play_for(draw=draw, absent=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    for verb in (seat_changes.take_over, seat_changes.play_for):
        who = {"leaving" if verb is seat_changes.take_over else "absent": b}
        with pytest.raises(StepRefused, match="plays for somebody at table 1"):
            verb(draw=made, newcomer=Newcomer(guest="ruth"), by=actor, **who)
    for bad in ("", " - ", "R" * 81):
        with pytest.raises(StepRefused):
            seat_changes.play_for(draw=made, absent=b, newcomer=Newcomer(guest=bad), by=actor)
    with pytest.raises(StepRefused, match="has no seat"):
        seat_changes.play_for(draw=made, absent=out(made), newcomer=Newcomer(guest="Zoe"), by=actor)
    gone = attendance.leave(entry=attendance.arrive(event=event, name="Gone Girl", by=actor), by=actor)
    with pytest.raises(StepRefused, match="has left"):
        seat_changes.take_over(draw=made, leaving=b, newcomer=Newcomer(gone), by=actor)


def test_two_at_wrong_tables_change_places_and_so_does_who_sits_out(event, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 0)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=b.pk, by=actor, reason="misread")
    assert (at(made, 1, 0), at(made, 2, 0)) == (b, a)
    assert (games[0].sides.get(number=0).names[0], games[1].sides.get(number=0).names[0]) == (b.name, a.name)
    games_are_whole(made, games, deals=0)
    assert made.by_hand
    sitting = out(made)
    made = seat_changes.swap(draw=made, entry=b.pk, other=sitting.pk, by=actor)
    assert (at(made, 1, 0), out(made)) == (sitting, b)


def test_who_really_sat_there_has_what_is_recorded(event, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 3)
    play_deals(games[0], actor, deals=2)
    play_deals(games[1], actor)
    before = points_in_standings(event)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=b.pk, by=actor, sat=True)
    after = points_in_standings(event)
    assert (after[a.pk], after[b.pk]) == (before[b.pk], before[a.pk])
    assert {**after, a.pk: 0, b.pk: 0} == {**before, a.pk: 0, b.pk: 0}
    assert {pk: n for pk, n in after.items() if n} == {pk: n for pk, n in points_by_seats(made).items() if n}
    games_are_whole(made, games, deals=3)


def test_a_table_plays_at_another_number_with_its_cards(event, draw, actor):
    games = games_of(draw)
    play_deals(games[0], actor)
    people = [at(draw, 1, n) for n in range(4)]
    before = points_in_standings(event)
    made = seat_changes.move_table(draw=draw, table=1, to=9, by=actor, reason="a leg broke")
    assert sorted(seats_in(made).tables) == [2, 9]
    assert [at(made, 9, n) for n in range(4)] == people
    assert GroupGame.objects.get(game=games[0]).group.table.number == 9
    assert Game.objects.get(pk=games[0].pk).title.endswith("Table 9")
    assert points_in_standings(event) == before
    back = seat_changes.move_table(draw=made, table=9, to=2, by=actor)  # the two exchange numbers
    assert {number: len(groups) for number, groups in seats_in(back).tables.items()} == {2: 1, 9: 1}
    assert Game.objects.get(pk=games[1].pk).title.endswith("Table 9")
    assert Deal.objects.count() == 1
    for to in (2, 0, 100):
        with pytest.raises(StepRefused, match="Choose another number"):
            seat_changes.move_table(draw=back, table=2, to=to, by=actor)
    with pytest.raises(StepRefused, match="no table 5"):
        seat_changes.move_table(draw=back, table=5, to=1, by=actor)


def test_a_wish_for_a_table_is_told_by_where_it_plays(event, actor):
    arrive(event, actor, 8)
    staying = event.entries.get(number=1)
    add_wish(event=event, by=actor, wished=Wish(kind="stay", entry=staying, table=2))
    draw = publish_next(event, actor)
    assert [outcome.met for outcome in stored_outcomes(draw.statement)] == [True]
    assert [f.met for f in stored_outcomes(seat_changes.move_table(draw=draw, table=1, to=5, by=actor).statement)] == [
        True
    ]
    moved = seat_changes.move_table(draw=Draw.objects.get(state="published"), table=2, to=3, by=actor)
    assert [outcome.met for outcome in stored_outcomes(moved.statement)] == [False]
    a, b = at(moved, 3, 0), at(moved, 5, 0)
    swapped = seat_changes.swap(draw=moved, entry=a.pk, other=b.pk, by=actor)
    assert [outcome.met for outcome in stored_outcomes(swapped.statement)] == [False]
    home = seat_changes.move_table(draw=swapped, table=3, to=2, by=actor)
    staying_at = Seat.objects.get(draw=home, entry=staying).group.table.number
    assert [outcome.met for outcome in stored_outcomes(home.statement)] == [staying_at == 2]


def test_each_change_is_taken_back_the_last_first(event, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 0)
    play_deals(games[1], actor)
    late = attendance.arrive(event=event, name="Lena Late", by=actor)
    first = seat_changes.take_over(draw=draw, leaving=a, newcomer=Newcomer(late), by=actor)
    second = seat_changes.move_table(draw=first, table=1, to=2, by=actor)
    third = seat_changes.play_for(draw=second, absent=b, newcomer=Newcomer(guest="Ruth"), by=actor)
    back = third
    for wanted in (second, first, draw):
        back = seat_changes.take_change_back(draw=back, by=actor)
        assert seats_in(back) == seats_in(wanted)
        wanted.refresh_from_db()
        assert back.statement == wanted.statement
        assert [g.title for g in games_of(back)] == [seat_title(back, g) for g in games_of(back)]
    games_are_whole(back, games, deals=1)
    a.refresh_from_db()
    assert a.state == Entry.State.HERE
    assert games[0].sides.get(number=0).names[0] == a.name
    with pytest.raises(StepRefused, match="no more changes"):
        seat_changes.take_change_back(draw=back, by=actor)


def seat_title(draw, game):
    row = GroupGame.objects.select_related("group__table").get(game=game)
    return publishing.game_title(row.group, draw, number=row.number)


def test_a_change_stays_once_deals_rest_on_it(event, draw, actor):
    game, a, b = games_of(draw)[0], at(draw, 1, 0), at(draw, 2, 0)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=b.pk, by=actor)
    play_deals(game, actor)
    with pytest.raises(StepRefused, match="Deals have been recorded there since"):
        seat_changes.take_change_back(draw=made, by=actor)
    for verb in (
        lambda d: seat_changes.move_table(draw=d, table=1, to=9, by=actor),
        lambda d: seat_changes.play_for(draw=d, absent=a, newcomer=Newcomer(guest="Ruth"), by=actor),
    ):
        changed = verb(made)
        game.refresh_from_db()
        play_deals(game, actor)
        made = seat_changes.take_change_back(draw=changed, by=actor)
        assert seats_in(made).tables.keys() == {1, 2}


def test_a_double_tap_changes_once(event, draw, actor):
    a, b = at(draw, 1, 0), at(draw, 2, 0)
    late = attendance.arrive(event=event, name="Lena Late", by=actor)
    deeds = [
        lambda d: seat_changes.take_over(draw=d, leaving=a, newcomer=Newcomer(late), by=actor),
        lambda d: seat_changes.play_for(draw=d, absent=b, newcomer=Newcomer(guest="Ruth"), by=actor),
        lambda d: seat_changes.swap(draw=d, entry=b.pk, other=late.pk, by=actor),
        lambda d: seat_changes.move_table(draw=d, table=1, to=9, by=actor),
        lambda d: seat_changes.take_change_back(draw=d, by=actor),
    ]
    now = draw
    for deed in deeds:
        made = deed(now)
        assert deed(now) == made
        with pytest.raises(StepRefused, match="have changed since"):
            seat_changes.move_table(draw=now, table=2, to=7, by=actor)  # what another director sees is old
        now = made
    assert Draw.objects.count() == 1 + len(deeds)


def test_what_rests_on_the_seats_is_taken_back_or_opened_first(event, draw, actor):
    def refused(words, one):
        with pytest.raises(StepRefused, match=words):
            seat_changes.move_table(draw=one, table=1, to=9, by=actor)
        with pytest.raises(StepRefused, match=words):
            seat_changes.play_for(draw=one, absent=at(one, 1, 0), newcomer=Newcomer(guest="Ruth"), by=actor)

    play_round(draw, actor)
    refused("Round 1 is closed. Reopen it first", draw)
    second = publish_next(event, actor)
    refused("A later round is published", draw)
    publishing.take_back_draw(draw=second, by=actor)
    refused("This draw isn't published", second)
    publish_result(event=event, by=actor)
    refused("This night is closed", draw)


def test_a_draft_of_the_next_round_is_drawn_anew_around_the_change(event, draw, actor):
    draft = make_draw(stage=night_stage(event), by=actor)
    assert not why_stale(draft)
    made = seat_changes.swap(draw=draw, entry=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk, by=actor)
    assert "The rounds before it have changed" in why_stale(draft)
    play_round(made, actor)
    second = publish_next(event, actor)
    assert second.statement["partner"]["repeats"] == 0
    counted = make_statement([engine_round(made), engine_round(second)], [e.pk for e in event.entries.all()])
    assert second.statement["opponent"]["repeats"] == counted.opponent.repeats


def test_a_changed_draw_is_taken_back_and_comes_again_with_its_games(draw, actor):
    games = games_of(draw)
    made = seat_changes.swap(draw=draw, entry=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk, by=actor)
    publishing.take_back_draw(draw=made, by=actor)
    with pytest.raises(StepRefused, match="moved to a later version"):
        publishing.publish_draw(draw=draw, by=actor)
    publishing.publish_draw(draw=made, by=actor)
    games_are_whole(made, games, deals=0)
    assert seats_in(seat_changes.take_change_back(draw=made, by=actor)) == seats_in(draw)


# Two tables wrote on each other's cards


def group_of(draw, table, number=1):
    return Group.objects.select_related("table__draw").get(table__draw=draw, table__number=table, number=number)


def exchanged(draw, actor, one=1, other=2):
    group, other_group = group_of(draw, one), group_of(draw, other)
    return seat_changes.exchange_cards(draw=draw, group=group, other=other_group, by=actor, reason="wrong card")


def test_each_table_gets_the_others_card_with_its_deals(event, draw, actor):
    first, second = games_of(draw)
    play_deals(first, actor, deals=3)
    rows = list(DealVersion.objects.order_by("pk").values()), list(Points.objects.order_by("pk").values())
    was, seats = points_by_seats(draw), seats_in(draw)
    made = exchanged(draw, actor)
    assert games_of(made) == [second, first]
    assert (list(DealVersion.objects.order_by("pk").values()), list(Points.objects.order_by("pk").values())) == rows
    assert seats_in(made) == seats
    now = points_by_seats(made)
    assert [now[at(made, 2, place).pk] for place in range(4)] == [was[at(draw, 1, place).pk] for place in range(4)]
    assert sum(now[at(made, 1, place).pk] for place in range(4)) == 0
    standing = points_in_standings(event)
    assert {entry: points for entry, points in standing.items() if points} == {e: p for e, p in now.items() if p}
    for game, group in ((first, group_of(made, 2)), (second, group_of(made, 1))):
        game.refresh_from_db()
        assert [side.names for side in game.sides.all()] == group.names
        assert f"Table {group.table.number}" in game.title
    entry = LogEntry.objects.get(verb="seats.cards")
    assert (entry.new["names"], entry.new["reason"]) == (["1", "2"], "wrong card")


def test_a_tables_link_opens_the_card_that_is_now_its_own(draw, actor):
    links = {link.pk: link.group.table.number for link in TableLink.objects.select_related("group__table")}
    play_deals(games_of(draw)[0], actor)
    made = exchanged(draw, actor)
    found = TableLink.objects.select_related("group__table")
    assert {link.pk: link.group.table.number for link in found} == links
    assert {link.group.table.draw_id for link in found} == {made.pk}


def test_both_go_on_and_a_double_tap_exchanges_once(draw, actor):
    first, second = games_of(draw)
    play_deals(first, actor, deals=2)
    play_deals(second, actor, deals=1)
    made = exchanged(draw, actor)
    assert exchanged(draw, actor, one=2, other=1) == made
    second.refresh_from_db()
    play_deals(second, actor)
    assert Deal.objects.count() == 4
    assert points_by_seats(made)[at(made, 1, 0).pk] == second.sides.get(number=0).total


def test_it_is_taken_back_until_somebody_plays_on(draw, actor):
    games = games_of(draw)
    play_deals(games[0], actor)
    before = points_by_seats(draw)
    back = seat_changes.take_change_back(draw=exchanged(draw, actor), by=actor)
    assert games_of(back) == games
    assert points_by_seats(back) == before
    assert [side.names for side in games[0].sides.all()] == group_of(back, 1).names
    again = exchanged(back, actor)
    play_deals(games[1], actor)
    with pytest.raises(StepRefused, match="Deals have been recorded there since"):
        seat_changes.take_change_back(draw=again, by=actor)


def test_what_cant_be_exchanged_is_refused(club, draw, actor):
    with pytest.raises(StepRefused, match="No deal is recorded on either card"):
        exchanged(draw, actor)
    play_deals(games_of(draw)[0], actor)
    with pytest.raises(StepRefused, match="Choose another table"):
        exchanged(draw, actor, other=1)
    _contest, elsewhere = contests.drawn_contest(club, actor)
    with pytest.raises(StepRefused, match="Choose another table"):
        seat_changes.exchange_cards(draw=draw, group=group_of(draw, 1), other=group_of(elsewhere, 1), by=actor)
    Group.objects.filter(pk=group_of(draw, 2).pk).update(ended="the hall closes")
    with pytest.raises(StepRefused, match="table 2 was ended early"):
        exchanged(draw, actor)
    assert Draw.objects.filter(round=draw.round).count() == 1


def test_groups_of_three_and_four_keep_their_cards(draw, actor):
    play_deals(games_of(draw)[0], actor)
    draw.seats.get(group=group_of(draw, 2), side=1, position=1).delete()
    with pytest.raises(StepRefused, match="different numbers of players"):
        exchanged(draw, actor)


def test_both_groups_of_one_table_are_told_apart(club, actor):
    _contest, draw = contests.drawn_contest(club, actor)
    one, other = (group_of(draw, 1, number).games.get().game for number in (1, 2))
    play_deals(one, actor)
    made = seat_changes.exchange_cards(draw=draw, group=group_of(draw, 1), other=group_of(draw, 1, 2), by=actor)
    assert [group_of(made, 1, number).games.get().game for number in (1, 2)] == [other, one]
    one.refresh_from_db()
    assert one.title.endswith("Group B")


# Where it is allowed, in every kind of event


def test_a_competition_gives_a_seat_to_a_reserve_and_to_a_guest(club, actor):
    event, draw = contests.drawn_contest(club, actor, games=2)
    entries = list(event.entries.order_by("number"))
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    made = seat_changes.take_over(draw=draw, leaving=entries[5], newcomer=Newcomer(reserve), by=actor)
    made = seat_changes.take_over(draw=made, leaving=entries[6], newcomer=Newcomer(guest="Gil Guest"), by=actor)
    states = dict(event.entries.values_list("name", "state"))
    assert [states[n] for n in (entries[5].name, "Rita Reserve", "Gil Guest")] == ["withdrawn", "here", "here"]
    assert Game.objects.count() == 36
    again = seat_changes.take_change_back(draw=made, by=actor)
    assert event.entries.get(name="Gil Guest").state == Entry.State.RESERVE
    assert again.seats.filter(entry=entries[6]).exists()


def test_a_table_of_a_competition_moves_with_both_its_groups(club, actor):
    event, draw = contests.drawn_contest(club, actor)
    game = games_of(draw)[0]
    contests.deal(game, actor, [5, 4, 3])
    made = seat_changes.move_table(draw=draw, table=1, to=9, by=actor)
    assert seats_in(made).tables[9] == seats_in(draw).tables[1]
    assert seats_in(made).tables[1] == seats_in(draw).tables[9]
    row = GroupGame.objects.get(game=game)
    assert (row.group.table.draw, row.group.table.number) == (made, 9)
    assert {r.group for r in standings_of(contests.stage_of(event, 1)).rows if r.points} == {str(row.group)}


def test_in_a_final_somebody_plays_for_a_finalist_and_the_cut_says_whose_seat_it_is(club, actor):
    event = contests.played_contest(club, actor)
    first = contests.cut_stage(event, actor).stage
    draw = contests.drawn(contests.stage_of(event, 2), actor)
    a, b = at(draw, 1, 0), at(draw, 2, 0)
    with pytest.raises(StepRefused, match="cut decides who plays"):
        seat_changes.take_over(draw=draw, leaving=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    made = seat_changes.play_for(draw=draw, absent=a, newcomer=Newcomer(guest="Ruth"), by=actor)
    made = seat_changes.swap(draw=made, entry=a.pk, other=b.pk, by=actor)
    assert Seat.objects.get(draw=made, entry=a).name == f"Ruth for {a.name}"  # who plays for her goes along
    tables = {n: {e for g in t for s in g for e in s} for n, t in enumerate(seats_in(made).seating)}
    before = seats_in(Draw.objects.get(round__stage=first, state="published"))
    mates = [{e for g in t for s in g for e in s} for t in before.seating]
    again = sum(len(t & m) * (len(t & m) - 1) // 2 for t in tables.values() for m in mates)
    assert made.statement["met_again"] == again
    with pytest.raises(StepRefused, match=r"cut of .* is published"):
        seat_changes.move_table(draw=Draw.objects.get(round__stage=first, state="published"), table=1, to=20, by=actor)


FORMATS = [  # may a seat be another's, may two change places, may two tables change numbers
    (Event.Format.ROTATION, "yes", "yes", "yes"),
    (Event.Format.PROGRESSIVE, "yes", "yes", "order of the tables"),
    (Event.Format.ROUND_ROBIN, "partners stay together", "yes", "yes"),
    (Event.Format.SWISS, "partners stay together", "yes", "yes"),
    (Event.Format.LADDER, "partners stay together", "yes", "order of the tables"),
    (Event.Format.KNOCK_OUT, "partners stay together", "bracket of a knock-out", "order of the tables"),
    (Event.Format.TEAM_MATCH, "partners stay together", "yes", "yes"),
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
            partners.set_side_club(event=event, number=number, club_name=("Oaks", "Acorns")[number % 2], by=actor)
    draw = publish_next(event, actor)
    games, a = games_of(draw), at(draw, 1, 0)
    units = {unit.key: unit for unit in swap_units(draw)}
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
        if seat_changes.why_final(now):
            break
        now = seat_changes.take_change_back(draw=now, by=actor)


def test_a_single_table_plays_anywhere(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"), slug="one", format=Event.Format.SINGLE_TABLE)
    draw = seated(event, actor, 4)
    made = seat_changes.move_table(draw=draw, table=1, to=7, by=actor)
    assert sorted(seats_in(made).tables) == [7]


def test_a_gap_in_the_numbers_is_refused_where_tables_are_counted(club, actor):
    event = paired(club, actor, "swiss", 8)
    with pytest.raises(StepRefused, match="no gaps here: choose one from 1 to 2"):
        seat_changes.move_table(draw=publish_next(event, actor), table=1, to=9, by=actor)
