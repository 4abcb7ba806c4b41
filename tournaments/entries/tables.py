"""The table of an event's entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event
from tournaments.tables import FIGURES, NameColumn, Pad

MARKS = {Entry.State.HERE: "agreed", Entry.State.RESERVE: "waiting", Entry.State.WITHDRAWN: "void"}


class EntriesTable(Pad):
    """Who takes part."""

    number = tables.Column(verbose_name=_("No."), attrs=FIGURES)
    name = NameColumn(verbose_name=_("Name"))
    state = tables.Column(verbose_name=_("State"))
    seat = tables.Column(
        verbose_name=_("Table"), accessor="pk", orderable=False, default="", attrs={"td": {"data-label": _("Table")}}
    )
    member = tables.Column(
        verbose_name=_("Member"),
        accessor="member__name",
        order_by=("member__by_name",),
        default="",
        attrs={"td": {"data-label": _("Member")}},
    )
    note = tables.Column(verbose_name=_("Note"), default="")
    change = tables.Column(verbose_name=_("Change"), accessor="pk", orderable=False)

    class Meta(Pad.Meta):
        attrs = {"class": "pad folds"}
        sequence = ("number", "name", "state", "seat", "member", "note", "change")

    def __init__(self, *args: Any, event: Event, seats: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.seats = seats

    def render_name(self, value: str) -> SafeString:
        """Not broken under 25 letters."""
        return format_html('<span class="name">{}</span>', value)

    def render_state(self, value: str, record: Entry) -> SafeString:
        """In words, with a shape."""
        return format_html('<span class="state state-{}">{}</span>', MARKS[Entry.State(record.state)], value)

    def render_seat(self, record: Entry) -> str:
        """Table and group of the latest stage."""
        return self.seats.get(record.pk, "")

    def render_note(self, value: str, record: Entry) -> str:
        """The note; and whether they may not go on."""
        return value if record.eligible else _now("may not go on: %(why)s") % {"why": value}

    def render_change(self, record: Entry) -> SafeString:
        """The link to the entry's page."""
        url = reverse("entry", args=[self.event.club.slug, self.event.slug, record.pk])
        return format_html(
            '<a class="btn btn-outline-primary btn-sm" href="{}" aria-label="{}">{}</a>',
            url,
            _now("Change %(name)s") % {"name": record.name},
            _now("Change"),
        )


def entries_table(
    request: HttpRequest, event: Event, *, entries: Iterable[Entry], seats: dict[int, str]
) -> EntriesTable:
    """All entries of an event, in the order that the request asks for, on one page."""
    rows = list(entries)
    filled = {"seat": seats, "member": any(row.member_id for row in rows), "note": any(row.note for row in rows)}
    empty = [name for name, something in filled.items() if not something]
    table = EntriesTable(rows, event=event, seats=seats, exclude=empty)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
