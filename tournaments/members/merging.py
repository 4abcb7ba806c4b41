"""Merging two members who are one person, and undoing it row by row."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from django.core.exceptions import ValidationError
from django.db.models import ForeignObject, ManyToOneRel, Model, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member, MemberMerge
from clubsite.previews import fingerprint, preview
from scoring.handicaps import comparison_key
from scoring.models import HandicapEntry, HandicapStart
from scoring.pasted_names import CONTACT
from tournaments.errors import StepRefused
from tournaments.events.state import is_referenced
from tournaments.models import Entry, Event, PublishedStandings, Season, SeasonMember, rows_by_person
from tournaments.seasons.table import season_tables

Pointer: TypeAlias = "ForeignObject[Any, Any]"


@dataclass(slots=True)
class MergedRows:
    """What a merge changed, as plain data from which each row can be restored."""

    rows: dict[str, list[int]] = field(default_factory=dict)  # "app.Model.field" to the keys of rows that went over
    aside: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # the same to whole rows taken out
    kept: dict[str, Any] = field(default_factory=dict)  # fields of the kept member as they were before
    gave: dict[str, Any] = field(default_factory=dict)  # the same fields as the merge left them
    apart: list[tuple[int, int]] = field(default_factory=list)  # entries made by mistake, with whose they were
    active: bool = True  # whether the merged member still played


def merge(*, kept: Member, merged: Member, by: Actor, seen: str | None = None) -> MemberMerge:
    """Merge `merged` into `kept`, who gets their entries and seasons. Published versions don't change; season tables
    count those nights for `kept` from now on. The merged name stays known.

    `seen` is the fingerprint of the effect that the page has shown. Raises StepRefused: they are the same member, of
    two clubs, erased or merged already; both are in one event; or the effect has changed since it was shown."""
    with kept.club.locked_transaction() as club:
        if done := MemberMerge.objects.filter(kept=kept, merged=merged, undone_at=None).first():
            return done  # a second tap: they are merged already
        people = {row.pk: row for row in Member.objects.filter(club=club, erased_at=None, pk__in=[kept.pk, merged.pk])}
        if len(people) < 2:
            raise StepRefused(_("Choose two members who are on the list now."))
        kept, merged = people[kept.pk], people[merged.pk]
        mistaken = _mistaken_entries(kept, merged)
        if seen is not None and seen != preview_merge(kept=kept, merged=merged, by=by)["seen"]:
            raise StepRefused(_("Something has changed since. Check again what would move."))
        moved = MergedRows(active=merged.active)
        for entry in mistaken:
            moved.apart.append((entry.pk, entry.member_id or 0))
            Entry.objects.filter(pk=entry.pk).update(member=None)
        for pointer in member_pointers():
            _move_rows(pointer, kept=kept, merged=merged, moved=moved)
        _merge_details(kept, merged, moved=moved)
        merged.merged_into, merged.active = kept, False
        merged.save()
        done = MemberMerge.objects.create(club=club, kept=kept, merged=merged, moved=asdict(moved), actor=by.name)
        old, new = {"names": [kept.name, merged.name]}, {"name": kept.name, "merge": done.pk}
        log(club=club, by=by, verb="member.merge", subject=kept, old=old, new=new)
    return done


def unmerge(*, merge: MemberMerge, by: Actor) -> Member:
    """Undo a merge: the merged member gets all their rows back. What `kept` got since stays theirs. Raises StepRefused:
    `kept` was erased, or has been merged into another since, which must be undone first."""
    with merge.club.locked_transaction() as club:
        current = MemberMerge.objects.filter(pk=merge.pk).first()
        if current is None:
            raise StepRefused(_("This member is no longer on the list. Check the list again."))
        merge = current
        kept = Member.every.get(pk=merge.kept_id)
        merged = Member.every.get(pk=merge.merged_id)
        if merge.undone_at is not None:
            return merged
        if kept.merged_into_id is not None:
            raise StepRefused(
                _("%(kept)s was merged into somebody else since. Take that merge back first.") % {"kept": kept.name}
            )
        moved = MergedRows(**merge.moved)
        for pointer in member_pointers():
            _restore_rows(pointer, kept=kept, merged=merged, moved=moved)
        for entry, member in moved.apart:
            event = Entry.objects.filter(pk=entry).values("event")
            if not Entry.objects.filter(event__in=event, member=member).exists():
                Entry.objects.filter(pk=entry, member=None).update(member=member)
        for name, value in moved.kept.items():
            if getattr(kept, name) == moved.gave[name]:
                setattr(kept, name, value)
        kept.save()
        merged.merged_into, merged.active = None, moved.active
        merged.save()
        merge.undone_at = timezone.now()
        merge.save()
        old, new = {"name": kept.name, "merge": merge.pk}, {"names": [kept.name, merged.name]}
        log(club=club, by=by, verb="member.unmerge", subject=merged, old=old, new=new)
    return merged


def preview_merge(*, kept: Member, merged: Member, by: Actor) -> dict[str, Any]:
    """What merging would change, found by merging and rolling back: `entries` that move (event, its start, the name on
    its list), `seasons` with the place before and after, seasons in which both have a division or team (`aside`: that
    of `kept` counts), the number of `handicaps` that stay under the other name, and a fingerprint of all this (`seen`).
    Raises StepRefused: as `merge`."""
    mistaken = [entry.pk for entry in _mistaken_entries(kept, merged)]
    entries = tuple(
        merged.entries.exclude(pk__in=mistaken)
        .order_by("-event__starts_at", "-pk")
        .values_list("event__name", "event__starts_at", "name")
    )
    both = SeasonMember.objects.filter(member=merged, season__members__member=kept)
    aside = tuple(both.order_by("season__name").values_list("season__name", flat=True))
    handicaps = _count_handicaps(merged)
    in_season = Q(events__entries__member=merged) | Q(members__member=merged) | Q(openings__member=merged)
    seasons = list(Season.objects.filter(in_season).distinct().order_by("pk"))
    before, after = preview(lambda: merge(kept=kept, merged=merged, by=by), lambda: _season_places(seasons, kept.pk))
    seen = fingerprint((kept.pk, merged.pk, entries, before, after, aside, handicaps))
    return {
        "entries": entries,
        "seasons": list(zip(before, after, strict=True)),
        "aside": aside,
        "handicaps": handicaps,
        "seen": seen,
    }


def current_merges(club: Club) -> list[MemberMerge]:
    """Merges that weren't undone, the newest first. One query."""
    return list(MemberMerge.objects.filter(club=club, undone_at=None).select_related("kept", "merged"))


