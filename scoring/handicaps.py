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

from clubsite.accounts.models import Club
from scoring.engine.handicap import LEVEL, HandicapRules, Handicaps, Result, course
from scoring.models import Game, HandicapEntry


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """One game in the history, or one that was corrected since; figures in the order of the players."""

    game: Game
    current: bool
    winner: str
    loser: str
    loser_total: int
    gain: int
    before: Handicaps
    after: Handicaps
    at: datetime


@dataclass(frozen=True, slots=True)
class HandicapLedger:
    """All games between two players that count for their handicap, the last first."""

    names: tuple[str, str]
    now: Handicaps
    rows: tuple[HandicapRow, ...]

    @property
    def starts(self) -> tuple[tuple[str, int], ...]:
        """Each player's points at the start of the next game."""
        return tuple(zip(self.names, self.now, strict=True))


def rules_for(engine_rules: Any) -> HandicapRules | None:
    """The numbers of the handicap, where the rules of a game have one."""
    gain: int = getattr(engine_rules, "handicap", 0)
    return HandicapRules(gain, engine_rules.handicap_below, engine_rules.handicap_larger) if gain else None


def next_start(club: Club, engine_rules: Any, sides: Sequence[Sequence[str]]) -> list[int]:
    """The points with which each side starts a new game: the handicap of its player, or nothing."""
    pair = _pair(sides)
    if pair is None or rules_for(engine_rules) is None:
        return [0] * len(sides)
    now = _now(_entries(club, pair))
    return list(now) if _key(sides[0][0]) == pair[0] else [now[1], now[0]]


def ledger_of(game: Game) -> HandicapLedger | None:
    """The history of the two players of a game; None where its rules have no handicap."""
    names = [list(side.names) for side in game.sides.all()]
    pair = _pair(names)
    if pair is None or rules_for(game.engine_rules) is None:
        return None
    turned = _key(names[0][0]) != pair[0]
    shown = (names[0][0], names[1][0])
    entries = list(
        HandicapEntry.objects.filter(club=game.club, first=pair[0], second=pair[1])
        .select_related("game__rules", "game__club")
        .order_by("-place", "-id")
    )
    now = _now([entry for entry in reversed(entries) if entry.current])
    return HandicapLedger(shown, _turned(now, turned), tuple(_row(entry, shown, turned) for entry in entries))


def settle(game: Game) -> None:
    """Bring the handicap of a game's players up to date with how the game stands; for use in the deed's transaction.

    A game that ends with a winner is entered last. One whose winner or loser's total changes is entered anew in
    its place, and so is every later game that has another effect by that; what was entered before is kept.
    """
    if rules_for(game.engine_rules) is None:
        return
    sides = list(game.sides.all())
    pair = _pair([side.names for side in sides])
    won = [side for side in sides if side.half_wins == 2]
    if pair is None or not (won or game.handicap_entries.filter(current=True).exists()):
        return
    Club.objects.select_for_update().get(pk=game.club_id)
    entries = {entry.game_id: entry for entry in _entries(game.club, pair)}
    games = [entry.game for entry in entries.values() if entry.game_id != game.pk]
    results = {entry.game_id: Result(entry.winner, entry.loser_total) for entry in entries.values()}
    places = {entry.game_id: entry.place for entry in entries.values()}
    if won:
        loser = sides[1 - won[0].number]
        results[game.pk] = Result(int(_key(won[0].names[0]) != pair[0]), loser.total)
        places[game.pk] = _place(game, pair)
        games = sorted([*games, game], key=lambda each: places[each.pk])
    elif game.pk in entries:
        _retire(entries[game.pk])
    rules = [rules_for(each.engine_rules) or HandicapRules() for each in games]
    states = course(zip((results[each.pk] for each in games), rules, strict=True))
    for each, before, after in zip(games, (LEVEL, *states), states, strict=False):
        _enter(entries.get(each.pk), each, pair, places[each.pk], results[each.pk], before, after)


def _enter(
    known: HandicapEntry | None,
    game: Game,
    pair: tuple[str, str],
    place: int,
    result: Result,
    before: Handicaps,
    after: Handicaps,
) -> None:
    entry = HandicapEntry(
        club=game.club,
        game=game,
        first=pair[0],
        second=pair[1],
        place=place,
        winner=result.winner or 0,
        loser_total=result.loser_total,
        before_first=before[0],
        before_second=before[1],
        after_first=after[0],
        after_second=after[1],
    )
    if known is not None and _says(known) == _says(entry):
        return
    if known is not None:
        _retire(known)
    entry.save()


def _says(entry: HandicapEntry) -> tuple[int, ...]:
    before, after = (entry.before_first, entry.before_second), (entry.after_first, entry.after_second)
    return entry.winner, entry.loser_total, *before, *after


def _retire(entry: HandicapEntry) -> None:
    HandicapEntry.objects.filter(pk=entry.pk).update(current=False)


def _place(game: Game, pair: tuple[str, str]) -> int:
    """Where a game stands in the row: where it stood before, or last."""
    earlier = game.handicap_entries.order_by("-id").first()
    if earlier is not None:
        return earlier.place
    last = HandicapEntry.objects.filter(club=game.club, first=pair[0], second=pair[1]).order_by("-place").first()
    return last.place + 1 if last else 1


def _entries(club: Club, pair: tuple[str, str]) -> list[HandicapEntry]:
    """The entries that count, in the order of the games."""
    found = HandicapEntry.objects.filter(club=club, first=pair[0], second=pair[1], current=True)
    return list(found.select_related("game__rules", "game__club").order_by("place"))


def _now(entries: Sequence[HandicapEntry]) -> Handicaps:
    return (entries[-1].after_first, entries[-1].after_second) if entries else LEVEL


def _row(entry: HandicapEntry, shown: tuple[str, str], turned: bool) -> HandicapRow:
    names = (shown[1], shown[0]) if turned else shown
    before, after = (entry.before_first, entry.before_second), (entry.after_first, entry.after_second)
    return HandicapRow(
        game=entry.game,
        current=entry.current,
        winner=names[entry.winner],
        loser=names[1 - entry.winner],
        loser_total=entry.loser_total,
        gain=abs(sum(after) - sum(before)),
        before=_turned(before, turned),
        after=_turned(after, turned),
        at=entry.at,
    )


def _turned(figures: Handicaps, turned: bool) -> Handicaps:
    return (figures[1], figures[0]) if turned else figures


def _pair(sides: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """The two players as compared, in order; None where there aren't two sides of one."""
    if len(sides) != 2 or any(len(names) != 1 for names in sides):
        return None
    one, other = sorted(_key(names[0]) for names in sides)
    return (one, other) if one != other else None


def _key(name: str) -> str:
    """A name as it is compared.

    >>> _key("  Ann  Lee ") == _key("ann lee")
    True
    """
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()
