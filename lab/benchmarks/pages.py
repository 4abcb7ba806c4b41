"""What the main pages cost in queries, milliseconds and bytes, looks at those that refresh themselves, cards as PDF.

Times depend on the machine, so each is given with something to hold it against: the log-in page, an empty document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter

from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from clubsite import live
from clubsite.accounts.models import User
from clubsite.pdf.documents import Heading, Pages, rendered
from lab.benchmarks.main_pages import Page, main_pages
from lab.benchmarks.served import HOST, LOOKED_AT, client_of, cost_of
from scoring.engine.core.ruleset import shipped
from tournaments.demo.loading import Demo
from tournaments.documents.cards import card_pages
from tournaments.documents.from_draws import CardSheet, CardSide, Player
from tournaments.models import Event
from tournaments.table_links.links import ShownLink, code_of, token_of

TIMES = 5
SITE = "http://192.168.1.20:8000/"  # as in a hall's own network
FONT = ".woff2"
SPOKEN = {"Accept-Encoding": "gzip"}  # over plain HTTP, as in a hall; HTTPS has brotli too, a tenth less


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


@dataclass(frozen=True, slots=True)
class PageWeight:
    """A page with its files in bytes: uncompressed (`raw`), as sent at the `first` visit, with fonts too, and `after`
    that."""

    name: str
    files: int
    raw: int
    first: int
    first_with_fonts: int
    after: int


def build() -> None:
    if settings.STATIC_BUILT:
        call_command("collectstatic", interactive=False, verbosity=0)


def files_of(html: str) -> list[str]:
    return list(dict.fromkeys(re.findall(rf'\s(?:href|src)="({settings.STATIC_URL}[^"#]*)', html)))


def page_weight(client: Client, page: Page) -> PageWeight:
    """Weigh a page and the files that it names. A file that browsers may not keep counts at later visits, too."""
    html = client.get(page.address).content
    sent = len(client.get(page.address, headers=SPOKEN).content)
    raw, first, fonts, again = len(html), sent, 0, 0
    files = files_of(html.decode())
    for address in files:
        answer = client.get(address, headers=SPOKEN)
        size = len(answer.getvalue())
        raw += len(client.get(address).getvalue())
        if "immutable" not in answer.get("Cache-Control", ""):
            again += size
        if address.endswith(FONT):
            fonts += size
        else:
            first += size
    return PageWeight(page.name, len(files), raw, first, first + fonts, sent + again)


def cards(n: int) -> tuple[float, float, int]:
    """Seconds for `n` blank score cards as one PDF, each with its table's QR code, and for as many empty pages, each
    with the start of the renderer; and how many pages that is."""
    rule_set = shipped()["st-hilary-v3"]
    shape = rule_set.shapes[0]
    sides = tuple(
        CardSide(tuple(Player(f"Seat {p}", f"Player Number {p} of {s}") for p in range(shape.per_side)))
        for s in range(shape.sides)
    )
    heading = Heading("Bench", "Fifty-four players, nine tables", "Saturday 21 November 2026")
    sheets = []
    for i in range(1, n + 1):
        nonce = f"{i:032x}"
        link = ShownLink(f"{SITE}t/{token_of(nonce)}/", code_of(nonce), typed=f"{SITE}t/")
        sheets.append(CardSheet(f"1.1-{i}-1", heading, f"Qualifying · Table {i}", sides, rule_set.title, link=link))
    pages = card_pages(sheets, rule_set, paper="A4")
    empty = Pages(("<p></p>" + '<p style="break-before:page"></p>' * (len(pages.documents) - 1),))
    took = []
    for document in (pages, empty):
        started = perf_counter()
        rendered(document.payload())
        took.append(perf_counter() - started)
    return took[0], took[1], len(pages.documents)
