"""Going back while deals come in: what was acknowledged is there afterwards, or in the backup of what was before."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from clubsite import club_lock
from clubsite.accounts.models import Club
from clubsite.backups import restoring
from clubsite.backups.databases import postgres
from clubsite.backups.files import Backup
from clubsite.backups.making import make_backup
from clubsite.backups.restoring import restore
from scoring.models import DealVersion, Game
from tests.scoring.cards.test_race import alone, elsewhere, new_game, recording

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]


def going_back_while_a_deal_comes_in(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, patience: float, after: Callable[[], Any] = lambda: None
) -> tuple[bool, bool]:
    """Somebody records a deal just when what was there before has been copied. Whether it was acknowledged, and whether
    it is anywhere then. `patience`: seconds that it is waited for in the middle; then `after` is done."""
    game: Game = alone(new_game)
    alone(recording(game, 1, "Sam"))
    backup: Backup = alone(lambda: make_backup(folder))
    usual, sent = restoring.make_backup, []

    with ThreadPoolExecutor(1) as pool:

        def copied(*args: Any, **kwargs: Any) -> Backup:
            made = usual(*args, **kwargs)
            sent.append(pool.submit(elsewhere(lambda: tried(recording(game, 2, "Sue")))))
            wait(sent, timeout=patience)
            after()
            return made

        monkeypatch.setattr(restoring, "make_backup", copied)
        done = alone(lambda: restore(backup.path, folder=folder, by=restoring.BY_COMMAND))
        monkeypatch.setattr(restoring, "make_backup", usual)
        late: Future[Any] = sent[0]
        answer = late.result()
    acknowledged = isinstance(answer, DealVersion)
    there = alone(lambda: DealVersion.objects.filter(deal__number=2).exists())
    alone(lambda: restore(done.before, folder=folder, by=restoring.BY_COMMAND))
    kept = alone(lambda: DealVersion.objects.filter(deal__number=2).exists())
    return acknowledged, there or kept


def tried(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:  # noqa: BLE001  (then it isn't acknowledged)
        return error


def test_a_deal_that_comes_in_meanwhile_is_not_lost(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    acknowledged, there = going_back_while_a_deal_comes_in(monkeypatch, folder, patience=0.4)
    assert acknowledged
    assert there


def test_without_the_lock_it_would_be_lost(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The twin: nobody's turn is taken, and on SQLite the transaction begins only when the copy is made."""
    monkeypatch.setattr(Club, "_waited_for", Club.objects.all)
    monkeypatch.setattr(club_lock, "is_held", lambda club: True)
    monkeypatch.setattr(postgres, "let_nobody_start", lambda: None)
    with ExitStack() as late:
        begin = partial(late.enter_context, transaction.atomic())
        if connection.vendor == "sqlite":
            monkeypatch.setattr(restoring, "transaction", SimpleNamespace(atomic=lambda: late))
        acknowledged, there = going_back_while_a_deal_comes_in(
            monkeypatch, folder, patience=10.0, after=begin if connection.vendor == "sqlite" else lambda: None
        )
    assert acknowledged
    assert not there
