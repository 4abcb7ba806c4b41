"""The full record of an event for the archive.

Entries, draws with their quality reports, deals with all versions and score lines, rulings, cuts with reasons,
standings, the result, prizes, and the log."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from typing import Any

from django.db.models import Max, Prefetch, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, pgettext

from clubsite.accounts.audit_log import describe_entry, describe_route, list_changes
from clubsite.accounts.models import LogEntry
from clubsite.names import SEPARATOR
from clubsite.pdf.documents import PAPERS, Pages
from scoring.cards.queries import Card, DealRow, cards_of, versions_by_deal
from scoring.models import DealVersion
from scoring.templatetags.figures import cell, points, signed
from scoring.templatetags.rule_texts import title_with_version
from tournaments.cuts.cuts import describe_reason, describe_settlements
from tournaments.documents.sheets import (
    crest_drawings,
    draw_title,
    draw_version,
    event_heading,
    standings_columns,
    standings_row,
    version_with_reason,
)
from tournaments.draws import rotation
from tournaments.draws.by_format import seeding_words
from tournaments.draws.words import compass_name, fairness_note, method_sentence, rematch_sentences, statement_sentences
from tournaments.events.words import describe_cut_rule, describe_order, describe_walkover
from tournaments.models import Cut, Draw, Event, GroupGame, PublishedStandings, Seat, SitOut
from tournaments.prizes.actions import lot_sentences, prize_rows, published_lines
from tournaments.rulings.actions import named_adjustments
from tournaments.standings.presentation import adjustment_words
from tournaments.standings.standings import Row
from tournaments.templatetags.event_tags import describe_result_points

Block = dict[str, Any]
"""A part of a section: `words` as a heading, `lines` of sentences after something `strong`, or a grid of `lines` under
`heads`, whose column of names is number `name`, from 0."""


def _heading(words: str, *, listed: bool = True) -> Block:
    """A heading within a section; `listed`: also in the contents."""
    return {"kind": "head", "words": words, "listed": listed}


def _paragraph(*lines: str, strong: str = "") -> Block:
    return {"kind": "lines", "lines": lines, "strong": strong}


def _table(heads: Iterable[str], lines: Iterable[Iterable[str]], *, name: int = 1) -> Block:
    return {"kind": "grid", "heads": heads, "lines": lines, "name": name}


def record_pages(event: Event, paper: str) -> Pages:
    sheet = event_record(event)
    html = render_to_string("documents/record.html", {"sheet": sheet, "size": PAPERS[paper].size})
    return Pages((html,), crest_drawings(sheet["heading"]))


ON_NEW_SHEET = ("draws", "deals", "log")  # sections
DEAL_VERBS = "deal."  # log verbs that begin so: the section of deals says what they changed


def event_record(event: Event) -> dict[str, Any]:
    """The sections. The number of queries doesn't depend on how many deals there are."""
    names = dict(event.entries.values_list("pk", "name"))
    last = log_entries(event).aggregate(last=Max("at"))["last"]
    note = _("As of %(when)s") % {"when": format_moment(last)} if last else ""
    draws = draw_blocks(event, lambda pk: names.get(pk, str(pk)))
    sections = [
        ("event", _("The event"), _event_blocks(event)),
        ("entries", _("Entries"), _entry_blocks(event)),
        ("draws", _("Draws"), draws),
        ("deals", _("Deals"), deal_blocks(event)),
        ("rulings", _("Rulings"), _ruling_blocks(event)),
        ("cuts", _("Cuts"), _cut_blocks(event)),
        ("standings", _("Standings and result"), _standings_blocks(event)),
        ("prizes", _("Prizes"), _prize_blocks(event)),
        ("log", _("Log"), _log_blocks(event)),
    ]
    return {
        "heading": event_heading(event, _("Record"), note=note),
        "sections": [_section(key, title, blocks=list(blocks)) for key, title, blocks in sections],
    }


