"""Restoring a backup of the whole site: every row comes back, what was there is a backup, nobody writes between."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import Club, LogEntry, Member, Role, Session, User
from clubsite.jobs.queue import enqueue
from clubsite.operations import databases, restore as restoring
from clubsite.operations.backup import BackupRefused, list_backups, make_backup, read_backup, readable_backups
from clubsite.operations.restore import restore
from clubsite.operations.schedule import back_up
from scoring.models import Deal, DealVersion
from tests.backups.halls import DORA, an_evening, evenings, play_on, recorded, rewritten
from tests.conftest import make_user
from tests.scoring.cards.test_race import alone, elsewhere, new_game, recording

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]
of_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's file")


def done(work, *args, **options):
    return alone(lambda: work(*args, **options))


@pytest.fixture
def game():
    """A game of three deals."""
    played = alone(new_game)
    for number in (1, 2, 3):
        alone(recording(played, number, "Sam"))
    return played


def database_file():
    return Path(connection.settings_dict["NAME"])


def damage():
    database_file().write_bytes(b"\0" * 4096 + database_file().read_bytes()[4096:])


def test_the_whole_site_goes_back_row_by_row_and_forward_again(folder, settings):
    settings.TASKS_APART = True
    here, there = evenings()
    before = done(recorded)
    log = done(lambda: list(LogEntry.objects.order_by("pk").values_list()))
    backup = done(make_backup, folder)

    def evening():
        play_on(here)
        play_on(there)
        an_evening("late")
        Session.objects.create(session_key="open", session_data="", expire_date=timezone.now() + timedelta(days=1))

    done(evening)
    after = done(recorded)
    since = done(lambda: list(LogEntry.objects.order_by("pk").exclude(club__slug="late").values_list()))
    assert after[Deal] != before[Deal]
    restored = done(restore, backup.path, folder=folder, by=DORA)
    for model, rows in done(recorded).items():
        assert rows == before[model] or model is User, f"{model}: log-ins stay"
    now = done(lambda: list(LogEntry.objects.order_by("pk").values_list()))
    assert now[: len(since)] == since, "the log is never cut short"
    assert now[: len(log)] == log
    assert {entry[6] for entry in now[len(since) :]} == {"backup.restore"}
    assert restored.entries > len(since) - len(log)
    assert not done(lambda: Session.objects.exists()), "everybody logs in again"
    assert done(restoring.rights_gained, read_backup(restored.before), folder) == ["sam.late: scorekeeper, Late"]
    done(restore, restored.before, folder=folder, by=DORA)
    for model, rows in done(recorded).items():
        assert rows == after[model], f"and forward again: {model}"


def test_a_new_deal_gets_no_number_that_was_given_out_before(folder):
    """An address that somebody still has open must not lead to something else."""
    here, _there = evenings()
    backup = done(make_backup, folder)
    done(play_on, here)
    last = done(lambda: Deal.objects.latest("pk").pk)
    done(restore, backup.path, folder=folder, by=DORA)
    done(play_on, here)
    assert done(lambda: Deal.objects.latest("pk").pk) > last


def test_tasks_of_then_are_not_done_again(game, folder, settings):
    settings.TASKS_APART = True
    done(enqueue, back_up, "")
    backup = done(make_backup, folder)
    done(restore, backup.path, folder=folder)
    assert not done(lambda: DBTaskResult.objects.exists())


def test_a_deal_that_comes_in_meanwhile_is_recorded_afterwards(game, folder, monkeypatch):
    """It waits until the restore is done: then it is in the database. Nothing that was acknowledged is lost."""
    backup = done(make_backup, folder)
    usual = restoring.make_backup
    with ThreadPoolExecutor(1) as pool:
        sent = []

        def copied(*args, **kwargs):
            made = usual(*args, **kwargs)
            sent.append(pool.submit(elsewhere(recording(game, 4, "Sue"))))
            assert wait(sent, timeout=0.5).not_done
            return made

        monkeypatch.setattr(restoring, "make_backup", copied)
        done(restore, backup.path, folder=folder)
        assert isinstance(sent[0].result(), DealVersion)
    assert done(lambda: game.deals.count()) == 4


def test_of_two_who_restore_at_once_the_second_is_refused(game, folder, monkeypatch):
    """Also where they are at two hosts, which don't share their cache; and the second of two taps."""
    from clubsite.operations import maintenance

    backup, seen = done(make_backup, folder), done(restoring.last_restore_key)
    monkeypatch.setattr(maintenance.cache, "add", lambda *args, **options: True)
    with ThreadPoolExecutor(2) as pool:
        tries = [
            pool.submit(elsewhere(lambda: restore(backup.path, folder=folder, by=DORA, seen=seen))) for _n in range(2)
        ]
        errors = [task.exception() for task in tries]
    (refused,) = [error for error in errors if error]
    assert isinstance(refused, BackupRefused)
    assert done(lambda: LogEntry.objects.filter(verb=restoring.VERB).count()) == 1


