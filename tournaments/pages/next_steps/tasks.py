"""A thing to do next: how urgent it is, what it says, and where it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event


class Urgency(IntEnum):
    """The most urgent first."""

    NOW = 0  # something is wrong, and grows while it stands
    SOON = 1  # look at it before the next step
    NEXT = 2  # the next step of the event itself
    KNOW = 3  # nothing waits for it

    @property
    def words(self) -> str:
        """What stands beside the task."""
        return str(WORDS[self])

    @property
    def mark(self) -> str:
        """The CSS class by which it looks."""
        return self.name.lower()


WORDS = {Urgency.NOW: _("Now"), Urgency.SOON: _("Soon"), Urgency.NEXT: _("Next"), Urgency.KNOW: _("To know")}


@dataclass(frozen=True, slots=True)
class Action:
    """One tap: a link, or with `post` a form with these fields."""

    words: str
    address: str
    post: Mapping[str, str] | None = None
    director: bool = True  # whether it is for directors only


@dataclass(frozen=True, slots=True)
class NextStep:
    """One line of the list."""

    urgency: Urgency
    title: str
    words: str = ""
    actions: tuple[Action, ...] = field(default=())

    @property
    def for_directors(self) -> bool:
        """Whether there is something to press, and for directors alone."""
        return bool(self.actions) and all(action.director for action in self.actions)


def link(event: Event, name: str, *args: object, anchor: str = "") -> str:
    """The address of a page of the event's desk."""
    return reverse(name, args=[event.club.slug, event.slug, *args]) + (f"#{anchor}" if anchor else "")


def with_back(address: str, event: Event) -> str:
    """The address of a card or a deal, from which one comes back to the desk."""
    return f"{address}?{urlencode({'back': event.get_desk_url()})}"
