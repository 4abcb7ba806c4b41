"""The handicap between two players: moved by every game they play, and the start of their next one.

Source: 002, section 14. Players are known by their names in the club, compared without regard to capitals and
spaces: a side holds names, and a guest has nothing else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club
from scoring.engine.core.handicap import LEVEL, GameEnd, HandicapRules, Handicaps, course
from scoring.models import Game, HandicapEntry, HandicapStart, Side


class HandicapError(Exception):
    """The handicap can't begin so; nothing was changed."""


class GamesCount(HandicapError):
    """The two have finished a game here: their handicap follows from it."""


class BothAhead(HandicapError):
    """Only one of two can have a handicap."""


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """One game in the history, or one that was corrected since; figures in the order of the players."""

    game: Game
    current: bool
    loser: str
    loser_total: int
    before: Handicaps
    after: Handicaps
    at: datetime


@dataclass(frozen=True, slots=True)
class BroughtRow:
    """A handicap kept on paper before; points in the order of the players."""

    points: Handicaps
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class HandicapLedger:
    """The handicap between two players, and all entries of their games, the last first, replaced ones too."""

    names: tuple[str, str]
    now: Handicaps
    rows: tuple[HandicapRow, ...]
    brought: BroughtRow | None  # what they had before their first game here

    @property
    def may_begin(self) -> bool:
        """Whether they can still bring a handicap from their paper: no game counts yet."""
        return not any(row.current for row in self.rows)

    @property
    def starts(self) -> tuple[tuple[str, int], ...]:
        """Each player's points at the start of the next game."""
        return tuple(zip(self.names, self.now, strict=True))


def rules_for(engine_rules: Any) -> HandicapRules | None:
    """The numbers of the handicap in a game's rules; None where they have no handicap, or the lowest total wins, as
    points to start with help nobody then."""
    gain: int = 0 if engine_rules.lowest_wins else getattr(engine_rules, "handicap", 0)
    return HandicapRules(gain, engine_rules.handicap_below, engine_rules.handicap_larger) if gain else None


def next_start(club: Club, engine_rules: Any, *, sides: Sequence[Sequence[str]]) -> list[int]:
    """The points with which each side starts a new game: the handicap of its player, or nothing."""
    pair = _pair(sides)
    if pair is None or rules_for(engine_rules) is None:
        return [0] * len(sides)
    now = _now(_entries(club, pair), _brought(club, pair))
    return list(now) if as_compared(sides[0][0]) == pair[0] else [now[1], now[0]]


def ledger_of(game: Game) -> HandicapLedger | None:
    """The history of the two players of a game; None where its rules have no handicap."""
    names = [list(side.names) for side in game.sides.all()]
    pair = _pair(names)
    if pair is None or rules_for(game.engine_rules) is None:
        return None
    turned = as_compared(names[0][0]) != pair[0]
    shown = (names[0][0], names[1][0])
    entries = list(
        HandicapEntry.objects.filter(**_of(game.club, pair))
        .select_related("game__rules", "game__club")
        .order_by("-place", "-id")
    )
    start = _brought(game.club, pair)
    now = _now([entry for entry in reversed(entries) if entry.current], start)
    rows = tuple(_row(entry, shown, turned=turned) for entry in entries)
    brought = BroughtRow(_turned(_points(start), turned), start.reason, start.actor, start.at) if start else None
    return HandicapLedger(shown, _turned(now, turned), rows, brought)


def bring_handicap(*, game: Game, points: Handicaps, reason: str, by: Actor) -> HandicapStart:
    """Begin the handicap between a game's players with what their paper has; `points` in the order of the sides.

    Games that have begun keep their start; the next one starts with it.

    Raises:
        GamesCount: they have finished a game here.
        BothAhead: both are above nought.
        ValueError: the game has no handicap between two players.
    """
    names = [list(side.names) for side in game.sides.all()]
    pair = _pair(names)
    if pair is None or rules_for(game.engine_rules) is None:
        raise ValueError("no handicap between two players")
    if min(points) > 0:
        raise BothAhead
    first, second = _turned(points, as_compared(names[0][0]) != pair[0])
    with transaction.atomic():
        game.club.lock()
        if _entries(game.club, pair):
            raise GamesCount
        old = _brought(game.club, pair)
        if old is not None and (_points(old), old.reason) == ((first, second), reason):
            return old
        made = HandicapStart.objects.create(
            **_of(game.club, pair), points_first=first, points_second=second, reason=reason, actor=by.name
        )
        new = {"points": [first, second], "reason": reason}
        subject = f"{pair[0]} / {pair[1]}"
        log(club=game.club, by=by, verb="handicap.bring", subject=subject, old=list(_points(old)), new=new)
    return made


def settle(game: Game) -> None:
    """Bring the handicap of a game's players up to date with how the game stands; to be called in the transaction that
    changes the game.

    A game that ends with a winner is entered last. One whose winner or loser's total changes is entered anew in its
    place, and so is every later game whose effect changes by that; the earlier entries are kept.
    """
    if rules_for(game.engine_rules) is None:
        return
    sides = _sides(game)
    _follow(game, sides, won=[side for side in sides if side.half_wins == 2])


