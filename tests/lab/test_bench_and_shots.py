"""`./dev bench` and `./dev shots`, as they are run: on a small demo of their own."""

from __future__ import annotations

import gzip
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import CommandError

from clubsite.accounts.models import Club, User
from clubsite.backends.static_files import smaller
from lab.benchmarks import crowd, site, weight
from lab.benchmarks.scratch import demo_here
from lab.tools import shots
from scoring.engine.core.ruleset import shipped
from scoring.models import Game
from tests.kept import made_once
from tournaments.demo.loading import Demo, load

MAIN = {"log-in", "home", "club", "event", "seats", "board", "season", "desk", "entries", "card", "cut"}


@pytest.fixture
def loaded(db: Any) -> Demo:
    """The demo."""
    return made_once("demo", load)


def in_lab(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on data of its own."""
    return subprocess.run(
        [sys.executable, "-m", "lab", *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, "VAR_DIR": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.proof  # a process of its own with a database of its own: 45 seconds; the next one asks its parts
def test_bench_gives_every_figure_it_promises(tmp_path: Path) -> None:
    done = in_lab("bench", "--small", "--json", data=tmp_path)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert {speed["rules"] for speed in figures["engine"]} == set(shipped())
    assert all(speed["per_second"] > 0 for speed in figures["engine"])
    assert [draw["what"].split()[0] for draw in figures["draws"]] == ["24", "32", "54"]
    assert figures["pdf"]["cards"] == 4
    assert figures["pdf"]["ratio"] == pytest.approx(figures["pdf"]["seconds"] / figures["pdf"]["empty_seconds"])
    pages = {page["name"]: page for page in figures["pages"]}
    assert set(pages) >= MAIN
    assert {page["status"] for page in figures["pages"]} == {200}
    assert all(0 < page["queries"] < 60 for name, page in pages.items() if name != "log-in")
    assert all(page["fastest"] <= page["milliseconds"] <= page["slowest"] for page in figures["pages"])
    weights = {page["name"]: page for page in figures["weights"]}
    assert all(0 < page["after"] < page["first"] < page["first_with_fonts"] < page["raw"] for page in weights.values())
    assert weights["card"]["first"] <= 60_000
    assert weights["card"]["first_with_fonts"] <= 100_000
    assert weights["card"]["after"] <= 10_000
    assert [season["nights"] for season in figures["seasons"]] == [2, 4]
    assert {(trial["format"], trial["people"]) for trial in figures["trials"]} >= {("rotation", 24), ("contest", 54)}
    assert all(trial["per_second"] > 0 for trial in figures["trials"])
    assert {look["name"]: look["same_queries"] for look in figures["looks"]} == {"event": 1, "seats": 1, "board": 1}
    assert all(1 < look["made_queries"] < 60 and 0 < look["same_ms"] < look["made_ms"] for look in figures["looks"])
    assert not (tmp_path / "nine-tables.sqlite3").exists()


def test_what_is_measured_of_formats_and_pages(loaded: Demo) -> None:
    trials = site.trial_speeds(1)
    assert {(trial.format, trial.people) for trial in trials} >= {("rotation", 24), ("contest", 54)}
    pages = {page.name: page for page in site.page_speeds(loaded, times=1)}
    assert set(pages) >= MAIN
    assert {page.status for page in pages.values()} == {200}
    assert all(0 < page.queries < 60 for name, page in pages.items() if name != "log-in")
    looks = crowd.look_speeds(loaded.contest, times=1)
    assert {look.name: look.same_queries for look in looks} == {"event": 1, "seats": 1, "board": 1}
    assert all(1 < look.made_queries < 60 for look in looks)


def test_a_card_is_light_enough_for_the_halls_wifi(loaded: Demo) -> None:
    """As the proof above weighs it, its files compressed here instead of by a built site."""
    browser = crowd.client_of(User.objects.get(username=loaded.director.username))
    card = Game.objects.filter(club=loaded.parish, deals_played=4)[0].get_absolute_url()
    html = browser.get(card).content.decode()
    sent = len(browser.get(card, headers=weight.SPOKEN).content)
    text = fonts = 0
    for address in weight.files_of(html):
        name = address.removeprefix(settings.STATIC_URL)
        file = smaller(name, Path(str(finders.find(name))).read_bytes())
        if address.endswith(weight.FONT):
            fonts += len(file)
        else:
            text += len(gzip.compress(file))
    assert fonts > 0
    assert 0 < sent <= 10_000
    assert sent + text <= 60_000
    assert sent + text + fonts <= 100_000


@pytest.mark.proof  # half a minute, and `./dev load` does as much and more
def test_a_crowd_of_viewers_and_a_scorer_are_served(tmp_path: Path) -> None:
    done = in_lab("bench", "crowd", "--small", data=tmp_path)
    assert done.returncode == 0, done.stderr
    alone, quiet, both = done.stdout.strip().splitlines()[1:]
    assert "posts" in alone
    assert "looks" not in alone
    assert re.search(r"looks: \d+ x 200", quiet)
    assert "posts" not in quiet
    assert "posts" in both
    assert "looks" in both


@pytest.mark.proof  # a whole evening, a minute of it; test_evening.py asks what it counts
def test_an_evening_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    done = in_lab("bench", "load", "--small", data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "81 deals acknowledged, 0 lost, 0 doubled" in done.stdout
    assert len(re.findall(r"p95 is [\d.]+ times the bare page's", done.stdout)) == 2
    assert re.search(r"published in \d+ ms; printing ordered in \d+, \d+ ms", done.stdout)


@pytest.mark.proof  # it makes eight PDFs, one after the other
def test_tasks_are_measured_beside_a_scorer(tmp_path: Path) -> None:
    done = in_lab("bench", "tasks", "--small", data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "6 orders at once, of different documents" in done.stdout
    assert "; 6 tasks, 6 made in" in done.stdout
    assert "1 renderer at once" in done.stdout
    assert "beside a worker that searches a draw" in done.stdout


def test_the_draws_that_are_measured_repeat_no_meeting() -> None:
    assert [speed.table_mates_again for speed in site.draw_speeds()] == [0, 0, 0]


def test_here_is_for_an_empty_database_only(club: Club) -> None:
    with pytest.raises(CommandError, match="empty database"):
        demo_here()
    assert list(Club.objects.all()) == [club]


@pytest.mark.proof  # with a process and a database of its own; tests/browser/test_shots.py takes four
def test_shots_writes_a_picture_of_every_main_page(tmp_path: Path) -> None:
    out = tmp_path / "shots"
    done = in_lab("shots", "--small", "--widths", "390", "--out", str(out), data=tmp_path)
    assert done.returncode == 0, done.stderr
    names = {file.name for file in out.iterdir()}
    assert {"home-390.png", "card-390.png", "board-390.png", "board-dark-390.png", "readme.png"} <= names
    assert {width_of(file) for file in out.glob("*-390.png")} == {390}
    assert (out / "board-390.png").read_bytes() != (out / "board-dark-390.png").read_bytes()
    assert (out / "readme.png").stat().st_size <= 200_000


def test_a_missing_browser_is_said_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(CommandError, match="apt-get install --no-install-recommends chromium"):
        shots.chromium()


def width_of(file: Path) -> Any:
    """The width of a PNG, from its header."""
    return struct.unpack(">I", file.read_bytes()[16:20])[0]
