"""Knock-outs: the order in which sides come into the bracket, and what its matches are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubsite.names import shown
from tournaments.draws import by_format
from tournaments.draws.drafts import seated_in
from tournaments.engine.formats import FormatRefused
from tournaments.engine.formats.knock_out import CONSOLATION, THIRD, KnockOut, MatchName, Origin
from tournaments.engine.rounds import Side, Table
from tournaments.models import Draw, Event

BY_LOT = {"by": "lot"}


def drawn_in(event: Event, tables: Sequence[Table], *, seed: int) -> dict[str, Any]:
    """What a draw's statement says of a knock-out: what its matches are called by number of table, and in the first
    round the order of the bracket, by an entry of each side, and how it came about. Nothing for other formats."""
    form = by_format.format_of(event)
    if not isinstance(form, KnockOut):
        return {}
    played, field = by_format.played_of(event), by_format.field_to_draw(event, seed)
    names = {frozenset(match.sides): title_of(match.name) for match in form.matches(field, played)}
    facts: dict[str, Any] = {
        "matches": {str(number): names[frozenset(table)] for number, table in enumerate(tables, start=1)}
    }
    if played:
        return facts
    return facts | {"order": [team[0] for team in field.teams], "seeding": event.seeding or BY_LOT}


def seeding_changed(draw: Draw) -> str:
    """That the seeds of a knock-out were changed after a draw of its first round, in words; "" where they weren't."""
    event = draw.round.stage.event
    seeding = draw.statement.get("seeding", BY_LOT)
    if not event.has_bracket or draw.round.number > 1 or seeding == (event.seeding or BY_LOT):
        return ""
    return _("The seeds have changed since.")


def exchanged(draw: Draw, sides: tuple[Side, Side]) -> dict[str, Any]:
    """What its statement says of the bracket's order once these two sides have changed places in it."""
    order = draw.statement.get("order") or [team[0] for team in by_format.field_of(draw.round.stage.event).teams]
    a, b = (next(n for n, entry in enumerate(order) if entry in side) for side in sides)
    order = list(order)
    order[a], order[b] = order[b], order[a]
    return {"order": order}


def coming_matches(event: Event, draft: Draw | None = None) -> list[tuple[str, list[str]]]:
    """The matches that have no table yet, by their names, each with its two sides: their names, or where they come
    from. With the bracket of a first round's `draft`. Nothing for other formats."""
    form = by_format.format_of(event) if event.has_bracket else None
    if not isinstance(form, KnockOut):
        return []
    field, played = by_format.field_of(event), by_format.played_of(event)
    if draft is not None and not played:
        field = by_format.in_order(field, draft.statement.get("order", ()))
    try:
        matches = form.matches(field, played)
    except FormatRefused:  # a match ended level: the desk asks for it
        return []
    seated = {frozenset(table.sides) for one in played for table in one.tables}
    if draft is not None:
        seated |= {frozenset(table) for table in seated_in(draft).seats.tables}
    names = dict(event.entries.values_list("pk", "name"))
    return [
        (shown(title_of(match.name)), [_side_words(side, names) for side in match.sides])
        for match in matches
        if not match.decided and frozenset(match.sides) not in seated
    ]


def title_of(name: MatchName) -> str:
    """What a match is called, in the English that is kept (`clubsite.names`).

    >>> title_of(MatchName("main", 1, 2)), title_of(MatchName("main", 3, 5)), title_of(MatchName("consolation", 1, 4))
    ('Semi-final 2', 'Round of 16, match 5', 'Consolation, match 4')
    """
    if name.part == THIRD:
        return "Third place"
    if name.part == CONSOLATION:
        return f"Consolation, match {name.number}" if name.rounds_after else "Consolation final"
    if not name.rounds_after:
        return "Final"
    rounds = {1: "Semi-final", 2: "Quarter-final"}
    return f"{rounds.get(name.rounds_after) or f'Round of {2 ** (name.rounds_after + 1)}, match'} {name.number}"


def seeding_words(statement: Mapping[str, Any]) -> list[str]:
    """How the bracket of a first round's draw came about; nothing for other draws."""
    if "seeding" not in statement:
        return []
    seeding: Mapping[str, Any] = statement["seeding"]
    name = {"name": shown(seeding.get("name", ""))}
    words = {
        "hand": _("The bracket is seeded by hand."),
        "points": _("The bracket is seeded by points that the director gave."),
        "season": _("The table of %(name)s gives the bracket its seeds.") % name,
        "event": _("The result of %(name)s gives the bracket its seeds.") % name,
        "cut": _("The cut of %(name)s gives the bracket its seeds.") % name,
    }
    if seeding["by"] not in words:
        return [_("The bracket is drawn by lot.")]
    return [
        words[seeding["by"]],
        _("The best seeds have the byes and meet last. Lots decide between equal seeds, and among those without one."),
    ]


def bracket_words(event: Event) -> list[str]:
    """How the bracket that is played came about; nothing before a draw is published. One query in a knock-out."""
    return seeding_words(by_format.first_statement(event)) if event.has_bracket else []


def _side_words(side: Side | Origin, names: dict[int, str]) -> str:
    if not isinstance(side, Origin):
        return " & ".join(names[person] for person in side)
    match = shown(title_of(side.match))
    if side.won:
        return _("winner of %(match)s") % {"match": match}
    return _("loser of %(match)s") % {"match": match}
