"""Erasing proves itself: it searches the rows and, of SQLite, the bytes of the file, and says what it found."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection

from clubsite.accounts.models import LogEntry, Member
from clubsite.operations.backup import make_backup, unpacked
from tests.pages import page_of
from tournaments.members import actions, erasing
from tournaments.members.pasting import ListedPerson

NAME = "Jürgen Weiß"
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the file is SQLite's")


def sent(client, member, name=NAME):
    return page_of(client.post(f"/st-hilary/members/{member.pk}/erase/", {"typed": name}, follow=True))


def file_bytes():
    path = Path(connection.settings_dict["NAME"])
    return b"".join(part.read_bytes() for part in (path, path.with_name(f"{path.name}-wal")) if part.exists())


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_the_name_leaves_the_file_with_its_free_pages_and_its_log(club, actor, director, client_of):
    actions.add_member(
        club=club, by=actor, person=ListedPerson(NAME, "weiss@example.org", "555 0199"), submission=uuid4()
    )
    member = Member.objects.get(club=club)
    for n in range(60):  # so that pages become free
        Member.objects.create(club=club, name=f"{NAME} the {n}th of a long line of card players")
    Member.objects.exclude(pk=member.pk).delete()
    assert NAME.encode() in file_bytes()
    page = sent(client_of(director), member)
    assert "nothing of it among deleted data" in page
    for what in (NAME, "Wei\\u00df", "weiss@example.org", "555 0199"):
        assert what.encode() not in file_bytes()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_later_backup_has_not_got_the_name(club, director, client_of, tmp_path):
    member = Member.objects.create(club=club, name=NAME)
    held = []
    for _time in ("before", "after"):
        with unpacked(make_backup(tmp_path)) as copy:
            held.append(NAME.encode() in copy.read_bytes())
        sent(client_of(director), member)
    assert held == [True, False]


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_what_is_deleted_is_overwritten(club):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        assert cursor.fetchone() == (1,)


def test_a_place_that_erasing_forgot_is_named(club, director, client_of, monkeypatch):
    member = Member.objects.create(club=club, name=NAME)
    LogEntry.objects.create(club=club, actor="Dora", route="desk", verb="member.add", subject=NAME)
    real = erasing.places
    calls = []

    def places():
        calls.append(1)
        return [place for place in real() if place.model is not LogEntry or len(calls) > 1]

    monkeypatch.setattr(erasing, "places", places)
    page = sent(client_of(director), member)
    assert "The name is still in" in page
    assert "Entries of the log" in page


def test_another_club_that_keeps_the_name_is_pointed_out_before_and_after(club, other_club, director, client_of):
    member = Member.objects.create(club=club, name=NAME)
    words = "Another club on this site has this name too"
    url, browser = f"/st-hilary/members/{member.pk}/erase/", client_of(director)
    Member.objects.create(club=other_club, name="Jürgen Weiß-Lee")
    assert words not in page_of(browser.get(url))
    Member.objects.create(club=other_club, name="JÜRGEN WEISS")
    assert words in page_of(browser.get(url))
    assert words in sent(browser, member)
    assert Member.objects.filter(club=other_club, name="JÜRGEN WEISS").exists()
