"""Going back to a backup: the whole site, or one club among others.

In one transaction in which nobody else can write, what is there becomes a backup first, then the backup's rows take the
place of those that differ. So whatever was acknowledged is in the database afterwards or in that new backup, and
whoever has the site open reads the old rows or the new ones, never some of each. Open sessions, tasks and made files
stay as they are, so does who has access (`as_now`), and the log is never cut short: it tells what was undone, and that
it was undone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django_tasks_db.models import DBTaskResult

from clubsite import live
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member, Role, Session, User
from clubsite.backups import as_now, keeping, rows
from clubsite.backups.databases import ask, migrated_apart, postgres, sqlite
from clubsite.backups.files import Backup, BackupRefused, Damaged, MemberKey, look_into, readable_in, unpacked
from clubsite.backups.making import applied, born_of, facts_of_now, make_backup
from clubsite.jobs.secret_key_check import migrations_unknown
from scoring.models import DealVersion
from tournaments.members.kept.erasing import erase

GO_BACK = "clubsite.backups.going.go_back"  # the task, which calls `restore`
BY_COMMAND = Actor(user=None, name="manage.py restore", route="command")


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of going back."""

    before: Path | None  # the backup of what was there before, or the damaged database put aside; None: nothing was
    deals: int = 0  # versions of deals that were recorded since, and are in `before` alone
    erased: int = 0  # persons who had been erased since, and were erased again
    print_again: Mapping[str, list[str]] = field(default_factory=dict)  # `AsNow.cards_to_print`


def restore(path: Path, *, folder: Path, by: Actor = BY_COMMAND, club: int | None = None) -> Restored:
    """Go back to a backup with the whole site, or with one club by its key. What was there before becomes a backup in
    `folder`.

    A backup of an earlier version is brought up to this one's tables, in a copy. Whoever was erased since is erased
    again. A database whose tables aren't those of this version is replaced as a file, and one too damaged to be copied
    is put aside: the site must not be running then.

    Raises:
        BackupRefused: it is damaged, of a newer version or of another kind of database, or the club isn't in it;
            nothing has been changed then.
    """
    backup = look_into(path)
    _refuse_foreign(backup)
    with unpacked(backup) as copy:
        _make_ready(copy, backup)
        if _takes_rows(backup):
            try:
                return _by_rows(copy, backup, folder=folder, by=by, club=club)
            except IntegrityError as wrong:
                raise BackupRefused(
                    _("The rows of the backup don't go together with what is there now; nothing was changed.")
                ) from wrong
            except OperationalError as busy:
                raise BackupRefused(_("Somebody is writing all the time. Try again in a minute.")) from busy
        if club is not None:
            raise BackupRefused(
                _("%(name)s was made by another version of the program: one club can't be brought back from it.")
                % {"name": backup.name}
            )
        return _as_file(copy, backup, folder=folder)


@contextmanager
def ready(backup: Backup, tables: Sequence[rows.ModelTable]) -> Iterator[None]:
    """Puts a backup's rows beside those of now, to be read within the block. Raises BackupRefused as `restore` does."""
    _refuse_foreign(backup)
    with unpacked(backup) as copy:
        _make_ready(copy, backup)
        if not _takes_rows(backup):
            raise BackupRefused(_("The backup was made by another version of the program."))
        with nullcontext() if connection.vendor == "sqlite" else transaction.atomic(), rows.beside(copy, tables):
            yield


def rights_brought(backup: Backup) -> list[str]:
    """The log-ins with rights that going back with the whole site would bring in. Raises BackupRefused as `restore`."""
    _refuse_foreign(backup)
    with unpacked(backup) as copy:
        _make_ready(copy, backup)
        if _takes_rows(backup):
            tables = [rows.ModelTable(model) for model in (User, Role, Club, LogEntry)]
            with nullcontext() if connection.vendor == "sqlite" else transaction.atomic(), rows.beside(copy, tables):
                return as_now.rights_brought(None)
        if backup.vendor != "sqlite":
            return [_("all log-ins of the backup, in place of those of now")]
        with sqlite.opened(copy) as of_copy:
            return as_now.rights_in(of_copy)


