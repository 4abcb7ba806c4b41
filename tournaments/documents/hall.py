"""Travelling cards, place cards, table tents, certificates."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.accounts.face import colour_shades
from clubsite.names import SEPARATOR, name_sort_key
from clubsite.pdf.documents import PAPERS, Heading, Pages, Paper
from clubsite.pdf.typeface import MM_PER_POINT, width_in_ems
from scoring.engine.core.ruleset import Shape
from scoring.templatetags.figures import points
from tournaments.documents.card_grid import SVG, box_style, suit_paths
from tournaments.documents.cards import name_size
from tournaments.documents.sheets import (
    LARGER,
    crest_drawings,
    draw_heading,
    draw_title,
    draw_version,
    event_heading,
    published_version,
    seating_sheet,
)
from tournaments.draws import rotation
from tournaments.draws.rotation import names_of
from tournaments.engine.rounds import SeatedRound, grouped
from tournaments.events.state import published_draws
from tournaments.events.words import seat_name
from tournaments.models import Draw, Entry, Event, Group, PublishedStandings, Seat, rows_by_person
from tournaments.prizes.actions import published_lines, published_prizes, ranked_rows
from tournaments.standings.results import valid_result
from tournaments.standings.standings import Row

MARK, GAP = 5.0, 1.5  # millimetres: the length of a crop mark, and its distance from the label


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """Columns and rows of labels in the middle of an upright sheet, edge to edge, so that one cut parts two."""

    paper: Paper
    columns: int
    rows: int
    width: float
    height: float

    @property
    def left(self) -> float:
        return (self.paper.width - self.columns * self.width) / 2

    @property
    def top(self) -> float:
        return (self.paper.height - self.rows * self.height) / 2

    @property
    def styles(self) -> tuple[str, ...]:
        return tuple(
            box_style(
                self.left + column * self.width, self.top + row * self.height, width=self.width, height=self.height
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def crop_marks(self) -> str:
        """An SVG drawing of the sheet: marks around the labels, and crosses where four meet."""
        paths = "".join(self._marks())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.paper.width}mm" height="{self.paper.height}mm" '
            f'viewBox="0 0 {self.paper.width} {self.paper.height}">'
            f'<path d="{paths}" stroke="#111" stroke-width="0.2" fill="none"/></svg>'
        )

    def _marks(self) -> Iterator[str]:
        right, bottom = self.paper.width - self.left, self.paper.height - self.top
        down = [self.left + n * self.width for n in range(self.columns + 1)]
        across = [self.top + n * self.height for n in range(self.rows + 1)]
        for x in down:
            yield f"M{x:.2f} {self.top - GAP - MARK:.2f}v{MARK}M{x:.2f} {bottom + GAP:.2f}v{MARK}"
        for y in across:
            yield f"M{self.left - GAP - MARK:.2f} {y:.2f}h{MARK}M{right + GAP:.2f} {y:.2f}h{MARK}"
        for x in down[1:-1]:
            for y in across[1:-1]:
                yield f"M{x - 1.5:.2f} {y:.2f}h3M{x:.2f} {y - 1.5:.2f}v3"


def label_pages(labels: LabelSheet, items: Sequence[Any], *, template: str, **context: Any) -> Pages:
    """Sheets of labels with crop marks. The template shows one `item`, and gets the rest of the context too."""
    each = labels.columns * labels.rows
    sheets = [
        [{"style": style, "item": item} for style, item in zip(labels.styles, items[n : n + each], strict=False)]
        for n in range(0, len(items), each)
    ]
    context |= {
        "sheets": sheets,
        "template": template,
        "page": f"size: {labels.paper.size}",
        "size": f"width: {labels.paper.width}mm; height: {labels.paper.height}mm",
    }
    html = render_to_string("documents/hall/labels.html", context)
    return Pages((html,), {"crop-marks": labels.crop_marks} | crest_drawings(context["heading"]))


WIDTH, HEIGHT = 90.0, 60.0
LARGEST = 30.0  # points


def place_cards(event: Event, draw: Draw | None) -> tuple[Heading, list[tuple[str, str]]]:
    """The head of the sheets, and for each card the name and the seat ("Table 3 · North"), in order of tables so that
    they can be laid out. Without a draw by name, the seats empty."""
    if draw is None:
        names = event.entries.filter(state=Entry.State.HERE).values_list("name", flat=True)
        return event_heading(event, _("Place cards")), [(name, "") for name in sorted(names, key=name_sort_key)]
    seats, word = seating_sheet(draw), _("Table %(n)d")
    cards = [
        (name, " · ".join(filter(None, (word % {"n": table["number"]}, group["label"], seat))))
        for table in seats["tables"]
        for group in table["groups"]
        for seat, name in group["players"]
    ]
    heading = draw_heading(draw, _("Place cards · %(what)s") % {"what": draw_title(draw)})
    return heading, cards + [(name, "") for name in seats["sit_outs"]]


def place_card_pages(cards: Iterable[tuple[str, str]], paper: str, *, heading: Heading) -> Pages:
    """Eight on a sheet, each name as large as fits on two lines."""
    items = [
        {"name": name, "where": where, "size": name_size(name, WIDTH - 12, most=LARGEST, lines=2)}
        for name, where in cards
    ]
    labels = LabelSheet(PAPERS[paper], 2, 4, WIDTH, HEIGHT)
    return label_pages(labels, items, template="documents/hall/_place_card.html", heading=heading)


def tent_pages(draw: Draw, paper: str, *, site: str = "") -> Pages:
    """A sheet for each table of a draw, to be folded in the middle: the same on both sides. With the `site`, an address
    for phones, also the tables' links, as long as these open their cards."""
    sheet, size = seating_sheet(draw, site=site), PAPERS[paper]
    context = {
        "heading": draw_heading(draw, _("Table tents · %(what)s") % {"what": draw_title(draw)}),
        "tables": sheet["tables"],
        "page": f"size: {size.size}",
        "faces": ("away", "near"),
        "face": f"width: {size.width}mm; height: {size.height / 2}mm",
    }
    drawings = {f"qr-{link.code}": link.qr_bare for link in sheet["links"]} | crest_drawings(context["heading"])
    return Pages((render_to_string("documents/hall/tents.html", context),), drawings)