def let_go(game: Game) -> None:
    """Take a game out of its players' handicap, before it gets other names; to be called as `settle`, which follows.

    What they brought from their paper stays, and so do the points that a later game began with.
    """
    if rules_for(game.engine_rules) is not None:
        _follow(game, _sides(game), won=[])


def _sides(game: Game) -> list[Side]:
    """The sides as they are now: not those that the caller may have read before."""
    return list(Side.objects.filter(game=game))


def _follow(game: Game, sides: list[Side], *, won: list[Side]) -> None:
    """Write the course of a pair's handicap anew from a game that these sides `won`, or that counts for nothing."""
    pair = _pair([side.names for side in sides])
    if pair is None or not (won or game.handicap_entries.filter(current=True).exists()):
        return
    game.club.lock()
    entries = {entry.game_id: entry for entry in _entries(game.club, pair)}
    games = [entry.game for entry in entries.values() if entry.game_id != game.pk]
    results = {entry.game_id: GameEnd(entry.winner, entry.loser_total) for entry in entries.values()}
    places = {entry.game_id: entry.place for entry in entries.values()}
    if won:
        loser = sides[1 - won[0].number]
        results[game.pk] = GameEnd(int(as_compared(won[0].names[0]) != pair[0]), loser.total)
        places[game.pk] = _place(game, pair)
        games = sorted([*games, game], key=lambda each: places[each.pk])
    elif game.pk in entries:
        _retire(entries[game.pk])
    rules = [rules_for(each.engine_rules) or HandicapRules() for each in games]
    start = _points(_brought(game.club, pair))
    states = course(zip((results[each.pk] for each in games), rules, strict=True), start)
    for each, before, after in zip(games, (start, *states), states, strict=False):
        entry = HandicapEntry(
            **_of(each.club, pair),
            game=each,
            place=places[each.pk],
            winner=results[each.pk].winner or 0,
            loser_total=results[each.pk].loser_total,
            before_first=before[0],
            before_second=before[1],
            after_first=after[0],
            after_second=after[1],
        )
        _enter(entry, instead_of=entries.get(each.pk))


def _enter(entry: HandicapEntry, *, instead_of: HandicapEntry | None) -> None:
    """Write an entry down, unless the one that it replaces says the same."""
    if instead_of is not None:
        if _says(instead_of) == _says(entry):
            return
        _retire(instead_of)
    entry.save()


def _says(entry: HandicapEntry) -> tuple[int, ...]:
    before, after = (entry.before_first, entry.before_second), (entry.after_first, entry.after_second)
    return entry.winner, entry.loser_total, *before, *after


def _retire(entry: HandicapEntry) -> None:
    HandicapEntry.objects.filter(pk=entry.pk).update(current=False)


def _place(game: Game, pair: tuple[str, str]) -> int:
    """A game's place in the order of games: the one it had before, or the last."""
    earlier = game.handicap_entries.filter(first=pair[0], second=pair[1]).order_by("-id").first()
    if earlier is not None:
        return earlier.place
    last = HandicapEntry.objects.filter(**_of(game.club, pair)).order_by("-place").first()
    return last.place + 1 if last else 1


def _entries(club: Club, pair: tuple[str, str]) -> list[HandicapEntry]:
    """The entries that count, in the order of the games."""
    found = HandicapEntry.objects.filter(**_of(club, pair), current=True)
    return list(found.select_related("game__rules", "game__club").order_by("place"))


def _brought(club: Club, pair: tuple[str, str]) -> HandicapStart | None:
    """What the two brought from their paper."""
    return HandicapStart.objects.filter(**_of(club, pair)).order_by("-id").first()


def _of(club: Club, pair: tuple[str, str]) -> dict[str, Any]:
    return {"club": club, "first": pair[0], "second": pair[1]}


def _points(start: HandicapStart | None) -> Handicaps:
    return (start.points_first, start.points_second) if start else LEVEL


def _now(entries: Sequence[HandicapEntry], start: HandicapStart | None) -> Handicaps:
    return (entries[-1].after_first, entries[-1].after_second) if entries else _points(start)


def _row(entry: HandicapEntry, shown: tuple[str, str], *, turned: bool) -> HandicapRow:
    names = (shown[1], shown[0]) if turned else shown
    before, after = (entry.before_first, entry.before_second), (entry.after_first, entry.after_second)
    return HandicapRow(
        game=entry.game,
        current=entry.current,
        loser=names[1 - entry.winner],
        loser_total=entry.loser_total,
        before=_turned(before, turned),
        after=_turned(after, turned),
        at=entry.at,
    )


def _turned(figures: Handicaps, turned: bool) -> Handicaps:
    return (figures[1], figures[0]) if turned else figures


def _pair(sides: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """The two players' names as they are compared, in order; None unless there are two sides of one player each."""
    if len(sides) != 2 or any(len(names) != 1 for names in sides):
        return None
    one, other = sorted(as_compared(names[0]) for names in sides)
    return (one, other) if one != other else None


def as_compared(name: str) -> str:
    """A name as it is compared, and kept with a handicap.

    >>> as_compared("  Ann  Lee ") == as_compared("ann lee")
    True
    """
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()
