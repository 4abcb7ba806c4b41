"""A night's next round by its format: what is recorded, in the engine's shapes, and the facts stored with the draw.

Which round comes next is decided in `tournaments.engine.formats`; `making` keeps it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from random import Random
from typing import Any, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from clubsite.names import side_name, translate_name
from clubsite.previews import fingerprint
from scoring.models import Game, Side as GameSide
from tournaments.draws.drafts import seats_in
from tournaments.engine.formats import FORMATS, Field, Format, FormatRefused, PlayedRound, PlayedTable, option_fields
from tournaments.engine.formats.knock_out import (
    CONSOLATION,
    DECIDING,
    LOSERS,
    THIRD,
    WINNERS,
    Bracketed,
    MatchName,
    Origin,
)
from tournaments.engine.formats.open_play import OpenPlay
from tournaments.engine.formats.pairings import Groups, count_meetings
from tournaments.engine.rounds import SeatedRound, Side, Table, grouped
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, published_draws
from tournaments.events.words import LOTS, describe_lots
from tournaments.models import Draw, Entry, Event, Seat, SitOut, Wish

SHUFFLES = 500  # of a bracket, at most, until those who mustn't meet are in different halves
LOTS_BY_NUMBER = "by-number"
"""How a draw's statement says that lots at its tables go by the numbers of the entries and the seed of the draw."""

Totals: TypeAlias = dict[int, tuple[int, int]]  # by entry: half wins and points of its side
STANDINGS: list[Callable[[Event], Totals]] = []
"""What reads the totals of the standings: it is built on draws and registered here (`tournaments.apps`)."""


def format_of(event: Event) -> Format:
    """The event's format with its options; options that it doesn't know are left aside."""
    kind = FORMATS[event.format]
    names = {option.name for option in option_fields(kind)}
    chosen = {name: value for name, value in event.options.items() if name in names}
    if "per_side" in names:
        chosen["per_side"] = event.per_side
    return kind(**chosen)


def bye_half_wins(event: Event) -> int:
    return format_of(event).bye_half_wins if event.format in FORMATS else 0


def field_of(event: Event) -> Field:
    """Who takes part: sides, where they are fixed, in the order they were made; else everybody alone, by number. Once
    the first round of a knock-out is published, in the order of its bracket; and so of groups, and of rungs."""
    field = _field_as_made(event)
    ordered = event.has_bracket or event.traits.ordered
    return in_order(field, first_statement(event).get("order", ())) if ordered else field


def field_to_draw(event: Event, seed: int) -> Field:
    """Who takes part, in the order in which the next round is drawn: that of a knock-out's first round goes by its
    seeds; lots decide between equal ones, and order those without one, who come last. Where two who mustn't meet
    would, lots are drawn again: those count by which they would meet latest. With the totals of the standings where
    the format pairs by them."""
    field = field_of(event)
    if event.traits.by_score:
        sign = event.sign
        return replace(field, totals={pk: (won, sign * points) for pk, (won, points) in totals_of(event).items()})
    form, rng, teams = format_of(event), Random(seed), list(field.teams)
    if form.ordered and not is_drawn(event):
        if event.options.get("first_by_lot", True):
            rng.shuffle(teams)
        return replace(field, teams=tuple(teams))
    if not isinstance(form, Bracketed) or is_drawn(event):
        return field
    final = (len(teams) - 1).bit_length()
    best, meeting = field, -1
    for _time in range(SHUFFLES):
        rng.shuffle(teams)
        field = replace(field, teams=tuple(sorted(teams, key=lambda team: seed_of(event, team))))
        first = form.first_meeting(field)
        if first == 1 and not form.is_kept_apart(field):
            first = 0
        if first > meeting:
            best, meeting = field, first
        if first == final:
            break
    return best


def seed_of(event: Event, side: Side) -> float:
    """What a side is seeded by, the lowest first: the numbers of its people added up, where somebody without one comes
    after all who have one. Infinite where nobody of it has one."""
    numbers: dict[str, int] = event.seeding.get("numbers", {})
    seeds = [numbers.get(str(person)) for person in side]
    if all(number is None for number in seeds):
        return inf
    return sum(1 + max(numbers.values()) if number is None else number for number in seeds)


