"""What one person has played: nights, points, bids, whom they met, and the best deals; all from the recorded deals.

Only games of published draws count, and in a game the deals that count. A constant number of queries."""

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
    """One deal that a person's side played and that counts."""

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
    def dealt(self) -> int:
        return sum(deal.points for deal in self.deals)

    @property
    def a_deal(self) -> Fraction | None:
        return Fraction(self.dealt, len(self.deals)) if self.deals else None

    @property
    def made(self) -> int:
        return sum(deal.bid is True for deal in self.deals)

    @property
    def failed(self) -> int:
        return sum(deal.bid is False for deal in self.deals)


@dataclass(frozen=True, slots=True)
class PlayedNight(Played):
    """One event in which a person had a seat. Without a place while its result isn't published."""

    entry: Entry
    place: int | None
    shared: bool
    of: int  # how many the result ranks
    points: int | None  # of the result, or of the deals so far
    published: bool


@dataclass(frozen=True, slots=True)
class Average(Played):
    """A person's points a deal in one game of the club, against those of everybody's sides."""

    rules: HouseRules  # the newest
    club: Fraction | None  # the club's points a deal of a side

    @property
    def ahead(self) -> bool | None:
        """Whether that is better than the club's; None if it is the same or the club has none."""
        average = self.a_deal
        if self.club is None or average is None or average == self.club:
            return None
        return (average < self.club) == self.rules.lowest_wins

    @property
    def best(self) -> list[DealPlayed]:
        """The best deals, of equal ones the newest."""
        order = sorted(self.deals, key=lambda deal: (deal.at, deal.game, deal.number), reverse=True)
        return sorted(order, key=lambda deal: deal.points, reverse=not self.rules.lowest_wins)[:BEST]


Met: TypeAlias = dict[str, Any]
"""Somebody a person sat with: `name` and `member` (None for a guest), games as `partner` and as `opponent`, and as
partners points `a_deal`."""


@dataclass(frozen=True, slots=True)
class Record:
    nights: tuple[PlayedNight, ...]  # the newest first
    averages: tuple[Average, ...]  # the game played most first
    partners: tuple[Met, ...]  # those of most games first
    opponents: tuple[Met, ...]
    deals: tuple[DealPlayed, ...]  # the oldest first

    @property
    def over(self) -> int:
        """Nights played to their end, as the list of members counts them."""
        return sum(night.entry.event.state == Event.State.FINISHED for night in self.nights)

    @property
    def wins(self) -> int:
        return sum(night.place == 1 for night in self.nights)


def record_of(member: Member) -> Record:
    """What a member has played. Six queries at most."""
    rules = {house_rules.slug: house_rules for house_rules in member.club.house_rules.order_by("version")}
    deals = _deals(member, rules)
    nights = _nights(member, deals)
    partners, opponents = _met(member, deals)
    return Record(nights, _averages(member.club, rules, deals=deals), partners, opponents, deals)


def _deals(member: Member, rules: Mapping[str, HouseRules]) -> tuple[DealPlayed, ...]:
    """The deals of a member's sides that count, the oldest first. One query."""
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
        **{f"{GROUP}seats__entry__member": member},
    )
    bid_held = {slug: house_rules.bid_held for slug, house_rules in rules.items()}
    deals = []
    for event, game, slug, number, table, round_number, points, at, side, was_set, facts in rows:
        held = bid_held[slug]
        bid = not was_set if held and facts.get(held) == side else None
        deals.append(DealPlayed(event, game, slug, number, table, round_number, points, bid, at))
    return tuple(deals)


def _nights(member: Member, deals: Sequence[DealPlayed]) -> tuple[PlayedNight, ...]:
    """The events with a seat of the member's, the newest first. Two queries."""
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
    """Points a deal by game. One query, of the totals that are stored with each side."""
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


def _met(member: Member, deals: Sequence[DealPlayed]) -> tuple[tuple[Met, ...], tuple[Met, ...]]:
    """Partners and opponents, by games in which a deal was played. One query."""
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
    met: list[Met] = []
    for who, name in names.items():
        together = [deal_points for game in partners[who] for deal_points in points[game]]
        a_deal = Fraction(sum(together), len(together)) if together else None
        games = {"partner": len(partners[who]), "opponent": len(opponents[who])}
        met.append({"name": name, "member": who[0], **games, "a_deal": a_deal})
    met.sort(key=lambda person: name_sort_key(person["name"]))
    as_partners, as_opponents = (
        tuple(sorted((person for person in met if person[role]), key=lambda person: -person[role]))
        for role in ("partner", "opponent")
    )
    return as_partners, as_opponents
