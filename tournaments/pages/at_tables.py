"""The tables of rounds in play: how far each is, what it disputes, how long it has been silent.

Read for all events at once: the number of queries doesn't depend on events, tables or deals."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.names import name_sort_key
from scoring.models import DealVersion
from tournaments.draws.round_views import GroupView, RoundView, group_views
from tournaments.engine.rounds import grouped
from tournaments.models import Cut, Draw, Entry, Event, Seat, SitOut
from tournaments.rounds.clock import ClockView, clock_at
from tournaments.rounds.disputes import Dispute, agreement_asked, disputes_in, repeated_deals

SILENT_FACTOR = 2  # a table is silent after this many times as long without a deal as the others
SILENT_LEAST = 10  # ... and at least this many minutes longer


class DealNow(NamedTuple):
    pk: int
    game: int
    game_number: int  # in its set
    number: int
    state: str
    facts: Any
    route: str  # how its first version was recorded: "table" for the table's own phone
    first_at: datetime  # when its first version was recorded: a correction is no sign of play


@dataclass(frozen=True, slots=True)
class TableNow:
    view: GroupView
    deals: tuple[DealNow, ...]
    state: str  # "disputed", "silent", "waiting", "playing", "not-agreed" or "over"
    minutes: int | None  # since its last deal, or the round's first deal at any table; None before that

    @property
    def label(self) -> str:
        return self.view.label

    def deal_numbers(self, deals: Iterable[DealNow]) -> str:
        """As in "2, 4"; in "2 of game 1" if the table plays several games."""
        if len(self.view.games) == 1:
            return ", ".join(str(deal.number) for deal in deals)
        return ", ".join(
            _("%(deal)d of game %(game)d") % {"deal": deal.number, "game": deal.game_number} for deal in deals
        )

    @property
    def open_deals(self) -> tuple[DealNow, ...]:
        """Deals that count and that the sides haven't agreed on."""
        settled = (DealVersion.State.AGREED, DealVersion.State.VOID)
        return tuple(deal for deal in self.deals if deal.state not in settled)

    @property
    def disputed_deals(self) -> tuple[DealNow, ...]:
        return tuple(deal for deal in self.deals if deal.state == DealVersion.State.DISPUTED)

    @property
    def disputed_numbers(self) -> str:
        return self.deal_numbers(self.disputed_deals)

    @property
    def since(self) -> str:
        """As in "4 hours"; "" for just now."""
        return format_duration(self.minutes) if self.minutes else ""

    @property
    def next_deal(self) -> int:
        current = self.view.current
        numbers = [deal.number for deal in self.deals if current and deal.game == current.game.pk]
        return max(numbers, default=0) + 1

    @property
    def game(self) -> int | None:
        return self.view.card.game.pk if self.view.card else None

    def repeated_deals(self, least: int) -> tuple[DealNow, DealNow] | None:
        """The last two of `least` or more deals in a row with the same figures, unless the last is agreed on."""
        counted = (deal for deal in self.deals if deal.state != DealVersion.State.VOID)
        games = (list(deals) for _game, deals in groupby(counted, key=attrgetter("game")))
        pairs = (pair for deals in games for pair in repeated_deals(deals, least=least))
        return next((pair for pair in reversed([*pairs]) if pair[1].state != DealVersion.State.AGREED), None)


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The usual time without a deal, for comparison with a silent table."""

    minutes: int
    of_others: bool  # whether since the last deals of other tables; else between two deals of the round

    @property
    def limit(self) -> int:
        """Minutes without a deal after which a table is silent."""
        return max(SILENT_FACTOR * self.minutes, self.minutes + SILENT_LEAST)


@dataclass(frozen=True, slots=True)
class EventTables:
    """The tables of one event's round in play; without one only the disputes."""

    event: Event
    disputes: tuple[Dispute, ...] = ()
    round: RoundView | None = None
    tables: tuple[TableNow, ...] = ()
    late: tuple[str, ...] = ()  # people who are here with neither a seat nor a sit-out in the round
    clock: ClockView | None = None
    yardsticks: Mapping[str, Yardstick] = field(default_factory=dict)  # by the label of each silent table

    @property
    def deals(self) -> int:
        return sum(len(table.deals) for table in self.tables)


def event_tables(event: Event, now: datetime | None = None) -> EventTables:
    return tables_by_event([event], now)[event.pk]


def tables_by_event(
    events: Collection[Event], now: datetime | None = None, *, people: bool = True
) -> dict[int, EventTables]:
    """What goes on at the tables of events, by the event's key. Ten queries at most. Without `people` no names are
    read."""
    now = now or timezone.now()
    disputes = disputes_in(events)
    draws = _draws_in_play(events)
    rounds = {view.stage.event_id: view for view in group_views(list(draws.values()), people=people)}
    deals = _deals_by_group(draws.values())
    late = _late_names(draws)
    by_event = {}
    for event in events:
        of_event = tuple(dispute for dispute in disputes if dispute.event.pk == event.pk)
        if (draw := draws.get(event.pk)) is None:
            by_event[event.pk] = EventTables(event, of_event)
            continue
        view = rounds[event.pk]
        tables, yardsticks = _tables_now(view, deals, now=now, asks=event.club.agreement != Club.Agreement.NONE)
        clock = clock_at(draw.round, now)
        by_event[event.pk] = EventTables(
            event, of_event, view, tables, tuple(late.get(event.pk, ())), clock, yardsticks
        )
    return by_event


def format_duration(minutes: int) -> str:
    """In the largest unit, in the reader's language: "4 hours"."""
    now = timezone.now()
    return timesince(now - timedelta(minutes=minutes), now, depth=1)


