"""`./dev load`: 27 scorers post a round within five seconds while 150 look on, a director publishes and two print.

Posts are those of the phones' script; when one is refused, the phone opens the page that says why. Those pages are
timed apart, as the page after a recorded deal isn't timed either.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import perf_counter
from uuid import UUID

from django.db import connection, connections
from django.urls import reverse

from clubsite.accounts.models import Actor, Role
from clubsite.jobs.models import MadeFile, Order
from lab.benchmarks.served import (
    VIEWERS,
    Connection,
    Looks,
    browser_headers,
    card_fields,
    contest_facts,
    event_games,
    make_draft,
    make_event,
    make_user,
    percentile,
    post_bytes,
    processor_seconds,
    run_worker,
    serve_site,
    time_request,
    watch_pages,
)
from scoring.models import DealVersion, Game
from tournaments.engine.rounds import grouped
from tournaments.models import Draw, Event

SCORERS = 27
TWICE, CONFLICTING = 0.3, 0.1  # shares of the taps
DEALS_OF_A_CARD = 4
BY_SCRIPT = "X-Kept: now\r\n"  # the phone's script sends it (static/kept.js)
WITHIN = 5.0  # seconds in which all scorers of a round post
ROUNDS = 3  # rounds of each part
LONGEST = 100.0  # seconds after which no further round is begun
RECORDED_STATUSES = (200,)  # statuses that tell the script that a deal is recorded
REFUSED_STATUSES = (409,)  # statuses that tell the second of two who disagree that it isn't


@dataclass(frozen=True, slots=True)
class Post:
    """A request that records a deal: for which card, with which submission. `page`: the request by which the browser
    then asks for the page that says why it was refused."""

    scorer: int
    game: int
    number: int
    submission: UUID
    request: bytes
    page: bytes


ScorerTap = tuple[Post, ...]
"""The posts that one tap leads to: the first, and beside it the same again (bad Wi-Fi) or somebody else's for that
deal."""


@dataclass(slots=True)
class Evening:
    """Who is there, and what has been sent and acknowledged."""

    event: Event
    further: Draw  # a draft in another event of the club, for the director to publish
    heads: list[str]  # the headers that each scorer's browser sends
    director: str
    random: Random = field(default_factory=lambda: Random(7))
    acknowledged: list[Post] = field(default_factory=list)

    def rounds(self) -> Iterator[list[ScorerTap]]:
        """What the scorers send, round after round, until all cards are full: in a round each sends one deal."""
        games = event_games(self.event)
        played = {game.pk: game.deals_played for game in games}
        while True:
            free = [game for game in games if played[game.pk] < DEALS_OF_A_CARD][:SCORERS]
            if len(free) < SCORERS:
                return
            sent = []
            for scorer, game in enumerate(free):
                played[game.pk] += 1
                sent.append(self._sent(scorer, game, number=played[game.pk]))
            yield sent

    def _sent(self, scorer: int, game: Game, *, number: int) -> ScorerTap:
        first = self._post(scorer, game, number=number)
        chance = self.random.random()
        if chance < TWICE:
            return first, first
        if chance < TWICE + CONFLICTING:
            return first, self._post((scorer + 1) % SCORERS, game, number=number)
        return (first,)

    def _post(self, scorer: int, game: Game, *, number: int) -> Post:
        fields = card_fields(game, number, points=[self.random.randrange(1, 60) for _side in range(3)])
        address = reverse("card", args=[self.event.club.slug, game.pk])
        by_script, page = (post_bytes(address, self.heads[scorer] + more, fields=fields) for more in (BY_SCRIPT, ""))
        return Post(scorer, game.pk, number, fields["submission"], by_script, page)

    def publish(self) -> bytes:
        at = [self.further.round.stage.event.club.slug, self.further.round.stage.event.slug]
        return post_bytes(reverse("draw_step", args=[*at, self.further.pk]), self.director, fields={"step": "publish"})

    def print(self, copies: int) -> bytes:
        address = reverse("document", args=[self.event.club.slug, self.event.slug, "blank"])
        return post_bytes(f"{address}?copies={copies}", self.director, fields={})

    def lost(self) -> int:
        there = set(DealVersion.objects.values_list("deal__game", "deal__number", "submission"))
        return sum((post.game, post.number, post.submission) not in there for post in self.acknowledged)

    def doubled(self) -> int:
        """Deals that have a second version, or were acknowledged to two scorers who disagree."""
        versions = DealVersion.objects.exclude(actor="bench").values_list("deal__game", "deal__number")
        said = grouped(((post.game, post.number), post.submission) for post in self.acknowledged)
        return len(versions) - len(set(versions)) + sum(len(set(submissions)) > 1 for submissions in said.values())

    def recorded(self) -> int:
        return len({(post.game, post.number) for post in self.acknowledged})


def make_evening() -> Evening:
    """54 people at nine tables, whose round is published; a small event of the same club with a draft; 27 scorers."""
    event, user = make_event()
    by = Actor(user=user, name="bench")
    names = [f"Guest {n:02}" for n in range(12)]
    draft = make_draft(contest_facts(event.club, "Twelve"), names, club=event.club, by=by)
    scorers = [make_user(event.club, f"scorer-{n}", kind=Role.Kind.SCOREKEEPER) for n in range(SCORERS)]
    director = make_user(event.club, "director", kind=Role.Kind.DIRECTOR)
    return Evening(event, draft, list(map(browser_headers, scorers)), browser_headers(director))


@dataclass(slots=True)
class EveningPart:
    """One part of the evening, in milliseconds."""

    what: str
    posts: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)  # milliseconds of the pages that say why
    viewers: Looks = field(default_factory=Looks)


@dataclass(slots=True)
class Load:
    database: str
    evening: Evening
    looked_at: EveningPart
    alone: EveningPart = field(default_factory=lambda: EveningPart("scorers alone"))
    idle: float = 0.0  # share of a core that viewers cost while nothing happens
    published: float = 0.0  # milliseconds
    printed: list[float] = field(default_factory=list)  # milliseconds until each order was taken
    made: int = 0  # how many of the two files were made before the end
    seconds: float = 0.0
    machine: tuple[float, ...] = ()  # the machine's load average before and after


def run_evening(*, viewers: int = VIEWERS, rounds: int = ROUNDS, within: float = WITHIN) -> Load:
    began, machine, evening = perf_counter(), os.getloadavg()[:1], make_evening()
    connections.close_all()
    found = Load(connection.vendor, evening, EveningPart(f"{viewers} look on, one publishes, two print"))
    with serve_site() as (port, processes), run_worker():
        hall = _Hall(port, evening, evening.rounds(), within, began)
        # A round that isn't counted: every thread gets a connection to the database.
        asyncio.run(hall.rounds_of(EveningPart(""), 1))
        asyncio.run(hall.rounds_of(found.alone, rounds))
        asyncio.run(hall.with_viewers(found, processes, viewers=viewers, rounds=rounds))
    found.made = Order.objects.filter(file__state=MadeFile.State.MADE).count()
    found.seconds = perf_counter() - began
    found.machine = machine + os.getloadavg()[:1]
    return found


@dataclass(slots=True)
class _Hall:
    port: int
    evening: Evening
    rounds: Iterator[list[ScorerTap]]
    within: float
    began: float

    async def rounds_of(self, part: EveningPart, count: int) -> None:
        for _round in range(count):
            sent = await asyncio.to_thread(self._next)
            if sent is None or perf_counter() - self.began > LONGEST:
                return
            await asyncio.gather(*(self._tap(posts, part) for posts in sent))

    def _next(self) -> list[ScorerTap] | None:
        try:
            return next(self.rounds, None)
        finally:
            connections.close_all()  # this thread's connections

    async def with_viewers(self, found: Load, processes: list[int], *, viewers: int, rounds: int) -> None:
        part, until = found.looked_at, perf_counter() + 600
        look = partial(watch_pages, until, port=self.port, event=self.evening.event, viewers=viewers, seen=part.viewers)
        tasks = [asyncio.create_task(look(number=number)) for number in range(viewers)]
        await asyncio.sleep(self.within * 1.2)  # by then all have looked once
        before, at = processor_seconds(processes), perf_counter()
        await asyncio.sleep(self.within)
        found.idle = (processor_seconds(processes) - before) / (perf_counter() - at)
        others = asyncio.create_task(self._others(found))
        await self.rounds_of(part, rounds)
        await others
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _others(self, found: Load) -> None:
        await asyncio.sleep(self.within)
        with closing(await Connection.open(self.port)) as line:
            found.published = await line.timed(self.evening.publish())
            found.printed = [await line.timed(self.evening.print(copies)) for copies in (1, 2)]

    async def _tap(self, posts: ScorerTap, part: EveningPart) -> None:
        await asyncio.sleep(self.evening.random.random() * self.within)
        await asyncio.gather(*(self._send(post, part) for post in posts))

    async def _send(self, post: Post, part: EveningPart) -> None:
        with closing(await Connection.open(self.port)) as line:
            began = perf_counter()
            status, _headers, body = await line.ask(post.request)
            part.posts.append((perf_counter() - began) * 1000)
        if status in RECORDED_STATUSES:
            self.evening.acknowledged.append(post)
        elif status in REFUSED_STATUSES:
            part.refused.append(await time_request(self.port, post.page, statuses=REFUSED_STATUSES))
        else:
            raise RuntimeError(f"A deal was answered with {status}: {body[:300]!r}")


def as_text(found: Load) -> str:
    evening = found.evening
    lines = [
        f"An evening on {found.database}: {SCORERS} scorers post within {WITHIN:.0f} s, 30 % twice, 10 % in conflict",
        f"{'milliseconds':44}{'p50':>8}{'p95':>8}{'p99':>8}{'posts':>7}",
    ]
    for part in (found.alone, found.looked_at):
        shown = "".join(f"{percentile(part.posts, p):>8.0f}" for p in (50, 95, 99))
        lines += [
            f"{part.what:44}{shown}{len(part.posts):>7}",
            f"  {len(part.refused)} refused, as another was first: their pages {percentile(part.refused, 50):.0f}, "
            f"p95 {percentile(part.refused, 95):.0f}",
        ]
    lines += [
        f"viewers, nothing happens: {found.idle:.1%} of a core; looks: {found.looked_at.viewers.statuses}",
        f"published in {found.published:.0f} ms; printing ordered in "
        f"{', '.join(f'{one:.0f}' for one in found.printed)} ms, {found.made} made by the end",
        f"{evening.recorded()} deals acknowledged, {evening.lost()} lost, {evening.doubled()} doubled",
        f"{found.seconds:.0f} s; the machine's load {' to '.join(f'{one:.1f}' for one in found.machine)}",
    ]
    return "\n".join(lines) + "\n"
