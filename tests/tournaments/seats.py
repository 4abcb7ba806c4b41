"""Who sits where in a draw, and what was scored there, for tests of seats."""

from collections import Counter

from scoring.models import Deal, Game, Points
from tests.tournaments.nights import games_of
from tournaments.draws.drafts import seats_in
from tournaments.events.state import night_stage
from tournaments.models import Entry, GroupGame, Seat
from tournaments.standings.standings import standings_of


def at(draw, table, place):
    people = [chair.entry for group in seats_in(draw).tables[table] for side in group for chair in side]
    return Entry.objects.get(pk=people[place])


def out(draw):
    (entry,) = seats_in(draw).sit_outs
    return Entry.objects.get(pk=entry)


def points_by_seats(draw):
    """Entry to points, added up from the deals that stand and the seats of the published draw alone."""
    found = Counter()
    for seat in Seat.objects.filter(draw=draw):
        for points in Points.objects.filter(
            version__current=True, version__deal__game__group_game__group=seat.group, side=seat.side
        ):
            found[seat.entry_id] += points.points
    return found


def points_in_standings(event):
    rows = standings_of(night_stage(event)).rows
    return {one.entry: row.points - row.credit - row.missed_credit for row in rows for one in row.persons}


def games_are_whole(draw, games, deals):
    """The very games hang on the draw, with their deals, and nothing besides."""
    assert games_of(draw) == games
    assert Game.objects.count() == GroupGame.objects.count() == len(games)
    assert Deal.objects.count() == deals
    assert not Game.objects.filter(set_aside=True).exists()
