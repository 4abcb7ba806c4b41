"""The standings with handicap, and each handicap's reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from clubsite.names import in_order
from tournaments.engine.handicap import HandicapRule
from tournaments.handicaps.actions import handicap_words, rule_of, rule_words
from tournaments.models import Event
from tournaments.standings.standings import Row


@dataclass(frozen=True, slots=True)
class NetRow:
    """One line of the standings with handicap."""

    place: int
    shared: bool
    row: Row  # the line of the standings without handicap
    total: int


def net_rows(rows: Iterable[Row]) -> list[NetRow]:
    """The standings with handicap, best first, without the disqualified, stand-ins and those with no handicap. No
    query."""
    totals = [
        (row, row.points + row.deals * row.handicap.points)
        for row in rows
        if row.handicap and not row.disqualified and not row.stand_in
    ]
    order = sorted((total for _row, total in totals), reverse=True)
    made = [NetRow(1 + order.index(total), order.count(total) > 1, row, total) for row, total in totals]
    return sorted(made, key=lambda net: (net.place, in_order(net.row.name)))


@dataclass(frozen=True, slots=True)
class NetView:
    """The standings with handicap of an event, to show. `hidden` until the result where handicaps are secret."""

    rule: str
    lines: tuple[tuple[NetRow, str], ...]  # with the reason for the handicap
    hidden: bool


def net_view(event: Event, rows: Sequence[Row]) -> NetView | None:
    """The standings with handicap of an event that gives any; None for others. No query."""
    rule = rule_of(event)
    if rule is None:
        return None
    hidden = rule.secret and event.state != Event.State.FINISHED
    lines = () if hidden else tuple((net, net_words(net.row, rule)) for net in net_rows(rows))
    return NetView(rule_words(rule), lines, hidden)


def net_words(row: Row, rule: HandicapRule) -> str:
    """How a total with handicap comes about: the points a deal, the number of deals, and why."""
    if row.handicap is None:
        return ""
    why = handicap_words(row.handicap, rule)
    if not row.handicap.points:
        return why
    given = ngettext("%(each)d a deal for %(n)d deal.", "%(each)d a deal for %(n)d deals.", row.deals) % {
        "each": row.handicap.points,
        "n": row.deals,
    }
    return f"{given} {why}"
