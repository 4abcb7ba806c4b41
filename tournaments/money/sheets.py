"""The book as files for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple

from django.utils.translation import gettext as _

from clubsite.accounts.currency import in_units
from tournaments.exports.sheets import Sheet
from tournaments.models import Event, MoneyLine
from tournaments.money.book import EventTotals, lines_shown


def event_money_sheet(event: Event) -> Sheet:
    """Every line of an event's book, the oldest first. One query."""
    currency = event.club.money
    heads = (_("When"), _("What"), _("Who or what for"), f"{_('Amount')} {currency}", _("Written by"))
    return Sheet(
        f"{event.name} {_('money')}",
        heads,
        tuple(
            (one.line.at, one.what, one.about, in_units(one.line.amount, currency), one.line.actor)
            for one in reversed(lines_shown(MoneyLine.objects.filter(event=event)))
        ),
    )


def book_sheet(title: str, rows: Iterable[EventTotals], *, currency: str) -> Sheet:
    """The events of a season or the club with what each came to. No query."""
    heads = (_("Date"), _("Event"), _("Fees"), _("Other income"), _("Prizes"), _("Costs"), _("Left"))
    return Sheet(
        title,
        heads,
        tuple(
            (
                row.event.starts_at.astimezone(row.event.club.zone).date() if row.event else None,
                row.event.name if row.event else _("belongs to no event"),
                *(in_units(amount, currency) for amount in (*astuple(row.totals), row.totals.left)),
            )
            for row in rows
        ),
    )
