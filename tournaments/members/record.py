"""A member's record, from the recorded deals: nights, points, bids, partners and opponents, and the best deals.

Only games of published draws count, and only their deals that count. A constant number of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeAlias

from django.db.models import Exists, F, OuterRef, Sum

from clubsite.accounts.models import Club, Member
from clubsite.names import name_sort_key
from scoring.models import Game, HouseRules, Side
from tournaments.engine.rounds import grouped
from tournaments.models import GROUP, Draw, Entry, Event, PublishedStandings, Seat, deals_that_count, rows_by_person

BEST = 5  # deals of each game


@dataclass(frozen=True, slots=True)
class DealPlayed:
    event: int
    game: int
    rules: str  # slug of the house rules
    number: int  # of the deal in its game, from 1
    table: int
    round: int
    points: int
    bid: bool | None  # whether the side's bid was made; None where the side held none
    at: datetime  # the start of the event


@dataclass(frozen=True, slots=True)
class Played:
    deals: tuple[DealPlayed, ...]

    @property
    def total(self) -> int:
        return sum(deal.points for deal in self.deals)

    @property
    def per_deal(self) -> Fraction | None:
        return Fraction(self.total, len(self.deals)) if self.deals else None

    @property
    def bids_made(self) -> int:
        return sum(deal.bid is True for deal in self.deals)

    @property
    def bids_failed(self) -> int:
        return sum(deal.bid is False for deal in self.deals)


@dataclass(frozen=True, slots=True)
class PlayedNight(Played):
    """An event in which the member had a seat. It has no place while its result isn't published."""

    entry: Entry
    place: int | None
    shared: bool
    of: int  # how many the result ranks
    points: int | None  # of the result, or of the deals so far
    published: bool


@dataclass(frozen=True, slots=True)
class Average(Played):
    """Points per deal in one game, compared with all sides of the club."""

    rules: HouseRules  # the newest
    club: Fraction | None  # the club's points a deal of a side

    @property
    def is_better(self) -> bool | None:
        """None if both averages are the same, or the club has none."""
        average = self.per_deal
        if self.club is None or average is None or average == self.club:
            return None
        return (average < self.club) == self.rules.lowest_wins

    @property
    def best(self) -> list[DealPlayed]:
        """The best deals; of equal ones the newest."""
        order = sorted(self.deals, key=lambda deal: (deal.at, deal.game, deal.number), reverse=True)
        return sorted(order, key=lambda deal: deal.points, reverse=not self.rules.lowest_wins)[:BEST]


TableMate: TypeAlias = dict[str, Any]
"""Somebody a person sat with: `name` and `member` (None for a guest), games as `partner` and as `opponent`, and as
partners points `per_deal`."""


@dataclass(frozen=True, slots=True)
class Record:
    nights: tuple[PlayedNight, ...]  # the newest first
    averages: tuple[Average, ...]  # the game played most first
    partners: tuple[TableMate, ...]  # those of most games first
    opponents: tuple[TableMate, ...]
    deals: tuple[DealPlayed, ...]  # the oldest first

    @property
    def finished_nights(self) -> int:
        return sum(night.entry.event.state == Event.State.FINISHED for night in self.nights)

    @property
    def wins(self) -> int:
        return sum(night.place == 1 for night in self.nights)


def member_record(member: Member) -> Record:
    """Six queries at most."""
    rules = {house_rules.slug: house_rules for house_rules in member.club.house_rules.order_by("version")}
    deals = _deals(member, rules)
    nights = _nights(member, deals)
    partners, opponents = _table_mates(member, deals)
    return Record(nights, _averages(member.club, rules, deals=deals), partners, opponents, deals)


def _deals(member: Member, rules: Mapping[str, HouseRules]) -> tuple[DealPlayed, ...]:
    """The counted deals of the member's sides, the oldest first. One query."""
    rows = deals_that_count(
        f"{GROUP}seats__entry__event",
        "version__deal__game",
        "version__deal__game__rules__slug",
        "version__deal__number",
        f"{GROUP}table__number",
        f"{GROUP}table__draw__round__number",
        "points",
        f"{GROUP}seats__entry__event__starts_at",
        "side",
        "was_set",
        "version__facts",
        of={f"{GROUP}seats__entry__member": member},
    )
    bid_held = {slug: house_rules.bid_held for slug, house_rules in rules.items()}
    deals = []
    for event, game, slug, number, table, round_number, points, at, side, was_set, facts in rows:
        held = bid_held[slug]
        bid = not was_set if held and facts.get(held) == side else None
        deals.append(DealPlayed(event, game, slug, number, table, round_number, points, bid, at))
    return tuple(deals)


