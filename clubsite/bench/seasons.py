"""What `manage.py bench` measures of a season: queries and time of its table and its page, for more and more nights.

The nights are made here with drawn points and published as results, as closing a night does: a season reads nothing
else. Every second night has guests; there are two divisions and teams of six.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from statistics import median
from time import process_time
from zoneinfo import ZoneInfo

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, Member
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import HouseRules
from tournaments.models import Event, PublishedStandings, Season, SeasonMember, Stage
from tournaments.seasons.table import season_tables
from tournaments.standings.standings import Row

SIZES = ((10, 60), (20, 60), (40, 60), (40, 120))  # nights, people
SMALL = ((2, 12), (4, 12))
RULE = {"kind": "best", "best": 8, "attendance": 2, "attendance_points": 5, "tie_breaks": ["nights-won", "best-night"]}
TIMES = 5
GUESTS = 3
TEAM = 6


@dataclass(frozen=True, slots=True)
class SeasonSpeed:
    """A season's table, and the page with it: queries, and milliseconds of the processor as the median of several."""

    nights: int
    people: int
    queries: int
    milliseconds: float
    page_queries: int
    page_milliseconds: float


def season_speeds(sizes: tuple[tuple[int, int], ...] = SIZES, times: int = TIMES) -> list[SeasonSpeed]:
    """Make a season of each size in a club of their own, and measure it."""
    club = Club.objects.create(name="Bench of seasons", slug="bench-of-seasons")
    rules = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=Actor(user=None, name="bench"))
    browser = Client(SERVER_NAME="127.0.0.1")
    speeds = []
    for nights, people in sizes:
        season = make_season(rules, nights, people=people)
        address = reverse("season", args=[club.slug, season.pk])
        with CaptureQueriesContext(connection) as asked:
            season_tables([season])
        queries = len(asked)
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        page_queries = len(asked)
        table, page = [], []
        for _run in range(times):
            started = process_time()
            season_tables([season])
            table.append(process_time() - started)
            started = process_time()
            browser.get(address)
            page.append(process_time() - started)
        speeds.append(SeasonSpeed(nights, people, queries, median(table) * 1000, page_queries, median(page) * 1000))
    return speeds


def make_season(rules: HouseRules, nights: int, *, people: int) -> Season:
    """A season of so many closed nights; nine in ten of the people come to each."""
    random = Random(f"{nights} x {people}")
    club, first = rules.club, date(2026, 1, 5)
    season = Season.objects.create(
        club=club,
        name=f"{nights} nights of {people}",
        starts=first,
        ends=first + timedelta(days=7 * nights),
        rule=RULE,
        team_best=4,
    )
    members = _members(club, people)
    SeasonMember.objects.bulk_create(
        SeasonMember(season=season, member=member, division=1 + n % 2, team=f"Team {1 + n // TEAM}")
        for n, member in enumerate(members)
    )
    events = Event.objects.bulk_create(
        Event(
            club=club,
            season=season,
            name=f"Night {n + 1}",
            slug=f"bench-{season.pk}-{n + 1}",
            format=Event.Format.ROTATION,
            rules=rules,
            starts_at=datetime(2026, 1, 5, 19, tzinfo=ZoneInfo("UTC")) + timedelta(days=7 * n),
            state=Event.State.FINISHED,
        )
        for n in range(nights)
    )
    stages = Stage.objects.bulk_create(Stage(event=event, number=1, name="Club night") for event in events)
    PublishedStandings.objects.bulk_create(
        PublishedStandings(
            event=stage.event, stage=stage, number=1, final=True, rows=_rows(random, members, guests=GUESTS * (n % 2))
        )
        for n, stage in enumerate(stages)
    )
    return season


def _members(club: Club, people: int) -> list[Member]:
    names = [f"Bench player {n:03}" for n in range(people)]
    known = {member.name: member for member in Member.objects.filter(club=club, name__in=names)}
    Member.objects.bulk_create(Member(club=club, name=name) for name in names if name not in known)
    return list(Member.objects.filter(club=club, name__in=names).order_by("name"))


def _rows(random: Random, members: list[Member], *, guests: int) -> list[dict[str, object]]:
    came: list[tuple[str, int | None]] = [(member.name, member.pk) for member in members if random.random() < 0.9]
    came += [(f"Guest {n}", None) for n in range(guests)]
    points = sorted((random.randrange(-20, 180) for _one in came), reverse=True)
    random.shuffle(came)
    return [
        Row(
            entry=place,
            number=place,
            name=name,
            place=1 + points.index(own),
            shared=points.count(own) > 1,
            points=own,
            games_won=str(random.randrange(4)),
            games_played=4,
            sets=random.randrange(5),
            member=member,
        ).to_data()
        for place, ((name, member), own) in enumerate(zip(came, points, strict=True), start=1)
    ]