TRAVEL_LINES = {1: 20, 2: 9, 4: 8}
"""How many rounds fit on a travelling card, by the number of cards on a sheet."""

Stop = dict[str, Any]
"""A line of a travelling card: the `round`, then `table`, `seat`, `partners` and `against` in words, or `out` for who
sits out. A line to fill in has only the round."""


def travel_cards(event: Event, *, ahead: bool = False) -> dict[str, Any]:
    """A card for everybody, by name, with all published rounds, and when `ahead` those planned after them. Six queries.

    If results give points, it has a line for each round with what cribbage clubs write on theirs: game points, the
    spread as plus or minus, the opponent's initials."""
    draws = list(published_draws(event).select_related("round__stage__event__club").prefetch_related("sit_outs__entry"))
    stops: dict[str, list[Stop]] = defaultdict(list)
    for name in event.entries.filter(state=Entry.State.HERE).values_list("name", flat=True):
        stops[name] = []
    seated = Group.objects.filter(table__draw__in=draws).select_related("table")
    seated = seated.prefetch_related(Prefetch("seats", Seat.objects.select_related("entry")))
    groups = grouped((group.table.draw_id, group) for group in seated if group.seats.all())
    for n, draw in enumerate(draws):
        before = _line_titles(draws[:n]) if event.by_rounds else []  # lines for rounds before somebody came
        for name, stop in _stops_of_draw(draw, groups[draw.pk]):
            stops[name] += [{"round": title} for title in before[len(stops[name]) :]]
            stops[name].append(stop)
    planned = ahead and bool(draws) and event.traits.searched and not draws[-1].by_hand
    if planned:
        rounds = rotation.from_data(draws[-1].ahead)
        for name, stop in _planned_stops(rounds, after=draws[-1].round.number):
            stops[name].append(stop)
        planned = bool(rounds)
    note = draw_version(draws[-1]) if draws else ""
    titles = _line_titles(draws) if event.by_rounds else []
    by_result = event.points_by_result is not None
    return {
        "heading": event_heading(event, _("Travel cards"), note=note),
        "who": _("With, against") if event.per_side > 1 else _("Opponent"),
        "boxes": [_("Game points"), "+", "−", _("Initials")] if by_result else [_("Points"), _("Total")],
        "lines": event.options.get("rounds", 1) if by_result else 0,  # at least, and their sum below
        "planned": planned,  # whether some rounds are only planned
        "cards": [
            {"name": name, "stops": [*played, *({"round": title} for title in titles[len(played) :])]}
            for name, played in sorted(stops.items(), key=lambda item: name_sort_key(item[0]))
        ],
    }


