"""Erasing a person: their name, address and note go, and the results stay under "A former member".

Only this changes what never changes otherwise: entries of the log, published standings, cuts and versions of deals. The
law gives a person the right to be forgotten, and a result counts without a name. Only texts that contain the name are
changed, and only the name in them. Nothing can bring it back. Afterwards every row of the club is searched, and the
bytes of SQLite's file (`left_in_file`)."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import F, Q
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from clubsite import live
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member, MemberMerge
from clubsite.accounts.people import end_log_ins
from clubsite.accounts.staying import in_batches
from clubsite.jobs.files import delete_all
from clubsite.names import NameReplacer, fold_case, folded_words, name_sort_key
from clubsite.operations import databases
from scoring.handicaps import comparison_key
from scoring.models import HandicapEntry, HandicapStart, HouseRules, Side
from scoring.pasted_names import key
from tournaments.entries.known import known_members
from tournaments.errors import StepRefused
from tournaments.mail import subscribers_of
from tournaments.members.merging import take_back
from tournaments.members.personal_data import names_for, names_of
from tournaments.models import Entry, PublishedStandings, Subscriber, photos_with_member, side_name

STEPS = 9  # the most foreign keys between a row and its club
# The only columns of these that names are taken out of: a club called "St. Hilary" isn't named after a member.
ONLY: dict[type[models.Model], tuple[str, ...]] = {Club: ("plays", "announcement"), HouseRules: ()}

# What may be another letter in another spelling of a caseless name: an accent with its letter, and what ß, ſ, the
# Kelvin sign and the ligatures (ﬀ, ﬁ, ﬂ, ﬆ) become.
MANY_WAYS = re.compile(r"[a-z]?[^\x00-\x7f]+[a-z]?|f+[il]?|s+t?|k|[^a-z]")


@dataclass(frozen=True, slots=True)
class KeptText:
    """Where text of a club is stored: a model, its columns of text and JSON, and the links that lead to the club."""

    model: type[models.Model]
    texts: tuple[str, ...]
    data: tuple[str, ...]
    to_club: str


@dataclass(frozen=True, slots=True)
class Erased:
    stands: str  # the name in place of the person's
    left: Mapping[str, int]  # rows that still have the name, by the kind of rows: none, unless something was forgotten
    elsewhere: bool  # whether another club has somebody of that name
    texts: frozenset[str]  # the names, addresses and telephone numbers that went, as they were written


def way_to_club(model: type[models.Model]) -> tuple[Any, ...] | None:
    """The shortest chain of foreign keys from a model's rows to their club; None where there is none."""
    ways: list[tuple[tuple[Any, ...], type[models.Model]]] = [((), model)]
    for _step in range(STEPS):
        further: list[tuple[tuple[Any, ...], type[models.Model]]] = []
        for way, at in ways:
            if at is Club:
                return way
            for field in at._meta.get_fields():
                target: Any = field.related_model
                link = field.concrete and (field.many_to_one or field.one_to_one)
                if link and not field.null and target is not at:
                    further.append(((*way, field), target))
        ways = further
    return None


def places() -> Iterator[KeptText]:
    """Every column of text and JSON that belongs to a club, also of models that are added later."""
    for model in apps.get_models():
        way = way_to_club(model)
        if way is None:
            continue
        fields = [f for f in model._meta.get_fields() if f.name in ONLY.get(model, (f.name,))]
        texts = tuple(
            f.name
            for f in fields
            if isinstance(f, models.CharField | models.TextField)
            and not f.choices
            and not isinstance(f, models.SlugField | models.EmailField)
        )
        data = tuple(f.name for f in fields if isinstance(f, models.JSONField))
        if texts or data:
            yield KeptText(model, texts, data, "__".join(field.name for field in way) or "pk")