def member_pointers() -> list[Pointer]:
    """Every field that points at a member and moves in a merge, also in models added later."""
    relations = [field for field in Member._meta.get_fields() if isinstance(field, ManyToOneRel)]
    return [relation.field for relation in relations if relation.related_model is not MemberMerge]


def _mistaken_entries(kept: Member, merged: Member) -> list[Entry]:
    """For each event with entries of both, the withdrawn one on which nothing rests, made when a wrong name was
    pressed.

    Raises StepRefused: both played in an event, so that they are two people or one entry is wrong; or both are in a
    result."""
    mistaken = []
    shared = merged.entries.filter(event__entries__member=kept).order_by("-event__starts_at")
    for entry in shared.select_related("event"):
        pair = (entry, entry.event.entries.get(member=kept))
        idle = [paired for paired in pair if _is_idle(paired, entry.event)]
        if not idle:
            raise StepRefused(_both_entered_message(entry.event))
        mistaken.append(idle[0])
    for event_name, rows in _newest_results(merged.club):
        members = {row.get("member") for row in rows_by_person(rows)}
        if {kept.pk, merged.pk} <= members:
            raise StepRefused(
                _("Both are in the published result of %(event)s, so they can't be merged.") % {"event": event_name}
            )
    return mistaken


def _is_idle(entry: Entry, event: Event) -> bool:
    """Whether the person doesn't and never did play in an event, and nothing else rests on the entry."""
    if entry.state != Entry.State.WITHDRAWN and event.state != Event.State.FINISHED:
        return False
    return not is_referenced(Entry.objects.filter(pk=entry.pk))


