"""A club's games as a file: JSON with every version of every deal, CSV with the deals as they are now."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from clubsite.accounts.models import Club
from clubsite.invisible_characters import to_one_line
from scoring.deal_files.formats import ClubDeal, ClubGame, Version, club_text
from scoring.engine.core.family import score_deals
from scoring.engine.core.ledger import Score
from scoring.models import Deal, DealVersion, Game
from scoring.spreadsheets import escape_formula

BY_DIRECTOR = "director"


def club_games(club: Club) -> list[ClubGame]:
    """Games with a deal, the oldest first. Four queries."""
    deals = Deal.objects.order_by("number").prefetch_related(
        Prefetch("versions", DealVersion.objects.order_by("number"))
    )
    games = Game.objects.filter(club=club, deals__isnull=False).distinct().order_by("pk").select_related("rules")
    return [_game(game) for game in games.prefetch_related("sides", Prefetch("deals", deals))]


def _game(game: Game) -> ClubGame:
    sides, family = list(game.sides.all()), game.rules.family
    start = tuple(side.start for side in sides)
    return ClubGame(
        rules=game.rules.slug,
        rules_version=game.rules.version,
        rule_set=game.rules.rule_set,
        shape=game.shape,
        title=to_one_line(game.title),
        sides=tuple(tuple(to_one_line(name) for name in side.names) for side in sides),
        start=start if any(start) else (),
        ended=to_one_line(game.reason) if game.ended_by == BY_DIRECTOR else "",
        set_aside=game.set_aside,
        absent=tuple(side.number for side in sides if side.absent),
        deals=tuple(
            ClubDeal(number=deal.number, versions=tuple(_version(version, family) for version in deal.versions.all()))
            for deal in game.deals.all()
        ),
    )


def _version(version: DealVersion, family: Any) -> Version:
    return Version(
        id=str(version.submission),
        state=DealVersion.State(version.state),
        by=to_one_line(version.actor),
        route=version.route,
        at=version.at.isoformat(),
        facts=family.read(version.facts),
        written=tuple(version.written),
        written_sets=None if version.written_sets is None else tuple(version.written_sets),
        reason=to_one_line(version.reason),
        ruling=to_one_line(version.ruling),
        overruled=tuple(version.overruled),
    )


def to_json(club: Club) -> Iterator[str]:
    games = club_games(club)
    rules = {(game.rules, game.rules_version or 0): game.rule_set for game in games}
    return club_text([rules[key] for key in sorted(rules)], games)


# --- as a table ----------------------------------------------------------------------------------------

_ORDER = (
    *("game", "title", "rules", "rules_version", "shape", "sides", "start", "ended", "set_aside", "absent"),
    *("deal", "state", "points", "facts", "written", "written_sets", "ruling", "overruled", "reason"),
    *("by", "route", "at", "id"),
)


def to_csv(club: Club) -> str:
    """The current versions as a table, with a byte order mark, commas and CRLF.

    A column's name is the path of its field in the JSON; fields that are empty or false are left out.
    """
    rows = [
        dict(_row(game, deal, number=number, score=score))
        for number, game in enumerate(club_games(club), start=1)
        for deal, score in _score_deals(game)
    ]
    columns = sorted({name for row in rows for name in row}, key=_column_place)
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([escape_formula(row.get(name, "")) for name in columns] for row in rows)
    return f"\ufeff{written.getvalue()}"


def _score_deals(game: ClubGame) -> Iterator[tuple[ClubDeal, Score | None]]:
    """The deals of a game in their order, with their scores as they are now; a void one has none."""
    deals = sorted(game.deals, key=lambda deal: deal.number)
    counting = [deal for deal in deals if deal.versions[-1].state != DealVersion.State.VOID]
    cards = (deal.versions[-1].facts for deal in counting)
    scores = dict(
        zip((deal.number for deal in counting), score_deals(game.family, game.engine_rules, cards=cards), strict=True)
    )
    return ((deal, scores.get(deal.number)) for deal in deals)


def _row(game: ClubGame, deal: ClubDeal, *, number: int, score: Score | None) -> Iterator[tuple[str, str]]:
    version = deal.versions[-1]
    data: dict[str, Any] = {"game": number, "deal": deal.number}
    if score is not None:
        data["points"] = list(score.totals)
    yield from _cells(data | game.model_dump(mode="json", exclude={"deals"}) | version.model_dump(mode="json"))


def _cells(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The cells of JSON data, each with the path of its field."""
    if isinstance(data, dict | list):
        for name, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _cells(value, f"{path}.{name}".lstrip("."))
    elif data not in (None, "") and data is not False:
        yield path, "true" if data is True else str(data)


def _column_place(name: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Sorts columns by name, in the order in which people read them; numbered ones by their number."""
    first, *parts = name.split(".")
    return _ORDER.index(first), tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)
