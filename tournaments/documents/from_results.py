"""Standings, cut and result sheets from what is recorded and published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.charts import Chart
from clubsite.pdf.documents import Heading
from scoring.templatetags.figures import cell, points
from tournaments.cuts import cuts
from tournaments.cuts.cuts import reason_words, settled_words, window_of_cut
from tournaments.documents.from_draws import heading_of
from tournaments.events.state import published_cut
from tournaments.models import Cut, CutLine, Event, PublishedPrizes, PublishedStandings, Stage
from tournaments.standings.presentation import net_view, notes_of, podium_of, published_high_game, result_rows
from tournaments.standings.results import Window, chart_of, standing_result, window_of
from tournaments.standings.standings import Row, Standings, last_deal_at, match_of, recorded_of, standings_of
from tournaments.templatetags.totals import place

LONG, ENDLESS = 28, 34  # letters of the longest name on one line of a narrow column: in the usual type, in the smallest


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One line of standings; `figures` in the order of the sheet's columns; `note` in small print under the name."""

    place: str  # "4=" when shared
    name: str
    figures: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class StandingsPart:
    """A further table below standings: a group of them, those who went out at a cut, or the order with handicap."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """Standings of a stage, and of its groups."""

    heading: Heading
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    parts: tuple[StandingsPart, ...] = ()
    net: StandingsPart | None = None  # where handicaps are given and no secret

    @property
    def dense(self) -> bool:
        """Whether the lines need to stand close, so that 54 names and their 18 groups take two sheets."""
        return len(self.rows) > 36

    @property
    def long(self) -> bool:
        """Whether some name would take two lines in the list of its group, in the usual type."""
        return any(len(row.name) > LONG for row in self.rows)

    @property
    def endless(self) -> bool:
        """Whether some name is too long for one line even in the smallest type, so that it is broken."""
        return any(len(row.name) > ENDLESS for row in self.rows)


@dataclass(frozen=True, slots=True)
class CutRow:
    """A name on one side of the line, and why."""

    order: int
    name: str
    place: str  # where it was played: "3A"
    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class CutSheet:
    """Who goes on and who doesn't, best first."""

    heading: Heading
    on: tuple[CutRow, ...]
    out: tuple[CutRow, ...]
    settled: tuple[str, ...] = ()  # play-offs and drawings of lots, and how lots are checked
    window: str = ""  # until when a correction can be asked for, in words


@dataclass(frozen=True, slots=True)
class WinnerLine:
    """One of the first places, large, and what put them there."""

    place: str
    name: str
    points: str
    words: str


@dataclass(frozen=True, slots=True)
class ResultSheet(StandingsSheet):
    """The final order of an event, signed by the director; then those who went out at each cut, the last first."""

    match: StandingsPart | None = None  # the two clubs of a match between them
    winners: tuple[WinnerLine, ...] = ()
    best_game: str = ""
    chart: Chart | None = None  # the places round by round
    window: str = ""  # until when a correction can be asked for, in words
    apart: bool = False  # whether the picture gets a sheet of its own, and is large on it

    @property
    def close(self) -> bool:
        """Whether the lines need to stand closer, so that winners, everybody and the picture share one sheet, or those
        who went out earlier."""
        out = sum(len(part.rows) for part in self.parts)
        return (len(self.rows) > 10 or out > 24) and len(self.winners) <= 3

    @property
    def height(self) -> float:
        """Millimetres that winners, everybody and the picture take where they stand close.

        Longer names of winners break in their columns.
        """
        breaks = max((len(one.name) for one in self.winners), default=0) // 20
        return 172.5 + 4.6 * (len(self.rows) + breaks)


def standings_sheet(stage: Stage, published: PublishedStandings | None = None) -> StandingsSheet:
    """Standings of a stage as published, or as they are now: then marked provisional."""
    event = stage.event
    if published:
        now = Standings(stage, tuple(Row.from_data(row) for row in published.rows), 0, 0)
        note, mark = version_words(published, event), ""
    else:
        now = standings_of(stage)
        note = _("As of %(when)s") % {"when": _moment(last_deal_at(stage) or timezone.now(), event)}
        if now.open_games:
            note += ngettext(" · %(n)d game open", " · %(n)d games open", now.open_games) % {"n": now.open_games}
        mark = _("provisional")
    with_table = len(now.groups) > 0
    rows = tuple(row_of(row, event, with_table=with_table) for row in now.rows)
    parts = [
        StandingsPart(
            _("Group %(where)s") % {"where": group} if group[-1].isalpha() else _("Table %(n)s") % {"n": group},
            (_("Points"), _("Won"), *([_("Sets")] if event.rules.rule_set.has_bids else [])),
            tuple(row_of(row, event, with_table=False) for row in now.of_group(group)),
        )
        for group in (now.groups if len(now.groups) > 1 else ())
    ]
    title = _("Standings · %(stage)s") % {"stage": stage.name}
    heading = heading_of(event, title, note=note, mark=mark)
    return StandingsSheet(heading, standings_columns(event, with_table), rows, tuple(parts), _net(event, now.rows))