def waiting_line(event: Event, *, seed: int) -> list[int]:
    """Everybody who is here, those seated next first, in formats that seat by waiting; nobody in others."""
    form = format_of(event) if event.traits.refills else None
    line = form.line(field_of(event), played_of(event), seed=seed) if isinstance(form, OpenPlay) else []
    return [person for side in line for person in side]


def totals_of(event: Event) -> Totals:
    """The totals of the standings by which the next round is paired; nothing in formats that don't pair by them."""
    return STANDINGS[0](event) if event.traits.by_score else {}


def in_order(field: Field, order: Sequence[int]) -> Field:
    """The field with its sides in this order, which names an entry of each; the others come after them."""
    place = {entry: n for n, entry in enumerate(order)}
    teams = sorted(field.teams, key=lambda team: min(place.get(person, len(place)) for person in team))
    return replace(field, teams=tuple(teams))


def first_statement(event: Event) -> dict[str, Any]:
    """What the first published draw of an event says of itself; nothing before there is one. One query."""
    return published_draws(event).values_list("statement", flat=True).first() or {}


def _field_as_made(event: Event) -> Field:
    entries = _entries(event)
    keeps_apart = not event.traits.searched and "apart" in event.traits.wishes
    apart = event.wishes.filter(kind=Wish.Kind.APART) if keeps_apart else Wish.objects.none()
    sides = [[entry] for entry in entries]
    if event.makes_sides:
        teams = _teams_of(entries)
        sides = [teams[number] for number in sorted(teams) if len(teams[number]) == event.per_side]
    return Field(
        tuple(tuple(e.pk for e in side) for side in sides),
        absent=frozenset(e.pk for e in entries if e.state != Entry.State.HERE or e.removed),
        clubs=_clubs(event, sides),
        numbers={e.pk: e.number for e in entries},
        forfeits=frozenset(e.pk for e in entries if e.removed == Entry.Removed.WALKOVERS),
        apart=frozenset(map(frozenset, apart.values_list("entry", "other"))),
    )


def played_of(event: Event) -> list[PlayedRound]:
    """The published rounds in order with their results so far. Five queries.

    A table's result is that of all its games of the round: who won more of them, then who has more points. A table with
    a game still open has none; one whose games weren't played ended level, and nobody has won it, as in the standings,
    but for a walkover. Matches won without a table because the others have left come after the tables. Matches that are
    annulled are left out, and those who played them rest. Formats take many points for good: where the lowest total
    wins, points count as minus points here."""
    sign = event.rules.sign
    draws = list(published_draws(event).values_list("pk", "seed", "statement"))
    keys = [pk for pk, _seed, _statement in draws]
    seats = Seat.objects.filter(draw__in=keys).order_by("group__table__number", "group__number", "side", "position")
    seated = seats.values_list("draw", "group", "side", "entry")
    people = grouped(((draw, group, side), entry) for draw, group, side, entry in seated)
    sides_at = grouped(((draw, group), tuple(entries)) for (draw, group, _side), entries in people.items())
    tables = grouped((draw, (group, tuple(at))) for (draw, group), at in sides_at.items())
    sides = GameSide.objects.filter(game__group_game__group__table__draw__in=keys)
    rows = sides.values_list("game__group_game__group", "game__state", "number", "half_wins", "total", "absent")
    games = grouped(
        (group, GameSideResult(state, side, half_wins, total, absent))
        for group, state, side, half_wins, total, absent in rows
    )
    out = grouped(
        (draw, (entry, against))
        for draw, entry, against in SitOut.objects.filter(draw__in=keys)
        .order_by("entry__number")
        .values_list("draw", "entry", "against")
    )
    entries = _entries(event)
    annulled = {entry.pk for entry in entries if entry.removed == Entry.Removed.ANNULLED}
    losing, side_of = entries_losing_unseated(event, entries), sides_of_entries(entries)
    rounds = []
    for draw, seed, statement in draws:
        played = [(at, games[group]) for group, at in tables[draw]]
        counting = [(at, results) for at, results in played if annulled.isdisjoint(chain(*at))]
        finished = [row for _at, results in counting for row in results if row.state == Game.State.OVER]
        walkover = walkover_points(event, ((row.total, row.half_wins) for row in finished))
        played_tables = [_played_table(at, results, sign=sign, walkover=walkover) for at, results in counting]
        won = {(side_of[entry], side_of[against]) for entry, against in out[draw] if against in losing}
        played_tables += [
            PlayedTable(match, (sign * walkover.won, sign * walkover.lost), (2, 0), walkover=True)
            for match in sorted(won)
        ]
        rests = [entry for entry, against in out[draw] if against not in losing]
        rests += [pk for at, _results in played if not annulled.isdisjoint(chain(*at)) for pk in chain(*at)]
        lots = seed if statement.get("lots") == LOTS_BY_NUMBER else None
        rounds.append(PlayedRound(tuple(played_tables), tuple(sorted(pk for pk in rests if pk not in annulled)), lots))
    return rounds


