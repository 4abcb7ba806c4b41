"""Starting a club of one's own."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from clubsite.accounts.models import Club, Role, User

pytestmark = pytest.mark.django_db


def start(name="St. Anne", **options):
    out = StringIO()
    call_command("new_club", name, stdout=out, **{"director": "anne", "time_zone": "America/Chicago", **options})
    return out.getvalue()


def test_its_director_can_log_in_with_the_password_that_is_printed(client):
    said = start()
    password = re.search(r"shown only now: (\S+)", said)
    assert client.login(username="anne", password=password[1])
    assert client.get("/st-anne/desk/").status_code == 200
    assert password[1] not in str(list(User.objects.values()))


def test_somebody_known_becomes_director_of_the_new_club_too(other_club, stranger):
    said = start(director=stranger.username)
    assert "password" not in said
    assert set(Role.objects.filter(user=stranger).values_list("club__slug", flat=True)) == {"harbour", "st-anne"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_zone": "Chicago"}, "Chicago is not a time zone"),
        ({"director": "anne hall"}, "valid username"),
        ({"address": "harbour"}, "already exists"),
        ({"address": "no good"}, "slug"),
    ],
)
def test_what_cannot_be_used_is_said_and_nothing_is_made(other_club, options, message):
    with pytest.raises(CommandError, match=message):
        start(**options)
    assert list(Club.objects.values_list("slug", flat=True)) == ["harbour"]
    assert not User.objects.exists()