def cut_sheet(stage: Stage, cut: Cut | None = None) -> CutSheet:
    """The cut of a stage with the reason for every name: a kept version, or the proposal as results stand.

    Raises:
        StepRefused: the stage isn't drawn, or nobody goes on from it.
    """
    window = None
    if cut is None:
        proposal = cuts.propose(stage)
        lines, settled = proposal.lines, proposal.settled
        note, mark = _("As of %(when)s") % {"when": _moment(timezone.now(), stage.event)}, _("proposal")
    else:
        lines, settled = tuple(cut.lines.select_related("entry")), cut.settled
        window = window_of_cut(cut, stage.event.club)
        when = _moment(cut.published_at or cut.made_at, stage.event)
        note = _("Version %(n)d of %(when)s") % {"n": cut.number, "when": when}
        mark = "" if cut.state == Cut.State.PUBLISHED else cut.get_state_display()
    names = {line.entry_id: line.entry.name for line in lines}
    title = _("The cut · %(stage)s") % {"stage": stage.name}
    return CutSheet(
        heading_of(stage.event, title, note=note, mark=mark),
        on=tuple(_cut_row(line, names) for line in lines if line.advances),
        out=tuple(_cut_row(line, names) for line in lines if not line.advances),
        settled=tuple(settled_words(settled, names)),
        window=_window_words(window, stage.event),
    )


def result_sheet(event: Event) -> ResultSheet | None:
    """The event's result as published, then who went out at each cut; None while none stands."""
    published = standing_result(event)
    if published is None:
        return None
    parts = []
    earlier = event.stages.filter(number__lt=published.stage.number).order_by("-number")
    for stage in earlier.select_related("event__rules", "event__club"):
        if cut := published_cut(stage):
            out = cut.lines.filter(advances=False).select_related("entry")
            rows = tuple(PrintedRow("", line.entry.name, (cell(line.points),)) for line in out)
            parts.append(StandingsPart(_("Out after %(stage)s") % {"stage": stage.name}, (_("Points"),), rows))
    final = [Row.from_data(row) for row in published.rows]
    recorded, window = recorded_of(published.stage), window_of(published, timezone.now())
    best = published_high_game(recorded, final, lowest_wins=event.rules.lowest_wins)
    return ResultSheet(
        heading_of(event, _("Result"), note=version_words(published, event)),
        standings_columns(event, with_table=False),
        tuple(row_of(row, event, with_table=False) for row in final),
        tuple(parts),
        _net(event, final),
        _match(event, final),
        tuple(
            WinnerLine(place(one["row"]), one["row"].name, points(one["row"].points), one["words"])
            for one in podium_of(result_rows(event, final))
        ),
        _best_words(best, event),
        chart_of(published.stage, final, club=event.club, recorded=recorded),
        _window_words(window, event),
    )


def _window_words(window: Window | None, event: Event) -> str:
    """Until when a correction can be asked for; "" for no window. It names the day: a sheet may be read later."""
    return _("Corrections can be asked for until %(at)s.") % {"at": _moment(window.until, event)} if window else ""


def _best_words(best: Mapping[str, Any] | None, event: Event) -> str:
    """The best game in a sentence, "" where there is none."""
    if best is None:
        return ""
    given = {"points": points(best["points"]), "names": " & ".join(best["names"]), "n": best["round"]}
    if event.by_rounds:
        return _("Best game: %(points)s, %(names)s, in round %(n)s.") % given
    return _("Best game: %(names)s, %(points)s.") % given


def _match(event: Event, rows: Sequence[Row]) -> StandingsPart | None:
    """The two clubs of a match between them, the winner first; None for other formats."""
    clubs = match_of(event, rows)
    first = ["1", "2"] if any(club["leads"] for club in clubs) else ["1=", "1="]
    lines = tuple(
        PrintedRow(place, club["name"], (club["tables_won"], points(club["points"])))
        for place, club in zip(first, clubs, strict=False)
    )
    return StandingsPart(_("The match"), (_("Tables won"), _("Points")), lines) if lines else None


def _cut_row(line: CutLine, names: dict[int, str]) -> CutRow:
    return CutRow(line.order, line.entry.name, line.where, cell(line.points), reason_words(line, names))


def standings_columns(event: Event, with_table: bool) -> tuple[str, ...]:
    """The heads of the figures of `row_of`."""
    columns = [_("Table")] if with_table else []
    columns += [_("Points"), _("Games won")]
    return tuple([*columns, _("Sets")] if event.rules.rule_set.has_bids else columns)


def row_of(row: Row, event: Event, *, with_table: bool) -> PrintedRow:
    """A line of standings as text."""
    figures = [row.group] if with_table else []
    figures += [points(row.points), row.games_won]
    if event.rules.rule_set.has_bids:
        figures.append(str(row.sets))
    return PrintedRow(place(row), row.name, tuple(figures), _note(row, event))


def _net(event: Event, rows: Sequence[Row]) -> StandingsPart | None:
    """The standings with handicap, and why each has theirs; None where no handicaps are given, or still secret."""
    view = net_view(event, rows)
    if view is None or view["hidden"]:
        return None
    return StandingsPart(
        _("With handicap"),
        (_("With handicap"), _("From scratch")),
        tuple(
            PrintedRow(place(net), net.row.name, (points(net.total), points(net.row.points)), why)
            for net, why in view["lines"]
        ),
    )


def _note(row: Row, event: Event) -> str:
    said = notes_of(row, event)
    if row.sit_outs:
        words = ngettext("%(n)d sit-out: %(points)s", "%(n)d sit-outs: %(points)s", row.sit_outs)
        said.append(words % {"n": row.sit_outs, "points": points(row.credit)})
    return ", ".join(said)


def version_of(published: PublishedStandings | PublishedPrizes, event: Event) -> str:
    """Which version of published standings or prizes this is, and of when."""
    return _("Version %(n)d of %(when)s") % {"n": published.number, "when": _moment(published.at, event)}


def version_words(published: PublishedStandings | PublishedPrizes, event: Event) -> str:
    """Which version of published standings or prizes this is, of when and why."""
    version = version_of(published, event)
    return f"{version} · {published.reason}" if published.reason else version


def _moment(at: datetime, event: Event) -> str:
    return date_format(at.astimezone(event.club.zone), "DATETIME_FORMAT")