def _section(key: str, title: str, *, blocks: list[Block]) -> dict[str, Any]:
    """A section; `listed`: anchors and words of its headings, for the contents."""
    anchors = [(f"{key}-{n}", block["words"]) for n, block in enumerate(blocks, 1) if block.get("listed")]
    return {"key": key, "title": title, "blocks": blocks, "new_sheet": key in ON_NEW_SHEET, "listed": anchors}


def _event_blocks(event: Event) -> Iterator[Block]:
    facts = [
        (_("Club"), event.club.name),
        (_("Event"), event.name),
        (_("Starts"), format_moment(event.starts_at)),
        (pgettext("hall", "Where"), event.place),
        (_("Format"), event.get_format_display()),
        (_("Rules"), title_with_version(event.rules.title, event.rules.version)),
        (_("Season"), str(event.season or "")),
        (_("State"), event.get_state_display()),
        (_("Results"), describe_result_points(event.points_by_result)),
        (_("Order"), describe_order(event)),
    ]
    if event.credits_rounds:
        facts.append((_("A round without a seat is worth"), event.get_sit_out_rule_display()))
        facts.append((_("A round that somebody missed is worth"), event.get_missing_rule_display()))
    if event.fixed_sides:
        facts.append((_("A walkover is worth"), describe_walkover(event)))
    facts += [(stage.name, describe_cut_rule(stage)) for stage in event.stages.all() if stage.cut_rule]
    for what, words in facts:
        if words:
            yield _paragraph(words, strong=f"{what}:")


def _entry_blocks(event: Event) -> Iterator[Block]:
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
    if lines:
        yield _table((_("No."), _("Name"), "", _("State"), _("Note")), lines)


def _ruling_blocks(event: Event) -> Iterator[Block]:
    lines = []
    for ruling, name in reversed(named_adjustments(event)):
        words = adjustment_words(ruling.points, ruling.reason, lowest_wins=event.lowest_wins)
        back = _("taken back %(at)s") % {"at": format_moment(ruling.withdrawn_at)} if ruling.withdrawn_at else ""
        lines.append((ruling.stage.name, name, words, str(ruling.by or ""), format_moment(ruling.at), back))
    if lines:
        yield _table((_("Stage"), _("Who"), _("What"), _("By"), _("When"), ""), lines, name=2)


def _cut_blocks(event: Event) -> Iterator[Block]:
    cuts = Cut.objects.filter(stage__event=event).select_related("stage").prefetch_related("lines__entry")
    for cut in cuts.order_by("stage__number", "number"):
        words = _("%(stage)s, version %(n)d · %(state)s")
        yield _heading(words % {"stage": cut.stage.name, "n": cut.number, "state": cut.get_state_display()})
        yield _paragraph(format_moment(cut.published_at or cut.made_at))
        lines = cut.lines.all()
        names = {line.entry_id: line.entry.name for line in lines}
        rows = tuple(
            (
                str(line.order),
                line.entry.name,
                line.where,
                cell(line.points),
                _("goes on") if line.advances else _("out"),
                describe_reason(line, names),
            )
            for line in lines
        )
        yield _table(("", _("Name"), _("Table"), _("Points"), "", _("Why")), rows)
        if settled := describe_settlements(cut.settled, names):
            yield _paragraph(*settled)


def _standings_blocks(event: Event) -> Iterator[Block]:
    """Every version of published standings, including the result."""
    standings = PublishedStandings.objects.filter(event=event).select_related("stage")
    for published in standings.order_by("stage__number", "number"):
        title = _("Result") if published.final else _("Standings · %(stage)s") % {"stage": published.stage.name}
        yield _heading(f"{title} · {version_with_reason(published, event)}")
        rows = (standings_row(Row.from_data(row), event, with_table=False) for row in published.rows)
        lines = [(row["place"], f"{row['name']} {row['note']}".strip(), *row["figures"]) for row in rows]
        yield _table((_("Place"), _("Name"), *standings_columns(event, with_table=False)), lines)


