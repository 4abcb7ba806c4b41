"""What a change of seats in the middle of a round would bring, in words, before it is made: the verb itself is run,
looked at, and rolled back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.previews import preview
from scoring.cards.submit import PublishedLine
from scoring.models import Deal
from tournaments.draws import changes
from tournaments.draws.changes import Change
from tournaments.draws.drafts import next_draft, seated_in
from tournaments.draws.words import again_words, fate_words, seat_in_words
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Group, Round
from tournaments.standings.queries import lines_of
from tournaments.standings.standings import standings_of

ROLES = ("partner", "opponent", "table_mate")  # in which a draw's statement counts meetings


# Somebody's line in the standings before and after; None where they aren't in them.
Move: TypeAlias = "tuple[PublishedLine | None, PublishedLine | None]"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """Who sits at a table, before or after: its label, and each side's names."""

    label: str
    sides: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """One way to make a change: what the button says and sends, and what it brings; or why it can't be made."""

    title: str
    button: str
    send: Mapping[str, str]  # fields of the form
    words: tuple[str, ...] = ()  # whose the points will be, in sentences
    gone: str = ""  # the name of who may be marked as gone in the same step
    refused: str = ""
    before: tuple[SeatedTable, ...] = ()  # the tables that change
    after: tuple[SeatedTable, ...] = ()
    moves: tuple[Move, ...] = ()  # of everybody whose place or points would change
    again: tuple[str, ...] = ()  # meetings repeated
    broken: tuple[str, ...] = ()  # wishes broken
    statement: Mapping[str, Any] = field(default_factory=dict)  # the draw's statement after the change
    counted_anew: bool = False  # whether the statement counts other repeated meetings after it
    rests: tuple[str, ...] = ()  # what is to be made or printed again


@dataclass(frozen=True, slots=True)
class _Sight:
    tables: dict[str, SeatedTable]
    lines: dict[int, PublishedLine]  # by entry


def offer(way: OfferedChange, draw: Draw, *, deed: Callable[[], Draw]) -> OfferedChange:
    """This way to change a draw's seats with what it brings when `deed` makes the change. Nothing is kept."""
    done: list[tuple[Draw, tuple[str, ...], tuple[str, ...]]] = []

    def do() -> None:
        made = deed()
        done.append((made, *_brought(draw, made)))

    try:
        before, after = preview(do, lambda: _sight(draw.round))
    except StepRefused as refused:
        return replace(way, refused=str(refused.message))
    [(made, again, broken)] = done
    changed = _changed(before.tables, after.tables)
    return replace(
        way,
        before=tuple(table for label in changed if (table := before.tables.get(label))),
        after=tuple(table for label in changed if (table := after.tables.get(label))),
        moves=_moves(before, after),
        again=again,
        broken=broken,
        statement=made.statement,
        counted_anew=any(draw.statement.get(role) != made.statement.get(role) for role in ROLES),
        rests=(*to_print(changed), *_rests(draw, made)),
    )


def to_print(labels: list[str]) -> tuple[str, ...]:
    """Which printed cards are no longer right, in words."""
    if not labels:
        return ()
    words = ngettext(
        "The cards of table %(tables)s and the list of seats are to be printed again.",
        "The cards of tables %(tables)s and the list of seats are to be printed again.",
        len(labels),
    )
    return (words % {"tables": and_(labels)},)


def and_(words: list[str]) -> str:
    """Words joined as in "3", "3 and 9", "3, 5 and 9"."""
    return _(" and ").join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def changed_tables(old: Draw, new: Draw) -> list[str]:
    """The labels of the tables at which not the same people sit as before, in order."""
    return _changed(_tables(old), _tables(new))


def _changed(before: Mapping[str, SeatedTable], after: Mapping[str, SeatedTable]) -> list[str]:
    return [label for label in {**before, **after} if before.get(label) != after.get(label)]


def deals_at(group: Group) -> int:
    """Deals recorded in the games of a group, void ones too."""
    return Deal.objects.filter(game__group_game__group=group).count()


def change_in_words(change: Change) -> str:
    """A change of seats as a phrase."""
    one, other = change.names
    if change.kind == "table":
        return _("%(names)s play at table %(table)s") % {"names": one, "table": change.tables[0]}
    if change.kind == "move":
        return _("Table %(one)s is table %(other)s") % {"one": change.tables[0], "other": change.tables[1]}
    said = {
        "take": _("%(other)s has the seat of %(one)s"),
        "for": _("%(other)s plays for %(one)s") if one != other else _("%(one)s plays again"),
        "swap": _("%(one)s and %(other)s have changed places"),
        "cards": _("Tables %(one)s and %(other)s have exchanged their cards"),
    }
    return said[change.kind] % {"one": one, "other": other}


def _sight(round: Round) -> _Sight:
    """Who sits where and how the stage stands, asked anew at each call."""
    draw = round.draws.select_related("round__stage__event").filter(state=Draw.State.PUBLISHED).first()
    lines = {line.key: line for line in lines_of(standings_of(round.stage).rows)}
    return _Sight(_tables(draw) if draw else {}, lines)


def _tables(draw: Draw) -> dict[str, SeatedTable]:
    event = draw.round.stage.event
    groups = draw.groups.prefetch_related("seats__entry")
    tables = (SeatedTable(group.label_in(event), tuple(map(tuple, group.names))) for group in groups)
    return {table.label: table for table in tables}


def _moves(before: _Sight, after: _Sight) -> tuple[Move, ...]:
    """Everybody whose points or place would change; those who go are last. Whoever comes or goes without points is of
    no interest."""
    pairs = ((before.lines.get(entry), after.lines.get(entry)) for entry in {**after.lines, **before.lines})
    changed = (pair for pair in pairs if pair[0] != pair[1])
    return tuple(pair for pair in changed if all(pair) or any(line and line.points for line in pair))


def _brought(old: Draw, new: Draw) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Meetings repeated and wishes broken by a change, in words."""
    again, broken = changes.brought(old, before=seated_in(old), now=seated_in(new), statement=new.statement)
    people = {person for fate in broken for person in fate.wish.people}
    name = dict(Entry.objects.filter(pk__in=people).values_list("pk", "name"))
    return (
        tuple(again_words(one.names, one.role, times=one.times) for one in again),
        tuple(fate_words(fate, name=lambda pk: name.get(pk, str(pk)), seat=seat_in_words) for fate in broken),
    )


def _rests(draw: Draw, made: Draw) -> tuple[str, ...]:
    """What was made from the draw and doesn't hold after the change, in sentences: a draft, rounds planned ahead."""
    event = draw.round.stage.event
    found = []
    if event.by_rounds and (draft := next_draft(event)):
        found.append(_("The draft of %(round)s rests on it and is to be made again.") % {"round": draft.round.name})
    if draw.ahead and made.by_hand and not draw.by_hand:
        found.append(_("The rounds planned after it are drawn again around it; a movement sheet is out of date."))
    return tuple(found)
