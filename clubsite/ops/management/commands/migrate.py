"""`manage.py migrate`: Django's own; on SQLite data comes to this version's tables whole, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import DEFAULT_DB_ALIAS, connection

from clubsite.ops.migrated import waits_for_migrations
from clubsite.ops.whole_migration import NotMigrated, all_or_none

APART = ("app_label", "fake", "fake_initial", "plan", "check_unapplied", "run_syncdb", "prune")


class Command(MigrateCommand):
    """Django's command, all or none."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate. Raises CommandError where it failed; nothing has been changed then."""
        if not self._whole(options):
            super().handle(*args, **options)
            return
        try:
            all_or_none(lambda: MigrateCommand.handle(self, *args, **options))
        except NotMigrated as failed:
            raise CommandError(str(failed)) from failed

    def _whole(self, options: dict[str, Any]) -> bool:
        """Whether this is a plain migration of a SQLite file with data in it."""
        return (
            connection.vendor == "sqlite"
            and options["database"] == DEFAULT_DB_ALIAS
            and not any(options.get(name) for name in APART)
            and not connection.in_atomic_block
            and Path(connection.settings_dict["NAME"]).is_file()
            and bool(connection.introspection.table_names())
            and waits_for_migrations()
        )