def test_what_fails_in_the_middle_leaves_all_as_it_was(game, folder, monkeypatch):
    backup = done(make_backup, folder)
    done(recording(game, 4, "Sue"))
    before = done(recorded)

    def broken(*args, **options):
        raise LookupError

    monkeypatch.setattr(restoring.staying, "restore_present", broken)
    with pytest.raises(LookupError):
        done(restore, backup.path, folder=folder)
    assert done(recorded) == before


@of_sqlite
def test_a_power_cut_in_the_middle_leaves_all_as_it_was(game, folder, tmp_path):
    backup = done(make_backup, folder)
    done(recording(game, 4, "Sue"))
    before, mark = done(recorded), tmp_path / "replaced"
    script = (
        "import time, pathlib, django; django.setup()\n"
        "from clubsite.operations import restore\n"
        f"restore.staying.restore_present = lambda *a, **k: (pathlib.Path({str(mark)!r}).touch(), time.sleep(60))\n"
        f"restore.restore(pathlib.Path({str(backup.path)!r}), folder=pathlib.Path({str(folder)!r}))\n"
    )
    its = {"DATABASE_URL": f"sqlite:///{database_file()}", "DJANGO_SETTINGS_MODULE": "clubsite.settings"}
    environment = {**os.environ, **its, "VAR_DIR": str(tmp_path / "var")}
    process = subprocess.Popen([sys.executable, "-c", script], cwd=django_settings.BASE_DIR, env=environment)
    while not mark.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert done(recorded) == before


@of_sqlite
def test_a_log_that_still_lies_beside_the_database_spoils_nothing(game, folder):
    """As it is while the site runs: somebody has the database open, with deals that are in its log only."""
    backup = done(make_backup, folder)
    with closing(sqlite3.connect(database_file())) as reader:
        reader.execute("SELECT COUNT(*) FROM scoring_deal").fetchone()
        done(recording(game, 4, "Sue"))
        assert database_file().with_name(database_file().name + "-wal").stat().st_size > 0
        done(restore, backup.path, folder=folder)
        assert reader.execute("SELECT COUNT(*) FROM scoring_deal").fetchone() == (3,)
        assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert reader.execute("PRAGMA foreign_key_check").fetchall() == []


@of_sqlite
def test_a_damaged_database_is_put_aside_and_what_the_last_backup_knew_stays(game, folder):
    def people():
        for name in ("Ann", "Bob"):
            Member.objects.create(club=game.club, name=name)
        make_user("rex", game.club, "director")
        return make_backup(folder)

    def since():
        from tournaments.members.erasing import erase

        Member.objects.filter(name="Ann").update(initials_only=True)
        bob, rex = Member.objects.get(name="Bob"), User.objects.get(username="rex")
        erase(member=bob, by=DORA, typed="Bob")
        rex.set_password("a better one than before")
        rex.save()
        make_backup(folder)

    backup = done(people)
    done(since)
    done(recording(game, 4, "Sue"))
    damage()
    size = database_file().stat().st_size
    restored = done(restore, backup.path, folder=folder)
    assert restored.before.name.startswith("damaged-")
    assert restored.before.stat().st_size == size
    assert done(lambda: game.deals.count()) == 3
    assert done(lambda: list(Member.every.order_by("pk").values_list("name", "initials_only"))) == [
        ("Ann", True),
        ("A former member", False),
    ]
    assert done(lambda: User.objects.get(username="rex").check_password("a better one than before"))


