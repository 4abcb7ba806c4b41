"""An event, or a whole club, as a file: exported from one installation and imported into another, where standings come
out the same."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence, Set
from datetime import date
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _, gettext_lazy, override
from django.views.decorators.http import require_safe

from clubsite import __version__
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member, User
from clubsite.accounts.roles import club_page, request_actor
from clubsite.previews import preview
from scoring.deal_files.importer import rules_faults, same_rules
from scoring.deal_files.views import ImportForm, kept
from scoring.engine.core import ruleset
from scoring.engine.core.ruleset import RulesError
from scoring.house_rules.actions import save_rules
from scoring.models import Agreement, Deal, DealVersion, Game, HouseRules, Points, Side
from scoring.pasted_names import name_key
from tournaments.cuts.cuts import LEFT_AFTER, CutDifference, difference
from tournaments.entries.actions import refuse_bad_name
from tournaments.entries.known import known_members
from tournaments.errors import StepRefused
from tournaments.events.actions import free_slug, refuse_mixed_season
from tournaments.events.state import published_cut
from tournaments.models import (
    Adjustment,
    Cut,
    CutLine,
    Draw,
    Entry,
    Event,
    Group,
    GroupGame,
    KeyedAgain,
    PrizePlan,
    PublishedPrizes,
    PublishedStandings,
    Round,
    RoundClock,
    Season,
    SeasonMember,
    SeasonOpening,
    Seat,
    SecondKeying,
    SitOut,
    Stage,
    Table,
    Wish,
)
from tournaments.requests import event_page
from tournaments.seasons.actions import create_season
from tournaments.seasons.table import SeasonTable, build_table, season_nights, season_tables
from tournaments.standings.standings import standings_of

EVENT, CLUB, VERSION = "nine-tables-event", "nine-tables-club", 1
EVENT_MEMBER_FIELDS = ("name", "classes", "initials_only", "erased_at")  # of a member, in an event's file
MEMBER_FIELDS = (*EVENT_MEMBER_FIELDS, "email", "telephone", "note", "active")  # in a club's file
UNCHECKED_FIELDS = ("club", "merged_into", "inactive_since", "erased_at")  # of a member: nothing a file says
SITE = UUID("6a2f2a0e-6c0e-4f5a-9d55-0d6f7f1f5a37")  # namespace of the ids in files, made from an event's creation time
ROWS: dict[type[models.Model], tuple[type[models.Model], str]] = {  # each after the models that it refers to
    Stage: (Event, "event"),
    Entry: (Event, "event"),
    Round: (Stage, "stage"),
    RoundClock: (Round, "round"),
    SecondKeying: (Round, "round"),
    Draw: (Round, "round"),
    Table: (Draw, "draw"),
    Group: (Table, "table"),
    Seat: (Draw, "draw"),
    SitOut: (Draw, "draw"),
    Game: (Group, "group_game__group"),
    GroupGame: (Group, "group"),
    Side: (Game, "game"),
    Deal: (Game, "game"),
    DealVersion: (Deal, "deal"),
    Agreement: (DealVersion, "version"),
    Points: (DealVersion, "version"),
    KeyedAgain: (DealVersion, "version"),
    Wish: (Event, "event"),
    Cut: (Stage, "stage"),
    CutLine: (Cut, "cut"),
    PublishedStandings: (Event, "event"),
    Adjustment: (Stage, "stage"),
    PrizePlan: (Event, "event"),
    PublishedPrizes: (Event, "event"),
}
"""Everything that an event consists of: whose its rows are, and by which field. Not exported: links, letters, sign-ups,
photos, money, and what a game did to the handicap between two people."""

MOST_BYTES = 64 * 1024 * 1024  # bytes of a file that waits packed on a page
FIELDS_NAMING_ENTRIES = {  # JSON fields that name entries, and members beside them
    Draw: ("statement", "ahead", "change"),
    Cut: ("settled",),
    CutLine: ("args",),
    PublishedStandings: ("rows",),
    PrizePlan: ("passed", "classes"),
    PublishedPrizes: ("lines",),
}
ENTRY_KEYS = frozenset(  # keys in those fields that hold entries: one, a list, or as keys
    {"entry", "instead_of", "entries", "order", "people", "tables", "sit_outs", "walkovers", "states"}
    | {"play_off", "lots", "numbers", "despite", "winners", "drawn_among", "passed_on", "passed"}
)
DAMAGED = gettext_lazy("This file is damaged, or it isn't an event from Nine Tables. Choose another file.")


def event_ids(club: Club) -> dict[UUID, int]:
    """The club's events by the ids that files give them, which are the same in every installation: made from the time
    at which the log says the event was created, or taken from the file it was imported from. Two queries."""
    ids = {pk: uuid5(SITE, f"{club.slug} {pk}") for pk in club.events.values_list("pk", flat=True)}
    for entry in LogEntry.objects.filter(club=club, verb__in=("event.create", "event.import"), event__in=ids):
        file = (entry.new or {}).get("file") if entry.verb == "event.import" else None
        ids[entry.event or 0] = UUID(file) if file else uuid5(SITE, f"{entry.at.isoformat()} {entry.event}")
    return {id: pk for pk, id in ids.items()}


def export_event(event: Event) -> bytes:
    """An event as a file, with its rules and the names of its members."""
    return _write_file(
        EVENT, _event_content(event, next(id for id, pk in event_ids(event.club).items() if pk == event.pk))
    )


def export_club(club: Club) -> bytes:
    ids = {pk: id for id, pk in event_ids(club).items()}
    events = club.events.select_related("club", "rules", "season").order_by("starts_at", "pk")
    members = Member.objects.filter(club=club).order_by("pk")
    seasons = list(club.seasons.order_by("starts", "pk").prefetch_related("members__member"))
    data = {
        "members": [{name: getattr(member, name) for name in MEMBER_FIELDS} for member in members],
        "seasons": [
            {name: getattr(season, name) for name in ("name", "starts", "ends", "rule", "moving", "team_best")}
            | {
                "belong": [[row.member.name, row.division, row.team] for row in season.members.all()],
                "before": [[table.names[o.whose], o.nights, o.points, o.source] for o in table.openings],
                "table": _season_lines(build_table(table)),
            }
            for season, table in zip(seasons, season_nights(seasons), strict=True)
        ],
        "events": [_event_content(event, ids[event.pk]) for event in events],
    }
    return _write_file(CLUB, {"data": data})


def _season_lines(table: SeasonTable) -> list[Any]:
    return [[line.name, line.place, line.attended, str(line.total)] for line in (*table.lines, *table.apart)]


def _event_content(event: Event, id: UUID) -> dict[str, Any]:
    with override("en"):  # the language in which translated names are stored
        rows = _event_rows(event)
        games = {game["rules_id"] for game in rows["Game"]} | {event.rules_id}
        members = Member.every.filter(entries__event=event).distinct().order_by("pk")
        data = {
            "event": _row_data(event),
            "season": event.season.name if event.season else "",
            "rules": [{"id": rules.pk, "rule_set": rules.data} for rules in HouseRules.objects.filter(pk__in=games)],
            "members": [{"id": m.pk} | {name: getattr(m, name) for name in EVENT_MEMBER_FIELDS} for m in members],
            "rows": rows,
            "standings": all_standings(event),
        }
    return {"id": str(id), "data": data}


def _write_file(kind: str, content: dict[str, Any]) -> bytes:
    content = json.loads(json.dumps(content, default=str))
    head = {"kind": kind, "version": VERSION, "program": __version__, "checksum": _checksum(content["data"])}
    return json.dumps(head | content, ensure_ascii=False).encode()


def _event_rows(event: Event) -> dict[str, list[dict[str, Any]]]:
    """The rows of each model, looked up by the rows they belong to: with thousands of clubs PostgreSQL would read whole
    tables for the twelve joins from a deal's points to its event."""
    rows: dict[type[models.Model], list[Any]] = {Event: [event]}
    for model, (owner, field) in ROWS.items():
        rows[model] = list(model._base_manager.filter(**{f"{field}__in": rows[owner]}).order_by("pk"))
    return {model.__name__: [_row_data(row) for row in rows[model]] for model in ROWS}


