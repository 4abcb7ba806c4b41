"""The form for the points of a play-off."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from scoring.form_parts import FigureField
from tournaments.models import Entry, Event
from tournaments.requests import whole_number


class PlayOffForm(forms.Form):
    """The points of a play-off: a figure for each of those who are level."""

    def __init__(self, data: Any = None, *, level: Sequence[Entry]) -> None:
        """A form for these entries."""
        super().__init__(data)
        self.level = level
        for entry in level:
            self.fields[f"points-{entry.pk}"] = FigureField(signed=True, label=entry.name)

    def points(self) -> dict[int, int]:
        """The points of a valid form, by the keys of the entries."""
        return {entry.pk: self.cleaned_data[f"points-{entry.pk}"] for entry in self.level}


def level_in(request: HttpRequest) -> list[int]:
    """The keys of the entries that a page showed as level. Raises Http404 for anything else."""
    return [whole_number(text) for text in request.POST.getlist("level")]


def play_off_sent(request: HttpRequest, event: Event, *, step: str) -> PlayOffForm | None:
    """The form that was sent by this step of a page, for the entries that the page showed; None when another was."""
    if request.POST.get("step") != step:
        return None
    known = event.entries.in_bulk(level := level_in(request))
    return PlayOffForm(request.POST, level=[known[pk] for pk in level if pk in known])


def play_off_form(level: Sequence[Entry], sent: PlayOffForm | None) -> PlayOffForm:
    """The form for entries that are level: the one that was sent, with what was typed, if it was for them."""
    return sent if sent and _keys(sent.level) == _keys(level) else PlayOffForm(level=level)


def _keys(level: Collection[Entry]) -> set[int]:
    return {entry.pk for entry in level}
