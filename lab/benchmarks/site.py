"""What `./dev bench` measures besides the engine: the draws, the cards as PDF, the main pages.

Times depend on the machine, so each is given with something to hold it against: an empty document, the log-in page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import User
from clubsite.jobs.files import NotMade
from lab.benchmarks import paper
from lab.benchmarks.crowd import HOST, client_of, cost_of
from lab.benchmarks.draws import repeats, timed
from lab.benchmarks.main_pages import Page, main_pages
from lab.benchmarks.weight import PageWeight, page_weight
from lab.simulation.advice import way_of
from lab.simulation.formats import tried
from tournaments.advice.offers import AdviceRequest, offers
from tournaments.demo.loading import Demo
from tournaments.engine.draws.contest import TableDraw, contest_draw, meetings_again
from tournaments.engine.draws.rotation import Afternoon
from tournaments.engine.verify import statement

TIMES = 5


@dataclass(frozen=True, slots=True)
class DrawSpeed:
    """How long a draw takes, and what it repeats: partners, opponents; or table-mates, where nobody is a partner."""

    what: str
    seconds: float
    partners_again: int | None
    opponents_again: int | None
    table_mates_again: int


@dataclass(frozen=True, slots=True)
class TrialSpeed:
    """How many imagined events of a format are played in a second, and how often the best one won."""

    format: str
    people: int
    rounds: int
    events: int
    per_second: float
    best_wins: float


@dataclass(frozen=True, slots=True)
class PdfSpeed:
    """How long score cards take as one PDF, and an empty document of as many pages with the same renderer."""

    cards: int
    pages: int
    seconds: float
    empty_seconds: float
    link_ratio: float  # how many times as much processor time the cards take with QR codes

    @property
    def ratio(self) -> float:
        """How many times as long the cards take."""
        return self.seconds / self.empty_seconds


@dataclass(frozen=True, slots=True)
class PageSpeed:
    """One page: queries of one request, milliseconds of several, and the size of what is sent."""

    name: str
    address: str
    status: int
    queries: int
    milliseconds: float  # median
    fastest: float
    slowest: float
    ratio: float  # to the log-in page's time
    size: int


def draw_speeds() -> list[DrawSpeed]:
    """Two afternoons of tables of four, and three rounds at nine tables of six, each kept apart from those before."""
    speeds = []
    for people, rounds in ((24, 6), (32, 8)):
        everybody = range(1, people + 1)
        plan, seconds = timed(Afternoon(everybody, rounds), seed=1)
        repeated = repeats(statement(plan.rounds, everybody))
        speeds.append(DrawSpeed(f"{people} people, {rounds} rounds of fours", seconds, *repeated))
    start = perf_counter()
    met: list[Sequence[int]] = []
    again = 0
    for seed in range(3):
        tables: tuple[TableDraw, ...] = contest_draw(range(1, 55), seed=seed, apart=met)
        again += meetings_again(tables, met)
        met.extend(table.entries for table in tables)
    speeds.append(DrawSpeed("54 people, 3 rounds at nine sixes", perf_counter() - start, None, None, again))
    return speeds


def trial_speeds(events: int) -> list[TrialSpeed]:
    """Every format that fits 24 people and six rounds, and a contest of 54, on the engines alone."""
    speeds = []
    for people, rounds in ((24, 6), (54, 12)):
        for offer in offers(AdviceRequest(people, rounds)):
            if people == 54 and not offer.stages:
                continue
            way = way_of(offer, people, seed=1)
            start = perf_counter()
            found = tried(way, people, count=events, seed=1)
            seconds = perf_counter() - start
            speeds.append(
                TrialSpeed(str(offer.format), people, offer.rounds, events, events / seconds, float(found.best_wins))
            )
    return speeds


def pdf_speed(cards: int) -> PdfSpeed | str:
    """Cards as PDF; in words why not, where this machine can't make any."""
    try:
        seconds, pages = paper.cards(cards)
        return PdfSpeed(cards, pages, seconds, paper.empty(pages), paper.link_ratio(cards))
    except NotMade as missing:
        return str(missing)


def page_speeds(demo: Demo, times: int = TIMES) -> list[PageSpeed]:
    """The log-in page, then the main pages; each is asked for once before it is measured."""
    visitor, director = Client(SERVER_NAME=HOST), _director(demo)
    login = _page_speed(visitor, Page("log-in", reverse("login")), times=times, login=None)
    return [
        login,
        *(
            _page_speed(director if page.director else visitor, page, times=times, login=login.milliseconds)
            for page in main_pages(demo)
        ),
    ]


def page_weights(demo: Demo) -> list[PageWeight]:
    """The pages that a hall's phones open, by the bytes that they bring."""
    director = _director(demo)
    return [page_weight(director, page) for page in main_pages(demo) if page.name in ("card", "event", "board")]


def _director(demo: Demo) -> Client:
    return client_of(User.objects.get(username=demo.director.username))


def _page_speed(client: Client, page: Page, *, times: int, login: float | None) -> PageSpeed:
    queries, runs = cost_of(lambda: client.get(page.address), times, clock=perf_counter)
    response, middle = client.get(page.address), median(runs)
    return PageSpeed(
        name=page.name,
        address=page.address,
        status=response.status_code,
        queries=len(queries),
        milliseconds=middle,
        fastest=min(runs),
        slowest=max(runs),
        ratio=middle / (login or middle),
        size=len(response.content),
    )