def _nights(member: Member, deals: Sequence[DealPlayed]) -> tuple[PlayedNight, ...]:
    """The events with a seat of the member, the newest first. Two queries."""
    entries = list(
        Entry.objects.filter(Exists(Seat.objects.filter(entry=OuterRef("pk"), draw__state=Draw.State.PUBLISHED)))
        .filter(member=member)
        .select_related("event")
        .order_by("-event__starts_at", "-event")
    )
    events = [entry.event_id for entry in entries if entry.event.state == Event.State.FINISHED]
    results: dict[int, list[dict[str, Any]]] = dict(
        PublishedStandings.objects.filter(event__in=events, final=True)
        .order_by("stage__number", "number")
        .values_list("event_id", "rows")
    )
    of_event = grouped((deal.event, deal) for deal in deals)
    return tuple(_night(entry, of_event[entry.event_id], rows=results.get(entry.event_id, ())) for entry in entries)


def _night(entry: Entry, deals: Sequence[DealPlayed], *, rows: Sequence[Mapping[str, Any]]) -> PlayedNight:
    row = next((row for row in rows_by_person(rows) if row["entry"] == entry.pk), None)
    return PlayedNight(
        tuple(deals),
        entry,
        place=row["place"] if row else None,
        shared=bool(row and row["shared"]),
        of=len(rows),
        points=row["points"] if row else sum(deal.points for deal in deals),
        published=row is not None,
    )


def _averages(club: Club, rules: Mapping[str, HouseRules], *, deals: Sequence[DealPlayed]) -> tuple[Average, ...]:
    """One query, of the totals stored with each side."""
    by_game = grouped((deal.rules, deal) for deal in deals)
    counting = Side.objects.filter(
        game__club=club,
        game__rules__slug__in=by_game,
        game__group_game__group__table__draw__state=Draw.State.PUBLISHED,
        game__deals_played__gt=0,
    ).exclude(game__state=Game.State.NOT_PLAYED)
    sums = counting.order_by().values_list("game__rules__slug")
    totals = sums.annotate(points=Sum(F("total") - F("start")), played=Sum("game__deals_played"))
    whole = {slug: Fraction(points, played) for slug, points, played in totals}
    averages = (Average(tuple(of_game), rules[slug], whole.get(slug)) for slug, of_game in by_game.items())
    return tuple(sorted(averages, key=lambda average: (-len(average.deals), average.rules.title)))


def _table_mates(member: Member, deals: Sequence[DealPlayed]) -> tuple[tuple[TableMate, ...], tuple[TableMate, ...]]:
    """Partners and opponents, those of most games first; only games with a deal count. One query."""
    points = grouped((deal.game, deal.points) for deal in deals)
    seats = (
        Seat.objects.filter(group__seats__entry__member=member, draw__state=Draw.State.PUBLISHED)
        .exclude(entry__member=member)
        .exclude(group__games__game__state=Game.State.NOT_PLAYED)
        .order_by("pk")
        .values_list(
            "group__games__game", "side", "group__seats__side", "entry__member", "entry__member__name", "entry__name"
        )
    )
    names: dict[tuple[int | None, str], str] = {}
    partners: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    opponents: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for game, side, member_side, pk, name, as_name in seats:
        if game not in points:
            continue
        who: tuple[int | None, str] = (pk, "" if pk else as_name.casefold())
        names[who] = name or as_name
        (partners if side == member_side else opponents)[who].append(game)
    met: list[TableMate] = []
    for who, name in names.items():
        together = [deal_points for game in partners[who] for deal_points in points[game]]
        per_deal = Fraction(sum(together), len(together)) if together else None
        games = {"partner": len(partners[who]), "opponent": len(opponents[who])}
        met.append({"name": name, "member": who[0], **games, "per_deal": per_deal})
    met.sort(key=lambda person: name_sort_key(person["name"]))
    as_partners, as_opponents = (
        tuple(sorted((person for person in met if person[role]), key=lambda person: -person[role]))
        for role in ("partner", "opponent")
    )
    return as_partners, as_opponents
