"""Restoring a backup: the whole site, in one transaction in which nobody else writes.

What is there becomes a backup first. Then the backup's tables take the place of all there are, are brought to this
version, and what must stay as it is now is put back (`staying`). So after a power cut at any moment the site is as it
was, or as it should be; whatever was acknowledged is in the database or in that new backup; readers see one or the
other. Everybody is logged out. The log is never cut short: it tells what was undone, and by whom.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django_tasks_db.models import DBTaskResult

from clubsite import __version__, live
from clubsite.accounts.audit_log import KINDS, log
from clubsite.accounts.models import Actor, Club, LogEntry, Session, User
from clubsite.accounts.staying import list_rights
from clubsite.error_pages import Trouble, find_trouble
from clubsite.jobs.files import delete_all
from clubsite.jobs.secret_key_check import note_version
from clubsite.operations import databases, maintenance, staying
from clubsite.operations.backup import (
    Backup,
    is_own_past,
    make_backup,
    read_backup,
    read_kept,
    readable_backups,
    unpack,
)
from clubsite.operations.databases import BackupRefused, Damaged, run_sql
from clubsite.operations.ready import needs_migration
from clubsite.operations.schedule import second_place

BY_COMMAND = Actor(user=None, name="manage.py restore", route="command")
VERB = "backup.restore"
SENTENCES: dict[str, str | Promise] = {
    "backup.restore": gettext_lazy("%(who)s restored a backup of the whole site: %(what)s."),
    "backup.restore-club": gettext_lazy("%(who)s went back to a backup of the club: %(what)s."),  # by earlier versions
}

LABELS: dict[str, str | Promise] = {
    "backup": gettext_lazy("backup"),
    "before": gettext_lazy("data from before is in"),
    "entries": gettext_lazy("log entries since"),
    "notes": gettext_lazy("to do"),
    "deals": gettext_lazy("deals"),
    "erased": gettext_lazy("people erased again"),
    "cards to print again": gettext_lazy("cards to print again"),
}


@dataclass(frozen=True, slots=True)
class Restored:
    before: Path | None  # the backup of what was there before, or the damaged database put aside; None: nothing was
    entries: int = 0  # log entries since the backup, whose deeds are in `before` alone
    notes: Mapping[int, list[str]] = field(default_factory=dict)  # as `staying.restore_present` returns them


def restore(path: Path, *, folder: Path, by: Actor = BY_COMMAND, seen: int | None = None) -> Restored:
    """What was there before becomes a backup in `folder`.

    A database too damaged to be copied is put aside: the site must not be running then. `seen` is `last_restore_key`
    when somebody looked at what would be lost. Raises BackupRefused, and changes nothing, where the backup is damaged,
    of a newer version or of another kind of database, or somebody else restored one since, or writes all the time.
    """
    backup = read_backup(path)
    refuse_foreign(backup)
    with unpack(backup) as copy, maintenance.restoring(backup.made_at) as done:
        if backup.vendor == "sqlite":
            with databases.open_copy(copy, backup.name):  # raises Damaged
                pass
        try:
            restored = _replace_all(copy, backup, folder=folder, by=by, seen=seen)
        except IntegrityError as wrong:
            raise BackupRefused(
                _("The data in this backup doesn't fit together: %(why)s. Choose another backup.") % {"why": wrong}
            ) from wrong
        except (Damaged, DatabaseError, sqlite3.DatabaseError) as error:
            trouble = Trouble.DAMAGED if isinstance(error, Damaged) else find_trouble(error)
            if trouble is Trouble.BUSY:
                raise BackupRefused(_("People are still entering scores. Try again in a minute.")) from error
            if trouble is not Trouble.DAMAGED or seen is not None or connection.vendor != "sqlite":
                raise
            restored = _replace_damaged(copy, backup, folder=folder, by=by)
        live.forget_bodies()
        done(restored.notes)
    return restored


def refuse_foreign(backup: Backup) -> None:
    """Raises BackupRefused for a backup of another kind of database, or of a newer version."""
    if backup.vendor != connection.vendor:
        raise BackupRefused(
            _("%(name)s is of another kind of database (%(kind)s).") % {"name": backup.name, "kind": backup.vendor}
        )
    on_disk = {".".join(key) for key in MigrationLoader(None, ignore_no_migrations=True).disk_migrations}
    if newer := backup.migrations - on_disk:
        raise BackupRefused(
            _("%(name)s was made by Nine Tables %(newer)s (with %(with)s). This is %(this)s: install that one first.")
            % {"name": backup.name, "newer": backup.version or "?", "this": __version__, "with": sorted(newer)[0]}
        )


def newest_restorable(folder: Path) -> Backup | None:
    for backup in readable_backups(folder):
        with suppress(BackupRefused):
            refuse_foreign(backup)
            return backup
    return None


def last_restore_key() -> int:
    """The key of the last restore's log entry; it tells whether there was another since."""
    return LogEntry.objects.filter(verb=VERB).order_by("-pk").values_list("pk", flat=True).first() or 0


