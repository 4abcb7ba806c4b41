"""Lists for the wall: who sits where, movements, standings, the cut, the result, prizes, who met whom; a season.

Each is a dict for its `template`. Members who want that are shown by initials."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, ngettext, pgettext

from clubsite.accounts.face import crest_drawing
from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.names import name_sort_key, side_name
from clubsite.pdf.documents import PAPERS, Heading, Pages, Paper
from clubsite.pdf.typeface import MM_PER_POINT, width_in_ems
from scoring.engine.core.ruleset import Shape
from scoring.templatetags.figures import cell, points, signed
from tournaments.cuts import cuts
from tournaments.cuts.cuts import describe_reason, describe_settlements
from tournaments.draws import rotation
from tournaments.draws.by_format import matches_without_table, seeding_words
from tournaments.draws.drafts import WITH_SEATS, earlier_draws, seats_in
from tournaments.draws.rotation import names_of
from tournaments.draws.round_views import meetings_in
from tournaments.draws.words import compass_name, fairness_note, method_sentence, rematch_sentences, statement_sentences
from tournaments.engine.rounds import SeatedRound
from tournaments.events.state import published_cut, published_draws
from tournaments.events.words import named_seats, seat_name
from tournaments.models import (
    Cut,
    CutLine,
    Draw,
    Event,
    Group,
    GroupGame,
    PublishedPrizes,
    PublishedStandings,
    Season,
    Seat,
    SitOut,
    Stage,
)
from tournaments.prizes.actions import prizes_view
from tournaments.seasons.actions import season_terms
from tournaments.seasons.figures import season_figures
from tournaments.seasons.table import SeasonLine, SeasonTable, describe_openings, night_heads, season_tables
from tournaments.seasons.views import describe_rule, describe_team_rule, describe_tie_breaks, why_apart
from tournaments.standings.presentation import net_view, notes_of, podium_of, published_high_game, result_rows
from tournaments.standings.results import Window, chart_of, valid_result, window_of
from tournaments.standings.standings import Row, Standings, last_deal_at, match_of, read_stage, standings_of
from tournaments.table_links.links import seated_groups, shown_links
from tournaments.templatetags.event_tags import decimal, place, total

ROOM = 186.0  # millimetres: greatest width of the picture of who met whom
ABOVE = 62.0  # millimetres of its sheet's height that the head, the key and the foot take
LARGEST = 4.6  # millimetres: its greatest em
LONG, ENDLESS = 28, 34  # letters of the longest name on one line of a narrow column: in the usual type, in the smallest
TOP, SIDES = 54.0, 24.0  # millimetres of a sheet's height for margins and head, and of its width for margins
LARGER = 2.0  # how many times its usual size the type of a sheet for the wall may have
FEW = 14  # names that fit in one column
DENSE = 36  # lines of standings; more are set closer together, so that 54 names and 18 groups take two sheets
NIGHTS = 14  # columns of nights on a landscape sheet; more continue in a second table
FOURS = Shape(2, 2)


def list_pages(sheet: dict[str, Any], paper: str) -> Pages:
    size = PAPERS[paper]
    context = {
        "sheet": sheet,
        "size": f"{size.height}mm {size.width}mm" if sheet.get("landscape") else size.size,
        **(_crowding(sheet, size) if "parts" in sheet else _seat_type(sheet, size) if "places" in sheet else {}),
    }
    html: str = render_to_string(sheet["template"], context)
    if key := sheet["heading"].club_key:
        html = hidden_names(Club.objects.get(pk=key)).html(html)
    drawings = {f"qr-{link.code}": link.qr_bare for link in sheet.get("links", ())}
    return Pages((html,), drawings | crest_drawings(sheet["heading"]))


def crest_drawings(heading: Heading) -> dict[str, str]:
    return {"crest": crest_drawing(heading.club_key)} if heading.crest and heading.club_key else {}


def _largest_type(
    paper: Paper, names: Iterable[str], *, usual: float, height: float, beside: float, columns: int = 1
) -> float:
    """The largest type in points, from `usual` to LARGER times that, in which a text fits on one sheet.

    `height`: the text's in `usual` type, in millimetres. The longest name fits on a line of its column, with `beside`
    millimetres left. A text that doesn't fit on one sheet keeps the usual type."""
    widest = max(map(width_in_ems, names), default=0) * usual * MM_PER_POINT
    room = (paper.height - TOP) / height, (paper.width - SIDES) / columns / (widest + beside)
    return round(usual * max(1, min(LARGER, *room)), 1)


