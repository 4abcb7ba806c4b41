"""The bracket of a knock-out as it is shown: part by part, round by round, in the order of its places."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubsite.names import translate_name
from tournaments.draws.by_format import (
    field_of,
    first_statement,
    format_of,
    in_order,
    match_title,
    played_of,
    side_words,
)
from tournaments.engine.formats import PlayedTable
from tournaments.engine.formats.knock_out import (
    CONSOLATION,
    DECIDING,
    LOSERS,
    MAIN,
    THIRD,
    WINNERS,
    Bracketed,
    NamedMatch,
    Origin,
    reopen_level_tables,
    seed_bracket,
)
from tournaments.engine.rounds import Side
from tournaments.models import Event

LONG = 40  # letters of a side that take two lines on the hall board


def bracket_of(event: Event) -> list[dict[str, Any]]:
    """The parts of a knock-out's bracket: the main one, the match for the third place, the consolation; or those of the
    winners and of the losers, and their final.

    A part has a title ("" for the main one), rounds, and whether it is the match for the `third` place, or the `final`
    of two brackets; a round has a title, whether each of its matches leads to one of the next (`across`) and, by its
    places from the top, matches: None where there is none, as when the sides before it had byes.
    Nothing before the first round is published, and for other formats."""
    form = format_of(event) if event.has_bracket else None
    if not isinstance(form, Bracketed) or not (statement := first_statement(event)):
        return []
    played = played_of(event)
    field = in_order(field_of(event), statement.get("order", ()))
    matches = form.matches(field, reopen_level_tables(played, lots=form.lots_settle))
    names = dict(event.entries.values_list("pk", "name"))
    numbers = statement.get("seeding", {}).get("numbers", {})
    seeds: dict[Any, int] = {
        side: n for n, side in enumerate(field.teams, start=1) if any(str(person) in numbers for person in side)
    }

    def of(match: NamedMatch) -> dict[str, Any]:
        table = match.played
        points: dict[Any, int] = dict(zip(table.sides, table.points, strict=False)) if table else {}
        sides = [
            {
                "name": side_words(side, names),
                "coming": isinstance(side, Origin),
                "seed": seeds.get(side),
                "points": event.rules.sign * points[side] if side in points else None,
                "won": match.decided and side == match.winner,
            }
            for side in match.sides
        ]
        name = (
            "" if match.name.part == THIRD else translate_name(match_title(match.name))
        )  # the title of its part says it
        return {"name": name, "sides": sides, "mark": _mark(match, table)}

    def bye(side: Side) -> dict[str, Any]:
        return {"sides": [{"name": side_words(side, names), "seed": seeds.get(side)}], "mark": _("bye")}

    at = {match.place: of(match) for match in matches}
    first, main = seed_bracket(field.teams), matches[0].place[0] if matches else MAIN
    for n in range(0, len(first), 2):
        if (main, 0, n // 2) not in at and (side := first[n] or first[n + 1]):
            at[main, 0, n // 2] = bye(side)
    titles = {
        MAIN: "",
        THIRD: _("Third place"),
        CONSOLATION: _("Consolation"),
        WINNERS: _("Without a loss"),
        LOSERS: _("With one loss"),
        DECIDING: _("Final"),
    }
    return [
        {"title": titles[part], "third": part == THIRD, "final": part == DECIDING, "rounds": _rounds(at, part)}
        for part in titles
        if any(of == part for of, *_place in at)
    ]


def _rounds(at: Mapping[tuple[str, int, int], dict[str, Any]], part: str) -> list[dict[str, Any]]:
    matches = {(number, n): match for (of, number, n), match in at.items() if of == part}
    first, last = min(matches)[0], max(matches)[0]
    return [
        {
            "title": _round_title(part, number=number, rounds=last + 1),
            "matches": [matches.get((number, n)) for n in range(_match_places(part, last - number))],
            "across": number < last and _match_places(part, last - number) == _match_places(part, last - number - 1),
        }
        for number in range(first, last + 1)
    ]


def _match_places(part: str, after: int) -> int:
    """How many places for matches a round has, with `after` rounds to follow it. Every other round of the losers'
    bracket is against those who have just lost."""
    return 1 if part == DECIDING else 2 ** (after // 2 if part == LOSERS else after)


def _round_title(part: str, *, number: int, rounds: int) -> str:
    if part == THIRD:
        return ""
    if part == DECIDING:
        return _("Deciding match") if number else ""
    if part in (CONSOLATION, WINNERS, LOSERS):
        return _("Round %(n)d") % {"n": number + 1}
    named = {1: _("Final"), 2: _("Semi-finals"), 3: _("Quarter-finals")}
    left = rounds - number
    return named.get(left) or _("Round of %(n)d") % {"n": 2**left}


def _mark(match: NamedMatch, table: PlayedTable | None) -> str:
    if not match.decided:
        return ""
    if table is None or table.walkover or not table.half_wins:  # a side wasn't there, or has left its match
        return _("walkover")
    return _("by lot") if table.is_level else ""


def board_pages(parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The bracket for a hall board, in pieces that can be read from afar: rounds that are over left out as long as
    another follows, and a round of many matches divided, each piece with what it leads to."""
    pages = []
    for part in parts:
        rounds = part["rounds"]
        sides = [side for round_ in rounds for match in round_["matches"] if match for side in match["sides"]]
        if all(side.get("coming") for side in sides):
            continue
        while len(rounds) > 3 and all(match is None or _is_over(match) for match in rounds[0]["matches"]):
            rounds = rounds[1:]
        pieces = max(1, len(rounds[0]["matches"]) // (2 if max(len(side["name"]) for side in sides) > LONG else 4))
        for piece in range(pieces):
            cut = [
                round_ | {"matches": round_["matches"][piece * size : (piece + 1) * size]}
                for round_ in rounds
                if (size := len(round_["matches"]) // pieces)
            ]
            pages.append({"title": part["title"], "rounds": cut, "piece": piece + 1, "pieces": pieces})
    return pages


def _is_over(match: dict[str, Any]) -> bool:
    return bool(match["mark"]) or any(side["won"] for side in match["sides"])
