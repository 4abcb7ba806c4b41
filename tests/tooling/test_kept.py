"""What is made once for several tests: the same rows are there again, and only where they belong."""

from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, override

from clubsite.accounts.models import Club, Member, Throttle, User
from tests.kept import count_keys_from_rows, made_once


def tried(name, club_name, times):
    """In a transaction of its own: a club, and a member made once for it; the names that are there then."""
    found = []

    def build():
        times.append("built")
        return Member.objects.create(club=Club.objects.get(), name="Ann")

    count_keys_from_rows()
    with transaction.atomic():
        Club.objects.create(name=club_name, slug="club", time_zone="UTC", member_key="key")
        member = made_once(name, build)
        found = [member.pk, member.name, *Member.objects.values_list("pk", "name", "club__name")]
        member.name = "changed by a test"
        transaction.set_rollback(True)
    return found


def test_the_second_time_the_rows_are_there_without_being_made(db):
    times = []
    name = str(uuid4())
    assert tried(name, "Ours", times) == tried(name, "Ours", times)
    assert times == ["built"]


def test_where_anything_else_is_there_it_is_made_again(db):
    times = []
    name = str(uuid4())
    assert tried(name, "Ours", times)[-1][-1] == "Ours"
    assert tried(name, "Theirs", times)[-1][-1] == "Theirs"
    assert times == ["built", "built"]


def renamed(name, build, *, language="en"):
    """In a transaction of its own: what clubs and a log-in are called after a step from what is always the same."""
    count_keys_from_rows()
    with transaction.atomic(), override(language):
        for slug in ("ours", "theirs"):
            Club.objects.create(name=slug, slug=slug, time_zone="UTC", member_key="key")
        User.objects.create(username="dora")
        made_once(name, build)
        found = [*Club.objects.order_by("pk").values_list("name", flat=True), User.objects.get().username]
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize(
    ("built", "step"),
    [
        (1, lambda: Club.objects.filter(slug="ours").update(name="Renamed")),
        (2, lambda: Club.objects.filter(slug="ours").delete()),
        (2, lambda: User.objects.update(username="sam")),
        (2, lambda: transaction.on_commit(lambda: None)),
        (2, lambda: Throttle.objects.create(key="a browser", count=1, since=timezone.now())),
    ],
    ids=["changes a row", "takes a row away", "changes a log-in", "leaves something for later", "is a visit"],
)
def test_what_was_there_is_as_the_step_left_it(db, built, step):
    times = []
    name = str(uuid4())

    def build():
        times.append("built")
        step()

    assert renamed(name, build) == renamed(name, build)
    assert times == ["built"] * built


def test_in_another_language_it_is_made_again(db):
    name = str(uuid4())

    def build():
        Club.objects.filter(slug="ours").update(name=get_language())

    assert [renamed(name, build, language=spoken)[0] for spoken in ("en", "es")] == ["en", "es"]
