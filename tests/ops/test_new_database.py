"""A new database, whose tables are made at once, is the same as one that has been through every version."""

import re
import sqlite3
from contextlib import closing

import pytest

from tests.served import manage


def migrated(folder, *steps):
    for step in steps:
        manage(folder, "migrate", "--verbosity=0", *step).check_returncode()
    with closing(sqlite3.connect(folder / "nine-tables.sqlite3")) as database:
        tables = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        indexes = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        return {
            "tables": {name: parts(sql) for name, sql in tables},
            "indexes": dict(indexes.fetchall()),
            "migrations": sorted(database.execute("SELECT app, name FROM django_migrations")),
            "types": sorted(database.execute("SELECT app_label, model FROM django_content_type")),
            "permissions": sorted(database.execute("SELECT codename FROM auth_permission")),
        }


def parts(sql):
    """The columns and constraints of a table, in whatever order."""
    found, depth = [""], 0
    for token in re.findall(r"'[^']*'|\"[^\"]*\"|.", sql.partition("(")[2].rpartition(")")[0], re.DOTALL):
        depth += (token == "(") - (token == ")")
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return sorted(" ".join(part.split()) for part in found)


@pytest.mark.proof
def test_it_has_the_tables_that_the_migrations_make(tmp_path):
    new = migrated(tmp_path / "new", [])
    grown = migrated(tmp_path / "grown", ["contenttypes", "0001"], [])
    assert new["tables"].keys() == grown["tables"].keys()
    for table, columns in grown["tables"].items():
        assert new["tables"][table] == columns, table
    assert new == grown
