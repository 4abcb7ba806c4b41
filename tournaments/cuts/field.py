"""Everybody with a seat in a stage as candidates for its cut, and the play-offs and lots held among them, as kept.

A play-off or a drawing of lots belongs to its entries and their figures: it counts again when a draw is published again
or a correction is taken back, and for no other figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from django.utils.translation import gettext as _

from tournaments.engine.grouping import grouped
from tournaments.engine.standings import cut as standings_cut
from tournaments.engine.standings.cut_line import DrawnLots, PlayedOff, Settlement
from tournaments.engine.standings.ranking import rank
from tournaments.engine.standings.tie_breaks import Chain, chain_of
from tournaments.events.chains import chain_slugs
from tournaments.models import Cut, CutLine, Draw, Entry, Event, Seat, Stage
from tournaments.seeds import seed_or_new
from tournaments.standings.standings import adjustments_in, game_rows, results_of
from tournaments.templatetags.totals import halves


class CutField:
    """Everybody with a seat in a stage, as candidates for its cut: four queries.

    With `as_in`, the tie-breaks are those of that cut, and out are those who were out when it was made.
    """

    def __init__(self, stage: Stage, as_in: Cut | None = None) -> None:
        event: Event = stage.event
        seats = list(
            Seat.objects.filter(draw__round__stage=stage, draw__state=Draw.State.PUBLISHED)
            .select_related("entry", "group__table")
            .order_by("entry_id")
        )
        self.entries = {seat.entry_id: seat.entry for seat in seats}
        self.lowest = event.rules.lowest_wins
        self.chain: Chain = chain_for(event, as_in)
        adjusted = {entry: sum(points for points, _why in lines) for entry, lines in adjustments_in(stage).items()}
        rows = game_rows(stage)
        self.results = {
            entry: replace(result, points=result.points + adjusted.get(entry, 0))
            for entry, result in results_of(rows, self.entries).items()
        }
        self._games = grouped((row.entry, row.game) for row in rows if row.deals)
        left = {} if as_in is None else {line.entry_id: line.reason for line in as_in.lines.all()}
        self.labels = {seat.entry_id: seat.group.label_in(event) for seat in seats}
        self.candidates = [
            standings_cut.Candidate(
                result=self.results[seat.entry_id],
                table=seat.group.table.number,
                group=seat.group.number,
                withdrawn=(
                    left.get(seat.entry_id) == "cut.withdrawn" if as_in else seat.entry.state == Entry.State.WITHDRAWN
                ),
                ineligible=(
                    (seat.entry.note or _("not eligible"))
                    if (left.get(seat.entry_id) == "cut.ineligible" if as_in else not seat.entry.eligible)
                    else ""
                ),
                disqualified=(
                    seat.entry.disqualified if not as_in or left.get(seat.entry_id) == "cut.disqualified" else ""
                ),
            )
            for seat in seats
        ]

    def cut(self, rule: standings_cut.CutRule, settled: Sequence[Mapping[str, Any]]) -> standings_cut.CutOutcome:
        """The cut by this rule, with the play-offs and lots as they are kept."""
        return standings_cut.propose_cut(
            self.candidates, rule=rule, chain=self.chain, settled=self.settlements(settled)
        )

    def lots(self, entries: Sequence[int], seed: int | None) -> dict[str, Any]:
        """A drawing of lots as it is kept: by the numbers of the entries, so that anybody can check it."""
        return {
            "lots": sorted(entries),
            "seed": seed_or_new(seed),
            "numbers": {str(entry): self.entries[entry].number for entry in sorted(entries)},
            "figures": self._figures(entries),
        }

    def play_off(self, points: Mapping[int, int]) -> dict[str, Any]:
        """A play-off as it is kept."""
        return {
            "play_off": {str(entry): value for entry, value in sorted(points.items())},
            "figures": self._figures(points),
        }

    def _figures(self, entries: Iterable[int]) -> dict[str, list[Any]]:
        """Each entry's points, games won and games: a play-off or lots held among them count for these figures only."""
        return {
            str(entry): [self.results[entry].points, str(self.results[entry].games_won), sorted(self._games[entry])]
            for entry in sorted(entries)
        }

    def _still(self, data: Mapping[str, Any]) -> list[int]:
        """The entries of a play-off or drawing of lots whose figures are still those that it was held for."""
        entries = [int(entry) for entry in data["play_off"]] if "play_off" in data else list(data["lots"])
        present = [entry for entry in entries if entry in self.entries]
        if "figures" not in data:  # kept by a version that didn't keep figures
            return present
        return [entry for entry in present if self._figures([entry])[str(entry)] == data["figures"][str(entry)]]

    def with_what_counts(self, settled: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Play-offs and lots as kept, each saying whether two of its entries still have the figures it was for. Rulings
        belong to the version they were made on."""
        return [{**data, "counts": len(self._still(data)) > 1} for data in settled if "ruling" not in data]

    def settlements(self, settled: Sequence[Mapping[str, Any]]) -> tuple[Settlement, ...]:
        """The play-offs and lots not set aside, each for those of its entries whose figures haven't changed since."""
        return tuple(
            self._settlement(data, self._still(data)) for data in settled if not {"undone", "ruling"} & data.keys()
        )

    def _settlement(self, data: Mapping[str, Any], still: Sequence[int]) -> Settlement:
        if "play_off" in data:
            return PlayedOff({entry: data["play_off"][str(entry)] for entry in still}, self.lowest)
        numbers = {int(entry): number for entry, number in data.get("numbers", {}).items()}
        return DrawnLots(tuple(still), data["seed"], numbers)

    def lines(self, cut: standings_cut.CutOutcome) -> tuple[CutLine, ...]:
        """All names of a cut, not saved yet: those who go on, then the others, both in the order of the whole field."""
        overall = {p.entry: n for n, p in enumerate(rank([c.result for c in cut.candidates], cut.chain))}
        sections = grouped((standings_cut.section_of(one, cut.rule.per), one) for one in cut.candidates)
        places = {p.entry: p.place for those in sections.values() for p in rank([c.result for c in those], cut.chain)}
        ordered = sorted(cut.decisions, key=lambda d: (not d.advances, overall[d.entry]))
        return tuple(
            CutLine(
                entry=self.entries[d.entry],
                order=n,
                place=places[d.entry],
                advances=d.advances,
                reason=d.code,
                args=kept_args(d),
                where=self.labels[d.entry],
                points=self.results[d.entry].points,
                games_won=halves(self.results[d.entry].games_won),
            )
            for n, d in enumerate(ordered, start=1)
        )


def chain_for(event: Event, cut: Cut | None = None) -> Chain:
    """The chain of a kept cut, which a later change of the event's tie-breaks leaves alone; else the event's."""
    slugs = cut.tie_breaks if cut and cut.tie_breaks else chain_slugs(event)
    return chain_of(slugs, lowest_wins=event.rules.lowest_wins)


def kept_args(decision: standings_cut.Decision) -> dict[str, Any]:
    """The arguments of a decision as a cut's line keeps them: with the section whose line the entry passed."""
    section = {"section": list(astuple(decision.section))} if decision.section else {}
    return dict(decision.args) | section


def counts(data: Mapping[str, Any]) -> bool:
    """Whether a play-off or drawing of lots, as kept, counts: not set aside, and held for the figures as they are."""
    return "undone" not in data and bool(data.get("counts", True))