def found_of(member: Member) -> dict[str, Any]:
    """What erasing would change, for its page: the `names` that go, the name that `stands` in their place, how many
    `rows` of each kind, and whether a club `elsewhere` has somebody of that name. Changes nothing."""
    going = _names(member)
    rows = {(model, pk) for model, pk, _new in _own_rows(going)}
    for place in places():
        rows |= {(place.model, pk) for pk, _new in _changed(place, member.club, names=going.everywhere)}
    return {
        "names": sorted(going.names, key=name_sort_key),
        "stands": going.stands,
        "rows": sorted(Counter(_kind(model) for model, _pk in rows).items()),
        "elsewhere": going.elsewhere,
    }


def erase(*, member: Member, by: Actor, typed: str) -> Erased:
    """Erase a person for good, and search the club's rows for what is left. Erasing again changes nothing. Raises
    StepRefused: the name wasn't typed as it is on the list, or the member was merged into another."""
    with member.club.locked_transaction() as club:
        member = Member.every.get(pk=member.pk)
        member.club = club
        if member.erased_at is not None:
            return Erased(member.name, {}, elsewhere=False, texts=frozenset())
        if member.merged_into_id is not None:
            raise StepRefused(_("This member is no longer on the list. Check the list again."))
        if folded_words(typed) != folded_words(member.name):
            raise StepRefused(_("Nothing was erased. Type the name exactly as it is on the list."))
        going = _names(member)
        stands = going.stands
        addresses = subscribers_of(member, going.names)
        Subscriber.objects.filter(pk__in=[to.pk for to in addresses]).delete()
        photos_with_member(member, going.names).delete()  # of cards, which bear the name
        texts = _forget_person(member, stands) | {to.email for to in addresses}
        for model, pk, new in list(_own_rows(going)):
            model._base_manager.filter(pk=pk).update(**new)
        for place in places():
            for pk, new in list(_changed(place, club, names=going.everywhere)):
                place.model._base_manager.filter(pk=pk).update(**new)
        end_log_ins(going.members, placeholder=stands)
        for model in (HandicapEntry, HandicapStart):
            _straighten(model, club)
        left = Counter(
            _kind(place.model)
            for place in places()
            for _row in _changed(place, club, names=going.everywhere, every_row=True)
        )
        log(club=club, by=by, verb="member.erase", subject=stands, new={"left": dict(left)} if left else None)
        transaction.on_commit(live.forget_bodies)  # cached pages and sheets have the name in them
        transaction.on_commit(delete_all)
        if connection.vendor == "sqlite":
            transaction.on_commit(databases.rewrite_file)
    return Erased(stands, dict(left), going.elsewhere, texts | going.names)


def read_erased() -> list[int]:
    """The keys of erased members, who stay erased when a backup is restored."""
    return list(Member.every.exclude(erased_at=None).order_by("pk").values_list("pk", flat=True))


