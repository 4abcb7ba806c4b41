"""Queries whose SQL is written once: whoever asks gets what the query itself would give."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import CharField, Func, QuerySet
from django.db.models.signals import post_save
from django.forms.models import model_to_dict
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from clubsite.accounts.models import Club, Role, User
from clubsite.questions import Among, Given, Question, add, is_kept_with, keep_with
from scoring.games import game_of
from scoring.models import Deal, DealVersion, Game, HouseRules, Points, Side
from tests.conftest import make_user


class Roles:
    """A question for a user's role in a club, which counts how often its query is made."""

    def __init__(self) -> None:
        self.made = 0
        self.question = Question(self._query)

    def _query(self) -> QuerySet[Role]:
        self.made += 1
        return Role.objects.filter(user=Given("user"), club__slug=Given("club")).select_related("club")


@pytest.fixture
def roles() -> Roles:
    return Roles()


def test_each_asks_for_their_own_rows(roles: Roles, club: Club, other_club: Club, director: User) -> None:
    stranger = make_user("otto", other_club, Role.Kind.SCOREKEEPER)
    found = roles.question.one(user=director.pk, club=club.slug)
    assert found
    assert (found.kind, found.club) == ("director", club)
    found = roles.question.one(user=stranger.pk, club=other_club.slug)
    assert found
    assert (found.kind, found.club) == ("scorekeeper", other_club)
    assert roles.question.one(user=stranger.pk, club=club.slug) is None
    assert roles.made == 1