def entries_losing_unseated(event: Event, entries: Iterable[Entry]) -> set[int]:
    """The entries whose matches without a table are lost: in a knock-out of those who weren't there, even if they come
    back; elsewhere of sides that have left, while the director has it so."""
    return {e.pk for e in entries if event.traits.bracket or e.removed == Entry.Removed.WALKOVERS}


def sides_of_entries(entries: Sequence[Entry]) -> dict[int, Side]:
    teams = _teams_of(entries)
    return {e.pk: tuple(p.pk for p in (teams[e.team] if e.team is not None else [e])) for e in entries}


@dataclass(frozen=True, slots=True)
class GameSideResult:
    state: str  # of the game
    side: int
    half_wins: int
    total: int
    absent: bool

    @property
    def played(self) -> bool:
        return self.state != Game.State.NOT_PLAYED


class WalkoverPoints(NamedTuple):
    """The points of a match decided by walkover: of who was there, and of who wasn't."""

    won: int
    lost: int


def walkover_points(event: Event, finished: Iterable[tuple[int, int]]) -> WalkoverPoints:
    """What a walkover is worth in a round with these totals and half wins of its finished games.

    Who is there gets the event's points, or the average of the round's winners. Who isn't gets none; where the lowest
    total wins, none would be the best, so they get the average of the round's losers. They never do better than who is
    there."""
    totals = grouped((half_wins > 0, total) for total, half_wins in finished)
    won = _average(totals[True]) if event.walkover_points is None else event.walkover_points
    if event.lowest_wins:
        return WalkoverPoints(won, max(won, _average(totals[False])))
    return WalkoverPoints(won, min(won, 0))


def _average(totals: Sequence[int]) -> int:
    """To the nearest whole number, a half up; 0 of none."""
    return (2 * sum(totals) + len(totals)) // (2 * len(totals)) if totals else 0


def refuse_without_partner(event: Event) -> None:
    """Check that everybody who is here has a side of the right size. Raises StepRefused: somebody has none yet, or a
    side lacks a player; says who."""
    if not event.makes_sides:
        return
    entries = _entries(event)
    if alone := [e.name for e in entries if e.team is None and e.state == Entry.State.HERE]:
        raise StepRefused(_("%(names)s: no partner yet. Say who plays with whom.") % {"names": ", ".join(alone)})
    for team in _teams_of(entries).values():
        if len(team) != event.per_side and any(e.state == Entry.State.HERE for e in team):
            raise StepRefused(
                _("%(names)s: a side has %(n)d players. Say who plays with whom.")
                % {"names": ", ".join(e.name for e in team), "n": event.per_side}
            )


def refuse_left_alone(event: Event) -> None:
    """Check that nobody is here whose partner has left: there is no seat for them, and a draw would pass them over.
    Raises StepRefused: somebody is; says who."""
    if not event.makes_sides:
        return
    for team in _teams_of(_entries(event)).values():
        present = [e.name for e in team if e.state == Entry.State.HERE]
        if present and len(present) < len(team):
            raise StepRefused(
                _(
                    "%(left)s isn't here, so %(here)s has no seat in this round. Mark the whole side as here, or none "
                    "of it."
                )
                % {"left": ", ".join(e.name for e in team if e.state != Entry.State.HERE), "here": ", ".join(present)}
            )


