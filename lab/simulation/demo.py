"""The demo's data: three invented clubs, played by `lab.simulation.play`, and their rows as a file for any site.

The same seed gives the same people, draws and deals every time; only the dates differ.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from random import Random
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import DateField, ForeignKey, Model
from django.utils import timezone

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member, Role, User
from clubsite.accounts.starting import DEMO_LOADED
from lab.simulation.people import COUNTY, HARBOUR, PARISH
from lab.simulation.play import ROUTE, Pace, Stop, play_event
from scoring.engine.core.ruleset import Shape, shipped
from scoring.models import DealVersion, HouseRules
from tournaments.demo import DATA, MARK, PEOPLE, running_since
from tournaments.entries.actions import import_names
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.models import Cut, Draw, Event, PublishedStandings, TableLink
from tournaments.rounds import attendance
from tournaments.seasons.actions import create_season

SEED = 1954
PARISH_NIGHTS = (24, 22, 20, 23, 24, 20, 21, 25, 28, 22, 20, 26)  # how many are present; the last is on now
HARBOUR_EVENINGS = (16, 15, 16)
PARISH_ON_NOW = {"hour": 19, "minutes": 165}  # when it usually begins, and for how long it has been on at least
COUNTY_ON_NOW = {"hour": 10, "minutes": 330}

# Where the clubs are: what goes by that agrees.
CHICAGO = {"time_zone": "America/Chicago", "date_place": Club.DatePlace.UNITED_STATES, "paper": Club.Paper.LETTER}
LONDON = {"time_zone": "Europe/London", "date_place": Club.DatePlace.BRITAIN, "paper": Club.Paper.A4}

MINUTES = {"arrive": 20, "draw": 5, "deal": 6, "close": 4, "cut": 10, "result": 5}
STAMPED: tuple[tuple[type[Model], str], ...] = (
    (LogEntry, "at"),
    (DealVersion, "at"),
    (Draw, "made_at"),
    (Draw, "published_at"),
    (Cut, "made_at"),
    (Cut, "published_at"),
    (PublishedStandings, "at"),
    (Event, "result_at"),
    (HouseRules, "published_at"),
)
EVERY_DEAL = STAMPED[:2]

APART = 10**9  # between the keys of one model and those of the next: so a number within JSON says whose key it is
APPS = ("accounts", "scoring", "tournaments")
LEFT_OUT = (User, TableLink)  # made anew
TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+([+-]\d\d:\d\d|Z))?")

Say = Callable[[str], None]


class Clock:
    """A clock that moves on with each step of a simulated event, never past the moment at which the demo is made.

    Rows that still have the time of making get the clock's time.
    """

    def __init__(self, making: datetime) -> None:
        self.making = making
        self.now = making - timedelta(days=1)

    def set(self, moment: datetime) -> None:
        """Go on from another moment; rows written so far first get the clock's time as it is now."""
        self.stamp()
        self.now = moment

    def step(self, kind: str) -> None:
        self.now += timedelta(minutes=MINUTES[kind])
        self.stamp(EVERY_DEAL if kind == "deal" else STAMPED)

    def stamp(self, stamped: tuple[tuple[type[Model], str], ...] = STAMPED) -> None:
        moment = min(self.now, self.making - timedelta(seconds=1))
        for model, field in stamped:
            model._default_manager.filter(**{f"{field}__gte": self.making}).update(**{field: moment})


def make_demo(say: Say) -> None:
    with transaction.atomic():
        number_apart()
        making = _DemoMaker(say)
        parts = [making.parish(), making.harbour(), making.county()]
        transaction.set_rollback(True)
    text = json.dumps(parts, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    DATA.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    say(f"{DATA.name}: {DATA.stat().st_size:,} bytes")


# --- Playing ---------------------------------------------------------------------------------------------------------


def _at(day: datetime, hour: int, *, minute: int = 0) -> datetime:
    """This hour and minute of that day, in the zone of `day`."""
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0)


