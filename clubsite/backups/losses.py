"""What going back would lose, by name and number, and what it would bring back. Nothing here changes anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from clubsite.accounts.currency import money
from clubsite.accounts.log_words import sentence_of
from clubsite.accounts.models import Club, LogEntry, Member
from clubsite.backups import rows
from clubsite.backups.databases import ask
from clubsite.backups.files import Backup
from clubsite.backups.restoring import ready
from clubsite.previews import fingerprint
from scoring.models import DealVersion
from tournaments.models import Event, MoneyLine

AT_ONCE = 5000  # keys in one query
DEEDS_SHOWN = 12
EVENT = "deal__game__group_game__group__table__draw__round__stage__event"


@dataclass(slots=True)
class Lost:
    """What one club would lose: all that was recorded there since."""

    club: str
    events: list[str] = field(default_factory=list)  # made since
    members: list[str] = field(default_factory=list)  # added since
    money: list[str] = field(default_factory=list)  # lines of the club's book, with their amounts
    deals: list[tuple[str, int]] = field(default_factory=list)  # by event, "" for games outside of events

    @property
    def number_of_deals(self) -> int:
        """Deals and corrections of deals, of all events."""
        return sum(number for _name, number in self.deals)


@dataclass(frozen=True, slots=True)
class Losses:
    """What going back would do."""

    clubs: tuple[Lost, ...]  # those that would lose something
    gone: tuple[str, ...] = ()  # clubs started since, which would go
    back: tuple[str, ...] = ()  # clubs, events and members that would come back
    changed: int = 0  # rows that were there then too, and were changed since
    deeds: int = 0  # entries of the log since
    told: tuple[tuple[Any, str], ...] = ()  # the latest of these entries: when, and what was done

    @property
    def nothing(self) -> bool:
        """Whether everything is as it was then."""
        return not (self.clubs or self.gone or self.back or self.changed)

    @property
    def mark(self) -> str:
        """A fingerprint by which a page knows that what is confirmed is what was shown. Deals come in all evening, so
        they are left out: how many were lost is told afterwards."""
        return fingerprint([(c.club, c.events, c.members, c.money) for c in self.clubs] + [(self.gone, self.back)])


def losses_of(backup: Backup, club: int | None = None) -> Losses:
    """What going back would lose, of the whole site or one club. Raises BackupRefused for a damaged backup."""
    tables = rows.all_tables() if club is None else rows.club_tables()
    with ready(backup, tables):
        return _losses(backup, tables, club=club)


def _losses(backup: Backup, tables: Sequence[rows.ModelTable], *, club: int | None) -> Losses:
    table = {one.model: one for one in tables}
    found: dict[str, Lost] = {}

    def of(name: str) -> Lost:
        return found.setdefault(name, Lost(name))

    clubs = rows.only_now(table[Club], club)
    for event in _objects(Event.objects.select_related("club"), rows.only_now(table[Event], club)):
        of(event.club.name).events.append(event.name)
    for member in _objects(Member.every.select_related("club"), rows.only_now(table[Member], club)):
        of(member.club.name).members.append(member.name)
    for line in _objects(MoneyLine.objects.select_related("club"), rows.only_now(table[MoneyLine], club)):
        of(line.club.name).money.append(
            f"{line.words or line.get_kind_display()} · {money(line.amount, line.club.money)}"
        )
    for name, deals in _deals(rows.only_now(table[DealVersion], club)).items():
        of(name).deals.extend(sorted(deals.items()))
    since = LogEntry.objects.filter(pk__gt=backup.log, **({} if club is None else {"club": club}))
    return Losses(
        clubs=tuple(sorted(found.values(), key=lambda one: one.club)),
        gone=tuple(Club.objects.filter(pk__in=clubs).values_list("name", flat=True)),
        back=tuple(_back(table, club)),
        changed=sum(rows.differing(one, club) for one in tables),
        deeds=since.count(),
        told=tuple((entry.at, sentence_of(entry)) for entry in since.select_related("club")[:DEEDS_SHOWN]),
    )


def _deals(keys: Sequence[Any]) -> dict[str, Counter[str]]:
    """How many of these versions of deals each club and event has."""
    found: dict[str, Counter[str]] = {}
    for some in _some(keys):
        counted = DealVersion.objects.filter(pk__in=some).values_list("deal__game__club__name", f"{EVENT}__name")
        for club, event, number in counted.annotate(n=Count("pk")).order_by():
            found.setdefault(club, Counter())[event or _("Games outside of events")] += number
    return found


def _back(table: dict[Any, rows.ModelTable], club: int | None) -> Iterator[str]:
    """Names of clubs, events and members that are gone since and would come back."""
    for model in (Club, Event, Member):
        for some in _some(rows.only_then(table[model], club)):
            keys = ", ".join(str(int(key)) for key in some)
            named = f"SELECT name FROM {rows.then(table[model].name)} WHERE id IN ({keys}) ORDER BY name"  # noqa: S608
            yield from (name for (name,) in ask(named))


def _objects(found: Any, keys: Sequence[Any]) -> Iterator[Any]:
    for some in _some(keys):
        yield from found.filter(pk__in=some).order_by("pk")


def _some(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (keys[at : at + AT_ONCE] for at in range(0, len(keys), AT_ONCE))
