"""The whole site from one database to another and back: every row as it was, all or none, keys that go on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Max

from clubsite.accounts.models import Actor, LogEntry, Member
from clubsite.ops.databases import moving
from clubsite.ops.databases.moving import MoveRefused, move, named
from scoring.cards.deals import correct_deal
from scoring.engine.core.ruleset import shipped
from scoring.families.deal_form import Entered
from scoring.house_rules.actions import adopt
from scoring.models import DealVersion
from tests.conftest import make_club, make_user
from tests.scoring.conftest import a_deal
from tests.tournaments import nights
from tests.tournaments.table_links.conftest import game_at

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="asked by ./dev test --postgres: it needs both"),
]

BY = Actor(user=None, name="Dora", director=True)
Settings = dict[str, Any]


@pytest.fixture
def filled() -> None:
    """A night with deals, a correction, links, a log-in; and a member whose key was the last and is gone."""
    club = make_club()
    make_user("dora", club, "director")
    night = nights.make_night(club, adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=BY))
    nights.arrive(night, BY, 8)
    game = game_at(nights.publish_next(night, BY))
    nights.play_deals(game, BY, 2)
    first = game.deals.order_by("pk")[0]
    correct_deal(
        deal=first, entered=Entered(a_deal(), sure=True), by=BY, submission=uuid4(), seen=1, reason="“misread”, é"
    )
    Member.objects.create(club=club, name="Gone again").delete()


@pytest.fixture(scope="module")
def with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database that has all tables and no rows: made once, for that is what takes its time."""
    path = tmp_path_factory.mktemp("moving") / "tables.sqlite3"
    moving._make_tables(f"sqlite:///{path}")
    return path


@pytest.fixture
def file(with_tables: Path, tmp_path: Path) -> str:
    """An SQLite database without rows."""
    return f"sqlite:///{shutil.copy(with_tables, tmp_path / 'moved.sqlite3')}"


@pytest.fixture(scope="module")
def template(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """A second database of PostgreSQL that has all tables and no rows: as that of the tests is now."""
    name = f"{connection.settings_dict['NAME']}_tables"
    with django_db_blocker.unblock():
        connection.close()
        _sql(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name} TEMPLATE {connection.settings_dict['NAME']}")
        yield name
        _sql(f"DROP DATABASE {name}")


@pytest.fixture
def elsewhere(template: str) -> Iterator[str]:
    """A database of PostgreSQL without rows, besides the one of the tests."""
    name, told = template.replace("_tables", "_moved"), connection.settings_dict
    _sql(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name} TEMPLATE {template}")
    yield f"postgres://{told['USER']}:{told['PASSWORD']}@{told['HOST']}:{told['PORT']}/{name}"
    _sql(f"DROP DATABASE {name}")


def _sql(*statements: str) -> None:
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def told(where: Settings) -> list[Any]:
    """All rows of a database, as Django writes them out."""
    out = StringIO()
    with moving._connected("looked-at", where):
        call_command("dumpdata", database="looked-at", use_base_manager=True, stdout=out)
    rows: list[Any] = json.loads(out.getvalue())
    return rows


def test_every_row_goes_there_and_back(filled: None, file: str, elsewhere: str) -> None:
    there = move(source=connection.settings_dict, target=file)
    back = move(source=named(file), target=elsewhere)
    assert there == back
    assert there["scoring_dealversion"] == DealVersion.objects.count() == 3
    assert told(connection.settings_dict) == told(named(file)) == told(named(elsewhere))


def test_keys_go_on_where_they_were(filled: None, file: str, elsewhere: str) -> None:
    last = Member.objects.aggregate(last=Max("pk"))["last"]
    move(source=connection.settings_dict, target=file)
    move(source=named(file), target=elsewhere)
    for where in (file, elsewhere):
        with moving._connected("looked-at", named(where)):
            club = Member.objects.using("looked-at").order_by("pk")[0].club
            made = Member.objects.using("looked-at").create(club=club, name="New")
            assert made.pk == last + 2  # the one who is gone had the key between


def test_a_database_with_rows_is_left_alone(filled: None, file: str, elsewhere: str) -> None:
    move(source=connection.settings_dict, target=file)
    before = told(named(file))
    LogEntry.objects.update(actor="Somebody else")
    with pytest.raises(MoveRefused, match="isn't empty"):
        move(source=connection.settings_dict, target=file)
    with pytest.raises(MoveRefused, match="the same database"):
        move(source=named(file), target=file)
    assert told(named(file)) == before


def test_nothing_goes_over_when_one_row_cannot(filled: None, file: str, elsewhere: str) -> None:
    """A row that names a club which isn't there, in the last table that is copied."""
    move(source=connection.settings_dict, target=file)
    with closing(sqlite3.connect(named(file)["NAME"])) as database, database:
        database.execute("UPDATE tournaments_tablelink SET event_id = 4711")
    with pytest.raises(MoveRefused, match="tablelink"):
        move(source=named(file), target=elsewhere)
    assert [
        row for row in told(named(elsewhere)) if row["model"].startswith(("accounts", "scoring", "tournaments"))
    ] == []


def test_a_row_that_postgresql_cannot_hold_is_named(filled: None, file: str, elsewhere: str) -> None:
    move(source=connection.settings_dict, target=file)
    with closing(sqlite3.connect(named(file)["NAME"])) as database, database:
        database.execute("UPDATE accounts_member SET note = ? WHERE name = 'Player 03'", ["x" * 300])
    with pytest.raises(MoveRefused, match=r"accounts_member, rows \d+ to \d+, can't stand"):
        move(source=named(file), target=elsewhere)


def test_an_older_database_is_brought_up_first(tmp_path: Path, file: str) -> None:
    with pytest.raises(MoveRefused, match="older version"):
        move(source=named(f"sqlite:///{tmp_path / 'empty.sqlite3'}"), target=file)


def test_the_command_says_what_went_over_and_what_to_do_then(filled: None, file: str) -> None:
    out = StringIO()
    call_command("move_database", to=file, stdout=out)
    assert "rows of" in out.getvalue()
    assert "DATABASE_URL" in out.getvalue()
    with pytest.raises(CommandError, match="no address"):
        call_command("move_database", to="parish-hall")
