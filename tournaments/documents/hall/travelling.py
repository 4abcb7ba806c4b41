"""Cards to travel with: for everybody where they sit round by round, with whom, and boxes for their points.

Rounds after the last one drawn are those planned with it: only directors get them, and they are marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from clubsite.names import in_order
from clubsite.pdf.documents import PAPERS, Heading, Pages
from scoring.engine.core.ruleset import Shape
from tournaments.documents.cards import name_size
from tournaments.documents.from_draws import heading_of, version_of_draw
from tournaments.documents.hall.spots import Spots, spot_pages
from tournaments.draws import rotation
from tournaments.draws.wishes import names_of
from tournaments.engine.grouping import grouped
from tournaments.engine.rounds import SeatedRound
from tournaments.events.state import published_draws
from tournaments.events.words import seat_name
from tournaments.models import Draw, Entry, Event, Group, Seat, SitOut

ROWS = {1: 20, 2: 9, 4: 8}
"""Rounds that a card has room for, by the number of cards on a sheet."""


@dataclass(frozen=True, slots=True)
class TravelStop:
    """One line of a card: "Round 3", "Table 5", "North", partners and opponents. Without a table the person sits out,
    or the line is there to be filled in."""

    round: str
    table: str = ""
    seat: str = ""
    partners: str = ""
    against: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True)
class TravelCard:
    """One person's card."""

    name: str
    stops: tuple[TravelStop, ...]
    size: float = 16.0  # of the name, in points


@dataclass(frozen=True, slots=True)
class TravelCards:
    """Everybody's cards, by name."""

    heading: Heading
    cards: tuple[TravelCard, ...]
    planned: bool = False  # whether some rounds are only planned

    @property
    def rounds(self) -> int:
        """How many lines the longest card has."""
        return max((len(card.stops) for card in self.cards), default=0)


def travel_cards(event: Event, *, ahead: bool = False) -> TravelCards:
    """The cards of all published rounds of an event, with those planned after them when `ahead`. Six queries."""
    draws = list(published_draws(event).select_related("round__stage__event__club").prefetch_related("sit_outs__entry"))
    stops: dict[str, list[TravelStop]] = defaultdict(list)
    for name in event.entries.filter(state=Entry.State.HERE).values_list("name", flat=True):
        stops[name] = []
    groups = _groups(draws)
    for n, draw in enumerate(draws):
        before = _titles(draws[:n]) if event.by_rounds else []  # lines for rounds before somebody came
        for name, stop in (*_seated(draw, groups[draw.pk]), *_out(draw)):
            stops[name] += [TravelStop(title) for title in before[len(stops[name]) :]]
            stops[name].append(stop)
    planned = ahead and bool(draws) and event.traits.searched and not draws[-1].by_hand
    if planned:
        rounds = rotation.from_data(draws[-1].ahead)
        for name, stop in _planned(rounds, after=draws[-1].round.number):
            stops[name].append(stop)
        planned = bool(rounds)
    note = version_of_draw(draws[-1]) if draws else ""
    titles = _titles(draws) if event.by_rounds else []
    cards = [
        TravelCard(name, (*own, *(TravelStop(title) for title in titles[len(own) :])))
        for name, own in sorted(stops.items(), key=lambda item: in_order(item[0]))
    ]
    return TravelCards(heading_of(event, _("Cards to travel with"), note=note), tuple(cards), planned)


def travel_pages(made: TravelCards, paper: str, *, on: int = 0) -> Pages:
    """Two on a sheet, or as many as are wanted: 1, 2 or 4, where that leaves a line for each round to write in."""
    size = PAPERS[paper]
    fits = next((n for n in (4, 2, 1) if n <= (on or 2) and ROWS[n] >= made.rounds), 1)
    columns, rows = {1: (1, 1), 2: (1, 2), 4: (2, 2)}[fits]
    spots = Spots(size, columns, rows, (size.width - 16) / columns, (size.height - 16) / rows)
    blank = min(max(4, made.rounds), ROWS[fits])
    room = spots.width - 20
    cards = [
        TravelCard(
            card.name,
            (*card.stops, *(TravelStop("") for _n in range(blank - len(card.stops)))),
            name_size(card.name, room, most=20.0 if fits < 4 else 15.0),
        )
        for card in made.cards
    ]
    named = any(len(stop.round) > 3 for card in cards for stop in card.stops)
    context = {"heading": made.heading, "planned": made.planned, "small": fits == 4, "named": named}
    return spot_pages(spots, cards, template="documents/hall/_travel_card.html", **context)


def _titles(draws: Iterable[Draw]) -> list[str]:
    """The titles of the lines of these draws: one for each game of a set."""
    return [title for draw in draws for title in _games(draw)]


def _games(draw: Draw) -> list[str]:
    event, stage = draw.round.stage.event, draw.round.stage
    title = str(draw.round.number) if event.by_rounds else stage.name
    if stage.games == 1:
        return [title]
    return [_("%(stage)s · game %(n)d") % {"stage": title, "n": n} for n in range(1, stage.games + 1)]


def _groups(draws: Sequence[Draw]) -> dict[int, list[Group]]:
    """The groups of each draw with their seats. Two queries."""
    groups = Group.objects.filter(table__draw__in=draws).select_related("table")
    seated = groups.prefetch_related(Prefetch("seats", Seat.objects.select_related("entry")))
    return grouped((group.table.draw_id, group) for group in seated if group.seats.all())


def _seated(draw: Draw, groups: Iterable[Group]) -> Iterator[tuple[str, TravelStop]]:
    """Everybody who has a seat in a draw, with a stop for each game."""
    event = draw.round.stage.event
    for group in groups:
        names = [[seat.entry.name for seat in side] for side in group.sides]
        label = group.label_in(event)
        for title in _games(draw):
            yield from _stops(names, title=title, table=label)


def _stops(names: Sequence[Sequence[str]], *, title: str, table: str) -> Iterator[tuple[str, TravelStop]]:
    """The name and the stop of each person of a group. `names` are those of each side, in order of seats."""
    shape = Shape(len(names), len(names[0]))
    for n, side in enumerate(names):
        against = ", ".join(name for m, other in enumerate(names) if m != n for name in other)
        for position, name in enumerate(side):
            partners = ", ".join(other for other in side if other != name)
            seat = seat_name(shape, n, position=position)
            yield name, TravelStop(title, table, seat, partners, against)


def _out(draw: Draw) -> Iterator[tuple[str, TravelStop]]:
    """Everybody who sits out a draw."""
    sit_outs: Iterable[SitOut] = draw.sit_outs.all()
    for sit_out in sit_outs:
        for title in _games(draw):
            yield sit_out.entry.name, TravelStop(title, out=True)


def _planned(rounds: Sequence[SeatedRound], *, after: int) -> Iterator[tuple[str, TravelStop]]:
    """The rounds planned after one, in order. One query."""
    name = names_of({person for one in rounds for person in (*one.seated, *one.sit_outs)})
    for number, one in enumerate(rounds, after + 1):
        title = f"{number}*"
        for table, sides in enumerate(one.tables, 1):
            if sides:
                names = [[name(person) for person in side] for side in sides]
                yield from _stops(names, title=title, table=str(table))
        for person in one.sit_outs:
            yield name(person), TravelStop(title, out=True)
