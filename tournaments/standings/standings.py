"""Standings of a stage, from its deals: the same numbers for screen, paper, cut and season.

Only games of published draws count. `game_rows` is the one query; everything else is counted from it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, NamedTuple, TypeAlias

from django.db.models import F
from pydantic import TypeAdapter

from clubsite.names import name_sort_key
from clubsite.previews import fingerprint
from scoring.models import DealVersion, Game, Side
from tournaments.draws.by_format import (
    bye_half_wins,
    entries_losing_unseated,
    field_of,
    format_of,
    groups_of,
    played_of,
    sides_of_entries,
    walkover_points,
)
from tournaments.engine.formats import FormatRefused
from tournaments.engine.handicap import Handicap
from tournaments.engine.ranking import REACHED, STRENGTH, Chain, Encounter, Ranked, Result, build_chain, rank, strength
from tournaments.engine.rounds import grouped
from tournaments.events.state import night_stage
from tournaments.events.words import format_games_won, tie_break_chain
from tournaments.handicaps import event_handicaps
from tournaments.models import Adjustment, Draw, Entry, Event, SitOut, Stage, joint_name, rows_by_side
from tournaments.templatetags.event_tags import place

Seats: TypeAlias = dict[int, set[int]]  # entry to numbers of rounds
ALL_ROUNDS = 1 << 15  # more than a stage can have
NO_ROUND = ALL_ROUNDS - 1  # of matches that no draw has


@dataclass(frozen=True, slots=True)
class GameRow:
    """The part of an entry, or of a side that is ranked as one, in one game: where and on which side it played, and
    what it has scored."""

    entry: int
    game: int
    round: int
    table: int  # number
    side: int
    points: int
    half_wins: int
    sets: int
    deals: int
    state: str
    absent: bool = False  # its side wasn't there, and has lost by that
    lone_hands: int = 0
    net: int | None = None  # by how much it was ahead, where `points` are those for the result

    @property
    def is_walkover(self) -> bool:
        """Whether it was decided without its cards. Of games that weren't played, no others count."""
        return self.state == Game.State.NOT_PLAYED


@dataclass(frozen=True, slots=True)
class RankedPerson:
    entry: int
    number: int
    name: str
    member: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings, ready to be shown or printed: of a person, or of a side that is ranked as one. Points
    are whole; a drawn game is half a win."""

    entry: int  # of a side: that of its first person, and so is the number
    number: int  # the entry's number in the event
    name: str  # "Ann Abel & Bob Wu" of a side
    place: int
    shared: bool
    points: int
    games_won: str  # "3" or "2½"
    games_played: int  # with those won or lost by walkover
    sets: int
    lone_hands: int = 0
    losses: int = 0  # matches, where a number of losses puts a side out
    sit_outs: int = 0
    credit: int = 0  # points for sit-outs, within `points`
    missed: int = 0  # rounds for which it had neither a seat nor a sit-out
    missed_credit: int = 0  # points for those, within `points`
    adjusted: int = 0  # the director's adjustments, within `points`
    adjustments: tuple[tuple[int, str], ...] = ()  # points and reason of each
    disqualified: str = ""  # why; then it stands after all others
    stand_in: bool = False  # so does a stand-in
    group: str = ""  # table and group where the stage has one seating, e.g. "3A"
    withdrawn: bool = False
    member: int | None = None
    separated_by: str = ""  # slug of the tie-break that puts this row ahead of the next
    deals: int = 0  # deals played, where the event gives handicaps
    handicap: Handicap | None = None  # where the event gives them; beside the points, not within
    people: tuple[RankedPerson, ...] = ()  # of a side of several, by their numbers
    walkovers: int = 0  # games won by walkover, within `games_won`
    walkover_credit: int = 0  # points for those, within `points`
    forfeits: int = 0  # games lost by walkover
    forfeit_credit: int = 0  # points for those, within `points`: where the lowest total wins
    in_group: str = ""  # group and place in it, where sides meet within groups alone: "A1"
    strength: tuple[tuple[str, str], ...] = ()  # how strong opponents were, by the tie-breaks that go by it: "9½"
    net: int | None = None  # by how much it was ahead in all its games, where `points` are those for results

    @property
    def persons(self) -> tuple[RankedPerson, ...]:
        return self.people or (RankedPerson(self.entry, self.number, self.name, self.member),)

    @property
    def place_words(self) -> str:
        return place(self)

    @property
    def won(self) -> Fraction:
        return _fraction(self.games_won)

    @property
    def opponents(self) -> dict[str, Fraction]:
        return {slug: _fraction(figure) for slug, figure in self.strength}

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data, as published. Nothing of handicaps where the event gives none, of people where the line is
        one person's, nor of walkovers and the strength of opponents where the line has none."""
        left_out = set() if self.handicap else {"deals", "handicap"}
        if not self.people:
            left_out.add("people")
        if not self.walkovers and not self.forfeits:
            left_out |= {"walkovers", "walkover_credit", "forfeits"}
        if not self.forfeit_credit:
            left_out.add("forfeit_credit")
        left_out |= {name for name in ("strength", "in_group", "lone_hands", "losses") if not getattr(self, name)}
        if self.net is None:
            left_out.add("net")
        data: dict[str, Any] = ROW.dump_python(self, mode="json", exclude=left_out)
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Row:
        """A published row; rows that an older version published lack what was added later."""
        return ROW.validate_python(data)


