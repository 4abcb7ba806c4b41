"""What viewers cost: 150 phones and boards that look every five seconds, and one scorer who records deals meanwhile.

The site is served on loopback as `./dev run` does it, from the scratch database. Each viewer has a connection of its
own, and says which version it has (`If-None-Match`), as browsers do.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse

from clubsite import live
from clubsite.accounts.models import Actor, Club, Role, User
from clubsite.ops.databases.server import free_port
from lab.benchmarks.cluster.parts import tree_of
from scoring.cards.deals import record_deal
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families import PAGES
from scoring.families.deal_form import DealAt, Entered
from scoring.models import Game
from tournaments.draws.formats import DrawOptions
from tournaments.draws.making import make_draw
from tournaments.entries.actions import import_names
from tournaments.events.actions import EventFacts, create_event, games_of
from tournaments.models import Draw, Event
from tournaments.rounds.publishing import publish_draw

HOST = "127.0.0.1"
VIEWERS = 150
EVERY = 5.0  # seconds between two looks of a viewer
LOOKED_AT = ("event", "seats", "event", "seats", "event", "seats", "board")  # the pages that viewers take in turn
POST_EVERY = 1.0  # seconds between two deals: far more deals than nine tables record
TICKS = os.sysconf("SC_CLK_TCK")
TOKEN = "x" * 32
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
RECORDED = (302,)  # the status of a page that has recorded something


@dataclass(frozen=True, slots=True)
class LookSpeed:
    """What a look at a live page costs: queries, median milliseconds of processor time, and their ratio to the log-in
    page's. `same`: nothing happened since the last look; `made`: something did, and this look makes the page for
    all."""

    name: str
    same_queries: int
    same_ms: float
    made_queries: int
    made_ms: float
    same_ratio: float
    made_ratio: float


def look_speeds(event: Event, times: int = 9) -> list[LookSpeed]:
    """A look at each live page of an event, nothing else going on; the version is asked for at every look."""
    browser = Client(SERVER_NAME=HOST, headers={"HX-Request": "true"})
    speeds = []
    with override_settings(LIVE_PAUSE=0):
        login = median(cost_of(lambda: browser.get(reverse("login")), times)[1])
        for name in dict.fromkeys(LOOKED_AT):
            address = reverse(name, args=[event.club.slug, event.slug])
            same = partial(browser.get, address, headers={"If-None-Match": browser.get(address)["ETag"]})

            def made(address: str = address) -> object:
                live.forget()
                return browser.get(address)

            (asked, same_runs), (making_asked, made_runs) = cost_of(same, times), cost_of(made, times)
            took, making = median(same_runs), median(made_runs)
            speeds.append(LookSpeed(name, len(asked), took, len(making_asked), making, took / login, making / login))
    return speeds


def cost_of(
    deed: Callable[[], object], times: int, *, clock: Callable[[], float] = process_time
) -> tuple[list[str], list[float]]:
    """The queries of a deed, and the milliseconds that it takes as many `times` after that: by default, of the
    processor."""
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
class Seen:
    """What was measured in one part of the trial."""

    what: str
    seconds: float = 0.0
    core: float = 0.0  # share of a core that the server's processes took
    looks: Counter[int] = field(default_factory=Counter)  # by status of the answer
    sent: int = 0  # bytes of the answers to viewers
    posts: list[float] = field(default_factory=list)  # milliseconds of each recorded deal

    @property
    def median(self) -> float:
        """The median post, in milliseconds."""
        return percentile(self.posts, 50)

    @property
    def statuses(self) -> str:
        """How often the looks were answered with which status."""
        return ", ".join(f"{count} x {status}" for status, count in sorted(self.looks.items()))


def percentile(values: Sequence[float], part: int) -> float:
    """The value that `part` of a hundred values don't exceed; 0 without any."""
    return quantiles(values, n=100, method="inclusive")[part - 1] if len(values) > 1 else max(values, default=0.0)


