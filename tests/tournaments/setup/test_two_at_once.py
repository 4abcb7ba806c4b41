"""Further clubs started by two at once, each with a connection of its own."""

from uuid import uuid4

import pytest
from django.db import connection

from clubsite.accounts.models import Club, User
from clubsite.accounts.starting import start_club
from tests.racing import in_the_middle

pytestmark = pytest.mark.django_db(transaction=True)


def started(submission):
    club, director = Club(name="St. Anne"), User(first_name="Anne", last_name="Abel", password="!")
    return start_club(club=club, director=director, submission=submission)


def both_of(monkeypatch, one, other):
    where = "clubsite.accounts.starting.free_slug"
    both = in_the_middle(monkeypatch, where, first=lambda: started(one), second=lambda: started(other))
    return [both.first, both.second]


def test_two_clubs_of_one_name_are_two(monkeypatch):
    made = both_of(monkeypatch, uuid4(), uuid4())
    assert [role.club.slug for role in made] == ["st-anne", "st-anne-2"]
    assert [role.user.username for role in made] == ["anne.abel", "anne.abel2"]


def test_one_submission_from_two_taps_is_one_club(monkeypatch):
    same = uuid4()
    one, other = both_of(monkeypatch, same, same)
    assert one == other
    assert (Club.objects.count(), User.objects.count()) == (1, 1)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer, whatever is locked")
def test_without_the_lock_one_of_the_two_fails(monkeypatch):
    monkeypatch.setattr("clubsite.accounts.login_attempts.count", lambda *_parts, window: 1)
    made = both_of(monkeypatch, uuid4(), uuid4())
    assert any(isinstance(role, Exception) for role in made)