def erase_again(pks: list[int], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Erase again those who came back with a backup."""
    _take_apart(set(pks), by=by)
    number: Counter[int] = Counter()
    for part in in_batches(pks):
        for member in Member.objects.filter(pk__in=part, erased_at=None).select_related("club"):
            erase(member=member, by=by, typed=member.name)
            number[member.club_id] += 1
    return {
        club: [
            ngettext("%(n)d erased person was erased again.", "%(n)d erased people were erased again.", n) % {"n": n}
        ]
        for club, n in number.items()
    }


def _take_apart(erased: set[int], *, by: Actor) -> None:
    """Take back merges of somebody erased since with somebody who wasn't, and who stays."""
    members = Member.every.filter(erased_at=None).values_list("pk", Coalesce("merged_into", "pk"))
    person: dict[int, int] = dict(members) if erased else {}
    mixed = {person[pk] for pk in erased & person.keys()} & {person[pk] for pk in person.keys() - erased}
    for merge in MemberMerge.objects.filter(undone_at=None).order_by("-pk") if mixed else ():  # the last first
        if person.get(merge.kept_id) in mixed:
            take_back(merge=merge, by=by)


def left_in_file(texts: Collection[str]) -> bool | None:
    """Whether the bytes of SQLite's file, or its write-ahead log, hold any of these texts though no row does: among
    deleted data. None for another database. Call it after the erasing is committed."""
    if connection.vendor != "sqlite":
        return None
    ways = {way for text in texts for way in (text, text.upper(), text.lower(), text.casefold())}
    looked = {spelled.lower() for way in ways for spelled in (way.encode(), json.dumps(way)[1:-1].encode())}
    return databases.file_contains(looked) and not databases.rows_contain(looked)


@dataclass(frozen=True, slots=True)
class NamesToErase:
    """The names that go: `everywhere` those that mean only this person; `shared` ones are also another member's, and go
    only where a row itself says whose it is."""

    names: frozenset[str]
    everywhere: NameReplacer
    shared: NameReplacer
    stands: str  # the name in their place
    members: tuple[int, ...]  # the person's keys
    elsewhere: bool  # whether another club has somebody of one of these names


def _names(member: Member) -> NamesToErase:
    stands, names = _free_name(member.club), names_for(member)
    keys = (member.pk, *Member.every.filter(merged_into=member).values_list("pk", flat=True))
    members = set(Member.every.filter(club=member.club).exclude(pk__in=keys).values_list("name", flat=True))
    entries = Entry.objects.filter(event__club=member.club, member__isnull=False).exclude(member__in=keys)
    taken = {key(name) for name in (*members, *entries.values_list("name", flat=True))}
    shared = {name for name in names if key(name) in taken}
    _own, others = names_of(member.club, keys)
    return NamesToErase(
        frozenset(names),
        NameReplacer(dict.fromkeys(names - shared, stands), (others | members | shared) - (names - shared)),
        NameReplacer(dict.fromkeys(shared, stands)),
        stands,
        keys,
        _is_elsewhere(member.club, names),
    )


def _is_elsewhere(club: Club, names: Collection[str]) -> bool:
    """Whether another club of the site has a member, or a guest on a list, of one of these names."""
    keys = {key(name) for name in names}
    holds = Q()
    for name in names:
        holds |= _holds("name", fold_case(name))
    elsewhere = (Member.every.exclude(club=club), Entry.objects.exclude(event__club=club))
    return any(key(name) in keys for rows in elsewhere for name in rows.filter(holds).values_list("name", flat=True))


def _own_rows(going: NamesToErase) -> Iterator[tuple[type[models.Model], Any, dict[str, Any]]]:
    """The person's entries, cards and lines of results under a name that somebody else has too."""
    if not going.shared:
        return
    entries = Entry.objects.filter(member__in=going.members)
    pks = set(entries.values_list("pk", flat=True))
    for entry in entries:
        if (name := going.shared.text(entry.name)) != entry.name:
            yield Entry, entry.pk, {"name": name}
    for published in PublishedStandings.objects.filter(event__entries__member__in=going.members).distinct():
        rows = [_without(row, pks, names=going.shared) for row in published.rows]
        if rows != published.rows:
            yield PublishedStandings, published.pk, {"rows": rows}
    seats = "game__group_game__group__seats__"
    sides = Side.objects.filter(**{f"{seats}entry__in": pks, "number": F(f"{seats}side")}).distinct()
    for side in sides:
        if (names := going.shared.data(side.names)) != side.names:
            yield Side, side.pk, {"names": names}


def _without(row: dict[str, Any], pks: Collection[int], *, names: NameReplacer) -> dict[str, Any]:
    """A row of a result without the person's name; a partner of the same name keeps it."""
    if "people" not in row:
        return names.data(row) if row["entry"] in pks else row
    people = [names.data(person) if person["entry"] in pks else person for person in row["people"]]
    return {**row, "people": people, "name": side_name(person["name"] for person in people)}


def _free_name(club: Club) -> str:
    """A name that tells nothing about the person and that nobody in the club has."""
    taken, number = known_members(club), 1
    while True:
        name = _("A former member") if number == 1 else _("A former member %(n)d") % {"n": number}
        if key(name) not in taken:
            return name
        number += 1


def _forget_person(member: Member, stands: str) -> frozenset[str]:
    """Empty the rows of the member and of those merged into it, and delete the records of the merges. Returns their
    addresses and telephone numbers."""
    merged = list(Member.every.filter(merged_into=member))
    contacts = frozenset(filter(None, (text for row in (member, *merged) for text in (row.email, row.telephone))))
    MemberMerge.objects.filter(Q(kept=member) | Q(merged=member) | Q(kept__in=merged) | Q(merged__in=merged)).delete()
    for n, row in enumerate([member, *merged]):
        row.name = stands if n == 0 else f"{stands} · {row.pk}"
        row.email = row.telephone = row.note = row.classes = ""
        row.active = row.initials_only = False
        row.erased_at = timezone.now()
        row.save()
    return contacts


def _changed(
    place: KeptText, club: Club, *, names: NameReplacer, every_row: bool = False
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Rows of a place with a name in them: the key, and the columns without it. Unless `every_row`, only rows are read
    that the database finds by part of the name."""
    rows = place.model._base_manager.filter(**{place.to_club: club.pk}).order_by("pk")
    rows = rows.annotate(**{f"as_text_{name}": Cast(name, models.TextField()) for name in place.data})
    looked = Q()
    for name in () if every_row else names.instead:
        for column in (*place.texts, *(f"as_text_{data}" for data in place.data)):
            looked |= _holds(column, name)
    for row in rows.filter(looked).iterator(chunk_size=500):
        old = {column: getattr(row, column) for column in (*place.texts, *place.data)}
        new = {column: names.data(value) for column, value in old.items()}
        changed = {column: value for column, value in new.items() if value != old[column]}
        if changed:
            yield row.pk, changed


def _holds(column: str, name: str) -> Q:
    """A filter for rows whose column may hold a caseless name, to be compared exactly afterwards. It looks for the
    longest part of the name that is the same in all its spellings; without one, every row may hold it."""
    part = max(plain_parts(name), key=len, default="")
    return Q(**{f"{column}__icontains": part}) if part else Q(pk__isnull=False)


def plain_parts(name: str) -> list[str]:
    """The parts of a caseless name that are the same in all its spellings.

    >>> plain_parts(fold_case("Anne Müller-Weiß"))
    ['anne', 'm', 'ler', 'wei']
    """
    return [part for part in MANY_WAYS.split(name) if part]


def _straighten(model: type[HandicapEntry] | type[HandicapStart], club: Club) -> None:
    """Put the two names of each pair in alphabetical order and lower case again, as they are looked up."""
    for row in model._base_manager.filter(club=club):
        first, second = comparison_key(row.first), comparison_key(row.second)
        if (first, second) == (row.first, row.second) and first <= second:
            continue
        row.first, row.second = first, second
        if first > second:
            row.first, row.second = second, first
            for name in (f.name for f in model._meta.get_fields() if f.name.endswith("_first")):
                other = name.replace("_first", "_second")
                of_first, of_second = getattr(row, name), getattr(row, other)
                setattr(row, name, of_second)
                setattr(row, other, of_first)
            if isinstance(row, HandicapEntry):
                row.winner = 1 - row.winner
        row.save()


def _kind(model: type[models.Model]) -> str:
    return {
        "LogEntry": _("Entries of the log"),
        "Entry": _("Lists of events"),
        "PublishedStandings": _("Published results"),
        "Side": _("Cards"),
        "Seat": _("Seats played for somebody else"),
        "Member": _("Names on the list of members"),
        "HandicapEntry": _("Handicaps"),
        "HandicapStart": _("Handicaps"),
    }.get(model.__name__, _("Other records"))