def _fraction(figure: str) -> Fraction:
    return Fraction(figure.replace("½", ".5"))


def begun(rows: Iterable[Row], deals: int) -> bool:
    """Whether anything counts for places yet: a deal, or a walkover."""
    return deals > 0 or any(row.walkovers or row.forfeits for row in rows)


ROW = TypeAdapter(Row)  # reads and writes JSON


def by_sides(rows: Sequence[Row], side_of: Mapping[int, int]) -> tuple[Row, ...]:
    """The rows of a version as one for each side, also where an older program published one for each person. `side_of`
    as of `rows_by_side`."""
    if any(row.people for row in rows):
        return tuple(rows)
    return tuple(Row.from_data(row) for row in rows_by_side([row.to_data() for row in rows], side_of))


@dataclass(frozen=True, slots=True)
class Standings:
    stage: Stage
    rows: tuple[Row, ...]
    deals: int  # how many deals they rest on
    open_games: int

    @property
    def begun(self) -> bool:
        return begun(self.rows, self.deals)

    @property
    def side_of(self) -> dict[int, int]:
        return {person.entry: row.entry for row in self.rows for person in row.persons}

    def of_group(self, group: str) -> tuple[Row, ...]:
        rows = [row for row in self.rows if row.group == group]
        return tuple(
            replace(
                row,
                place=1 + sum(r.place < row.place for r in rows),
                shared=[r.place for r in rows].count(row.place) > 1,
            )
            for row in rows
        )

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({row.group for row in self.rows if row.group}, key=lambda g: (int(g.rstrip("AB")), g)))


def game_rows(stage: Stage) -> list[GameRow]:
    """One row per entry and game of the stage's published draws, without games that weren't played: one query."""
    return [row for row in _game_rows(stage) if row.state != Game.State.NOT_PLAYED]


def _game_rows(stage: Stage) -> list[GameRow]:
    group = "game__group_game__group__"
    rows = (
        Side.objects.filter(
            **{
                f"{group}table__draw__round__stage": stage,
                f"{group}table__draw__state": Draw.State.PUBLISHED,
                f"{group}seats__side": F("number"),
            }
        )
        .order_by(f"{group}table__draw__round__number", f"{group}table__number", "game_id", "number")
        .values_list(
            f"{group}seats__entry_id",
            "game_id",
            f"{group}table__draw__round__number",
            f"{group}table__number",
            "number",
            "total",
            "half_wins",
            "sets",
            "game__deals_played",
            "game__state",
            "absent",
            "lone_hands",
        )
    )
    return [GameRow(*row) for row in rows]


