"""A form on paper: questions one below the other, or a ruled table to write in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Heading, Pages

ONE_SHEET, CLOSE_SHEET = 20, 24  # lines on one sheet with the signature, on either paper; and close together
LEAST_BLANK = 4
MOST_CHOICES = 12  # printed with a box each; where there are more, the answer is written on a line


@dataclass(frozen=True, slots=True)
class TickBox:
    """A box to tick, ticked where that holds now."""

    words: str
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its boxes, or with a line to write on; `now` is what holds until something else is written."""

    label: str
    hint: str = ""
    choices: tuple[TickBox, ...] = ()
    now: str = ""


@dataclass(frozen=True, slots=True)
class PaperForm:
    """A form on paper. `screen` names the page on which it is keyed in; `rows` are filled in as far as is known, and
    `blank` more are empty, or fewer where that saves a sheet. `told` are notes, such as what abbreviations mean.

    `columns` are written in: the head of each, and its width in millimetres (0: the width that is left).
    """

    screen: str
    questions: tuple[Question, ...] = ()
    columns: tuple[tuple[str, int], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    blank: int = 0
    told: tuple[str, ...] = ()
    heading: Heading | None = None  # known once it is printed

    @property
    def close(self) -> bool:
        """Whether the lines stand closer together, so that all of them fit on one sheet."""
        return bool(self.rows) and ONE_SHEET < len(self.rows) + min(self.blank, LEAST_BLANK) <= CLOSE_SHEET

    @property
    def _spare(self) -> int:
        """How many empty lines are printed: `blank`, or fewer where that saves a sheet."""
        if not self.rows:
            return self.blank
        room = (CLOSE_SHEET if self.close else ONE_SHEET) - len(self.rows)
        return min(room, self.blank) if room >= LEAST_BLANK else self.blank

    @property
    def lines(self) -> Iterator[tuple[str, ...]]:
        """The rows with a cell for each column, then the blank ones."""
        for row in self.rows:
            yield row + ("",) * (len(self.columns) - len(row))
        for _n in range(self._spare):
            yield ("",) * len(self.columns)


def form_pages(sheet: PaperForm, paper: str, *, heading: Heading) -> Pages:
    """A form on as many upright sheets as it needs."""
    context = {"sheet": replace(sheet, heading=heading), "size": PAPERS[paper].size}
    return Pages((render_to_string("documents/forms/form.html", context),))


def questions_of(form: forms.BaseForm) -> tuple[Question, ...]:
    """The questions of a screen's form, with what holds now."""
    return tuple(
        _question(form, name) for name, field in form.fields.items() if not isinstance(field.widget, forms.HiddenInput)
    )


def _question(form: forms.BaseForm, name: str) -> Question:
    field: Any = form.fields[name]
    now = form.get_initial_for_field(field, name)
    label, hint = str(field.label or name), str(field.help_text)
    if isinstance(field, forms.BooleanField):
        return Question(label, hint, (TickBox(_("yes"), now is True), TickBox(_("no"), now is False)))
    if not hasattr(field, "choices"):
        return Question(label, hint, now=_shown(now))
    offered = list(_offered(field.choices))
    held = {str(field.prepare_value(now))} if now is not None else set()
    if len(offered) > MOST_CHOICES:
        return Question(label, hint, now=next((words for value, words in offered if str(value) in held), ""))
    return Question(label, hint, tuple(TickBox(words, str(value) in held) for value, words in offered))


def _offered(choices: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """Choices without their groups, and without what only says that one has to choose."""
    for value, words in choices:
        if isinstance(words, (list, tuple)):
            yield from _offered(words)
        elif value != "" or words:
            yield value, str(words)


def _shown(now: Any) -> str:
    if isinstance(now, datetime):
        return date_format(localtime(now), "DATETIME_FORMAT")
    return "" if now is None else str(now)
