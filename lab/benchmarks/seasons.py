"""What `./dev bench` measures of a season: the queries and time of its table and its page, for more and more
nights, and those of one person's page.

The nights are made here with drawn points and published as results, as closing a night does: a season reads nothing
else. Every second night has guests; there are two divisions and teams of six.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from random import Random
from statistics import median
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, Member
from lab.benchmarks.crowd import HOST, cost_of
from lab.simulation.deals import true_deal
from scoring.engine.core.ledger import Score
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.house_rules.actions import adopt
from scoring.models import Deal, DealVersion, Game, HouseRules, Points, Side
from tournaments.members.record import record_of
from tournaments.models import (
    Draw,
    Entry,
    Event,
    Group,
    GroupGame,
    PublishedStandings,
    Round,
    Season,
    SeasonMember,
    Seat,
    Stage,
    Table,
)
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
    """What a season's table and its page cost: queries, and median milliseconds of processor time."""

    nights: int
    people: int
    queries: int
    milliseconds: float
    page_queries: int
    page_milliseconds: float


def season_speeds(sizes: tuple[tuple[int, int], ...] = SIZES, times: int = TIMES) -> list[SeasonSpeed]:
    """Make a season of each size in a club of their own, and measure it."""
    rules, browser, speeds = _rules("seasons"), Client(SERVER_NAME=HOST), []
    for nights, people in sizes:
        season = make_season(rules, nights, people=people)
        address = reverse("season", args=[rules.club.slug, season.pk])
        asked, table = cost_of(partial(season_tables, [season]), times)
        asked_by_page, page = cost_of(partial(browser.get, address), times)
        speeds.append(SeasonSpeed(nights, people, len(asked), median(table), len(asked_by_page), median(page)))
    return speeds


def _rules(what: str) -> HouseRules:
    """The rules of a new club."""
    club = Club.objects.create(name=f"Bench of {what}", slug=f"bench-of-{what}")
    return adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=Actor(user=None, name="bench"))


def make_season(rules: HouseRules, nights: int, *, people: int) -> Season:
    """A season of so many closed nights; nine in ten of the people come to each."""
    random = Random(f"{nights} x {people}")
    club, first = rules.club, date(2026, 1, 5)
    name, ends = f"{nights} nights of {people}", first + timedelta(days=7 * nights)
    season = Season.objects.create(club=club, name=name, starts=first, ends=ends, rule=RULE, team_best=4)
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


@dataclass(frozen=True, slots=True)
class PersonSpeed:
    """What one person's figures and their page cost: queries, and median milliseconds of processor time."""

    nights: int
    people: int
    deals: int  # the person's deals
    queries: int
    milliseconds: float
    page_milliseconds: float


ROUNDS, DEALS = 3, 6  # rounds of a night, deals of a game


def person_speed(nights: int = 40, people: int = 60, *, times: int = TIMES) -> PersonSpeed:
    """Play a season of so many nights in a club of its own, and measure one person's page."""
    season = make_season(_rules("persons"), nights, people=people)
    deal_out(season)
    member = Member.objects.filter(club=season.club).order_by("pk").select_related("club")[0]
    browser, address = Client(SERVER_NAME=HOST), reverse("person", args=[season.club.slug, member.pk])
    _asked, page = cost_of(partial(browser.get, address), times)
    asked, took = cost_of(partial(record_of, member), times)
    return PersonSpeed(nights, people, len(record_of(member).deals), len(asked), median(took), median(page))


def deal_out(season: Season) -> None:
    """Give every night of a season made by `make_season` seats, games and correct deals, written in bulk."""
    random = Random(season.pk)
    rules = HouseRules.objects.get(club=season.club)
    engine_rules = rules_of(rules.rule_set, Shape(2, 2))
    facts = [true_deal(rules.family, random, engine_rules, deals_before=0) for _n in range(50)]
    cards = [(rules.family.write(one), rules.family.score(one, engine_rules)) for one in facts]
    members = list(Member.objects.filter(club=season.club))
    for event in season.events.all():
        entries = Entry.objects.bulk_create(
            Entry(event=event, number=n, name=member.name, member=member) for n, member in enumerate(members, start=1)
        )
        stage = event.stages.get()
        for number in range(1, ROUNDS + 1):
            played = Round.objects.create(stage=stage, number=number, closed=True)
            draw = Draw.objects.create(round=played, number=1, state=Draw.State.PUBLISHED, seed=number)
            _tables(draw, random.sample(entries, len(entries)), rules=rules, cards=cards, random=random)


def _tables(
    draw: Draw, entries: list[Entry], *, rules: HouseRules, cards: list[tuple[Any, Score]], random: Random
) -> None:
    tables = Table.objects.bulk_create(Table(draw=draw, number=n + 1) for n in range(len(entries) // 4))
    groups = Group.objects.bulk_create(Group(table=table, number=0) for table in tables)
    Seat.objects.bulk_create(
        Seat(draw=draw, group=group, entry=entries[4 * n + place], side=place % 2, position=place // 2)
        for n, group in enumerate(groups)
        for place in range(4)
    )
    games = Game.objects.bulk_create(
        Game(
            club=rules.club,
            rules=rules,
            sides_count=2,
            per_side=2,
            title=f"Table {table.number}",
            state=Game.State.OVER,
            ended_by="deals",
            deals_played=DEALS,
        )
        for table in tables
    )
    GroupGame.objects.bulk_create(
        GroupGame(group=group, number=1, game=game) for group, game in zip(groups, games, strict=True)
    )
    played = [[random.choice(cards) for _n in range(DEALS)] for _game in games]
    deals = Deal.objects.bulk_create(Deal(game=game, number=n + 1) for game in games for n in range(DEALS))
    flat = [card for of_game in played for card in of_game]
    versions = DealVersion.objects.bulk_create(
        DealVersion(deal=deal, number=1, facts=facts, submission=uuid4(), actor="bench", route="simulated")
        for deal, (facts, _score) in zip(deals, flat, strict=True)
    )
    Points.objects.bulk_create(
        Points(version=version, side=side, points=score.totals[side], was_set=side in score.sets)
        for version, (_facts, score) in zip(versions, flat, strict=True)
        for side in range(2)
    )
    Side.objects.bulk_create(
        Side(
            game=game,
            number=side,
            names=[],
            total=sum(score.totals[side] for _facts, score in of_game),
            sets=sum(side in score.sets for _facts, score in of_game),
        )
        for game, of_game in zip(games, played, strict=True)
        for side in range(2)
    )