def matches_of(stage: Stage, entries: Sequence[Entry]) -> tuple[list[GameRow], list[tuple[int, int]]]:
    """The games of a stage that count, walkovers with them, and who rests in which round (entry, number). Two queries.

    Where a match is annulled, or wasn't played because a side has left, the other side rests in that round, as those
    who have no match against it any more. A walkover has no deals; its winner has the event's points for it."""
    event, side_of = stage.event, sides_of_entries(entries)
    gone = {entry.pk for entry in entries if entry.removed}
    annulled = {entry.pk for entry in entries if entry.removed == Entry.Removed.ANNULLED}
    rows: list[GameRow] = []
    rests: list[tuple[int, int]] = []
    for at in grouped((row.game, row) for row in _game_rows(stage)).values():
        people = {row.entry for row in at}
        unplayed = at[0].is_walkover and not any(row.absent for row in at)
        if people & annulled or (unplayed and people & gone):
            rests += [(row.entry, row.round) for row in at if row.entry not in gone]
        elif not unplayed:
            rows += at
    rows = _with_result_points(event, rows)
    losing = entries_losing_unseated(event, entries)
    sit_outs = SitOut.objects.filter(draw__round__stage=stage, draw__state=Draw.State.PUBLISHED)
    for entry, number, against in sit_outs.values_list("entry_id", "draw__round__number", "against_id"):
        if against not in losing:
            rests.append((entry, number))
            continue
        won_by = min(side_of[entry])  # not the absent side: it can lose two in one round, in the consolation too
        match = GameRow(entry, -(won_by * ALL_ROUNDS + number), number, 0, 0, 0, 2, 0, 0, Game.State.NOT_PLAYED)
        rows += [match, *(replace(match, entry=other, side=1, half_wins=0, absent=True) for other in side_of[against])]
    rows += _lost_by_both(event, entries, rows=rows)
    over = {(r.game, r.side): r for r in rows if r.state == Game.State.OVER}
    finished = grouped((r.round, (r.points, r.half_wins)) for r in over.values())
    finished[NO_ROUND] = [totals for of_round in finished.values() for totals in of_round]
    worth = {row.round: walkover_points(event, finished[row.round]) for row in rows if row.is_walkover}
    return [
        replace(row, points=worth[row.round].lost if row.absent else worth[row.round].won) if row.is_walkover else row
        for row in dict.fromkeys(rows)  # those who have left are met by each of a side
    ], rests


def _with_result_points(event: Event, rows: list[GameRow]) -> list[GameRow]:
    """The games with the points that the event gives for their results, if it does; none yet for one that goes on."""
    by_result = event.points_by_result
    if by_result is None:
        return rows
    scored = {(row.game, row.side): event.rules.sign * row.points for row in rows}
    ahead = {(game, side): points - scored.get((game, 1 - side), points) for (game, side), points in scored.items()}
    return [
        replace(
            row,
            points=by_result.worth(row.half_wins, net) if row.state == Game.State.OVER else 0,
            net=net,
        )
        for row in rows
        for net in (ahead[row.game, row.side],)
    ]


def _lost_by_both(event: Event, entries: Sequence[Entry], *, rows: Iterable[GameRow]) -> list[GameRow]:
    """The matches of a league between two sides that have left and lose those they still had: nobody wins them, and no
    round has them: each is a game of a number below zero that no match without a table has."""
    if not event.traits.plans_matches:
        return []
    side_of = sides_of_entries(entries)
    gone = sorted({side_of[entry.pk] for entry in entries if entry.removed == Entry.Removed.WALKOVERS})
    games = grouped((row.entry, row.game) for row in rows)
    lost: list[GameRow] = []
    group = groups_of(event)
    for first, second in combinations(gone, 2):
        if group.get(first[0]) != group.get(second[0]):
            continue
        met = len(set(games[first[0]]) & set(games[second[0]]))
        for _leg in range(event.options.get("legs", 1) - met):
            row = GameRow(0, -1 - len(lost), NO_ROUND, 0, 0, 0, 0, 0, 0, Game.State.NOT_PLAYED, absent=True)
            lost += [replace(row, entry=entry, side=side) for side, ids in enumerate((first, second)) for entry in ids]
    return lost


