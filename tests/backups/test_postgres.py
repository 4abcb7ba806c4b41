"""PostgreSQL's own programs: a dump of another version, and a machine that hasn't got them."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from clubsite.operations import databases
from tests.scoring.cards.test_race import alone

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite copies itself"),
]


def test_without_pg_dump_there_is_a_sentence_and_the_site_starts(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(databases, "DEBIAN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="pg_dump isn't on this machine"):
        alone(lambda: call_command("backup"))
    told = StringIO()
    alone(lambda: call_command("migrate", "tournaments", "0013", verbosity=0))
    try:
        alone(lambda: call_command("backup", before_migrating=True, stderr=told))
        assert "pg_dump isn't on this machine" in told.getvalue()
    finally:
        alone(lambda: call_command("migrate", verbosity=0))
