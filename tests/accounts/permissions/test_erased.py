"""Who is erased as a member can't log in any more, and their log-in tells no name."""

import logging

import pytest
from django.test import Client

from clubsite.accounts.models import Invitation, LogEntry, Member, Role, User
from clubsite.watch.logs import ReadableLines
from tests.conftest import PASSWORD, make_user
from tournaments.members.erasing import erase


def test_a_members_log_in_goes_with_them(club, actor, client_of):
    member = Member.objects.create(club=club, name="Mary Moss")
    user = make_user("mary.moss", club, Role.Kind.MEMBER)
    Role.objects.filter(user=user).update(member=member)
    Invitation.objects.create(
        club=club, purpose="join", name="Mary Moss", kind="member", member=member, email="mary@example.org",
        nonce="1", code_hash="1", made_by="Dora", expires_at="2058-01-01T00:00Z",
    )  # fmt: skip
    browser = client_of(user)
    erase(member=member, by=actor, typed="Mary Moss")
    assert browser.get("/password/").status_code == 302
    assert not Client().login(username="mary.moss", password=PASSWORD)
    kept = [*User.objects.values_list(), *Invitation.objects.values_list(), *LogEntry.objects.values_list()]
    assert not [row for row in kept if "mary" in str(row).lower()]


def test_who_also_keeps_score_goes_on_keeping_it(club, actor, scorekeeper):
    member = Member.objects.create(club=club, name="Sam Salt")
    Role.objects.filter(user=scorekeeper).update(member=member)
    erase(member=member, by=actor, typed="Sam Salt")
    assert Role.objects.get(user=scorekeeper).member is None
    assert Client().login(username="sam", password=PASSWORD)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("GET /t/ABCDEF/2/reckon/ 200", "GET /t/.../2/reckon/ 200"),
        ("GET /quay/in/ABCdef/ 302", "GET /quay/in/.../ 302"),
        ("GET /quay/games/follow/5-6-7/ 200", "GET /quay/games/follow/.../ 200"),
        ("GET /quay/calendar.ics?key=ABCdef&a=1 200", "GET /quay/calendar.ics?key=...&a=1 200"),
        ("GET /login/invitation/aaaa-bbbb-cccc/ 200", "GET /login/invitation/.../ 200"),
        ("GET /password/new/MQ/abc-def/ 302", "GET /password/new/MQ/.../ 302"),
        ("GET /login/invitation/ 200", "GET /login/invitation/ 200"),
    ],
)
def test_no_code_stands_in_what_a_server_writes(line, written):
    assert written in ReadableLines().format(logging.LogRecord("x", logging.INFO, "", 1, line, None, None))
