"""Deal facts to and from plain JSON data, by the facts' own types.

Facts are frozen dataclasses whose fields are int, bool, str, a StrEnum, a tuple of one of
these, another such dataclass, or any of these or None. Reading reports every wrong field at once.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
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
    made = _read(kind, data, "", wrong)
    if wrong:
        raise FactsError(tuple(wrong))
    return typing.cast(T, made)


@cache
def _fields(kind: type) -> dict[str, tuple[Any, bool]]:
    hints = typing.get_type_hints(kind)
    return {
        f.name: (
            hints[f.name],
            f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING,
        )
        for f in dataclasses.fields(kind)
    }


def _read(kind: Any, data: Json, path: str, wrong: list[WrongField]) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        options = typing.get_args(kind)
        if data is None and type(None) in options:
            return None
        (inner,) = (option for option in options if option is not type(None))
        return _read(inner, data, path, wrong)
    if origin is tuple:
        if not isinstance(data, list | tuple):
            wrong.append(WrongField(path, "wrong-type", KINDS[tuple]))
            return ()
        inner = typing.get_args(kind)[0]
        return tuple(_read(inner, item, f"{path}.{i}", wrong) for i, item in enumerate(data))
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(typing.cast(type, kind), data, path, wrong)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError:
            wrong.append(WrongField(path, "not-a-choice", ", ".join(str(choice.value) for choice in kind)))
            return None
    if type(data) is not kind:  # bool is not an int here
        wrong.append(WrongField(path, "wrong-type", KINDS[kind]))
        return None
    return data


def _read_dataclass(kind: type, data: Json, path: str, wrong: list[WrongField]) -> Any:
    if not isinstance(data, Mapping):
        wrong.append(WrongField(path or "deal", "wrong-type", KINDS[dict]))
        return None
    prefix = f"{path}." if path else ""
    fields = _fields(kind)
    before = len(wrong)
    wrong.extend(WrongField(f"{prefix}{name}", "unknown") for name in data if name not in fields)
    values = {}
    for name, (hint, required) in fields.items():
        if name in data:
            values[name] = _read(hint, data[name], f"{prefix}{name}", wrong)
        elif required:
            wrong.append(WrongField(f"{prefix}{name}", "missing"))
    return None if len(wrong) > before else kind(**values)
