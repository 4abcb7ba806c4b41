"""The drill: go back, and compare row by row; the whole site, and one club of two."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from clubsite.accounts.models import Actor, Club, LogEntry, Member, Role, Session, User
from clubsite.backups import rows
from clubsite.backups.files import BackupRefused, look_into
from clubsite.backups.making import make_backup
from clubsite.backups.restoring import restore
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import Deal
from tests.conftest import make_user
from tests.kept import all_rows, made_once
from tests.scoring.cards.test_race import alone
from tests.tournaments import nights
from tournaments.members.kept.erasing import erase
from tournaments.models import Event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]

DORA = Actor(user=None, name="Dora")


def an_evening(slug: str) -> Club:
    """A club with a night that is being played, and somebody who logs in to it."""
    club = Club.objects.create(name=slug.title(), slug=slug, time_zone="America/Chicago")
    rules = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=DORA)
    night = nights.make_night(club, rules)
    nights.arrive(night, DORA, 8)
    nights.play_deals(nights.games_of(nights.publish_next(night, DORA))[0], DORA)
    make_user(f"sam.{slug}", club, Role.Kind.SCOREKEEPER)
    return club


def play_on(club: Club) -> None:
    """What happens after a backup: deals, a new member, another event, other settings."""
    night = club.events.get(slug="friday")
    games = nights.games_of(night.stages.get().rounds.get().draws.get())
    nights.play_deals(games[1], DORA)
    nights.make_members(club, 9)
    nights.make_night(club, night.rules, slug="saturday", day=7)
    Club.objects.filter(pk=club.pk).update(correction_minutes=7)
    Event.objects.filter(pk=night.pk).update(place="In the garden")


def own_rows(club: Club) -> dict[str, list[Any]]:
    """Of each model that a club goes back in the rows of the club."""
    found = {}
    for table in rows.club_tables():
        way = "__".join(field.name for field in table.way or ()) or "pk"
        found[table.name] = list(table.model._base_manager.filter(**{way: club.pk}).order_by("pk").values_list())
    return found


def other_rows(club: Club) -> dict[str, list[Any]]:
    """Of every model of the site the rows that aren't the club's: other clubs', log-ins, tasks."""
    mine = {table.name: table for table in rows.club_tables()}
    found = {}
    for model in apps.get_models(include_auto_created=True):
        all_of_it = model._base_manager.order_by("pk")
        if table := mine.get(model._meta.db_table):
            way = "__".join(field.name for field in table.way or ()) or "pk"
            all_of_it = all_of_it.exclude(**{way: club.pk})
        elif model is LogEntry:
            all_of_it = all_of_it.exclude(club=club.pk)
        found[model._meta.db_table] = list(all_of_it.values_list())
    return found


@pytest.fixture
def two_clubs() -> tuple[Club, Club]:
    return evenings()


def evenings() -> tuple[Club, Club]:
    """Two clubs in the middle of a night each."""
    made: tuple[Club, Club] = alone(
        lambda: made_once("two evenings", lambda: (an_evening("hilary"), an_evening("harbour")))
    )
    return made


def test_the_whole_site_goes_back_row_by_row(two_clubs: tuple[Club, Club], folder: Path) -> None:
    here, there = two_clubs
    before = alone(all_rows)
    backup = alone(lambda: make_backup(folder))
    assert {club.slug for club in backup.clubs} == {"hilary", "harbour"}

    def evening() -> None:
        play_on(here)
        play_on(there)
        an_evening("late")
        Session.objects.create(session_key="open", session_data="", expire_date=timezone.now() + timedelta(days=1))

    alone(evening)
    after = alone(all_rows)
    assert after[Deal] != before[Deal]
    done = alone(lambda: restore(backup.path, folder=folder, by=DORA))
    now = alone(all_rows)
    for model, found in now.items():
        if model not in (LogEntry, Session):
            assert found == before[model], model
    assert now[LogEntry][: len(before[LogEntry])] == before[LogEntry]
    assert done.deals == len(after[Deal]) - len(before[Deal])
    assert alone(lambda: Session.objects.filter(pk="open").exists()), "whoever is logged in stays so"
    alone(lambda: restore(done.before, folder=folder, by=DORA))
    again = alone(all_rows)
    for model, found in again.items():
        if model is not LogEntry:
            assert found == after[model], f"and forward again: {model}"


