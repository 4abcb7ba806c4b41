"""`/health/`: what monitors read, what strangers learn, and what it says when something is wrong."""

import os
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry, User
from clubsite.jobs import heartbeat
from clubsite.jobs.periodic import clean_up
from tests.log_entries import log

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_place(settings, tmp_path):
    """A folder of data with room in it, without backups."""
    settings.VAR_DIR = tmp_path
    settings.BACKUPS = tmp_path / "backups"
    settings.HEALTH_DISK_FREE = 0
    return tmp_path


def asked(client=None):
    answer = (client or Client()).get("/health/")
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, answer.json()


def backup_of(folder, *, hours):
    (folder / "backups").mkdir(exist_ok=True)
    file = folder / "backups" / "nine-tables-20260901.backup"
    file.touch()
    then = (timezone.now() - timedelta(hours=hours)).timestamp()
    os.utime(file, (then, then))


def done(club, by, *, hours):
    entry = log(club=club, by=by, verb="club.change", subject=club)
    LogEntry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(hours=hours))


def test_a_site_that_is_well_says_no_more_than_that():
    assert asked() == (200, {"ok": True, "parts": {"database": "ok", "tasks": "off", "disk": "ok", "backup": "ok"}})


def test_figures_are_for_the_owner_alone(director, stranger, client_of):
    owner = User.objects.create_superuser("olga", password="nine tables in the hall")
    assert asked(client_of(owner))[1]["details"]["disk"]["writable"] is True
    for user in (None, director, stranger):
        assert set(asked(client_of(user))[1]) == {"ok", "parts"}


def test_without_a_worker_the_tasks_are_not_well(apart):
    assert asked() == (503, {"ok": False, "parts": asked()[1]["parts"] | {"tasks": "not ok"}})
    heartbeat.beat("hall-1")
    assert asked()[1]["parts"]["tasks"] == "ok"


def test_a_task_that_waits_too_long_is_told_although_a_worker_lives(apart, settings):
    heartbeat.beat("hall-1")
    clean_up.enqueue()
    assert asked()[0] == 200
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timedelta(minutes=settings.HEALTH_TASKS_WAIT + 1))
    assert asked()[1]["parts"]["tasks"] == "not ok"


def test_a_disk_without_room_is_named(settings):
    settings.HEALTH_DISK_FREE = 10**9
    status, told = asked()
    assert (status, [name for name, state in told["parts"].items() if state == "not ok"]) == (503, ["disk"])


def test_a_folder_that_is_gone_is_named_and_no_fault(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "gone"
    assert asked()[0] == 503


@pytest.mark.parametrize(
    ("backup", "change", "state"),
    [
        (None, 1, "ok"),  # a site that began today
        (None, 30, "not ok"),
        (30, 40, "ok"),  # nothing was done since
        (30, 20, "not ok"),
        (2, 1, "ok"),
    ],
)
def test_a_backup_is_old_only_when_something_was_done_since(club, actor, tmp_path, backup, change, state):
    done(club, actor, hours=change)
    if backup is not None:
        backup_of(tmp_path, hours=backup)
    assert asked()[1]["parts"]["backup"] == state


def test_backups_that_others_make_are_not_asked_for(club, actor, settings):
    done(club, actor, hours=99)
    settings.HEALTH_BACKUP_HOURS = 0
    assert asked()[1]["parts"]["backup"] == "off"


def test_it_costs_the_same_queries_however_much_waits(apart, club, actor, django_assert_num_queries):
    done(club, actor, hours=1)
    heartbeat.beat("hall-1")
    for _more in range(2):
        with django_assert_num_queries(5):  # without a backup one more, for how old the site is
            asked()
        clean_up.enqueue()


def test_a_balancer_asks_for_what_a_host_itself_needs(apart, settings):
    assert asked()[0] == 503  # no worker
    answer = Client().get("/health/?only=disk,database")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "parts": {"database": "ok", "disk": "ok"}})
    settings.HEALTH_DISK_FREE = 10**9
    assert Client().get("/health/?only=disk,database").status_code == 503
    assert Client().get("/health/?only=weather").status_code == 400


def test_only_looking_is_allowed():
    assert Client().post("/health/").status_code == 405
    assert Client().head("/health/").status_code == 200


def test_a_balancer_may_ask_without_tls(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/").status_code == 200
    assert Client().get("/login/").status_code == 301


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_is_a_part_that_is_named(director, client_of):
    browser = client_of(director)
    connection.close()
    place = connections["default"].settings_dict
    name = place["NAME"]
    place["NAME"] = "/nowhere/at/all.sqlite3" if connection.vendor == "sqlite" else "no_such_database"
    try:
        for client in (Client(), browser):  # also one whose cookie asks for a session
            status, told = asked(client)
            assert (status, told["parts"]) == (
                503,
                {"database": "not ok", "tasks": "unknown", "disk": "ok", "backup": "unknown"},
            )
    finally:
        connection.close()
        place["NAME"] = name
