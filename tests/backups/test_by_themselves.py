"""Backups that nobody asks for: before what changes much, and through the evening; which stay; the second place."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import Role
from clubsite.jobs.periodic import enqueue_due
from clubsite.operations import schedule
from clubsite.operations.backup import (
    Backup,
    BackupRefused,
    backups_to_keep,
    list_backups,
    make_backup,
    newest_backup,
    read_backup,
    unpack,
)
from tests.backups.halls import DORA, evenings
from tests.conftest import make_user
from tests.jobs.workers import work
from tests.scoring.cards.test_race import alone, new_game, recording
from tests.tournaments import nights

NOW = datetime(2054, 11, 22, 21, 0, tzinfo=UTC)
real = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]


def at(hours, *, size=1, reason="evening"):
    made = NOW - timedelta(hours=hours)
    return Backup(Path(f"{hours}"), made, size=size, reason=reason)


def hours_of(backups, *, days=30, most=1000):
    return [float(b.path.name) for b in backups_to_keep(backups, now=NOW, days=days, most=most)]


def test_all_of_the_last_day_stay_and_then_one_a_day_for_a_month():
    made = [at(hours) for hours in (0.1, 1, 5, 23, 46, 46.5, 47, 24 * 29, 24 * 29 + 1, 24 * 31)]
    assert hours_of(made) == [0.1, 1, 5, 23, 46, 24 * 29]


def test_what_was_there_before_a_restore_or_a_new_version_stays_for_a_month():
    made = [at(46), at(46.5, reason="restore"), at(47, reason="migration"), at(47.1), at(24 * 40, reason="restore")]
    assert hours_of(made) == [46, 46.5, 47]


def test_together_they_take_no_more_than_the_bound_but_the_newest_stays():
    made = [at(n / 10, size=40) for n in range(1, 9)]
    assert hours_of(made, most=130) == [0.1, 0.2, 0.3]
    assert hours_of([at(1, size=500), at(2, size=1)], most=100) == [1]


def test_a_clock_that_was_put_back_deletes_nothing():
    assert hours_of([at(-1), at(-2), at(0.5)]) == [-1, -2, 0.5]


@pytest.fixture
def game(folder, settings):
    settings.BACKUPS_EVERY, settings.TASKS_APART = 10, True
    played = alone(new_game)
    alone(recording(played, 1, "Sam"))
    return played


class TestByThemselves:
    pytestmark = real

    def test_through_the_evening_while_something_is_written_down(self, game, folder):
        alone(lambda: (enqueue_due(), enqueue_due(), work()))
        assert len(list_backups(folder)) == 1
        assert read_backup(list_backups(folder)[0]).reason == "evening"
        alone(lambda: (enqueue_due(), work()))
        assert len(list_backups(folder)) == 1, "not again within ten minutes"

    def test_nothing_is_asked_for_where_nothing_was_written_down(self, game, folder):
        alone(lambda: make_backup(folder))
        assert not alone(schedule.enqueue_when_due)
        alone(recording(game, 2, "Sue"))
        assert alone(schedule.enqueue_when_due)

    def test_before_a_draw_the_backup_holds_what_was_there_before(self, game, folder):
        """However late the worker comes."""
        alone(lambda: schedule.back_up_before("draw"))
        alone(recording(game, 2, "Sue"))
        alone(work)
        reasons = {read_backup(path).reason: read_backup(path) for path in list_backups(folder)}
        assert "draw" in reasons
        if connection.vendor == "sqlite":
            assert deals_in(reasons["draw"]) == 1

    def test_a_deed_that_changes_nothing_new_asks_for_no_other(self, game, folder):
        alone(lambda: (make_backup(folder), schedule.back_up_before("cut"), work()))
        assert len(list_backups(folder)) == 1

    def test_a_folder_that_takes_nothing_hinders_no_deed(self, game, folder):
        folder.write_text("a file where the folder should be")
        alone(lambda: schedule.back_up_before("closing"))
        alone(recording(game, 2, "Sue"))

    def test_a_stick_that_is_back_gets_what_it_missed(self, game, folder, stick):
        stick.rmdir()
        alone(lambda: schedule.back_up.call("evening"))
        assert schedule.second_place_trouble() == "missing"
        assert str(stick) in schedule.backup_warning()
        assert not stick.exists(), "a folder made there would be on the laptop's own disk"
        stick.mkdir()
        assert alone(schedule.enqueue_when_due), "though nothing was written down since"
        alone(work)
        assert [path.name for path in list_backups(stick)] == [path.name for path in list_backups(folder)]
        assert not schedule.second_place_trouble()

    def test_a_full_stick_is_told_of(self, game, folder, stick, monkeypatch):
        def full(source, target):
            target.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(schedule, "copyfile", full)
        alone(lambda: schedule.back_up.call("evening"))
        assert schedule.second_place_trouble() == "full"
        assert list(stick.iterdir()) == [], "nothing half is left there"
        with pytest.raises(BackupRefused, match="No space left"):
            alone(schedule.fill_second_place)

    def test_an_evening_without_backups_is_told_of(self, game, folder, rewind):
        assert not alone(lambda: schedule.is_late(newest_backup(folder))), "a worker may still make one"
        alone(lambda: rewind(2))
        assert alone(lambda: schedule.is_late(newest_backup(folder)))
        alone(lambda: make_backup(folder))
        assert not alone(lambda: schedule.is_late(newest_backup(folder)))


@pytest.fixture
def rewind():
    """Has everything been written down so many hours earlier."""
    from django.db.models import F

    from clubsite.accounts.models import LogEntry

    return lambda hours: LogEntry.objects.update(at=F("at") - timedelta(hours=hours)) and None


class TestOnThePages:
    pytestmark = real

    def test_publishing_a_draw_and_closing_its_round_ask_for_one(self, folder, settings):
        """Each time, and from what was there before, by the director's own taps."""
        here, _there = evenings()
        settings.BACKUPS_EVERY, settings.TASKS_APART = 10, True

        def taps():
            night = nights.make_night(here, here.house_rules.get(), slug="next", day=8)
            nights.arrive(night, DORA, 8)
            draft = nights.drafted(night, DORA)
            client = Client()
            client.force_login(make_user("dora", here, Role.Kind.DIRECTOR))
            client.post(reverse("round_draw", args=["hilary", "next"]), {"step": "publish", "draw": draft.pk})
            client.post(reverse("round_step", args=["hilary", "next", 1]), {"step": "close", "games": "end"})
            asked = DBTaskResult.objects.filter(task_path=schedule.back_up.module_path).order_by("enqueued_at")
            return [one.args_kwargs["args"][0] for one in asked]

        asked = alone(taps)
        assert asked[-2:] == ["draw", "closing"]
        if connection.vendor == "sqlite":
            closing, draw = (read_backup(path) for path in list_backups(folder))
            assert (draw.reason, closing.reason) == ("draw", "closing")
            assert deals_in(draw, "tournaments_groupgame") < deals_in(closing, "tournaments_groupgame")


def deals_in(backup, table="scoring_deal"):
    with unpack(backup) as copy, closing(sqlite3.connect(copy)) as database:
        return int(database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608  (a table's name)
