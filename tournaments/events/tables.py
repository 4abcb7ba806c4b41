"""The table of a club's events."""

from __future__ import annotations

import django_tables2 as tables
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django_tables2.utils import Accessor as A

from scoring.templatetags.rule_texts import translated
from tournaments.models import Event
from tournaments.tables import Pad


class EventsTable(Pad):
    """The events of a club."""

    starts_at = tables.DateTimeColumn(
        verbose_name=_("Date"), format="SHORT_DATETIME_FORMAT", attrs={"td": {"class": "text-nowrap"}}
    )
    name = tables.Column(verbose_name=_("Event"), linkify=("event", [A("club__slug"), A("slug")]))
    rules = tables.Column(verbose_name=_("Game"), order_by=("rules__title",))
    place = tables.Column(verbose_name=_("Where"), default="")
    season = tables.Column(verbose_name=_("Season"), order_by=("season__name",), default="")
    state = tables.Column(verbose_name=_("State"))

    class Meta(Pad.Meta):
        attrs = {"class": "pad folds"}
        empty_text = _("No event yet.")

    def render_rules(self, record: Event) -> str:
        """The title of the house rules."""
        return translated(record.rules.title)

    def render_state(self, record: Event) -> SafeString:
        """The state in words."""
        mark = {"running": "playing", "planned": "waiting", "finished": "over"}[record.state]
        return format_html('<span class="state state-{}">{}</span>', mark, record.get_state_display())


def events_table(request: HttpRequest, events: QuerySet[Event]) -> EventsTable:
    """The events of a club, twenty-five to a page."""
    table = EventsTable(events.select_related("club", "rules", "season"))
    tables.RequestConfig(request, paginate={"per_page": 25}).configure(table)
    return table
