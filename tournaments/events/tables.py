"""The table of a club's events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from scoring.templatetags.rule_texts import translated
from tournaments.models import Event
from tournaments.tables import Pad


class EventsTable(Pad):
    """The events of a club."""

    starts_at = tables.Column(verbose_name=_("Date"))
    name = tables.Column(verbose_name=_("Event"))
    rules = tables.Column(verbose_name=_("Game"), order_by=("rules__title",))
    place = tables.Column(verbose_name=_("Where"))
    season = tables.Column(verbose_name=_("Season"), order_by=("season__name",))
    state = tables.Column(verbose_name=_("State"))

    class Meta(Pad.Meta):
        empty_text = _("No event yet.")

    def render_starts_at(self, value: Any) -> str:
        """The date and time in the club's zone."""
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")

    def render_name(self, record: Event) -> SafeString:
        """The name, leading to the event's page."""
        return format_html('<a href="{}">{}</a>', reverse("event", args=[self.club_slug, record.slug]), record.name)

    def render_rules(self, record: Event) -> str:
        """The title of the house rules."""
        return translated(record.rules.title)

    def render_state(self, record: Event) -> SafeString:
        """The state in words."""
        mark = {"running": "playing", "planned": "waiting", "finished": "over"}[record.state]
        return format_html('<span class="state state-{}">{}</span>', mark, record.get_state_display())

    club_slug: str = ""


def events_table(request: HttpRequest, slug: str, *, events: Iterable[Event]) -> EventsTable:
    """The events of a club, twenty-five to a page."""
    table = EventsTable(events)
    table.club_slug = slug
    tables.RequestConfig(request, paginate={"per_page": 25}).configure(table)
    return table
