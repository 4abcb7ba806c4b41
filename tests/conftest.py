"""What many tests need: clubs, people with roles, house rules, games."""

import sys
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.cache import caches
from django.db import connection
from django.test import Client, override_settings
from django.utils import translation
from hypothesis import settings

from clubsite import pango
from clubsite.accounts.models import Actor, Club, Door, Role, User
from clubsite.pdf import documents
from lab.catalogues import compile_catalogues
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from tests.examples import left_to_proofs
from tests.ready.database import migrated_once
from tests.ready.renderer import ready_renderer
from tests.ready.shortcuts import collected, shortcuts
from tournaments.photos import tasks as photos

# No test depends on the clock; how many examples is the tests' own word (`examples`), of which `./dev test` tries a
# fifth, `./dev coverage` all and `./dev prove` ten times as many. In CI the examples are always the same.
settings.register_profile("nine-tables", deadline=None, max_examples=settings.default.max_examples // 5)
settings.register_profile("all", deadline=None)
settings.register_profile("proof", deadline=None, max_examples=10 * settings.default.max_examples)
settings.load_profile("nine-tables")

compile_catalogues()

site.TASKS_APART = False  # a worker wouldn't see what a test's transaction holds
site.BACKUPS_EVERY = 0  # no backup is made by itself but in the tests of that
site.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose

# What the processes of a host share, the tests' processes don't: each has a database of its own.
site.CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}

PASSWORD = "nine tables in the hall"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """SQLite in a file of this run and worker, with a connection for each thread, as the site has it.

    In memory all threads of a live server would share one connection, and with it each other's transactions.
    """
    database = site.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "tests.sqlite3")
        # Nothing of it need outlive a loss of power: no commit waits for the disk.
        database["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb):
    """SQLite's file is there already when it is made ready, and goes with the folder of its run."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def ready_database(tmp_path_factory, worker_id):
    """On SQLite a file with all tables and no rows, once the database is set up: quicker to copy than to migrate."""
    own = tmp_path_factory.getbasetemp()
    return (own if worker_id == "master" else own.parent) / "migrated.sqlite3"


@pytest.fixture(scope="session")
def django_db_setup(request, django_db_modify_db_settings, django_db_blocker, ready_database):
    """All tables, made once for all processes on SQLite.

    On PostgreSQL, end the connections that threads of tests have left: a database that is used can't be dropped.
    """
    if connection.vendor == "sqlite":
        database = Path(site.DATABASES["default"]["TEST"]["NAME"])
        with django_db_blocker.unblock(), migrated_once(ready_database, database):
            request.getfixturevalue("django_db_setup")
    else:
        request.getfixturevalue("django_db_setup")
    yield
    if connection.vendor == "postgresql":
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(f"{others} AND pid <> pg_backend_pid()")


def pytest_collection(session):
    """In a fresh checkout pytest compiles the asserts of 340 modules, which takes it as long as all that it does before
    the first test. Where several processes run all tests, each begins with other modules, and reads what the others
    have compiled."""
    config = session.config
    if hasattr(config, "workerinput") and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        first, processes = int(config.workerinput["workerid"].removeprefix("gw")), config.workerinput["workercount"]
        for module in sorted(Path(__file__).parent.rglob("test_*.py"))[first::processes]:
            with suppress(ImportError):  # it is reported where the module's tests are collected
                import_module(".".join(module.relative_to(config.rootpath).with_suffix("").parts))


def pytest_collection_finish():
    collected()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """Mark the cases that are left to proofs, before pytest chooses by marks, and put those it chose in order."""
    left_to_proofs(items)
    yield
    if hasattr(config, "workerinput"):  # there are other processes beside this one
        items[:] = _long_ones_first(items, config.workerinput["workercount"])


def _long_ones_first(items, processes):
    """Where several processes share the tests, each begins with some of the long ones: the last to be done would go on
    alone while the others wait. The processes take equal parts of the list."""
    long = [item for item in items if item.get_closest_marker("long")]
    others = iter([item for item in items if item not in long])
    left, ordered = len(items), list[pytest.Item]()
    for process in range(processes):
        part = left // (processes - process)
        first = long[process::processes]
        ordered += [*first, *islice(others, max(0, part - len(first)))]
        left -= part
    return [*ordered, *others]


@pytest.fixture(scope="session", autouse=True)
def quicker():
    with shortcuts():
        yield


@pytest.fixture(scope="session", autouse=True)
def renderer():
    """PDFs are laid out by a renderer that is ready; tests of the program itself take it back (`own_renderer`). Neither
    it nor the reader of photos gives way to others, as a test waits for it."""
    with ready_renderer() as program, pytest.MonkeyPatch.context() as patched:
        patched.setattr(documents, "renderer_command", program)
        patched.setattr(photos, "PROGRAM", "from tournaments.photos import reader; reader.NICE = 0; reader.main()")
        yield


@pytest.fixture(scope="session", autouse=True)
def made_files(tmp_path_factory):
    """Files that tasks make aren't those of the checkout."""
    with override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("documents")):
        yield


