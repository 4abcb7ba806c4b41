"""The club's members as a list: searched, counted, with those that sound alike; and the guests who could join."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from clubsite.accounts.models import Club, Member
from clubsite.names import found_by, in_order
from scoring.pasted_names import key
from tournaments.engine.rounds import grouped
from tournaments.entries.known import OTHER, ByEar, field_for, known_members
from tournaments.members.actions import idle
from tournaments.models import Draw, Entry, Event, Seat

MOST_ALIKE = 10  # pairs shown at a time


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One member of the list."""

    member: Member
    nights: int  # those that are over and had a seat for them
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Alike:
    """Two members whose names sound alike: the one on the list for longer first."""

    kept: Member
    merged: Member


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who came without being a member, by name."""

    name: str
    nights: int
    last: datetime | None
    member: Member | None  # who has this name, or one like it
    same: bool  # whether it is the same name
    idle: bool  # whether nothing rests on it, so that it can be taken off


def members_of(club: Club, *, search: str = "", playing: bool = True) -> list[Member]:
    """The members by name: those who still play, or all. The search takes parts of words, without accents or
    capitals. One query."""
    found = Member.objects.filter(club=club, erased_at=None)
    members = (m for m in (found.filter(active=True) if playing else found) if found_by(m.name, search))
    return sorted(members, key=attrgetter("by_name"))


def lines_of(members: Sequence[Member]) -> list[MemberLine]:
    """Members with how often they came. One query."""
    counted = {
        pk: (nights, last)
        for pk, nights, last in _over(Entry.objects.filter(member__in=members))
        .order_by()
        .values_list("member")
        .annotate(nights=Count("event", distinct=True), last=Max("event__starts_at"))
    }
    return [MemberLine(member, *counted.get(member.pk, (0, None))) for member in members]


def _over(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries that had a seat on a night that is over. Seats are drawn, and printed, days ahead: nobody came yet."""
    seats = Seat.objects.filter(entry=OuterRef("pk"), draw__state=Draw.State.PUBLISHED)
    return entries.filter(Exists(seats), event__state=Event.State.FINISHED)


def alike_among(members: Iterable[Member], known: Mapping[str, str]) -> list[Alike]:
    """Pairs that sound alike and aren't `known` to be two people (`known.answers`). No query."""
    before = ByEar[Member]()
    found = []
    for member in sorted(members, key=attrgetter("pk")):
        near = before.nearest(member.name)
        if near and known.get(field_for(member.name, near.name)) != OTHER:
            found.append(Alike(near, member))
        before.add(member.name, member)
    return found[:MOST_ALIKE]


def guests_of(club: Club) -> list[Guest]:
    """Who is on a list as a guest, those who came most first. Four queries."""
    removable = idle(club)
    entries = Entry.objects.filter(event__club=club, member=None, stands_in=None).order_by("event__starts_at", "pk")
    over = Exists(_over(Entry.objects.filter(pk=OuterRef("pk"))))
    rows = entries.annotate(came=over).values_list("pk", "name", "event__starts_at", "came")
    of_name = grouped((key(name), (pk, name, at, came)) for pk, name, at, came in rows)
    members = known_members(club)
    standing = {member for member in members.values() if member.erased_at is None}
    people = ByEar((member.name, member) for member in sorted(standing, key=attrgetter("pk")))
    found = []
    for same, own in of_name.items():
        name, days = own[-1][1], [at for _pk, _name, at, came in own if came]
        member = members.get(same) or people.nearest(name)
        last, is_idle = days[-1] if days else None, all(pk in removable for pk, *_rest in own)
        found.append(Guest(name, len(days), last, member, same in members, is_idle))
    return sorted(found, key=lambda guest: (-guest.nights, in_order(guest.name)))
