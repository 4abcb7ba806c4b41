"""The director's page and the command for games out to a file and in again."""

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from scoring.models import Deal, Game
from tests.pages import page_of


@pytest.fixture
def url(club):
    return reverse("files", args=[club.slug])


def given_out(browser, club, form):
    answer = browser.get(reverse("files_out", args=[club.slug, form]))
    assert f'filename="{club.slug}-' in answer["Content-Disposition"]
    return bytes(answer.content)


def test_a_file_is_looked_at_then_taken_in_once(browser, club, url, finished):
    raw = given_out(browser, club, "json")
    Game.objects.all().delete()
    page = browser.post(url, {"file": SimpleUploadedFile("x.json", raw), "step": "look"})
    assert "1 new game, 6 deals to import" in page_of(page)
    assert Deal.objects.count() == 0
    kept = {"kept": page.context["kept"], "name": page.context["name"], "step": "take"}
    assert browser.post(url, kept).status_code == 302
    assert Deal.objects.count() == 6
    assert given_out(browser, club, "json") == raw
    again = browser.post(url, kept, follow=True)
    assert "All of this file is here already" in page_of(again)
    assert Deal.objects.count() == 6


def test_a_bad_file_names_its_rows_and_a_ruling_can_follow(browser, club, url):
    facts = {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [16, 10]}
    game = {"rules": "st-hilary-v3", "shape": {"sides": 2, "per_side": 2}, "sides": [["A", "B"], ["C", "D"]]}
    data = {"format": "nine-tables/deals", "version": 1, "games": [{**game, "deals": [{"facts": facts}]}]}
    file = SimpleUploadedFile("old.json", json.dumps(data, indent=1).encode())
    page = browser.post(url, {"file": file, "step": "take"})
    text = page_of(page)
    assert page.status_code == 422
    assert "1 problem" in text
    assert "game 1, deal 1, facts.take" in text
    assert Game.objects.count() == 0
    more = {"kept": page.context["kept"], "name": "old.json", "ruling": "The old book"}
    page = browser.post(url, {**more, "step": "look"})
    assert "1 new game" in page_of(page)
    assert 'value="The old book"' in page_of(page)
    browser.post(url, {**more, "step": "take"})
    assert [v.ruling for v in Deal.objects.get().versions.all()] == ["The old book"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Choose a file."),
        ({"kept": "not base64"}, "a file of games in JSON"),
        ({"kept": "eJw="}, "a file of games in JSON"),
        ({"file": SimpleUploadedFile("a.xlsx", b"PK\x03\x04")}, "a file of games in JSON"),
    ],
)
def test_what_is_no_file_is_said(browser, url, sent, words):
    answer = browser.post(url, {**sent, "step": "look"})
    assert (answer.status_code, words in page_of(answer)) == (422, True)


def test_other_forms_are_not_there(browser, club):
    assert browser.get(reverse("files_out", args=[club.slug, "xml"])).status_code == 404


def test_the_command_goes_there_and_back(club, finished, tmp_path):
    file, said = tmp_path / "out.json", StringIO()
    call_command("deals", "export", club.slug, str(file))
    Game.objects.all().delete()
    call_command("deals", "import", club.slug, str(file), "--look", stdout=said)
    assert Deal.objects.count() == 0
    call_command("deals", "import", club.slug, str(file), stdout=said)
    words = ["To import: 1 new game and 6 deals.", "Imported: 1 new game and 6 deals."]
    assert said.getvalue().splitlines() == words
    again = StringIO()
    call_command("deals", "export", club.slug, "-", stdout=again)
    assert again.getvalue() == file.read_bytes().decode()


def test_a_file_without_a_deal_says_so(browser, club, url, tmp_path):
    file, said = tmp_path / "none.json", StringIO()
    file.write_text('{"format": "nine-tables/deals", "version": 1, "games": []}')
    call_command("deals", "import", club.slug, str(file), stdout=said)
    assert said.getvalue() == "There is no deal in this file.\n"
    with file.open("rb") as sent:
        page = page_of(browser.post(url, {"file": sent, "step": "look"}))
    assert "There is no deal in this file." in page


def test_the_command_names_every_bad_row(club, finished, tmp_path):
    file, errors = tmp_path / "out.json", StringIO()
    call_command("deals", "export", club.slug, str(file))
    file.write_text(file.read_text(encoding="utf-8").replace('"bid": 20', '"bid": "?"'), encoding="utf-8")
    Game.objects.all().delete()
    with pytest.raises(SystemExit) as end:
        call_command("deals", "import", club.slug, str(file), stderr=errors)
    assert end.value.code == 2
    assert errors.getvalue().count("facts.bid: a whole number belongs here.") == 6
    assert Game.objects.count() == 0


def test_a_table_is_given_out_and_not_taken_in(browser, club, url, finished, tmp_path):
    file, errors = tmp_path / "out.csv", StringIO()
    call_command("deals", "export", club.slug, str(file))
    assert file.read_bytes() == given_out(browser, club, "csv")
    assert file.read_text(encoding="utf-8").count("st-hilary-v3") == 6
    with pytest.raises(SystemExit):
        call_command("deals", "import", club.slug, str(file), stderr=errors)
    assert "a file of games in JSON" in errors.getvalue()


def test_a_walkover_is_a_row_of_the_table(browser, club, finished):
    finished.sides.filter(number=1).update(absent=True)
    head, first, *_rows = given_out(browser, club, "csv").decode().splitlines()
    assert dict(zip(head.split(","), first.split(","), strict=True))["absent.0"] == "1"


def test_a_club_or_file_that_is_not_there(club, tmp_path):
    with pytest.raises(CommandError, match="no club"):
        call_command("deals", "export", "nobody", "-")
    with pytest.raises(CommandError, match="No such file"):
        call_command("deals", "import", club.slug, str(tmp_path / "none.json"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("deals", "export", club.slug, str(tmp_path / "none" / "x.json"))
