"""What background tasks cost: a PDF from publishing on, a hundred orders at once, a deal recorded beside a worker.

The site is served on loopback as `./dev run` does it, with a worker beside it, from the scratch database. Each figure
is compared with the same without a worker, measured in the same run. While a hundred orders wait, the renderer is
stopped and let go on in turns of some seconds, and pages and posts are timed in both states: so whatever else the
machine does affects both alike.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter

from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import Actor, Role, User
from clubsite.jobs.models import MadeFile, Order, Worker
from clubsite.pdf.documents import make_pdf
from lab.benchmarks.cluster.parts import kill, tree_of, until
from lab.benchmarks.crowd import (
    Connection,
    Seen,
    beside,
    browser_of,
    client_of,
    deals_to_post,
    make_event,
    percentile,
    request,
    scores,
    serving,
    somebody,
    timed,
)
from tournaments.draws import making, rotation
from tournaments.models import Draw, DrawJob, Event, GroupGame
from tournaments.rounds.publishing import take_back_draw

ORDERS = 100
EACH = 10  # orders of one person: fewer than the limit, `ORDERS_WAITING`
PATIENCE = 900  # seconds to wait for the worker: on a slow machine not all orders are made by then
TURN = 4.0  # seconds that the renderer goes on, or is stopped
TURNS = 12  # turns of each kind in which pages are timed; then the rest is just made
State = MadeFile.State


@dataclass(slots=True)
class Trial:
    """What was measured: times of documents in seconds, of pages and posts in milliseconds."""

    cards: int
    first: float = 0.0  # seconds from publishing until the first document was made
    all: float = 0.0  # seconds from publishing until all documents that are made ahead were made
    printed: float = 0.0  # milliseconds until "print" was then answered with the PDF
    orders: int = 0
    ordered: list[float] = field(default_factory=list)  # milliseconds of each order
    stopped: dict[str, list[float]] = field(default_factory=dict)  # ms of pages and posts, the renderer stopped
    going: dict[str, list[float]] = field(default_factory=dict)  # the same while it works
    tasks: int = 0  # tasks for these orders
    made: int = 0
    attempts: int = 0  # attempts at the files that were made
    seconds: float = 0.0  # until the last file was made, or PATIENCE ran out
    worker_mb: float = 0.0  # the most memory of the worker and what it started
    renderers: int = 0  # the most renderers at once
    posts: list[Seen] = field(default_factory=list)  # without a worker, beside an idle and a busy one


def trial(seconds: float, orders: int = ORDERS) -> Trial:
    """Measure everything; deals are recorded for so many seconds in each of the three parts."""
    event, scorer = make_event()
    people = [somebody(event.club, f"director-{n}", kind=Role.Kind.DIRECTOR) for n in range(-(-orders // EACH))]
    draw = Draw.objects.get(round__stage__event=event, state=Draw.State.PUBLISHED)
    found = Trial(cards=GroupGame.objects.filter(group__table__draw=draw).count())
    posts = deals_to_post(event, scorer)
    with serving() as (port, _processes):
        found.posts.append(_scored(port, posts, what="no worker", seconds=seconds))
        with working() as worker:
            found.posts.append(_scored(port, posts, what="a worker with nothing to do", seconds=seconds))
            _published(found, event, draw=draw, user=people[0])
            wanted, asked = _wanted(event, people, orders=orders), _opened(event, people[0])
            asyncio.run(_crowd_of_orders(found, port, wanted=wanted, asked=asked, worker=worker, posts=posts))
            _search(event, people[0])
            found.posts.append(_scored(port, posts, what="a worker that searches a draw", seconds=seconds))
    return found


@contextmanager
def working() -> Iterator[int]:
    """Runs a worker within the block, and gives its process id."""
    with beside("manage.py", "worker", "--beside", str(os.getpid())) as worker:
        _until(Worker.objects.exists)
        yield worker


def as_text(found: Trial) -> str:
    """The figures in words."""
    alone, *others = found.posts
    lines = [
        "",
        f"Published: the first document after {found.first:.1f} s; all that are made ahead ({found.cards} cards, the "
        f"seats) after {found.all:.1f} s; then “print” is answered in {found.printed:.0f} ms",
        f"{found.orders} orders at once, of different documents: each answered in {median(found.ordered):.0f} ms, at "
        f"most {max(found.ordered):.0f} ms; {found.tasks} tasks, {found.made} made in {found.seconds:.0f} s by "
        f"{found.attempts} attempts",
        *(
            _beside(what, stopped=found.stopped[what], going=going)
            for what, going in found.going.items()
            if len(going) > 1
        ),
        f"  the worker with what it starts: at most {found.worker_mb:.0f} MB, {found.renderers} renderer at once",
        f"A deal recorded: {alone.median:.0f} ms without a worker ({len(alone.posts)} posts)",
    ]
    lines += [
        f"  beside {one.what}: {one.median:.0f} ms, x {one.median / alone.median:.2f} ({len(one.posts)} posts)"
        for one in others
    ]
    return "\n".join(lines) + "\n"


def _published(found: Trial, event: Event, *, draw: Draw, user: User) -> None:
    """Take the draw back and publish it on its page; wait for what is made ahead."""
    take_back_draw(draw=draw, by=Actor(user=user, name="bench"))
    browser = client_of(user)
    at = [event.club.slug, event.slug]
    began = perf_counter()
    answer = browser.post(reverse("draw_step", args=[*at, draw.pk]), {"step": "publish"})
    if answer.status_code != 302 or not Draw.objects.filter(pk=draw.pk, state=Draw.State.PUBLISHED).exists():
        raise RuntimeError(f"Publishing was answered with {answer.status_code}")
    _until(MadeFile.objects.filter(state=State.MADE).exists)
    found.first = perf_counter() - began
    _until(_nothing_waits)
    found.all = perf_counter() - began
    began = perf_counter()
    cards = browser.get(reverse("document", args=[*at, "cards"]), {"draw": draw.pk})
    found.printed = (perf_counter() - began) * 1000
    if cards.get("Content-Type") != "application/pdf":
        raise RuntimeError(f"The cards weren't made ahead: {cards.status_code}")


def _wanted(event: Event, people: list[User], *, orders: int) -> list[bytes]:
    """So many requests, each for another document."""
    blank = reverse("document", args=[event.club.slug, event.slug, "blank"])
    heads = [browser_of(user) for user in people]
    return [
        request(
            f"POST {blank}?copies={1 + n // 4}&paper={('A4', 'Letter')[n % 2]}&on={1 + n // 2 % 2}", heads[n // EACH]
        )
        for n in range(orders)
    ]


def _opened(event: Event, user: User) -> dict[str, bytes]:
    """The requests of pages that are timed."""
    at, head = [event.club.slug, event.slug], browser_of(user)
    return {
        "the desk": request(f"GET {reverse('desk_event', args=at)}", head),
        "the public page": request(f"GET {reverse('event', args=at)}?sort=name", head),  # sorted, so it isn't cached
    }


async def _crowd_of_orders(
    found: Trial, port: int, *, wanted: list[bytes], asked: dict[str, bytes], worker: int, posts: Iterator[bytes]
) -> None:
    """Documents are ordered all at once; pages are opened and deals recorded meanwhile."""
    before = await asyncio.to_thread(_pdf_tasks)
    began = perf_counter()
    found.ordered = await asyncio.gather(*(timed(port, one) for one in wanted))
    watching = asyncio.create_task(_watched(found, worker))
    turns = 0
    while not await asyncio.to_thread(_nothing_waits) and perf_counter() < began + PATIENCE:
        if (turns := turns + 1) <= TURNS:
            with _stopped(worker):
                await _looked(found.stopped, port, asked=asked, posts=posts)
            await _looked(found.going, port, asked=asked, posts=posts)
        await asyncio.sleep(0.2)
    found.seconds = perf_counter() - began
    watching.cancel()
    await asyncio.to_thread(_counted, found, before)


async def _watched(found: Trial, worker: int) -> None:
    """How many renderers the worker has at once, and how much memory they take together, until this is cancelled."""
    while True:
        tree = tree_of(worker)
        found.renderers = max(found.renderers, len(tree) - 1)
        found.worker_mb = max(found.worker_mb, sum(_megabytes(pid) for pid in tree))
        await asyncio.sleep(0.2)


def _counted(found: Trial, before: int) -> None:
    """Count what came of the orders."""
    ordered = MadeFile.objects.filter(pk__in=Order.objects.values("file"))
    found.orders = Order.objects.count()
    found.made = ordered.filter(state=State.MADE).count()
    found.attempts = sum(ordered.filter(state=State.MADE).values_list("attempt", flat=True))
    found.tasks = _pdf_tasks() - before


async def _looked(times: dict[str, list[float]], port: int, *, asked: dict[str, bytes], posts: Iterator[bytes]) -> None:
    """Pages opened and deals recorded for one turn, one after the other; their milliseconds are added to `times`."""
    until = perf_counter() + TURN
    with closing(await Connection.open(port)) as line:
        for what in cycle([*asked, "a deal recorded"]):
            if what in asked:
                took = await timed(port, asked[what], statuses=(200,))
            else:
                took = await line.timed(await asyncio.to_thread(next, posts), what="A deal")
            times.setdefault(what, []).append(took)
            if perf_counter() > until:
                return
            await asyncio.sleep(0.15)


@contextmanager
def _stopped(worker: int) -> Iterator[None]:
    """Stops the processes that the worker started, within the block; it waits for them, and holds no lock."""
    _worker, *held = tree_of(worker)
    kill(held, signal.SIGSTOP)
    try:
        yield
    finally:
        kill(held, signal.SIGCONT)


def _beside(what: str, *, stopped: list[float], going: list[float]) -> str:
    """Medians and 95th percentiles, while orders are made and while the renderer is stopped."""
    mid, slow, mid_stopped, slow_stopped = (percentile(times, part) for times in (going, stopped) for part in (50, 95))
    return (
        f"  {what} meanwhile: {mid:.0f} ms, 19 of 20 under {slow:.0f} ms ({len(going)}); with the renderer stopped "
        f"{mid_stopped:.0f} and {slow_stopped:.0f} ms ({len(stopped)}): x {mid / mid_stopped:.2f} and "
        f"x {slow / slow_stopped:.2f}"
    )


def _search(event: Event, user: User) -> None:
    """Have the worker search a draw that outlasts the trial."""
    rounds = rotation.Asked(tuple(range(1, 55)), (), (), 12, 1, 2_000_000_000, "sit-out", (), ())
    job = making.set_up(event, rounds, best=(), by=Actor(user=user, name="bench"))
    _until(lambda: DrawJob.objects.filter(pk=job.pk, attempt=1).exists())


def _scored(port: int, posts: Iterator[bytes], *, what: str, seconds: float) -> Seen:
    seen = Seen(what)
    asyncio.run(scores(perf_counter() + seconds, port=port, posts=posts, seen=seen))
    return seen


def _pdf_tasks() -> int:
    return DBTaskResult.objects.filter(task_path=make_pdf.module_path).count()


def _nothing_waits() -> bool:
    return not DBTaskResult.objects.exclude(status__in=("SUCCESSFUL", "FAILED")).exists()


def _until(true: Callable[[], object]) -> None:
    until(true, seconds=PATIENCE, what="The worker did what it is to do", every=0.02)


def _megabytes(pid: int) -> float:
    """Memory that a process has now, 0 when it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / 1024 / 1024
