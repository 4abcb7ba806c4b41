"""The operations app: the first club, the demo, the static files as they are built."""

from typing import Any

from django.apps import AppConfig, apps

# What no page loads is left out when the static files are built.
NOT_BUILT = (
    "README",
    "django_tables2",
    "ext",  # htmx's own extensions, and its other versions
    "htm*-4*.js",
    "htmx-2.js",
    "sw.js",  # clubsite/offline.py joins it with what it imports
)


class OpsConfig(AppConfig):
    name = "clubsite.operations"
    label = "ops"

    def ready(self) -> None:
        from clubsite.accounts import audit_log
        from clubsite.accounts.staying import read_accounts, restore_accounts
        from clubsite.jobs.periodic import JOBS
        from clubsite.jobs.secret_key_check import read_key, restore_key
        from clubsite.operations import restore, schedule
        from clubsite.operations.staying import STAYING

        audit_log.register(restore)
        JOBS.append(schedule.enqueue_when_due)
        STAYING["accounts"] = read_accounts, restore_accounts
        STAYING["secret key"] = read_key, restore_key
        static_files: Any = apps.get_app_config("staticfiles")
        static_files.ignore_patterns = [*static_files.ignore_patterns, *NOT_BUILT]