def crowd(seconds: float, viewers: int = VIEWERS) -> list[Seen]:
    """Measure a scorer alone, viewers while nothing happens, and both together; each for so many seconds."""
    event, scorer = make_event()
    parts: list[Seen] = []
    with serving() as (port, processes):
        posts = deals_to_post(event, scorer)
        for what, looking, scorers in (
            ("a scorer alone", 0, 1),
            ("viewers, nothing happens", viewers, 0),
            ("viewers, and a scorer", viewers, 1),
        ):
            parts.append(seen := Seen(what))
            people: list[CrowdMember] = [partial(scores, port=port, posts=posts, seen=seen)] * scorers
            look = partial(looks, port=port, event=event, viewers=viewers, seen=seen)
            people += [partial(look, number=number) for number in range(looking)]
            asyncio.run(measured(seen, processes, people=people, seconds=seconds))
    return parts


def make_event() -> tuple[Event, User]:
    """54 people at nine tables of six, two deals on every card; and somebody who keeps the scores."""
    club = Club.objects.create(name="Bench of viewers", slug="bench-of-viewers")
    user = somebody(club, "scorer", kind=Role.Kind.SCOREKEEPER)
    by = Actor(user=user, name="bench")
    draw = drafted(contest_facts(club, "Fifty-four"), [f"Player {n:02}" for n in range(54)], club=club, by=by)
    publish_draw(draw=draw, by=by)
    random = Random(1)
    for game in Game.objects.filter(club=club, group_game__number=1):
        for number in (1, 2):
            points = PointsDeal(points=tuple(random.randrange(1, 60) for _side in range(3)))
            record_deal(game=game, number=number, entered=Entered(points, sure=True), by=by, submission=uuid4())
    return draw.round.stage.event, user


def somebody(club: Club, name: str, *, kind: Role.Kind) -> User:
    """Somebody new who has a role in a club."""
    user = User.objects.create_user(username=f"bench-{name}")
    Role.objects.create(user=user, club=club, kind=kind)
    return user


def contest_facts(club: Club, name: str, *, title: str = "Points only") -> EventFacts:
    """A competition for tables of three that began an hour ago, by the club's rules of this title."""
    game = next(game for game in games_of(club) if game.rule_set.title == title)
    return EventFacts(name=name, game=game, shape=Shape(3), starts_at=datetime.now(UTC) - timedelta(hours=1))


def drafted(facts: EventFacts, names: Sequence[str], *, club: Club, by: Actor) -> Draw:
    """A competition with a place for each of these people, and the draft of its first draw."""
    facts = replace(facts, places=len(names))
    event = create_event(club=club, by=by, format=Event.Format.CONTEST, facts=facts)
    import_names(event=event, names=names, by=by, submission=uuid4())
    return make_draw(stage=event.stages.get(number=1), by=by, seen=0, options=DrawOptions(seed=1))


def client_of(user: User) -> Client:
    """Somebody's browser, in which they have logged in."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(user)
    return client


def browser_of(user: User) -> str:
    """The headers by which somebody's browser is known."""
    session = f"{settings.SESSION_COOKIE_NAME}={client_of(user).cookies[settings.SESSION_COOKIE_NAME].value}"
    return f"Cookie: {session}; {settings.CSRF_COOKIE_NAME}={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n"


def request(what: str, head: str = "", *, body: bytes = b"") -> bytes:
    """A request as a browser sends it; `what`: its method and address, `head`: lines that each end with CR LF."""
    length = f"Content-Length: {len(body)}\r\n" if what.startswith("POST") else ""
    return f"{what} HTTP/1.1\r\nHost: {HOST}\r\n{head}{length}\r\n".encode() + body


def posted(address: str, head: str, *, fields: Mapping[str, object]) -> bytes:
    """A form as a browser sends it."""
    return request(f"POST {address}", head + FORM, body=urlencode(fields).encode())


def card_fields(game: Game, number: int, *, points: Sequence[int]) -> dict[str, Any]:
    """What the form of a card sends for a deal, with a submission of its own."""
    sides = [f"Side {side}" for side in range(len(points))]
    facts = PointsDeal(points=tuple(points))
    form = PAGES["points-only"].form(at=DealAt(game, sides, number), now=Entered(facts))
    given = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False, "")}
    return {**given, "submission": uuid4(), "sure": "on"}


def cards_of(event: Event) -> list[Game]:
    """All games of the event's club: the first of each group, then the second."""
    return list(Game.objects.filter(club=event.club).order_by("group_game__number", "pk").select_related("rules"))


