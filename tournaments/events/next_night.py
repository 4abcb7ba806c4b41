"""The next night of a season, as its form proposes it: as the last one was, a week later. And what a director is told
where the games of a season's nights are of different scale."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.db.models import Min
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dates import MONTHS, MONTHS_3, MONTHS_AP
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.models import HouseRules
from scoring.wording import list_of
from tournaments.events.forms import as_typed
from tournaments.models import Event, Season

WEEK = timedelta(days=7)
USUAL_TIME = time(19, 0)
FAR = 2  # targets of which one is so many times the other: a night by the lower can't be level with one by the higher
_NUMBERED = re.compile(r"^(.*?)(\d{1,4})$")


def last_night(season: Season) -> Event | None:
    """The latest event of a season that goes round by round. One query."""
    nights = [event for event in season.events.select_related("rules").order_by("-starts_at", "-pk") if event.by_rounds]
    return nights[0] if nights else None


def next_night(season: Season, last: Event | None) -> dict[str, Any]:
    """What the form of a new night in a season begins with. The clock of the wall counts: at half past seven, a week
    later, also when the clocks have changed in between."""
    if last is None:
        starts = datetime.combine(season.starts, USUAL_TIME)
        return {"season": season, "name": _("%(season)s, night 1") % {"season": season}, "starts_at": starts}
    before = last.starts_at.astimezone(season.club.zone).replace(tzinfo=None)
    kept = ("place", "game", "round_minutes", "at_bell", *last.options)
    as_before = {name: value for name, value in as_typed(last).items() if name in kept}
    return as_before | {"season": season, "name": next_name(last.name, before.date()), "starts_at": before + WEEK}


def next_name(name: str, day: date) -> str:
    """The name of the night a week after `day`: the date in it is that day's, else its number goes up.

    >>> last = date(2030, 12, 28)
    >>> next_name("Pinochle night 9", last), next_name("Friday", last), next_name("Card party Dec 28", last)
    ('Pinochle night 10', 'Friday', 'Card party Jan 4')
    >>> next_name("Cards, 28 December 2030", last), next_name("Cards 28.12.", last)
    ('Cards, 4 January 2031', 'Cards 4.1.')
    """
    for before, after in zip(_dates(day), _dates(day + WEEK), strict=True):
        found = re.search(rf"(?<!\w){re.escape(before)}(?!\w)", name)
        if found:
            rest = re.sub(rf"\b{day.year}\b", str((day + WEEK).year), name[found.end() :])
            return f"{name[: found.start()]}{after}{rest}"
    numbered = _NUMBERED.match(name)
    return f"{numbered[1]}{int(numbered[2]) + 1}" if numbered else name


def _dates(day: date) -> list[str]:
    """A day in the ways in which people write it into a name, the longest first."""
    n, month = day.day, day.month
    styles = (MONTHS, MONTHS_AP, MONTHS_3)
    own = [str(names[month]) for names in styles]
    with override("en"):
        english = [str(names[month]) for names in styles]
    names = [form for name in own + english for form in (name.lower(), name.capitalize())]
    written = [way for name in names for way in (f"{name} {n}", f"{n} {name}", f"{n}. {name}", f"{n} de {name}")]
    return [day.isoformat(), *written, f"{month}/{n}", f"{n}/{month}", f"{n}.{month}."]


def games_apart(season: Season) -> tuple[str, ...]:
    """The games of a season that adds points up, if they are of different families or their targets are far apart; else
    nothing. Planned nights count. One query."""
    if season.rule.get("place_points"):
        return ()
    played = (
        HouseRules.objects.filter(events__season=season, events__called_off="")
        .annotate(first=Min("events__starts_at"))
        .order_by("first", "pk")
    )
    families = {rules.rule_set.family for rules in played}
    targets = [int(str(value)) for rules in played if (value := rules.rule_set.values["target"]) is not None]
    far = bool(targets) and max(targets) >= FAR * min(targets)
    return tuple(dict.fromkeys(rules.title for rules in played)) if far or len(families) > 1 else ()


def scale_words(season: Season) -> SafeString:
    """What a director is told of games of different scale in one season, with the way to its rule; "" where there are
    none."""
    games = games_apart(season)
    if not games:
        return SafeString("")
    said = _("Points of %(games)s count together in %(season)s, so the game with the highest scores decides.")
    return format_html(
        '{} <a href="{}#id_place_points">{}</a>',
        said % {"games": list_of(games), "season": season},
        reverse("season_rule", args=[season.club.slug, season.pk]),
        _("Give points for places instead"),
    )


def warn_of_scale(request: HttpRequest, season: Season | None) -> None:
    """Tell who has just put a night in a season what `scale_words` has to say of it."""
    if season and (said := scale_words(season)):
        messages.warning(request, said)
