"""A disk that is full, a database that takes nothing: a page says what to do, keeps what was typed, and it goes on."""

import errno
import re
from html import unescape

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client, RequestFactory

from clubsite.error_pages import Trouble, find_trouble, request_failed
from scoring.cards.deals import start_game
from scoring.models import DealVersion
from tests.conftest import PASSWORD
from tests.pages import page_of
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal, as_typed

only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is told to fail in another way")


@pytest.fixture
def game(rules_for):
    rules = rules_for("st-hilary-v3")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


@pytest.fixture
def spoilt():
    """Has SQLite itself refuse: `PRAGMA` and its value; all is well again after the test."""

    def spoil(pragma):
        connection.connection.execute(f"PRAGMA {pragma}")  # also where a transaction is broken off

    yield spoil
    spoil("query_only=0")


def browser(user):
    """Gets the answer, as a browser does, where the test would get the fault."""
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def hidden(page):
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    return {unescape(name): unescape(value) for name, value in fields}


@only_sqlite
@pytest.mark.django_db
def test_what_was_typed_is_kept_on_the_page_and_counts_once_when_it_is_sent_again(game, scorekeeper, spoilt):
    client, sent = browser(scorekeeper), as_typed(a_deal())
    spoilt("query_only=1")
    answer = client.post(game.get_absolute_url(), sent)
    page = page_of(answer)
    assert answer.status_code == 503
    assert "<h1>Nothing can be saved at the moment</h1>" in page
    assert hidden(page) == {name: str(value) for name, value in sent.items()}
    assert f'action="{game.get_absolute_url()}"' in page
    assert int(answer["Retry-After"]) > 0
    assert "no-store" in answer["Cache-Control"]
    assert "Refresh" not in answer, "what was typed would go"
    assert not DealVersion.objects.exists()

    spoilt("query_only=0")
    for _twice in range(2):
        assert client.post(game.get_absolute_url(), hidden(page)).status_code == 302
    assert DealVersion.objects.count() == 1


@only_sqlite
@pytest.mark.django_db
def test_pages_can_be_looked_at_meanwhile(game, scorekeeper, spoilt):
    client = browser(scorekeeper)
    spoilt("query_only=1")
    assert client.get(game.get_absolute_url()).status_code == 200
    assert client.get("/").status_code == 200


@only_sqlite
@pytest.mark.django_db
def test_a_password_stands_in_no_page(scorekeeper, spoilt):
    spoilt("query_only=1")
    answer = browser(None).post("/login/", {"username": "sam", "password": PASSWORD})
    assert answer.status_code == 503
    assert PASSWORD not in page_of(answer)
    assert "Go back with your browser" in page_of(answer)
    assert "Send it again" not in page_of(answer)


@pytest.mark.django_db(transaction=True)  # PostgreSQL ends the transaction of a question that fails
def test_without_its_tables_the_site_says_so_without_asking_for_any():
    connection.cursor().execute("ALTER TABLE accounts_club RENAME TO gone")
    try:
        answer = browser(None).get("/")
    finally:
        connection.cursor().execute("ALTER TABLE gone RENAME TO accounts_club")
    assert answer.status_code == 503
    assert "don&#x27;t match" in page_of(answer)
    assert answer["Refresh"], "a hall board comes back by itself"


@pytest.mark.parametrize(
    ("problem", "trouble"),
    [
        (OperationalError("database or disk is full"), Trouble.FULL),
        (OperationalError("attempt to write a readonly database"), Trouble.READ_ONLY),
        (OperationalError("database is locked"), Trouble.BUSY),
        (OperationalError("unable to open database file"), Trouble.AWAY),
        (OperationalError("disk I/O error"), Trouble.FAILING),
        (DatabaseError("database disk image is malformed"), Trouble.DAMAGED),
        (OSError(errno.ENOSPC, "No space left on device"), Trouble.FULL),
        (OSError(errno.EROFS, "Read-only file system"), Trouble.READ_ONLY),
        (FileNotFoundError(errno.ENOENT, "No such file"), None),
        (ValueError("disk is full"), None),
        (OperationalError('near "SELEC": syntax error'), None),
        (None, None),
    ],
)
def test_what_a_fault_comes_from(problem, trouble):
    assert find_trouble(problem) is trouble
    wrapped = RuntimeError("rendering")
    wrapped.__cause__ = problem
    assert find_trouble(wrapped) is trouble


def test_a_fault_of_the_program_stays_one():
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        answer = request_failed(RequestFactory().post("/"))
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()
