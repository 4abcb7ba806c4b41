"""Cards and seating lists from draws and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.names import in_order
from clubsite.pdf.documents import Heading
from scoring.cards.queries import Card, DealRow, cards_of, walkover_words
from scoring.engine.core.ruleset import Shape
from scoring.models import Game, HouseRules
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import with_version
from tournaments.draws.by_format import coming_matches, seeding_words
from tournaments.draws.words import fairness_words, rematch_words
from tournaments.events.state import published_draws
from tournaments.events.words import annulled_words, seat_name, seats_round
from tournaments.models import Draw, Event, Group, GroupGame, Seat, SitOut
from tournaments.rounds.publishing import title_of
from tournaments.table_links.links import ShownLink, links_of, seated_groups


@dataclass(frozen=True, slots=True)
class FilledBox:
    """One box of a card that is filled in. Crossed out is shown but doesn't count."""

    text: str = ""
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: its name ("North", "Seat 2") and who sits there; no name on a blank card."""

    seat: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class CardSide:
    """Those who score together. `start` is what they begin with (handicap), "" when nothing."""

    players: tuple[Player, ...]
    start: str = ""


@dataclass(frozen=True, slots=True)
class CardSheet:
    """One card: one game at one table. `figures` are the boxes by column and row, none on a card to be filled in.

    The heading's note is the version of the draw.
    """

    code: str  # printed on the card, different for every card of an event: "1.1-3A-2"
    heading: Heading
    where: str  # "Qualifying · Table 3 · Group A · Game 2"
    sides: tuple[CardSide, ...]
    rules: str  # title and version of the house rules
    figures: tuple[tuple[FilledBox, ...], ...] = ()
    link: ShownLink | None = None  # its table's link, while that opens the card
    ended: str = ""  # why the director ended the game, on a card as recorded
    told: str = ""  # what the codes on it mean

    @property
    def shape(self) -> Shape:
        """Who plays against whom."""
        return Shape(len(self.sides), len(self.sides[0].players))


@dataclass(frozen=True, slots=True)
class SeatOf:
    """Where somebody sits: table, and group and seat in words ("Group A · Seat 2"; "North")."""

    name: str
    table: int
    seat: str


@dataclass(frozen=True, slots=True)
class SeatingGroup:
    """Those who play together at a table; `label` is "" when they are the whole table."""

    label: str
    players: tuple[Player, ...]
    link: ShownLink | None = None


@dataclass(frozen=True, slots=True)
class SeatingTable:
    """One table with its groups."""

    number: int
    groups: tuple[SeatingGroup, ...]
    match: str = ""  # what it is called in a knock-out


@dataclass(frozen=True, slots=True)
class SeatingSheet:
    """Who sits where: by name, by table, and who sits out."""

    heading: Heading
    places: tuple[SeatOf, ...]  # by name
    tables: tuple[SeatingTable, ...]
    sit_outs: tuple[str, ...] = ()
    fairness: str = ""  # what is done where the number doesn't divide; how a bracket came about
    coming: Sequence[tuple[str, Sequence[str]]] = ()  # the matches of a knock-out after it: what each is called, and
    # ... its two sides

    @property
    def links(self) -> tuple[ShownLink, ...]:
        """The links of its tables."""
        return tuple(group.link for table in self.tables for group in table.groups if group.link)


def heading_of(event: Event, title: str = "", *, note: str = "", mark: str = "") -> Heading:
    """The head of a document of this event, its date in the club's zone."""
    day = event.starts_at.astimezone(event.club.zone)
    when = f"{date_format(day, 'l')}, {date_format(day)}"
    return Heading(event.club.name, event.name, when, title, note, mark, event.club_id)


def title_of_draw(draw: Draw) -> str:
    """What is drawn: the stage of a competition, the round of a night."""
    if draw.round.stage.event.by_rounds:
        return _("Round %(n)d") % {"n": draw.round.number}
    return draw.round.stage.name


def heading_of_draw(draw: Draw, title: str = "") -> Heading:
    """The head of a document of a draw: with its version, and printed large in what state it is unless published."""
    mark = {Draw.State.DRAFT: _("draft"), Draw.State.WITHDRAWN: _("taken back")}.get(Draw.State(draw.state), "")
    return heading_of(draw.round.stage.event, title, note=version_of_draw(draw), mark=mark)


