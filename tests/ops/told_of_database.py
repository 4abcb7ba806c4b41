"""What a database says: rows, the text of documents, the cells of public tables, each club's export. Prints JSON.

Run by the test of an older database in a process of its own, after `migrate`. It ran with the older version as well,
unchanged, to say what is expected: it asks only for addresses and models that both have. Events still to come are left
out: their pages and papers tell the time.
"""

import json
import os
import re
import sys
from io import BytesIO, StringIO

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
django.setup()  # before anything that imports a model: hence the marks below

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from pypdf import PdfReader  # noqa: E402

from clubsite.accounts.models import Club, Role  # noqa: E402
from scoring.models import Points, Side  # noqa: E402
from tournaments.models import Adjustment, CutLine, Draw, Event, PublishedStandings, Seat, SitOut  # noqa: E402

PAPER = {  # each kind of document once: PDFs take most of the time
    "pinochle-night-1": ["result.pdf"],
    "pinochle-night-2": ["standings.pdf?stage=1", "cards.pdf?filled=1&draw=4"],
    "hand-and-foot-evening-2": ["cards.pdf?filled=1&draw=6"],
    "county-championship": ["cut.pdf?stage=1", "seating.pdf?draw=7", "cards.pdf?filled=1&draw=8"],
}


def one_line(text):
    """The text with every run of white space as one space."""
    return re.sub(r"\s+", " ", text).strip()


def rows():
    names = {
        PublishedStandings: ("pk", "number", "rows"),
        CutLine: ("cut__state", "entry__name", "advances", "reason", "args"),
        Draw: ("pk", "state", "seed", "statement"),
        Seat: ("draw", "group", "entry__name", "side", "position"),
        SitOut: ("draw", "entry__name"),
        Adjustment: ("stage", "entry__name", "points", "reason"),
        Points: ("version", "side", "points", "was_set"),
        Side: ("game", "number", "total", "half_wins", "sets", "names"),
    }
    return {model.__name__: list(model.objects.order_by("pk").values_list(*names[model])) for model in names}


def paper(event):
    """The text of the event's documents, page by page, as its club's director prints them."""
    client, told = Client(HTTP_HOST="localhost"), {}
    client.force_login(Role.objects.filter(club=event.club, kind=Role.Kind.DIRECTOR)[0].user)
    for address in PAPER[event.slug]:
        answer = client.get(f"/{event.club.slug}/desk/{event.slug}/print/{address}")
        pages = PdfReader(BytesIO(answer.content)).pages
        told[address] = [one_line(page.extract_text()) for page in pages]
    return told


def cells(event):
    """The cells of every table on the event's public page and its season's page."""
    told = {}
    addresses = [f"events/{event.slug}/"]
    if event.season_id:
        addresses.append(f"seasons/{event.season_id}/")
    for address in addresses:
        text = Client(HTTP_HOST="localhost").get(f"/{event.club.slug}/{address}").content.decode()
        found = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", text, flags=re.DOTALL)
        told[address] = [one_line(re.sub(r"<[^>]*>", " ", cell)) for cell in found]
    return told


def export(club):
    text = StringIO()
    call_command("deals", "export", club.slug, "-", stdout=text)
    return text.getvalue()


if __name__ == "__main__":
    events = Event.objects.filter(slug__in=PAPER).select_related("club").order_by("pk")
    everything = {
        "rows": rows(),
        "paper": {} if "--no-paper" in sys.argv else {event.slug: paper(event) for event in events},
        "cells": {event.slug: cells(event) for event in events},
        "files": {club.slug: export(club) for club in Club.objects.order_by("pk")},
    }
    json.dump(everything, sys.stdout, ensure_ascii=False, sort_keys=True, default=str)
