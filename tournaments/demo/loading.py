"""The demo: three invented clubs with everything that the pages show, played by `tournaments.simulation.play`.

The same seed gives the same people, draws and deals every time; only dates (relative to today) and passwords differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member, Role, User
from clubsite.accounts.starting import LOADED, first_free
from clubsite.codes import random_code
from scoring.engine.core.ruleset import Shape, shipped
from tournaments.demo.backdating import Clock, evening, running_since
from tournaments.entries.actions import import_names
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.models import Event
from tournaments.rounds import attendance
from tournaments.seasons.actions import create_season
from tournaments.simulation.people import COUNTY, HARBOUR, PARISH
from tournaments.simulation.play import ROUTE, Pace, Stop, play_event

SEED = 1954

PARISH_NIGHTS = (24, 22, 20, 23, 24, 20, 21, 25, 28, 22, 20, 26)  # how many are present; the last is on now
HARBOUR_EVENINGS = (16, 15, 16)

# Where the clubs are: what goes by that agrees.
CHICAGO = {"time_zone": "America/Chicago", "date_place": Club.DatePlace.UNITED_STATES, "paper": Club.Paper.LETTER}
LONDON = {"time_zone": "Europe/London", "date_place": Club.DatePlace.BRITAIN, "paper": Club.Paper.A4}

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is loaded: a whole demo, or a small one for tests."""

    nights: int = len(PARISH_NIGHTS)
    present: int = 28  # people at a night, at most
    rounds: int = 4
    time: int = 7  # deals after which a round's time is up
    evenings: int = len(HARBOUR_EVENINGS)
    places: int = 54
    cup: int = 18
    games: int = 4  # games of a set, at most


WHOLE = Size()
LOOK = Size(nights=3, present=20, rounds=3, time=4, evenings=1, cup=0, games=1)
"""What somebody who only wants to look waits for: a few seconds."""
SMALL = Size(nights=2, present=16, rounds=2, time=3, evenings=1, places=18, cup=0, games=1)


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """Somebody who can log in. The password is kept nowhere else in the clear."""

    username: str
    password: str
    role: str


@dataclass(frozen=True, slots=True)
class Demo:
    """What was loaded."""

    logins: tuple[DemoLogin, ...]
    parish: Club
    harbour: Club
    county: Club
    night: Event  # on now, in the parish club
    contest: Event  # on now, in the county's club

    @property
    def director(self) -> DemoLogin:
        """The director of all three clubs."""
        return self.logins[0]


def load(*, size: Size = WHOLE, say: Say, instead_of: Sequence[Club] = ()) -> Demo:
    """Load the demo, all or nothing. The clubs `instead_of` which it comes are deleted first."""
    with transaction.atomic():
        delete_clubs(list(instead_of))
        return _Loading(size, say).run()


