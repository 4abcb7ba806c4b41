"""Standings as people see them: the table and its notes, those with handicap, the winners."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.names import name_sort_key
from scoring.models import Game
from scoring.templatetags.figures import points, signed
from tournaments.engine.handicap import HandicapRule
from tournaments.engine.ranking import STRENGTH
from tournaments.events.words import TIE_BREAKS
from tournaments.handicaps import describe_handicap, describe_rule, event_rule
from tournaments.models import Event
from tournaments.standings.results import StandingsView, chart_of, matches_deals
from tournaments.standings.standings import GameRow, Recorded, Row, by_sides, read_stage


def adjustment_words(value: int, reason: str, *, lowest_wins: bool = False) -> str:
    """One adjustment by the director: what it is and why. Where the lowest total wins, a penalty adds points."""
    args = {"points": points(value) if value < 0 else f"+{points(value)}", "reason": reason}
    if (value > 0) == lowest_wins:
        return _("penalty %(points)s: %(reason)s") % args
    return _("adjustment %(points)s: %(reason)s") % args


def notes_of(row: Row, event: Event) -> list[str]:
    """What is shown under a name in the standings, besides sit-outs: why it is out of the order, missed rounds,
    adjustments. Somebody who goes home from a club night hasn't withdrawn."""
    notes = [_("stand-in")] if row.stand_in else []
    if row.disqualified:
        notes.append(_("disqualified: %(reason)s") % {"reason": row.disqualified})
    elif row.withdrawn:
        notes.append(_("left early") if event.by_rounds else _("withdrawn"))
    if row.losses:
        notes.append(ngettext("%(n)d loss", "%(n)d losses", row.losses) % {"n": row.losses})
    if row.walkovers:
        notes.append(
            ngettext("%(n)d walkover: %(points)s", "%(n)d walkovers: %(points)s", row.walkovers)
            % {"n": row.walkovers, "points": points(row.walkover_credit)}
        )
    if row.forfeits:
        lost = ngettext("%(n)d match lost by walkover", "%(n)d matches lost by walkover", row.forfeits)
        lost %= {"n": row.forfeits}
        notes.append(f"{lost}: {points(row.forfeit_credit)}" if row.forfeit_credit else lost)
    notes += [f"{TIE_BREAKS[slug]}: {figure}" for slug, figure in row.strength]
    if row.missed and row.missed_credit:
        notes.append(
            ngettext("%(n)d round missed: %(points)s", "%(n)d rounds missed: %(points)s", row.missed)
            % {"n": row.missed, "points": points(row.missed_credit)}
        )
    lowest_wins = event.lowest_wins
    return [*notes, *(adjustment_words(value, reason, lowest_wins=lowest_wins) for value, reason in row.adjustments)]


def beside_of(row: Row) -> str:
    notes = [
        ngettext("%(won)s of %(n)d game won", "%(won)s of %(n)d games won", row.games_played)
        % {"won": row.games_won, "n": row.games_played}
    ]
    if row.net is not None:
        notes.append(_("spread %(net)s") % {"net": signed(row.net)})
    if row.sets:
        notes.append(ngettext("%(n)d failed bid", "%(n)d failed bids", row.sets) % {"n": row.sets})
    if row.lone_hands:
        notes.append(ngettext("%(n)d lone hand", "%(n)d lone hands", row.lone_hands) % {"n": row.lone_hands})
    if row.sit_outs:
        notes.append(ngettext("sat out once", "sat out %(n)d times", row.sit_outs) % {"n": row.sit_outs})
    return ", ".join(notes)


@dataclass(frozen=True, slots=True)
class NetRow:
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
    lines = [NetRow(1 + order.index(total), order.count(total) > 1, row, total) for row, total in totals]
    return sorted(lines, key=lambda net: (net.place, name_sort_key(net.row.name)))


def net_view(event: Event, rows: Sequence[Row]) -> dict[str, Any] | None:
    rule = event_rule(event)
    if rule is None:
        return None
    hidden = rule.secret and event.state != Event.State.FINISHED
    lines = () if hidden else tuple((net, net_words(net.row, rule)) for net in net_rows(rows))
    return {"rule": describe_rule(rule), "lines": lines, "hidden": hidden}


def net_words(row: Row, rule: HandicapRule) -> str:
    if row.handicap is None:
        return ""
    why = describe_handicap(row.handicap, rule)
    if not row.handicap.points:
        return why
    words = ngettext("%(each)d a deal for %(n)d deal.", "%(each)d a deal for %(n)d deals.", row.deals) % {
        "each": row.handicap.points,
        "n": row.deals,
    }
    return f"{words} {why}"


WINNERS = 3  # places that a result shows large
MOST_WINNERS = 6  # when more share those places, nobody is shown large