class _DemoMaker:
    def __init__(self, say: Say) -> None:
        self.say = say
        self.now = timezone.now()
        self.clock = Clock(self.now)
        self.users = list[tuple[User, str]]()
        self.written = dict[type[Model], int]()  # the last key of each model
        for username, full_name in PEOPLE:
            user = User(username=username)
            user.set_full_name(full_name)
            user.save()
            self.users.append((user, username))
        director = self.users[0][0]
        self.by = Actor(user=director, name=director.get_full_name(), route=ROUTE)

    def parish(self) -> dict[str, Any]:
        rng = Random(SEED)
        nights = PARISH_NIGHTS
        last = running_since(self.today(CHICAGO), **PARISH_ON_NOW)
        first = last - timedelta(weeks=len(nights) - 1)
        self.clock.set(first - timedelta(days=10))
        club = self.club("St. Hilary (demo)", "st-hilary", place=CHICAGO)
        members = self.members(club, PARISH[:-2])
        season = create_season(
            club=club, by=self.by, name="Season of twelve nights", starts=first.date(), ends=last.date()
        )
        planned = partial(self.night, club, "st-hilary-v3", place="Parish hall")
        planned(name="Pinochle supper", starts=_at(last + timedelta(weeks=1), 18, minute=30))
        pace = Pace(rounds=4, time=7)
        for number, present in enumerate(nights, start=1):
            starts = last if number == len(nights) else _at(last - timedelta(weeks=len(nights) - number), 19)
            self.clock.set(starts - timedelta(days=6))
            event = planned(name=f"Pinochle night {number}", starts=starts, season=season)
            self.here(event, rng, members=members, present=present)
            if number in (4, 9):
                attendance.arrive(event=event, by=self.by, name=PARISH[-1 if number == 4 else -2])
            self.clock.step("arrive")
            stop = Stop(3, 6) if starts == last else None
            play_event(event, rng, by=self.by, pace=pace, stop=stop, watch=self.clock.step)
            self.say(f"{club}: night {number} of {len(nights)}, {event.entries.count()} present")
        return self.part(club, {"began": last, **PARISH_ON_NOW})

    def harbour(self) -> dict[str, Any]:
        rng, today = Random(SEED + 1), self.today(LONDON)
        evenings = HARBOUR_EVENINGS
        self.clock.set(today - timedelta(weeks=2 * len(evenings) + 1))
        club = self.club("Harbour Hand and Foot (demo)", "harbour", place=LONDON)
        members = self.members(club, HARBOUR)
        planned = partial(self.night, club, "hand-and-foot", place="Reading room, Quay Street")
        for number, present in enumerate(evenings, start=1):
            starts = _at(today - timedelta(days=14 * (len(evenings) - number) + 5), 19)
            self.clock.set(starts - timedelta(days=10))
            event = planned(name=f"Hand and Foot evening {number}", starts=starts)
            self.here(event, rng, members=members, present=present)
            self.clock.step("arrive")
            play_event(event, rng, by=self.by, pace=Pace(rounds=3), watch=self.clock.step)
            self.say(f"{club}: evening {number} of {len(evenings)}, {event.entries.count()} present")
        self.clock.set(today - timedelta(days=3))
        planned(name=f"Hand and Foot evening {len(evenings) + 1}", starts=_at(today + timedelta(days=9), 19))
        return self.part(club, None)

    def county(self) -> dict[str, Any]:
        rng, today = Random(SEED + 2), self.today(CHICAGO)
        self.clock.set(today - timedelta(weeks=26))
        club = self.club("County Pinochle (demo)", "county", place=CHICAGO)
        starts = _at(today - timedelta(weeks=20), 10)
        cup = self.contest(club, "Courthouse Cup", starts=starts, names=COUNTY[:18], places=18)
        self.clock.set(starts)
        play_event(cup, rng, by=self.by, watch=self.clock.step)
        self.say(f"{club}: {cup}, {cup.entries.count()} entries, result published")
        invitational = _at(today + timedelta(weeks=5), 10)
        self.contest(club, "Lakeside Invitational", starts=invitational, names=PARISH[:24], places=36, days=(75, 70))
        starts = running_since(today, **COUNTY_ON_NOW)
        contest = self.contest(club, "County Championship", starts=starts, names=COUNTY, places=54)
        self.clock.set(starts)
        play_event(contest, rng, by=self.by, stop=Stop(2, 15), watch=self.clock.step)
        self.say(f"{club}: {contest}, {contest.entries.count()} entries, stopped in the middle of the second stage")
        return self.part(club, {"began": starts, **COUNTY_ON_NOW})

    def part(self, club: Club, on_now: dict[str, Any] | None) -> dict[str, Any]:
        """A club's rows as data: those that have been added since the last part."""
        self.clock.stamp()
        tables = list[tuple[str, list[str], list[list[Any]]]]()
        for model in models():
            rows = list(model._base_manager.filter(pk__gt=self.written.get(model, 0)).order_by("pk"))
            if rows:
                self.written[model] = rows[-1].pk
                tables += model_tables(model, rows)
        return {"zone": club.time_zone, "made": self.now, "on_now": on_now, "tables": tables}

    def today(self, place: Mapping[str, str]) -> datetime:
        return self.now.astimezone(ZoneInfo(place["time_zone"]))

    def club(self, name: str, slug: str, *, place: Mapping[str, str]) -> Club:
        club = Club.objects.create(name=name, slug=slug, **place)
        club.lock()
        Role.objects.bulk_create(Role(user=user, club=club, kind=kind) for user, kind in self.users)
        log(club=club, by=self.by, verb=DEMO_LOADED, subject=club, new={"seed": SEED})
        return club

    def members(self, club: Club, names: Sequence[str]) -> list[Member]:
        made = Member.objects.bulk_create(Member(club=club, name=name) for name in names)
        for member in made:
            log(club=club, by=self.by, verb="member.add", subject=member.name)
        self.clock.stamp()
        return made

    def night(self, club: Club, rules: str, *, name: str, starts: datetime, place: str, **more: Any) -> Event:
        game = _game_choice(club, rules)
        facts = EventFacts(name=name, game=game, shape=Shape(2, 2), starts_at=starts, place=place, **more)
        return create_event(club=club, by=self.by, format=Event.Format.ROTATION, facts=facts)

    def contest(
        self,
        club: Club,
        name: str,
        *,
        starts: datetime,
        names: Sequence[str],
        places: int,
        days: tuple[int, int] = (30, 3),
    ) -> Event:
        """A competition, planned and its names entered so many days before; names beyond its places are reserves."""
        self.clock.set(starts - timedelta(days=days[0]))
        facts = EventFacts(
            name=name,
            game=_game_choice(club, "three-hand-double-pinochle"),
            shape=Shape(3),
            starts_at=starts,
            place="Fairground hall",
            places=places,
            games=4,
        )
        event = create_event(club=club, by=self.by, format=Event.Format.CONTEST, facts=facts)
        self.clock.set(starts - timedelta(days=days[1]))
        import_names(event=event, names=names, by=self.by, submission=UUID(int=SEED + places, version=4))
        return event

    def here(self, event: Event, rng: Random, *, members: Sequence[Member], present: int) -> None:
        self.clock.set(event.starts_at - timedelta(minutes=25))
        for member in rng.sample(list(members), present):
            attendance.arrive(event=event, by=self.by, member=member)


