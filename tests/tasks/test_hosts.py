"""Several hosts of one database: those with another secret key are told apart, and refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from clubsite.tasks.hosts import OtherKey, SameKey, adopt_key, check_key
from clubsite.tasks.models import Shared

pytestmark = pytest.mark.django_db


def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """A site."""
    start_response("200 OK", [])
    return [b"here"]


def answer_of(served: SameKey) -> tuple[str, bytes]:
    """How a host answers: the status, and what it says."""
    said: list[str] = []
    body = b"".join(served({}, lambda status, headers: said.append(status)))
    return said[0], body


@pytest.fixture
def on_many_hosts(settings: Any) -> None:
    """As with PostgreSQL, whatever the tests run on."""
    settings.MANY_HOSTS = True


def test_hosts_with_one_key_serve_one_database(settings: Any) -> None:
    settings.SECRET_KEY = "one"
    for _host in range(2):
        check_key()
    assert "one" not in Shared.objects.get().value


def test_a_host_with_another_key_does_not_start(settings: Any, on_many_hosts: None) -> None:
    settings.SECRET_KEY = "one"
    assert answer_of(SameKey(site)) == ("200 OK", b"here")
    settings.SECRET_KEY = "another"
    with pytest.raises(SystemExit, match="the same SECRET_KEY"):
        SameKey(site)
    with pytest.raises(CommandError, match="the same SECRET_KEY"):
        call_command("worker", batch=True)
    with pytest.raises(CommandError, match="--adopt"):
        call_command("shared_key")


def test_a_host_that_starts_while_the_database_is_away_asks_when_it_is_back(settings: Any, on_many_hosts: None) -> None:
    def away(execute: Any, sql: str, *rest: Any) -> Any:
        if Shared._meta.db_table in sql:
            raise OperationalError("the server closed the connection unexpectedly")
        return execute(sql, *rest)

    settings.SECRET_KEY = "one"
    check_key()
    settings.SECRET_KEY = "another"
    with connection.execute_wrapper(away):
        late = SameKey(site)
        assert answer_of(late) == ("200 OK", b"here")  # the page itself says that the database is away
    status, said = answer_of(late)
    assert status.startswith("503")
    assert b"another" not in said
    settings.SECRET_KEY = "one"
    assert answer_of(late) == ("200 OK", b"here")


def test_a_new_key_is_taken_when_somebody_says_so(settings: Any) -> None:
    settings.SECRET_KEY = "lost"
    check_key()
    settings.SECRET_KEY = "new"
    with pytest.raises(OtherKey):
        check_key()
    adopt_key()
    check_key()
    out = StringIO()
    call_command("shared_key", stdout=out)
    assert "has the SECRET_KEY" in out.getvalue()
    settings.SECRET_KEY = "lost"
    with pytest.raises(OtherKey):
        check_key()


def test_a_database_of_one_machine_is_never_refused(settings: Any) -> None:
    settings.MANY_HOSTS = False
    settings.SECRET_KEY = "one"
    check_key()
    settings.SECRET_KEY = "new, after a backup was put back"
    assert answer_of(SameKey(site)) == ("200 OK", b"here")
