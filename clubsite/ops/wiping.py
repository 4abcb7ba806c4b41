"""Deleting the demo's clubs with everything that is theirs. The only place that deletes what was recorded."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Model, QuerySet

from clubsite.accounts.models import Club, LogEntry, Member, Role, User
from scoring.models import Deal, DealVersion, Game, HouseRules, Points, Side
from tournaments.models import (
    ClubHandicap,
    Cut,
    CutLine,
    Draw,
    DrawJob,
    Entry,
    Event,
    Group,
    GroupGame,
    PublishedStandings,
    Round,
    Season,
    SeasonMember,
    Seat,
    SitOut,
    Stage,
    Table,
    Wish,
)

LOADED = "demo.load"  # the verb in a club's log that marks it as demo data

# In an order in which nothing is deleted before what rests on it, with the way from each to its club.
RESTING: tuple[tuple[type[Model], str], ...] = (
    (CutLine, "cut__stage__event__club"),
    (Cut, "stage__event__club"),
    (PublishedStandings, "event__club"),
    (GroupGame, "group__table__draw__round__stage__event__club"),
    (Seat, "draw__round__stage__event__club"),
    (SitOut, "draw__round__stage__event__club"),
    (Group, "table__draw__round__stage__event__club"),
    (Table, "draw__round__stage__event__club"),
    (Draw, "round__stage__event__club"),
    (Round, "stage__event__club"),
    (Stage, "event__club"),
    (Wish, "event__club"),
    (DrawJob, "event__club"),
    (Entry, "event__club"),
    (Event, "club"),
    (SeasonMember, "season__club"),
    (Season, "club"),
    (ClubHandicap, "club"),
    (Points, "version__deal__game__club"),
    (DealVersion, "deal__game__club"),
    (Deal, "game__club"),
    (Side, "game__club"),
    (Game, "club"),
    (HouseRules, "club"),
    (Member, "club"),
    (LogEntry, "club"),
)


def demo_clubs() -> QuerySet[Club]:
    """The clubs that a loading of the demo has made."""
    return Club.objects.filter(log__verb=LOADED).distinct()


def own_clubs() -> QuerySet[Club]:
    """The clubs that are not the demo's."""
    return Club.objects.exclude(pk__in=demo_clubs())


def delete_clubs(clubs: list[Club]) -> None:
    """Delete clubs with everything that is theirs, and those who can log in to them only. Superusers stay."""
    with transaction.atomic():
        users = set(Role.objects.filter(club__in=clubs).values_list("user_id", flat=True))
        for model, way in RESTING:
            model._default_manager.filter(**{f"{way}__in": clubs}).delete()
        Club.objects.filter(pk__in=[club.pk for club in clubs]).delete()
        User.objects.filter(pk__in=users, roles=None, is_superuser=False).delete()