def next_seats(event: Event, seed: int) -> SeatedRound:
    """The seats of the next round. Raises StepRefused: there is none, with what to do about it."""
    refuse_without_partner(event)
    form, field = format_of(event), field_to_draw(event, seed)
    try:
        if event.traits.one_table and len(field.present) != event.shape.players:
            raise FormatRefused("format.table-size", (("needed", event.shape.players), ("given", len(field.present))))
        drawn = form.next_round(field, played_of(event), seed=seed)
    except FormatRefused as refused:
        raise StepRefused(refusal_message(refused)) from None
    refuse_left_alone(event)
    return drawn


def refuse_apart(event: Event) -> None:
    """Check that there is a next round with everybody kept apart who mustn't meet, as far as that is known yet. Raises
    StepRefused: there is none."""
    try:
        format_of(event).next_round(field_to_draw(event, seed=0), played_of(event), seed=0)
    except FormatRefused as refused:
        if refused.code == "format.apart":
            raise StepRefused(refusal_message(refused)) from None


def next_round_refusal(event: Event) -> FormatRefused | None:
    if event.format not in FORMATS:
        return None
    try:
        return format_of(event).end_reason(field_of(event), played_of(event))
    except FormatRefused:
        return None


def is_over(event: Event) -> bool:
    return next_round_refusal(event) is not None


def misplaced_message(event: Event) -> str:
    """Which published round no longer follows from the results before it, and what to do, in words; "" for none."""
    if event.format not in FORMATS:
        return ""
    try:
        wrong = format_of(event).find_misplaced(field_of(event), played_of(event))
    except FormatRefused as refused:
        last = published_draws(event).count()  # is a result missing for a round that is published already?
        return refusal_message(refused) if int(dict(refused.arguments).get("round", last)) < last else ""
    if wrong is None:
        return ""
    name = dict(event.entries.values_list("pk", "name"))
    seated, due = ({side for match in matches for side in match} for matches in (wrong.seated, wrong.due))
    words = [_("Round %(round)d no longer follows from the results before it.") % {"round": wrong.round}]
    if out := seated - due:
        words.append(_("%(sides)s: at a table, but out by those results.") % {"sides": _names(out, name, between=", ")})
    if missing := due - seated:
        words.append(
            _("%(sides)s: should be playing by those results.") % {"sides": _names(missing, name, between=", ")}
        )
    if due and not out and not missing:
        matches = "; ".join(_names(match, name, between=_(" against ")) for match in wrong.due)
        words.append(_("By those results its matches are: %(matches)s.") % {"matches": matches})
    words.append(
        _("Correct the earlier result, or take round %(round)d back and draw it again.") % {"round": wrong.round}
    )
    return " ".join(words)


def _names(sides: Iterable[Side], name: Mapping[int, str], *, between: str) -> str:
    return between.join(side_name(name[person] for person in side) for side in sorted(sides))


def fingerprint_of_results(event: Event) -> str:
    """A fingerprint of the results so far: a correction that changes a winner or a total changes it, and so does a side
    that leaves and loses the matches it still had."""
    results: list[Any] = [[(t.sides, t.points, t.half_wins) for t in round_.tables] for round_ in played_of(event)]
    forfeits = sorted(field_of(event).forfeits)
    return fingerprint([*results, forfeits] if forfeits else results)


def fingerprint_of_totals(event: Event) -> str:
    """A fingerprint of the totals by which the next round is paired, penalties and credits included; "" where it isn't
    paired by them."""
    return fingerprint(sorted(totals_of(event).items())) if event.traits.by_score else ""


def fingerprint_of_sides(event: Event, people: Iterable[int]) -> str:
    """A fingerprint of these people's sides, in their order and with their clubs; "" where sides aren't fixed.

    In a knock-out all sides count: each has a place in the bracket. Their order there is the draw's own."""
    if not event.fixed_sides:
        return ""
    field, among = _field_as_made(event), set(people)
    clubs = field.clubs or (0,) * len(field.teams)
    bracket = event.traits.bracket
    return fingerprint(
        [pair for pair in zip(field.teams, clubs, strict=True) if bracket or among.intersection(pair[0])]
    )


