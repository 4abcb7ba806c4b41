"""Everybody's handicap in a game, counted from the newest deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Sum

from clubsite.accounts.models import Club, Member
from clubsite.names import in_order
from scoring.models import Game, HouseRules
from scoring.templatetags.rule_texts import translated
from tournaments.engine.grouping import grouped
from tournaments.engine.handicap import Handicap, HandicapRule, handicap_of
from tournaments.models import ClubHandicap, Draw, Event, Seat
from tournaments.models.played import GROUP, deals_that_count


@dataclass(frozen=True, slots=True)
class HandicapLine:
    """One member's handicap in a game."""

    member: int
    name: str
    handicap: Handicap


def rule_of(event: Event) -> HandicapRule | None:
    """The numbers from which an event's handicaps are reckoned; None where everybody plays from scratch."""
    return HandicapRule(**event.handicap) if event.handicap else None


def titles_of(club: Club) -> dict[str, str]:
    """The games that the club plays, by title: slug to the title of its newest house rules. One query."""
    newest = dict(HouseRules.objects.filter(club=club).order_by("version").values_list("slug", "title"))
    shown = {slug: translated(title) for slug, title in newest.items()}
    return dict(sorted(shown.items(), key=lambda one: one[1].casefold()))


def chosen_numbers(club: Club) -> dict[str, HandicapRule]:
    """The club's numbers for each game that has any. One query."""
    found = ClubHandicap.objects.filter(club=club).values_list("game", "numbers")
    return {game: HandicapRule(**numbers) for game, numbers in found}


def kept_secret(club: Club, game: str, *, rule: HandicapRule) -> bool:
    """Whether only directors may see a game's list: by the club's numbers, or because of an event whose handicaps
    come with its result and that isn't over. One query at most."""
    events = Event.objects.filter(club=club, rules__slug=game, handicap__secret=True)
    return rule.secret or events.exclude(state=Event.State.FINISHED).exists()


def handicap_list(club: Club, game: str, *, rule: HandicapRule) -> list[HandicapLine]:
    """The handicap of every member who still plays or has a deal of that game, by name. Three queries."""
    points = _newest(club, game, deals=rule.deals)
    members = Member.objects.filter(Q(active=True) | Q(pk__in=points), club=club)
    lines = [HandicapLine(m.pk, m.name, handicap_of(points.get(m.pk, ()), rule)) for m in members]
    return sorted(lines, key=lambda line: in_order(line.name))


def handicaps_of(event: Event, members: Mapping[int, int | None]) -> dict[int, Handicap]:
    """Entry to its handicap in an event, from the member's deals of events that began before it; nothing where the
    event gives none. `members` are entry to member, None for a guest, who has no deals to go by. Two queries at most.
    """
    rule = rule_of(event)
    if rule is None:
        return {}
    known = [member for member in members.values() if member is not None]
    points = _newest(event.club, event.rules.slug, deals=rule.deals, before=event.starts_at, members=known)
    return {entry: handicap_of(points.get(member or 0, ()), rule) for entry, member in members.items()}


def _newest(
    club: Club, game: str, *, deals: int, before: datetime | None = None, members: Sequence[int] | None = None
) -> dict[int, list[int]]:
    """Member to the points of their newest deals that count, oldest first. Two queries.

    The first counts deals night by night, so that the second reads only the nights that hold the newest: the deals
    of years aren't read for the last forty.
    """
    seats = Seat.objects.filter(
        draw__state=Draw.State.PUBLISHED,
        group__games__game__club=club,
        group__games__game__rules__slug=game,
        **({"entry__member__isnull": False} if members is None else {"entry__member__in": members}),
        **({} if before is None else {"draw__round__stage__event__starts_at__lt": before}),
    ).exclude(group__games__game__state=Game.State.NOT_PLAYED)
    nights = (
        seats.values_list("entry__member", "entry__event")
        .annotate(played=Sum("group__games__game__deals_played"))
        .order_by("-entry__event__starts_at", "-entry__event")
    )
    counted: dict[int, int] = defaultdict(int)
    wanted: set[tuple[int, int]] = set()
    for member, event, played in nights:
        if played and counted[member] < deals:
            counted[member] += played
            wanted.add((member, event))
    scored = deals_that_count(
        f"{GROUP}seats__entry__member",
        f"{GROUP}seats__entry__event",
        "points",
        **{
            "version__deal__game__club": club,
            "version__deal__game__rules__slug": game,
            f"{GROUP}seats__entry__member__isnull": False,
            f"{GROUP}seats__entry__event__in": {event for _member, event in wanted},
        },
    )
    own = grouped((member, points) for member, event, points in scored if (member, event) in wanted)
    return {member: points[-deals:] for member, points in own.items()}