def _refuse_foreign(backup: Backup) -> None:
    if backup.vendor != connection.vendor:
        raise BackupRefused(
            _("%(name)s is of another kind of database (%(kind)s).") % {"name": backup.name, "kind": backup.vendor}
        )
    known = {".".join(key) for key in MigrationLoader(None, ignore_no_migrations=True).disk_migrations}
    if newer := backup.migrations - known:
        raise BackupRefused(
            _("%(name)s was made by a newer version of Nine Tables (%(with)s). Install that one first.")
            % {"name": backup.name, "with": sorted(newer)[0]}
        )


def _make_ready(copy: Path, backup: Backup) -> None:
    """Check SQLite's copy for damage, and bring it up to this version's tables. Does nothing for PostgreSQL. Raises
    BackupRefused if it is damaged, or a migration fails."""
    if backup.vendor != "sqlite":
        return
    with sqlite.opened(copy) as of_copy:
        sqlite.refuse_damaged(of_copy, backup.name)
    known = {".".join(key) for key in MigrationLoader(None, ignore_no_migrations=True).graph.nodes}
    if known - backup.migrations and (said := migrated_apart(f"sqlite:///{copy}")):  # the site's database isn't touched
        raise BackupRefused(
            _("The backup couldn't be brought to this version's tables: %(said)s") % {"said": said[-300:]}
        )


def _takes_rows(backup: Backup) -> bool:
    """Whether the site's database can be read and has this version's tables, so that single rows can be replaced."""
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()) or migrations_unknown():
            return False
        return connection.vendor == "sqlite" or applied() == backup.migrations
    except (DatabaseError, sqlite3.DatabaseError):
        return False


def _by_rows(copy: Path, backup: Backup, *, folder: Path, by: Actor, club: int | None) -> Restored:
    tables = rows.all_tables() if club is None else rows.club_tables()
    beside = as_now.STAYING if club is None else (User, Role)
    read = [*tables, *(rows.ModelTable(model) for model in beside), rows.ModelTable(LogEntry)]
    again = _erased_since(folder)

    try:
        with _alone_with(copy, read, club=club):
            if club is not None:
                _refuse_other_club(club)
            before = make_backup(folder, reason="restore", spare=backup.path).path
            versions = rows.ModelTable(DealVersion, rows.way_to_club(DealVersion))
            deals = len(rows.only_now(versions, club))
            other = _forget_other_logs() if club is None else []
            stays = as_now.as_now(club, but=other)
            if club is None:
                as_now.bring_who_came_in(other)
                rows.put_back(tables)
                rows.put_back_log()
                stays.put()
                rows.let_go(rows.tables_left())
            else:
                rows.bring_back_people(club)
                rows.put_back(tables, club)
                stays.put()
            erased = _erase_again(again, by, club=club)
            done = Restored(before, deals, erased, stays.cards_to_print(club))
            _write_down(backup, by, done=done, club=club)
    except (Damaged, sqlite3.DatabaseError) as damaged:
        if club is not None or isinstance(damaged, sqlite3.OperationalError):
            raise
        return _as_file(copy, backup, folder=folder)
    live.forget()
    return done


@contextmanager
def _alone_with(copy: Path, tables: Sequence[rows.ModelTable], *, club: int | None) -> Iterator[None]:
    """Puts a backup's rows beside those of now, in one transaction in which nobody else writes."""
    if connection.vendor == "sqlite":
        with rows.beside(copy, tables), transaction.atomic():  # IMMEDIATE: it holds the lock for writing
            _take_turns(club)
            yield
        return
    with transaction.atomic():
        _take_turns(club)
        with rows.beside(copy, tables):
            yield


def _take_turns(club: int | None) -> None:
    """Let nobody else write in this club until the transaction ends, while other clubs go on; without one, in any
    club."""
    if club is None and connection.vendor != "sqlite":
        postgres.let_nobody_start()
    for one in _clubs(club):
        one.lock()


def _clubs(club: int | None) -> QuerySet[Club]:
    """The club of this key, or all, in the order in which turns are taken."""
    return Club.objects.filter(**({} if club is None else {"pk": club})).order_by("pk")


