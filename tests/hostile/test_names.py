"""Names that were made to harm, as they could have come into the database before anything looked at them.

Whoever typed them, or from wherever they came: pages, files and feeds show them as text, in one line and one place.
"""

import csv
import io
import json
import logging
import re
import sys
from uuid import uuid4

import icalendar
import openpyxl
import pytest
from django.urls import reverse

from clubsite.accounts.invitations import invite_person, send_invitation, send_later
from clubsite.accounts.models import Actor, Club, Invitation, Member, Role
from clubsite.jobs.orders import content_response
from clubsite.watch.logs import JsonLines, ReadableLines
from scoring.pasted_names import read_names
from scoring.spreadsheets import workbook_sheets
from tests.log_entries import log
from tests.tournaments import nights
from tournaments.members.actions import add_member
from tournaments.members.pasting import ListedPerson, add_members
from tournaments.models import Event
from tournaments.rounds import attendance

MARK = "<script>alert(1)</script>"
NAMES = (
    f"Ann {MARK}",
    '"><img src=x onerror=alert(1)>',
    "Bob\u202e lebA",  # turned round from here on
    "Cal\u200b\u2060 Hidden",
    "Dee \x07\x1b[31m bell",
    "E\u0301" + "\u0301" * 60 + "va tower",
    "W" * 78,
    "=1+1",
    "+cmd|' /C calc'!A0",
    "\u05d3\u05d5\u05d3 12",  # right to left by its own letters
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 Family",
    "{{ 7 * 7 }} %s %(name)s",
)
LINES = "Night\r\nATTENDEE:evil\r\n " + "x" * 60


@pytest.fixture
def night(club, actor, rules_for):
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    for name in NAMES:
        member = Member.objects.create(club=club, name=name[:80])
        attendance.arrive(event=event, by=actor, member=member)
    Event.objects.filter(pk=event.pk).update(name=LINES[:80], place="Hall\nURL:http://evil")
    event.refresh_from_db()
    drawn = nights.publish_next(event, actor)
    nights.play_deals(nights.games_of(drawn)[0], actor)
    log(club=club, by=Actor(user=actor.user, name=f"Dora {MARK}"), verb="rules.publish", subject=MARK)
    return event


def test_no_page_takes_a_name_for_anything_but_text(night, director, client_of):
    visitor, club = client_of(director), night.club.slug
    own = {name: [club, night.slug] for name in ("event", "seats", "board", "desk_event", "here", "entries", "prizes")}
    pages = {**own, **{name: [club] for name in ("club", "log", "members", "desk", "events", "game_new")}}
    for name, args in pages.items():
        shown = visitor.get(reverse(name, args=args)).content.decode()
        assert MARK not in shown, name
        assert "<img src=x" not in shown, name
    round_ = visitor.get(reverse("round_keying", args=[club, night.slug, 1])).content.decode()
    assert "&lt;script&gt;alert(1)" in round_
    assert "{{ 7 * 7 }} %s %(name)s" in round_


def test_files_and_feeds_hold_every_name_as_text(night, director, client_of):
    visitor, club = client_of(director), night.club.slug

    def file(kind):
        return visitor.get(reverse("standings_file", args=[club, night.slug, 1, kind]))

    cells = [cell for row in csv.reader(io.StringIO(file("csv").content.decode())) for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]
    (sheet,) = openpyxl.load_workbook(io.BytesIO(file("xlsx").content)).worksheets
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "d", "inlineStr"}
    assert read_rows(file("ods").content)
    data = json.loads(visitor.get(reverse("standings_data", args=[club, night.slug])).content)
    assert len(data["rows"]) == len(NAMES)
    feed = visitor.get(reverse("calendar", args=[club])).content
    (event,) = icalendar.Calendar.from_ical(feed).walk("VEVENT")
    assert "ATTENDEE" not in event
    assert str(event["SUMMARY"]).startswith("Night")
    assert "evil" not in str(event.get("URL", ""))
    assert max(map(len, feed.split(b"\r\n"))) <= 75


@pytest.mark.parametrize("form", [JsonLines, ReadableLines])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\x85", "\u2028", "\x1b[2K", "\u202e"])
def test_no_name_begins_a_line_of_the_log(form, end):
    """Nor turns one round, or wipes it out of a terminal."""
    forged = f"Ann{end}12:00:00 Error everything is lost"
    record = logging.LogRecord("clubsite", logging.WARNING, "", 1, "No letter for %s", (forged,), None)
    line = form().format(record)
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    try:
        raise ValueError(forged)
    except ValueError:
        record.exc_info = sys.exc_info()
    told = form().format(record)
    assert not set(told) & {"\x85", "\u2028", "\x1b", "\u202e", "\r"}


@pytest.mark.parametrize("name", [LINES, "Club\r\nBcc: eve@example.org", "Bob\u202e lebA", f'"{MARK}" <x>', "\x00Zoe"])
def test_no_name_adds_a_head_to_a_letter(club, actor, name, mailoutbox):
    """A letter that can't be written isn't sent at all, which nobody would see."""
    stored = name.replace("\0", "")[:80]  # no database takes one
    Club.objects.filter(pk=club.pk).update(name=stored)
    club.refresh_from_db()
    invite_person(club=club, by=actor, name="Ann", kind=Role.Kind.SCOREKEEPER, email="ann@example.org")
    send_later(send_invitation, Invitation.objects.get().pk, "https://cards.example.org")
    (letter,) = mailoutbox
    heads = letter.message()
    assert (heads.get_all("To"), heads.get_all("Bcc"), heads.get_all("Cc")) == (["ann@example.org"], None, None)
    assert letter.subject.isprintable()
    assert list(heads.keys()).count("Subject") == 1
    assert letter.recipients() == ["ann@example.org"]


@pytest.mark.parametrize(
    "name", [*NAMES, LINES, '"; filename="evil.exe', "..\\..\\boot", "../../etc/passwd", "\u202efdp.exe"]
)
def test_no_name_decides_what_a_download_is_called(name):
    for suffix in ("pdf", "xlsx"):
        head = content_response(b"", suffix, title=name)["Content-Disposition"]
        assert re.fullmatch(rf'(inline|attachment); filename="[\w-]{{1,200}}\.{suffix}"', head)


def read_rows(data):
    return [line.split("\t") for line in workbook_sheets(data)[0].text.split("\n")]


def test_the_list_that_is_pasted_and_the_form_hold_to_the_same(club, actor, director, client_of):
    pasted = [row.name for row in read_names("\n".join((NAMES[0], *NAMES[2:]))).good]
    assert not any("\u202e" in name or "\u200b" in name or "\x07" in name for name in pasted)
    assert "Bob lebA" in pasted
    tower = next(name for name in pasted if "tower" in name)
    assert len(tower) < 20
    people = [ListedPerson(name) for name in pasted if len(name) <= 80]
    added = add_members(club=club, people=people, by=actor, submission=uuid4())
    add_member(club=club, by=actor, submission=uuid4(), person=ListedPerson("Zoe\u202e Zimmer"))
    assert not Member.objects.filter(name__contains="\u202e").exists()
    assert len(added.made) == len(people)
