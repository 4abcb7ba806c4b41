"""The deals that a hall sends while parts of the cluster die, made beforehand; and what the database has of them
afterwards."""

from __future__ import annotations

from random import Random
from typing import TypedDict
from urllib.parse import urlencode

from django.db import transaction
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, Role
from lab.benchmarks.crash.audit import wrong_totals
from lab.benchmarks.served import browser_of, card_fields, make_event, somebody
from scoring.engine.core.ruleset import shipped
from scoring.games import start_game
from scoring.house_rules.actions import adopt
from scoring.models import DealVersion, Points
from tournaments.engine.grouping import grouped

TABLES = 9
GAMES = 40  # for each table, one after the other, of four deals each
SIDES = (["North", "South"], ["East", "West"])
SITE = "bench-of-hosts"


class Booking(TypedDict):
    """A deal as its form sends it, and the points that the database must show for it."""

    submission: str
    address: str
    body: str
    points: list[int]


class Bookings(TypedDict):
    """Everything that the hall sends: deals by table, what viewers look at, what a director prints."""

    tables: list[list[Booking]]
    scorer: str  # header lines of the scorer's requests
    director: str
    looked_at: list[str]
    printed: str


class FoundInDatabase(TypedDict):
    """What the database has: the points of each submission, and figures that must be 0."""

    submissions: dict[str, list[int]]  # by submission: the points of the version that it recorded
    doubled: int  # versions of deals beyond the first
    sums_wrong: int  # totals that aren't the sum of the deals


@transaction.atomic  # one commit, so that the standby is waited for only once
def made(*, tables: int = TABLES, games: int = GAMES) -> Bookings:
    """Make games, people and an event in an empty database, and everything that will be sent."""
    event, _scorer = make_event()
    club = Club.objects.create(name="Bench of hosts", slug=SITE)
    scorer = somebody(club, "table", kind=Role.Kind.SCOREKEEPER)
    director = somebody(event.club, "director", kind=Role.Kind.DIRECTOR)
    rules, random = adopt(club=club, rule_set=shipped()["points-only"], by=Actor(user=None, name="bench")), Random(5)
    deals: list[list[Booking]] = []
    for table in range(tables):
        sent: list[Booking] = []
        for _game in range(games):
            game = start_game(club=club, rules=rules, title=f"Table {table + 1}", sides=SIDES)
            for number in range(1, 5):
                points = [random.randrange(1, 400), random.randrange(1, 400)]
                fields = card_fields(game, number, points=points)
                submission, body = str(fields["submission"]), urlencode(fields)
                address = reverse("card", args=[club.slug, game.pk])
                sent.append({"submission": submission, "address": address, "body": body, "points": points})
        deals.append(sent)
    at = [event.club.slug, event.slug]
    return {
        "tables": deals,
        "scorer": browser_of(scorer),
        "director": browser_of(director),
        "looked_at": [reverse(name, args=at) for name in ("event", "seats", "board")],
        "printed": reverse("document", args=[*at, "blank"]),
    }


def found() -> FoundInDatabase:
    versions = DealVersion.objects.filter(deal__game__club__slug=SITE)
    rows = Points.objects.filter(version__in=versions).order_by("version", "side")
    points = grouped(rows.values_list("version", "points"))
    return {
        "submissions": {str(version.submission): points[version.pk] for version in versions},
        "doubled": len(versions) - len({version.deal_id for version in versions}),
        "sums_wrong": len(wrong_totals()),
    }
