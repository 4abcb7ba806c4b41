"""Two tables wrote on each other's cards: the cards go to those who played, with all that is recorded on them."""

import pytest

from clubsite.accounts.models import LogEntry
from scoring.models import Deal, DealVersion, Points
from tests.tournaments import contests
from tests.tournaments.nights import arrive, games_of, play_deals, publish_next
from tests.tournaments.seats import at, points_by_seats, points_in_standings
from tournaments.draws.drafts import seated_in
from tournaments.errors import StepRefused
from tournaments.events.state import stage_of
from tournaments.models import Draw, Group, TableLink
from tournaments.rounds import seat_changes


@pytest.fixture
def draw(event, actor):
    """Nine people: two tables, one sits out."""
    arrive(event, actor, 9)
    return publish_next(event, actor)


def group_of(draw, table, number=1):
    return Group.objects.select_related("table__draw").get(table__draw=draw, table__number=table, number=number)


def contest_drawn(club, actor):
    """A competition of 54, two groups of three at each table, drawn and published."""
    contest = contests.contest(club, actor)
    contests.enter(contest, actor)
    return contests.drawn(stage_of(contest), actor)


def exchange(draw, actor, one=1, other=2):
    group, other_group = group_of(draw, one), group_of(draw, other)
    return seat_changes.exchange_cards(draw=draw, group=group, other=other_group, by=actor, reason="wrong card")


def test_each_table_gets_the_others_card_with_its_deals(event, draw, actor):
    first, second = games_of(draw)
    play_deals(first, actor, deals=3)
    rows = list(DealVersion.objects.order_by("pk").values()), list(Points.objects.order_by("pk").values())
    was, seats = points_by_seats(draw), seated_in(draw)
    made = exchange(draw, actor)
    assert games_of(made) == [second, first]
    assert (list(DealVersion.objects.order_by("pk").values()), list(Points.objects.order_by("pk").values())) == rows
    assert seated_in(made) == seats
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
    made = exchange(draw, actor)
    found = TableLink.objects.select_related("group__table")
    assert {link.pk: link.group.table.number for link in found} == links
    assert {link.group.table.draw_id for link in found} == {made.pk}


def test_both_go_on_and_a_double_tap_exchanges_once(draw, actor):
    first, second = games_of(draw)
    play_deals(first, actor, deals=2)
    play_deals(second, actor, deals=1)
    made = exchange(draw, actor)
    assert exchange(draw, actor, one=2, other=1) == made
    second.refresh_from_db()
    play_deals(second, actor)
    assert Deal.objects.count() == 4
    assert points_by_seats(made)[at(made, 1, 0).pk] == second.sides.get(number=0).total


def test_it_is_taken_back_until_somebody_plays_on(draw, actor):
    games = games_of(draw)
    play_deals(games[0], actor)
    before = points_by_seats(draw)
    back = seat_changes.take_change_back(draw=exchange(draw, actor), by=actor)
    assert games_of(back) == games
    assert points_by_seats(back) == before
    assert [side.names for side in games[0].sides.all()] == group_of(back, 1).names
    again = exchange(back, actor)
    play_deals(games[1], actor)
    with pytest.raises(StepRefused, match="Deals have been recorded there since"):
        seat_changes.take_change_back(draw=again, by=actor)


def test_what_cant_be_exchanged_is_refused(club, draw, actor):
    with pytest.raises(StepRefused, match="No deal is recorded on either card"):
        exchange(draw, actor)
    play_deals(games_of(draw)[0], actor)
    with pytest.raises(StepRefused, match="Choose another table"):
        exchange(draw, actor, other=1)
    elsewhere = contest_drawn(club, actor)
    with pytest.raises(StepRefused, match="Choose another table"):
        seat_changes.exchange_cards(draw=draw, group=group_of(draw, 1), other=group_of(elsewhere, 1), by=actor)
    Group.objects.filter(pk=group_of(draw, 2).pk).update(ended="the hall closes")
    with pytest.raises(StepRefused, match="table 2 was ended early"):
        exchange(draw, actor)
    assert Draw.objects.filter(round=draw.round).count() == 1


def test_groups_of_three_and_four_keep_their_cards(draw, actor):
    play_deals(games_of(draw)[0], actor)
    draw.seats.get(group=group_of(draw, 2), side=1, position=1).delete()
    with pytest.raises(StepRefused, match="different numbers of players"):
        exchange(draw, actor)


def test_both_groups_of_one_table_are_told_apart(club, actor):
    draw = contest_drawn(club, actor)
    one, other = (group_of(draw, 1, number).games.get().game for number in (1, 2))
    play_deals(one, actor)
    made = seat_changes.exchange_cards(draw=draw, group=group_of(draw, 1), other=group_of(draw, 1, 2), by=actor)
    assert [group_of(made, 1, number).games.get().game for number in (1, 2)] == [other, one]
    one.refresh_from_db()
    assert one.title.endswith("Group B")
