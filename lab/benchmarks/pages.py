"""What the main pages cost in queries, milliseconds and bytes, and cards as PDF.

Times depend on the machine, so each is given with something to hold it against: the log-in page, an empty document.
"""

import re
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import User
from clubsite.pdf.documents import Heading, Pages, render_pdf
from lab.benchmarks.main_pages import Page, main_pages
from lab.benchmarks.served import HOST, logged_in_client, measure_cost
from scoring.engine.core.ruleset import shipped
from tournaments.demo import Demo
from tournaments.documents.cards import PrintedCard, card_pages
from tournaments.table_links.links import ShownLink, make_code, make_token

TIMES = 5
SITE = "http://192.168.1.20:8000/"  # as in a hall's own network


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


def measure_pages(demo: Demo, times: int = TIMES) -> list[PageSpeed]:
    """The log-in page, then the main pages; each is asked for once before it is measured."""
    visitor, director = Client(SERVER_NAME=HOST), _director(demo)
    login = _measure_page(visitor, Page("log-in", reverse("login")), times=times, login=None)
    return [
        login,
        *(
            _measure_page(director if page.director else visitor, page, times=times, login=login.milliseconds)
            for page in main_pages(demo)
        ),
    ]


def _director(demo: Demo) -> Client:
    return logged_in_client(User.objects.get(username=demo.director.username))


def _measure_page(client: Client, page: Page, *, times: int, login: float | None) -> PageSpeed:
    queries, runs = measure_cost(lambda: client.get(page.address), times, clock=perf_counter)
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


def build_static_files() -> None:
    if settings.STATIC_BUILT:
        call_command("collectstatic", interactive=False, verbosity=0)


def linked_files(html: str) -> list[str]:
    return list(dict.fromkeys(re.findall(rf'\s(?:href|src)="({settings.STATIC_URL}[^"#]*)', html)))


def time_cards(n: int) -> tuple[float, float, int]:
    """Seconds for `n` blank score cards as one PDF, each with its table's QR code, and for as many empty pages, each
    with the start of the renderer; and how many pages that is."""
    rule_set = shipped()["st-hilary-v3"]
    shape = rule_set.shapes[0]
    sides = tuple(
        ("", tuple((f"Seat {p}", f"Player Number {p} of {s}") for p in range(shape.per_side)))
        for s in range(shape.sides)
    )
    heading = Heading("Bench", "Fifty-four players, nine tables", "Saturday 21 November 2026")
    sheets = []
    for i in range(1, n + 1):
        nonce = f"{i:032x}"
        link = ShownLink(f"{SITE}t/{make_token(nonce)}/", make_code(nonce), typed=f"{SITE}t/")
        sheets.append(PrintedCard(f"1.1-{i}-1", heading, f"Qualifying · Table {i}", sides, rule_set.title, link=link))
    pages = card_pages(sheets, rule_set, paper="A4")
    empty = Pages(("<p></p>" + '<p style="break-before:page"></p>' * (len(pages.documents) - 1),))
    took = []
    for document in (pages, empty):
        started = perf_counter()
        render_pdf(document.payload())
        took.append(perf_counter() - started)
    return took[0], took[1], len(pages.documents)