def results_of(rows: Sequence[GameRow], entries: Iterable[int]) -> dict[int, Result]:
    by_game, by_entry = grouped((row.game, row) for row in rows), grouped((row.entry, row) for row in rows)
    return {entry: _result(entry, by_entry[entry], by_game=by_game) for entry in entries}


def adjustments_in(stage: Stage) -> dict[int, tuple[tuple[int, str], ...]]:
    """Entry to points and reason of each of its adjustments in the stage that count, in the order made."""
    adjustments = Adjustment.objects.filter(stage=stage, withdrawn_at=None).order_by("pk")
    by_entry = grouped((row.entry_id, (row.points, row.reason)) for row in adjustments)
    return {entry: tuple(lines) for entry, lines in by_entry.items()}


class DrawnSeat(NamedTuple):
    entry: int
    round: int
    table: int
    group: int
    side: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """What standings of a stage are counted from, read once: for all its rounds, or for those before any of them."""

    stage: Stage
    rows: tuple[GameRow, ...]
    sit_outs: dict[int, list[int]]  # entry to numbers of rounds
    drawn: tuple[DrawnSeat, ...]
    sides: dict[int, tuple[Entry, ...]]  # who is ranked, by the entry of its first person; a person alone is a side
    adjustments: dict[int, tuple[tuple[int, str], ...]]

    @property
    def side_of(self) -> dict[int, int]:
        return {person.pk: entry for entry, people in self.sides.items() for person in people}

    def before(self, end: int) -> Recorded:
        """What was recorded of the rounds before that number. Adjustments all stay, as they belong to no round."""
        sit_outs = {e: earlier for e, rounds in self.sit_outs.items() if (earlier := [n for n in rounds if n < end])}
        return replace(
            self,
            rows=tuple(row for row in self.rows if row.round < end),
            sit_outs=sit_outs,
            drawn=tuple(seat for seat in self.drawn if seat.round < end),
        )


def read_stage(stage: Stage) -> Recorded:
    drawn = _drawn_seats(stage)
    sides = _sides(stage.event, drawn)
    first = {person.pk: side[0].pk for side in sides for person in side}
    rows, rests = matches_of(stage, [person for side in sides for person in side])
    adjusted = adjustments_in(stage)
    return Recorded(
        stage,
        tuple(dict.fromkeys(replace(row, entry=first[row.entry]) for row in rows)),
        dict(grouped(sorted({(first[entry], number) for entry, number in rests}))),
        tuple(dict.fromkeys(seat._replace(entry=first[seat.entry]) for seat in drawn)),
        {side[0].pk: side for side in sides},
        {side[0].pk: lines for side in sides if (lines := _side_adjustments([adjusted.get(p.pk, ()) for p in side]))},
    )


def sides_in(stage: Stage) -> list[tuple[Entry, ...]]:
    """Who has a place of its own in a stage, of all that are entered: every side where the same people score together
    all along, else every person. People of a side are in the order of their numbers. Two queries."""
    return _sides(stage.event, _drawn_seats(stage))


def _drawn_seats(stage: Stage) -> tuple[DrawnSeat, ...]:
    draws = Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED, seats__isnull=False)
    seats = draws.values_list(
        "seats__entry_id", "round__number", "seats__group__table__number", "seats__group__number", "seats__side"
    )
    return tuple(DrawnSeat(*seat) for seat in seats)


def _sides(event: Event, drawn: Iterable[DrawnSeat]) -> list[tuple[Entry, ...]]:
    """As `sides_in`. Where nobody has said who plays with whom, as at a single table, a side is those who sat together
    in all their rounds."""
    entries = sorted(event.entries.all(), key=lambda entry: entry.number)
    side_of: dict[int, object] = {}
    if event.makes_sides:
        side_of = {entry.pk: entry.team for entry in entries if entry.team is not None}
    elif event.ranks_sides:
        at = grouped((seat[1:], seat.entry) for seat in drawn)
        sat = grouped((entry, frozenset(side)) for side in at.values() for entry in side)
        stayed = {entry: sides[0] for entry, sides in sat.items() if len(set(sides)) == 1}
        side_of = {entry: side for entry, side in stayed.items() if all(stayed.get(other) == side for other in side)}
    return [tuple(side) for side in grouped((side_of.get(entry.pk, -entry.pk), entry) for entry in entries).values()]