@of_sqlite
def test_a_page_does_not_put_a_database_aside_that_others_have_open(game, folder):
    backup = done(make_backup, folder)
    damage()
    with pytest.raises(Exception, match=r"not a database|damaged|malformed"):
        done(restore, backup.path, folder=folder, seen=0)


@of_sqlite
def test_nor_does_the_command_while_the_site_runs(game, folder):
    """Some damage lets the site go on, into a file that is no longer the database."""
    backup = done(make_backup, folder)
    with closing(sqlite3.connect(database_file())) as running:
        running.execute("CREATE TABLE spoilt (number integer CHECK (number > 0))")
        running.execute("PRAGMA ignore_check_constraints=ON")
        running.execute("INSERT INTO spoilt VALUES (-1)")
        running.commit()
        with pytest.raises(BackupRefused, match="Stop it"):
            done(restore, backup.path, folder=folder)
    done(recording(game, 4, "Sue"))
    assert done(restore, backup.path, folder=folder).before.name.startswith("damaged-")
    assert done(lambda: game.deals.count()) == 3


@of_sqlite
def test_a_trigger_that_somebody_put_into_a_backup_does_not_come_along(game, folder):
    done(make_user, "sam", game.club, Role.Kind.SCOREKEEPER)
    with closing(sqlite3.connect(database_file())) as hostile:
        hostile.execute(
            "CREATE TRIGGER rise AFTER INSERT ON accounts_session BEGIN UPDATE accounts_user SET is_superuser = 1; END"
        )
        backup = done(make_backup, folder)
        hostile.execute("DROP TRIGGER rise")
    done(restore, backup.path, folder=folder)
    done(Session.objects.create, session_key="one", session_data="", expire_date=timezone.now())
    assert not done(lambda: User.objects.filter(is_superuser=True).exists())


def test_a_backup_that_is_restored_stays_however_its_path_is_written(game, folder, monkeypatch):
    old = done(make_backup, folder)
    rewritten(old.path, made_at=(timezone.now() - timedelta(days=100)).isoformat())
    monkeypatch.chdir(folder)
    done(restore, Path(old.name), folder=folder)
    assert old.path.exists()


@of_sqlite
def test_a_full_disk_is_no_reason_to_put_the_database_aside(game, folder, monkeypatch):
    backup = done(make_backup, folder)

    def full(copy):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(databases, "copy_to_file", full)
    with pytest.raises(BackupRefused, match="disk is full"):
        done(restore, backup.path, folder=folder)
    assert done(lambda: DealVersion.objects.count()) == 3