def _prize_blocks(event: Event) -> Iterator[Block]:
    for published in event.published_prizes.select_related("standings__stage"):
        words = _("Version %(n)d of %(when)s") % {"n": published.number, "when": format_moment(published.at)}
        yield _heading(f"{words} · {published.get_state_display()}")
        lines = published_lines(published)
        for line in prize_rows(lines, published.currency):
            names = ", ".join(line["names"])
            yield _paragraph(
                " · ".join(filter(None, (names, line["gets"], *line["notes"]))), strong=f"{line['title']}:"
            )
        if lots := lot_sentences(lines, published.settled):
            yield _paragraph(*lots)


def log_entries(event: Event) -> Any:
    """The log entries about an event, the oldest first. Evaluates two other queries.

    Entries have the key of their event or game, except old ones that migration accounts.0015 couldn't assign because
    two events had the same name: `_names_event` finds some of these by their subject."""
    log = LogEntry.objects.filter(club=event.club)
    games = GroupGame.objects.filter(group__table__draw__round__stage__event=event).values("game")
    keyless = Q(event=None, game=None) & _names_event(event, log)
    return log.filter(Q(event=event.pk) | Q(game__in=games) | keyless).order_by("pk")


def _names_event(event: Event, log: QuerySet[LogEntry]) -> Q:
    """Log entries whose subject begins with a name that the event had.

    Entries before the one that created the event (recognised by its address) are about an earlier event of the same
    name. Old versions logged no address: then nothing is left out."""
    changes = log.filter(verb="event.change", new__address=event.slug).values_list("old__name", "new__name")
    about = Q()
    for name in {event.name, *filter(None, chain(*changes))}:
        about |= Q(subject=name) | Q(subject__startswith=f"{name}: ") | Q(subject__startswith=f"{name} · ")
    its = ~Q(verb__in=("event.create", "event.change")) | Q(new__address=event.slug) | Q(new__address__isnull=True)
    created = log.filter(verb="event.create", new__address=event.slug).values_list("pk", flat=True).first() or 0
    return about & its & Q(pk__gte=created)


def _log_blocks(event: Event) -> Iterator[Block]:
    """Each entry, with its changes on one line below unless they are to deals, which have a section of their own."""
    for entry in log_entries(event):
        route = f" ({words})" if (words := describe_route(entry)) else ""
        lines = [f"{describe_entry(entry)}{route}"]
        if not entry.verb.startswith(DEAL_VERBS) and (changes := list_changes(entry)):
            lines.append("; ".join(f"{label}: {' → '.join(filter(None, values))}" for label, *values in changes))
        yield _paragraph(*lines, strong=format_moment(entry.at, "SHORT_DATETIME_FORMAT"))


Name = Callable[[int], str]


def draw_blocks(event: Event, name: Name) -> Iterator[Block]:
    """Every version of every draw: seats, sit-outs, quality report. Five queries."""
    draws = (
        Draw.objects.filter(round__stage__event=event)
        .select_related("round__stage__event", "made_by")
        .prefetch_related(
            Prefetch("sit_outs", SitOut.objects.select_related("entry")),
            "tables__groups",
            Prefetch("tables__groups__seats", Seat.objects.select_related("entry")),
        )
        .order_by("round__stage__number", "round__number", "number")
    )
    for draw in draws:
        yield from _blocks_of_draw(draw, name)


def _blocks_of_draw(draw: Draw, name: Name) -> Iterator[Block]:
    event = draw.round.stage.event
    yield _heading(f"{draw_title(draw)} · {draw_version(draw)} · {draw.get_state_display()}")
    when = [_("Made %(at)s.") % {"at": format_moment(draw.made_at)}]
    if draw.published_at:
        when.append(_("Published %(at)s.") % {"at": format_moment(draw.published_at)})
    when.append(_("Lot number %(seed)d.") % {"seed": draw.seed})
    yield _paragraph(" ".join(when), *_statement_sentences(draw, name))
    lines = [
        (
            SEPARATOR.join(filter(None, [group.label_in(event), draw.match_name(table.number)])),
            "  –  ".join(", ".join(side) for side in group.names),
        )
        for table in draw.tables.all()
        for group in table.groups.all()
        if group.seats.all()
    ]
    yield _table((_("Table"), _("Sides")), lines)
    if out := [sit_out.entry.name for sit_out in draw.sit_outs.all()]:
        yield _paragraph(", ".join(out), strong=_("Without a seat:"))