def _side_adjustments(lines: Sequence[Sequence[tuple[int, str]]]) -> tuple[tuple[int, str], ...]:
    """The adjustments of a side's people as those of the side. Older versions counted them by person, so that a penalty
    for a side had to be given to each of it: the same one counts once."""
    distinct: list[tuple[int, str]] = []
    for person_lines in lines:
        distinct += (Counter(person_lines) - Counter(distinct)).elements()
    return tuple(distinct)


def standings_of(stage: Stage, *, before: int | None = None) -> Standings:
    """The standings of a stage as they are now: everybody who has a seat or a sit-out in it, by sides where the same
    people score together all along.

    With `before`, from the rounds before that number alone, as they count now.

    Sit-outs and missed rounds are credited by the event's rules, adjustments counted; who is disqualified, and
    stand-ins, come after all others. Constant number of queries, whatever the number of entries and deals."""
    return count_standings(read_stage(stage), before=before)


def count_standings(recorded: Recorded, *, before: int | None = None, handicaps: bool = True) -> Standings:
    """Standings from a stage that was read. Handicaps, and in a knock-out how far each came, cost more queries."""
    event = recorded.stage.event
    end = before or ALL_ROUNDS
    recorded = recorded.before(end)
    table_of, seats = _tables_and_rounds(recorded)
    sides = {e: people for e, people in recorded.sides.items() if e in table_of or e in recorded.sit_outs}
    results = results_of(recorded.rows, sides)
    added = _added_points(recorded, results, seats=seats)
    byes = Fraction(bye_half_wins(event), 2)
    far, lost = how_far(event, before=end)
    results = {
        entry: replace(
            result,
            points=result.points + added.points(entry),
            games_won=result.games_won + byes * len(recorded.sit_outs.get(entry, ())),
            reached=far.get(entry),
        )
        for entry, result in results.items()
    }
    slugs = tie_break_chain(event)
    by_strength = [slug for slug in STRENGTH if slug in slugs]
    if by_strength:
        won_by = opponents_of(recorded.rows, results)
        results = {entry: replace(result, opponents=won_by[entry]) for entry, result in results.items()}
    last = {entry for entry, people in sides.items() if any(person.out_of_order for person in people)}
    places, in_group = _ranking(event, results, last=last)
    names = {entry: joint_name(people) for entry, people in sides.items()}
    members = {entry: people[0].member_id if len(people) == 1 else None for entry, people in sides.items()}
    handicap_of = event_handicaps(event, members) if handicaps else {}
    rows_of = grouped((row.entry, row) for row in recorded.rows)
    rows = []
    for ranked in _by_name(places, names):
        entry, side, result, played = ranked.entry, sides[ranked.entry], results[ranked.entry], rows_of[ranked.entry]
        walkovers = [row for row in played if row.is_walkover]
        won = [row for row in walkovers if row.half_wins]
        rows.append(
            Row(
                entry=entry,
                number=side[0].number,
                name=names[entry],
                place=ranked.place,
                shared=ranked.shared,
                points=result.points,
                games_won=format_games_won(result.games_won),
                games_played=result.games_played + len(walkovers),
                sets=result.sets,
                lone_hands=sum(row.lone_hands for row in played),
                losses=lost.get(entry, 0),
                sit_outs=0 if event.traits.outs else len(recorded.sit_outs.get(entry, ())),
                credit=added.credit.get(entry, 0),
                missed=len(added.missed.get(entry, ())),
                missed_credit=added.missed_credit.get(entry, 0),
                adjusted=added.adjusted.get(entry, 0),
                adjustments=recorded.adjustments.get(entry, ()),
                disqualified=next((person.disqualified for person in side if person.disqualified), ""),
                stand_in=any(person.stands_in_id for person in side),
                group=table_of.get(entry, ""),
                withdrawn=any(person.state == Entry.State.WITHDRAWN for person in side),
                member=members[entry],
                separated_by=ranked.separated_by,
                deals=sum(row.deals for row in played) if entry in handicap_of else 0,
                handicap=handicap_of.get(entry),
                people=_people(side),
                walkovers=len(won),
                walkover_credit=sum(row.points for row in won),
                forfeits=sum(row.absent for row in walkovers),
                forfeit_credit=sum(row.points for row in walkovers if row.absent),
                in_group=in_group.get(entry, ""),
                strength=tuple((slug, format_games_won(Fraction(strength(slug, result)))) for slug in by_strength),
                net=result.net if event.points_by_result else None,
            )
        )
    games = {row.game: row for row in recorded.rows}
    return Standings(
        stage=recorded.stage,
        rows=tuple(rows),
        deals=sum(row.deals for row in games.values()),
        open_games=sum(row.state == Game.State.OPEN for row in games.values()),
    )


