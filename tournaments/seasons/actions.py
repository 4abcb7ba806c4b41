"""Verbs on seasons: make one, change its name and days, and say which a night counts in."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.previews import fingerprint
from tournaments.errors import StepRefused
from tournaments.events.actions import refuse_other_way
from tournaments.events.state import lock_event
from tournaments.models import Event, Season


def create_season(*, club: Club, by: Actor, name: str, starts: date, ends: date) -> Season:
    """Make a season. The same name and days again give the season that is there.

    Raises:
        StepRefused: another season has the name, or the last day is before the first.
    """
    name = " ".join(name.split())
    with transaction.atomic():
        club.lock()
        same = Season.objects.filter(club=club, name=name).first()
        if same and (same.starts, same.ends) == (starts, ends):
            return same
        season = Season(club=club, name=name, starts=starts, ends=ends)
        _refuse_bad(season)
        season.save()
        log(club=club, by=by, verb="season.make", subject=name, new={"starts": str(starts), "ends": str(ends)})
    return season


def change_season(*, season: Season, by: Actor, name: str, starts: date, ends: date, seen: str | None = None) -> Season:
    """Give a season another name or other days. Which nights count in it is said on each night, whatever its day.

    `seen` is the fingerprint of the name and the days that the page showed (`as_seen`).

    Raises:
        StepRefused: another season has the name, the last day is before the first, or what was seen isn't so any more.
    """
    with transaction.atomic():
        season = season.lock()
        old, changed = _facts_in_log(season), seen is not None and seen != as_seen(season)
        now = {"name": season.name, "starts": date_format(season.starts), "ends": date_format(season.ends)}
        season.name, season.starts, season.ends = " ".join(name.split()), starts, ends
        if _facts_in_log(season) == old:
            return season
        if changed:
            raise StepRefused(
                _(
                    "Somebody else has changed this season meanwhile: “%(name)s”, %(starts)s – %(ends)s. What you "
                    "wrote stands below; save it if it is right all the same."
                )
                % now
            )
        _refuse_bad(season)
        season.save()
        log(club=season.club, by=by, verb="season.change", subject=season, old=old, new=_facts_in_log(season))
    return season


def as_seen(season: Season) -> str:
    """A fingerprint of a season's name and days."""
    return fingerprint(_facts_in_log(season))


def _refuse_bad(season: Season) -> None:
    if season.ends < season.starts:
        raise StepRefused(_("The last day is before the first."))
    if Season.objects.filter(club=season.club, name=season.name).exclude(pk=season.pk).exists():
        raise StepRefused(_("The club has a season %(name)s already. Choose another name.") % {"name": season.name})


def _facts_in_log(season: Season) -> dict[str, str]:
    return {"name": season.name, "starts": str(season.starts), "ends": str(season.ends)}


def assign_season(*, event: Event, season: Season | None, by: Actor) -> Event:
    """Let an event count in a season of its club, or in none.

    Raises:
        StepRefused: the season is another club's, or its other events count the other way.
    """
    with transaction.atomic():
        event = lock_event(event)
        if season is not None and season.club_id != event.club_id:
            raise StepRefused(_("That season is another club's."))
        if event.season != season:
            refuse_other_way(season, event.rules, but=event)
            old, event.season = event.season, season
            event.save()
            log(club=event.club, by=by, verb="season.assign", subject=event, old=str(old), new=str(season))
    return event
