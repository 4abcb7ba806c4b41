"""The movement sheet of a club night: where everybody goes in every round, what that repeats, and the wishes.

Only directors get it: rounds after the one drawn are those planned with it, and are drawn again when somebody comes or
goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubsite.names import in_order
from clubsite.pdf.documents import Heading
from scoring.engine.core.ruleset import Shape
from tournaments.documents.from_draws import heading_of_draw, title_of_draw
from tournaments.draws import rotation
from tournaments.draws.keeping import WITH_SEATS, draws_before, seated_in
from tournaments.draws.wishes import names_of
from tournaments.draws.words import METHODS, seat_in_words, statement_words
from tournaments.engine.rounds import SeatedRound
from tournaments.events.words import seat_name
from tournaments.models import Draw

FOURS = Shape(2, 2)


@dataclass(frozen=True, slots=True)
class MovementRow:
    """Where somebody is in each round: table and seat, "out", or nothing for who wasn't there."""

    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MovementSheet:
    """All rounds of a night as far as they are planned."""

    heading: Heading
    rounds: tuple[str, ...]  # numbers; those only planned have a star
    rows: tuple[MovementRow, ...]  # by name
    statement: tuple[str, ...]
    by_hand: tuple[str, ...] = ()
    planned: bool = False  # whether some are only planned

    @property
    def dense(self) -> bool:
        """Whether the columns need small print to stand side by side."""
        return len(self.rounds) > 12


def movement_sheet(draw: Draw) -> MovementSheet:
    """The movement of the night that a draw belongs to: rounds played, this one, and those planned with it."""
    before = [*draws_before(draw).prefetch_related(*WITH_SEATS), draw]
    ahead = () if draw.by_hand else rotation.from_data(draw.ahead)
    rounds = [*(seated_in(one).numbered for one in before), *ahead]
    numbers = [str(one.round.number) for one in before]
    numbers += [f"{draw.round.number + n}*" for n in range(1, len(ahead) + 1)]
    people = {person for one in rounds for person in (*one.seated, *one.sit_outs)}
    name = names_of(people)
    rows = [MovementRow(name(person), tuple(_places(person, rounds))) for person in people]
    return MovementSheet(
        heading_of_draw(draw, _("Movement · %(what)s") % {"what": title_of_draw(draw)}),
        tuple(numbers),
        tuple(sorted(rows, key=lambda row: in_order(row.name))),
        tuple(_said(draw)),
        tuple(f"{a} ⇄ {b}" for a, b in draw.statement.get("by_hand", ())),
        bool(ahead),
    )


def _places(person: int, rounds: Iterable[SeatedRound]) -> Iterable[str]:
    for one in rounds:
        if person in one.sit_outs:
            yield pgettext("sits out", "out")
            continue
        yield next(
            (_place(n, table, person=person) for n, table in enumerate(one.tables, 1) if person in chain(*table)), ""
        )


def _place(number: int, table: Sequence[Sequence[int]], *, person: int) -> str:
    """Table and seat: "3 N" where partners sit opposite, else table and the seat's number, "6 · 4"."""
    side = next(n for n, own in enumerate(table) if person in own)
    position = table[side].index(person)
    shape = Shape(len(table), len(table[0]))
    if shape == FOURS:
        return f"{number} {seat_name(shape, side, position=position)[0]}"
    return f"{number} · {position * shape.sides + side + 1}"


def _said(draw: Draw) -> list[str]:
    """How the draw was made, its statement (of the whole plan, else of the rounds so far) and its wishes in words."""
    said = draw.statement
    fates = rotation.fates_of(said)
    name = names_of({person for fate in fates for person in fate.wish.people})
    lines = statement_words(rotation.statement_of(said.get("whole") or said), fates, name=name, seat=seat_in_words)
    method = METHODS.get(said.get("how", {}).get("method", ""))
    return [str(method), *lines] if method else lines
