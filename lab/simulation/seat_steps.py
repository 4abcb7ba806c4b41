"""What a random director does to the seats of a round that is being played."""

from collections.abc import Callable
from typing import Any

from lab.simulation.director import RandomDirector
from tournaments.draws.changes import swap_units
from tournaments.entries import partners
from tournaments.models import Draw, Entry, Seat
from tournaments.rounds import seat_changes
from tournaments.rounds.attendance import arrive
from tournaments.rounds.seat_changes import Newcomer


def seat_steps(director: RandomDirector) -> dict[str, Callable[[], object]]:

    def seated(draw: Draw) -> Entry:
        return director.one_in(Seat.objects.filter(draw=draw).select_related("entry")).entry

    def newcomer() -> Newcomer:
        if director.choose(3):
            return Newcomer(director.some_entry())
        return Newcomer(guest=f"Guest {director.next_id()}"[:30])

    def said() -> dict[str, Any]:
        return {"draw": director.some_draw(Draw.State.PUBLISHED), **director.said}

    def replace() -> None:
        how = said()
        seat_changes.take_over(leaving=seated(how["draw"]), newcomer=newcomer(), sat=bool(director.choose(2)), **how)

    def play_for() -> None:
        how = said()
        seat_changes.play_for(absent=seated(how["draw"]), newcomer=newcomer(), gone=not director.choose(3), **how)

    def swap() -> None:
        how = said()
        units = swap_units(how["draw"])
        one, other = director.one_of(units), director.one_of(units)
        seat_changes.swap(entry=one.key, other=other.key, sat=bool(director.choose(2)), **how)

    def move() -> None:
        how = said()
        tables = list(how["draw"].tables.order_by("number").values_list("number", flat=True))
        seat_changes.move_table(table=director.one_of(tables), to=1 + director.choose(len(tables) + 3), **how)

    def add_table() -> None:
        how = said()
        seated = Seat.objects.filter(draw=how["draw"]).values("entry")
        free = list(director.event.entries.filter(state=Entry.State.HERE).exclude(pk__in=seated))
        event, size = director.event, 3 + director.choose(4)
        if event.fixed_sides:  # two sides that come late
            free, size = [], 2 * event.per_side
        while len(free) < size:  # they come late
            free.append(arrive(event=event, by=director.by, name=f"Late {director.next_id()}"[:30]))
            if event.makes_sides and len(free) % event.per_side == 0:
                partners.join_side(event=event, entries=free[-event.per_side :], by=director.by)
        seat_changes.add_table(entries=[entry.pk for entry in free[-size:]], **how)

    steps: dict[str, Callable[[], object]] = {
        "replace a player": replace,
        "let somebody play for a player": play_for,
        "swap two seats": swap,
        "move a table": move,
        "take a change of seats back": lambda: seat_changes.take_change_back(**said()),
    }
    if director.event.traits.late_tables:
        steps["add a table"] = add_table
    return steps
