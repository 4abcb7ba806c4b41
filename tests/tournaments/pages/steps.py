"""A night's list of what to do next, and how a night comes to have it."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

from django.utils import timezone

from clubsite.accounts.models import Actor
from scoring.cards.deals import mark_deal
from scoring.models import Deal, DealVersion, Game
from tests.tournaments.nights import (
    arrive,
    games_of,
    publish_next,
)
from tournaments.models import Event
from tournaments.pages.at_tables import at_tables
from tournaments.pages.next_steps import next_steps
from tournaments.pages.night_steps import night_of
from tournaments.pages.steps import NextStep


def begun(event: Event, by: Actor, people: int = 16) -> list[Game]:
    """A first round that is being played: its games in order of tables."""
    arrive(event, by, people)
    games = games_of(publish_next(event, by))
    event.refresh_from_db()
    return games


def tasks(event: Event) -> list[NextStep]:
    now = at_tables(event)
    return next_steps(now, night=night_of(event, now.round, disputes=now.disputes))


def task(event: Event, words: str) -> NextStep:
    (found,) = [one for one in tasks(event) if words in one.title]
    return found


def titles(event: Event) -> str:
    return " | ".join(one.title for one in tasks(event))


def ago(game: Game, number: int, minutes: int) -> None:
    DealVersion.objects.filter(deal__game=game, deal__number=number).update(at=minutes_ago(minutes))


def minutes_ago(minutes: int) -> datetime:
    return timezone.now() - timedelta(minutes=minutes, seconds=5)


def mark(deal: Deal, by: Actor, state: str, reason: str = "") -> None:
    seen = deal.versions.get(current=True).number
    mark_deal(deal=deal, state=state, by=by, submission=uuid4(), seen=seen, reason=reason)