def _statement_sentences(draw: Draw, name: Name) -> Iterable[str]:
    statement, event = draw.statement, draw.round.stage.event
    if not event.traits.searched:
        words = [*seeding_words(statement), *rematch_sentences(statement)]
        return filter(None, words if event.by_rounds else [fairness_note(draw.round.stage, statement)])
    outcomes = rotation.stored_outcomes(statement)
    lines = statement_sentences(rotation.statement_of(statement), outcomes, name=name, seat=compass_name)
    return filter(None, [method_sentence(statement), *lines])


def deal_blocks(event: Event) -> Iterator[Block]:
    """Every game with all versions of its deals, who recorded them and how, and their score lines. Nine queries."""
    rows = list(
        GroupGame.objects.filter(group__table__draw__round__stage__event=event)
        .select_related("group__table__draw__round__stage__event", "game__rules", "game__club")
        .order_by(
            *("group__table__draw__round__stage__number", "group__table__draw__round__number"),
            *("group__table__draw__number", "group__table__number", "group__number", "number"),
        )
    )
    cards = cards_of([row.game for row in rows])
    versions = versions_by_deal(cards)
    both = zip(rows, cards, strict=True)
    for draw, of_draw in groupby(both, lambda pair: pair[0].group.table.draw):
        yield _heading(_("Deals of %(what)s") % {"what": draw_title(draw)})
        for row, card in of_draw:
            if card.deals or any(side.absent for side in card.sides):
                yield from _game_blocks(row, card, versions=versions)


def _game_blocks(row: GroupGame, card: Card, *, versions: dict[int, tuple[DealRow, ...]]) -> Iterator[Block]:
    state = card.state_words
    if row.game.set_aside:
        state = _("%(state)s; set aside with the draw that was taken back") % {"state": state}
    title = card.game.title.removeprefix(f"{row.group.table.draw.round.stage.event.name} · ")
    yield _heading(f"{title} · {state}", listed=False)
    if any(side.absent for side in card.sides):
        yield _paragraph(card.state_words)
    totals = "; ".join(f"{side.name} {points(side.total)}" for side in card.sides)
    yield _paragraph(totals, strong=_("In the end:"))
    if card.why:
        yield _paragraph(card.why)
    for deal in card.deals:
        for version in versions[deal.pk]:
            current = version.version == deal.version
            yield _deal_block(card, deal if current else version, current=current)


def _deal_block(card: Card, deal: DealRow, *, current: bool) -> Block:
    head = _("Deal %(n)d.") % {"n": deal.number}
    if deal.version > 1 or not current:
        head = _("Deal %(n)d, version %(version)d.") % {"n": deal.number, "version": deal.version}
    recorded = _("%(state)s, by %(who)s %(how)s, %(at)s.") % {
        "state": DealVersion.State(deal.state).label,
        "who": deal.by,
        "how": deal.route,
        "at": format_moment(deal.at),
    }
    lines = [recorded, *_remarks(deal)]
    for n, name in enumerate(card.names):
        why = "; ".join(f"{line['words']} ({signed(line['points'])})" for line in deal.lines if line["side"] == n)
        running = _(", total %(points)s") % {"points": points(deal.running[n])} if deal.counts else ""
        lines.append(f"{name}: {signed(deal.points[n])}{running}. {why}")
    return _paragraph(*lines, strong=head)


def _remarks(deal: DealRow) -> Iterator[str]:
    if deal.reason:
        yield _("Reason: %(reason)s") % {"reason": deal.reason}
    if deal.ruling:
        yield _("The director's ruling: %(reason)s") % {"reason": deal.ruling}
    yield from (_("Set aside: %(problem)s") % {"problem": problem} for problem in deal.overruled)
    yield from (_("What the scorer wrote: %(slip)s") % {"slip": slip} for slip in deal.slips)
    if deal.agreed_by:
        yield _("%(names)s: agreed.") % {"names": deal.agreed_by}


def format_moment(at: Any, format: str = "DATETIME_FORMAT") -> str:
    return date_format(localtime(at), format)
