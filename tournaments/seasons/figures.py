"""Records of a season: best deal, best game, most failed bids, attendance."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubsite.names import SEPARATOR, name_sort_key, side_name
from scoring.models import HouseRules
from scoring.templatetags.figures import points as figure
from scoring.templatetags.rule_texts import translated
from tournaments.engine.rounds import grouped
from tournaments.models import GROUP, Entry, Event, deals_that_count
from tournaments.seasons.table import SeasonTable
from tournaments.templatetags.event_tags import decimal

EVENT = f"{GROUP}seats__entry__event"
MOST_SHARING = 3  # a figure that more people share isn't shown

SeasonFigure: TypeAlias = tuple[str, str, str, str]
"""What, who, the figure, on which night."""


def season_figures(table: SeasonTable) -> list[SeasonFigure]:
    """The figures of each game, then attendance, of closed nights. Two queries."""
    events = {event.pk: event for event in table.nights}
    when = {pk: n for n, pk in enumerate(events)}
    names = dict(Entry.objects.filter(event__in=events).values_list("pk", Coalesce("member__name", "name")))
    columns = (EVENT, "version__deal__game", "version__deal", "side", "points", "was_set", f"{GROUP}seats__entry")
    rows = deals_that_count(*columns, of={f"{EVENT}__in": events}, order=())
    of_game: dict[str, list[dict[str, Any]]] = defaultdict(list)
    came: dict[int, set[int]] = defaultdict(set)
    sides: dict[tuple[int, int], dict[str, Any]] = {}
    for event, game, deal, side, points, was_set, entry in sorted(rows, key=lambda row: (when[row[0]], row[1])):
        came[event].add(entry)
        if (deal, side) not in sides:
            sides[deal, side] = {"event": event, "game": (game, side), "points": points, "set": was_set, "people": {}}
            of_game[events[event].rules.slug].append(sides[deal, side])
        sides[deal, side]["people"][entry] = names[entry]
    rules = {event.rules.slug: event.rules for event in table.nights}
    lines: list[SeasonFigure] = []
    for slug, deals in of_game.items():
        game = f": {translated(rules[slug].title)}" if len(of_game) > 1 else ""
        game_lines = _game_figures(deals, rules[slug], events=events)
        lines += [(what + game, who, points, night) for what, who, points, night in game_lines]
    return [*lines, *_attendance(table, {events[pk]: len(entries) for pk, entries in came.items()})]


def _game_figures(
    deals: list[dict[str, Any]], rules: HouseRules, *, events: Mapping[int, Event]
) -> Iterator[SeasonFigure]:
    games = [
        {**dealt[0], "points": sum(deal["points"] for deal in dealt)}
        for dealt in grouped((deal["game"], deal) for deal in deals).values()
    ]
    for what, played in ((_("Best deal"), deals), (_("Best game"), games)):
        best = (min if rules.lowest_wins else max)(row["points"] for row in played)
        shared = [row for row in played if row["points"] == best]
        if len(shared) <= MOST_SHARING:
            who = ", ".join(side_name(row["people"].values()) for row in shared)
            yield what, who, figure(best), ", ".join(_night_name(events[row["event"]]) for row in shared)
    if rules.rule_set.has_bids:
        yield from _most_often(_("Most failed bids"), (deal for deal in deals if deal["set"]))
    elif isinstance(one_side := rules.rule_set.values.get("one_side"), list | tuple) and one_side:
        what = _("Most deals worth %(points)s") % {"points": max(one_side)}  # in euchre: lone hands
        yield from _most_often(what, (deal for deal in deals if deal["points"] == max(one_side)))


def _most_often(what: str, deals: Iterable[dict[str, Any]]) -> Iterator[SeasonFigure]:
    people = Counter(name for deal in deals for name in deal["people"].values())
    most = max(people.values(), default=0)
    names = sorted((name for name, count in people.items() if count == most), key=name_sort_key)
    if 0 < len(names) <= MOST_SHARING:
        yield what, ", ".join(names), figure(most), ""


def _attendance(table: SeasonTable, came: Mapping[Event, int]) -> Iterator[SeasonFigure]:
    if came:
        most = max(came, key=lambda event: came[event])
        words = _("most, %(n)d: %(night)s") % {"n": came[most], "night": _night_name(most)}
        yield _("People a night"), "", decimal(Fraction(sum(came.values()), len(came))), words
    always = [line.name for line in (*table.lines, *table.apart) if None not in line.nights and len(came) > 1]
    if always:
        yield _("Came every night"), ", ".join(sorted(always, key=name_sort_key)), figure(len(always)), ""


def _night_name(event: Event) -> str:
    return SEPARATOR.join([event.name, date_format(localtime(event.starts_at), "SHORT_DATE_FORMAT")])