def test_related_objects_come_with_the_row(
    roles: Roles, club: Club, director: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        found = roles.question.one(user=director.pk, club=club.slug)
        assert found
        assert found.club.name == "St. Hilary"


def test_the_sql_is_that_of_the_query(roles: Roles, club: Club, director: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        roles.question.one(user=director.pk, club=club.slug)
        roles.question.one(user=director.pk, club=club.slug)
    first, second = (query["sql"] for query in asked.captured_queries)
    assert first == second
    plain = Role.objects.filter(user=director.pk, club__slug=club.slug).select_related("club")
    with CaptureQueriesContext(connection) as asked:
        list(plain)
    (query,) = asked.captured_queries
    assert query["sql"] == first.replace(f"({director.pk})", f"{director.pk}").replace(
        f"('{club.slug}')", "'st-hilary'"
    )


def test_values_of_a_row_and_constants(club: Club, other_club: Club) -> None:
    """A value that stands in the query stays there; only what is given changes."""
    question: Question[Any] = Question(
        lambda: Club.objects.filter(paper="Letter", slug=Given("slug")).values_list("name", "paper")
    )
    assert question.ask(slug="st-hilary") == [("St. Hilary", "Letter")]
    assert question.ask(slug="harbour") == []


def test_a_time_is_asked_for_as_the_query_would(club: Club, director: User) -> None:
    begun = User.objects.get(pk=director.pk).date_joined
    question = Question(lambda: User.objects.filter(date_joined__gt=Given("after"), date_joined__lt=Given("before")))
    moment, whole = timedelta(microseconds=1), begun.replace(microsecond=0)
    assert question.ask(after=begun - moment, before=begun + moment) == [director]
    assert question.ask(after=begun, before=begun + moment) == []
    assert question.ask(after=whole - moment, before=whole + timedelta(seconds=1)) == [director]


def test_plain_constants_are_no_parameters(club: Club) -> None:
    """So the database knows from the first time which of its partial indexes serve."""
    named = Club.Paper.LETTER, "50% of St. Hilary's"
    question = Question(lambda: Club.objects.filter(slug=Given("slug")).exclude(paper=named[0], name=named[1]))
    sent = []

    def note(execute: Callable[..., Any], sql: str, parameters: Any, *how: Any) -> Any:
        sent.append((parameters, "'Letter'" in sql))
        return execute(sql, parameters, *how)

    with connection.execute_wrapper(note):
        assert question.ask(slug="st-hilary") == [club]
    (((*left,), letter),) = sent
    assert letter
    assert sorted(left) == ["50% of St. Hilary's", "st-hilary"]


def test_a_percent_sign_of_the_query_itself_is_no_place_for_a_value(club: Club) -> None:
    said = Func(template="'100%%%%s'", output_field=CharField())
    question = Question(lambda: Club.objects.filter(slug=Given("slug"), paper="Letter").annotate(said=said))
    assert [found.said for found in question.ask(slug="st-hilary")] == ["100%s"]


def test_a_text_with_a_quote_is_a_value(club: Club) -> None:
    question = Question(lambda: Club.objects.filter(slug=Given("slug")))
    assert question.ask(slug="' OR 1=1 --") == []


@pytest.mark.parametrize("number", [2**63, -(2**80), 10**30])
def test_no_row_has_a_number_that_no_column_holds(club: Club, number: int) -> None:
    question = Question(lambda: Club.objects.filter(pk=Given("pk")))
    assert question.ask(pk=club.pk) == [club]
    assert question.ask(pk=number) == []
    with pytest.raises(Http404):
        game_of(club, number)


def test_what_is_left_out_or_too_many_is_told(roles: Roles, club: Club, other_club: Club) -> None:
    with pytest.raises(KeyError, match="club"):
        roles.question.ask(user=1)
    with pytest.raises(ValueError, match="2 rows"):
        Question(lambda: Club.objects.filter(pk__gte=Given("least"))).one(least=0)


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_on_its_own_connection(club: Club) -> None:
    question = Question(lambda: Club.objects.filter(slug=Given("slug")))

    def ask(_turn: int) -> list[str]:
        try:
            return [club.name for _again in range(20) for club in question.ask(slug="st-hilary")]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == [["St. Hilary"] * 20] * 4


def test_one_about_several_keys_is_asked_for_any_number_of_them(
    club: Club, other_club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """In one query; for none there is nothing to ask."""
    clubs = Among(lambda keys: Club.objects.filter(pk__in=keys).order_by("pk"))
    for keys in ([club.pk, other_club.pk], [other_club.pk], [other_club.pk, club.pk], [0]):
        with django_assert_num_queries(1):
            assert [one.pk for one in clubs.ask(keys)] == sorted({*keys} - {0})
    with django_assert_num_queries(0):
        assert clubs.ask([]) == []


def test_numbers_of_keys_up_to_the_next_power_of_two_share_their_sql(club: Club) -> None:
    """So a page about any number of people leaves few queries behind."""
    made: list[int] = []

    def query(keys: list[Any]) -> QuerySet[Club]:
        made.append(len(keys))
        return Club.objects.filter(pk__in=keys)

    clubs = Among(query)
    for number in (5, 6, 7, 8, 1):
        assert clubs.ask(range(club.pk, club.pk + number)) == [club]
    assert made == [8, 1]


@pytest.fixture
def game(club: Club, rules_for: Callable[[str], HouseRules]) -> Game:
    game = Game.objects.create(club=club, rules=rules_for("st-hilary-v3"), sides_count=2, per_side=2)
    Side.objects.bulk_create(Side(game=game, number=n, names=["Ann", "Bob"]) for n in (1, 0))
    return game


def test_rows_kept_with_a_thing_are_read_no_more(game: Game, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """All of them; a part of them is asked of the database again."""
    rows = list(Side.objects.filter(game=game))
    assert not is_kept_with(game, "sides")
    keep_with(game, "sides", rows=rows)
    with django_assert_num_queries(0):
        assert is_kept_with(game, "sides")
        assert list(game.sides.all()) == rows
        assert [side.number for side in rows] == [0, 1]
    with django_assert_num_queries(1):
        assert [side.number for side in game.sides.filter(number=1)] == [1]


def test_rows_are_added_as_django_saves_them(
    game: Game, scorekeeper: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """With their keys, values that a column converts, and the time; several in one statement, in their order."""
    deal = Deal(game=game, number=1)
    add(deal)
    says = {"facts": {"bid": [24, "é"]}, "written": [], "submission": uuid4(), "overruled": []}
    added, saved = (
        DealVersion(deal=deal, number=n, current=n == 1, by=scorekeeper, actor="Table 3", route="desk", **says)
        for n in (1, 2)
    )
    saved.submission = uuid4()
    add(added)
    saved.save()
    assert [row["pk"] for row in DealVersion.objects.order_by("number").values("pk")] == [added.pk, saved.pk]
    read, other = (model_to_dict(DealVersion.objects.get(pk=row.pk), exclude=["id"]) for row in (added, saved))
    differs = {"number", "current", "submission"}
    assert {n: v for n, v in read.items() if n not in differs} == {n: v for n, v in other.items() if n not in differs}
    assert read["submission"] == added.submission
    assert DealVersion.objects.get(pk=added.pk).at == added.at
    points = [Points(version=added, side=side, points=figure) for side, figure in enumerate((-7, 70_000, 3))]
    with django_assert_num_queries(1):
        add(*points)
    assert [(row.pk, row.points) for row in Points.objects.filter(version=added)] == [(p.pk, p.points) for p in points]
    points[0].points = 8
    points[0].save()  # a change now, no second row
    assert added.points.count() == 3


def test_what_a_constraint_refuses_is_not_added(game: Game) -> None:
    add(Deal(game=game, number=1))
    with pytest.raises(IntegrityError), transaction.atomic():
        add(Deal(game=game, number=1))
    assert game.deals.count() == 1


def test_those_who_listen_for_a_row_are_told_of_one_added(game: Game) -> None:
    told: list[tuple[Any, bool]] = []

    def listen(instance: Deal, *, created: bool, **_more: Any) -> None:
        told.append((instance.pk, created))

    post_save.connect(listen, sender=Deal)
    try:
        deal = Deal(game=game, number=1)
        add(deal)
    finally:
        post_save.disconnect(listen, sender=Deal)
    assert told == [(deal.pk, True)]


def test_rules_of_the_same_text_are_read_once(club: Club, game: Game) -> None:
    again, changed = game_of(club, game.pk), game_of(club, game.pk)
    assert again.rules.rule_set is game_of(club, game.pk).rules.rule_set
    changed.rules.data = {**changed.rules.data, "title": "Other"}
    assert changed.rules.rule_set.title == "Other"
    assert again.rules.rule_set.title != "Other"
