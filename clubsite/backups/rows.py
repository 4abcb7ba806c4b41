# ruff: noqa: S608  (what stands in the questions are names of our own tables and columns, and whole numbers)
"""A backup's rows beside those of now, in one connection: finding what differs, and putting the backup's rows back.

SQLite attaches the backup's database, PostgreSQL has its rows in temporary tables (`beside`). From there on the SQL is
the same for both. In this module "then" means the backup. Only rows that differ are touched, so that going back ten
minutes writes ten minutes' rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, Invitation, LogEntry, Member, MemberMerge, Role, Session, Throttle, User
from clubsite.backups.databases import ask, postgres, sqlite
from clubsite.backups.files import BackupRefused

Model = type[models.Model]

# Apps whose rows belong to the machine and were not recorded by people: they stay as they are now.
OF_THE_MACHINE = ("sessions", "tasks", "django_tasks_database", "contenttypes", "auth")
FACTORS = ("otp_totp", "otp_static")
STEPS = 9  # the most foreign keys between a row and its club


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A model's table. `way`: the foreign keys that lead from its rows to their club, () for the clubs themselves."""

    model: Model
    way: tuple[Any, ...] | None = None

    @property
    def name(self) -> str:
        """Its name in the database."""
        return self.model._meta.db_table

    @property
    def key(self) -> str:
        """The column of its primary key."""
        return str(self.model._meta.pk.column)

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return [str(field.column) for field in self.model._meta.local_concrete_fields]

    @property
    def listed(self) -> str:
        """Its columns, as SQL lists them."""
        return ", ".join(f'"{column}"' for column in self.columns)


def all_tables() -> list[ModelTable]:
    """The tables whose rows go back with the whole site. The log isn't among them, as it is never cut short; nor are
    roles and invitations, which stay as they are now (`as_now`)."""
    left = (LogEntry, Throttle, Role, Invitation, Session)
    return [
        ModelTable(model)
        for model in apps.get_models(include_auto_created=True)
        if model not in left and model._meta.app_label not in OF_THE_MACHINE + FACTORS and model._meta.managed
    ]


def club_tables() -> list[ModelTable]:
    """The tables whose rows go back with one club, those that others refer to first: all of scoring and tournaments,
    and the club with its members. Log-ins and roles stay as they are: an ended role must not come back."""
    own = (Club, Member, MemberMerge)
    found = []
    for model in apps.get_models(include_auto_created=True):
        if model in own or model._meta.app_label in ("scoring", "tournaments"):
            way = way_to_club(model)
            if way is None:
                raise LookupError(f"say in clubsite.backups.rows to which club the rows of {model.__name__} belong")
            found.append(ModelTable(model, way))
    return sorted(found, key=lambda table: len(table.way or ()))


def way_to_club(model: Model) -> tuple[Any, ...] | None:
    """The shortest chain of foreign keys from a model's rows to their club; None where there is none."""
    ways: list[tuple[tuple[Any, ...], Model]] = [((), model)]
    for _step in range(STEPS):
        further: list[tuple[tuple[Any, ...], Model]] = []
        for way, at in ways:
            if at is Club:
                return way
            for field in at._meta.local_concrete_fields:
                target: Any = field.related_model
                if (field.many_to_one or field.one_to_one) and not field.null and target is not at:
                    further.append(((*way, field), target))
        ways = further
    return None


def then(name: str) -> str:
    """A table of the backup, as SQL names it."""
    return f'{sqlite.THEN}."{name}"' if connection.vendor == "sqlite" else f'"{postgres.THEN}{name}"'


def now(name: str) -> str:
    """A table of the site as it is now, as SQL names it."""
    return f'main."{name}"' if connection.vendor == "sqlite" else f'"{name}"'


@contextmanager
def beside(copy: Path, tables: Sequence[ModelTable]) -> Iterator[None]:
    """Puts the rows of a backup's database beside those of now. PostgreSQL needs a transaction around it.

    Raises:
        BackupRefused: its tables aren't those of this version.
    """
    if connection.vendor != "sqlite":
        postgres.stage(copy, [table.name for table in tables])
        yield
        return
    ask(f"ATTACH DATABASE '{copy}' AS {sqlite.THEN}")
    try:
        for table in tables:
            there = {row[1] for row in ask(f'PRAGMA {sqlite.THEN}.table_info("{table.name}")')}
            if set(table.columns) - there:
                raise BackupRefused(_("The backup was made by another version of the program."))
        yield
    finally:
        ask(f"DETACH DATABASE {sqlite.THEN}")


def of_club(table: ModelTable, club: int | None, *, side: Any) -> str:
    """A WHERE clause for a table's rows that belong to one club, on one `side` (`then` or `now`); "" for all clubs."""
    if club is None or table.way is None:
        return ""
    if not table.way:
        return f" WHERE id = {club:d}"
    first, *further = table.way
    found = f"= {club:d}"
    for field in reversed(further):
        owner = field.model._meta
        found = f'IN (SELECT "{owner.pk.column}" FROM {side(owner.db_table)} WHERE "{field.column}" {found})'
    return f' WHERE "{first.column}" {found}'


def only_now(table: ModelTable, club: int | None = None) -> list[Any]:
    """The keys of rows that are there now and weren't then."""
    return _on_one_side(table, club, side=now, other=then)


def only_then(table: ModelTable, club: int | None = None) -> list[Any]:
    """The keys of rows that were there then and aren't now."""
    return _on_one_side(table, club, side=then, other=now)


