"""What each field of a record (a dataclass) means, as its annotation says: `bid: Annotated[int, "what was bid"]`.

The JSON Schemas and the lists in `docs/deal-files.md` are made of these words.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any


@dataclass(frozen=True, slots=True)
class FieldWords:
    """One field of a record. `needed`: it has no default; `parts`: the record types within its type."""

    name: str
    kind: Any
    words: str
    needed: bool
    parts: tuple[type, ...]


@cache
def fields_of(kind: type) -> tuple[FieldWords, ...]:
    """The fields of a record, in their order, each with its words.

    Raises:
        TypeError: a field has none.

    >>> from scoring.engine.core.ruleset import Shape
    >>> [(field.name, field.words, field.needed) for field in fields_of(Shape)][0]
    ('sides', 'how many sides score separately', True)
    """
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(_field(kind, known, hint=hints[known.name]) for known in dataclasses.fields(kind))


def _field(kind: type, known: dataclasses.Field[Any], *, hint: Any) -> FieldWords:
    if typing.get_origin(hint) is not typing.Annotated:
        raise TypeError(f"{kind.__name__}.{known.name} has no words")
    inner, words, *_more = typing.get_args(hint)
    needed = known.default is dataclasses.MISSING and known.default_factory is dataclasses.MISSING
    return FieldWords(known.name, inner, words, needed, tuple(_records(inner)))


def _records(kind: Any) -> Iterator[type]:
    """The records within a type."""
    if typing.get_origin(kind) in (tuple, typing.Union, UnionType):
        for inner in typing.get_args(kind):
            yield from _records(inner)
    elif dataclasses.is_dataclass(kind):
        yield typing.cast(type, kind)


def records_within(kind: type) -> tuple[type, ...]:
    """The record types within a record's fields, at any depth, each once, the outer first."""
    found: dict[type, None] = {}
    for field in fields_of(kind):
        for part in field.parts:
            found |= dict.fromkeys((part, *records_within(part)))
    return tuple(found)