class AddedPoints(NamedTuple):
    """Points beside those of games, by entry, and the rounds that each missed."""

    credit: dict[int, int]  # for sit-outs
    missed: Seats
    missed_credit: dict[int, int]
    adjusted: dict[int, int]

    def points(self, entry: int) -> int:
        return sum(points.get(entry, 0) for points in (self.credit, self.missed_credit, self.adjusted))


def _added_points(recorded: Recorded, results: Mapping[int, Result], *, seats: Seats) -> AddedPoints:
    """By the event's rules. Who is out of a knock-out neither sits out nor misses a round."""
    event, out = recorded.stage.event, recorded.stage.event.traits.outs
    staying = [e for e in results if not any(person.removed for person in recorded.sides[e])]
    missed = {} if out else _missed_rounds(seats, recorded.sit_outs, entries=staying)

    def credit_by(rule: str, rounds_of: Mapping[int, Collection[int]]) -> dict[int, int]:
        return {
            entry: _credit(rule, results[entry], rounds=rounds, rows=recorded.rows)
            for entry, rounds in rounds_of.items()
            if entry in results
        }

    return AddedPoints(
        credit=credit_by(Event.SitOutRule.ZERO if out else event.sit_out_rule, recorded.sit_outs),
        missed=missed,
        missed_credit=credit_by(event.missing_rule, missed),
        adjusted={entry: sum(points for points, _why in lines) for entry, lines in recorded.adjustments.items()},
    )


def _ranking(
    event: Event, results: Mapping[int, Result], *, last: Collection[int]
) -> tuple[list[Ranked], dict[int, str]]:
    """Everybody in order, `last` after all others; and entry to group and place in it ("A1"), where sides meet within
    groups alone."""
    slugs, group = tie_break_chain(event), groups_of(event)
    chain = build_chain(slugs, lowest_wins=event.lowest_wins)
    in_group = _within_groups([r for e, r in results.items() if e not in last], group, chain=chain)
    if group:
        behind = len(results) + 1  # who no longer has a side
        results = {e: replace(r, reached=-(in_group[e].place if e in in_group else behind)) for e, r in results.items()}
        over_all = ("in-group", *(slug for slug in slugs if slug != "head-to-head"))
        chain = build_chain(over_all, lowest_wins=event.lowest_wins)
    places = rank([r for e, r in results.items() if e not in last], chain)
    after = rank([r for e, r in results.items() if e in last], chain)
    return [*places, *(replace(p, place=p.place + len(places)) for p in after)], {
        entry: f"{group[entry]}{place(ranked)}" for entry, ranked in in_group.items()
    }


def _within_groups(results: Iterable[Result], group: Mapping[int, str], *, chain: Chain) -> dict[int, Ranked]:
    by_group = grouped((group[result.entry], result) for result in results if result.entry in group)
    return {ranked.entry: ranked for members in by_group.values() for ranked in rank(members, chain)}


