"""Rows of published standings, read by people and by sides.

A row is of whoever is ranked: a person, or a side with its `people`. An older program published a row for each person
of a side; its versions stay as they are, and are read by sides here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from clubsite.names import in_order
from tournaments.engine.grouping import grouped

Data: TypeAlias = Mapping[str, Any]  # tournaments.standings.standings.Row as data
Sides: TypeAlias = Mapping[int, int]  # entry of a person to a number that their side alone has
NO_SIDES: Sides = MappingProxyType({})


def side_name(names: Iterable[str]) -> str:
    """The name of a side: those of its people."""
    return " & ".join(names)


def rows_of_people(rows: Iterable[Data], side_of: Sides = NO_SIDES) -> Iterator[dict[str, Any]]:
    """A row for each person: those of a side have its place and figures, and its entry as `side`.

    With `side_of` so do those of a version that has a row for each of them.
    """
    rows = list(rows)
    sides = rows_of_sides(rows, side_of) if side_of else ()
    ranked = {
        person["entry"]: {"side": row["entry"], "place": row["place"]} for row in sides for person in people_of(row)
    }
    for row in rows:
        for person in people_of(row):
            yield {**row, "side": row["entry"], **person, **ranked.get(person["entry"], {})}


def rows_of_sides(rows: Iterable[Data], side_of: Sides) -> list[dict[str, Any]]:
    """A row for each side. Partners whom an adjustment of one of them had put apart have the better place."""
    single: list[dict[str, Any]] = [dict(row) for row in rows]
    by_side = grouped((side_of.get(row["entry"], -row["entry"]), row) for row in single)
    if has_sides(single) or len(by_side) == len(single):
        return single
    best = [min(own, key=lambda row: row["place"]) for own in by_side.values()]
    places = sorted(row["place"] for row in best)
    made = []
    for first, own in zip(best, by_side.values(), strict=True):
        people = sorted((person for row in own for person in people_of(row)), key=lambda person: person["number"])
        side = {
            "place": 1 + places.index(first["place"]),
            "shared": places.count(first["place"]) > 1,
            "separated_by": max(row.get("separated_by", "") for row in own),
            "withdrawn": any(row.get("withdrawn") for row in own),
        }
        if len(people) > 1:
            side |= people[0] | {"name": side_name(one["name"] for one in people), "member": None, "people": people}
        made.append(first | side)
    return sorted(made, key=lambda row: (row["place"], in_order(row["name"])))


def has_sides(rows: Iterable[Data]) -> bool:
    """Whether there are rows of sides."""
    return any("people" in row for row in rows)


def people_of(row: Data) -> list[dict[str, Any]]:
    """Everybody of a row: entry, number, name and member."""
    people: list[dict[str, Any]] | None = row.get("people")
    return people or [{name: row.get(name) for name in ("entry", "number", "name", "member")}]
