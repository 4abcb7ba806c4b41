"""Forty wrong passwords at the same moment: as many are looked at as may be, and without the lock more would be."""

from contextlib import nullcontext
from functools import partial
from time import sleep

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from clubsite.accounts.login_attempts import TooManyTries, Try, spend
from tests.scoring.cards.test_race import alone, at_once, real_database

__all__ = ["real_database"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]

MANY, MOST = 40, 5


def slow_reader(execute, sql, params, many, context):
    """A database that takes a moment to read a count: so all forty would read it before the first has written."""
    result = execute(sql, params, many, context)
    if sql.startswith("SELECT") and "accounts_throttle" in sql:
        sleep(0.01)
    return result


def looked_at(name):
    one = Try(("race", name), most=MOST, window=900)

    def tried():
        with connection.execute_wrapper(slow_reader):
            try:
                spend(one)
            except TooManyTries:
                return False
            return True

    return at_once(*[tried] * MANY).count(True)


def test_of_forty_tries_at_once_five_are_looked_at_and_without_the_lock_more(monkeypatch):
    assert looked_at("dora") == MOST
    for name in ("dora", "sam"):  # there is a count of the second already, which all of them read and write
        alone(partial(spend, Try(("race", name), most=None, window=900)))
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, *_args, **_more: rows)
    monkeypatch.setattr(transaction, "atomic", lambda *_args, **_more: nullcontext())
    assert looked_at("dora") == 0
    assert looked_at("sam") >= MOST
