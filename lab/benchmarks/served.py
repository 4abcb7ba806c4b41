"""An event to measure, and the site served on loopback as `./dev run` does it, for people who each have a connection.

Viewers say which version of a page they have (`If-None-Match`), as browsers do.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, Role, User
from clubsite.jobs.models import Worker
from lab.benchmarks.cluster.parts import process_tree, wait_until
from lab.postgres_server import free_port
from scoring.cards.deals import record_deal
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.entries.actions import import_names
from tournaments.events.actions import EventFacts, available_games, create_event
from tournaments.models import Draw, Event
from tournaments.rounds.publishing import publish_draw

HOST = "127.0.0.1"
VIEWERS = 150
EVERY = 5.0  # seconds between two looks of a viewer
LOOKED_AT = ("event", "seats", "event", "seats", "event", "seats", "board")  # the pages that viewers take in turn
TICKS = os.sysconf("SC_CLK_TCK")
TOKEN = "x" * 32
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
RECORDED = (302,)  # the status of a page that has recorded something


def measure_cost(
    deed: Callable[[], object], times: int, *, clock: Callable[[], float] = process_time
) -> tuple[list[str], list[float]]:
    """The queries of `deed`, and the milliseconds of each of `times` further runs: of the processor by default."""
    with CaptureQueriesContext(connection) as asked:
        deed()
    queries = [query["sql"] for query in asked.captured_queries]  # now, as the next request clears them
    runs = []
    for _run in range(times):
        began = clock()
        deed()
        runs.append((clock() - began) * 1000)
    return queries, runs


@dataclass(slots=True)
class Looks:
    """What viewers were answered: how often with which status, and bytes."""

    looks: Counter[int] = field(default_factory=Counter)
    sent: int = 0

    @property
    def statuses(self) -> str:
        return ", ".join(f"{count} x {status}" for status, count in sorted(self.looks.items()))


def percentile(values: Sequence[float], part: int) -> float:
    """The value that `part` of a hundred values don't exceed; 0 without any."""
    return quantiles(values, n=100, method="inclusive")[part - 1] if len(values) > 1 else max(values, default=0.0)


def make_event() -> tuple[Event, User]:
    """54 people at nine tables of six, two deals on every card; and somebody who keeps the scores."""
    club = Club.objects.create(name="Bench of viewers", slug="bench-of-viewers")
    user = make_user(club, "scorer", kind=Role.Kind.SCOREKEEPER)
    by = Actor(user=user, name="bench")
    draw = make_draft(contest_facts(club, "Fifty-four"), [f"Player {n:02}" for n in range(54)], club=club, by=by)
    publish_draw(draw=draw, by=by)
    random = Random(1)
    for game in Game.objects.filter(club=club, group_game__number=1):
        for number in (1, 2):
            points = PointsDeal(points=tuple(random.randrange(1, 60) for _side in range(3)))
            record_deal(game=game, number=number, entered=EnteredDeal(points, sure=True), by=by, submission=uuid4())
    return draw.round.stage.event, user


def make_user(club: Club, name: str, *, kind: Role.Kind) -> User:
    user = User.objects.create_user(username=f"bench-{name}")
    Role.objects.create(user=user, club=club, kind=kind)
    return user


def contest_facts(club: Club, name: str, *, title: str = "Points only") -> EventFacts:
    """A competition for tables of three that began an hour ago, by the club's rules of this title."""
    game = next(game for game in available_games(club) if game.rule_set.title == title)
    return EventFacts(name=name, game=game, shape=Shape(3), starts_at=datetime.now(UTC) - timedelta(hours=1))


def make_draft(facts: EventFacts, names: Sequence[str], *, club: Club, by: Actor) -> Draw:
    """A competition with a place for each of these people, and the draft of its first draw."""
    facts = replace(facts, places=len(names))
    event = create_event(club=club, by=by, format=Event.Format.CONTEST, facts=facts)
    import_names(event=event, names=names, by=by, submission=uuid4())
    return make_draw(stage=event.stages.get(number=1), by=by, seen=0, options=DrawOptions(seed=1))


def logged_in_client(user: User) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(user)
    return client


