"""Seasons to test with: nights with results written down, as closing a night publishes them."""

from datetime import date

from clubsite.accounts.models import Member
from tests.tournaments.nights import make_night
from tournaments.models import Event, PublishedStandings, Season, Stage
from tournaments.seasons.actions import change_rule, preview_rule
from tournaments.standings.standings import Row


def make_season(club, name="Winter"):
    return Season.objects.create(club=club, name=name, starts=date(2054, 10, 1), ends=date(2055, 3, 31))


def member(club, name):
    return Member.objects.get_or_create(club=club, name=name)[0]


def confirm(season, terms, by):
    """Change a season's rule after looking at what that changes."""
    return change_rule(season=season, terms=terms, by=by, seen=preview_rule(season, terms, by=by).seen)


def closed_night(season, rules, day, points, guests=None):
    event = make_night(season.club, rules, slug=f"night-{season.pk}-{day}", season=season, day=day)
    event.state = Event.State.FINISHED
    event.save()
    came = [(name, own, member(season.club, name).pk) for name, own in points.items()]
    came += [(name, own, None) for name, own in (guests or {}).items()]
    came.sort(key=lambda one: -one[1])
    order = [own for _name, own, _member in came]
    rows = [
        Row(
            entry=n,
            number=n,
            name=name,
            place=1 + order.index(own),
            shared=order.count(own) > 1,
            points=own,
            games_won="1",
            games_played=2,
            sets=0,
            member=pk,
        ).to_data()
        for n, (name, own, pk) in enumerate(came, start=1)
    ]
    stage = Stage.objects.create(event=event, number=1, name="Club night")
    PublishedStandings.objects.create(event=event, stage=stage, number=1, rows=rows, final=True)
    return event