def test_a_backup_of_an_earlier_version_is_restored_and_brought_up_to_this_one(game, folder):
    """Its manifest says less, it has no file of what is to stay, and its tables are older."""
    done(call_command, "migrate", "tournaments", "0035", verbosity=0)
    done(call_command, "backup", before_migrating=True, stdout=StringIO())
    (older,) = list_backups(folder)
    assert read_backup(older).reason == "migration"
    done(call_command, "migrate", verbosity=0)
    done(call_command, "backup", before_migrating=True)
    assert list_backups(folder) == [older], "the tables are this version's"
    before = done(recorded)
    done(recording(game, 4, "Sue"))
    rewritten(older, without=("kept.json",), version=None, site=None, last=None, rows={"scoring_deal": 3})
    assert done(restore, older, folder=folder).entries == 1
    assert done(recorded) == before


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_bytes(b"not a zip"), "isn't a backup"),
        (lambda path: path.write_bytes(path.read_bytes()[:-200]), "isn't a backup"),
        (lambda path: rewritten(path, sha256="0" * 64), "checksum"),
        (lambda path: rewritten(path, format=2), "newer version"),
        (lambda path: rewritten(path, migrations=["scoring.9999_next"], version="7.0.0"), r"7\.0\.0 .*9999_next"),
    ],
)
def test_a_file_that_cannot_be_restored_changes_nothing(game, folder, spoil, words):
    before = done(recorded)
    backup = done(make_backup, folder)
    spoil(backup.path)
    with pytest.raises(BackupRefused, match=words):
        done(restore, backup.path, folder=folder)
    assert done(recorded) == before


def test_one_backup_whose_bytes_went_bad_stops_neither_others_nor_restoring(game, folder):
    """A stick loses bits. Whichever they are, that file alone is passed over."""
    backup, bad = done(make_backup, folder), done(make_backup, folder)
    whole = bad.path.read_bytes()
    with zipfile.ZipFile(bad.path) as archive:
        squeezed = range(45, archive.infolist()[0].compress_size)
        listed = archive.start_dir
    for at in (*squeezed[::40], listed + 6, listed + 8, listed + 10):  # version, flags and method, too
        bad.path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        assert backup.name in [readable.name for readable in readable_backups(folder)]
    done(recording(game, 4, "Sue"))
    done(restore, backup.path, folder=folder)
    assert done(lambda: game.deals.count()) == 3


def test_what_is_to_stay_is_taken_from_the_last_backup_where_the_tables_of_now_cannot_be_read(
    game, folder, monkeypatch
):
    """They are another version's: then the backup made before this restore doesn't know it either."""

    def role(name):
        return Role.objects.get(user=make_user(name, game.club, Role.Kind.DIRECTOR))

    done(role, "rex")
    backup = done(make_backup, folder)
    done(lambda: Role.objects.filter(user__username="rex").delete())
    done(role, "una")
    done(make_backup, folder)
    monkeypatch.setattr(restoring.staying, "read_present", lambda: None)
    assert done(restoring.rights_gained, backup, folder) == ["una: director, Race"], "the page says so before"
    done(restore, backup.path, folder=folder)
    assert done(lambda: list(Role.objects.values_list("user__username", flat=True))) == ["una"]


@of_sqlite
def test_who_comes_after_a_lost_database_is_nobody_whom_a_later_backup_knew(game, folder):
    """Else a key of theirs is that of somebody who was erased, and the next restore erases them."""
    from tournaments.members.erasing import erase

    backup = done(make_backup, folder)

    def since():
        member = Member.objects.create(club=game.club, name="Ann")
        erase(member=member, by=DORA, typed="Ann")

    def lost():
        connection.close()
        for part in ("", "-wal", "-shm"):
            database_file().with_name(database_file().name + part).unlink(missing_ok=True)

    done(since)
    for number in (4, 5, 6):  # so the log of then is longer than that of after
        done(recording(game, number, "Sue"))
    done(make_backup, folder)
    done(lost)
    done(restore, backup.path, folder=folder)
    done(lambda: Member.objects.create(club_id=game.club_id, name="Bob"))
    newer = done(make_backup, folder)
    done(lost)
    done(restore, newer.path, folder=folder)
    assert done(lambda: Member.objects.filter(name="Bob").exists())


def test_a_backup_of_another_site_brings_its_own_log_ins(folder):
    """A new laptop was set up before its owner thought of the stick."""
    here, _there = evenings()
    backup = done(make_backup, folder)

    def another_site():
        LogEntry.objects.update(at=timezone.now() + timedelta(days=1))
        Member.every.update(initials_only=True)
        User.objects.create_superuser("new.owner")

    done(another_site)
    assert "sam.hilary: scorekeeper, Hilary" in done(restoring.rights_gained, backup, folder)
    done(restore, backup.path, folder=folder)
    assert not done(lambda: User.objects.filter(username="new.owner").exists())
    assert not done(lambda: Member.every.filter(initials_only=True).exists())
    assert done(lambda: Club.objects.filter(pk=here.pk).exists())


