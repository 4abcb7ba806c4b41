"""Formats whose next round follows from the results so far: round robin, Swiss, knock-out and their kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.draws import brackets, by_format, rotation
from tournaments.draws.formats.base import ByRounds, DrawOptions, people_of
from tournaments.draws.keeping import Drawn, Seated, has_begun
from tournaments.draws.wishes import wishes_of
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import fates
from tournaments.models import Draw, Event, Stage
from tournaments.seeds import seed_or_new


class ByResults(ByRounds):
    """The next round by the rules of `tournaments.engine.formats`."""

    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn:
        """The next round from the results of the rounds before."""
        event, number = stage.event, self.next_number(stage)
        seed = seed_or_new(options.seed)
        seats = by_format.next_seats(event, seed)
        return Drawn(
            round=number,
            seating=[[table] for table in seats.tables],
            sit_outs=seats.sit_outs,
            walkovers={entry: away[0] for winner, away in seats.walkovers for entry in winner},
            seed=seed,
            statement={
                **self.basis(event, [*seats.seated, *seats.sit_outs]),
                **by_format.rematches_in(event, seats),
                **brackets.drawn_in(event, seats.tables, seed=seed),
                "wishes": rotation.fates_as_data(fates([seats], self.wishes(event, number))),
            },
        )

    def wishes(self, event: Event, number: int) -> list[DrawWish]:
        """The pairs that mustn't meet in a round: in a knock-out they are kept apart in the first."""
        return wishes_of(event) if event.traits.wishes and not (event.traits.bracket and number > 1) else []

    def basis(self, event: Event, people: Sequence[int]) -> dict[str, Any]:
        """The results so far, and who plays with whom."""
        return super().basis(event, people) | {
            "rests_on": by_format.fingerprint_of_results(event),
            "totals": by_format.fingerprint_of_totals(event),
            "sides": by_format.fingerprint_of_sides(event, people),
            "lots": by_format.LOTS_BY_NUMBER,
        }

    def why_stale(self, draw: Draw) -> list[str]:
        """What makes a draw of any format by rounds stale, and a change of the sides or of who mustn't meet."""
        why, said = super().why_stale(draw), draw.statement.get("sides")
        if not why and said and said != by_format.fingerprint_of_sides(draw.round.stage.event, people_of(draw)):
            return [_("Who plays with whom, or for which club, has changed since.")]
        if not why and not has_begun(draw) and (changed := brackets.seeding_changed(draw)):
            return [changed]
        asked = [fate.wish for fate in rotation.fates_of(draw.statement)]
        if not why and not has_begun(draw) and asked != self.wishes(draw.round.stage.event, draw.round.number):
            return [_("The wishes have changed since it was made.")]
        return why

    def results_changed(self, draw: Draw) -> str:
        """Whether other rounds were published before it, or their results corrected, in words; "" for neither."""
        if words := super().results_changed(draw):
            return words
        event, rests_on = draw.round.stage.event, draw.statement.get("rests_on")
        if rests_on and rests_on != by_format.fingerprint_of_results(event):
            return _("A result that it rests on was corrected since.")
        if (totals := draw.statement.get("totals")) and totals != by_format.fingerprint_of_totals(event):
            return _("The standings that it rests on have changed since, by a penalty or bonus, say.")
        return ""

    def restated(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement with the rematches that these seats bring, and the wishes that they break."""
        before, asked = draw.round.number - 1, [fate.wish for fate in rotation.fates_of(draw.statement)]
        return {
            **draw.statement,
            **by_format.rematches_in(draw.round.stage.event, seated.seats, before=before),
            "wishes": rotation.fates_as_data(fates([seated.seats], asked)),
        }
