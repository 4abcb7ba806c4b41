"""Erasing a person: their name, address and note go, and the results stay under "A former member".

Only this changes what never changes otherwise: entries of the log, published standings, cuts and versions of deals. The
law gives a person the right to be forgotten, and a result counts without a name. Only texts that contain the name are
changed, and only the name in them. Nothing can bring it back. Afterwards every row of the club is searched, and the
bytes of SQLite's file (`is_left_in_file`)."""

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
from clubsite.names import NameReplacer, fold_case, folded_words, name_sort_key, side_name
from clubsite.operations import databases
from scoring.handicaps import comparison_key
from scoring.models import HandicapEntry, HandicapStart, HouseRules, Side
from scoring.pasted_names import name_key
from tournaments.entries.known import known_members
from tournaments.errors import StepRefused
from tournaments.mail import subscribers_of
from tournaments.members.merging import unmerge
from tournaments.members.personal_data import all_names, names_in_events
from tournaments.models import Entry, PublishedStandings, Subscriber, photos_with_member

MOST_STEPS = 9  # the most foreign keys between a row and its club
# The only columns of these that names are taken out of: a club called "St. Hilary" isn't named after a member.
ONLY_COLUMNS: dict[type[models.Model], tuple[str, ...]] = {Club: ("plays", "announcement"), HouseRules: ()}

# What may be another letter in another spelling of a caseless name: an accent with its letter, and what ß, ſ, the
# Kelvin sign and the ligatures (ﬀ, ﬁ, ﬂ, ﬆ) become.
AMBIGUOUS_LETTERS = re.compile(r"[a-z]?[^\x00-\x7f]+[a-z]?|f+[il]?|s+t?|k|[^a-z]")


@dataclass(frozen=True, slots=True)
class TextColumns:
    """A model's columns of text and JSON in which a name may be, and the lookup of its club."""

    model: type[models.Model]
    texts: tuple[str, ...]
    data: tuple[str, ...]
    to_club: str


@dataclass(frozen=True, slots=True)
class ErasureResult:
    replacement: str  # the name in place of the person's
    left: Mapping[str, int]  # rows that still have the name, by the kind of rows: none, unless something was forgotten
    elsewhere: bool  # whether another club has somebody of that name
    texts: frozenset[str]  # the names, addresses and telephone numbers that went, as they were written


def path_to_club(model: type[models.Model]) -> tuple[Any, ...] | None:
    """The shortest chain of foreign keys from a model's rows to their club; None if there is none."""
    paths: list[tuple[tuple[Any, ...], type[models.Model]]] = [((), model)]
    for _step in range(MOST_STEPS):
        further: list[tuple[tuple[Any, ...], type[models.Model]]] = []
        for path, at in paths:
            if at is Club:
                return path
            for field in at._meta.get_fields():
                target: Any = field.related_model
                link = field.concrete and (field.many_to_one or field.one_to_one)
                if link and not field.null and target is not at:
                    further.append(((*path, field), target))
        paths = further
    return None


def text_columns() -> Iterator[TextColumns]:
    """Every column of text and JSON that belongs to a club, also of models added later."""
    for model in apps.get_models():
        path = path_to_club(model)
        if path is None:
            continue
        fields = [f for f in model._meta.get_fields() if f.name in ONLY_COLUMNS.get(model, (f.name,))]
        texts = tuple(
            f.name
            for f in fields
            if isinstance(f, models.CharField | models.TextField)
            and not f.choices
            and not isinstance(f, models.SlugField | models.EmailField)
        )
        data = tuple(f.name for f in fields if isinstance(f, models.JSONField))
        if texts or data:
            yield TextColumns(model, texts, data, "__".join(field.name for field in path) or "pk")


def preview_erasure(member: Member) -> dict[str, Any]:
    """What erasing would change: the `names` that go, the name in their place (`replacement`), the number of `rows` by
    kind, and whether a club `elsewhere` has somebody of that name."""
    going = _names_to_erase(member)
    rows = {(model, pk) for model, pk, _new in _rows_under_shared_names(going)}
    for columns in text_columns():
        rows |= {(columns.model, pk) for pk, _new in _erase_from_columns(columns, member.club, names=going.everywhere)}
    return {
        "names": sorted(going.names, key=name_sort_key),
        "replacement": going.replacement,
        "rows": sorted(Counter(_kind_label(model) for model, _pk in rows).items()),
        "elsewhere": going.elsewhere,
    }


