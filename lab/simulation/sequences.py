"""Random directors by the thousand: sequences of steps, each in a transaction of its own that is rolled back."""

from __future__ import annotations

import gc
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Event as Flag

from django.core.management import call_command
from django.db import connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from clubsite.accounts.models import Actor, Club
from lab.simulation.contest_director import ContestDirector
from lab.simulation.director import Choose, RandomDirector
from lab.simulation.night_director import NightDirector
from lab.simulation.truths import Truths, no_way_back, no_way_on
from tournaments.engine.formats import TRAITS
from tournaments.models import Event

BY = Actor(user=None, name="A random director", route="simulated")
STATEMENTS = 5_000  # that SQLite keeps prepared
YOUNG = 50_000  # new objects between garbage collections: queries leave many small circles of objects
FORMATS = (  # competitions most often, as they have most that can be taken back
    *(Event.Format.CONTEST,) * 6,
    *(Event.Format.KNOCK_OUT, Event.Format.ROTATION) * 2,
    Event.Format.SWISS,
    Event.Format.ROUND_ROBIN,
    Event.Format.GROUPS,
    Event.Format.DOUBLE_KNOCK_OUT,
    Event.Format.OUT_AFTER,
    Event.Format.PROGRESSIVE,
    Event.Format.LADDER,
    Event.Format.RUNGS,
    Event.Format.OPEN_PLAY,
    Event.Format.OPEN_PAIRS,
    Event.Format.TEAM_MATCH,
    Event.Format.SINGLE_TABLE,
)
MATCHES = (  # where the same people score together all along, and nights of couples
    Event.Format.ROUND_ROBIN,
    Event.Format.GROUPS,
    Event.Format.DOUBLE_KNOCK_OUT,
    Event.Format.OUT_AFTER,
    Event.Format.KNOCK_OUT,
    Event.Format.SWISS,
    Event.Format.TEAM_MATCH,
    Event.Format.LADDER,
    Event.Format.RUNGS,
    Event.Format.OPEN_PAIRS,
    Event.Format.SINGLE_TABLE,
    Event.Format.ROTATION,
)


@dataclass(slots=True)
class TriedSequences:
    """What was found in a number of sequences, added up."""

    sequences: int = 0
    steps: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # by format, step and what became of it
    broken: list[str] = field(default_factory=list)  # by sequence: its format, seed, last steps, and what wasn't true

    def __iadd__(self, other: TriedSequences) -> TriedSequences:
        self.sequences += other.sequences
        self.steps += other.steps
        self.broken += other.broken
        return self

    @property
    def told(self) -> str:
        return f"{sum(self.steps.values())} steps: {len(self.broken)} broken"


def own_database() -> None:
    """Give this process an empty database in memory: nobody's data is touched.

    Garbage is looked for seldom from now on, and what is there already is left out of the search.
    """
    connections["default"].close()
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {"cached_statements": STATEMENTS}}
    connections["default"] = DatabaseWrapper(connections["default"].settings_dict | own, "default")
    call_command("migrate", verbosity=0, skip_checks=True)
    Club.objects.create(name="A club", slug="club", time_zone="UTC")
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 100)


@contextmanager
def stop_on_interrupt() -> Iterator[Flag]:
    flag = Flag()
    before = {which: signal.signal(which, lambda *_args: flag.set()) for which in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)


def make_director(club: Club, choose: Choose, *, format: str) -> RandomDirector:
    kind = ContestDirector if TRAITS[format].has_cut else NightDirector
    return kind(club, BY, choose=choose, format=format)


def try_sequence(seed: int, *, steps: int, formats: Sequence[str] = FORMATS) -> TriedSequences:
    """One sequence in this process's own database: an event of one of these formats, a random director, the truths
    after every step done, and the ways on and back at the end."""
    random, tried, last = Random(seed), TriedSequences(sequences=1), []
    club = Club.objects.get()
    format = random.choice(formats)
    with transaction.atomic():
        try:
            director = make_director(club, random.randrange, format=format)
            truths = Truths(director.event)
            for _step in range(steps):
                name, outcome = director.step()
                tried.steps[format, name, outcome] += 1
                last.append(f"{name} ({outcome})")
                if (outcome == "done" or name in director.composed) and (found := truths.broken()):
                    tried.broken.append(_describe_failure(seed, format, steps=last, found=found))
                    break
            else:
                director.event.refresh_from_db()
                for what, ways in (("go on to the end", no_way_on), ("everything back", no_way_back)):
                    if found := ways(director.event, BY):
                        tried.broken.append(_describe_failure(seed, format, steps=[*last, what], found=found))
        except Exception:  # noqa: BLE001  (whatever it is, it is a fault of the program, to be reported with its seed)
            tried.broken.append(_describe_failure(seed, format, steps=last, found=[traceback.format_exc()]))
        transaction.set_rollback(True)
    return tried


def _describe_failure(seed: int, format: str, *, steps: list[str], found: list[str]) -> str:
    return f"seed {seed}, {format}, step {len(steps)}: {'; '.join(found)}\n    after: {', '.join(steps)}"