def _game_choice(club: Club, slug: str) -> GameChoice:
    return GameChoice(slug, shipped()[slug], club.house_rules.filter(slug=slug).order_by("-version").first())


# --- Writing ---------------------------------------------------------------------------------------------------------


def models() -> list[type[Model]]:
    """The models whose rows belong to clubs, each after those that it refers to; last the log, in which all may be."""
    waiting = [model for app in APPS for model in apps.get_app_config(app).get_models() if model not in LEFT_OUT]
    ordered: list[type[Model]] = []
    while waiting:
        ready = [model for model in waiting if not {*referred_to(model)} & {*waiting} - {model}]
        ordered += ready
        waiting = [model for model in waiting if model not in ready]
    return sorted(ordered, key=lambda model: model is LogEntry)


def referred_to(model: type[Model]) -> Iterator[type[Model]]:
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey):
            yield field.related_model


def number_apart() -> None:
    with connection.cursor() as cursor:
        for n, model in enumerate(models(), start=1):
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [model._meta.db_table, n * APART])


def model_tables(model: type[Model], rows: Sequence[Model]) -> Iterator[tuple[str, list[str], list[list[Any]]]]:
    """The name of a model, the columns in which any row differs from a new one, and their values; in several tables
    where rows refer to rows of the same model, such as a draw to the one before it."""
    fields = [
        field
        for field in model._meta.concrete_fields
        if field.primary_key
        or (field.name != "submission" and any(getattr(row, field.attname) != field.get_default() for row in rows))
    ]

    def value(row: Model, field: Any) -> Any:
        found = getattr(row, field.attname)
        if field.primary_key:
            return found % APART
        if model is LogEntry and field.name in ("old", "new"):
            return mark_keys(found, times=True)
        if found is not None and (isinstance(field, DateField) or field.is_relation):
            if field.related_model is User:
                return f"{MARK}accounts.User:{found}"
            return f"{MARK}{found.isoformat()}" if isinstance(found, date) else mark_keys(found)
        return mark_keys(found)

    label, columns, data = model._meta.label, [field.attname for field in fields], list[list[Any]]()
    for row in rows:
        values = [value(row, field) for field in fields]
        text = json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False)
        if any(f'"{MARK}{label}:{earlier[0]}"' in text for earlier in data):
            yield label, columns, data
            data = []
        data.append(values)
    yield label, columns, data


def mark_keys(value: Any, *, times: bool = False) -> Any:
    if isinstance(value, int) and value > APART:
        return f"{MARK}{models()[value // APART - 1]._meta.label}:{value % APART}"
    if isinstance(value, str):
        if value.isdecimal() and int(value) > APART:
            return mark_keys(int(value))
        return f"{MARK}{value}" if times and TIME.fullmatch(value) else value
    if isinstance(value, list | tuple):
        return [mark_keys(item, times=times) for item in value]
    if isinstance(value, dict):
        return {mark_keys(key): mark_keys(item, times=times) for key, item in value.items()}
    return value
