"""The record of an event from what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from clubsite.accounts.log_words import changes_of, route_of, sentence_of
from clubsite.accounts.models import LogEntry
from scoring.templatetags.figures import points
from tournaments.cuts import cuts
from tournaments.cuts.words import reason_words, settled_words
from tournaments.documents.from_draws import heading_of, rules_line
from tournaments.documents.from_results import row_of, standings_columns, version_words
from tournaments.documents.record.blocks import EventRecord, Head, RecordBlock, RecordSection, Sentences, TextTable
from tournaments.documents.record.played import deals_section, draws_section, moment
from tournaments.events.chains import chain_slugs
from tournaments.events.words import chain_words, rule_words
from tournaments.models import Cut, Event, GroupGame, PublishedStandings
from tournaments.prizes.proposal import lines_in
from tournaments.prizes.words import line_words, lots_told
from tournaments.rulings.adjustments import adjustments_of
from tournaments.standings.standings import Row
from tournaments.standings.words import adjustment_words

TOLD_BY_DEALS = "deal."  # log entries whose verb begins so: what they changed stands in the section of deals


def record_of(event: Event) -> EventRecord:
    """All that is kept of an event. As many queries for a thousand deals as for one; four more for each cut."""
    names = dict(event.entries.values_list("pk", "name"))
    last = log_of(event).aggregate(last=Max("at"))["last"]
    note = _("As of %(when)s") % {"when": moment(last)} if last else ""
    return EventRecord(
        heading_of(event, _("Record"), note=note),
        (
            _facts(event),
            _entries(event),
            draws_section(event, lambda pk: names.get(pk, str(pk))),
            deals_section(event),
            _rulings(event),
            _cuts(event),
            _standings(event),
            _prizes(event),
            _log(event),
        ),
    )


def _facts(event: Event) -> RecordSection:
    def said() -> Iterator[tuple[str, str]]:
        yield _("Club"), event.club.name
        yield _("Event"), event.name
        yield _("Starts"), moment(event.starts_at)
        yield _("Place"), event.place
        yield _("Format"), event.get_format_display()
        yield _("Rules"), rules_line(event.rules)
        yield _("Season"), str(event.season or "")
        yield _("State"), event.get_state_display()
        yield _("Order"), chain_words(chain_slugs(event), lowest_wins=event.rules.lowest_wins)
        if event.credits_rounds:
            yield _("A round without a seat is worth"), event.get_sit_out_rule_display()
            yield _("A round that somebody missed is worth"), event.get_missing_rule_display()
        for stage in event.stages.all():
            if stage.cut_rule:
                yield stage.name, rule_words(stage)

    lines = (Sentences((words,), f"{what}:") for what, words in said() if words)
    return RecordSection("event", _("The event"), tuple(lines))


def _entries(event: Event) -> RecordSection:
    lines = tuple(
        (
            str(entry.number),
            entry.name,
            _("member") if entry.member_id else _("guest"),
            entry.get_state_display(),
            "; ".join(filter(None, (entry.note, entry.disqualified, entry.plays_for))),
        )
        for entry in event.entries.all()
    )
    heads = (_("No."), _("Name"), "", _("State"), _("Note"))
    return RecordSection("entries", _("Entries"), (TextTable(heads, lines, 1),) if lines else ())


def _rulings(event: Event) -> RecordSection:
    """Adjustments in the order in which they were made; what was taken back says so."""
    lines = []
    for one in reversed(adjustments_of(event)):
        words = adjustment_words(one.points, one.reason, lowest_wins=event.rules.lowest_wins)
        back = _("taken back %(at)s") % {"at": moment(one.withdrawn_at)} if one.withdrawn_at else ""
        lines.append((one.stage.name, one.entry.name, words, str(one.by or ""), moment(one.at), back))
    heads = (_("Stage"), _("Who"), _("What"), _("By"), _("When"), "")
    return RecordSection("rulings", _("Rulings"), (TextTable(heads, tuple(lines), 2),) if lines else ())


def _cuts(event: Event) -> RecordSection:
    blocks: list[RecordBlock] = []
    found = Cut.objects.filter(stage__event=event).select_related("stage__event__club", "stage__event__rules")
    for cut in found.prefetch_related("lines").order_by("stage__number", "number"):
        words = _("%(stage)s, version %(n)d · %(state)s") % {
            "stage": cut.stage.name,
            "n": cut.number,
            "state": cut.get_state_display(),
        }
        blocks.append(Head(words))
        blocks.append(Sentences((moment(cut.published_at or cut.made_at),)))
        lines = cuts.lines_of(cut)
        names = {line.entry.pk: line.entry.name for line in lines}
        rows = tuple(
            (
                str(line.order),
                line.entry.name,
                line.label,
                points(line.points),
                _("goes on") if line.advances else _("out"),
                reason_words(line.reason, line.args, names=names),
            )
            for line in lines
        )
        blocks.append(TextTable(("", _("Name"), _("Table"), _("Points"), "", _("Why")), rows, 1))
        if said := settled_words(cut.settled, names):
            blocks.append(Sentences(tuple(said)))
    return RecordSection("cuts", _("Cuts"), tuple(blocks))


def _standings(event: Event) -> RecordSection:
    """Every version of published standings, including the result."""
    blocks: list[RecordBlock] = []
    found = PublishedStandings.objects.filter(event=event).select_related("stage")
    for published in found.order_by("stage__number", "number"):
        title = _("Result") if published.final else _("Standings · %(stage)s") % {"stage": published.stage.name}
        blocks.append(Head(f"{title} · {version_words(published, event)}"))
        rows = (row_of(Row.from_data(row), event, with_table=False) for row in published.rows)
        lines = tuple((row.place, f"{row.name} {row.note}".strip(), *row.figures) for row in rows)
        blocks.append(TextTable((_("Place"), _("Name"), *standings_columns(event, with_table=False)), lines, 1))
    return RecordSection("standings", _("Standings and result"), tuple(blocks))


def _prizes(event: Event) -> RecordSection:
    """Every version of the prizes, with what it takes to check their lots."""
    blocks: list[RecordBlock] = []
    for published in event.published_prizes.all():
        words = _("Version %(n)d of %(when)s") % {"n": published.number, "when": moment(published.at)}
        blocks.append(Head(f"{words} · {published.get_state_display()}"))
        lines = lines_in(published)
        for line in line_words(lines, published.currency):
            names = ", ".join(line.names)
            blocks.append(Sentences((" · ".join(filter(None, (names, line.gets, *line.notes))),), f"{line.title}:"))
        if told := lots_told(lines, published.settled):
            blocks.append(Sentences(tuple(told)))
    return RecordSection("prizes", _("Prizes"), tuple(blocks))


def log_of(event: Event) -> Any:
    """What the log has of an event, in the order it was done. Two queries besides.

    Entries have the key of their event or game. Those without are of a version of the site that wrote none, where two
    events had the name that they begin with (migration accounts.0015): `_by_name` tells what can be told of them.
    """
    log = LogEntry.objects.filter(club=event.club)
    games = GroupGame.objects.filter(group__table__draw__round__stage__event=event).values("game")
    keyless = Q(event=None, game=None) & _by_name(event, log)
    return log.filter(Q(event=event.pk) | Q(game__in=games) | keyless).order_by("pk")


def _by_name(event: Event, log: QuerySet[LogEntry]) -> Q:
    """Log entries whose subject begins with a name that the event had. The entry of its making is known by its address:
    those before it, of an earlier event of the same name, are left out. Where an old version of the site wrote no
    address, none are."""
    about = Q()
    for name in _names_of(event, log):
        about |= Q(subject=name) | Q(subject__startswith=f"{name}: ") | Q(subject__startswith=f"{name} · ")
    own = ~Q(verb__in=("event.create", "event.change")) | Q(new__address=event.slug) | Q(new__address__isnull=True)
    made = log.filter(verb="event.create", new__address=event.slug).values_list("pk", flat=True).first() or 0
    return about & own & Q(pk__gte=made)


def _names_of(event: Event, log: QuerySet[LogEntry]) -> set[str]:
    """What the event was called since it was made: one query."""
    changes = log.filter(verb="event.change", new__address=event.slug).values_list("old__name", "new__name")
    return {event.name, *(name for change in changes for name in change if name)}


def _log(event: Event) -> RecordSection:
    lines = []
    for entry in log_of(event):
        route = f" ({words})" if (words := route_of(entry)) else ""
        said = (f"{sentence_of(entry)}{route}", *_changed(entry))
        lines.append(Sentences(said, moment(entry.at, "SHORT_DATETIME_FORMAT")))
    return RecordSection("log", _("Log"), tuple(lines), new_sheet=True)


def _changed(entry: LogEntry) -> Iterator[str]:
    """What was changed, on one line; nothing for changes to deals, which have a section of their own."""
    if entry.verb.startswith(TOLD_BY_DEALS):
        return
    said = (f"{one.label}: {' → '.join(filter(None, (one.before, one.after)))}" for one in changes_of(entry))
    if words := "; ".join(said):
        yield words