def delete_clubs(clubs: list[Club]) -> None:
    """Delete clubs with everything that is theirs, and those who can log in to them only. Superusers stay.

    Nothing else deletes what was recorded.
    """
    with transaction.atomic():
        keys = [club.pk for club in clubs]
        # Locked, so that nothing is recorded in them meanwhile, and a second removal at the same time finds none.
        list(Club.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
        users = set(Role.objects.filter(club__in=clubs).values_list("user_id", flat=True))
        Club.objects.filter(pk__in=keys).delete()
        User.objects.filter(pk__in=users, roles=None, is_superuser=False).delete()


class _Loading:
    """One loading of the demo."""

    def __init__(self, size: Size, say: Say) -> None:
        self.size, self.say = size, say
        self.now = timezone.now()
        self.clock = Clock(self.now)

    def run(self) -> Demo:
        director, password = _user("director", "Dorothy Brennan")
        keeper, keepers = _user("scorekeeper", "Sam Ortiz")
        self.users = [(director, Role.Kind.DIRECTOR), (keeper, Role.Kind.SCOREKEEPER)]
        self.by = Actor(user=director, name=director.get_full_name(), route=ROUTE)
        parish, on_now = self.parish()
        harbour = self.harbour()
        county, contest = self.county()
        logins = tuple(
            DemoLogin(user.username, password, str(kind.label))
            for (user, kind), password in zip(self.users, (password, keepers), strict=True)
        )
        return Demo(logins, parish=parish, harbour=harbour, county=county, night=on_now, contest=contest)

    def parish(self) -> tuple[Club, Event]:
        """A season of club nights, a week apart, with results; the last one is on now, in its last round but one."""
        rng = Random(SEED)
        nights = PARISH_NIGHTS[-self.size.nights :]
        last = running_since(self.today(CHICAGO), 19, minutes=165)
        first = last - timedelta(weeks=len(nights) - 1)
        self.clock.set(first - timedelta(days=10))
        club = self.club("St. Hilary (demo)", "st-hilary", place=CHICAGO)
        members = self.members(club, PARISH[:-2])
        season = create_season(
            club=club, by=self.by, name=f"Season of twelve nights {last.year}", starts=first.date(), ends=last.date()
        )
        planned = partial(self.night, club, "st-hilary-v3", place="Parish hall")
        planned(name="Pinochle supper", starts=evening(last + timedelta(weeks=1), 18, minute=30))
        pace = Pace(rounds=self.size.rounds, time=self.size.time)
        for number, present in enumerate(nights, start=1):
            starts = last if number == len(nights) else evening(last - timedelta(weeks=len(nights) - number), 19)
            self.clock.set(starts - timedelta(days=6))
            event = planned(name=f"Pinochle night {number}", starts=starts, season=season)
            self.here(event, rng, members=members, present=min(present, self.size.present))
            if number in (4, 9):
                attendance.arrive(event=event, by=self.by, name=PARISH[-1 if number == 4 else -2])
            self.clock.step("arrive")
            stop = Stop(max(2, self.size.rounds - 1), self.size.time - 1) if starts == last else None
            play_event(event, rng, by=self.by, pace=pace, stop=stop, watch=self.clock.step)
            self.say(f"{club}: night {number} of {len(nights)}, {event.entries.count()} present")
        self.clock.stamp()
        return club, Event.objects.get(club=club, state=Event.State.RUNNING)

    def harbour(self) -> Club:
        """Finished Hand and Foot evenings, and the next one planned."""
        rng, today = Random(SEED + 1), self.today(LONDON)
        evenings = HARBOUR_EVENINGS[: self.size.evenings]
        self.clock.set(today - timedelta(weeks=2 * len(evenings) + 1))
        club = self.club("Harbour Hand and Foot (demo)", "harbour", place=LONDON)
        members = self.members(club, HARBOUR)
        planned = partial(self.night, club, "hand-and-foot", place="Reading room, Quay Street")
        for number, present in enumerate(evenings, start=1):
            starts = evening(today - timedelta(days=14 * (len(evenings) - number) + 5), 19)
            self.clock.set(starts - timedelta(days=10))
            event = planned(name=f"Hand and Foot evening {number}", starts=starts)
            self.here(event, rng, members=members, present=min(present, self.size.present))
            self.clock.step("arrive")
            play_event(event, rng, by=self.by, pace=Pace(rounds=self.size.rounds - 1), watch=self.clock.step)
            self.say(f"{club}: evening {number} of {len(evenings)}, {event.entries.count()} present")
        self.clock.set(today - timedelta(days=3))
        planned(name=f"Hand and Foot evening {len(evenings) + 1}", starts=evening(today + timedelta(days=9), 19))
        self.clock.stamp()
        return club

    def county(self) -> tuple[Club, Event]:
        """A finished cup, and the contest in the middle of its semi-final."""
        rng, today = Random(SEED + 2), self.today(CHICAGO)
        self.clock.set(today - timedelta(weeks=26))
        club = self.club("County Pinochle (demo)", "county", place=CHICAGO)
        if self.size.cup:
            starts = evening(today - timedelta(weeks=20), 10)
            cup = self.contest(
                club, "Courthouse Cup", starts=starts, names=COUNTY[: self.size.cup], places=self.size.cup
            )
            self.clock.set(starts)
            play_event(cup, rng, by=self.by, watch=self.clock.step)
            self.say(f"{club}: {cup}, {cup.entries.count()} entries, result published")
        invitational = evening(today + timedelta(weeks=5), 10)
        self.contest(club, "Lakeside Invitational", starts=invitational, names=PARISH[:24], places=36, days=(75, 70))
        starts = running_since(today, 10, minutes=330)
        contest = self.contest(club, "County Championship", starts=starts, names=COUNTY, places=self.size.places)
        self.clock.set(starts)
        play_event(contest, rng, by=self.by, stop=Stop(2, 15 if self.size.games > 1 else 2), watch=self.clock.step)
        self.say(f"{club}: {contest}, {contest.entries.count()} entries, stopped in the middle of the second stage")
        self.clock.stamp()
        return club, contest

    def today(self, place: Mapping[str, str]) -> datetime:
        """Now, by the clock on the wall there."""
        return self.now.astimezone(ZoneInfo(place["time_zone"]))

    def club(self, name: str, slug: str, *, place: Mapping[str, str]) -> Club:
        """A club of the demo with its director and scorekeeper."""
        club = Club.objects.create(name=name, slug=slug, **place)
        club.lock()
        Role.objects.bulk_create(Role(user=user, club=club, kind=kind) for user, kind in self.users)
        log(club=club, by=self.by, verb=LOADED, subject=club, new={"seed": SEED})
        return club

    def members(self, club: Club, names: Sequence[str]) -> list[Member]:
        """Members of those names."""
        made = Member.objects.bulk_create(Member(club=club, name=name) for name in names)
        for member in made:
            log(club=club, by=self.by, verb="member.add", subject=member.name)
        self.clock.stamp()
        return made

    def night(self, club: Club, rules: str, *, name: str, starts: datetime, place: str, **more: Any) -> Event:
        """A club night, planned."""
        game = _choice(club, rules)
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
            game=_choice(club, "three-hand-double-pinochle"),
            shape=Shape(3),
            starts_at=starts,
            place="Fairground hall",
            places=places,
            games=self.size.games,
        )
        event = create_event(club=club, by=self.by, format=Event.Format.CONTEST, facts=facts)
        self.clock.set(starts - timedelta(days=days[1]))
        import_names(event=event, names=names, by=self.by, submission=UUID(int=SEED + places, version=4))
        return event

    def here(self, event: Event, rng: Random, *, members: Sequence[Member], present: int) -> None:
        """Some of the members are here, in the order in which they come through the door."""
        self.clock.set(event.starts_at - timedelta(minutes=25))
        for member in rng.sample(list(members), present):
            attendance.arrive(event=event, by=self.by, member=member)


def _choice(club: Club, slug: str) -> GameChoice:
    """The club's own version of a rule set, or the shipped one that it will adopt."""
    return GameChoice(slug, shipped()[slug], club.house_rules.filter(slug=slug).order_by("-version").first())


def _user(username: str, full_name: str) -> tuple[User, str]:
    """A user with a fresh password. A name that is taken gets a number."""
    taken = set(User.objects.filter(username__startswith=username).values_list("username", flat=True))
    free = first_free(username, taken)
    password = random_code()
    user = User(username=free, password=make_password(password))
    user.call(full_name)
    user.save()
    return user, password