def lot_sentences(event: Event) -> list[str]:
    if event.format not in FORMATS or not format_of(event).lots_settle:
        return []
    entries = {entry.pk: entry for entry in _entries(event)}
    sentences = []
    for number, round_ in enumerate(played_of(event), start=1):
        for place, table in enumerate(round_.tables, start=1):
            if round_.lots_seed is None or not table.is_level:
                continue
            numbers = {
                side_name(entries[pk].name for pk in side): min(entries[pk].number for pk in side)
                for side in table.sides
            }
            where = _("Round %(round)d, table %(table)d ended level.") % {"round": number, "table": place}
            sentences.append(f"{where} {describe_lots(round_.lots_seed, numbers)}.")
    return [*sentences, str(LOTS)] if sentences else []


def refusal_message(refused: FormatRefused) -> str:
    sentences: Mapping[str, str] = {
        "format.too-few": _(
            "At least %(least)s sides must be here; now the number is %(given)s. Mark who is here first."
        ),
        "format.size": _("Everybody plays in sides of %(size)s, and %(given)s people can't be divided that way."),
        "format.table-size": _("This game is played by %(needed)s; the number here is %(given)s. Mark who plays."),
        "format.open-table": _(
            "Table %(table)s of round %(round)s has no result yet. Finish its card, or end its game with a reason."
        ),
        "format.level-table": _(
            "Table %(table)s of round %(round)s ended level, but one side must go on. Continue the game for one more "
            "deal, or let lots decide in the event's settings. If a side wasn't there, press Walkover at that table, "
            "on the page of its round."
        ),
        "format.over": _("All rounds of this event are played. Close it to publish the result."),
        "format.no-pairing": _(
            "After %(rounds)s rounds every further round needs a rematch. Close the night, or allow as few rematches "
            "as possible: in the event's settings, see “When not all can meet somebody new”."
        ),
        "format.apart": _(
            "No round keeps apart everybody who mustn't meet. Take back one of those wishes, under “Wishes for the "
            "draw”. In a knock-out, other seeds can help too."
        ),
        "format.misplaced": _(
            "Round %(round)s no longer follows from the results before it. "
            "Correct those results, or take round %(round)s back and draw it again."
        ),
        "format.clubs": _("A match is between two clubs; here are %(given)s. Say for which club each side plays."),
    }
    return sentences[refused.code] % dict(refused.arguments)


def _entries(event: Event) -> list[Entry]:
    return list(event.entries.exclude(state=Entry.State.RESERVE).order_by("number"))


def _teams_of(entries: Iterable[Entry]) -> dict[int, list[Entry]]:
    return grouped((entry.team, entry) for entry in entries if entry.team is not None)


def _clubs(event: Event, sides: list[list[Entry]]) -> tuple[int, ...]:
    if not event.traits.between_clubs:
        return ()
    names = sorted({e.plays_for for side in sides for e in side if e.plays_for})
    return tuple(names.index(side[0].plays_for) if side[0].plays_for else len(names) for side in sides)


def _played_table(
    sides: tuple[Side, ...], results: Sequence[GameSideResult], *, sign: int, walkover: WalkoverPoints
) -> PlayedTable:
    if not results or any(row.state == Game.State.OPEN for row in results):
        return PlayedTable(sides)
    won, points = [0] * len(sides), [0] * len(sides)
    for row in results:
        won[row.side] += row.half_wins
        if row.played:
            points[row.side] += sign * row.total
        elif row.half_wins or row.absent:
            points[row.side] += sign * (walkover.lost if row.absent else walkover.won)
    best = max(zip(won, points, strict=True))
    decided = any(row.played or row.half_wins for row in results)
    first = [n for n in range(len(sides)) if decided and (won[n], points[n]) == best]
    half_wins = tuple((2 if len(first) == 1 else 1) if n in first else 0 for n in range(len(sides)))
    return PlayedTable(sides, tuple(points), half_wins, walkover=any(row.absent for row in results))


