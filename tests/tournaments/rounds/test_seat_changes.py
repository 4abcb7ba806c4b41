"""Seats changed while a round is being played: what counts for whom, in every format, and the way back."""

import pytest

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game, reopen_game
from scoring.models import Deal, Game
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_round, publish_next
from tests.tournaments.seats import at, games_are_whole, out, points_by_seats, points_in_standings
from tournaments.documents.sheets import seating_sheet
from tournaments.draws.drafts import as_played, seated_in
from tournaments.draws.making import make_draw, why_stale
from tournaments.draws.rotation import add_wish, fates_of
from tournaments.draws.round_views import round_view, seats_of
from tournaments.engine.verify import statement
from tournaments.errors import StepRefused
from tournaments.events.state import stage_of
from tournaments.models import Draw, Entry, Group, GroupGame, Seat, Wish
from tournaments.rounds import attendance, publishing, seat_changes
from tournaments.rounds.seat_changes import Newcomer
from tournaments.standings.results import publish_result


@pytest.fixture
def night(club, rules_for):
    return make_night(club, rules_for("st-hilary-v3"))


@pytest.fixture
def draw(night, actor):
    """Nine people: two tables, one sits out."""
    arrive(night, actor, 9)
    return publish_next(night, actor)


def test_who_comes_late_takes_the_seat_of_who_goes_home(night, draw, actor):
    games, leaving = games_of(draw), at(draw, 1, 0)
    play_deals(games[1], actor, deals=2)  # the other table has begun: it doesn't matter
    late = attendance.arrive(event=night, name="Lena Late", by=actor)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor, reason="ill")
    assert at(made, 1, 0) == late
    assert [c.entry for c in seated_in(made).chairs()][1:] == [c.entry for c in seated_in(draw).chairs()][1:]
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
    assert points_in_standings(night) == {**dict.fromkeys(counted, 0), **counted, out(made).pk: 0}
    assert leaving.pk not in counted


def test_who_sits_out_takes_a_seat_and_sits_out_no_more(draw, actor):
    sitting, leaving = out(draw), at(draw, 2, 3)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(sitting), by=actor)
    assert seated_in(made).sit_outs == ()
    assert at(made, 2, 3) == sitting


def test_a_guest_takes_a_seat_and_is_here(night, draw, actor):
    made = seat_changes.take_over(draw=draw, leaving=at(draw, 1, 1), newcomer=Newcomer(guest="  Gil  Guest "), by=actor)
    guest = night.entries.get(name="Gil Guest")
    assert (at(made, 1, 1), guest.state) == (guest, Entry.State.HERE)


def test_the_printed_statement_is_that_of_the_changed_seats(night, draw, actor):
    play_round(draw, actor)
    second = publish_next(night, actor)
    mates = {p: m for table in as_played(draw).tables for side in table for p, m in (side, side[::-1])}
    a = next(p for p in as_played(second).seated if mates.get(p) in as_played(second).seated)
    partner = next(p for table in as_played(second).tables for side in table for p in side if a in side and p != a)
    made = seat_changes.swap(draw=second, entry=partner, other=mates[a], by=actor)
    counted = statement([as_played(draw), as_played(made)], [e.pk for e in night.entries.all()])
    assert made.statement["partner"]["repeats"] == counted.partner.repeats >= 1
    assert made.statement["table_mate"]["repeats"] == counted.table_mate.repeats


def test_with_deals_on_the_card_a_seat_changes_hands_only_where_they_sat_so(night, draw, actor):
    games, leaving = games_of(draw), at(draw, 1, 0)
    play_deals(games[0], actor, deals=2)
    late = attendance.arrive(event=night, name="Lena Late", by=actor)
    with pytest.raises(StepRefused, match="Deals are recorded at table 1"):
        seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor)
    other = at(draw, 2, 0)
    with pytest.raises(StepRefused, match="Deals are recorded at table 1"):
        seat_changes.swap(draw=draw, entry=leaving.pk, other=other.pk, by=actor)
    assert Draw.objects.count() == 1
    before = points_in_standings(night)
    made = seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(late), by=actor, sat=True)
    after = points_in_standings(night)
    assert after[late.pk] == before[leaving.pk] == points_by_seats(made)[late.pk]
    assert leaving.pk not in after
    games_are_whole(made, games, deals=2)


