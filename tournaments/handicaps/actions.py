"""Verbs on handicaps: the numbers chosen for a game, and those of one night."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from scoring.house_rules.actions import newest
from tournaments.engine.handicap import HandicapRule
from tournaments.errors import StepRefused
from tournaments.events.formats import refuse_lowest
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import ClubHandicap, Event


def choose_numbers(*, club: Club, game: str, rule: HandicapRule, by: Actor) -> ClubHandicap:
    """Choose the club's numbers for a game. Events that give handicaps already keep theirs.

    Raises:
        StepRefused: the club has no such game, or its lowest total wins.
    """
    with transaction.atomic():
        club.lock()
        rules = newest(club, game)
        if rules is None:
            raise StepRefused(_("The club has no such game."))
        refuse_lowest(rules)
        found = ClubHandicap.objects.filter(club=club, game=game).first() or ClubHandicap(club=club, game=game)
        old, new = found.numbers, asdict(rule)
        if old != new:
            found.numbers = new
            found.save()
            log(club=club, by=by, verb="handicap.numbers", subject=rules.title, old=old, new=new)
    return found


def give_handicaps(*, event: Event, rule: HandicapRule | None, by: Actor) -> Event:
    """Let an event give handicaps by these numbers, or None: everybody plays from scratch.

    Raises:
        StepRefused: the result is published, the format isn't for single players, or the lowest total wins.
    """
    with transaction.atomic():
        event = lock_event(event)
        new = asdict(rule) if rule else {}
        if event.handicap == new:
            return event
        refuse_finished(event)
        if rule is not None:
            if not event.single_scores:
                raise StepRefused(_("Handicaps are for club nights on which everybody scores for themselves."))
            refuse_lowest(event.rules)
        old, event.handicap = event.handicap, new
        event.save()
        log(club=event.club, by=by, verb="event.handicap", subject=event, old=old or None, new=new or None)
    return event