def _seat_type(sheet: dict[str, Any], paper: Paper) -> dict[str, Any]:
    """The type of seats by name and by table: on one sheet if both fit there, else each on its own."""
    names, tables = [name for name, _table, _seat in sheet["places"]], sheet["tables"]
    seated = [name for table in tables for group in table["groups"] for _seat, name in group["players"]]
    columns = 1 if len(names) <= FEW else 2
    by_name = 12 + 7.2 * -(-len(names) // columns)
    boxes = [  # height of each table's in the usual type, in millimetres
        15 + sum(5.5 * len(group["players"]) + 6 * bool(group["label"]) for group in table["groups"])
        for table in tables
    ]
    by_table = 14 + sum(max(boxes[n : n + 3]) for n in range(0, len(boxes), 3))
    if (together := by_name + by_table) <= paper.height - TOP:
        by_name = by_table = together
    linked = 15 if sheet["links"] else 0
    return {
        "columns": columns,
        "names": _largest_type(paper, names, usual=12.5, height=by_name, beside=42, columns=columns),
        "base": _largest_type(paper, seated, usual=11, height=by_table, beside=19 + linked, columns=3),
    }


def _crowding(sheet: dict[str, Any], paper: Paper) -> dict[str, Any]:
    """How close the lines of standings or a result are, and whether the result's picture has its own sheet."""
    rows, winners = sheet["rows"], sheet.get("winners", ())
    longest = max((len(row["name"]) for row in rows), default=0)
    out = sum(len(part["rows"]) for part in sheet["parts"])
    close = (len(rows) > 10 or out > 24) and len(winners) <= 3
    breaks = max((len(winner["name"]) for winner in winners), default=0) // 20  # longer names break in their columns
    height = 172.5 + 4.6 * (len(rows) + breaks)  # millimetres of winners, everybody and the picture, where close
    written = [row["name"] + row["note"] for row in rows]
    alone = "columns" in sheet and not (sheet["parts"] or sheet.get("net") or len(rows) > DENSE)
    return {
        "base": _largest_type(paper, written, usual=11, height=7.2 * (len(rows) + 1), beside=70) if alone else 0,
        "dense": len(rows) > DENSE,
        "long": longest > LONG,
        "endless": longest > ENDLESS,
        "close": close,
        "apart": close and height > paper.height,
    }


def event_heading(event: Event, title: str = "", *, note: str = "", mark: str = "") -> Heading:
    """The head of a document, with the event's date in the club's time zone."""
    day = event.starts_at.astimezone(event.club.zone)
    when = f"{date_format(day, 'l')}, {date_format(day)}"
    return Heading(event.club.name, event.name, when, title, note, mark, event.club.crest, event.club_id)


def draw_heading(draw: Draw, title: str = "") -> Heading:
    """The head of a document of a draw, with its version; marked if it isn't published."""
    mark = {Draw.State.DRAFT: _("draft"), Draw.State.WITHDRAWN: _("taken back")}.get(Draw.State(draw.state), "")
    return event_heading(draw.round.stage.event, title, note=draw_version(draw), mark=mark)


def draw_title(draw: Draw) -> str:
    if draw.round.stage.event.by_rounds:
        return _("Round %(n)d") % {"n": draw.round.number}
    return draw.round.stage.name


def draw_version(draw: Draw) -> str:
    words = _("Draw, version %(n)d") % {"n": draw.number}
    return _("%(version)s, changed by hand") % {"version": words} if draw.by_hand else words


def published_version(published: PublishedStandings | PublishedPrizes, event: Event) -> str:
    return _("Version %(n)d of %(when)s") % {"n": published.number, "when": _format_moment(published.at, event)}


def version_with_reason(published: PublishedStandings | PublishedPrizes, event: Event) -> str:
    version = published_version(published, event)
    return f"{version} · {published.reason}" if published.reason else version


def _format_moment(at: datetime, event: Event) -> str:
    return date_format(at.astimezone(event.club.zone), "DATETIME_FORMAT")


def groups_with_games(draw: Draw) -> list[Group]:
    """The groups of a draw in order of tables. Five queries."""
    return list(
        seated_groups(draw).prefetch_related(
            Prefetch("seats", Seat.objects.select_related("entry")),
            Prefetch("games", GroupGame.objects.select_related("game__rules", "game__club")),
            "games__game__sides",
        )
    )


def seating_sheet(draw: Draw, *, site: str = "") -> dict[str, Any]:
    """Who sits where, by name and by table, and who sits out; with the `site`, an address for phones, also the links of
    the tables."""
    event, statement = draw.round.stage.event, draw.statement
    links = shown_links(draw, site)
    places: list[tuple[str, int, str]] = []
    tables: dict[int, dict[str, Any]] = {}
    for group in groups_with_games(draw):
        label = _("Group %(letter)s") % {"letter": group.letter} if event.shares_tables else ""
        number, players = group.table.number, named_seats(group.names)
        table = tables.setdefault(number, {"number": number, "groups": [], "match": draw.match_name(number)})
        table["groups"].append({"label": label, "players": players, "link": links.get(group.pk)})
        places += [(name, number, label or seat) for seat, name in players]
    words = [*seeding_words(statement), *rematch_sentences(statement)]
    later = published_draws(event).filter(round__number__gt=draw.round.number)
    last = event.has_bracket and draw.state != Draw.State.WITHDRAWN and not later.exists()
    tables_in_order = [table for _number, table in sorted(tables.items())]
    return {
        "template": "documents/hall/seating.html",
        "heading": draw_heading(draw, _("Seats · %(what)s") % {"what": draw_title(draw)}),
        "places": sorted(places, key=lambda place: name_sort_key(place[0])),
        "tables": tables_in_order,
        "sit_outs": [out.entry.name for out in SitOut.objects.idle().filter(draw=draw).select_related("entry")],
        "fairness": " ".join(words) if event.by_rounds else fairness_note(draw.round.stage, statement),
        "coming": matches_without_table(event, draw) if last else [],  # each match's name and sides
        "links": [group["link"] for table in tables_in_order for group in table["groups"] if group["link"]],
    }


def movement_sheet(draw: Draw) -> dict[str, Any]:
    """The rounds of a night up to this draw, and those planned with it, which change when somebody comes or goes. For
    directors only.

    Each line has a name and that person's place in each round, "" for none."""
    before = [*earlier_draws(draw).prefetch_related(*WITH_SEATS), draw]
    ahead = () if draw.by_hand else rotation.from_data(draw.ahead)
    rounds = [*(seats_in(drawn).numbered for drawn in before), *ahead]
    numbers = [str(drawn.round.number) for drawn in before]
    numbers += [f"{draw.round.number + n}*" for n in range(1, len(ahead) + 1)]
    people = {person for seats in rounds for person in (*seats.seated, *seats.sit_outs)}
    name = names_of(people)
    people_in_order = sorted(people, key=lambda person: name_sort_key(name(person)))
    report = draw.statement
    outcomes = rotation.stored_outcomes(report)
    lines = statement_sentences(  # of the whole plan, else of the rounds so far
        rotation.statement_of(report.get("whole") or report),
        outcomes,
        name=names_of({person for outcome in outcomes for person in outcome.wish.people}),
        seat=compass_name,
    )
    return {
        "template": "documents/hall/movement.html",
        "heading": draw_heading(draw, _("Movement · %(what)s") % {"what": draw_title(draw)}),
        "heads": [_("Round"), *numbers],  # planned ones have a star
        "lines": [[name(person), *_places_by_round(person, rounds)] for person in people_in_order],
        "statement": [*filter(None, [method_sentence(report)]), *lines],
        "by_hand": [f"{a} ⇄ {b}" for a, b in report.get("by_hand", ())],
        "planned": bool(ahead),
        "dense": len(numbers) > 12,
    }


def _places_by_round(person: int, rounds: Iterable[SeatedRound]) -> list[str]:
    def place(seats: SeatedRound) -> str:
        if person in seats.sit_outs:
            return pgettext("sits out", "out")
        tables = enumerate(seats.tables, 1)
        return next((_place_in_round(n, table, person=person) for n, table in tables if person in chain(*table)), "")

    return [place(seats) for seats in rounds]


def _place_in_round(number: int, table: Sequence[Sequence[int]], *, person: int) -> str:
    """Table and seat: "3 N" if partners sit opposite each other, else the seat's number, "6 · 4"."""
    side = next(n for n, people in enumerate(table) if person in people)
    position = table[side].index(person)
    shape = Shape(len(table), len(table[0]))
    if shape == FOURS:
        return f"{number} {seat_name(shape, side, position=position)[0]}"
    return f"{number} · {position * shape.sides + side + 1}"


def standings_sheet(stage: Stage, published: PublishedStandings | None = None) -> dict[str, Any]:
    """Standings of a stage and of its groups as published; without `published` as they are now, marked provisional."""
    event = stage.event
    if published:
        now = Standings(stage, tuple(Row.from_data(row) for row in published.rows), 0, 0)
        note, mark = version_with_reason(published, event), ""
    else:
        now = standings_of(stage)
        note = _("As of %(when)s") % {"when": _format_moment(last_deal_at(stage) or timezone.now(), event)}
        if now.open_games:
            note += ngettext(" · %(n)d game open", " · %(n)d games open", now.open_games) % {"n": now.open_games}
        mark = _("provisional")
    columns = [_("Points"), _("Won")]
    if event.rules.rule_set.has_bids:
        columns.append(pgettext("bids, as a number", "Failed"))
    groups = now.groups if len(now.groups) > 1 else ()
    with_table = len(now.groups) > 0
    return {
        "template": "documents/standings.html",
        "heading": event_heading(event, _("Standings · %(stage)s") % {"stage": stage.name}, note=note, mark=mark),
        "columns": standings_columns(event, with_table),
        "rows": [standings_row(row, event, with_table=with_table) for row in now.rows],
        "parts": [
            {
                "title": _("Group %(where)s") % {"where": group}
                if group[-1].isalpha()
                else _("Table %(n)s") % {"n": group},
                "columns": columns,
                "rows": [standings_row(row, event, with_table=False) for row in now.of_group(group)],
            }
            for group in groups
        ],
        "net": _net_part(event, now.rows),
    }


def cut_sheet(stage: Stage, cut: Cut | None = None) -> dict[str, Any]:
    """The cut of a stage with the reason for every name, best first; without `cut` the proposal by the results so far.

    Raises StepRefused: the stage isn't drawn, or nobody goes on from it."""
    event, window = stage.event, None
    if cut is None:
        proposal = cuts.propose(stage)
        lines, settled = proposal.lines, proposal.settled
        note, mark = _("As of %(when)s") % {"when": _format_moment(timezone.now(), event)}, _("proposal")
    else:
        lines, settled = tuple(cut.lines.select_related("entry")), cut.settled
        window = cuts.window_of_cut(cut, event.club)
        when = _format_moment(cut.published_at or cut.made_at, event)
        note = _("Version %(n)d of %(when)s") % {"n": cut.number, "when": when}
        mark = "" if cut.state == Cut.State.PUBLISHED else cut.get_state_display()
    names = {line.entry_id: line.entry.name for line in lines}
    return {
        "template": "documents/cut.html",
        "heading": event_heading(event, _("The cut · %(stage)s") % {"stage": stage.name}, note=note, mark=mark),
        "on": [_cut_row(line, names) for line in lines if line.advances],
        "out": [_cut_row(line, names) for line in lines if not line.advances],
        "settled": describe_settlements(settled, names),  # play-offs and drawings of lots, and how lots are checked
        "window": _correction_deadline(window, event),
    }


def _cut_row(line: CutLine, names: dict[int, str]) -> dict[str, Any]:
    return {
        "order": line.order,
        "name": line.entry.name,
        "place": line.where,
        "points": cell(line.points),
        "reason": describe_reason(line, names),
    }


def result_sheet(event: Event) -> dict[str, Any] | None:
    """The published result, to be signed by the director, and who went out at each cut; None if there is no result."""
    published = valid_result(event)
    if published is None:
        return None
    parts = []
    earlier = event.stages.filter(number__lt=published.stage.number).order_by("-number")
    for stage in earlier.select_related("event__rules", "event__club"):
        if cut := published_cut(stage):
            out = cut.lines.filter(advances=False).select_related("entry")
            rows = [_list_row("", line.entry.name, cell(line.points)) for line in out]
            parts.append({"title": _("Out after %(stage)s") % {"stage": stage.name}, "rows": rows})
    final = [Row.from_data(row) for row in published.rows]
    recorded, best_game = read_stage(published.stage), ""
    if best := published_high_game(recorded, final):
        words = _("Best game: %(names)s, %(points)s.")
        if event.by_rounds:
            words = _("Best game: %(points)s, %(names)s, in round %(n)s.")
        best_game = words % {"points": points(best["points"]), "names": side_name(best["names"]), "n": best["round"]}
    return {
        "template": "documents/result.html",
        "heading": event_heading(event, _("Result"), note=version_with_reason(published, event)),
        "columns": standings_columns(event, with_table=False),
        "rows": [standings_row(row, event, with_table=False) for row in final],
        "parts": parts,
        "net": _net_part(event, final),
        "match": _match_part(event, final),
        "winners": [
            {
                "place": place(winner["row"]),
                "name": winner["row"].name,
                "points": points(winner["row"].points),
                "words": winner["words"],
            }
            for winner in podium_of(result_rows(event, final))
        ],
        "best_game": best_game,
        "chart": chart_of(published.stage, final, club=event.club, recorded=recorded),
        "window": _correction_deadline(window_of(published, timezone.now()), event),
    }


def _correction_deadline(window: Window | None, event: Event) -> str:
    """Empty for no window. It names the day, as a sheet may be read later."""
    if not window:
        return ""
    return _("Corrections can be asked for until %(at)s.") % {"at": _format_moment(window.until, event)}


def _match_part(event: Event, rows: Sequence[Row]) -> dict[str, Any] | None:
    """The two clubs of a match between clubs, the winner first; None for other formats."""
    clubs = match_of(event, rows)
    first = ["1", "2"] if any(club["leads"] for club in clubs) else ["1=", "1="]
    lines = [
        _list_row(place, club["name"], club["tables_won"], points(club["points"]))
        for place, club in zip(first, clubs, strict=False)
    ]
    return {"title": _("The match"), "columns": [_("Tables won"), _("Points")], "rows": lines} if lines else None


def standings_columns(event: Event, with_table: bool) -> list[str]:
    """The heads of the figures of `standings_row`."""
    columns = [_("Table")] if with_table else []
    columns += [_("Points"), _("Games won")]
    columns += [_("Spread")] if event.points_by_result else []
    return [*columns, _("Failed bids")] if event.rules.rule_set.has_bids else columns


def standings_row(row: Row, event: Event, *, with_table: bool) -> dict[str, Any]:
    figures = [row.group] if with_table else []
    figures += [points(row.points), row.games_won]
    if event.points_by_result:
        figures.append("" if row.net is None else signed(row.net))
    if event.rules.rule_set.has_bids:
        figures.append(str(row.sets))
    notes = notes_of(row, event)
    if row.sit_outs:
        words = ngettext("%(n)d sit-out: %(points)s", "%(n)d sit-outs: %(points)s", row.sit_outs)
        notes.append(words % {"n": row.sit_outs, "points": points(row.credit)})
    return _list_row(place(row), row.name, *figures, note=", ".join(notes))


def _list_row(place: str, name: str, *figures: Any, note: str = "") -> dict[str, Any]:
    """A line of _standings.html; `note` is small print under the name."""
    return {"place": place, "name": name, "figures": figures, "note": note}


def _net_part(event: Event, rows: Sequence[Row]) -> dict[str, Any] | None:
    """The standings with handicap, and the reason for each; None if the event gives none or they are still secret."""
    view = net_view(event, rows)
    if view is None or view["hidden"]:
        return None
    return {
        "title": _("With handicap"),
        "columns": [_("With handicap"), _("From scratch")],
        "rows": [
            _list_row(place(net), net.row.name, points(net.total), points(net.row.points), note=why)
            for net, why in view["lines"]
        ],
    }


def prize_sheet(event: Event) -> dict[str, Any] | None:
    """The published prizes, and how their lots are checked; None if none are published."""
    prizes = prizes_view(event, valid_result(event))
    if prizes is None:
        return None
    mark = _("out of date") if prizes["other_result"] else ""
    heading = event_heading(event, _("Prizes"), note=version_with_reason(prizes["published"], event), mark=mark)
    return {"template": "documents/prizes.html", "heading": heading, "lines": prizes["lines"], "lots": prizes["lots"]}


def met_sheet(event: Event, paper: str) -> dict[str, Any] | None:
    """Who met whom; None before a draw is published. Four queries."""
    met = meetings_in(event)
    if not met.people:
        return None
    sheet = {"template": "documents/hall/met.html", "heading": event_heading(event, _("Who met whom")), "met": met}
    if met.matrix:
        ems = met.matrix["left"] + met.matrix["size"]  # width of the picture, names included
        em = min(LARGEST, ROOM / ems, (PAPERS[paper].height - ABOVE) / met.matrix["tall"])
        sheet |= {"width": round(em * ems, 1), "whole": round(ems, 2)}
    return sheet


def season_sheet(season: Season) -> dict[str, Any]:
    """A season's divisions, teams, members without a place, guests, figures and rule. Six queries.

    Each table has a title, heads, and lines of text with the names in the second column."""
    table, terms = season_tables([season])[0], season_terms(season)
    nights = night_heads(table.nights)
    tables: list[dict[str, Any]] = []
    for part in table.parts:
        title = _("Division %(n)d") % {"n": part.division} if part.division else ""
        tables += _division_tables(table, part.lines, title=title, nights=nights)
    if table.teams:
        teams = [([place(line), line.name, points(line.total)], _night_cells(line.nights)) for line in table.teams]
        tables += _split_nights(_("Teams"), [_("Place"), _("Team"), _("Total")], lines=teams, nights=nights)
    if table.apart:
        lines = [
            ["", line.name, str(line.attended), total(line.total), why_apart(line, table.rule)] for line in table.apart
        ]
        heads = ["", _("Name"), _("Nights"), _("Total"), _("Why")]
        tables.append({"title": _("Without a place"), "heads": heads, "lines": lines})
    if table.guests:
        lines = [["", line["name"], str(line["attended"]), points(line["points"])] for line in table.guests]
        tables.append({"title": _("Guests"), "heads": ["", _("Name"), _("Nights"), _("Points")], "lines": lines})
    if figures := season_figures(table):
        heads = [_("What"), _("Who"), _("How many"), _("Night")]
        tables.append({"title": _("Figures of the season"), "heads": heads, "lines": figures})
    notes = [*describe_rule(terms), *describe_tie_breaks(table)]
    if terms.team_best:
        notes.append(describe_team_rule(terms))
    notes += filter(None, [describe_openings(table)])
    if table.has_uncounted_nights:
        notes.append(_("In brackets: a night that doesn't count."))
    days = f"{date_format(season.starts)} – {date_format(season.ends)}"
    title, note = _("Season table"), _nights_included(table)
    return {
        "template": "documents/season.html",
        "heading": Heading(
            season.club.name, season.name, days, title, note, crest=season.club.crest, club_key=season.club_id
        ),
        "tables": tables,
        "notes": notes,
        "landscape": True,
    }


def _division_tables(
    table: SeasonTable, lines: Sequence[SeasonLine], *, title: str, nights: Sequence[str]
) -> list[dict[str, Any]]:
    """One division's table, and more tables for the nights that don't fit beside the first ones."""
    heads = [_("Place"), _("Name"), *([_("Team")] if table.teams else []), _("Total"), _("Nights"), _("Average")]
    heads += [_("Before")] if table.openings else []
    rows = []
    for line in lines:
        cells = [place(line), line.name, *([line.team] if table.teams else [])]
        cells += [total(line.total), str(line.attended), decimal(line.average)]
        cells += [points(line.opening.points) if line.opening.nights else ""] if table.openings else []
        rows.append((cells, _night_cells(line.nights, line.counted)))
    return _split_nights(title, heads, lines=rows, nights=nights)


def _split_nights(
    title: str, heads: list[str], *, lines: Sequence[tuple[list[str], list[str]]], nights: Sequence[str]
) -> list[dict[str, Any]]:
    """As few tables as the nights fit on, each with place and name, the first with totals too."""
    tables = []
    for n in range(0, max(len(nights), 1), NIGHTS):
        from_here = _("From %(night)s on") % {"night": nights[n]} if n else ""
        beside = 2 if n else len(heads)
        tables.append(
            {
                "title": " · ".join(filter(None, (title, from_here))),
                "heads": [*heads[:beside], *nights[n : n + NIGHTS]],
                "lines": [cells[:beside] + worth[n : n + NIGHTS] for cells, worth in lines],
            }
        )
    return tables


def _night_cells(nights: Sequence[int | None], counted: Sequence[bool] = ()) -> list[str]:
    """The points of each night as text, in brackets if they don't count."""
    on = counted or (True,) * len(nights)
    shown = ("" if night is None else points(night) for night in nights)
    return [f"({words})" if words and not counts else words for words, counts in zip(shown, on, strict=True)]


def _nights_included(table: SeasonTable) -> str:
    if not table.nights:
        return _("No night has a result yet.")
    words = ngettext(
        "After %(n)d night, the last on %(day)s", "After %(n)d nights, the last on %(day)s", len(table.nights)
    )
    return words % {"n": len(table.nights), "day": date_format(localtime(table.nights[-1].starts_at), "DATE_FORMAT")}