def test_who_plays_on_for_somebody_scores_for_them(night, draw, actor):
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
    assert points_in_standings(night)[absent.pk] == counted[absent.pk] != 0
    assert not night.entries.filter(name="Ruth Reed").exists()
    absent.refresh_from_db()
    assert absent.state == Entry.State.WITHDRAWN
    games_are_whole(made, games, deals=2)
    again = seat_changes.play_for(draw=made, absent=absent, newcomer=Newcomer(absent), by=actor)
    assert Seat.objects.get(draw=again, entry=absent).name == absent.name
    with pytest.raises(StepRefused, match="plays already"):
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
    assert as_played(made).sit_outs == (sitting.pk,)  # the round without a seat is worth what it was


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


def test_nobody_plays_at_two_places(night, draw, actor):
    a, b, elsewhere = at(draw, 1, 0), at(draw, 1, 1), at(draw, 2, 0)
    for verb in (seat_changes.take_over, seat_changes.play_for):
        who = {"leaving" if verb is seat_changes.take_over else "absent": a}
        with pytest.raises(StepRefused, match="has a seat already, at table 2"):
            verb(draw=draw, newcomer=Newcomer(elsewhere), by=actor, **who)
        with pytest.raises(StepRefused, match="has a seat already, at table 2"):
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
    gone = attendance.leave(entry=attendance.arrive(event=night, name="Gone Girl", by=actor), by=actor)
    with pytest.raises(StepRefused, match="has left"):
        seat_changes.take_over(draw=made, leaving=b, newcomer=Newcomer(gone), by=actor)


def test_two_at_wrong_tables_change_places(night, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 0)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=b.pk, by=actor, reason="misread")
    assert (at(made, 1, 0), at(made, 2, 0)) == (b, a)
    assert (games[0].sides.get(number=0).names[0], games[1].sides.get(number=0).names[0]) == (b.name, a.name)
    games_are_whole(made, games, deals=0)
    assert made.by_hand


def test_who_really_sat_there_has_what_is_recorded(night, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 3)
    play_deals(games[0], actor, deals=2)
    play_deals(games[1], actor)
    before = points_in_standings(night)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=b.pk, by=actor, sat=True)
    after = points_in_standings(night)
    assert (after[a.pk], after[b.pk]) == (before[b.pk], before[a.pk])
    assert {**after, a.pk: 0, b.pk: 0} == {**before, a.pk: 0, b.pk: 0}
    assert {pk: n for pk, n in after.items() if n} == {pk: n for pk, n in points_by_seats(made).items() if n}
    games_are_whole(made, games, deals=3)


def test_who_sits_out_changes_places_with_a_player(draw, actor):
    sitting, a = out(draw), at(draw, 1, 0)
    made = seat_changes.swap(draw=draw, entry=a.pk, other=sitting.pk, by=actor)
    assert (at(made, 1, 0), out(made)) == (sitting, a)


def test_a_table_plays_at_another_number_with_its_cards(night, draw, actor):
    games = games_of(draw)
    play_deals(games[0], actor)
    people = [at(draw, 1, n) for n in range(4)]
    before = points_in_standings(night)
    made = seat_changes.move_table(draw=draw, table=1, to=9, by=actor, reason="a leg broke")
    assert sorted(seated_in(made).tables) == [2, 9]
    assert [at(made, 9, n) for n in range(4)] == people
    assert GroupGame.objects.get(game=games[0]).group.table.number == 9
    assert Game.objects.get(pk=games[0].pk).title.endswith("Table 9")
    assert points_in_standings(night) == before
    back = seat_changes.move_table(draw=made, table=9, to=2, by=actor)  # the two exchange numbers
    assert {number: len(groups) for number, groups in seated_in(back).tables.items()} == {2: 1, 9: 1}
    assert Game.objects.get(pk=games[1].pk).title.endswith("Table 9")
    assert Deal.objects.count() == 1
    for to in (2, 0, 100):
        with pytest.raises(StepRefused, match="Choose another number"):
            seat_changes.move_table(draw=back, table=2, to=to, by=actor)
    with pytest.raises(StepRefused, match="no table 5"):
        seat_changes.move_table(draw=back, table=5, to=1, by=actor)


def test_a_wish_for_a_table_is_told_by_where_it_plays(night, actor):
    arrive(night, actor, 8)
    staying = night.entries.get(number=1)
    add_wish(event=night, by=actor, wished=Wish(kind="stay", entry=staying, table=2))
    draw = publish_next(night, actor)
    assert [fate.met for fate in fates_of(draw.statement)] == [True]
    assert [f.met for f in fates_of(seat_changes.move_table(draw=draw, table=1, to=5, by=actor).statement)] == [True]
    moved = seat_changes.move_table(draw=Draw.objects.get(state="published"), table=2, to=3, by=actor)
    assert [fate.met for fate in fates_of(moved.statement)] == [False]
    a, b = at(moved, 3, 0), at(moved, 5, 0)
    swapped = seat_changes.swap(draw=moved, entry=a.pk, other=b.pk, by=actor)
    assert [fate.met for fate in fates_of(swapped.statement)] == [False]
    home = seat_changes.move_table(draw=swapped, table=3, to=2, by=actor)
    staying_at = Seat.objects.get(draw=home, entry=staying).group.table.number
    assert [fate.met for fate in fates_of(home.statement)] == [staying_at == 2]