def deals_to_post(event: Event, scorer: User) -> Iterator[bytes]:
    """Requests that record one deal each, as the form of its card sends it."""
    head, random, games = browser_of(scorer), Random(2), cards_of(event)
    connections.close_all()
    for number in range(1, 5):
        for game in games:
            if number <= game.deals_played:
                continue
            fields = card_fields(game, number, points=[random.randrange(1, 60) for _side in range(3)])
            yield posted(reverse("card", args=[event.club.slug, game.pk]), head, fields=fields)


@contextmanager
def beside(*command: str, **environment: str) -> Iterator[int]:
    """Runs a command of Python's on the same data within the block, and gives its process id."""
    connections.close_all()
    process = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "VAR_DIR": str(settings.VAR_DIR), **environment},
        cwd=settings.BASE_DIR,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def serving(settings_module: str = "clubsite.settings") -> Iterator[tuple[int, list[int]]]:
    """Serves the site on loopback within the block: its port, and the ids of its processes."""
    port = free_port()
    with beside("-m", "clubsite.serving.web", PORT=str(port), DJANGO_SETTINGS_MODULE=settings_module) as server:
        asyncio.run(answered(port))
        yield port, tree_of(server)


def used(processes: list[int]) -> float:
    """Seconds of the processor that these processes have taken."""
    fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes)
    return sum(int(stat[11]) + int(stat[12]) for stat in fields) / TICKS


async def answered(port: int) -> None:
    """Wait until the site answers, and warm its threads up."""
    for _try in range(300):
        try:
            line = await Connection.open(port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        with closing(line):
            for _warm in range(20):
                await line.ask(request("GET /login/"))
        return
    raise TimeoutError("the site doesn't answer")


CrowdMember = Callable[[float], Coroutine[Any, Any, None]]


async def measured(seen: Seen, processes: list[int], *, people: list[CrowdMember], seconds: float) -> None:
    """Let these people act for so many seconds, and note the processor time that it took."""
    began, before = perf_counter(), used(processes)
    until = began + seconds
    await asyncio.gather(*(person(until) for person in people))
    seen.seconds = perf_counter() - began
    seen.core = (used(processes) - before) / seen.seconds


class Connection:
    """An HTTP connection that is kept open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect."""
        return cls(*await asyncio.open_connection(HOST, port))

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (names in small letters) and body of the answer."""
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
        """Hang up."""
        self.writer.close()


async def timed(port: int, asked: bytes, *, statuses: Collection[int] = RECORDED) -> float:
    """The same on a connection of its own, once that is there."""
    with closing(await Connection.open(port)) as line:
        return await line.timed(asked, statuses)


async def looks(until: float, *, port: int, event: Event, number: int, viewers: int, seen: Seen) -> None:
    """Look at one of the pages every few seconds; viewers begin one after another."""
    address = reverse(LOOKED_AT[number % len(LOOKED_AT)], args=[event.club.slug, event.slug])
    await asyncio.sleep(EVERY * number / viewers)
    line, has = await Connection.open(port), ""
    while perf_counter() < until:
        condition = f"If-None-Match: {has}\r\n" if has else ""
        head = f"HX-Request: true\r\nAccept-Encoding: gzip\r\n{condition}"
        status, headers, body = await line.ask(request(f"GET {address}", head))
        has = headers.get("etag", "")
        seen.looks[status] += 1
        seen.sent += len(body)
        await asyncio.sleep(EVERY)
    line.close()


async def scores(until: float, *, port: int, posts: Iterator[bytes], seen: Seen) -> None:
    """Record one deal after another."""
    line = await Connection.open(port)
    while perf_counter() < until:
        seen.posts.append(await line.timed(await asyncio.to_thread(next, posts), what="A deal"))
        await asyncio.sleep(POST_EVERY)
    line.close()


def as_text(parts: list[Seen], viewers: int) -> str:
    """The figures, one part a line."""
    lines = ["", f"{viewers} viewers who look every {EVERY:.0f} s, a scorer with a deal every {POST_EVERY:.0f} s"]
    for seen in parts:
        slow = percentile(seen.posts, 95)
        post = f"; a post takes {seen.median:.0f} ms, 19 of 20 under {slow:.0f} ms ({len(seen.posts)} posts)"
        lines.append(
            f"  {seen.what:26} {seen.core:5.1%} of a core in {seen.seconds:.0f} s{post if seen.posts else ''}"
            f"{f'; looks: {seen.statuses}, {seen.sent / 1024:,.0f} kB' if seen.looks else ''}"
        )
    return "\n".join(lines) + "\n"
