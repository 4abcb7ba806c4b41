"""`./dev bench` and `./dev shots`, as they are run: on a small demo of their own."""

import re
import struct

from tests.served import program

MAIN = {"log-in", "home", "club", "event", "seats", "board", "season", "desk", "entries", "card", "cut"}


def test_bench_gives_every_figure_it_promises(tmp_path):
    done = program(tmp_path, "-m", "lab", "bench", "--small")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.startswith("  ")}
    assert set(rows) >= {"page", *MAIN}
    assert "4 score cards as one PDF of 2 pages" in done.stdout
    assert not (tmp_path / "nine-tables.sqlite3").exists()


def test_an_evening_loses_nothing_and_doubles_nothing(tmp_path):
    done = program(tmp_path, "-m", "lab", "bench", "load", "--small")
    assert done.returncode == 0, done.stderr
    assert "81 deals acknowledged, 0 lost, 0 doubled" in done.stdout
    assert re.search(r"published in \d+ ms; printing ordered in \d+, \d+ ms", done.stdout)


def test_shots_writes_a_picture_of_every_main_page(tmp_path):
    out = tmp_path / "shots"
    done = program(tmp_path, "-m", "lab", "shots", "--widths", "390", "--out", str(out))
    assert done.returncode == 0, done.stderr
    names = {file.name for file in out.iterdir()}
    assert {"home-390.png", "card-390.png", "board-390.png", "board-dark-390.png", "readme.png"} <= names
    assert {width_of(file) for file in out.glob("*-390.png")} == {390}
    assert (out / "board-390.png").read_bytes() != (out / "board-dark-390.png").read_bytes()
    assert (out / "readme.png").stat().st_size <= 200_000


def width_of(file):
    return struct.unpack(">I", file.read_bytes()[16:20])[0]
