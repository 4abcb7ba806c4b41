"""`manage.py migrate`: Django's own; on SQLite data comes to this version's tables whole, or not at all.

A new database gets this version's tables at once, without their history: a second or two in place of fifteen.
"""

import sqlite3
from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction

from clubsite.operations.databases import rewrite_file
from clubsite.operations.ready import needs_migration


class Command(MigrateCommand):
    def handle(self, *args: Any, **options: Any) -> None:
        ours, tables = options["database"] == DEFAULT_DB_ALIAS, connection.introspection.table_names()
        if ours and not tables and not (options["app_label"] or options["plan"] or options["check_unapplied"]):
            from django.test.utils import override_settings  # loads all that tests need, so not at every start

            with connection.constraint_checks_disabled(), transaction.atomic():
                with override_settings(MIGRATION_MODULES={app.label: None for app in apps.get_app_configs()}):
                    super().handle(*args, **options | {"run_syncdb": True})
                super().handle(*args, **options | {"fake": True})
            return
        whole = ours and connection.vendor == "sqlite" and not connection.in_atomic_block
        if not (whole and tables and needs_migration()):
            super().handle(*args, **options)
            return
        try:
            with connection.constraint_checks_disabled(), transaction.atomic():
                super().handle(*args, **options)
                connection.check_constraints()
        except (OSError, sqlite3.Error, DatabaseError) as failed:
            raise CommandError(
                f"The tables couldn't be updated to this version ({failed}). Nothing was changed: the version before "
                f"still works with this data."
            ) from failed
        rewrite_file()  # without what was deleted before deleting overwrote it