def rules_line(rules: HouseRules) -> str:
    """Title and version of house rules."""
    return with_version(rules.title, rules.version)


def card_sheets(draw: Draw, *, filled: bool = False, site: str = "", only: int | None = None) -> list[CardSheet]:
    """A card for every game of a draw, or of `only` one group, by table, group and game; with deals when `filled`.

    A draft has no games yet: its cards are for the set that publishing it would open. With the address of the `site`
    for phones, cards carry the links of their tables. `filled` leaves out games without a deal: those cards are blank
    whoever prints them.
    """
    event = draw.round.stage.event
    sheets = []
    links, groups = links_of(draw, site), [group for group in _groups(draw) if only in (None, group.pk)]
    played = [row.game for group in groups for row in group.games.all() if row.game.deals_played] if filled else []
    cards = {card.game.pk: card for card in cards_of(played)}
    for group in groups:
        games = {g.number: g.game for g in group.games.all()}
        for number in sorted(games) or range(1, draw.round.stage.games + 1):
            game, link = games.get(number), links.get(group.pk)
            if filled and (game is None or not game.deals_played):
                continue  # it would be one more blank card
            told = _codes_told(draw, group, number=number, link=link)
            sheet = replace(_card_sheet(draw, event, group=group, number=number, game=game), link=link, told=told)
            if filled and game is not None:
                sheet = replace(sheet, figures=figures_of(cards[game.pk]), ended=cards[game.pk].why)
            sheets.append(_marked(sheet, group, game=game))
    return sheets


def _marked(sheet: CardSheet, group: Group, *, game: Game | None) -> CardSheet:
    """A card marked where its game is decided without its cards, or counts for nobody."""
    sides = list(game.sides.all()) if game else []
    if words := annulled_words(group.seats.all()):
        ended = " ".join(filter(None, (words, sheet.ended)))
        return replace(sheet, heading=replace(sheet.heading, mark=_("annulled")), ended=ended)
    if any(side.absent for side in sides):
        words = walkover_words([side.name for side in sides if side.half_wins])
        return replace(sheet, heading=replace(sheet.heading, mark=_("walkover")), ended=words)
    return sheet


def _codes_told(draw: Draw, group: Group, *, number: int, link: ShownLink | None) -> str:
    """What the codes on a card mean."""
    stage = draw.round.stage
    words = _("%(code)s: stage %(stage)d, round %(round)d, table %(table)s, game %(game)d.") % {
        "code": code_of_card(draw, group, number=number),
        "stage": stage.number,
        "round": draw.round.number,
        "table": group.label_in(stage.event),
        "game": number,
    }
    if link is None:
        return words
    return words + " " + _("%(code)s opens this table's page on a phone.") % {"code": link.code}


def code_of_card(draw: Draw, group: Group, *, number: int) -> str:
    """What is printed on a card, different for every card of an event: stage, round, group, game."""
    return f"{draw.round.stage.number}.{draw.round.number}-{group}-{number}"


def _card_sheet(draw: Draw, event: Event, *, group: Group, number: int, game: Game | None) -> CardSheet:
    if game is None:
        names = group.names
        starts = [0] * len(names)
    else:
        sides = list(game.sides.all())
        names, starts = [list(side.names) for side in sides], [side.start for side in sides]
    return CardSheet(
        code=code_of_card(draw, group, number=number),
        heading=heading_of_draw(draw),
        where=title_of(group, draw, number=number).removeprefix(f"{event.name} · "),
        sides=tuple(
            _side(Shape(len(names), len(names[0])), n, names=own, start=starts[n]) for n, own in enumerate(names)
        ),
        rules=rules_line(event.rules if game is None else game.rules),
    )


def _side(shape: Shape, side: int, *, names: Sequence[str], start: int) -> CardSide:
    players = tuple(Player(seat_name(shape, side, position=n), name) for n, name in enumerate(names))
    return CardSide(players, _("starts with %(points)s") % {"points": points(start)} if start else "")


def blank_cards(event: Event, *, copies: int) -> list[CardSheet]:
    """Cards of the event's game without names, for walk-ins and for spoilt cards."""
    shape = event.shape
    sides = tuple(_side(shape, n, names=[""] * shape.per_side, start=0) for n in range(shape.sides))
    where = _("Table ____   Game ____")
    return [CardSheet("", heading_of(event), where, sides, rules_line(event.rules)) for _copy in range(copies)]


