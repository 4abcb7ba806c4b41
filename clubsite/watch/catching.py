"""A log handler that has faults kept: those of requests, of tasks, and of anything else that logs an exception."""

from __future__ import annotations

import logging


class KeepFaults(logging.Handler):
    """Keeps whatever is logged together with an exception; the settings hand it errors alone."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the fault of a record, if it has one. Never raises: logging must not fail."""
        from django.apps import apps

        problem = record.exc_info[1] if record.exc_info else None
        if problem is None or not apps.ready:
            return
        from clubsite.watch.faults import keep

        try:
            keep(problem, where=record.name)
        except Exception:  # noqa: BLE001 - whatever it is, a log goes on
            self.handleError(record)
