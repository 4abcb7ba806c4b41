"""What a decision of the director would change in the order of a stage and in its published cut: shown before it is
confirmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from tournaments.cuts import cuts
from tournaments.events.state import published_cut
from tournaments.models import Stage
from tournaments.standings.standings import Row, standings_of


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody whose place or points would change."""

    name: str
    before: str  # "3", or "3=" where it is shared
    after: str
    points_before: int
    points_after: int


@dataclass(frozen=True, slots=True)
class StageEffect:
    """What would change in one stage."""

    stage: Stage
    moves: tuple[Move, ...]
    cut_stands: bool  # a cut is published, and stays as it is
    cut: cuts.Difference | None = None  # what the results would say of that cut then


def moves_between(before: Sequence[Row], after: Sequence[Row]) -> tuple[Move, ...]:
    """Whose place or points are others, in the order of the standings after."""
    old = {row.entry: row for row in before}
    return tuple(
        Move(row.name, place_words(old[row.entry]), place_words(row), old[row.entry].points, row.points)
        for row in after
        if (place_words(row), row.points) != (place_words(old[row.entry]), old[row.entry].points)
    )


def effect_of(stage: Stage, change: Callable[[], object]) -> StageEffect:
    """What `change` would do to the stage, as results stand now: it is done, looked at, and rolled back."""
    before = standings_of(stage).rows
    cut = published_cut(stage)
    with transaction.atomic():
        change()
        after = standings_of(stage).rows
        found = cuts.difference(cut) if cut else None
        transaction.set_rollback(True)
    return StageEffect(stage, moves_between(before, after), cut is not None, found)


def fingerprint(effects: Sequence[StageEffect]) -> str:
    """What the effects are known by: a page sends it back, so that what is confirmed is what was seen."""
    told = [(e.stage.pk, e.moves, e.cut_stands, e.cut) for e in effects]
    return sha256(repr(told).encode()).hexdigest()[:16]


def place_words(row: Row) -> str:
    """A place as it is shown."""
    return f"{row.place}=" if row.shared else str(row.place)
