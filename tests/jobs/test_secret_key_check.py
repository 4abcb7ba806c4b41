"""Several hosts of one database: those with another secret key are told apart, and refuse."""

from io import StringIO

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from clubsite.jobs.models import Shared
from clubsite.jobs.secret_key_check import adopt_key, has_same_key, note_version, refuse_other_database

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_many_hosts(settings):
    """As with PostgreSQL, whatever the tests run on."""
    settings.MANY_HOSTS = True


def found():
    return [message.id for message in run_checks(databases=["default"]) if message.id.startswith("tasks.")]


def test_hosts_with_one_key_serve_one_database(settings):
    settings.SECRET_KEY = "one"
    for _host in range(2):
        refuse_other_database()
    assert "one" not in Shared.objects.get().value


def test_a_host_with_another_key_does_not_start(settings):
    settings.SECRET_KEY = "one"
    refuse_other_database()
    settings.SECRET_KEY = "another"
    with pytest.raises(SystemExit, match="the same SECRET_KEY"):
        refuse_other_database()
    with pytest.raises(SystemExit, match="the same SECRET_KEY"):
        call_command("worker", batch=True)
    with pytest.raises(CommandError, match="--adopt"):
        call_command("shared_key")


def test_a_database_that_is_away_is_a_warning():
    def away(execute, sql, *rest):
        raise OperationalError("the server closed the connection unexpectedly")

    with connection.execute_wrapper(away):
        assert found() == ["tasks.W001"]
        refuse_other_database()


def test_a_new_key_is_taken_when_somebody_says_so(settings):
    settings.SECRET_KEY = "lost"
    assert has_same_key()
    settings.SECRET_KEY = "new"
    assert not has_same_key()
    adopt_key()
    out = StringIO()
    call_command("shared_key", stdout=out)
    assert "has the SECRET_KEY" in out.getvalue()
    settings.SECRET_KEY = "lost"
    assert found() == ["tasks.E002"]


def test_a_database_of_one_machine_is_never_refused_for_its_key(settings):
    settings.MANY_HOSTS = False
    settings.SECRET_KEY = "one"
    assert has_same_key()
    settings.SECRET_KEY = "new, after a backup was put back"
    assert found() == []


def test_a_database_of_a_newer_version_is_refused():
    note_version()
    MigrationRecorder(connection).record_applied("tournaments", "9999_of_a_later_year")
    with pytest.raises(SystemExit, match=r"tournaments\.9999_of_a_later_year"):
        refuse_other_database()