def _row_data(row: models.Model) -> dict[str, Any]:
    return {f.attname: f.value_from_object(row) for f in _columns(row) if f.related_model is not User}


def _columns(model: Any) -> list[Any]:
    return [field for field in model._meta.get_fields() if field.concrete and not field.many_to_many]


def _checksum(data: Any) -> str:
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def all_standings(event: Event) -> list[Any]:
    """The standings of each stage as computed now, with what separates places; and how many people the published cut
    would send on, leave out or leave tied differently."""
    stages = []
    for stage in event.stages.select_related("event__club", "event__rules").order_by("number"):
        cut = published_cut(stage)
        changed = difference(cut) if cut else CutDifference()
        rows = [[row.name, row.place, row.points, row.games_won, row.separated_by] for row in standings_of(stage).rows]
        stages.append([rows, [len(changed.would_go_on), len(changed.would_not), len(changed.tied)]])
    return stages


def read_file(raw: bytes) -> dict[str, Any]:
    """The content of a file. Raises StepRefused: it is damaged, another kind of file, or from a newer version."""
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError):
        raise StepRefused(DAMAGED) from None
    if not isinstance(content, dict) or content.get("kind") not in (EVENT, CLUB):
        raise StepRefused(
            _("This file isn't an event of Nine Tables. Choose one saved with “The whole event as a file”.")
        )
    if content.get("version") != VERSION:
        newer = _("This file was saved by a newer version of Nine Tables, %(version)s. Update this site first.")
        raise StepRefused(newer % {"version": str(content.get("program"))[:40]})
    if _checksum(content.get("data")) != content.get("checksum"):
        raise StepRefused(DAMAGED)
    return content


