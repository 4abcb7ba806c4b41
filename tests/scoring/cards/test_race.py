"""Two scorekeepers at once, each with an own connection to a real database: one is first, the other is told."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar
from uuid import uuid4

import pytest
from django.db import connection, connections

from clubsite.accounts.models import Actor, Club
from clubsite.operations.databases import copy_to_file
from scoring.cards.deals import Superseded, record_deal, start_game
from scoring.engine.core.ruleset import shipped
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.actions import adopt
from scoring.models import Deal, DealVersion, Game
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal, correct

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")


def elsewhere(work):
    """The same work, with a connection of its own that is closed afterwards."""

    def run():
        try:
            return work()
        finally:
            connections.close_all()

    return run


def at_once(*works):
    """Do all of it at the same moment, each in a thread; what came of it, errors among it."""
    barrier = Barrier(len(works))

    def timed(work):
        barrier.wait()
        try:
            return work()
        except Superseded as late:
            return late

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(lambda work: elsewhere(lambda: timed(work))(), works))


def alone(work):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(elsewhere(work)).result()


@pytest.fixture
def real_database(request, tmp_path):
    """A database that threads share through files, not through memory; PostgreSQL's is one as it is."""
    if connection.vendor != "sqlite":
        yield
        return
    request.getfixturevalue("django_db_setup")
    blocker = request.getfixturevalue("django_db_blocker")
    settings = connections.settings["default"]
    usual = settings["NAME"]
    try:
        with blocker.unblock():
            copy_to_file(tmp_path / "race.sqlite3")  # with all tables, so that nothing has to be migrated
            settings["NAME"] = str(tmp_path / "race.sqlite3")
            yield
    finally:
        settings["NAME"] = usual


def new_game():
    club = Club.objects.create(name="Race", slug="race")
    rules = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=Actor(None, "Dora"))
    return start_game(club=club, rules=rules, title="Table 1", sides=PINOCHLE_SIDES)


def recording(game, number, who, submission=None):
    return lambda: record_deal(
        game=game, number=number, entered=EnteredDeal(a_deal()), by=Actor(None, who), submission=submission or uuid4()
    )


@pytest.mark.usefixtures("real_database")
def test_of_two_who_save_the_same_deal_one_is_told_about_the_other():
    game = alone(new_game)
    for number in (1, 2, 3):
        answers = at_once(recording(game, number, "Sam"), recording(game, number, "Sue"))
        (late,) = [answer for answer in answers if isinstance(answer, Superseded)]
        (saved,) = [answer for answer in answers if isinstance(answer, DealVersion)]
        assert late.version == saved
    assert alone(lambda: [side.total for side in game.sides.all()]) == [75, 48]
    assert alone(lambda: DealVersion.objects.count()) == 3


@pytest.mark.usefixtures("real_database")
def test_the_same_submission_from_three_taps_at_once_is_one_deal():
    game, same = alone(new_game), uuid4()
    answers = at_once(*[recording(game, 1, "Sam", same)] * 3)
    assert len({answer.pk for answer in answers}) == 1
    assert alone(lambda: Deal.objects.count()) == 1


@pytest.mark.usefixtures("real_database")
def test_of_two_corrections_one_is_told_about_the_other():
    game = alone(new_game)
    deal = alone(lambda: recording(game, 1, "Sam")().deal)

    def correcting(bid):
        return lambda: correct(deal, a_deal(bid=bid), by=Actor(None, "Sue"), reason="Misread.", sure=False)

    answers = at_once(correcting(21), correcting(22))
    assert sum(isinstance(answer, Superseded) for answer in answers) == 1
    assert alone(lambda: list(deal.versions.values_list("number", "current"))) == [(1, False), (2, True)]


@pytest.mark.usefixtures("real_database")
def test_a_form_sent_from_three_taps_at_once_starts_one_game():
    game, same = alone(new_game), uuid4()

    def starting():
        return start_game(
            club=game.club, rules=game.rules, title="By the window", sides=PINOCHLE_SIDES, submission=same
        )

    assert len({started.pk for started in at_once(*[starting] * 3)}) == 1
    assert alone(lambda: Game.objects.filter(title="By the window").count()) == 1