def figures_of(card: Card) -> tuple[tuple[FilledBox, ...], ...]:
    """The boxes of a card as its deals fill them: by column over all sides, then by row."""
    rows = {deal.number: deal for deal in card.deals}
    if card.per_deal:
        last = max((card.deals_in_game or 0, *rows))
        return tuple(_upright(rows.get(n), side.number) for side in card.sides for n in range(1, last + 1))
    blank = [FilledBox()] * ((len(card.items) or 1) + 1)
    numbers = range(1, max(rows, default=0) + 1)
    return tuple(
        column
        for side in card.sides
        for column in zip(*(_along(rows[n], side.number) if n in rows else blank for n in numbers), strict=True)
    )


def _along(deal: DealRow, side: int) -> list[FilledBox]:
    """A side's boxes in the row of one deal, crossed out where they don't count."""
    cells = deal.cells[side] or (deal.points[side],)
    crossed = [n for n in deal.crossed[side] if isinstance(cells[n], int)] if deal.counts else range(len(cells))
    return [FilledBox(_cell(cell), n in crossed) for n, cell in enumerate(cells)] + [_running(deal, side)]


def _upright(deal: DealRow | None, side: int) -> tuple[FilledBox, ...]:
    """A side's boxes in the column of one deal, crossed out where it doesn't count; none for a deal not played."""
    if deal is None:
        return ()
    cells = [FilledBox(_cell(cell), not deal.counts) for cell in deal.cells[side]]
    return (*cells, FilledBox(points(deal.points[side]), not deal.counts), _running(deal, side))


def _running(deal: DealRow, side: int) -> FilledBox:
    return FilledBox(points(deal.running[side]) if deal.counts else deal.state_words)


def _cell(cell: Any) -> str:
    return points(cell) if isinstance(cell, int) else str(cell or "")


def seating_sheet(draw: Draw, *, site: str = "") -> SeatingSheet:
    """Who sits where in a draw; with the address of the `site` for phones, also the links of its tables."""
    event = draw.round.stage.event
    links = links_of(draw, site)
    places: list[SeatOf] = []
    tables: dict[int, list[SeatingGroup]] = {}
    for group in _groups(draw):
        label = _("Group %(letter)s") % {"letter": group.letter} if event.shares_tables else ""
        players = tuple(Player(seat, name) for seat, name in seats_round(group.names))
        tables.setdefault(group.table.number, []).append(SeatingGroup(label, players, links.get(group.pk)))
        places += [SeatOf(p.name, group.table.number, label or p.seat) for p in players]
    return SeatingSheet(
        heading_of_draw(draw, _("Seats · %(what)s") % {"what": title_of_draw(draw)}),
        tuple(sorted(places, key=lambda place: in_order(place.name))),
        tuple(SeatingTable(n, tuple(groups), draw.match_name(n)) for n, groups in sorted(tables.items())),
        tuple(out.entry.name for out in SitOut.objects.idle().filter(draw=draw).select_related("entry")),
        " ".join([*seeding_words(draw.statement), *rematch_words(draw.statement)])
        if event.by_rounds
        else fairness_words(draw.round.stage, draw.statement),
        _coming(draw),
    )


def _coming(draw: Draw) -> Sequence[tuple[str, Sequence[str]]]:
    """The matches of a knock-out after the latest round."""
    event = draw.round.stage.event
    later = published_draws(event).filter(round__number__gt=draw.round.number)
    if not event.has_bracket or draw.state == Draw.State.WITHDRAWN or later.exists():
        return []
    return coming_matches(event, draw)


def version_of_draw(draw: Draw) -> str:
    """Which version of a draw this is, and whether somebody changed it by hand."""
    words = _("Draw, version %(n)d") % {"n": draw.number}
    return _("%(version)s, changed by hand") % {"version": words} if draw.by_hand else words


def _groups(draw: Draw) -> list[Group]:
    """The groups of a draw with their seats and games, in order of tables. Five queries."""
    return list(
        seated_groups(draw).prefetch_related(
            Prefetch("seats", Seat.objects.select_related("entry")),
            Prefetch("games", GroupGame.objects.select_related("game__rules", "game__club")),
            "games__game__sides",
        )
    )