def import_event(*, club: Club, by: Actor, content: Mapping[str, Any]) -> dict[str, Any]:
    """Add the event in a file to this club, with everything in it, or find it if the club has it already.

    Returns the `event`, whether it was `known`, the names of members who are `new` or already `here`, the titles of new
    `rules`, and the `season` of the same name (or that name as `season_not_here`).

    People are matched by name, rules by slug and version. Raises StepRefused: the file is damaged, the club has
    different rules under that version, or the standings come out differently."""
    try:
        with club.locked_transaction() as club:
            if pk := event_ids(club).get(UUID(content["id"])):
                return {"event": club.events.get(pk=pk), "known": True}
            return _EventImport(club, content, by=by).run()
    except (KeyError, TypeError, ValueError, AttributeError, ValidationError, IntegrityError, RulesError):
        raise StepRefused(DAMAGED) from None


def import_club(*, club: Club, by: Actor, content: Mapping[str, Any]) -> dict[str, Any]:
    """Add the members, seasons and events in a club's file to this club, except those it already has.

    Returns the names of members who are `new` or already `here`, of new `rules` and `seasons`, the new `events`, and
    how many were `known`. Raises StepRefused: as `import_event`, or a new season's table comes out differently."""
    data = content["data"]
    try:
        with club.locked_transaction() as club:
            members = known_members(club)
            new = [row for row in data["members"] if name_key(row["name"]) not in members]
            for row in new:
                refuse_bad_name(row["name"])
                _add_member(club, row, says=MEMBER_FIELDS)
            names = [row["name"] for row in new]
            if new:
                log(club=club, by=by, verb="members.add", subject=club, new={"names": names})
            season_names = set(club.seasons.values_list("name", flat=True))
            seasons = [
                (_add_season(club, row, by=by), row) for row in data["seasons"] if row["name"] not in season_names
            ]
            taken = [import_event(club=club, by=by, content=event) for event in data["events"]]
            tables = season_tables([season for season, _row in seasons])
            if [_season_lines(table) for table in tables] != [row["table"] for _season, row in seasons]:
                raise StepRefused(_("The table of a season doesn't come out the same here, so nothing was imported."))
    except (KeyError, TypeError, ValueError, AttributeError, ValidationError, IntegrityError):
        raise StepRefused(DAMAGED) from None
    return {
        "new": names,
        "here": [row["name"] for row in data["members"] if row not in new],
        "rules": [title for result in taken for title in result.get("rules", ())],
        "seasons": [season.name for season, _row in seasons],
        "events": [result["event"] for result in taken if not result["known"]],
        "known": sum(result["known"] for result in taken),
    }


def _add_member(club: Club, row: Mapping[str, Any], *, says: Sequence[str]) -> Member:
    """Add a member with these columns of the file. Somebody erased there stays erased."""
    member = Member(club=club, **{name: row[name] for name in says})
    member.erased_at = parse_datetime(row["erased_at"]) if row["erased_at"] else None
    member.clean_fields(exclude=UNCHECKED_FIELDS)
    member.save()
    return member


def _add_season(club: Club, row: Mapping[str, Any], *, by: Actor) -> Season:
    days = {name: date.fromisoformat(row[name]) for name in ("starts", "ends")}
    season = create_season(club=club, by=by, name=row["name"], **days)
    season.rule, season.moving, season.team_best = row["rule"], row["moving"], row["team_best"]
    season.save()
    members = known_members(club)
    SeasonMember.objects.bulk_create(
        SeasonMember(season=season, member=members[name_key(name)], division=division, team=team)
        for name, division, team in row["belong"]
    )
    SeasonOpening.objects.bulk_create(
        SeasonOpening(
            season=season,
            member=members[name_key(name)],
            nights=nights,
            points=points,
            source=source,
            submission=uuid5(SITE, f"{season.pk}"),
            actor=by.name,
        )
        for name, nights, points, source in row["before"]
    )
    return season