def test_each_change_is_taken_back_the_last_first(night, draw, actor):
    games, a, b = games_of(draw), at(draw, 1, 0), at(draw, 2, 0)
    play_deals(games[1], actor)
    late = attendance.arrive(event=night, name="Lena Late", by=actor)
    first = seat_changes.take_over(draw=draw, leaving=a, newcomer=Newcomer(late), by=actor)
    second = seat_changes.move_table(draw=first, table=1, to=2, by=actor)
    third = seat_changes.play_for(draw=second, absent=b, newcomer=Newcomer(guest="Ruth"), by=actor)
    back = third
    for wanted in (second, first, draw):
        back = seat_changes.take_change_back(draw=back, by=actor)
        assert seated_in(back) == seated_in(wanted)
        wanted.refresh_from_db()
        assert back.statement == wanted.statement
        assert [g.title for g in games_of(back)] == [seat_title(back, g) for g in games_of(back)]
    games_are_whole(back, games, deals=1)
    a.refresh_from_db()
    assert a.state == Entry.State.HERE
    assert games[0].sides.get(number=0).names[0] == a.name
    with pytest.raises(StepRefused, match="No change"):
        seat_changes.take_change_back(draw=back, by=actor)


def seat_title(draw, game):
    row = GroupGame.objects.select_related("group__table").get(game=game)
    return publishing.title_of(row.group, draw, number=row.number)


def test_a_change_stays_once_deals_rest_on_it(night, draw, actor):
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
        assert seated_in(made).tables.keys() == {1, 2}


def test_a_double_tap_changes_once(night, draw, actor):
    a, b = at(draw, 1, 0), at(draw, 2, 0)
    late = attendance.arrive(event=night, name="Lena Late", by=actor)
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


def test_what_rests_on_the_seats_is_taken_back_or_opened_first(night, draw, actor):
    def refused(words, one):
        with pytest.raises(StepRefused, match=words):
            seat_changes.move_table(draw=one, table=1, to=9, by=actor)
        with pytest.raises(StepRefused, match=words):
            seat_changes.play_for(draw=one, absent=at(one, 1, 0), newcomer=Newcomer(guest="Ruth"), by=actor)

    play_round(draw, actor)
    refused("Round 1 is closed. Open it again first", draw)
    second = publish_next(night, actor)
    refused("A later round is published", draw)
    publishing.take_back_draw(draw=second, by=actor)
    refused("This draw isn't published", second)
    publish_result(event=night, by=actor)
    refused("This night is closed", draw)


def test_a_draft_of_the_next_round_is_drawn_anew_around_the_change(night, draw, actor):
    draft = make_draw(stage=stage_of(night), by=actor)
    assert not why_stale(draft)
    made = seat_changes.swap(draw=draw, entry=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk, by=actor)
    assert "The rounds before it have changed" in why_stale(draft)
    play_round(made, actor)
    second = publish_next(night, actor)
    assert second.statement["partner"]["repeats"] == 0
    counted = statement([as_played(made), as_played(second)], [e.pk for e in night.entries.all()])
    assert second.statement["opponent"]["repeats"] == counted.opponent.repeats


def test_a_changed_draw_is_taken_back_and_comes_again_with_its_games(draw, actor):
    games = games_of(draw)
    made = seat_changes.swap(draw=draw, entry=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk, by=actor)
    publishing.take_back_draw(draw=made, by=actor)
    with pytest.raises(StepRefused, match="went over to a later version"):
        publishing.publish_draw(draw=draw, by=actor)
    publishing.publish_draw(draw=made, by=actor)
    games_are_whole(made, games, deals=0)
    assert seated_in(seat_changes.take_change_back(draw=made, by=actor)) == seated_in(draw)


def test_groups_know_which_they_follow(draw, actor):
    made = seat_changes.move_table(draw=draw, table=1, to=9, by=actor)
    followed = {group.table.number: group.follows.table.number for group in Group.objects.filter(table__draw=made)}
    assert followed == {9: 1, 2: 2}
    back = seat_changes.take_change_back(draw=made, by=actor)
    assert {g.follows.table.draw for g in Group.objects.filter(table__draw=back)} == {made}
