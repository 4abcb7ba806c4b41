"""An event in a few words: for links to it and their pictures, for the feed, and as a message to pass on."""

from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.currency import format_money
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import translated
from tournaments.models import Event
from tournaments.standings.presentation import leaders
from tournaments.standings.results import StandingsView, valid_result, view_of_version
from tournaments.standings.standings import Row, match_of

MOST_LINES = 12  # of a result in a message


def event_card(event: Event, view: StandingsView | None = None) -> dict[str, Any]:
    """An event's title, time, fee, and result: all `rows` and the `first` of them as place, name and points. No query
    if the `view` of the result is given, but one for a match between clubs."""
    starts = timezone.localtime(event.starts_at)
    when = f"{date_format(starts, 'l')}, {date_format(starts, 'DATETIME_FORMAT')}"
    if view is None and (published := valid_result(event)):
        view = view_of_version(published)
    card: dict[str, Any] = {"event": event, "title": event.name, "view": view, "rows": [], "first": []}
    card["words"] = [f"{when} · {event.place}" if event.place else when]
    if view and (sides := match_of(event, view.rows)):
        card["rows"] = card["first"] = [("", side["name"], points(side["points"])) for side in sides]
    elif view:
        rows = [row for row in view.rows if row.place and not row.disqualified]
        card["rows"], card["first"] = list(map(_result_line, rows)), list(map(_result_line, leaders(rows)))
    elif event.called_off:
        card["words"].append(f"{_('Called off.')} {event.called_off}")
    else:
        fee = [format_money(event.fee, event.club.money)] if event.fee else []
        card["words"].append(" · ".join([str(translated(event.rules.title)), *fee]))
    card["description"] = ". ".join([*card["words"], "; ".join(map(format_result_line, card["first"]))]).rstrip(". ")
    return card


def _result_line(row: Row) -> tuple[str, str, str]:
    return row.place_words, row.name, points(row.points)


def format_result_line(line: tuple[str, str, str]) -> str:
    """A line of a result as text.

    >>> [format_result_line(line) for line in (("1", "Ann", "120"), ("2=", "Bob", "90"), ("", "Harbour", "12"))]
    ['1. Ann: 120', '2= Bob: 90', 'Harbour: 12']
    """
    place, name, total = line
    return f"{place}. {name}: {total}".replace("=.", "=", 1) if place else f"{name}: {total}"


def result_message(card: dict[str, Any], address: str) -> str:
    if not card["rows"]:
        return ""
    event, rows = card["event"], card["rows"]
    lines = [f"{card['title']} ({event.club.name})", *card["words"], "", *map(format_result_line, rows[:MOST_LINES])]
    return "\n".join([*lines, *(["…"] if len(rows) > MOST_LINES else []), "", address])