class _EventImport:
    """Writes an event's rows. `ids` has, for each model, the new keys by the keys in the file."""

    def __init__(self, club: Club, content: Mapping[str, Any], *, by: Actor) -> None:
        self.club, self.by, self.id, self.data = club, by, UUID(content["id"]), content["data"]
        self.ids: dict[Any, dict[Any, Any]] = {}

    def run(self) -> dict[str, Any]:
        row, season = self.data["event"], Season.objects.filter(club=self.club, name=self.data["season"]).first()
        taken: dict[str, Any] = {"rules": self._add_rules(), **self._add_members(), "season": season}
        taken["season_not_here"] = "" if season else self.data["season"]
        self.ids[Season], self.ids[Stage] = {row["season_id"]: season and season.pk}, {row["from_stage_id"]: None}
        row = row | {"slug": free_slug(self.club, row["name"])}
        self._insert_rows(Event, [row | {"seeding": {}}])
        event = Event.objects.select_related("club", "rules").get(pk=self.ids[Event][row["id"]])
        refuse_mixed_season(event)
        for model in ROWS:
            self._insert_rows(model, self.data["rows"][model.__name__])
        if numbers := row["seeding"].get("numbers"):
            event.seeding = {"by": "hand", "numbers": self._renumber(numbers, ids=self.ids[Entry])}
            event.save(update_fields=["seeding"])
        if json.loads(json.dumps(all_standings(event), default=str)) != self.data["standings"]:
            raise StepRefused(_("The standings of this event don't come out the same here, so it wasn't imported."))
        new = {"file": str(self.id), "members": taken["new"]}
        log(club=self.club, by=self.by, verb="event.import", subject=event.in_log, new=new)
        return taken | {"event": event, "known": False}

    def _add_rules(self) -> list[str]:
        titles, ids = [], self.ids.setdefault(HouseRules, {})
        for row in self.data["rules"]:
            rule_set = ruleset.from_data(row["rule_set"])
            house_rules = self.club.house_rules.filter(slug=rule_set.slug, version=rule_set.version).first()
            if house_rules and house_rules.rule_set != rule_set and not same_rules(house_rules.rule_set, rule_set):
                words = _("This club has other rules under version %(version)d of %(title)s.")
                raise StepRefused(words % {"version": house_rules.version, "title": house_rules.title})
            if house_rules is None:
                if wrong := next(rules_faults(rule_set), ""):
                    raise StepRefused(wrong)
                house_rules = save_rules(club=self.club, rule_set=rule_set, by=self.by)
                titles.append(house_rules.title)
            ids[row["id"]] = house_rules.pk
        return titles

    def _add_members(self) -> dict[str, list[str]]:
        members, ids = known_members(self.club), self.ids.setdefault(Member, {})
        new, existing = list[str](), list[str]()
        for row in self.data["members"]:
            member = members.get(name_key(row["name"]))
            (existing if member else new).append(row["name"])
            if member is None:
                refuse_bad_name(row["name"])
                member = _add_member(self.club, row, says=EVENT_MEMBER_FIELDS)
            ids[row["id"]] = member.pk
        return {"new": new, "here": existing}

    def _insert_rows(self, model: type[models.Model], rows: list[dict[str, Any]]) -> None:
        """Insert rows of a model, then set links between them and the creation times, which inserting sets to now."""
        fields = [field for field in _columns(model) if not field.primary_key]
        self_links = [field for field in fields if field.related_model is model]
        times = [field for field in fields if getattr(field, "auto_now_add", False)]
        new = [
            self._make_row(model, row, fields=[field for field in fields if field not in self_links]) for row in rows
        ]
        created = model._base_manager.bulk_create(new)
        ids = self.ids.setdefault(model, {})
        ids |= {row["id"]: instance.pk for row, instance in zip(rows, created, strict=True)}
        for instance, row in zip(created, rows, strict=True):
            for field in self_links:
                setattr(instance, field.attname, ids.get(row[field.attname]))
            for field in times:
                setattr(instance, field.attname, field.to_python(row[field.attname]))
        if new and (self_links or times):
            model._base_manager.bulk_update(created, [field.name for field in (*self_links, *times)])

    def _make_row(self, model: type[models.Model], row: Mapping[str, Any], *, fields: list[Any]) -> models.Model:
        instance, unchecked = model(), [field.name for field in _columns(model) if field.related_model]
        for field in fields:
            value = row.get(field.attname)
            if field.related_model:
                value = self._new_key(field.related_model, value)
            elif field.attname not in row:  # it is younger than the file
                continue
            elif isinstance(field, models.UUIDField) and value:
                value = uuid5(self.id, f"{self.club.pk} {value}")
            elif field.name in FIELDS_NAMING_ENTRIES.get(model, ()):
                keys = ENTRY_KEYS - ({"tables"} if field.name == "change" else set())  # there they are numbers
                if field.name == "args" and row["reason"] in (*LEFT_AFTER, "cut.ruled-out"):  # else a difference
                    keys |= {"by"}
                value = self._renumber({field.name: value}, keys=keys)[field.name]
            if isinstance(field, models.JSONField) or value in field.empty_values:
                unchecked.append(field.name)
            setattr(instance, field.attname, field.to_python(value))
        instance.clean_fields(exclude=unchecked)
        return instance

    def _new_key(self, target: Any, value: Any) -> Any:
        if target is Club:
            return self.club.pk
        if value is None or target is User:
            return None
        return self.ids[target].get(value) if target is Member else self.ids[target][value]

    def _renumber(self, value: Any, *, ids: Mapping[int, int] | None = None, keys: Set[str] = ENTRY_KEYS) -> Any:
        """JSON with the new keys of entries, members and draws. With `ids`, the value itself consists of keys."""
        if isinstance(value, list):
            return [self._renumber(item, ids=ids, keys=keys) for item in value]
        if isinstance(value, dict):
            if ids is not None and all(name.isdecimal() for name in value):
                return {str(ids[int(name)]): item for name, item in value.items()}
            return {name: self._renumber_item(name, item, keys=keys) for name, item in value.items()}
        return ids.get(value, value) if ids is not None and isinstance(value, int) else value

    def _renumber_item(self, name: str, value: Any, *, keys: Set[str]) -> Any:
        if name == "member":
            return self.ids[Member].get(value)
        if name == "result":
            return self.ids[PublishedStandings].get(value)
        if name == "figures":  # what a play-off was held for: points and games won by an entry, and its games
            games, entries = self.ids[Game], self.ids[Entry]
            return {str(entries[int(pk)]): [*won, [games[game] for game in of]] for pk, (*won, of) in value.items()}
        counted = isinstance(value, int) and name not in ("entry", "instead_of", "by")  # "people": 24
        ids = self.ids.get(Draw) if name == "after" else self.ids.get(Entry) if name in keys and not counted else None
        return self._renumber(value, ids=ids, keys=keys)