def opponents_of(rows: Sequence[GameRow], results: Mapping[int, Result]) -> dict[int, tuple[Fraction, ...]]:
    """Entry to the games won in all by the opponent of each of its games. A round in which it played nobody, or won or
    lost by walkover, counts its own, as in FIDE's tie-break regulations since 2023: it has met itself."""
    by_game = grouped((row.game, row) for row in rows if row.deals)
    met = grouped(
        (row.entry, (row.round, results[other.entry].games_won))
        for at in by_game.values()
        for row in at
        for other in at
        if other.side != row.side
    )
    rounds = {row.round for row in rows if row.deals or row.is_walkover}
    return {
        entry: (
            *(won for _round, won in met[entry]),
            *(result.games_won for _n in rounds - {number for number, _won in met[entry]}),
        )
        for entry, result in results.items()
    }


def totals_of(event: Event) -> dict[int, tuple[int, int]]:
    """What sides are paired by: half wins and points; where results give points, those, counted from the lowest, and
    by how much a side was ahead."""
    rows = count_standings(read_stage(night_stage(event)), handicaps=False).rows
    lowest = min((row.points for row in rows), default=0)
    return {
        person.entry: (int(2 * row.won), row.points) if row.net is None else (row.points - lowest, row.net)
        for row in rows
        for person in row.persons
    }


def rows_as_played(rows: Iterable[Row]) -> list[Row]:
    """Rows without their members, and without handicaps, which rest on other nights: a guest who joins, two members
    merged or a card of another night change nothing of what was played."""
    return [
        replace(row, member=None, handicap=None, people=tuple(replace(person, member=None) for person in row.people))
        for row in rows
    ]


def rows_fingerprint(rows: Iterable[Row]) -> str:
    """A fingerprint of standings, the same whether they were counted just now or read as published."""
    return fingerprint([row.to_data() for row in rows_as_played(rows)])


def last_deal_at(stage: Stage) -> datetime | None:
    draw = "deal__game__group_game__group__table__draw"
    versions = DealVersion.objects.filter(**{f"{draw}__round__stage": stage, f"{draw}__state": Draw.State.PUBLISHED})
    return versions.order_by("-at").values_list("at", flat=True).first()


def _result(entry: int, rows: Sequence[GameRow], *, by_game: dict[int, list[GameRow]]) -> Result:
    """Games with no deal yet don't count as played; of a walkover count who has won, and the points for it, alone."""
    played, walkovers = [row for row in rows if row.deals], [row for row in rows if row.is_walkover]
    met: dict[int, list[tuple[int, int]]] = defaultdict(list)  # other entry to half wins and points ahead
    net = 0
    for row in played:
        opposing = {}
        for other in by_game[row.game]:
            if other.side != row.side:
                opposing[other.side] = other.points
                met[other.entry].append((row.half_wins, row.points - other.points))
        net += row.points - _rounded(sum(opposing.values()), max(1, len(opposing))) if row.net is None else row.net
    for row in walkovers:
        for other in by_game[row.game]:
            if other.side != row.side:
                met[other.entry].append((row.half_wins, 0))
    return Result(
        entry=entry,
        points=sum(row.points for row in (*played, *walkovers)),
        games_won=Fraction(sum(row.half_wins for row in (*played, *walkovers)), 2),
        games_played=len(played),
        net=net,
        sets=sum(row.sets for row in played),
        game_points=tuple(row.points for row in played),
        encounters=tuple(
            Encounter(other, len(games), Fraction(sum(w for w, _n in games), 2), sum(n for _w, n in games))
            for other, games in sorted(met.items())
        ),
    )


def _people(side: Sequence[Entry]) -> tuple[RankedPerson, ...]:
    if len(side) == 1:
        return ()
    return tuple(RankedPerson(entry.pk, entry.number, entry.name, entry.member_id) for entry in side)