def travel_pages(sheet: dict[str, Any], paper: str, *, per_sheet: int = 0) -> Pages:
    """Two on a sheet, or `per_sheet` (1, 2 or 4), but fewer if not all rounds have a line then. With four boxes on a
    line, four cards don't fit."""
    size, cards = PAPERS[paper], sheet["cards"]
    rounds = max((sheet["lines"], *(len(card["stops"]) for card in cards)))
    most = min(per_sheet or 2, 2 if sheet["lines"] else 4)
    fits = next((n for n in (4, 2, 1) if n <= most and TRAVEL_LINES[n] >= rounds), 1)
    columns, rows = {1: (1, 1), 2: (1, 2), 4: (2, 2)}[fits]
    labels = LabelSheet(size, columns, rows, (size.width - 16) / columns, (size.height - 16) / rows)
    blank = min(max(4, rounds), TRAVEL_LINES[fits])
    items = [
        {
            "name": card["name"],
            "stops": [*card["stops"], *({"round": ""} for _n in range(blank - len(card["stops"])))],
            "size": name_size(
                card["name"], labels.width - (34 if sheet["heading"].crest else 20), most=20.0 if fits < 4 else 15.0
            ),
        }
        for card in cards
    ]
    against, seat = (
        max((width_in_ems(stop.get(name, "")) for card in cards for stop in card["stops"]), default=0)
        for name in ("against", "seat")
    )
    usual, high, lines = (10.0, 10.6, labels.height - 45) if fits < 4 else (8.0, 11.0, labels.height - 36)
    boxes = 20 * len(sheet["boxes"])
    line = lines / (blank + bool(sheet["lines"]))
    room = (
        line / high,
        1.8 * (labels.width - 51 - boxes) / max(1, against * usual * MM_PER_POINT),  # on two lines
        21 / max(1, seat * usual * MM_PER_POINT),
    )
    named = any(len(stop["round"]) > 3 for card in cards for stop in card["stops"])
    larger = max(1, min(LARGER, *room))
    context = {**sheet, "small": fits == 4, "named": named, "type": round(usual * larger, 1)}
    context["line"] = round(min(line, high * LARGER), 1)
    return label_pages(labels, items, template="documents/hall/_travel_card.html", **context)


def _line_titles(draws: Iterable[Draw]) -> list[str]:
    return [title for draw in draws for title in _game_titles(draw)]


def _game_titles(draw: Draw) -> list[str]:
    event, stage = draw.round.stage.event, draw.round.stage
    title = str(draw.round.number) if event.by_rounds else stage.name
    if stage.games == 1:
        return [title]
    return [_("%(stage)s · game %(n)d") % {"stage": title, "n": n} for n in range(1, stage.games + 1)]


def _stops_of_draw(draw: Draw, groups: Iterable[Group]) -> Iterator[tuple[str, Stop]]:
    titles = _game_titles(draw)
    for group in groups:
        names = [[seat.entry.name for seat in side] for side in group.sides]
        for title in titles:
            yield from _stops_of_group(names, title=title, table=group.label_in(draw.round.stage.event))
    for sit_out in draw.sit_outs.all():
        yield from ((sit_out.entry.name, {"round": title, "out": True}) for title in titles)


def _stops_of_group(names: Sequence[Sequence[str]], *, title: str, table: str) -> Iterator[tuple[str, Stop]]:
    """The name and the stop of each person of a group. `names`: of each side, in order of seats."""
    shape = Shape(len(names), len(names[0]))
    for n, side in enumerate(names):
        against = ", ".join(name for m, other in enumerate(names) if m != n for name in other)
        for position, name in enumerate(side):
            partners = ", ".join(other for other in side if other != name)
            seat = seat_name(shape, n, position=position)
            yield name, {"round": title, "table": table, "seat": seat, "partners": partners, "against": against}


