"""What every format says when a round is drawn: who plays, the seats, and what the draw rests on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.names import in_order
from tournaments.draws.keeping import Drawn, Seated, draws_before, has_begun
from tournaments.draws.rotation import Asked
from tournaments.events.state import published_draws
from tournaments.models import Draw, Entry, Event, Stage

ROUNDS = 4  # planned, where nobody says otherwise


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What a director may choose for a draw. All but the seed are for draws that are searched for."""

    planned: int = ROUNDS  # rounds in all
    odd: str = "sit-out"  # what becomes of those who don't fit: `table_layout.ODD`
    effort: str = "normal"  # of `rotation.EFFORTS`
    steps: int | None = None  # of the search; None: as many as the effort has
    seed: int | None = None  # None: a new one is drawn


AS_USUAL = DrawOptions()


class EventFormat(ABC):
    """How the events of a format are drawn. What else is true of a format is said by its traits."""

    @abstractmethod
    def people(self, stage: Stage) -> list[Entry]:
        """Who is to be drawn. Raises StepRefused when that isn't known yet."""

    @abstractmethod
    def next_number(self, stage: Stage) -> int:
        """The number of the round that is drawn next."""

    @abstractmethod
    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn | Asked:
        """The seats of the next round, or what to search for. `again`: the draw is to differ from the one there is.

        Raises:
            StepRefused: there is none; says what to do about it.
        """

    @abstractmethod
    def why_stale(self, draw: Draw) -> list[str]:
        """What has changed, in words, so that a draw can't be published any more.

        A draw that was played can come back although somebody has left since: nobody's seat in it changes.
        """

    @abstractmethod
    def restated(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement of a draw when its round has these seats instead."""


class ByRounds(EventFormat):
    """An event that goes round by round, with those who are here."""

    def people(self, stage: Stage) -> list[Entry]:
        """Those who are here."""
        return list(stage.event.entries.filter(state=Entry.State.HERE))

    def next_number(self, stage: Stage) -> int:
        """The number that follows the last published round's."""
        return 1 + published_draws(stage.event).count()

    def basis(self, event: Event, people: Sequence[int]) -> dict[str, Any]:
        """What a draw of the next round rests on besides who is here, as its statement keeps it.

        `people` are those of the draw, by id.
        """
        return {"after": list(published_draws(event).values_list("pk", flat=True))}

    def why_stale(self, draw: Draw) -> list[str]:
        """As the base class; the reasons are who came, who left, and what changed in the rounds before."""
        why = [] if has_begun(draw) else _people_changed(draw)
        return [*why, words] if (words := self.results_changed(draw)) else why

    def results_changed(self, draw: Draw) -> str:
        """What changed in the rounds before, in words; "" for nothing."""
        if list(draws_before(draw).values_list("pk", flat=True)) != draw.statement.get("after", []):
            return _("The rounds before it have changed since.")
        return ""


def people_of(draw: Draw) -> set[int]:
    """Everybody of a draw, by id: at its tables, and sitting out."""
    return {s.entry_id for s in draw.seats.all()} | {s.entry_id for s in draw.sit_outs.all()}


def came_after(names: Sequence[str]) -> str:
    """That these people came too late for a draw."""
    words = ngettext("%(names)s came after this draw was made.", "%(names)s came after this draw was made.", len(names))
    return words % {"names": ", ".join(sorted(names, key=in_order))}


def _people_changed(draw: Draw) -> list[str]:
    """Who came and who left since a draw was made, in words."""
    placed = people_of(draw)
    entries = list(draw.round.stage.event.entries.all())
    came = [e.name for e in entries if e.state == Entry.State.HERE and e.pk not in placed]
    left = [e.name for e in entries if e.state != Entry.State.HERE and e.pk in placed]
    why = []
    if came:
        why.append(came_after(came))
    if left:
        words = ngettext(
            "%(names)s left after this draw was made.", "%(names)s left after this draw was made.", len(left)
        )
        why.append(words % {"names": ", ".join(sorted(left, key=in_order))})
    return why
