"""What stands in the files for spreadsheets: standings, a result, a season, the deals and the entries of an event."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from django.db.models import Prefetch
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.models import Deal, DealVersion, Points
from tournaments.engine.standings.tie_breaks import STRENGTH
from tournaments.events.words import TIE_BREAKS
from tournaments.exports.sheets import Cell, Sheet
from tournaments.models import Draw, Event, Group, PublishedStandings
from tournaments.seasons.table import SeasonTable
from tournaments.standings.standings import Row
from tournaments.standings.words import notes_of

STANDING = attrgetter(
    "place", "number", "name", "points", "won", "games_played", "sets", "sit_outs", "credit", "group"
)  # what stands of a row in its columns, beside the notes


def standings_sheet(event: Event, *, rows: Iterable[Row], title: str) -> Sheet:
    """Standings of a stage, or the result; a column for each tie-break by the strength of opponents that it has."""
    rows = list(rows)
    strength = [slug for slug in STRENGTH if any(slug in row.opponents for row in rows)]
    heads = (
        _("Place"), _("Number"), _("Name"), _("Points"), _("Games won"), _("Games"), _("Sets"), _("Sat out"),
        _("Points for sit-outs"), _("Group"), *(str(TIE_BREAKS[slug]) for slug in strength), _("Notes"),
    )  # fmt: skip
    return Sheet(
        f"{event.name} {title}",
        heads,
        tuple((*STANDING(row), *map(row.opponents.get, strength), ", ".join(notes_of(row, event))) for row in rows),
    )


def result_sheet(event: Event, published: PublishedStandings) -> Sheet:
    """The result as published."""
    rows = (Row.from_data(row) for row in published.rows)
    return standings_sheet(event, rows=rows, title=_("result version %(n)d") % {"n": published.number})


def season_sheet(table: SeasonTable) -> Sheet:
    """A season's table, every night a column: those with a place, then those without one."""
    days = tuple(localtime(event.starts_at).date().isoformat() for event in table.nights)
    heads = (_("Place"), _("Division"), _("Name"), _("Team"), _("Total"), _("Nights"), _("Average"), *days)
    division = {line.member: part.division for part in table.parts for line in part.lines}
    return Sheet(
        table.season.name,
        heads,
        tuple(
            (
                line.place,
                division.get(line.member),
                line.name,
                line.team,
                line.total,
                line.attended,
                round(line.average, 2),
                *line.nights,
            )
            for line in (*table.lines, *table.apart)
        ),
    )


def entries_sheet(event: Event) -> Sheet:
    """Who is on the list of an event. One query."""
    heads = (_("Number"), _("Name"), _("Member"), _("State"), _("Side"), _("Plays for"), _("Note"))
    return Sheet(
        f"{event.name} {_('entries')}",
        heads,
        tuple(
            (
                entry.number,
                entry.name,
                _("yes") if entry.member_id else _("no"),
                str(entry.get_state_display()),
                entry.team,
                entry.plays_for,
                entry.note,
            )
            for entry in event.entries.order_by("number")
        ),
    )


def deals_sheet(event: Event) -> Sheet:
    """Every deal of an event as it stands now, a row for each side of it. Five queries, whatever their number."""
    versions = DealVersion.objects.filter(current=True).prefetch_related(
        Prefetch("points", queryset=Points.objects.order_by("side"))
    )
    deals = (
        Deal.objects.filter(
            game__group_game__group__table__draw__round__stage__event=event,
            game__group_game__group__table__draw__state=Draw.State.PUBLISHED,
        )
        .select_related("game__group_game__group__table__draw__round__stage")
        .prefetch_related("game__sides", Prefetch("versions", queryset=versions))
        .order_by("game__group_game__group__table__draw__round__stage__number", "game_id", "number")
    )
    heads = (
        _("Stage"), _("Round"), _("Table"), *((_("Match"),) if event.has_bracket else ()),
        _("Game"), _("Deal"), _("Side"), _("Names"), _("Points"), _("Set"),
        _("State"), _("Recorded"),
    )  # fmt: skip
    return Sheet(f"{event.name} {_('deals')}", heads, tuple(row for deal in deals for row in _deal_rows(event, deal)))


def _deal_rows(event: Event, deal: Deal) -> Iterable[tuple[Cell, ...]]:
    game = deal.game
    group: Group = game.group_game.group
    round = group.table.draw.round
    for version in deal.versions.all():
        own = {points.side: points for points in version.points.all()}
        for side in game.sides.all():
            scored = own.get(side.number)
            yield (
                round.stage.name,
                round.number,
                group.label_in(event),
                *((group.table.draw.match_name(group.table.number),) if event.has_bracket else ()),
                game.group_game.number,
                deal.number,
                side.number + 1,
                " & ".join(side.names),
                scored.points if scored else None,
                _("yes") if scored and scored.was_set else "",
                str(version.get_state_display()),
                version.at,
            )
