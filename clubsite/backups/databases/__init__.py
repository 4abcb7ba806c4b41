"""What SQLite and PostgreSQL each do in their own way: copying the database, querying a copy, replacing it as a
whole."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.db import connection


def migrated_apart(url: str) -> str:
    """Bring the database at a URL to this version's tables, in a process of its own whose only database it is. Returns
    "", or what was said where that failed."""
    done = subprocess.run(
        [sys.executable, "-m", "django", "migrate", "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "clubsite.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode else ""


def ask(sql: str, *values: Any) -> list[Any]:
    """Run some SQL in the site's database, and return the rows that it brings, if any."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
        return list(cursor.fetchall()) if cursor.description else []
