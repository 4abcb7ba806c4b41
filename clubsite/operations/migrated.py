"""Whether the database is ready for this version of the program."""

from __future__ import annotations

from django.core.management import CommandError
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from clubsite.paths import COMMAND


def waits_for_migrations(database: BaseDatabaseWrapper | None = None) -> bool:
    """Whether tables are missing in the site's database or another, or are those of an earlier version."""
    executor = MigrationExecutor(database or connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def require_tables() -> None:
    """Raises CommandError, with what to do, while tables are missing or are those of an earlier version."""
    if waits_for_migrations():
        raise CommandError(
            f"The database isn't ready for this version. Run `manage.py migrate` first (`{COMMAND} manage migrate`)."
        )