def test_a_backup_holds_no_more_than_its_owner_may_read(game, folder):
    assert done(make_backup, folder).path.stat().st_mode & 0o077 == 0
    assert [file.suffix for file in folder.iterdir()] == [".backup"]


def test_what_a_killed_process_left_is_swept_up(game, folder, settings, tmp_path):
    settings.VAR_DIR = tmp_path  # where the database lies, or beside PostgreSQL's
    for left in (folder / "making-abc", folder / "making-now", tmp_path / "restoring-abc", tmp_path / "restoring-now"):
        left.mkdir(parents=True)
        if left.name.endswith("abc"):
            os.utime(left, (0, 0))
    done(make_backup, folder)
    left_now = [path.name for place in (folder, tmp_path) for path in place.glob("*ing-*")]
    assert left_now == ["making-now", "restoring-now"]


def test_a_full_disk_is_not_taken_for_a_damaged_backup(game, folder, monkeypatch):
    backup = done(make_backup, folder)

    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(zipfile.ZipFile, "extract", full)
        with pytest.raises(BackupRefused, match=r"Nothing can be written to .*: No space left on device\. Make room"):
            done(restore, backup.path, folder=folder)
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", full)
        with pytest.raises(BackupRefused, match="Make room there"):
            done(restore, backup.path, folder=folder)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "there-is-none"))
    done(restore, backup.path, folder=folder)


def test_a_backup_without_a_time_zone_stops_no_later_one(game, folder):
    backup, bad = done(make_backup, folder), done(make_backup, folder)
    rewritten(bad.path, made_at="2054-01-05T20:00:00")
    with pytest.raises(BackupRefused, match="isn't a backup"):
        read_backup(bad.path)
    assert done(make_backup, folder).number > backup.number


def test_a_name_that_another_process_has_taken_stays_its_own_without_hard_links(game, folder, monkeypatch):
    theirs = []

    def refused(path, _target):
        if not theirs:
            path.write_bytes(b"theirs")
            theirs.append(path)
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    backup = done(make_backup, folder)
    assert theirs[0].read_bytes() == b"theirs"
    assert read_backup(backup.path).checksum == backup.checksum
    assert backup.path.stat().st_mode & 0o077 == 0


def test_the_log_of_a_version_with_more_columns_goes_on(game, folder):
    backup = done(make_backup, folder)
    done(recording(game, 4, "Sue"))
    done(databases.run_sql, "ALTER TABLE accounts_logentry ADD COLUMN of_later varchar(9)")
    assert done(restore, backup.path, folder=folder).entries == 1
    assert done(lambda: LogEntry.objects.filter(actor="Sue").exists())


def test_the_commands_show_what_would_be_lost_and_ask(game, folder, stick, monkeypatch):
    done(call_command, "backup", stdout=StringIO())
    (backup,) = list_backups(folder)
    assert read_backup(stick / backup.name).checksum == read_backup(backup).checksum
    done(recording(game, 4, "Sue"))
    answers = iter(["no", "Restore"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    told = StringIO()
    done(call_command, "restore", stdout=told)
    assert "Cards and deals 1" in told.getvalue()
    assert "Sue recorded a deal: Table 1 · Deal 4." in told.getvalue()
    assert done(lambda: game.deals.count()) == 4
    done(call_command, "restore", stdout=told)
    assert done(lambda: game.deals.count()) == 3


def test_without_a_backup_the_command_says_so(settings, tmp_path):
    settings.BACKUPS = tmp_path / "none"
    with pytest.raises(CommandError, match="There is no backup"):
        done(call_command, "restore")