class EventFileForm(ImportForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("The file of an event, or of a club")
        self.fields["file"].help_text = _("You see what is in it before anything is imported.")
        del self.fields["ruling"]

    def raw(self) -> bytes:
        if file := self.cleaned_data["file"]:
            return bytes(file.read())
        try:
            return zlib.decompressobj().decompress(base64.b64decode(self.cleaned_data["kept"]), MOST_BYTES)
        except (ValueError, zlib.error):
            return b""


@event_page
@require_safe
def event_file(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{event.slug}.json"'}
    return HttpResponse(export_event(event), content_type="application/json", headers=headers)


@club_page
@require_safe
def club_file(request: HttpRequest, club: Club) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}.json"'}
    return HttpResponse(export_club(club), content_type="application/json", headers=headers)


@club_page
def event_in(request: HttpRequest, club: Club) -> HttpResponse:
    """Import an event or a club from a file: first a preview, then the import."""
    form = EventFileForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        raw, by = form.raw(), request_actor(request)
        try:
            content = read_file(raw)
            verb = import_event if content["kind"] == EVENT else import_club
            if request.POST.get("step") == "take":
                taken = verb(club=club, by=by, content=content)
                if event := taken.get("event"):
                    messages.success(request, _("%(event)s is on the desk.") % {"event": event})
                    return redirect("desk_event", club.slug, event.slug)
                messages.success(request, _("The whole file is imported."))
                return redirect("desk", club.slug)
            results: list[dict[str, Any]] = []
            preview(lambda: results.append(verb(club=club, by=by, content=content)), lambda: None)
            context |= {"taken": results[0], "kept": kept(raw), "name": form.file_name()}
        except StepRefused as refused:
            form.add_error("file", str(refused.message))
    return render(request, "tournaments/events/event_in.html", context, status=422 if form.errors else 200)
