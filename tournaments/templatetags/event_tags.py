"""Tags and filters for pages of events: figures, amounts, moments, names, the cells of tables."""

import re
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django_tables2.rows import BoundRow

from clubsite.currency import format_money
from clubsite.names import AND
from scoring.cards.queries import explain_totals
from scoring.templatetags.figures import MINUS, points
from tournaments.engine.result_points import ResultPoints
from tournaments.models import Event

register = template.Library()
register.filter("money", format_money)

SUBMISSION = re.compile(r'(name="submission" value=")[^"]*')


@register.filter
def total(value: Fraction) -> str:
    """Without decimals if it is whole, else with one.

    >>> total(Fraction(-12)), total(Fraction(25, 2))
    ('−12', '12.5')
    """
    return points(int(value)) if value.denominator == 1 else decimal(value)


@register.filter
def decimal(value: Fraction) -> str:
    """One decimal, a half up, with a true minus sign.

    >>> decimal(Fraction(-7, 2)), decimal(Fraction(4))
    ('−3.5', '4.0')
    """
    tenths = (2 * abs(value.numerator) * 10 + value.denominator) // (2 * value.denominator)
    shown = number_format(f"{tenths // 10}.{tenths % 10}", decimal_pos=1, force_grouping=True)
    return f"{MINUS}{shown}" if value < 0 and tenths else shown


@register.filter
def describe_result_points(worth: ResultPoints | None) -> str:
    """Points for results; "" if the points scored count instead."""
    if worth is None:
        return ""
    wide = [
        _("by %(least)s or more: %(points)s") % {"least": points(least), "points": points(value)}
        for least, value in worth.wide
    ]
    results = [
        _("Win: %(points)s") % {"points": points(worth.win)} + (f" ({', '.join(wide)})" if wide else ""),
        _("draw: %(points)s") % {"points": points(worth.draw)},
        _("loss: %(points)s") % {"points": points(worth.loss)},
    ]
    return ", ".join(results)


@register.filter
def place(line: Any) -> str:
    """The place of a line of standings: "3", "3=" if it is shared, "A1" within a group, "" for none."""
    if group := getattr(line, "in_group", ""):
        return str(group)
    if not line.place:
        return ""
    return f"{line.place}=" if line.shared else str(line.place)


@register.filter
def meetings(statement: Any, changed: Any = None) -> list[tuple[Any, ...]]:
    """The ways in which people meet, with the counts of a draw's quality report, and those of the `changed` draw."""
    statements = [statement] if changed is None else [statement, changed]
    ways = (("partner", _("As partners")), ("opponent", _("As opponents")), ("table_mate", _("At one table")))
    return [(words, *(each[role] for each in statements)) for role, words in ways]


@register.filter
def milliseconds(moment: datetime | None) -> str:
    """As scripts count time; "" for None."""
    return str(int(moment.timestamp() * 1000)) if moment else ""


@register.filter
def cells(row: BoundRow) -> list[tuple[bool, str, Any]]:
    """For each cell of a row of a `ScoreTable`: whether it is the name, its attributes, its content."""
    attributes = row.table.cell_attributes
    return [(column.name == "name", attributes[column.name], cell) for column, cell in row.items()]


@register.filter
def why_ended(group: Any, event: Event) -> str:
    """Why the game that a `draws.round_views.GroupView` shows ended as it did, if the totals don't show it; without a
    director's reason."""
    game = group.shown
    if game is None or not game.deals_played:
        return ""
    if game.rules_id == event.rules_id:
        game.rules = event.rules  # read before
    winners = tuple(n for n, side in enumerate(group.sides) if side.won)
    return explain_totals(game, totals=tuple(side.total for side in group.sides), winners=winners)


@register.simple_tag
def persons(row: Any, *, pages: Any) -> SafeString:
    """Everybody of a `standings.standings.Row`, each as `person` shows them."""
    return format_html_join(AND, "{}", ((person(each.name, each.member, pages=pages),) for each in row.persons))


@register.simple_tag
def person(name: str, member: int | None, *, pages: Any) -> SafeString:
    """The name of a member or guest, as a link if they have one in `pages` (see `tournaments.people`)."""
    address = pages.address(member) if pages else ""
    if not address:
        return format_html('<span class="name">{}</span>', name)
    return format_html('<a class="name" href="{}">{}</a>', address, name)


@register.simple_tag
def spreadsheet_links(address: str, *arguments: Any, query: str = "") -> SafeString:
    """Links to a table as Excel, OpenDocument and CSV. `arguments` are those of the address before the kind of file."""
    kinds = (("xlsx", "Excel"), ("ods", "OpenDocument"), ("csv", "CSV"))
    links = ((reverse(address, args=[*arguments, kind]) + query, name) for kind, name in kinds)
    return format_html_join(" · ", '<a href="{}">{}</a>', links)


@register.simple_tag(takes_context=True)
def render_pattern(context: Context, line: Any) -> SafeString:
    """The HTML of an empty keying line, with `keying.grid.NUMBER` in place of the deal's number."""
    flat: Any = context.flatten()
    return render_to_string("tournaments/keying/_line.html", flat | {"line": line})


@register.simple_tag
def render_line(pattern: SafeString, word: str, *, number: int) -> SafeString:
    """The HTML of one deal's line from a pattern: its number for `word`, and a new submission id."""
    numbered = pattern.replace(word, str(number))
    return SafeString(SUBMISSION.sub(rf"\g<1>{uuid4()}", numbered))