def _on_one_side(table: ModelTable, club: int | None, *, side: Any, other: Any) -> list[Any]:
    """The keys of rows that are on one `side` (`then` or `now`) and not on the `other`."""
    here = f'SELECT "{table.key}" FROM {side(table.name)}{of_club(table, club, side=side)}'
    return [row[0] for row in ask(f'{here} EXCEPT SELECT "{table.key}" FROM {other(table.name)} ORDER BY 1')]


def differing(table: ModelTable, club: int | None = None) -> int:
    """How many rows are in both, with different content."""
    return len(set(not_as_then(table, club)) - set(only_now(table, club)))


def put_back(tables: Sequence[ModelTable], club: int | None = None) -> None:
    """Replace the rows of now by those of then, of one club or all. Within a transaction.

    Rows are deleted before those that they refer to, and inserted after them; foreign keys are checked at the commit.
    """
    for table in reversed(tables):
        if keys := not_as_then(table, club):
            _delete(table, keys)
    _bring_missing(tables, club)


def _bring_missing(tables: Sequence[ModelTable], club: int | None = None) -> None:
    """Insert the rows of then whose keys aren't there now."""
    for table in tables:
        there = f'SELECT "{table.key}" FROM {now(table.name)}{of_club(table, club, side=now)}'
        where = of_club(table, club, side=then)
        ask(
            f"INSERT INTO {now(table.name)} ({table.listed}) SELECT {table.listed} FROM {then(table.name)}{where}"
            f'{" AND" if where else " WHERE"} "{table.key}" NOT IN ({there})'
        )
    if connection.vendor != "sqlite":
        postgres.raise_sequences([(table.name, table.key) for table in tables])


def not_as_then(table: ModelTable, club: int | None) -> list[Any]:
    """The keys of rows of now that were different then, or not there."""
    here = f"SELECT {table.listed} FROM {now(table.name)}{of_club(table, club, side=now)}"
    rows = f"{here} EXCEPT SELECT {table.listed} FROM {then(table.name)}"
    return [row[0] for row in ask(f'SELECT "{table.key}" FROM ({rows}) AS others')]


def _delete(table: ModelTable, keys: Sequence[Any]) -> None:
    _some(f'DELETE FROM {now(table.name)} WHERE "{table.key}" IN ', keys)


def _some(begins: str, keys: Sequence[Any]) -> None:
    for at in range(0, len(keys), 500):
        some = keys[at : at + 500]
        ask(f"{begins}({', '.join(['%s'] * len(some))})", *some)


def put_back_log() -> None:
    """Bring back the log entries of then that aren't there now, and delete those of clubs that no longer exist.

    On the same site the log of now includes that of then, since entries are only added. So it still tells what was
    undone, and that it was undone.
    """
    log, clubs = ModelTable(LogEntry), ModelTable(Club)
    _delete(log, _orphans(log, "club_id", target=clubs))
    _bring_missing([log])


def let_go(left: Sequence[ModelTable]) -> None:
    """In the tables that stay as they are now, clear or delete references to rows that no longer exist."""
    for table in left:
        for field in table.model._meta.local_concrete_fields:
            target: Any = field.related_model
            if not (field.many_to_one or field.one_to_one) or target._meta.app_label in OF_THE_MACHINE:
                continue
            lost = _orphans(table, str(field.column), target=ModelTable(target))
            if field.null:
                _some(f'UPDATE {now(table.name)} SET "{field.column}" = NULL WHERE "{table.key}" IN ', lost)
            else:
                _delete(table, lost)


def tables_left() -> list[ModelTable]:
    """The tables that stay as they are now when the whole site goes back."""
    gone_back = {table.model for table in all_tables()}
    return [ModelTable(m) for m in apps.get_models(include_auto_created=True) if m not in gone_back and m._meta.managed]


def bring_back_people(club: int) -> None:
    """Bring back log-ins that a club's rows refer to and that are gone since, but no rights on the site; for a club
    that is gone, its roles too."""
    users, roles = ModelTable(User), ModelTable(Role)
    needed: set[Any] = set()
    for table in [*club_tables(), ModelTable(Role, way_to_club(Role))]:
        for field in table.model._meta.local_concrete_fields:
            if field.related_model is users.model:
                sql = f'SELECT DISTINCT "{field.column}" FROM {then(table.name)}{of_club(table, club, side=then)}'
                needed |= {row[0] for row in ask(sql) if row[0] is not None}
    missing = sorted(needed - {row[0] for row in ask(f"SELECT id FROM {now(users.name)}")})
    bring(users, "id", values=missing)
    User.objects.filter(pk__in=missing).update(is_superuser=False, is_staff=False)
    if not ask(f"SELECT 1 FROM {now('accounts_club')} WHERE id = {club:d}"):
        bring(roles, "club_id", values=[club])


def bring(table: ModelTable, column: str, *, values: Sequence[Any]) -> None:
    """Insert the rows of then with one of these values in a column, except those whose key exists now."""
    missing = f'"{table.key}" NOT IN (SELECT "{table.key}" FROM {now(table.name)})'
    rows = f"SELECT {table.listed} FROM {then(table.name)} WHERE {missing}"
    _some(f'INSERT INTO {now(table.name)} ({table.listed}) {rows} AND "{column}" IN ', values)


def _orphans(table: ModelTable, column: str, *, target: ModelTable) -> list[Any]:
    """The keys of rows whose `column` refers to a row of `target` that doesn't exist."""
    found = ask(
        f'SELECT "{table.key}" FROM {now(table.name)} WHERE "{column}" IS NOT NULL'
        f' AND "{column}" NOT IN (SELECT "{target.key}" FROM {now(target.name)})'
    )
    return [row[0] for row in found]
