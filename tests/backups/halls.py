"""Two clubs in the middle of a night each, and what happens there after a backup."""

import json
import zipfile

from clubsite.accounts.models import Actor, Club, LogEntry, Role, Session
from clubsite.jobs.models import Shared
from clubsite.operations.backup import DATABASES, MANIFEST
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from tests.conftest import make_user
from tests.kept import all_rows, made_once
from tests.scoring.cards.test_race import alone
from tests.tournaments import nights
from tournaments.models import Event

DORA = Actor(user=None, name="Dora")


def an_evening(slug):
    club = Club.objects.create(name=slug.title(), slug=slug, time_zone="America/Chicago")
    rules = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=DORA)
    night = nights.make_night(club, rules)
    nights.arrive(night, DORA, 8)
    nights.play_deals(nights.games_of(nights.publish_next(night, DORA))[0], DORA)
    make_user(f"sam.{slug}", club, Role.Kind.SCOREKEEPER)
    return club


def evenings():
    return alone(lambda: made_once("two evenings", lambda: (an_evening("hilary"), an_evening("harbour"))))


def play_on(club):
    """Deals, a new member, another event, other settings."""
    night = club.events.get(slug="friday")
    games = nights.games_of(night.stages.get().rounds.get().draws.get())
    nights.play_deals(games[1], DORA)
    nights.make_members(club, 9)
    nights.make_night(club, night.rules, slug="saturday", day=7)
    Club.objects.filter(pk=club.pk).update(correction_minutes=7)
    Event.objects.filter(pk=night.pk).update(place="In the garden")


def recorded():
    """Every row that people recorded: not the log, which goes on, nor sessions and notes of the machine."""
    return {model: rows for model, rows in all_rows().items() if model not in (LogEntry, Session, Shared)}


def rewritten(path, *, without=(), **changed):
    """The same backup with another manifest, and without some of its files."""
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read(MANIFEST))
        files = {name: archive.read(name) for name in archive.namelist() if name not in (MANIFEST, *without)}
    assert DATABASES[manifest["vendor"]] in files
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, json.dumps({k: v for k, v in (manifest | changed).items() if v is not None}))
        for name, content in files.items():
            archive.writestr(name, content)