def _planned_stops(rounds: Sequence[SeatedRound], *, after: int) -> Iterator[tuple[str, Stop]]:
    """The stops of the rounds planned after one. One query."""
    name = names_of({person for seats in rounds for person in (*seats.seated, *seats.sit_outs)})
    for number, seats in enumerate(rounds, after + 1):
        title = f"{number}*"
        for table, sides in enumerate(seats.tables, 1):
            if sides:
                names = [[name(person) for person in side] for side in sides]
                yield from _stops_of_group(names, title=title, table=str(table))
        for person in seats.sit_outs:
            yield name(person), {"round": title, "out": True}


USUAL_PLACES, MOST_PLACES = 3, 20  # that get a certificate
FRAME = 60.0  # millimetres beside the name, both sides together


def certificate_pages(event: Event, paper: str, *, places: int = USUAL_PLACES, each: bool = False) -> Pages | None:
    """A landscape sheet for each of the first `places` of the published result, then for those who won a place in a
    class. `each`: one for every person of a side. None without a published result or winners."""
    published = valid_result(event)
    if published is None:
        return None
    size = PAPERS[paper]
    room = size.height - FRAME
    rows = [Row.from_data(row) for row in published.rows]
    winners = [
        {
            "name": name,
            "partners": [other.name for other in row.persons if other.name != name] if each else [],
            "place": place_words(row.place, shared=row.shared),
            "points": points(row.points),
            "size": name_size(name, room, most=46.0),
        }
        for row in rows
        for name in ([person.name for person in row.persons] if each else [row.name])
        if row.place <= places and not (row.disqualified or row.stand_in)
    ]
    winners += [
        {"name": name, "partners": [], "place": words, "points": points(n), "size": name_size(name, room, most=46.0)}
        for name, words, n in _class_winners(event, published)
    ]
    heading = event_heading(event, _("Certificates"), note=published_version(published, event))
    context = {
        "heading": heading,
        "colour": colour_shades(event.club.colour)[0] if event.club.colour else "",
        "hall": event.place,
        "winners": winners,
        "page": f"size: {size.height}mm {size.width}mm",
        "sheet": f"width: {size.height}mm; height: {size.width}mm",
    }
    html = render_to_string("documents/hall/certificates.html", context)
    return Pages((html,), {"suits": _suits_svg()} | crest_drawings(heading)) if winners else None


def _class_winners(event: Event, published: PublishedStandings) -> Iterator[tuple[str, str, int]]:
    """Name, place and points of who won a place in a class, by the prizes published for this result. Three queries at
    most."""
    prizes = published_prizes(event)
    if prizes is None or prizes.standings_id != published.pk:
        return
    points_by_entry = {row["entry"]: row["points"] for row in rows_by_person(ranked_rows(prizes.standings))}
    for line in published_lines(prizes):
        prize = line.prizes[0]
        if prize.kind == "place" and prize.group:
            shared = len(line.winners) > 1
            for winner in line.winners:
                yield (
                    winner.name,
                    SEPARATOR.join([place_words(prize.place, shared=shared), prize.group]),
                    points_by_entry[winner.entry],
                )


def place_words(place: int, *, shared: bool) -> str:
    alone = {1: _("First place"), 2: _("Second place"), 3: _("Third place")}
    together = {1: _("Shared first place"), 2: _("Shared second place"), 3: _("Shared third place")}
    words = together if shared else alone
    return words.get(place) or (_("Shared place %(n)d") if shared else _("Place %(n)d")) % {"n": place}


def _suits_svg() -> str:
    drawn = "".join(
        f'<path transform="translate({48 * n} 0)" d="{path}" fill="{"#111" if n % 2 == 0 else "#a3262a"}"/>'
        for n, path in enumerate(suit_paths())
    )
    return f'<svg xmlns="{SVG}" width="44mm" height="8mm" viewBox="0 0 176 32">{drawn}</svg>'