def rematch_report(event: Event, seats: SeatedRound, *, before: int | None = None) -> dict[str, Any]:
    """What a draw's statement says of rematches; nothing in formats that don't count them.

    `before` is how many rounds were played before it (None: all published). Sides are given by their names, with how
    often they have met, or rested, this time included."""
    if not event.traits.tells_rematches:
        return {}
    form, field, played = format_of(event), field_of(event), played_of(event)[:before]
    met = count_meetings(played)
    rested = Counter(person for round_ in played for person in round_.sit_outs)
    name = dict(event.entries.values_list("pk", "name"))
    now = PlayedRound(tuple(PlayedTable(table) for table in seats.tables), seats.sit_outs)
    possible, planned = form.rounds_without_rematch(field, [*played, now])
    out = form.sides_out(field, played)

    def named(side: Side) -> str:
        return side_name(name[person] for person in side)

    return {
        "meet_again": [
            [named(table[0]), named(table[1]), met[frozenset(table)] + 1]
            for table in seats.tables
            if met[frozenset(table)]
        ],
        "rest_again": [
            [named(side), rested[side[0]] + 1]
            for side in field.present
            if side[0] in seats.sit_outs and rested[side[0]] and side not in out
        ],
        "rounds_left": {"planned": planned, "without_rematch": possible},
    }


def fewest_people(event: Event) -> int:
    return event.shape.players if event.traits.one_table else 2 * event.per_side


BY_LOT = {"by": "lot"}


def groups_of(event: Event) -> dict[int, str]:
    """Everybody's entry to the letter of their group, once groups are drawn; nothing for other formats."""
    form = format_of(event) if event.traits.in_groups else None
    if not isinstance(form, Groups) or not is_drawn(event):
        return {}
    return {person: chr(ord("A") + n) for side, n in form.group_of(field_of(event)).items() for person in side}


def format_report(event: Event, tables: Sequence[Table], *, seed: int) -> dict[str, Any]:
    """What a draw's statement says of a knock-out: what its matches are called by number of table, and in the first
    round the order of the bracket, by an entry of each side, and how it came about. Of groups: which group plays at a
    table, the order of which they are made, and in the first round how that came about. Nothing for other formats."""
    form = format_of(event)
    if form.ordered:
        field = field_to_draw(event, seed)
        order = {"order": [team[0] for team in field.teams]}
        if not isinstance(form, Groups):
            return order
        group = form.group_of(field)
        at = {str(n): f"Group {chr(ord('A') + group[table[0]])}" for n, table in enumerate(tables, start=1)}
        return {"matches": at, **order} | ({} if is_drawn(event) else {"seeding": {"by": "groups-by-lot"}})
    if not isinstance(form, Bracketed):
        return {}
    played, field = played_of(event), field_to_draw(event, seed)
    names = {
        frozenset(match.sides): match_title(match.name) for match in form.matches(field, played) if not match.decided
    }
    facts: dict[str, Any] = {
        "matches": {str(number): names[frozenset(table)] for number, table in enumerate(tables, start=1)}
    }
    if played:
        return facts
    return facts | {"order": [team[0] for team in field.teams], "seeding": event.seeding or BY_LOT}


def seeding_changed(draw: Draw) -> str:
    """That the seeds of a knock-out were changed after a draw of its first round, in words; "" where they weren't."""
    event = draw.round.stage.event
    seeding = draw.statement.get("seeding", BY_LOT)
    if not event.has_bracket or draw.round.number > 1 or seeding == (event.seeding or BY_LOT):
        return ""
    return _("The seeds have changed since.")


def exchanged_order(draw: Draw, sides: tuple[Side, Side]) -> dict[str, Any]:
    """What its statement says of the bracket's order once these two sides have changed places in it."""
    order = draw.statement.get("order") or [team[0] for team in field_of(draw.round.stage.event).teams]
    a, b = (next(n for n, entry in enumerate(order) if entry in side) for side in sides)
    order = list(order)
    order[a], order[b] = order[b], order[a]
    return {"order": order}


def matches_without_table(event: Event, draft: Draw | None = None) -> list[tuple[str, list[str]]]:
    """The matches that have no table yet, by their names, each with its two sides: their names, or where they come
    from. With the bracket of a first round's `draft`. Nothing for other formats."""
    form = format_of(event) if event.has_bracket else None
    if not isinstance(form, Bracketed):
        return []
    field, played = field_of(event), played_of(event)
    if draft is not None and not played:
        field = in_order(field, draft.statement.get("order", ()))
    try:
        matches = form.matches(field, played)
    except FormatRefused:  # a match ended level: the desk asks for it
        return []
    seated = {frozenset(table) for table in seats_in(draft).seats.tables} if draft else set()
    names = dict(event.entries.values_list("pk", "name"))
    return [
        (translate_name(match_title(match.name)), [side_words(side, names) for side in match.sides])
        for match in matches
        if not match.decided and match.played is None and frozenset(match.sides) not in seated
    ]