def _both_entered_message(event: Event) -> str:
    if event.by_rounds:
        words = _(
            "Both have an entry in %(event)s, so they can't be merged. If only one was there, press the wrong name "
            "again under “Who is here”."
        )
    else:
        words = _(
            "Both have an entry in %(event)s, so they can't be merged. If one entry there is wrong, change its member "
            "on that event's list first."
        )
    return words % {"event": event.name}


def _newest_results(club: Club) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    """Name and rows of each season event's newest result."""
    standings = PublishedStandings.objects.filter(event__club=club, final=True, event__season__isnull=False)
    results = standings.order_by("number").values_list("event_id", "event__name", "rows")
    return {event: (name, rows) for event, name, rows in results}.values()


def _move_rows(pointer: Pointer, *, kept: Member, merged: Member, moved: MergedRows) -> None:
    """Make rows that point at `merged` point at `kept`. Rows that would clash with one of `kept` are set aside."""
    model = pointer.model
    rows = model._base_manager.filter(**{pointer.name: merged}).order_by("pk")
    aside = [row for row in rows if _breaks_constraint(row, pointer, kept=kept)]
    went = [row.pk for row in rows if row not in aside]
    if aside:
        columns = [field for field in model._meta.get_fields() if field.concrete and not field.many_to_many]
        moved.aside[str(pointer)] = [{f.attname: f.value_from_object(row) for f in columns} for row in aside]
        model._base_manager.filter(pk__in=[row.pk for row in aside]).delete()
    if went:
        moved.rows[str(pointer)] = went
        model._base_manager.filter(pk__in=went).update(**{pointer.name: kept})


def _breaks_constraint(row: Model, pointer: Pointer, *, kept: Member) -> bool:
    """Whether the row clashes with one of `kept`, where the model allows only one."""
    before = getattr(row, pointer.attname)
    setattr(row, pointer.attname, kept.pk)
    try:
        row.validate_constraints()
    except ValidationError:
        return True
    finally:
        setattr(row, pointer.attname, before)
    return False


def _restore_rows(pointer: Pointer, *, kept: Member, merged: Member, moved: MergedRows) -> None:
    """Move back what `_move_rows` moved, if it is still where that left it."""
    model, name = pointer.model, pointer.name
    model._base_manager.filter(pk__in=moved.rows.get(str(pointer), ()), **{name: kept}).update(**{name: merged})
    for values in moved.aside.get(str(pointer), ()):
        row = model(**values)
        links = [field for field in model._meta.get_fields() if field.concrete and field.many_to_one]
        targets: list[tuple[Any, Any]] = [(link.related_model, values[link.attname]) for link in links]
        gone = any(pk is not None and not target._base_manager.filter(pk=pk).exists() for target, pk in targets)
        if gone or model._base_manager.filter(pk=row.pk).exists():
            continue
        if not _breaks_constraint(row, pointer, kept=merged):
            row.save(force_insert=True)


def _merge_details(kept: Member, merged: Member, *, moved: MergedRows) -> None:
    """Give `kept` the contact fields that only `merged` had. It is active, or shown with initials, if either was."""
    new = {name: getattr(merged, name) for name in CONTACT if not getattr(kept, name)}
    new |= {"active": kept.active or merged.active, "initials_only": kept.initials_only or merged.initials_only}
    for name, value in new.items():
        if getattr(kept, name) != value:
            moved.kept[name], moved.gave[name] = getattr(kept, name), value
            setattr(kept, name, value)
    kept.save()


def _count_handicaps(member: Member) -> int:
    name = comparison_key(member.name)
    pairs: set[tuple[str, str]] = set()
    for model in (HandicapEntry, HandicapStart):
        rows = model.objects.filter(Q(first=name) | Q(second=name), club=member.club_id)
        pairs |= set(rows.values_list("first", "second"))
    return len(pairs)


def _season_places(seasons: list[Season], member: int) -> list[dict[str, Any]]:
    places = []
    for table in season_tables(seasons):
        line = next((line for line in (*table.lines, *table.apart) if line.member == member), None)
        where = (line.place, line.shared, line.attended, str(line.total)) if line else (None, False, 0, "0")
        names = ("season", "place", "shared", "nights", "total")
        places.append(dict(zip(names, (table.season.name, *where), strict=True)))
    return places