def leaders(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of the first three places, shared ones included; nobody where too many share them."""
    first = tuple(row for row in rows if row.place <= WINNERS and not (row.disqualified or row.stand_in))
    return first if len(first) <= MOST_WINNERS else ()


def result_rows(event: Event, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows whose places are the result; none in a match between clubs: a club wins it, which its table says; nor of
    groups that go on to a knock-out."""
    return () if event.traits.between_clubs or event.traits.in_groups else rows


def podium_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The winners of a result, best first; nobody where fewer than two played, or all are level."""
    first = leaders(rows)
    if len(rows) < 2 or len({row.place for row in rows}) < 2:
        return []
    after = {row.entry: following for row, following in pairwise(rows)}
    return [{"row": row, "words": _decided(row, after.get(row.entry))} for row in first]


def published_high_game(recorded: Recorded, rows: Sequence[Row]) -> dict[str, Any] | None:
    """The best game of a published result. None while a correction has changed what its rows say: what was best before
    isn't known then; nor where points are given for results."""
    event, rows = recorded.stage.event, by_sides(rows, recorded.side_of)
    if event.points_by_result:
        return None
    return high_game(recorded.rows, rows, lowest_wins=event.lowest_wins) if matches_deals(recorded, rows) else None


def high_game(played: Iterable[GameRow], rows: Iterable[Row], *, lowest_wins: bool = False) -> dict[str, Any] | None:
    """The best game of a stage; the earliest of several equal ones. None where none was finished."""
    names = {row.entry: row.name for row in rows}
    over = [row for row in played if row.state == Game.State.OVER and row.entry in names]
    if not over:
        return None
    sign = 1 if lowest_wins else -1
    best = min(over, key=lambda row: (sign * row.points, row.round, row.table, row.game, row.side))
    side = [row for row in over if (row.game, row.side) == (best.game, best.side)]
    return {"points": best.points, "names": [names[row.entry] for row in side], "round": best.round}


def won_by(view: StandingsView | None) -> dict[str, Any]:
    """What a page of a result shows besides: its winners, the best game, and how it came about round by round. Five
    queries; nothing for standings that are no result."""
    if view is None or view.published is None or not view.published.final:
        return {}
    recorded = read_stage(view.stage)
    return {
        "podium": podium_of(result_rows(view.stage.event, view.rows)),
        "high": published_high_game(recorded, view.rows),
        "chart": chart_of(view.stage, view.rows, club=view.stage.event.club, recorded=recorded),
    }


def _decided(row: Row, following: Row | None) -> str:
    if row.shared:
        return _("Equal in everything that decides places: the place is shared.")
    return "" if following is None else _ahead(row, following)


def _unseen(row: Row, following: Row | None) -> list[str]:
    """What put a row ahead of the next where no column and no note shows it."""
    unseen = row.separated_by in ("head-to-head", "last-game", "best-game", "play-off", "lots")
    return [_ahead(row, following)] if unseen and following else []


def _ahead(row: Row, following: Row) -> str:
    if row.separated_by == "points":
        ahead = abs(row.points - following.points)
        return ngettext("Ahead of %(name)s by %(points)s point.", "Ahead of %(name)s by %(points)s points.", ahead) % {
            "points": points(ahead),
            "name": following.name,
        }
    if (by := row.separated_by) in STRENGTH:
        return _("Ahead of %(name)s by this: %(tie_break)s, %(own)s to %(their)s.") % {
            "name": following.name,
            "tie_break": TIE_BREAKS[by],
            "own": dict(row.strength)[by],
            "their": dict(following.strength)[by],
        }
    if row.separated_by in TIE_BREAKS:
        return _("Ahead of %(name)s by this: %(tie_break)s.") % {
            "name": following.name,
            "tie_break": TIE_BREAKS[row.separated_by],
        }
    return ""


HEADS: dict[str, tuple[Promise, Callable[[Row], Any]]] = {  # column to its head and what it sorts by
    "place": (gettext_lazy("Place"), attrgetter("place")),
    "name": (gettext_lazy("Name"), lambda row: name_sort_key(row.name)),
    "points": (gettext_lazy("Points"), attrgetter("points")),
    "games_won": (gettext_lazy("Games won"), attrgetter("won")),
    "net": (gettext_lazy("Spread"), lambda row: row.net or 0),
    "sets": (gettext_lazy("Failed bids"), attrgetter("sets")),
    "games_played": (gettext_lazy("Games"), attrgetter("games_played")),
    "sit_outs": (gettext_lazy("Sat out"), attrgetter("sit_outs")),
}


def standings_shown(event: Event, rows: Sequence[Row], *, sort: str = "") -> dict[str, Any]:
    """Standings as pages show them: the lines, each with its notes and what a phone has under the name, and heads that
    sort them. `sort` is what the page asks for: a column, with a minus for falling figures; else the best are first."""
    sat_out, bids = any(row.sit_outs for row in rows), event.rules.rule_set.has_bids
    net = any(row.net is not None for row in rows)
    columns = [name for name in HEADS if {"sit_outs": sat_out, "sets": bids, "net": net}.get(name, True)]
    by, falling = sort.removeprefix("-"), sort.startswith("-")
    after = {row.entry: following for row, following in pairwise(rows)}
    if by in columns:
        rows = sorted(rows, key=HEADS[by][1], reverse=falling)
    rising_first = {"place", "name", *(("points",) if event.lowest_wins else ())}
    css = {"name": "", "place": "points", "points": "points"}
    arrow = " desc" if falling else " asc"
    return {
        "lines": [(row, [*notes_of(row, event), *_unseen(row, after.get(row.entry))], beside_of(row)) for row in rows],
        "heads": [
            {
                "name": name,
                "label": HEADS[name][0],
                "css": css.get(name, "points not-phone") + (arrow if name == by else ""),
                "sort": name if (falling if name == by else name in rising_first) else f"-{name}",
            }
            for name in columns
        ],
        "sat_out": sat_out,
        "bids": bids,
        "net": net,
    }
