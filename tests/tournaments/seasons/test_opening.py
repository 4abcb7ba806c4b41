"""Points that members bring into a season: looked at, taken, counted and explained, taken back."""

import re
from fractions import Fraction
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubsite.accounts.models import LogEntry
from tests.pages import page_of
from tests.tournaments.results import closed_night, make_season, member
from tournaments.engine.season import Opening
from tournaments.errors import StepRefused
from tournaments.exports.spreadsheets import season_sheet
from tournaments.members.merging import merge, preview_merge
from tournaments.opening_points import record_openings, take_back_openings
from tournaments.seasons.actions import find_need
from tournaments.seasons.table import season_tables

LIST = b"Player;Evenings;Pts\nAnn;3;1,250\nBea;2;-30\nAnne;2;10\nZoe;1;5\nann;1;1\nCal;many;5\nDot;2;12.5\nTotal;8;1\n"


@pytest.fixture
def season(club, rules_for):
    season = make_season(club)
    closed_night(season, rules_for("st-hilary-v3"), 6, {"Ann": 100, "Bea": 80, "Cal": 60})
    for name in ("Ann", "Dot"):
        member(club, name)
    return season


@pytest.fixture
def address(season):
    return f"/st-hilary/desk/seasons/{season.pk}/before/"


def lines_of(season):
    (table,) = season_tables([season])
    return {line.name: (line.place, line.attended, line.total, line.average) for line in table.lines}


def looked_at(browser, address, content=LIST):
    return browser.post(address, {"file": SimpleUploadedFile("Paper book.csv", content)})


def form_of(answer):
    page = answer.content.decode()
    return {
        "step": "enter",
        "names": answer.context["text"],
        "source": re.search(r'name="source" value="([^"]*)"', page)[1],
        "submission": re.search(r'name="submission" value="([^"]+)"', page)[1],
    }


def test_a_list_is_looked_at_taken_once_and_counts_with_its_source(season, address, browser, client_of):
    before = lines_of(season)
    answer = looked_at(browser, address)
    assert [(row.name, row.opening, bool(row.problem)) for row in answer.context["listing"]["rows"]] == [
        ("Ann", Opening(3, 1250), False),
        ("Bea", Opening(2, -30), False),
        *((name, Opening(), True) for name in ("Anne", "Zoe", "ann", "Cal", "Dot", "Total")),
    ]
    assert lines_of(season) == before
    for _tap in range(2):
        browser.post(address, form_of(answer))
    assert lines_of(season) == {
        "Ann": (1, 4, 1350, 1350 / 4),
        "Cal": (2, 1, 60, 60),
        "Bea": (3, 3, 50, Fraction(50, 3)),
    }
    entry = LogEntry.objects.get(verb="season.opening")
    assert (entry.new["source"], entry.new["Ann"]) == ("Paper book.csv", "1250 (3)")
    page = page_of(client_of(None).get(f"{season.get_absolute_url()}?who={member(season.club, 'Ann').pk}"))
    assert page.count("Paper book.csv") == 1
    assert "before: 1,250 in 3 nights" in page
    (table,) = season_tables([season])
    sheet = season_sheet(table)
    assert [row[sheet.heads.index("Before")] for row in sheet.rows] == [1250, 0, -30]
    data = client_of(None).get(f"/st-hilary/data/seasons/{season.pk}.json").json()
    assert [(row["nights_before"], row["points_before"]) for row in data["rows"]] == [(3, 1250), (0, 0), (2, -30)]


def test_taken_back_they_count_no_longer_and_others_can_be_entered(season, address, browser):
    before = lines_of(season)
    first = form_of(looked_at(browser, address))
    browser.post(address, first)
    other = form_of(looked_at(browser, address, b"Name,Nights,Points\nDot,1,500\n"))
    assert "message-danger" in page_of(browser.post(address, other))
    standing = re.search(r'name="submission" value="([^"]+)"', browser.get(address).content.decode())[1]
    for _tap in range(2):
        browser.post(address, {"step": "take-back", "submission": standing})
    assert lines_of(season) == before
    browser.post(address, first)  # an old tab: what was taken back stays so
    assert lines_of(season) == before
    browser.post(address, other)
    assert lines_of(season)["Dot"] == (1, 1, 500, 500)
    assert LogEntry.objects.filter(verb="season.opening-back").count() == 1
    assert season.openings.count() == 3


def test_a_list_that_was_taken_back_is_not_told_as_entered_when_it_is_sent_again(season, actor):
    (ann,) = season.club.members.filter(name="Ann")
    facts = {"season": season, "openings": {ann.pk: Opening(2, 1000)}, "source": "", "submission": uuid4(), "by": actor}
    record_openings(**facts)
    take_back_openings(season=season, by=actor, submission=facts["submission"])
    with pytest.raises(StepRefused):
        record_openings(**facts)


def test_what_is_needed_counts_them_and_another_clubs_members_and_an_empty_list_are_refused(season, actor, other_club):
    ann, bea = (member(season.club, name) for name in ("Ann", "Bea"))
    assert find_need(season, bea.pk, place=1, others="away").points == 20
    record_openings(season=season, by=actor, openings={ann.pk: Opening(2, 1000)}, source="", submission=uuid4())
    assert find_need(season, bea.pk, place=1, others="away").points == 1020
    for wrong in ({}, {member(other_club, "Otto").pk: Opening(1, 5)}):
        with pytest.raises(StepRefused):
            record_openings(season=season, by=actor, openings=wrong, source="", submission=uuid4())


def test_two_members_who_are_one_have_theirs_together(season, actor):
    ann, dot = (member(season.club, name) for name in ("Ann", "Dot"))
    both = {ann.pk: Opening(2, 1000), dot.pk: Opening(1, 50)}
    record_openings(season=season, by=actor, openings=both, source="", submission=uuid4())
    effect = preview_merge(kept=ann, merged=dot, by=actor)
    assert [(place["nights"], place["total"]) for _before, place in effect["seasons"]] == [(4, "1150")]
    merge(kept=ann, merged=dot, by=actor, seen=effect["seen"])
    assert lines_of(season)["Ann"][:3] == (1, 4, 1150)
