"""A computer without Pango: every paper opens as a page to print from the browser, and no PDF is ordered."""

import re
import subprocess
import sys
from html import unescape

import pytest
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from clubsite import pango
from clubsite.jobs.models import MadeFile
from tests.tooling.test_pages_source import inline
from tests.tournaments.documents.test_printing import address
from tests.tournaments.nights import games_of, make_night, play_round, seated
from tests.tournaments.results import make_season
from tournaments.documents.prerender import make_ahead, prerender_documents
from tournaments.standings.results import publish_result

TO_PRINT = 'class="how-to-print"'


@pytest.fixture
def night(club, actor, rules_for):
    """A night of a season, finished: all its papers can be printed."""
    event = make_night(club, rules_for("st-hilary-v3"), season=make_season(club))
    play_round(seated(event, actor, 9), actor)
    publish_result(event=event, by=actor)
    return event


def papers_of(event, page):
    """The address of everything that is printed: of the print centre's links, and from other pages."""
    game = games_of(event.stages.get().rounds.get().draws.get())[0]
    return [
        *map(unescape, re.findall(r'href="([^"]+\.pdf\?[^"]*)"', page)),
        *(reverse("shipped_rules_print", args=["st-hilary", "hand-and-foot", part]) for part in ("rules", "card")),
        reverse("card_reasons", args=["st-hilary", game.pk]),
    ]


def test_every_paper_opens_as_a_page_to_print(browser, night, without_pango, apart):
    centre = browser.get(address(night)).content.decode()
    assert 'id="no-pango"' in centre
    assert pango.install_line() in centre
    papers = papers_of(night, centre)
    assert len(papers) > 20
    for paper in papers:
        answer = browser.get(paper)
        page, policy = answer.content.decode(), answer["Content-Security-Policy"]
        assert (answer.status_code, TO_PRINT in page) == (200, True), paper
        (nonce,) = re.findall(r'<style nonce="([\w-]+)">', page)
        assert f"'nonce-{nonce}'" in policy
        assert "unsafe" not in policy
        assert inline(page) == []
        assert "drawing:" not in page
    assert TO_PRINT in browser.post(papers[0]).content.decode()  # of a page that was open before
    assert not MadeFile.objects.exists()


def test_with_pango_a_pdf_opens_and_the_page_has_its_own_address(client_of, director, night):
    client = client_of(director)
    assert 'id="no-pango"' not in client.get(address(night)).content.decode()
    assert client.get(address(night, "seating"))["Content-Type"] == "application/pdf"
    assert TO_PRINT in client.get(address(night, "seating"), {"browser": ""}).content.decode()


def test_a_draw_orders_nothing_ahead(night, actor, without_pango, apart, rf):
    request = rf.get("/")
    request.user = actor.user
    prerender_documents(request, night.stages.get().rounds.get().draws.get())
    assert not DBTaskResult.objects.filter(task_path=make_ahead.module_path).exists()


def test_a_name_is_text_and_nothing_else(client_of, director, night, actor):
    name = """Ann "}<b>&'\\"""
    night.name = name
    night.save()
    page = client_of(director).get(address(night, "standings"), {"browser": ""}).content.decode()
    assert "<b>&" not in page
    assert "\\22 \\7d \\3c b\\3e \\26 \\27 \\5c " in page


def test_who_starts_a_site_without_pango_reads_what_to_do(without_pango):
    said = subprocess.run(
        [sys.executable, "-m", "clubsite.pango"], capture_output=True, text=True, check=False, env=pango.environment()
    )
    assert said.returncode == 1
    assert said.stderr.count("\n") == 1
    assert "libpango" in said.stderr


@pytest.mark.parametrize(
    ("system", "words"), [("win32", "mingw-w64-ucrt-x86_64-pango"), ("darwin", "brew install pango")]
)
def test_other_systems_have_a_line_and_folders_of_their_own(browser, night, monkeypatch, without_pango, system, words):
    pango.missing()
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("WEASYPRINT_DLL_DIRECTORIES", r"D:\msys64\ucrt64\bin")
    assert words in browser.get(address(night)).content.decode()
    environment = pango.environment()
    assert environment["WEASYPRINT_DLL_DIRECTORIES"] == r"D:\msys64\ucrt64\bin"
    assert ("/opt/homebrew/lib" in environment.get("DYLD_FALLBACK_LIBRARY_PATH", "")) == (system == "darwin")
