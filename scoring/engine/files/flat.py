"""Records as the cells of a table and back, by the records' own types.

A cell's name is its path in the record ("shape.sides", "facts.meld.0"), as in a deal file. A field that equals its
default has no cell, and an empty cell counts as none. `null` stands for nothing and `[]` for an empty list, where a
cell is needed for it.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

NOTHING, EMPTY = "null", "[]"
YES, NO = "true", "false"

_FIGURE = re.compile(r"[-\N{MINUS SIGN}]?\d{1,9}")


def cells_of(record: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The cells of a frozen dataclass: name and text.

    >>> from scoring.engine.core.ruleset import Shape
    >>> dict(cells_of(Shape(2, 1))), dict(cells_of(Shape(3, 2), "shape."))
    ({'sides': '2'}, {'shape.sides': '3', 'shape.per_side': '2'})
    """
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if value != field.default:
            yield from _cells(value, f"{prefix}{field.name}")


def _cells(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if dataclasses.is_dataclass(value):
        cells = list(cells_of(value, f"{path}."))
        first = dataclasses.fields(value)[0].name
        yield from cells or _cells(getattr(value, first), f"{path}.{first}")  # else the record would have no cell
    elif isinstance(value, tuple):
        if not value:
            yield path, EMPTY
        for place, item in enumerate(value):
            yield from _cells(item, f"{path}.{place}")
    elif value is None:
        yield path, NOTHING
    elif isinstance(value, bool):
        yield path, YES if value else NO
    else:
        yield path, str(value)


def data_of(kind: Any, cells: Mapping[str, str]) -> Any:
    """JSON data of a record from its cells, for `facts.from_data`: text that isn't of the type is kept as text.

    >>> from scoring.engine.core.ruleset import Shape
    >>> data_of(Shape, {"sides": "2", "per_side": ""}), data_of(Shape, {"sides": "two"})
    ({'sides': 2}, {'sides': 'two'})
    """
    return _data(kind, _tree({path: cell for path, cell in cells.items() if cell != ""}))


def _tree(cells: Mapping[str, str]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, cell in cells.items():
        *places, last = path.split(".")
        at = tree
        for place in places:
            inner = at.get(place)
            if not isinstance(inner, dict):  # a cell of the whole gives way to cells of its parts
                inner = at[place] = {}
            at = inner
        at.setdefault(last, cell)
    return tree


def _data(kind: Any, tree: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if tree == NOTHING:
            return None
        (inner,) = (option for option in typing.get_args(kind) if option is not type(None))
        return _data(inner, tree)
    if origin is tuple:
        return _items(typing.get_args(kind)[0], tree)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        if not isinstance(tree, dict):
            return tree
        return {name: _data(hints[name], part) if name in hints else part for name, part in tree.items()}
    if kind is int and isinstance(tree, str) and _FIGURE.fullmatch(tree):
        return int(tree.replace("\N{MINUS SIGN}", "-"))
    if kind is bool and isinstance(tree, str) and tree.casefold() in (YES, NO):
        return tree.casefold() == YES
    return tree


def _items(inner: Any, tree: Any) -> Any:
    """A list from cells that are numbered from 0; a gap in the numbers becomes None, or an empty record."""
    if tree == EMPTY:
        return []
    if not isinstance(tree, dict) or not all(place.isascii() and place.isdecimal() for place in tree):
        return tree
    places = {int(place): part for place, part in tree.items()}
    if max(places) > 2 * len(places) + 100:  # a slip in a number: no list is made that long
        return tree
    gap: Any = {} if dataclasses.is_dataclass(inner) else None
    return [_data(inner, places.get(n, gap)) for n in range(max(places) + 1)]
