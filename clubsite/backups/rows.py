# ruff: noqa: S608  (what stands in the questions are names of our own tables and columns, and whole numbers)
"""The rows of a backup beside those of now, in one connection: what differs, and putting the ones back.

SQLite attaches the backup's database, PostgreSQL has its rows in temporary tables (`beside`). From there on both are
asked in the same words. Only rows that differ are touched, so that going back ten minutes writes ten minutes' rows.
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
from clubsite.backups.databases import postgres, sqlite
from clubsite.backups.files import BackupRefused

Model = type[models.Model]

# What belongs to the machine and not to what people recorded: it stays as it is now when somebody goes back.
OF_THE_MACHINE = ("sessions", "tasks", "django_tasks_database", "contenttypes", "auth")
FACTORS = ("otp_totp", "otp_static")
STEPS = 9  # links from a row to its club, at most


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A model's table. `way`: the links by which its rows lead to their club, () for the clubs themselves."""

    model: Model
    way: tuple[Any, ...] | None = None

    @property
    def name(self) -> str:
        """What it is called in the database."""
        return self.model._meta.db_table

    @property
    def key(self) -> str:
        """The column of its primary key."""
        return str(self.model._meta.pk.column)

    @property
    def columns(self) -> list[str]:
        """Its columns."""
        return [str(field.column) for field in self.model._meta.local_concrete_fields]


def all_tables() -> list[ModelTable]:
    """The tables that the whole site goes back in. The log isn't among them: it is never cut short; nor is who may do
    what, which stays as it is now (`as_now`)."""
    left = (LogEntry, Throttle, Role, Invitation, Session)
    return [
        ModelTable(model)
        for model in apps.get_models(include_auto_created=True)
        if model not in left and model._meta.app_label not in OF_THE_MACHINE + FACTORS and model._meta.managed
    ]


def club_tables() -> list[ModelTable]:
    """The tables that one club goes back in, those that others refer to first: all of scoring and tournaments, and the
    club with its members. Who logs in, and what they may do, stays as it is: an ended role must not come back."""
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
    """The links from a model's rows to their club, the fewest; None where there is no way."""
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
    """A table as it was, quoted for the database."""
    if connection.vendor == "sqlite":
        return f'{sqlite.THEN}."{name}"'
    return f'"{postgres.THEN}{name}"'


def now(name: str) -> str:
    """A table as it is."""
    return f'main."{name}"' if connection.vendor == "sqlite" else f'"{name}"'


@contextmanager
def beside(copy: Path, tables: Sequence[ModelTable]) -> Iterator[None]:
    """Have the rows of a backup's database beside those of now. PostgreSQL wants a transaction around it.

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
            there = set(sqlite.columns_of(ask, table.name, schema=sqlite.THEN))
            if set(table.columns) - there:
                raise BackupRefused(_("The backup was made by another version of the program."))
        yield
    finally:
        ask(f"DETACH DATABASE {sqlite.THEN}")


def ask(sql: str, *values: Any) -> list[Any]:
    """The rows that a question brings, or none."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
        return list(cursor.fetchall()) if cursor.description else []


def of_club(table: ModelTable, club: int | None, *, side: Any) -> str:
    """A condition for a table's rows: those that lead to one club, on one `side` (`then` or `now`)."""
    if club is None or table.way is None:
        return ""
    if not table.way:
        return f" WHERE id = {club:d}"
    condition = f"= {club:d}"
    for at, field in reversed(list(enumerate(table.way))):
        if at:
            owner = field.model._meta
            condition = (
                f'IN (SELECT "{owner.pk.column}" FROM {side(owner.db_table)} WHERE "{field.column}" {condition})'
            )
        else:
            condition = f' WHERE "{field.column}" {condition}'
    return condition


def only_now(table: ModelTable, club: int | None = None) -> list[Any]:
    """The keys of rows that are there now and weren't then."""
    key = f'"{table.key}"'
    here = f"SELECT {key} FROM {now(table.name)}{of_club(table, club, side=now)}"
    sql = f"{here} EXCEPT SELECT {key} FROM {then(table.name)}"
    return [row[0] for row in ask(f"{sql} ORDER BY 1")]


def only_then(table: ModelTable, club: int | None = None) -> list[Any]:
    """The keys of rows that were there then and aren't now."""
    key = f'"{table.key}"'
    there = f"SELECT {key} FROM {then(table.name)}{of_club(table, club, side=then)}"
    sql = f"{there} EXCEPT SELECT {key} FROM {now(table.name)}"
    return [row[0] for row in ask(f"{sql} ORDER BY 1")]


