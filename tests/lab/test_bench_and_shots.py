"""`./dev bench` and `./dev shots`, as they are run: on a small demo of their own."""

import gzip
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from clubsite.accounts.models import User
from lab.benchmarks import pages
from lab.benchmarks.served import client_of
from scoring.models import Game
from tests.kept import made_once
from tournaments.demo.loading import load

MAIN = {"log-in", "home", "club", "event", "seats", "board", "season", "desk", "entries", "card", "cut"}


@pytest.fixture
def loaded(db):
    return made_once("demo", load)


def in_lab(*arguments, data):
    return subprocess.run(
        [sys.executable, "-m", "lab", *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, "VAR_DIR": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.proof  # a process of its own with a database of its own: 45 seconds; the next one asks its parts
def test_bench_gives_every_figure_it_promises(tmp_path):
    done = in_lab("bench", "--small", data=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.startswith("  ")}
    assert set(rows) >= {"page", *MAIN}
    assert "4 score cards as one PDF of 2 pages" in done.stdout
    assert not (tmp_path / "nine-tables.sqlite3").exists()


def test_what_is_measured_of_pages(loaded):
    speeds = {page.name: page for page in pages.page_speeds(loaded, times=1)}
    assert set(speeds) >= MAIN
    assert {page.status for page in speeds.values()} == {200}
    assert all(0 < page.queries < 60 for name, page in speeds.items() if name != "log-in")


def test_a_card_is_light_enough_for_the_halls_wifi(loaded):
    """Its files as gzip compresses them."""
    browser = client_of(User.objects.get(username=loaded.director.username))
    card = Game.objects.filter(club=loaded.parish, deals_played=4)[0].get_absolute_url()
    html = browser.get(card).content.decode()
    sent = len(browser.get(card, headers={"Accept-Encoding": "gzip"}).content)
    text = fonts = 0
    for address in set(re.findall(rf'\s(?:href|src)="({settings.STATIC_URL}[^"#]*)', html)):
        name = address.removeprefix(settings.STATIC_URL)
        file = Path(str(finders.find(name))).read_bytes()
        if address.endswith(".woff2"):
            fonts += len(file)
        else:
            text += len(gzip.compress(file))
    assert fonts > 0
    assert 0 < sent <= 10_000
    assert sent + text <= 72_000  # as written: scripts and sheets keep their comments
    assert sent + text + fonts <= 100_000


@pytest.mark.proof  # a whole evening, a minute of it; test_evening.py asks what it counts
def test_an_evening_loses_nothing_and_doubles_nothing(tmp_path):
    done = in_lab("bench", "load", "--small", data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "81 deals acknowledged, 0 lost, 0 doubled" in done.stdout
    assert len(re.findall(r"p95 is [\d.]+ times the bare page's", done.stdout)) == 2
    assert re.search(r"published in \d+ ms; printing ordered in \d+, \d+ ms", done.stdout)


@pytest.mark.proof  # with a process and a database of its own
def test_shots_writes_a_picture_of_every_main_page(tmp_path):
    out = tmp_path / "shots"
    done = in_lab("shots", "--widths", "390", "--out", str(out), data=tmp_path)
    assert done.returncode == 0, done.stderr
    names = {file.name for file in out.iterdir()}
    assert {"home-390.png", "card-390.png", "board-390.png", "board-dark-390.png", "readme.png"} <= names
    assert {width_of(file) for file in out.glob("*-390.png")} == {390}
    assert (out / "board-390.png").read_bytes() != (out / "board-dark-390.png").read_bytes()
    assert (out / "readme.png").stat().st_size <= 200_000


def width_of(file):
    return struct.unpack(">I", file.read_bytes()[16:20])[0]