def match_title(name: MatchName) -> str:
    """What a match is called, in the English that is stored (`clubsite.names`).

    >>> match_title(MatchName("main", 1, 2)), match_title(MatchName("main", 3, 5))
    ('Semi-final 2', 'Round of 16, match 5')
    >>> match_title(MatchName("consolation", 1, 4))
    'Consolation, match 4'
    """
    if name.part == THIRD:
        return "Third place"
    if name.part in (WINNERS, LOSERS):
        return f"{name.part.capitalize()}, match {name.number}"
    if name.part == DECIDING:
        return "Final" if name.number == 1 else "Deciding match"
    if name.part == CONSOLATION:
        return f"Consolation, match {name.number}" if name.rounds_after else "Consolation final"
    if not name.rounds_after:
        return "Final"
    rounds = {1: "Semi-final", 2: "Quarter-final"}
    return f"{rounds.get(name.rounds_after) or f'Round of {2 ** (name.rounds_after + 1)}, match'} {name.number}"


def seeding_words(statement: Mapping[str, Any]) -> list[str]:
    """How the bracket of a first round's draw came about, or its groups; nothing for other draws."""
    if "seeding" not in statement:
        return []
    seeding: Mapping[str, Any] = statement["seeding"]
    if seeding["by"] == "groups-by-lot":
        return [_("The groups are drawn by lot.")]
    name = {"name": translate_name(seeding.get("name", ""))}
    words = {
        "hand": _("The bracket is seeded by hand."),
        "points": _("The bracket is seeded by the director's points."),
        "season": _("The table of %(name)s gives the bracket its seeds.") % name,
        "event": _("The result of %(name)s gives the bracket its seeds.") % name,
        "groups": _("The groups of %(name)s give the bracket its seeds. Those of one group meet as late as possible.")
        % name,
        "cut": _("The cut of %(name)s gives the bracket its seeds.") % name,
    }
    if seeding["by"] not in words:
        return [_("The bracket is drawn by lot.")]
    return [
        words[seeding["by"]],
        _("The best seeds have the byes and meet last. Lots decide between equal seeds, and among those without one."),
    ]


def same_half_warnings(event: Event, draft: Draw) -> list[str]:
    """Who mustn't meet and is in one half of the bracket of a first round's draft, by its seeds."""
    form, order = format_of(event) if event.has_bracket else None, draft.statement.get("order", ())
    if not isinstance(form, Bracketed) or not order:
        return []
    field = in_order(field_of(event), order)
    final, name = (len(field.teams) - 1).bit_length(), dict(event.entries.values_list("pk", "name"))
    near = sorted((round_, *sorted(pair)) for pair, round_ in form.earliest_meetings(field).items() if round_ < final)
    sentences = [
        _(
            "%(a)s and %(b)s mustn't meet, but they are in the same half of the bracket: "
            "they could meet in round %(round)d."
        )
        % {"a": name[a], "b": name[b], "round": round_}
        for round_, a, b in near
    ]
    if near and event.seeding:
        sentences.append(_("With other seeds they may not meet before the final."))
    return sentences


def bracket_words(event: Event) -> list[str]:
    return seeding_words(first_statement(event)) if event.has_bracket or event.traits.in_groups else []


def side_words(side: Side | Origin, names: dict[int, str]) -> str:
    if not isinstance(side, Origin):
        return side_name(names[person] for person in side)
    match = translate_name(match_title(side.match))
    if side.match.part in (WINNERS, LOSERS):
        words = _("match %(n)d (winners)") if side.match.part == WINNERS else _("match %(n)d (losers)")
        match = words % {"n": side.match.number}
    if side.won:
        return _("winner of %(match)s") % {"match": match}
    return _("loser of %(match)s") % {"match": match}