def _refuse_other_club(club: int) -> None:
    if not ask(f"SELECT 1 FROM {rows.then('accounts_club')} WHERE id = {club:d}"):  # noqa: S608 - our own table, a number
        raise BackupRefused(_("The club isn't in this backup: it was started later."))
    now, then = (born_of(side(LogEntry._meta.db_table)).get(club) for side in (rows.now, rows.then))
    if now and then and now != then:
        raise BackupRefused(_("The club in this backup is another one, of an earlier life of this site."))


def _forget_other_logs() -> list[int]:
    """Delete the log of clubs whose keys belong to other clubs in the backup. Returns these keys."""
    other = as_now.other_clubs()
    for club in other:
        ask(f"DELETE FROM {rows.now(LogEntry._meta.db_table)} WHERE club_id = {club:d}")  # noqa: S608 - our own table, a number
    return other


def _erased_since(folder: Path) -> set[MemberKey]:
    """Everybody who was erased, by the database and, in case it is lost, by the backups in both places."""
    found = set(facts_of_now().erased)
    for place in filter(None, (folder, keeping.second_place())):
        for backup in readable_in(place):
            found |= set(backup.erased)
    return found


def _erase_again(erased: set[MemberKey], by: Actor, *, club: int | None) -> int:
    """Erase again those of them who came back with the backup's rows. Returns how many."""
    back = _there(member for member in erased if club in (None, member.club)).filter(merged_into=None)
    back = back.select_related("club")
    for member in back:
        erase(member=member, by=_present(by), typed=member.name)
    return len(back)


def _hide_again(folder: Path) -> None:
    """Let those have initials who wanted them by the last backup there is, where the database can't be asked."""
    places = filter(None, (folder, keeping.second_place()))
    last = max(
        (backup for place in places for backup in readable_in(place)), key=lambda backup: backup.log, default=None
    )
    if last is not None:
        _there(last.initials).update(initials_only=True)


def _there(members: Iterable[MemberKey]) -> QuerySet[Member]:
    """These members, as far as their clubs are those in the database and they aren't erased."""
    born = {pk: f"{first} {at[:19]}" for pk, (first, at) in born_of(rows.now(LogEntry._meta.db_table)).items()}
    keys = [member.member for member in members if born.get(member.club, "") == member.born]
    return Member.every.filter(pk__in=keys, erased_at=None)


def _write_down(backup: Backup, by: Actor, *, done: Restored, club: int | None) -> None:
    by, verb = _present(by), "backup.restore" if club is None else "backup.restore-club"
    before = done.before.name if done.before else ""
    new = {"backup": backup.name, "before": before, "deals": done.deals, "erased": done.erased}
    for one in _clubs(club):
        one.lock()
        made = date_format(timezone.localtime(backup.made_at, one.zone), "DATETIME_FORMAT")
        again = done.print_again.get(str(one.pk))
        own = {"cards to print again": "; ".join(again)} if again else {}
        log(club=one, by=by, verb=verb, subject=made, new=new | own)


def _present(by: Actor) -> Actor:
    """The same actor, without their log-in if it no longer exists."""
    there = by.user is not None and User.objects.filter(pk=by.user.pk).exists()
    return by if there else replace(by, user=None)


def _as_file(copy: Path, backup: Backup, *, folder: Path) -> Restored:
    """Replace the whole database with the backup's: for one that is damaged, empty, or of another version."""
    try:
        before = None
        if connection.introspection.table_names():
            before = make_backup(folder, reason="restore", spare=backup.path).path
    except (Damaged, sqlite3.DatabaseError, DatabaseError):
        if connection.vendor != "sqlite":
            raise
        before = sqlite.put_aside()
    if connection.vendor == "sqlite":
        sqlite.replace_file(copy)
    else:
        postgres.replace_whole(copy)
    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        sqlite.refuse_damaged(ask, backup.name)
    live.forget()
    with transaction.atomic():
        # Who was logged out since must not be in again; nor may a worker go back once more.
        Session.objects.all().delete()
        DBTaskResult.objects.filter(task_path=GO_BACK).delete()
        erased = _erase_again(_erased_since(folder), BY_COMMAND, club=None)
        _hide_again(folder)
        done = Restored(before, erased=erased)
        _write_down(backup, BY_COMMAND, done=done, club=None)
    return done