def browser_headers(user: User) -> str:
    session = f"{settings.SESSION_COOKIE_NAME}={logged_in_client(user).cookies[settings.SESSION_COOKIE_NAME].value}"
    return f"Cookie: {session}; {settings.CSRF_COOKIE_NAME}={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n"


def request_bytes(what: str, head: str = "", *, body: bytes = b"") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if what.startswith("POST") else ""
    return f"{what} HTTP/1.1\r\nHost: {HOST}\r\n{head}{length}\r\n".encode() + body


def post_bytes(address: str, head: str, *, fields: Mapping[str, object]) -> bytes:
    return request_bytes(f"POST {address}", head + FORM, body=urlencode(fields).encode())


def card_fields(game: Game, number: int, *, points: Sequence[int]) -> dict[str, Any]:
    facts = PointsDeal(points=tuple(points))
    form = PAGES["points-only"].form(game=game, number=number, now=EnteredDeal(facts))
    given = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False, "")}
    return {**given, "submission": uuid4(), "sure": "on"}


def event_games(event: Event) -> list[Game]:
    return list(Game.objects.filter(club=event.club).order_by("group_game__number", "pk").select_related("rules"))


@contextmanager
def run_beside(*command: str, **environment: str) -> Iterator[int]:
    """Runs a command of Python's on the same data within the block, and gives its process id."""
    connections.close_all()
    process = subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        env={**os.environ, "VAR_DIR": str(settings.VAR_DIR), **environment},
        cwd=settings.BASE_DIR,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def serve_site() -> Iterator[tuple[int, list[int]]]:
    """Serves the site on loopback within the block: its port, and the ids of its processes."""
    port = free_port()
    with run_beside("-m", "clubsite.serving.web", PORT=str(port)) as server:
        asyncio.run(wait_for_site(port))
        yield port, process_tree(server)


@contextmanager
def run_worker() -> Iterator[int]:
    with run_beside("manage.py", "worker", "--beside") as worker:
        wait_until(Worker.objects.exists, seconds=90, what="The worker said that it lives")
        yield worker


def processor_seconds(processes: list[int]) -> float:
    fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes)
    return sum(int(stat[11]) + int(stat[12]) for stat in fields) / TICKS


async def wait_for_site(port: int) -> None:
    for _try in range(300):
        try:
            line = await Connection.open(port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        with closing(line):
            for _warm in range(20):
                await line.ask(request_bytes("GET /login/"))
        return
    raise TimeoutError("the site doesn't answer")


class Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection(HOST, port))

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        self.writer.write(request)
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _colon, value in (line.partition(":") for line in lines)}
        body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return int(first.split()[1]), headers, body

    async def timed(self, asked: bytes, statuses: Collection[int] = RECORDED, *, what: str = "") -> float:
        """Milliseconds until the answer, which is to have one of these statuses. `what` names the request."""
        began = perf_counter()
        status, _headers, body = await self.ask(asked)
        took = (perf_counter() - began) * 1000
        if status not in statuses:
            raise RuntimeError(f"{what or repr(asked[:80])} was answered with {status}: {body[:300]!r}")
        return took

    def close(self) -> None:
        self.writer.close()


async def time_request(port: int, asked: bytes, *, statuses: Collection[int] = RECORDED) -> float:
    with closing(await Connection.open(port)) as line:
        return await line.timed(asked, statuses)


async def watch_pages(until: float, *, port: int, event: Event, number: int, viewers: int, seen: Looks) -> None:
    """Look at one of the pages every few seconds; viewers begin one after another."""
    address = reverse(LOOKED_AT[number % len(LOOKED_AT)], args=[event.club.slug, event.slug])
    await asyncio.sleep(EVERY * number / viewers)
    line, has = await Connection.open(port), ""
    while perf_counter() < until:
        condition = f"If-None-Match: {has}\r\n" if has else ""
        head = f"HX-Request: true\r\nAccept-Encoding: gzip\r\n{condition}"
        status, headers, body = await line.ask(request_bytes(f"GET {address}", head))
        has = headers.get("etag", "")
        seen.looks[status] += 1
        seen.sent += len(body)
        await asyncio.sleep(EVERY)
    line.close()