OWN_PROGRAM = documents.renderer_command


@pytest.fixture
def own_renderer(monkeypatch):
    """PDFs are laid out by a process of their own, as on every host."""
    monkeypatch.setattr(documents, "renderer_command", OWN_PROGRAM)


@pytest.fixture
def without_pango(own_renderer, tmp_path, monkeypatch):
    """The system's loader finds no Pango: a file that is no library lies before it."""
    if not sys.platform.startswith("linux"):
        pytest.skip("another loader")
    for name in ("libpango-1.0.so.0", "libpango-1.0.so"):
        (tmp_path / name).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    pango.missing.cache_clear()
    yield
    pango.missing.cache_clear()


@pytest.fixture
def tried(record_property):
    """Says how many cases a test has tried, for the table of `./dev prove`."""
    return lambda cases: record_property("tried", cases)


DOORS = {"nights_for": Door.ANYONE, "results_for": Door.ANYONE, "people_for": Door.ANYONE}


def make_club():
    """A club that shows everything to everybody."""
    return Club.objects.create(
        name="St. Hilary", slug="st-hilary", time_zone="America/Chicago", paper="Letter", member_key="the-link", **DOORS
    )


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture
def other_club(db):
    return Club.objects.create(name="Harbour Cards", slug="harbour", time_zone="Europe/London", **DOORS)


def make_user(username, club=None, kind=""):
    user = User.objects.create_user(username=username, password=PASSWORD, first_name=username.title())
    if club is not None:
        Role.objects.create(user=user, club=club, kind=kind)
    return user


@pytest.fixture
def director(club):
    return make_user("dora", club, Role.Kind.DIRECTOR)


@pytest.fixture
def scorekeeper(club):
    return make_user("sam", club, Role.Kind.SCOREKEEPER)


@pytest.fixture
def stranger(other_club):
    """A director of the other club: here nobody."""
    return make_user("otto", other_club, Role.Kind.DIRECTOR)


@pytest.fixture
def actor(director):
    return Actor(user=director, name="Dora")


@pytest.fixture
def client_of():
    """A browser of a user; None is logged out."""

    def make(user):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return make


@pytest.fixture
def browser(director, client_of):
    return client_of(director)


@pytest.fixture
def rules_for(club, actor):
    """The club's house rules adopted from a shipped rule set, by slug."""

    def make(slug):
        return adopt(club=club, rule_set=shipped()[slug], by=actor)

    return make


@pytest.fixture
def rules(rules_for):
    return rules_for("st-hilary-v3")


@pytest.fixture
def apart(settings, tmp_path):
    """Tasks are left to workers, of which there is none yet (`tests.jobs.workers`)."""
    settings.TASKS_APART = True
    settings.VAR_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "documents"


@pytest.fixture(autouse=True)
def in_english():
    """The language of the settings, whatever a test before it spoke."""
    with translation.override(site.LANGUAGE_CODE):
        yield


@pytest.fixture(autouse=True)
def nothing_kept():
    """No body of a live page from the test before, whose events have the same addresses, and no word of a backup that
    it restored."""
    for cache in caches.all():
        cache.clear()
