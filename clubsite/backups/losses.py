"""What going back would lose, by name and number, and what it would bring back. Nothing here changes anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.audit_log import sentence_of
from clubsite.accounts.models import Club, LogEntry, Member, Role, User
from clubsite.backups import rows
from clubsite.backups.as_now import CONTACT, rights_brought
from clubsite.backups.databases import ask
from clubsite.backups.files import Backup
from clubsite.backups.restoring import ready
from clubsite.currency import money
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
    stays: tuple[str, ...] = ()  # what people asked for about themselves since, which isn't undone
    rights: tuple[str, ...] = ()  # log-ins with rights that would come in

    @property
    def nothing(self) -> bool:
        """Whether everything is as it was then."""
        return not (self.clubs or self.gone or self.back or self.changed or self.rights)

    @property
    def mark(self) -> str:
        """A fingerprint by which a page knows that what is confirmed is what was shown. Deals come in all evening, so
        they are left out: how many were lost is told afterwards."""
        lost = [(c.club, c.events, c.members, c.money) for c in self.clubs]
        return fingerprint([*lost, (self.gone, self.back, self.stays, self.rights)])


def losses_of(backup: Backup, club: int | None = None) -> Losses:
    """What going back would lose, of the whole site or one club. Raises BackupRefused for a damaged backup."""
    tables = rows.all_tables() if club is None else rows.club_tables()
    besides = (Role, LogEntry) if club is None else (User, Role, LogEntry)
    with ready(backup, [*tables, *(rows.ModelTable(model) for model in besides)]):
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
        name = _("%(name)s (initials only)") % {"name": member.name} if member.initials_only else member.name
        of(member.club.name).members.append(name)
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
        changed=sum(rows.differing(one, club) for one in tables if one.model is not User),  # log-ins stay
        deeds=since.count(),
        told=tuple((entry.at, sentence_of(entry)) for entry in since.select_related("club")[:DEEDS_SHOWN]),
        stays=tuple(_stays(table[Member], club)),
        rights=tuple(rights_brought(club)),
    )


def _stays(members: rows.ModelTable, club: int | None) -> Iterator[str]:
    """What members have asked for about themselves since: nobody who was erased is named."""
    columns = ("erased_at", "initials_only", *CONTACT)
    listed = ", ".join(f"{side}.{column}" for side in ("a", "b") for column in columns)
    pairs = f"{rows.now(members.name)} a JOIN {rows.then(members.name)} b ON a.id = b.id AND a.club_id = b.club_id"
    where = " OR ".join(f"a.{column} <> b.{column}" for column in ("name", "initials_only", *CONTACT))
    where = f"({where})" if club is None else f"({where}) AND a.club_id = {club:d}"
    erased = 0
    for name, *both in ask(f"SELECT a.name, {listed} FROM {pairs} WHERE {where} ORDER BY a.name"):  # noqa: S608
        is_erased, initials, *contact = both[: len(columns)]
        was_erased, had_initials, *had_contact = both[len(columns) :]
        if is_erased:
            erased += not was_erased
            continue
        if initials != had_initials:
            yield (_("%(name)s: initials only") if initials else _("%(name)s: full name")) % {"name": name}
        if any(had and not has for has, had in zip(contact, had_contact, strict=True)):
            yield _("%(name)s: contact details deleted") % {"name": name}
    if erased:
        yield ngettext("%(n)d person who was erased", "%(n)d persons who were erased", erased) % {"n": erased}


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
