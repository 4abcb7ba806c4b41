"""`manage.py demo`: what is loaded, when nothing is, and what is never deleted."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db.models import F, RestrictedError
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.models import Actor, Club, LogEntry, Role, User
from clubsite.accounts.starting import demo_clubs, own_clubs
from lab.benchmarks.crash.audit import wrong_totals
from lab.benchmarks.main_pages import main_pages
from scoring.models import Deal, DealVersion, Game, HouseRules
from tests.examples import as_proof
from tests.kept import made_once
from tests.log_entries import log
from tournaments import demo as demos
from tournaments.demo import delete_clubs, load, running_since
from tournaments.models import Cut, CutLine, Draw, Event, PublishedStandings, Seat
from tournaments.seasons.table import season_tables
from tournaments.standings.standings import standings_of


def demo(*arguments, **options):
    out = StringIO()
    call_command("demo", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def quay(db):
    return Club.objects.create(name="Quay Cards", slug="quay")


@pytest.fixture
def loaded(db):
    return made_once("demo", load)


def test_the_demo_has_everything_that_a_newcomer_should_see(loaded, client):
    assert [club.name for club in Club.objects.all() if "(demo)" not in club.name] == []
    nights = Event.objects.filter(club=loaded.parish, season__isnull=False)
    assert nights.filter(state=Event.State.FINISHED).count() == 11
    assert loaded.night.state == Event.State.RUNNING
    assert Event.objects.filter(club=loaded.parish, state=Event.State.PLANNED, starts_at__gt=timezone.now()).exists()
    table = season_tables([nights[0].season])[0]
    assert len(table.nights) == 11
    assert len(table.lines) >= 24
    states = set(
        Game.objects.filter(group_game__group__table__draw__round__stage__event=loaded.night).values_list(
            "state", flat=True
        )
    )
    assert states == {Game.State.OPEN, Game.State.OVER}
    assert Event.objects.filter(club=loaded.harbour, state=Event.State.FINISHED).count() == 3
    assert {entry.state for entry in loaded.contest.entries.all()} == {"here", "reserve"}
    qualifying, semi, _final = loaded.contest.stages.all()
    draw = Draw.objects.get(round__stage=qualifying)
    assert (draw.tables.count(), draw.seats.count()) == (9, 54)
    assert qualifying.cuts.get().lines.filter(advances=True).count() == 18
    semi_games = Game.objects.filter(group_game__group__table__draw__round__stage=semi)
    assert semi_games.filter(state=Game.State.OVER).exists()
    assert semi_games.filter(state=Game.State.OPEN).exists()
    page = client.get(reverse("home"), headers={"host": "localhost"}).content.decode()
    assert page.count("On now:") == 2


def test_every_main_page_of_the_demo_can_be_shown(loaded, client):
    director = User.objects.get(username="director")
    statuses = {}
    for page in main_pages(loaded):
        if page.director:
            client.force_login(director)
        statuses[page.address] = client.get(page.address, headers={"host": "localhost"}).status_code
    assert set(statuses.values()) == {200}, statuses


def test_each_club_writes_dates_and_prints_as_is_usual_where_it_is(loaded):
    places = {club.slug: (club.time_zone, club.date_place, club.paper) for club in Club.objects.all()}
    chicago = ("America/Chicago", "us", "Letter")
    assert places == {"st-hilary": chicago, "county": chicago, "harbour": ("Europe/London", "gb", "A4")}


def test_what_happened_has_the_times_at_which_it_would_have_happened(loaded):
    for club in Club.objects.all():
        times = list(LogEntry.objects.filter(club=club).order_by("pk").values_list("at", flat=True))
        assert times == sorted(times)
        assert times[0] < timezone.now() - timedelta(days=7)
    for event in Event.objects.filter(state=Event.State.FINISHED):
        deals = DealVersion.objects.filter(deal__game__group_game__group__table__draw__round__stage__event=event)
        assert not deals.exclude(at__range=(event.starts_at, event.starts_at + timedelta(hours=8))).exists()
        assert PublishedStandings.objects.get(event=event, final=True).at > deals.latest("at").at
    assert not Draw.objects.filter(published_at__lt=F("made_at")).exists()


@pytest.mark.proof
def test_no_key_of_the_file_is_left_in_what_is_loaded(quay, loaded):
    """Wherever a row names another, in JSON too, it is the row that was loaded."""
    for model in apps.get_models():
        for row in model._base_manager.values():
            assert "§" not in str(row), (model, row)
    for published in PublishedStandings.objects.select_related("event"):
        entries = dict(published.event.entries.values_list("pk", "name"))
        assert {row["entry"]: row["name"] for row in published.rows}.items() <= entries.items()
    events = {(one.pk, one.name) for one in Event.objects.all()}
    made = LogEntry.objects.filter(verb="event.create", club__in=demo_clubs())
    assert {(entry.event, entry.subject) for entry in made} == events


def test_totals_places_and_statements_are_those_of_the_deals_that_are_loaded(loaded):
    assert wrong_totals() == []
    for published in PublishedStandings.objects.filter(final=True):
        now = standings_of(published.stage).rows
        assert [(row.entry, row.place, row.points) for row in now] == [
            (row["entry"], row["place"], row["points"]) for row in published.rows
        ]
    assert LogEntry.objects.filter(verb="deal.record").count() == DealVersion.objects.count()


def test_the_passwords_are_printed_once_and_let_people_in(db):
    said = demo("--if-empty")
    logins = dict(re.findall(r"^ +(director|scorekeeper) +(\S+)", said, re.MULTILINE))
    assert "http://127.0.0.1:8000/login/" in said
    for username, password in logins.items():
        assert len(password) >= 14
        user = User.objects.get(username=username)
        assert authenticate(username=username, password=password) == user
        assert set(Role.objects.filter(user=user).values_list("kind", flat=True)) == {username}
        assert password not in user.password
    assert len(logins) == 2


@pytest.mark.parametrize(
    "command",
    [
        ["demo", "--if-empty"],
        as_proof([["demo"]]),
        as_proof([["demo", "--fresh"]]),
        as_proof([["new_club", "Quay", "--director", "dora"]]),
    ],
)
def test_before_the_tables_are_there_the_command_that_makes_them_is_named(tmp_path, command):
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}"}
    call = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    answer = subprocess.run(call, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.count("\n") == 1
    assert "manage.py migrate" in answer.stderr


def test_if_empty_keeps_what_is_there(club, client):
    said = demo(if_empty=True)
    assert "as you left it" in said
    assert list(Club.objects.all()) == [club]
    assert not User.objects.exists()


def test_fresh_alone_replaces_the_demo_and_its_passwords(loaded):
    with pytest.raises(CommandError, match="--fresh"):
        demo()
    assert loaded.parish in Club.objects.all()
    old = User.objects.get(username="director").password
    deals = Deal.objects.count()
    demo("--fresh")
    assert Club.objects.count() == 3
    assert not Club.objects.filter(pk=loaded.parish.pk).exists()
    assert Deal.objects.count() == deals
    assert User.objects.count() == 2
    assert User.objects.get(username="director").password != old


def test_fresh_refuses_to_delete_a_club_of_ones_own(loaded, quay):
    with pytest.raises(CommandError, match="Quay Cards is not demo data"):
        demo("--fresh")
    assert set(own_clubs()) == {quay}
    assert demo_clubs().count() == 3
    assert Deal.objects.filter(game__club=loaded.parish).exists()


@pytest.mark.proof
def test_everything_goes_when_it_is_said_in_so_many_words(club, director):
    log(club=club, by=Actor(director, "Dora"), verb="club.change", subject=club)
    demo("--fresh", "--yes-delete-everything")
    assert not own_clubs().exists()
    assert set(User.objects.values_list("username", flat=True)) == {"director", "scorekeeper"}


@pytest.mark.proof
def test_people_of_other_clubs_and_superusers_stay(loaded, quay):
    both = User.objects.get(username="scorekeeper")
    Role.objects.create(user=both, club=quay, kind=Role.Kind.SCOREKEEPER)
    User.objects.filter(username="director").update(is_superuser=True)
    fresh = load(instead_of=list(demo_clubs()))
    assert list(both.roles.values_list("club", flat=True)) == [quay.pk]
    assert [login.username for login in fresh.logins] == ["director-2", "scorekeeper-2"]
    assert set(Club.objects.values_list("pk", flat=True)) >= {quay.pk}


def test_nothing_is_left_of_deleted_clubs(loaded):
    played = {model for model in apps.get_models() if model._base_manager.exists()}
    assert {Seat, Cut, CutLine, DealVersion, HouseRules} <= played
    delete_clubs(list(demo_clubs()))
    left = {model._meta.label for model in apps.get_models() if model._base_manager.exists()}
    assert left <= {"auth.Permission", "contenttypes.ContentType"}


def test_an_entry_that_sits_somewhere_is_never_deleted_alone(loaded):
    entry = Seat.objects.filter(draw__round__stage__event__club=loaded.parish)[0].entry
    with pytest.raises(RestrictedError):
        entry.delete()
    with pytest.raises(RestrictedError):
        Game.objects.filter(club=loaded.parish)[0].rules.delete()


@pytest.mark.proof
def test_a_demo_that_fails_half_way_leaves_nothing(db, monkeypatch):
    def fail(*_args, **_more):
        raise RuntimeError("the hall is on fire")

    monkeypatch.setattr(demos, "open_links", fail)
    with pytest.raises(RuntimeError):
        load()
    assert not Club.objects.exists()
    assert not User.objects.exists()


def test_what_is_on_now_began_at_its_hour_or_lately():
    noon = timezone.now().replace(hour=12, minute=10)
    assert running_since(noon, 10, minutes=60) == noon.replace(hour=10, minute=0, second=0, microsecond=0)
    assert running_since(noon, 19, minutes=60) == noon.replace(hour=11, minute=0, second=0, microsecond=0)
    assert running_since(noon, 3, minutes=60) == noon.replace(hour=11, minute=0, second=0, microsecond=0)
