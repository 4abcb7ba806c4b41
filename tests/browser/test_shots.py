"""Pictures of pages by `./dev shots`, taken here of a few; of all by a proof in tests/lab."""

from contextlib import nullcontext

import pytest

from lab.benchmarks.main_pages import main_pages
from lab.tools import shots
from tests.kept import made_once
from tests.lab.test_bench_and_shots import width_of
from tournaments.demo.loading import load


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_pictures_are_as_wide_as_asked_and_the_board_is_there_in_dark(playwright, tmp_path, monkeypatch):
    loaded = made_once("demo", load)
    monkeypatch.setattr(shots, "_playwright", lambda: lambda: nullcontext(playwright))  # two in a process can't be
    pages = [page for page in main_pages(loaded) if page.name in ("home", "board", "card", shots.README_PAGE)]
    taken = shots.take(loaded, pages, folder=tmp_path, widths=[390], say=lambda _line: None)
    names = {"home-390.png", "card-390.png", "board-390.png", "board-dark-390.png", "desk-contest-390.png"}
    assert {file.name for file in taken} == {*names, "readme.png"}
    assert {width_of(tmp_path / name) for name in names} == {390}
    assert (tmp_path / "board-390.png").read_bytes() != (tmp_path / "board-dark-390.png").read_bytes()
    assert (tmp_path / "readme.png").stat().st_size <= 200_000
