"""The boxes of a line of the grid: the fields of a game's form in the order of its printed card, each keyed by figures.

A question with a few answers is answered with a key: 1 for the first side, 2 for the second, 0 for nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.families.deal_form import NOBODY, DealForm

UNKNOWN = "?"  # put before a typed key that is no answer: no choice of any form begins with it
SETS = "written_sets"  # the field of the scorer's marks
WIDE = 12  # boxes of the sides in one row; a line with more has a row for each side


class KeyInput(forms.TextInput):
    """An input for a question answered by a key: it shows the key, and gives the form the answer."""

    def __init__(self, keys: Mapping[str, str], attrs: dict[str, Any] | None = None) -> None:
        """`keys`: key to the answer's value in the form."""
        super().__init__({"class": "figure", "autocomplete": "off", "inputmode": "numeric", **(attrs or {})})
        self.keys = dict(keys)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        """The answer that the key stands for; any other text marked, so that no form takes it for an answer."""
        typed = (data.get(name) or "").strip()
        return self.keys.get(typed, f"{UNKNOWN}{typed}") if typed else ""

    def format_value(self, value: Any) -> str:
        """The key of an answer, or what was typed instead of one."""
        return self.key_of(value)

    def key_of(self, value: Any) -> str:
        """The key of an answer, "" for none."""
        text = "" if value is None else str(value)
        return next((key for key, found in self.keys.items() if found == text), text.removeprefix(UNKNOWN))


class KeysInput(KeyInput):
    """An input for an answer of several keys, typed one after the other: "12" for both sides."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        """The answers, those of keys that are none marked as such."""
        typed = "".join((data.get(name) or "").split())
        return [self.keys.get(key, f"{UNKNOWN}{key}") for key in typed]

    def format_value(self, value: Any) -> str:
        """The keys of the answers, or what was typed instead."""
        return "".join(self.key_of(one) for one in value or ())


@dataclass(frozen=True, slots=True)
class KeyingColumn:
    """One column: its head, and the answers with their keys where it is a question. `running`: the written total."""

    head: str
    keys: tuple[tuple[str, str], ...] = ()
    by_side: bool = False  # the keys are the sides' numbers
    running: bool = False

    @property
    def label(self) -> str:
        """Its head, with the keys of sides."""
        return f"{self.head} {self.keys_in_short}" if self.by_side else self.head

    @property
    def keys_in_short(self) -> str:
        """The keys of sides, and of what else there is: "1 2", "1 2, 0 Nobody"."""
        sides = " ".join(key for key, _words in self.keys if key != "0")
        return ", ".join([sides, *(f"{key} {words.partition(':')[0]}" for key, words in self.keys if key == "0")])


@dataclass(frozen=True, slots=True)
class LineLayout:
    """How a game's lines are ruled: the names of the fields and the heads over them.

    `stacked`: a line has a row for each side, under one set of columns; else all sides stand in one row.
    """

    first: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    last: tuple[str, ...]
    columns: dict[str, KeyingColumn]
    stacked: bool

    @property
    def first_heads(self) -> list[KeyingColumn]:
        """Heads of what stands before the sides."""
        return [self.columns[name] for name in self.first]

    @property
    def side_heads(self) -> list[KeyingColumn]:
        """Heads of one side's columns."""
        return [self.columns[name] for name in self.sides[0]]

    @property
    def last_heads(self) -> list[KeyingColumn]:
        """Heads of what stands after the sides."""
        return [self.columns[name] for name in self.last]

    @property
    def width(self) -> int:
        """Columns of the table, with the deal's number and what came of it."""
        across = 1 + len(self.sides[0]) if self.stacked else sum(len(side) for side in self.sides)
        return 2 + len(self.first) + across + len(self.last)

    @property
    def legend(self) -> list[KeyingColumn]:
        """The questions whose answers aren't sides, each once: they are written out over the table."""
        asked = {column.head: column for column in self.columns.values() if column.keys and not column.by_side}
        return list(asked.values())

    def names(self) -> Iterator[str]:
        """All fields in the order in which they are keyed."""
        yield from self.first
        for side in self.sides:
            yield from side
        yield from self.last


def lay_out(form: DealForm, *, sets: bool = False) -> LineLayout:
    """The columns for a game's form; its questions are then answered by keys. `sets`: also whom the scorer marked as
    set, in a game in which that can be."""
    line = form.paper_line()
    last = (*line.last, SETS) if sets and SETS in form.fields else line.last
    columns = {}
    for name in (*line.first, *(name for side in line.sides for name in side), *last):
        columns[name] = _sets(form) if name == SETS else _column(form, name)
    stacked = sum(len(side) for side in line.sides) > WIDE
    return LineLayout(line.first, line.sides, last, columns, stacked)


def _sets(form: DealForm) -> KeyingColumn:
    """The scorer's marks: the numbers of the sides, 0 for nobody; empty where nobody looked."""
    field = form.fields[SETS]
    keys = {str(side + 1): (str(side), words) for side, words in form.side_choices()} | {"0": (NOBODY, _("Nobody"))}
    field.widget = KeysInput({key: value for key, (value, _words) in keys.items()})
    field.error_messages = {**field.error_messages, **_asking(keys)}
    return KeyingColumn(_("Set"), tuple((key, words) for key, (_value, words) in keys.items()), by_side=True)


def _column(form: DealForm, name: str) -> KeyingColumn:
    field = form.fields[name]
    if name.startswith("written_"):
        _as_text(field)
        return KeyingColumn(_("Running"), running=True)
    label = str(field.label or "").partition(":")[0]
    if field.label in form.sides:
        label = _("Points")
    if isinstance(field, forms.BooleanField):
        field = form[name].field = form.fields[name] = _Tick(label=label, choices=[(True, _("yes"))], required=False)
    if not isinstance(field, forms.ChoiceField):
        _as_text(field)
        return KeyingColumn(label)
    choices: Any = field.choices
    answers = [(value, str(words)) for value, words in choices if value != ""]
    by_side = type(answers[0][0]) is int
    start = 1 if field.required or isinstance(field, _Tick) else 0
    keys = {
        str(value + 1 if by_side else start + place): (str(getattr(value, "value", value)), words)
        for place, (value, words) in enumerate(answers)
    }
    field.widget = KeyInput({key: value for key, (value, _words) in keys.items()})
    field.error_messages = {**field.error_messages, **_asking(keys)}
    return KeyingColumn(label, tuple((key, words) for key, (_value, words) in keys.items()), by_side)


def _as_text(field: forms.Field) -> None:
    """Arrow keys go to other lines: in a number's own input they would change it."""
    if isinstance(field.widget, forms.NumberInput):
        field.widget.input_type = "text"


class _Tick(forms.ChoiceField):
    """Yes by a key, no by leaving it empty."""

    def clean(self, value: Any) -> bool:
        """Whether the key was typed. Raises ValidationError for any other."""
        return bool(super().clean(value))


def _asking(keys: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    answers = ", ".join(f"{key}: {words}" for key, (_value, words) in keys.items())
    words = _("Type a key: %(answers)s.") % {"answers": answers}
    return {"required": words, "invalid_choice": words}


def shown(form: DealForm, name: str, *, values: Mapping[str, Any]) -> str:
    """What stands in a box for a recorded deal: a figure or a key. `values` are the form's values for its facts."""
    value = values.get(name)
    widget = form.fields[name].widget
    if isinstance(widget, KeyInput):
        return widget.key_of(getattr(value, "value", value))
    return "" if value is None else str(value)
