"""Random directors by the thousand: sequences of steps, each in a transaction of its own that is rolled back."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from django.core.management import call_command
from django.db import connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from clubsite.accounts.models import Actor, Club
from tournaments.engine.formats import TRAITS
from tournaments.models import Event
from tournaments.simulation.contest_director import ContestDirector
from tournaments.simulation.director import Choose, RandomDirector
from tournaments.simulation.night_director import NightDirector
from tournaments.simulation.truths import Truths, no_way_back

BY = Actor(user=None, name="A random director", route="simulated")
FORMATS = (  # competitions have most that can go backward
    *(Event.Format.CONTEST,) * 6,
    *(Event.Format.KNOCK_OUT, Event.Format.ROTATION) * 2,
    Event.Format.SWISS,
    Event.Format.ROUND_ROBIN,
    Event.Format.PROGRESSIVE,
    Event.Format.LADDER,
    Event.Format.TEAM_MATCH,
    Event.Format.SINGLE_TABLE,
)


@dataclass(slots=True)
class Tried:
    """What came of some sequences."""

    sequences: int = 0
    steps: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # format, step, what became of it
    broken: list[str] = field(default_factory=list)  # by sequence: its format, seed, last steps, and what wasn't true

    def __iadd__(self, other: Tried) -> Tried:
        self.sequences += other.sequences
        self.steps += other.steps
        self.broken += other.broken
        return self


def director_of(club: Club, choose: Choose, format: str) -> RandomDirector:
    """A random director with a new event of that format."""
    kind = ContestDirector if TRAITS[format].has_cut else NightDirector
    return kind(club, BY, choose, format)


def own_database() -> None:
    """Give this process an empty database in memory: nobody's data is touched."""
    connections["default"].close()
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    connections["default"] = DatabaseWrapper(connections["default"].settings_dict | own, "default")
    call_command("migrate", verbosity=0, skip_checks=True)
    Club.objects.create(name="A club", slug="club", time_zone="UTC")


def try_sequences(first: int, count: int, steps: int) -> Tried:
    """Try so many sequences of so many steps each, with the seeds from `first` on, in this process's own database."""
    tried = Tried()
    for seed in range(first, first + count):
        tried += try_sequence(seed, steps)
    return tried


def try_sequence(seed: int, steps: int) -> Tried:
    """One sequence: an event of some format, a random director, and the truths after every step done."""
    random, tried, last = Random(seed), Tried(sequences=1), []
    club = Club.objects.get()
    format = random.choice(FORMATS)
    with transaction.atomic():
        try:
            director = director_of(club, random.randrange, format)
            truths = Truths(director.event)
            for _step in range(steps):
                name, outcome = director.step()
                tried.steps[format, name, outcome] += 1
                last.append(f"{name} ({outcome})")
                if (outcome == "done" or name in director.composed) and (found := truths.broken()):
                    tried.broken.append(_told(seed, format, last, found))
                    break
            else:
                director.event.refresh_from_db()
                if found := no_way_back(director.event, BY):
                    tried.broken.append(_told(seed, format, [*last, "everything back"], found))
        except Exception:  # noqa: BLE001  (whatever it is, it is a fault of the program, to be reported with its seed)
            tried.broken.append(_told(seed, format, last, [traceback.format_exc()]))
        transaction.set_rollback(True)
    return tried


def _told(seed: int, format: str, steps: list[str], found: list[str]) -> str:
    return f"seed {seed}, {format}, step {len(steps)}: {'; '.join(found)}\n    after: {', '.join(steps)}"