def erase(*, member: Member, by: Actor, typed: str) -> ErasureResult:
    """Erase a person for good, then search the club's rows for what is left. Erasing twice is erasing once. Raises
    StepRefused: the name wasn't typed as it is on the list, or the member was merged into another."""
    with member.club.locked_transaction() as club:
        member = Member.every.get(pk=member.pk)
        member.club = club
        if member.erased_at is not None:
            return ErasureResult(member.name, {}, elsewhere=False, texts=frozenset())
        if member.merged_into_id is not None:
            raise StepRefused(_("This member is no longer on the list. Check the list again."))
        if folded_words(typed) != folded_words(member.name):
            raise StepRefused(_("Nothing was erased. Type the name exactly as it is on the list."))
        going = _names_to_erase(member)
        replacement = going.replacement
        addresses = subscribers_of(member, going.names)
        Subscriber.objects.filter(pk__in=[to.pk for to in addresses]).delete()
        photos_with_member(member, going.names).delete()  # of cards, which bear the name
        texts = _empty_member_rows(member, replacement) | {to.email for to in addresses}
        for model, pk, new in list(_rows_under_shared_names(going)):
            model._base_manager.filter(pk=pk).update(**new)
        for columns in text_columns():
            for pk, new in list(_erase_from_columns(columns, club, names=going.everywhere)):
                columns.model._base_manager.filter(pk=pk).update(**new)
        end_log_ins(going.members, placeholder=replacement)
        for model in (HandicapEntry, HandicapStart):
            _sort_handicap_pairs(model, club)
        left = Counter(
            _kind_label(columns.model)
            for columns in text_columns()
            for _row in _erase_from_columns(columns, club, names=going.everywhere, every_row=True)
        )
        log(club=club, by=by, verb="member.erase", subject=replacement, new={"left": dict(left)} if left else None)
        transaction.on_commit(live.forget_bodies)  # cached pages and sheets have the name in them
        transaction.on_commit(delete_all)
        if connection.vendor == "sqlite":
            transaction.on_commit(databases.rewrite_file)
    return ErasureResult(replacement, dict(left), going.elsewhere, texts | going.names)


def dump_erased() -> list[int]:
    """The keys of erased members, who stay erased when a backup is restored."""
    return list(Member.every.exclude(erased_at=None).order_by("pk").values_list("pk", flat=True))