def count_entries_since(backup: Backup) -> list[tuple[str, int]]:
    """By kind, the most first. Empty for a backup of another site."""
    if not is_own_past(backup):
        return []
    verbs = LogEntry.objects.filter(pk__gt=backup.log).values_list("verb", flat=True)
    kinds = Counter(str(KINDS.get(kind := verb.partition(".")[0], kind)) for verb in verbs)
    return kinds.most_common()


def rights_gained(backup: Backup, folder: Path) -> list[str]:
    """The log-ins with rights that restoring the backup would bring in: those of clubs that are missing now or, where
    the present accounts can't be read, all."""
    present = staying.read_present() if connection.introspection.table_names() and is_own_past(backup) else None
    stays, then = present or _newest_kept(backup, folder), read_kept(backup) or {}
    if not stays:
        return [_("log-ins replaced by those of the backup")]
    return list_rights(stays["accounts"], then.get("accounts", {}), of_now=bool(present))


def _replace_all(
    copy: Path, backup: Backup, *, folder: Path, by: Actor, seen: int | None, lost: bool = False
) -> Restored:
    """Replace the database's tables by the backup's. `lost`: the database is an empty one in place of a damaged one."""
    with databases.exclusive_lock(copy):
        has_tables = not lost and bool(connection.introspection.table_names())
        if has_tables and seen is not None and last_restore_key() != seen:
            raise BackupRefused(_("Somebody else has just restored a backup. Check again what would be lost."))
        before = make_backup(folder, reason="restore", spare=backup.path).path if has_tables else None
        same_site = has_tables and is_own_past(backup)
        stays = (staying.read_present() if same_site else None) or _newest_kept(backup, folder)
        if same_site:
            run_sql(f"CREATE TEMPORARY TABLE log_since AS SELECT * FROM accounts_logentry WHERE id > {backup.log:d}")  # noqa: S608
        databases.replace_tables(copy, {} if same_site else _last_keys(backup, folder))
        if needs_migration():
            call_command("migrate", verbosity=0)
        note_version()
        # Nobody logged out since may be in again; nor may workers do the tasks of then, or a page offer files that may
        # be gone.
        Session.objects.all().delete()
        DBTaskResult.objects.all().delete()
        delete_all()
        entries = _restore_log() if same_site else 0
        notes = staying.restore_present(stays, read_kept(backup) or {}, by=replace(by, user=None)) if stays else {}
        by = replace(by, user=User.objects.filter(pk=by.user.pk).first() if by.user and same_site else None)
        for club in Club.objects.order_by("pk"):
            made_at = date_format(timezone.localtime(backup.made_at, club.zone), "DATETIME_FORMAT")
            new: dict[str, Any] = {"backup": backup.name, "before": before.name if before else "", "entries": entries}
            if club.pk in notes:
                new["notes"] = " ".join(notes[club.pk])
            log(club=club.lock(), by=by, verb=VERB, subject=made_at, new=new)
        connection.check_constraints()
    return Restored(before, entries, notes)


def _restore_log() -> int:
    """Add the entries since the backup to its log, if their clubs are there. Returns how many there were."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM log_since")
        stored, number = {column[0] for column in cursor.description}, len(cursor.fetchall())
    columns = [f.column for f in LogEntry._meta.get_fields() if f.concrete and f.column in stored]
    user = "CASE WHEN user_id IN (SELECT id FROM accounts_user) THEN user_id END"
    values = ", ".join(user if column == "user_id" else f'"{column}"' for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    run_sql(
        f"INSERT INTO accounts_logentry ({names}) SELECT {values} FROM log_since "  # noqa: S608  (our own tables)
        "WHERE club_id IN (SELECT id FROM accounts_club)"
    )
    run_sql("DROP TABLE log_since")
    return number


def _backups_of_site(backup: Backup, folder: Path) -> list[Backup]:
    places = [folder, *filter(None, [second_place()])]
    of_site = [
        other for place in places for other in readable_backups(place) if other.site and other.site == backup.site
    ]
    return sorted(of_site, key=lambda other: (other.log, other.number), reverse=True)


def _newest_kept(backup: Backup, folder: Path) -> dict[str, Any] | None:
    """What must stay, where the present database can't tell: from the newest backup of the same site that has it."""
    later = [other for other in _backups_of_site(backup, folder) if other.log >= backup.log]
    return next(filter(None, map(read_kept, later)), None)


def _last_keys(backup: Backup, folder: Path) -> dict[str, int]:
    """The last key of each table in all backups of the same site. A key given again would be somebody else's there, who
    would get the rights of the first, or be erased with them, when another backup is restored."""
    keys: Counter[str] = Counter()
    for other in _backups_of_site(backup, folder):
        keys |= Counter(other.keys)  # the larger of each
    return keys


def _replace_damaged(copy: Path, backup: Backup, *, folder: Path, by: Actor) -> Restored:
    """Restore into a new file, which then takes the place of the damaged database."""
    with TemporaryDirectory(dir=Path(connection.settings_dict["NAME"]).parent, prefix="restoring-") as scratch:
        fresh = Path(scratch) / "database.sqlite3"
        with databases.use_file(fresh):
            restored = _replace_all(copy, backup, folder=folder, by=by, seen=None, lost=True)
        return replace(restored, before=databases.replace_file(fresh))
