"""Lists as pages: who sits where, movements, standings, the cut, the result, the prizes, who met whom.

What hangs on the wall shows members who want it so with their initials.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.names import in_order
from clubsite.pdf.documents import PAPERS, Heading, Pages
from scoring.engine.core.ruleset import Shape
from tournaments.documents.from_draws import SeatingSheet, heading_of, heading_of_draw, title_of_draw
from tournaments.documents.from_results import CutSheet, ResultSheet, StandingsSheet, version_words
from tournaments.draws import rotation
from tournaments.draws.drafts import WITH_SEATS, draws_before, seated_in
from tournaments.draws.rotation import names_of
from tournaments.draws.round_views import met_in
from tournaments.draws.words import METHODS, seat_in_words, statement_words
from tournaments.engine.rounds import SeatedRound
from tournaments.events.words import seat_name
from tournaments.models import Draw, Event
from tournaments.prizes.actions import prizes_view
from tournaments.standings.results import standing_result

ROOM = 186.0  # millimetres that the picture of who met whom may be wide
ABOVE = 62.0  # millimetres of its sheet's height that the head, the key and the foot take
LARGEST = 4.6  # millimetres that an em of it is at most


TEMPLATES = {
    SeatingSheet: "documents/hall/seating.html",
    StandingsSheet: "documents/standings.html",
    CutSheet: "documents/cut.html",
    ResultSheet: "documents/result.html",
}


def list_pages(sheet: SeatingSheet | StandingsSheet | CutSheet | ResultSheet, paper: str) -> Pages:
    """A list on as many upright sheets as it needs."""
    if isinstance(sheet, ResultSheet):
        sheet = replace(sheet, apart=sheet.close and sheet.height > PAPERS[paper].height)
    html = wall_html(TEMPLATES[type(sheet)], sheet, heading=sheet.heading, size=PAPERS[paper].size)
    links = sheet.links if isinstance(sheet, SeatingSheet) else ()
    return Pages((html,), {f"qr-{link.code}": link.qr_bare for link in links})


def wall_html(template: str, sheet: object, *, heading: Heading, size: str) -> str:
    """A sheet that hangs on the wall, on paper of this size."""
    html: str = render_to_string(template, {"sheet": sheet, "size": size})
    if heading.club_key is None:
        return html
    return hidden_names(Club.objects.get(pk=heading.club_key)).html(html)


def prize_pages(event: Event, paper: str) -> Pages | None:
    """The published prizes, and how their lots are checked; None before any are."""
    prizes = prizes_view(event, standing_result(event))
    if prizes is None:
        return None
    mark = _("out of date") if prizes["other_result"] else ""
    heading = heading_of(event, _("Prizes"), note=version_words(prizes["published"], event), mark=mark)
    sheet = {"heading": heading, "lines": prizes["lines"], "lots": prizes["lots"]}
    return Pages((wall_html("documents/prizes.html", sheet, heading=heading, size=PAPERS[paper].size),))


def met_pages(event: Event, paper: str) -> Pages | None:
    """The sheets of who met whom; None before a draw is published. Four queries."""
    met = met_in(event)
    if not met.people:
        return None
    heading = heading_of(event, _("Who met whom"))
    sheet = {"heading": heading, "met": met}
    if met.matrix:
        ems = met.matrix["left"] + met.matrix["size"]  # width of the picture, names included
        em = min(LARGEST, ROOM / ems, (PAPERS[paper].height - ABOVE) / met.matrix["tall"])
        sheet |= {"width": round(em * ems, 1), "whole": round(ems, 2)}
    return Pages((wall_html("documents/hall/met.html", sheet, heading=heading, size=PAPERS[paper].size),))


FOURS = Shape(2, 2)


def movement_pages(draw: Draw, paper: str) -> Pages:
    """The movement of the night that a draw belongs to: rounds played, this one, and those planned with it, which are
    drawn again when somebody comes or goes. Only directors get it."""
    sheet = movement_sheet(draw)
    return Pages((wall_html("documents/hall/movement.html", sheet, heading=sheet["heading"], size=PAPERS[paper].size),))


def movement_sheet(draw: Draw) -> dict[str, Any]:
    """What the movement sheet shows: rows are of a name, and where somebody is in each round ("" if not there)."""
    before = [*draws_before(draw).prefetch_related(*WITH_SEATS), draw]
    ahead = () if draw.by_hand else rotation.from_data(draw.ahead)
    rounds = [*(seated_in(each).numbered for each in before), *ahead]
    numbers = [str(each.round.number) for each in before]
    numbers += [f"{draw.round.number + n}*" for n in range(1, len(ahead) + 1)]
    people = {person for seats in rounds for person in (*seats.seated, *seats.sit_outs)}
    name = names_of(people)
    rows = sorted(((name(person), _places(person, rounds)) for person in people), key=lambda row: in_order(row[0]))
    return {
        "heading": heading_of_draw(draw, _("Movement · %(what)s") % {"what": title_of_draw(draw)}),
        "rounds": numbers,  # those only planned have a star
        "rows": rows,
        "statement": _report(draw),
        "by_hand": [f"{a} ⇄ {b}" for a, b in draw.statement.get("by_hand", ())],
        "planned": bool(ahead),
        "dense": len(numbers) > 12,
    }


def _places(person: int, rounds: Iterable[SeatedRound]) -> list[str]:
    def place(seats: SeatedRound) -> str:
        if person in seats.sit_outs:
            return pgettext("sits out", "out")
        tables = enumerate(seats.tables, 1)
        return next((_place(n, table, person=person) for n, table in tables if person in chain(*table)), "")

    return [place(seats) for seats in rounds]


def _place(number: int, table: Sequence[Sequence[int]], *, person: int) -> str:
    """Table and seat: "3 N" where partners sit opposite, else table and the seat's number, "6 · 4"."""
    side = next(n for n, own in enumerate(table) if person in own)
    position = table[side].index(person)
    shape = Shape(len(table), len(table[0]))
    if shape == FOURS:
        return f"{number} {seat_name(shape, side, position=position)[0]}"
    return f"{number} · {position * shape.sides + side + 1}"


def _report(draw: Draw) -> list[str]:
    """How the draw was made, its statement (of the whole plan, else of the rounds so far) and its wishes in words."""
    report = draw.statement
    fates = rotation.fates_of(report)
    name = names_of({person for fate in fates for person in fate.wish.people})
    lines = statement_words(rotation.statement_of(report.get("whole") or report), fates, name=name, seat=seat_in_words)
    method = METHODS.get(report.get("how", {}).get("method", ""))
    return [str(method), *lines] if method else lines
