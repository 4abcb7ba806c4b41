"""What a process of random directors remembers the SQL of, and that no query gets that of another."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.sql import compiler

from clubsite.accounts.models import Actor, Club
from scoring.models import Game, Points
from tests.tournaments.simulation.test_simulate import simulate
from tournaments.models import Cut, Draw, Entry, Event, Seat, Stage
from tournaments.simulation.own_database import OwnDatabase, SQLCompiler
from tournaments.simulation.trial import asked_to_stop, director_of
from tournaments.simulation.truths import Truths

ENTRIES = Entry.objects.all()
AS_A_NUMBER: dict[str, Any] = {"eligible": 1}
ALIKE: list[Callable[[], QuerySet[Any]]] = [  # each differs from one beside it by as little as can be
    lambda: ENTRIES.filter(number=1),
    lambda: ENTRIES.filter(number=2),
    lambda: ENTRIES.exclude(number=1),
    lambda: ENTRIES.filter(number__gt=1),
    lambda: ENTRIES.filter(number__in=[1]),
    lambda: ENTRIES.filter(number__in=[1, 2]),
    lambda: ENTRIES.filter(name="1"),
    lambda: ENTRIES.filter(**AS_A_NUMBER),
    lambda: ENTRIES.filter(eligible=True),
    lambda: ENTRIES.filter(eligible=False),
    lambda: ENTRIES.filter(event=1),
    lambda: ENTRIES.filter(event__club=1),
    lambda: ENTRIES.filter(event=None),
    lambda: ENTRIES.filter(Q(number=1) | Q(event=1)),
    lambda: ENTRIES.filter(Q(number=1) & Q(event=1)),
    lambda: ENTRIES.order_by("number"),
    lambda: ENTRIES.order_by("-number"),
    lambda: ENTRIES.order_by(),
    lambda: ENTRIES.order_by("number")[:1],
    lambda: ENTRIES.order_by("number")[:2],
    lambda: ENTRIES.order_by("number")[1:2],
    lambda: ENTRIES.select_related("event"),
    lambda: ENTRIES.select_related("event__club"),
    lambda: ENTRIES.select_related("event__club", "member"),
    lambda: ENTRIES.only("name"),
    lambda: ENTRIES.defer("name"),
    lambda: ENTRIES.values("number"),
    lambda: ENTRIES.values_list("number", "name"),
    lambda: ENTRIES.values_list("name", "number"),
    lambda: ENTRIES.values("number").distinct(),
    lambda: ENTRIES.values("event").annotate(n=Count("pk")),
    lambda: ENTRIES.values("event").annotate(n=Count("member")),
    lambda: ENTRIES.values("event").annotate(n=Count("member", distinct=True)),
    lambda: ENTRIES.values("event").annotate(n=Sum("number")),
    lambda: ENTRIES.filter(seats__draw__state="draft"),
    lambda: ENTRIES.filter(seats__draw__state="draft", seats__side=1),
    lambda: ENTRIES.filter(seats__draw__state="draft").filter(seats__side=1),
    lambda: ENTRIES.filter(pk__in=Seat.objects.filter(side=1).values("entry")),
    lambda: ENTRIES.filter(pk__in=Seat.objects.filter(side=2).values("entry")),
    lambda: ENTRIES.filter(Exists(Seat.objects.filter(entry=OuterRef("pk")))),
    lambda: ENTRIES.exclude(seats__side=1),
    lambda: Draw.objects.filter(statement__lots="by-number"),
    lambda: Draw.objects.filter(statement__lots="by-hand"),
    lambda: Game.objects.filter(group_game__isnull=True),
    lambda: Game.objects.filter(group_game__isnull=False),
    lambda: Cut.objects.filter(stage__in=Stage.objects.filter(event=1)),
    lambda: Points.objects.filter(version__current=True).values("side").annotate(points=Sum("points")),
]


def test_each_query_has_its_own_sql_however_often_it_was_asked() -> None:
    own = OwnDatabase(connections["default"].settings_dict | {"NAME": ":memory:"}, "default")
    for _time in range(2):  # made, and then remembered
        for ask in ALIKE:
            known, fresh = SQLCompiler(ask().query, own, "default"), compiler.SQLCompiler(ask().query, own, "default")
            assert _said(known) == _said(fresh)


def _said(asked: Any) -> tuple[Any, ...]:
    """The SQL, its parameters with their types, and what is made of the rows."""
    sql, params = asked.as_sql()
    columns = [(sql, alias) for _column, (sql, _params), alias in asked.select]
    fields = [column for column, _sql, _alias in asked.select[: asked.col_count]]
    converters = {place: len(found) for place, (found, _field) in asked.get_converters(fields).items()}
    return sql, [(type(one), one) for one in params], columns, asked.annotation_col_map, converters


@pytest.fixture
def started(club: Club, actor: Actor) -> Event:
    """A competition whose first draw is published."""
    director = director_of(club, lambda _below: 0, format=Event.Format.CONTEST)
    director.steps["go on"]()
    return director.event


def test_what_is_changed_between_two_looks_is_found(started: Event) -> None:
    truths = Truths(started)
    assert truths.broken() == []
    assert truths.broken() == []
    one, other = Seat.objects.filter(draw__round__stage__event=started)[:2]
    Seat.objects.filter(pk=one.pk).update(player="Ruth")
    assert any("have changed" in found for found in truths.broken())
    assert any("names" in found for found in truths.broken()), "and again, as long as it isn't mended"
    assert other.player == ""


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_asked_to_stop_is_told_and_goes_on_until_then(which: signal.Signals) -> None:
    before = signal.getsignal(which)
    with asked_to_stop() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), which)
        assert stop.wait(5)
    assert signal.getsignal(which) == before


@pytest.mark.proof  # its process has a database made for it: 5 seconds
@pytest.mark.django_db
def test_the_command_says_how_many_of_which_seeds_and_what_broke() -> None:
    said = simulate("directors", "--count", "2", "--steps", "3", "--seed", "7", "--processes", "1")
    assert "2 sequences, seeds 7 to 8, 6 steps: 0 broken" in said