def measure_yardstick(others: Sequence[int], gaps: Sequence[int]) -> Yardstick | None:
    """The median of `others`, the minutes since the last deal at each other table in play.

    If fewer than two others play, that of `gaps`, the minutes between a deal and the next at any table. None without
    either.

    >>> cases = [([4, 6, 5], []), ([20, 30], []), ([3], [8, 9, 12])]
    >>> [usual.limit for others, gaps in cases if (usual := measure_yardstick(others, gaps))], measure_yardstick([], [])
    ([15, 50, 19], None)
    """
    minutes = others if len(others) > 1 else gaps
    return Yardstick(int(median(minutes)), of_others=len(others) > 1) if minutes else None


def _draws_in_play(events: Iterable[Event]) -> dict[int, Draw]:
    """Event to the draw of its round in play. At most two queries."""
    running = {event.pk: event for event in events if event.state == Event.State.RUNNING}
    newest: dict[int, Draw] = {}
    published = (
        Draw.objects.filter(round__stage__event__in=list(running), state=Draw.State.PUBLISHED)
        .select_related("round__stage", "round__clock")
        .defer("ahead", "change")
        .order_by("round__stage__number", "round__number")
    )
    for draw in published:
        draw.round.stage.event = running[draw.round.stage.event_id]
        newest[draw.round.stage.event_id] = draw
    # Only a stage with a cut rule has a cut.
    stages = [draw.round.stage_id for draw in newest.values() if draw.round.stage.cut_rule and not draw.round.closed]
    cut = set(Cut.objects.filter(stage__in=stages, state=Cut.State.PUBLISHED).values_list("stage_id", flat=True))
    return {event: draw for event, draw in newest.items() if not draw.round.closed and draw.round.stage_id not in cut}


GROUP, OF_GAME, FIRST = "deal__game__group_game__group", "deal__game__group_game__number", "deal__versions"
DEAL_COLUMNS = ("deal", "deal__game", OF_GAME, "deal__number", "state", "facts", f"{FIRST}__route", f"{FIRST}__at")


def _deals_by_group(draws: Iterable[Draw]) -> Mapping[int, list[DealNow]]:
    """Group to its deals in order of games and numbers. One query."""
    versions = DealVersion.objects.filter(
        **{f"{GROUP}__table__draw__in": [draw.pk for draw in draws], f"{FIRST}__number": 1}, current=True
    )
    rows = versions.order_by(OF_GAME, "deal__number").values_list(GROUP, *DEAL_COLUMNS)
    return grouped((group, DealNow(*row)) for group, *row in rows)


def _late_names(draws: Mapping[int, Draw]) -> dict[int, list[str]]:
    """Event to the names of who is here without a seat in its round. One query.

    Not for competitions, whose desks list them, nor for knock-outs, where losers have no seat."""
    events = [(draw.pk, draw.round.stage.event) for draw in draws.values()]
    keys = [pk for pk, event in events if event.by_rounds and not event.traits.outs]
    late = Entry.objects.filter(
        ~Exists(Seat.objects.filter(entry=OuterRef("pk"), draw__in=keys)),
        ~Exists(SitOut.objects.filter(entry=OuterRef("pk"), draw__in=keys)),
        event__stages__rounds__draws__in=keys,
        state=Entry.State.HERE,
        stands_in=None,
    ).order_by()
    by_event = grouped(late.values_list("event_id", "name"))
    return {event: sorted(names, key=name_sort_key) for event, names in by_event.items()}


def _tables_now(
    view: RoundView, deals: Mapping[int, Sequence[DealNow]], *, now: datetime, asks: bool
) -> tuple[tuple[TableNow, ...], dict[str, Yardstick]]:
    """The tables of a round with their states, and the yardsticks of the silent ones.

    `asks`: whether the club asks sides to agree on their deals."""
    of_group = {group.group.pk: tuple(deals.get(group.group.pk, ())) for group in view.groups}
    begun = min((deal.first_at for dealt in of_group.values() for deal in dealt), default=None)
    minutes = {
        pk: _minutes_since(max((d.first_at for d in dealt), default=begun), now) for pk, dealt in of_group.items()
    }
    playing = [group.group.pk for group in view.groups if group.state != "over"]
    gaps = [gap for dealt in of_group.values() for gap in _deal_gaps(dealt)]
    tables, yardsticks = [], {}
    for group in view.groups:
        pk, dealt = group.group.pk, of_group[group.group.pk]
        others = [m for other in playing if other != pk and (m := minutes[other]) is not None]
        usual, since = measure_yardstick(others, gaps), minutes[pk]
        if pk in playing and usual and since is not None and since >= usual.limit:
            yardsticks[group.label] = usual
        state = _table_state(group, dealt, silent=group.label in yardsticks, asks=asks)
        tables.append(TableNow(group, dealt, state, since))
    return tuple(tables), yardsticks


def _table_state(group: GroupView, deals: Sequence[DealNow], *, silent: bool, asks: bool) -> str:
    states = {deal.state for deal in deals}
    if DealVersion.State.DISPUTED in states:
        return "disputed"
    if group.state == "over":
        has_to_agree = asks and agreement_asked((deal.state, deal.route) for deal in deals)
        waits = has_to_agree and DealVersion.State.ENTERED in states
        return "not-agreed" if waits else "over"
    return "silent" if silent else group.state


def _minutes_since(since: datetime | None, now: datetime) -> int | None:
    return None if since is None else max(0, int((now - since).total_seconds() // 60))


def _deal_gaps(deals: Sequence[DealNow]) -> list[int]:
    """Minutes from one deal to the next, without zeros: deals keyed in one go say nothing about the pace of play."""
    at = sorted(deal.first_at for deal in deals)
    minutes = (int((after - before).total_seconds() // 60) for before, after in pairwise(at))
    return [gap for gap in minutes if gap]