def _by_name(places: Iterable[Ranked], names: Mapping[int, str]) -> list[Ranked]:
    """The places, with those who share one in the order of their names, so that the order of entry decides nothing."""
    ordered: list[Ranked] = []
    for _place, shared in groupby(places, key=lambda p: p.place):
        block = list(shared)
        by = block[-1].separated_by
        block = sorted((replace(p, separated_by="") for p in block), key=lambda p: name_sort_key(names[p.entry]))
        ordered += [*block[:-1], replace(block[-1], separated_by=by)]
    return ordered


def _missed_rounds(seats: Seats, sit_outs: Mapping[int, Sequence[int]], *, entries: Iterable[int]) -> Seats:
    rounds = set().union(*seats.values(), *sit_outs.values())
    missed = {e: rounds - seats.get(e, set()) - set(sit_outs.get(e, ())) for e in entries}
    return {entry: numbers for entry, numbers in missed.items() if numbers}


def _tables_and_rounds(recorded: Recorded) -> tuple[dict[int, str], Seats]:
    """Entry to its table and group ("3A"; "3" for a whole table), empty where the stage has several rounds; and to
    the rounds in which it has a seat."""
    event = recorded.stage.event
    labels: dict[int, set[str]] = defaultdict(set)
    rounds: Seats = defaultdict(set)
    for seat in recorded.drawn:
        rounds[seat.entry].add(seat.round)
        labels[seat.entry].add(event.group_label(seat.table, seat.group))
    several = event.by_rounds or len(set().union(*rounds.values())) > 1
    return {entry: "" if several else min(label) for entry, label in labels.items()}, rounds


def _credit(rule: str, result: Result, *, rounds: Collection[int], rows: Sequence[GameRow]) -> int:
    """The points that an entry gets, by this rule, for rounds that it sat out or missed."""
    if rule == Event.SitOutRule.OWN_AVERAGE and result.games_played:
        return len(rounds) * _rounded(sum(result.game_points), result.games_played)
    if rule == Event.SitOutRule.ROUND_WINNERS:
        winners = [row for row in rows if row.half_wins and not row.is_walkover]
        won = ({(r.game, r.side): r.points for r in winners if r.round == n} for n in rounds)
        return sum(_rounded(sum(points.values()), len(points)) for points in won if points)
    return 0


def _rounded(points: int, parts: int) -> int:
    return (2 * points + parts) // (2 * parts)


def how_far(event: Event, *, before: int) -> tuple[dict[int, int], dict[int, int]]:
    """Entry to how far it came in the rounds before that number, the higher the further, where who loses is out or each
    has a rung, and to its losses, where a number of them puts it out; empty otherwise."""
    if event.traits.chain[0] not in REACHED:
        return {}, {}
    try:
        played, form, field = played_of(event)[: before - 1], format_of(event), field_of(event)
        complete = [round_ for round_ in played if all(table.half_wins for table in round_.tables)]
        by_side = form.reached(field, complete), form.count_losses(field, played)
    except FormatRefused:
        return {}, {}
    far, lost = ({person: value for side, value in figures.items() for person in side} for figures in by_side)
    return far, lost


def match_of(event: Event, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The state of a match between two clubs by the rows of its standings, the leader first; empty for other formats
    and before the first table. One query."""
    if not event.traits.between_clubs:
        return []
    sides = {pk: (plays_for, team) for pk, plays_for, team in event.entries.values_list("pk", "plays_for", "team")}
    counted = set()
    won: dict[str, Fraction] = defaultdict(Fraction)
    points: dict[str, int] = defaultdict(int)
    for row in rows:
        club, team = sides.get(row.entry, ("", None))
        if not row.games_played or team in counted:  # partners score together
            continue
        counted.add(team)
        won[club] += row.won
        points[club] += row.points - row.credit - row.missed_credit - row.adjusted
    order = sorted(won, key=lambda club: (-won[club], -event.sign * points[club], name_sort_key(club)))
    best = [(won[club], points[club]) for club in order]
    return [
        {
            "name": club,
            "tables_won": format_games_won(won[club]),
            "points": points[club],
            "leads": best.count(best[0]) == 1 and number == 0,
        }
        for number, club in enumerate(order)
    ]
