"""Deal facts to and from plain JSON data, by the facts' own types.

Facts are frozen dataclasses whose fields are int, bool, str, a StrEnum, a tuple of one of
these, another such dataclass, or any of these or None. Reading reports every wrong field at once.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

Json = Any  # what json.loads gives

KINDS = {int: "whole-number", bool: "yes-or-no", str: "text", tuple: "list", dict: "object"}


@dataclasses.dataclass(frozen=True, slots=True)
class WrongField:
    """A field that can't be read: its path ("melds.0.rank"), and missing, unknown, wrong-type or not-a-choice.

    `wanted` is what belongs there: of a wrong type one of `KINDS`, else the choices.
    """

    path: str
    code: str
    wanted: str = ""

    def under(self, place: str | int) -> WrongField:
        """The same, seen from the data that holds this at a place."""
        return WrongField(f"{place}.{self.path}" if self.path else str(place), self.code, self.wanted)


class FactsError(ValueError):
    """The data doesn't have the shape of the facts; carries every wrong field."""

    def __init__(self, wrong: tuple[WrongField, ...]) -> None:
        super().__init__(", ".join(f"{w.path}: {w.code}" for w in wrong))
        self.wrong = wrong


def to_data(facts: Any) -> Json:
    """Plain JSON data of facts; `from_data` gives the same facts back."""
    if dataclasses.is_dataclass(facts) and not isinstance(facts, type):
        return {f.name: to_data(getattr(facts, f.name)) for f in dataclasses.fields(facts)}
    if isinstance(facts, Enum):
        return facts.value
    if isinstance(facts, tuple):
        return [to_data(item) for item in facts]
    return facts


def from_data(kind: type[T], data: Json) -> T:
    """Facts of the given dataclass from JSON data.

    Raises:
        FactsError: fields are missing, unknown or of the wrong type; all of them are named.
    """
    wrong: list[WrongField] = []
    reader: Reader = _reader(typing.cast(Any, kind))
    made = reader(data, wrong)
    if wrong:
        raise FactsError(tuple(w if w.path else w.under("deal") for w in wrong))
    return typing.cast(T, made)


Reader = Callable[[Json, list[WrongField]], Any]
"""Gives the value of some data and adds what is wrong with it, the paths beginning at that data."""


@cache
def _reader(kind: Any) -> Reader:
    """What reads data as a type. Made once a type: a file of ten thousand deals has half a million values."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (option for option in typing.get_args(kind) if option is not type(None))
        return _or_none(_reader(inner))
    if origin is tuple:
        return _list_of(_reader(typing.get_args(kind)[0]))
    if dataclasses.is_dataclass(kind):
        return _object_of(typing.cast(type, kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice_of(kind)
    return _plain(kind)


def _plain(kind: type) -> Reader:
    def read(data: Json, wrong: list[WrongField]) -> Any:
        if type(data) is kind:  # bool is not an int here
            return data
        wrong.append(WrongField("", "wrong-type", KINDS[kind]))
        return None

    return read


def _or_none(inner: Reader) -> Reader:
    return lambda data, wrong: None if data is None else inner(data, wrong)


def _choice_of(kind: type[Enum]) -> Reader:
    values = {choice.value: choice for choice in kind}
    wanted = ", ".join(str(value) for value in values)

    def read(data: Json, wrong: list[WrongField]) -> Any:
        if isinstance(data, str) and data in values:
            return values[data]
        wrong.append(WrongField("", "not-a-choice", wanted))
        return None

    return read


def _list_of(inner: Reader) -> Reader:
    def read(data: Json, wrong: list[WrongField]) -> Any:
        if not isinstance(data, list | tuple):
            wrong.append(WrongField("", "wrong-type", KINDS[tuple]))
            return ()
        return tuple([_at(i, inner, item, wrong) for i, item in enumerate(data)])

    return read


def _object_of(kind: type) -> Reader:
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    fields = [
        (f.name, _reader(hints[f.name]), f.default is missing and f.default_factory is missing)
        for f in dataclasses.fields(kind)
    ]
    known = {name for name, _read, _needed in fields}

    def read(data: Json, wrong: list[WrongField]) -> Any:
        if not isinstance(data, Mapping):
            wrong.append(WrongField("", "wrong-type", KINDS[dict]))
            return None
        before = len(wrong)
        wrong.extend(WrongField(name, "unknown") for name in data if name not in known)
        values = {}
        for name, inner, needed in fields:
            if name in data:
                values[name] = _at(name, inner, data[name], wrong)
            elif needed:
                wrong.append(WrongField(name, "missing"))
        return None if len(wrong) > before else kind(**values)

    return read


def _at(place: str | int, inner: Reader, data: Json, wrong: list[WrongField]) -> Any:
    """Read what stands at a place within other data; the paths of what is wrong begin with the place."""
    before = len(wrong)
    value = inner(data, wrong)
    if len(wrong) > before:
        wrong[before:] = [w.under(place) for w in wrong[before:]]
    return value