def erase_again(pks: list[int], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Erase members again whom a restored backup has brought back."""
    _undo_mixed_merges(set(pks), by=by)
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


def _undo_mixed_merges(erased: set[int], *, by: Actor) -> None:
    """Undo restored merges of somebody erased since with somebody who wasn't, and who stays."""
    members = Member.every.filter(erased_at=None).values_list("pk", Coalesce("merged_into", "pk"))
    person: dict[int, int] = dict(members) if erased else {}
    mixed = {person[pk] for pk in erased & person.keys()} & {person[pk] for pk in person.keys() - erased}
    for merge in MemberMerge.objects.filter(undone_at=None).order_by("-pk") if mixed else ():  # the last first
        if person.get(merge.kept_id) in mixed:
            unmerge(merge=merge, by=by)


def is_left_in_file(texts: Collection[str]) -> bool | None:
    """Whether SQLite's file or its write-ahead log still holds any of these texts among deleted data, though no row
    does. None for other databases. Call it after the erasing is committed."""
    if connection.vendor != "sqlite":
        return None
    spellings = {s for text in texts for s in (text, text.upper(), text.lower(), text.casefold())}
    searched = {raw.lower() for s in spellings for raw in (s.encode(), json.dumps(s)[1:-1].encode())}
    return databases.file_contains(searched) and not databases.rows_contain(searched)


@dataclass(frozen=True, slots=True)
class NamesToErase:
    """The names to erase: `everywhere` those of this person alone; `shared` ones are another member's too, and go only
    from rows that say whose they are."""

    names: frozenset[str]
    everywhere: NameReplacer
    shared: NameReplacer
    replacement: str  # the name in their place
    members: tuple[int, ...]  # the person's keys
    elsewhere: bool  # whether another club has somebody of one of these names


def _names_to_erase(member: Member) -> NamesToErase:
    replacement, names = _free_name(member.club), all_names(member)
    keys = (member.pk, *Member.every.filter(merged_into=member).values_list("pk", flat=True))
    members = set(Member.every.filter(club=member.club).exclude(pk__in=keys).values_list("name", flat=True))
    entries = Entry.objects.filter(event__club=member.club, member__isnull=False).exclude(member__in=keys)
    taken = {name_key(name) for name in (*members, *entries.values_list("name", flat=True))}
    shared = {name for name in names if name_key(name) in taken}
    _own, others = names_in_events(member.club, keys)
    return NamesToErase(
        frozenset(names),
        NameReplacer(dict.fromkeys(names - shared, replacement), (others | members | shared) - (names - shared)),
        NameReplacer(dict.fromkeys(shared, replacement)),
        replacement,
        keys,
        _is_elsewhere(member.club, names),
    )


def _is_elsewhere(club: Club, names: Collection[str]) -> bool:
    """Whether another club of the site has a member or guest of one of these names."""
    keys = {name_key(name) for name in names}
    holds = Q()
    for name in names:
        holds |= _may_hold("name", fold_case(name))
    elsewhere = (Member.every.exclude(club=club), Entry.objects.exclude(event__club=club))
    return any(
        name_key(name) in keys for rows in elsewhere for name in rows.filter(holds).values_list("name", flat=True)
    )


def _rows_under_shared_names(going: NamesToErase) -> Iterator[tuple[type[models.Model], Any, dict[str, Any]]]:
    """Changes to the person's own entries, cards and lines of results under a name that somebody else has too."""
    if not going.shared:
        return
    entries = Entry.objects.filter(member__in=going.members)
    pks = set(entries.values_list("pk", flat=True))
    for entry in entries:
        if (name := going.shared.text(entry.name)) != entry.name:
            yield Entry, entry.pk, {"name": name}
    for published in PublishedStandings.objects.filter(event__entries__member__in=going.members).distinct():
        rows = [_erase_from_row(row, pks, names=going.shared) for row in published.rows]
        if rows != published.rows:
            yield PublishedStandings, published.pk, {"rows": rows}
    seats = "game__group_game__group__seats__"
    sides = Side.objects.filter(**{f"{seats}entry__in": pks, "number": F(f"{seats}side")}).distinct()
    for side in sides:
        if (names := going.shared.data(side.names)) != side.names:
            yield Side, side.pk, {"names": names}


def _erase_from_row(row: dict[str, Any], pks: Collection[int], *, names: NameReplacer) -> dict[str, Any]:
    """A row of a result without the person's name; a partner of the same name keeps it."""
    if "people" not in row:
        return names.data(row) if row["entry"] in pks else row
    people = [names.data(person) if person["entry"] in pks else person for person in row["people"]]
    return {**row, "people": people, "name": side_name(person["name"] for person in people)}


def _free_name(club: Club) -> str:
    """A name that says nothing about the person and that nobody in the club has."""
    taken, number = known_members(club), 1
    while True:
        name = _("A former member") if number == 1 else _("A former member %(n)d") % {"n": number}
        if name_key(name) not in taken:
            return name
        number += 1


def _empty_member_rows(member: Member, replacement: str) -> frozenset[str]:
    """Empty the rows of the member and of those merged into it, and delete the merges. Returns their addresses and
    telephone numbers."""
    merged = list(Member.every.filter(merged_into=member))
    contacts = frozenset(filter(None, (text for row in (member, *merged) for text in (row.email, row.telephone))))
    MemberMerge.objects.filter(Q(kept=member) | Q(merged=member) | Q(kept__in=merged) | Q(merged__in=merged)).delete()
    for n, row in enumerate([member, *merged]):
        row.name = replacement if n == 0 else f"{replacement} · {row.pk}"
        row.email = row.telephone = row.note = row.classes = ""
        row.active = row.initials_only = False
        row.erased_at = timezone.now()
        row.save()
    return contacts


def _erase_from_columns(
    columns: TextColumns, club: Club, *, names: NameReplacer, every_row: bool = False
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The rows with a name in these columns: the key, and the changed columns without it. Unless `every_row`, the
    database first picks rows by a part of the name."""
    rows = columns.model._base_manager.filter(**{columns.to_club: club.pk}).order_by("pk")
    rows = rows.annotate(**{f"as_text_{name}": Cast(name, models.TextField()) for name in columns.data})
    looked = Q()
    for name in () if every_row else names.instead:
        for column in (*columns.texts, *(f"as_text_{data}" for data in columns.data)):
            looked |= _may_hold(column, name)
    for row in rows.filter(looked).iterator(chunk_size=500):
        old = {column: getattr(row, column) for column in (*columns.texts, *columns.data)}
        new = {column: names.data(value) for column, value in old.items()}
        changed = {column: value for column, value in new.items() if value != old[column]}
        if changed:
            yield row.pk, changed


def _may_hold(column: str, name: str) -> Q:
    """A filter for rows whose column may hold a caseless name, to be compared exactly afterwards. It looks for the
    longest part that is the same in all spellings; a name without one may be in every row."""
    part = max(plain_parts(name), key=len, default="")
    return Q(**{f"{column}__icontains": part}) if part else Q(pk__isnull=False)


def plain_parts(name: str) -> list[str]:
    """The parts of a caseless name that are the same in all its spellings.

    >>> plain_parts(fold_case("Anne Müller-Weiß"))
    ['anne', 'm', 'ler', 'wei']
    """
    return [part for part in AMBIGUOUS_LETTERS.split(name) if part]


def _sort_handicap_pairs(model: type[HandicapEntry] | type[HandicapStart], club: Club) -> None:
    """Put the names of each pair in lower case and alphabetical order again, as look-ups expect."""
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


def _kind_label(model: type[models.Model]) -> str:
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
