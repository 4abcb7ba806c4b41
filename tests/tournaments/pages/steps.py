"""A night's list of what to do next, and how a night comes to have it."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from scoring.cards.deals import mark_deal
from scoring.models import DealVersion
from tests.tournaments.nights import games_of, play_deals, seated
from tournaments.pages.at_tables import event_tables
from tournaments.pages.next_steps import NightProgress, next_steps


def begun(event, by, people=16):
    """A first round that is being played: its games in order of tables."""
    games = games_of(seated(event, by, people))
    event.refresh_from_db()
    return games


def tasks(event):
    now = event_tables(event)
    return next_steps(now, NightProgress(event, now.round, disputes=now.disputes).tasks())


def task(event, words):
    (found,) = [one for one in tasks(event) if words in one.title]
    return found


def titles(event):
    return " | ".join(one.title for one in tasks(event))


def ago(game, number, minutes):
    DealVersion.objects.filter(deal__game=game, deal__number=number).update(at=minutes_ago(minutes))


def played_ago(games, by, minutes):
    """A deal at each of the tables, so many minutes ago."""
    for game, ago_at_table in zip(games, minutes, strict=True):
        play_deals(game, by)
        ago(game, 1, ago_at_table)


def minutes_ago(minutes):
    return timezone.now() - timedelta(minutes=minutes, seconds=5)


def mark(deal, by, state, reason=""):
    seen = deal.versions.get(current=True).number
    mark_deal(deal=deal, state=state, by=by, submission=uuid4(), seen=seen, reason=reason)
