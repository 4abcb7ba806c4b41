"""What is made once for several tests: the same rows are there again, and only where they belong."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import transaction

from clubsite.accounts.models import Club, Member
from tests.kept import made_once


def tried(name: str, club_name: str, times: list[str]) -> list[Any]:
    """In a transaction of its own: a club, and a member made once for it; the names that are there then."""
    found: list[Any] = []

    def build() -> Member:
        times.append("built")
        return Member.objects.create(club=Club.objects.get(), name="Ann")

    with transaction.atomic():
        Club.objects.create(name=club_name, slug="club", time_zone="UTC")
        member = made_once(name, build)
        found = [member.pk, member.name, *Member.objects.values_list("pk", "name", "club__name")]
        member.name = "changed by a test"
        transaction.set_rollback(True)
    return found


def test_the_second_time_the_rows_are_there_without_being_made(db: Any) -> None:
    times: list[str] = []
    name = str(uuid4())
    assert tried(name, "Ours", times) == tried(name, "Ours", times)
    assert times == ["built"]


def test_where_anything_else_is_there_it_is_made_again(db: Any) -> None:
    times: list[str] = []
    name = str(uuid4())
    assert tried(name, "Ours", times)[-1][-1] == "Ours"
    assert tried(name, "Theirs", times)[-1][-1] == "Theirs"
    assert times == ["built", "built"]


def test_what_changes_rows_that_were_there_is_made_again(db: Any) -> None:
    name = str(uuid4())

    def rename() -> int:
        return Club.objects.update(name="Renamed")

    for _time in range(2):
        with transaction.atomic():
            Club.objects.create(name="Ours", slug="club", time_zone="UTC")
            made_once(name, rename)
            assert Club.objects.get().name == "Renamed"
            transaction.set_rollback(True)