def test_one_club_goes_back_and_the_other_keeps_every_byte(two_clubs: tuple[Club, Club], folder: Path) -> None:
    here, there = two_clubs
    backup = alone(lambda: make_backup(folder))
    before = alone(lambda: own_rows(here))
    alone(lambda: (play_on(here), play_on(there)))
    elsewhere, log = alone(lambda: other_rows(here)), alone(lambda: LogEntry.objects.filter(club=here).count())
    assert alone(lambda: own_rows(here)) != before
    done = alone(lambda: restore(backup.path, folder=folder, by=DORA, club=here.pk))
    assert alone(lambda: own_rows(here)) == before
    assert alone(lambda: other_rows(here)) == elsewhere
    told = alone(lambda: LogEntry.objects.filter(club=here).values_list("verb", "new")[:1][0])
    assert alone(lambda: LogEntry.objects.filter(club=here).count()) == log + 1, "nothing is taken out of the log"
    assert told[0] == "backup.restore-club"
    assert told[1]["before"] == done.before.name
    assert look_into(done.before).reason == "restore"


def test_a_new_deal_gets_no_number_that_was_given_out_before(two_clubs: tuple[Club, Club], folder: Path) -> None:
    """An address that somebody still has open must not lead to something else."""
    here, _there = two_clubs
    backup = alone(lambda: make_backup(folder))
    first = alone(lambda: Deal.objects.latest("pk").pk)
    alone(lambda: play_on(here))
    last = alone(lambda: Deal.objects.latest("pk").pk)
    alone(lambda: restore(backup.path, folder=folder, by=DORA))
    alone(lambda: play_on(here))
    assert alone(lambda: Deal.objects.latest("pk").pk) > last
    assert not alone(lambda: Deal.objects.filter(pk__gt=first, pk__lte=last).exists())


def test_who_was_erased_since_is_erased_again(two_clubs: tuple[Club, Club], folder: Path) -> None:
    here, there = two_clubs
    backup = alone(lambda: make_backup(folder))

    def forget(club: Club) -> None:
        member = Member.objects.get(club=club, name="Player 03")
        erase(member=member, by=DORA, typed=member.name)

    alone(lambda: (forget(here), forget(there)))
    done = alone(lambda: restore(backup.path, folder=folder, by=DORA, club=here.pk))
    assert done.erased == 1
    assert alone(lambda: Member.objects.filter(name="Player 03").count()) == 0
    assert alone(lambda: restore(backup.path, folder=folder, by=DORA).erased) == 2
    assert "Player 03" not in str(alone(lambda: list(Member.every.values_list("name"))))


def test_who_was_erased_is_erased_again_though_the_database_that_knew_it_is_lost(
    two_clubs: tuple[Club, Club], folder: Path
) -> None:
    """The next backup knows it, by keys alone."""
    here, _there = two_clubs
    backup = alone(lambda: make_backup(folder))

    def forget() -> None:
        member = Member.objects.get(club=here, name="Player 03")
        erase(member=member, by=DORA, typed=member.name)
        make_backup(folder)
        Member.every.filter(pk=member.pk).update(erased_at=None, name="Lost")  # as a database that was put in its place

    alone(forget)
    assert alone(lambda: restore(backup.path, folder=folder, by=DORA).erased) == 1


def test_a_role_that_was_ended_does_not_come_back_with_the_club(two_clubs: tuple[Club, Club], folder: Path) -> None:
    here, _there = two_clubs
    backup = alone(lambda: make_backup(folder))

    def change() -> None:
        Role.objects.filter(club=here).delete()
        make_user("new", here, Role.Kind.DIRECTOR)

    alone(change)
    alone(lambda: restore(backup.path, folder=folder, by=DORA, club=here.pk))
    assert alone(lambda: list(Role.objects.filter(club=here).values_list("user__username"))) == [("new",)]


def test_a_club_that_was_removed_comes_back_with_its_people(two_clubs: tuple[Club, Club], folder: Path) -> None:
    here, there = two_clubs
    backup, before = alone(lambda: (make_backup(folder), own_rows(here)))
    elsewhere = alone(lambda: other_rows(here))

    def remove() -> None:
        Club.objects.filter(pk=here.pk).delete()
        User.objects.filter(username="sam.hilary").delete()

    alone(remove)
    alone(lambda: restore(backup.path, folder=folder, by=DORA, club=here.pk))
    assert alone(lambda: own_rows(here)) == before
    assert alone(lambda: list(Role.objects.filter(club=here).values_list("user__username"))) == [("sam.hilary",)]
    assert alone(lambda: other_rows(here)["tournaments_event"]) == elsewhere["tournaments_event"]
    assert there.pk


def test_a_club_that_was_started_later_is_not_in_it(two_clubs: tuple[Club, Club], folder: Path) -> None:
    backup = alone(lambda: make_backup(folder))
    late = alone(lambda: Club.objects.create(name="Late", slug="late"))
    with pytest.raises(BackupRefused, match="started later"):
        alone(lambda: restore(backup.path, folder=folder, by=DORA, club=late.pk))


def test_every_table_of_the_games_and_events_goes_back_with_its_club() -> None:
    own = {table.model for table in rows.club_tables()}
    for app in ("scoring", "tournaments"):
        assert set(apps.get_app_config(app).get_models()) <= own