def differing(table: ModelTable, club: int | None = None) -> int:
    """How many rows of now were there then too, and say something else."""
    return len(set(not_as_then(table, club)) - set(only_now(table, club)))


def put_back(tables: Sequence[ModelTable], club: int | None = None) -> None:
    """Put the rows of then in the place of those of now, of one club or all. Within a transaction.

    Rows go before those that they refer to, and come after them; the database checks all links when it commits.
    """
    for table in reversed(tables):
        if keys := not_as_then(table, club):
            _delete(table, keys)
    for table in tables:
        columns = ", ".join(f'"{column}"' for column in table.columns)
        there = f'SELECT "{table.key}" FROM {now(table.name)}{of_club(table, club, side=now)}'
        where = of_club(table, club, side=then)
        ask(
            f"INSERT INTO {now(table.name)} ({columns}) SELECT {columns} FROM {then(table.name)}{where}"
            f'{" AND" if where else " WHERE"} "{table.key}" NOT IN ({there})'
        )
    if connection.vendor != "sqlite":
        postgres.raise_sequences([(table.name, table.key) for table in tables])


def not_as_then(table: ModelTable, club: int | None) -> list[Any]:
    """The keys of rows of now that weren't so then, or not at all."""
    columns = ", ".join(f'"{column}"' for column in table.columns)
    rows = (
        f"SELECT {columns} FROM {now(table.name)}{of_club(table, club, side=now)}"
        f" EXCEPT SELECT {columns} FROM {then(table.name)}"
    )
    return [row[0] for row in ask(f'SELECT "{table.key}" FROM ({rows}) AS others')]


def _delete(table: ModelTable, keys: Sequence[Any]) -> None:
    _some(f'DELETE FROM {now(table.name)} WHERE "{table.key}" IN ', keys)


def _some(begins: str, keys: Sequence[Any]) -> None:
    for at in range(0, len(keys), 500):
        some = keys[at : at + 500]
        ask(f"{begins}({', '.join(['%s'] * len(some))})", *some)


def put_back_log() -> None:
    """Bring back the log entries of then that aren't there now; those of clubs that are gone go with them.

    The log of now holds that of then wherever it is the same site's: entries are only added. What was undone is told in
    it still, and that it was undone.
    """
    log, clubs = ModelTable(LogEntry), ModelTable(Club)
    _delete(log, _orphans(log, "club_id", target=clubs))
    columns = ", ".join(f'"{column}"' for column in log.columns)
    ask(
        f"INSERT INTO {now(log.name)} ({columns}) SELECT {columns} FROM {then(log.name)}"
        f" WHERE id NOT IN (SELECT id FROM {now(log.name)})"
    )
    if connection.vendor != "sqlite":
        postgres.raise_sequences([(log.name, log.key)])


def let_go(left: Sequence[ModelTable]) -> None:
    """Of what stays as it is now: let go of what isn't there any more."""
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
    """Bring back the log-ins that a club's rows name and that are gone since: with the roles of a club that is gone."""
    users, roles = ModelTable(User), ModelTable(Role)
    needed: set[Any] = set()
    for table in [*club_tables(), ModelTable(Role, way_to_club(Role))]:
        for field in table.model._meta.local_concrete_fields:
            if field.related_model is users.model:
                sql = f'SELECT DISTINCT "{field.column}" FROM {then(table.name)}{of_club(table, club, side=then)}'
                needed |= {row[0] for row in ask(sql) if row[0] is not None}
    missing = sorted(needed - {row[0] for row in ask(f"SELECT id FROM {now(users.name)}")})
    bring(users, "id", values=missing)
    if not ask(f"SELECT 1 FROM {now('accounts_club')} WHERE id = {club:d}"):
        bring(roles, "club_id", values=[club])


def bring(table: ModelTable, column: str, *, values: Sequence[Any]) -> None:
    """Bring the rows of then that have one of these values in a column, but for those whose key is there."""
    columns = ", ".join(f'"{name}"' for name in table.columns)
    missing = f'"{table.key}" NOT IN (SELECT "{table.key}" FROM {now(table.name)})'
    rows = f"SELECT {columns} FROM {then(table.name)} WHERE {missing}"
    _some(f'INSERT INTO {now(table.name)} ({columns}) {rows} AND "{column}" IN ', values)


def _orphans(table: ModelTable, column: str, *, target: ModelTable) -> list[Any]:
    """The keys of rows that refer by this column to what isn't there."""
    found = ask(
        f'SELECT "{table.key}" FROM {now(table.name)} WHERE "{column}" IS NOT NULL'
        f' AND "{column}" NOT IN (SELECT "{target.key}" FROM {now(target.name)})'
    )
    return [row[0] for row in found]
