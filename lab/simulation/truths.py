"""What must be true of an event after every step, counted afresh from what is stored and not by the verbs themselves.

1. Nobody sits who isn't entitled to by what is published now; nobody entitled is without a seat or a sit-out.
2. Every statement printed is true of the seats it stands with.
3. No published thing changes by itself: seats, cuts, standings.
4. What stands rests on what stands: a draw on the cut before it, a cut on its draw, a round on the rounds before.
5. Play-offs and lots count for the figures they were held for.
6. Every open consequence is named on the desk.
7. There is a way on: every published round of a night can be closed, a match that must have a winner can get one, and
   then the result can be published. There is a way back: everything published can be taken back, the last first; so
   can a change of seats.
8. The standings of a night are what the deals, walkovers, rests, adjustments and sides that have left make of them: one
   line a side, each in its place. In a league nobody is drawn against the same side more often than all are to meet.
9. No deal is lost or comes to another game; games count while their draw is published; cards name who sits there.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from clubsite.accounts.models import Actor
from lab.simulation.recount import find_miscounts
from lab.simulation.snapshots import PUBLISHED, EventQueries, Snapshot
from scoring.cards.deals import end_game
from scoring.models import Deal, Game
from tournaments.cuts import cuts
from tournaments.draws import by_format
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.state import following_bracket, published_draws
from tournaments.models import Cut, Draw, Entry, Event, Seat, Stage
from tournaments.rounds import publishing, seat_changes
from tournaments.rounds.seeding import sides_here
from tournaments.rulings import actions
from tournaments.standings import results as standings_results
from tournaments.standings.groups import bracket_is_outdated
from tournaments.standings.standings import Row, standings_of


@dataclass(slots=True)
class Truths:
    """What was seen of an event so far. `broken` gives what isn't true after a step."""

    event: Event
    seats: dict[int, Any] = field(default_factory=dict)
    lines: dict[int, Any] = field(default_factory=dict)
    rows: dict[int, Any] = field(default_factory=dict)
    out_of: dict[int, str] = field(default_factory=dict)  # each draw's state when it was last seen
    lots: dict[int, list[tuple[dict[int, Any], Any]]] = field(default_factory=dict)  # by stage: figures, settlement
    deals: dict[int, int] = field(default_factory=dict)  # each deal's game
    ask: EventQueries = field(init=False)
    _written: int | None = None  # rows that the connection had written when it was all true

    def __post_init__(self) -> None:
        self.ask = EventQueries(self.event)

    def broken(self) -> list[str]:
        """What isn't true now, in plain words for the one who mends it; empty when all is well.

        All of it is about what is stored: where no row was written since all was true, it is.
        """
        written = getattr(connection.connection, "total_changes", None)  # rows written, even if rolled back
        if written is not None and written == self._written:
            return []
        self._written = None
        found = self._untrue()
        if not found:
            self._written = written
        return found

    def _untrue(self) -> list[str]:
        now = Snapshot(self.ask)
        found = [*self._changed(now), *_order(now), *self._recorded(now), *_cards(now)]
        fresh = {pk for pk, draw in now.draws.items() if draw.state == PUBLISHED and self.out_of.get(pk) != PUBLISHED}
        found += _followers(now, fresh - self.out_of.keys())
        self.out_of = {pk: draw.state for pk, draw in now.draws.items()}
        if now.event.by_rounds:
            found += [
                *_night_seats(now, fresh),
                *_night_statements(now),
                *_knock_out(now),
                *find_miscounts(now.event),
            ]
            found += [*_rematches(now, fresh), *_out(now, fresh), *_led_on(now)]
        else:
            points = _points(now)
            found += [*_contest_seats(now), *_contest_statements(now), *self._settled(now, points)]
            found += _named_finalists(now, points)
        return found

    def _changed(self, now: Snapshot) -> Iterator[str]:
        for pk, seats in now.seats.items():
            there = (seats, sorted(now.sit_outs.get(pk, ())))
            if self.seats.setdefault(pk, there) != there:
                yield f"the seats of draw {now.draws[pk]} have changed"
        for pk, cut in now.cuts.items():
            if cut.state == Cut.State.DRAFT:
                continue
            lines = [(line.entry_id, line.order, line.advances, line.reason, repr(line.args)) for line in now.lines[pk]]
            if self.lines.setdefault(pk, lines) != lines:
                yield f"the published cut {cut} has changed"
        for pk, one in now.standings.items():
            if self.rows.setdefault(pk, one.rows) != one.rows:
                yield f"published standings {one.number} have changed"

    def _recorded(self, now: Snapshot) -> Iterator[str]:
        """Deals that are gone, or are another game's; games that count without a published draw, or don't with one."""
        deals = dict(now.ask.deals.all())
        if lost := {deal for deal, game in self.deals.items() if deals.get(deal) != game}:
            yield f"deals {sorted(lost)} are lost"
        self.deals = deals
        for draw, game, aside in now.ask.games.all():
            if aside == (now.draws[draw].state == PUBLISHED):
                yield f"game {game} of {now.draws[draw]} {'does not count' if aside else 'counts'}"

    def _settled(self, now: Snapshot, points: dict[int, dict[int, int]]) -> Iterator[str]:
        """Ties that are open though lots or a play-off decided them for the very figures that stand."""
        for stage in now.stages:
            if (draw := now.published_draw(stage)) is None or not stage.cut_rule:
                continue
            kept = [cut for cut in now.cuts.values() if cut.stage_id == stage.pk]
            newest = max(kept, key=lambda cut: cut.number, default=None)
            if newest is None:
                continue
            games = _games(draw)
            figures = {seat.entry: (points[draw.pk][seat.entry], games.get(seat.entry)) for seat in now.seats[draw.pk]}
            memory = self.lots.setdefault(stage.pk, [])
            known = [settled for _figures, settled in memory]
            for data in newest.settled:
                bare = {key: value for key, value in data.items() if key not in ("counts", "undone")}
                among = [int(entry) for entry in data.get("play_off", data.get("lots", ()))]
                if "undone" in data:
                    memory[:] = [one for one in memory if one[1] != bare]
                elif bare not in known and all(entry in figures for entry in among):
                    memory.append(({entry: figures[entry] for entry in among}, bare))
            try:
                open_ties = contest_proposal(now, stage)
            except StepRefused:
                continue
            for tie in open_ties:
                for were, settled in memory:
                    if "lots" in settled and set(tie) <= set(were) and all(figures[e] == were[e] for e in tie):
                        yield f"lots were drawn among {sorted(were)} and are forgotten in {stage}"


def contest_proposal(now: Snapshot, stage: Stage) -> list[tuple[int, ...]]:
    stage.event = now.event
    return [tie.entries for tie in cuts.propose(stage).cut.open_ties]


def _games(draw: Draw) -> dict[int, frozenset[tuple[int, int]]]:
    rows = Seat.objects.filter(
        draw=draw, group__games__game__deals_played__gt=0, group__games__game__sides__number=F("side")
    )
    asked = rows.values_list("entry", "group__games__game", "group__games__game__sides__half_wins")
    games = grouped((entry, (game, half_wins)) for entry, game, half_wins in asked)
    return {entry: frozenset(own) for entry, own in games.items()}


def _order(now: Snapshot) -> Iterator[str]:
    if now.event.by_rounds:
        numbers = [draw.round.number for draw in now.rounds]
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"rounds {numbers} are published"
        for draw, following in zip(now.rounds, now.rounds[1:], strict=False):
            if not draw.round.closed:
                yield f"round {following.round.number} is published and round {draw.round.number} is open"
        return
    for before, stage in zip(now.stages, now.stages[1:], strict=False):
        if now.published_draw(stage) and not now.published_cut(before):
            yield f"the draw of {stage} stands without a cut of {before}"
    for stage in now.stages:
        if now.published_cut(stage) and not now.published_draw(stage):
            yield f"the cut of {stage} stands without its draw"
    if now.event.state == Event.State.FINISHED and not now.published_draw(now.stages[-1]):
        yield "the event is finished without a draw of its last stage"


def _cards(now: Snapshot) -> Iterator[str]:
    published = {draw.pk: draw for draw in now.rounds}
    groups = {group.pk: group for group in now.ask.groups.all()}
    seats = {
        (one.group, one.side, one.position): Seat(entry=now.entries[one.entry], player=one.player).name
        for draw in published
        for one in now.seats[draw]
    }
    titles: dict[tuple[int, int], str] = {}
    for pk, number, title, state, side, names in now.ask.sides.all():
        group = groups[pk]
        draw = published[group.table.draw_id]
        there = [seats[pk, side, position] for position in range(len(names))]
        if state == Game.State.OPEN and names != there:
            yield f"the card of table {group} in {draw} names {names}, and there sit {there}"
        if (pk, number) not in titles:
            titles[pk, number] = publishing.game_title(group, draw, number=number)
        if title != titles[pk, number]:
            yield f"the card of table {group} in {draw} is called {title}"


# --- Seats ---------------------------------------------------------------------------------------------------------


def _contest_seats(now: Snapshot) -> Iterator[str]:
    for number, stage in enumerate(now.stages):
        draw = now.published_draw(stage)
        if draw is None:
            continue
        there = {seat.entry for seat in now.seats[draw.pk]}
        own = {entry for entry in there if now.entries[entry].stands_in_id is None}
        if wrong := [e for e in there - own if now.entries[e].stands_in_id != stage.pk]:
            yield f"stand-ins of another stage sit in {stage}: {wrong}"
        if number == 0:
            may = {pk for pk, e in now.entries.items() if e.stands_in_id is None and e.state != Entry.State.RESERVE}
            must = {pk for pk in may if now.entries[pk].state == Entry.State.HERE}
        else:
            cut = now.published_cut(now.stages[number - 1])
            may = {line.entry_id for line in now.lines[cut.pk] if line.advances} if cut else set()
            must = {pk for pk in may if now.entries[pk].state != Entry.State.WITHDRAWN}
        if wrong := sorted(own - may):
            yield f"in {stage} sit {wrong}, who aren't entitled to"
        if now.event.state == Event.State.FINISHED:  # the result was published in spite of what the desk said
            must = own
        named = {entry.pk for _part, entry in now.desk.unseated} if must - own else set()
        if missing := sorted(must - own - named):
            yield f"in {stage} {missing} have no seat, and the desk doesn't say so"


def _night_seats(now: Snapshot, fresh: set[int]) -> Iterator[str]:
    for pk in fresh:
        there = _people(now, pk)
        here = {entry.pk for entry in now.entries.values() if entry.state == Entry.State.HERE}
        if now.draws[pk].change or now.draws[pk].follows_id:
            continue  # `_followers` looks at it
        played = Deal.objects.filter(game__group_game__group__table__draw=pk).exists()
        if there != here and not played:
            yield f"draw {now.draws[pk]} has {sorted(there)}, here are {sorted(here)}"


def _followers(now: Snapshot, fresh: set[int]) -> Iterator[str]:
    """Faults of versions with changed seats: somebody is here and has lost their place, or has a new one and isn't
    here; or a change was taken back and seats aren't as before it."""
    for pk in fresh:
        draw = now.draws[pk]
        if undone := draw.change.get("undone"):
            if _places(now, pk) != _places(now, now.draws[undone].follows_id):
                yield f"draw {draw} takes {now.draws[undone]} back, and seats aren't as before it"
        elif before := now.draws.get(draw.follows_id or 0):
            there, was = _people(now, pk), _people(now, before.pk)
            here = {entry.pk for entry in now.entries.values() if entry.state == Entry.State.HERE}
            if wrong := ((was & here) - there) | (there - was - here):
                yield f"draw {draw} follows {before}, and {sorted(wrong)} sit wrongly or nowhere"


def _people(now: Snapshot, draw: int) -> set[int]:
    return {seat.entry for seat in now.seats[draw]} | set(now.sit_outs.get(draw, ()))


def _places(now: Snapshot, draw: int | None) -> tuple[set[tuple[int, ...]], set[int]]:
    seats = now.seats[draw] if draw else []
    return {(s.entry, s.table, s.side, s.position) for s in seats}, set(now.sit_outs.get(draw or 0, ()))


def _knock_out(now: Snapshot) -> Iterator[str]:
    """Faults of a knock-out without consolation: a side that lost sits in a later round and the desk doesn't say so.
    Where there is a match for the third place, it may sit in the round of the final."""
    if now.event.format != Event.Format.KNOCK_OUT or now.event.options.get("consolation"):
        return
    lost: set[tuple[int, ...]] = set()
    for draw, played in zip(now.rounds, by_format.played_of(now.event), strict=True):
        beside_final = now.event.options.get("third") and len(played.tables) <= 2
        for table in () if beside_final else played.tables:
            if back := [side for side in table.sides if side in lost]:
                if not by_format.misplaced_message(now.event):
                    yield f"{back} has lost and sits in {draw}, and the desk doesn't say so"
                return
        for table in played.tables:
            if table.half_wins and table.half_wins[0] != table.half_wins[1]:
                lost.add(table.sides[table.half_wins.index(min(table.half_wins))])


def _out(now: Snapshot, fresh: set[int]) -> Iterator[str]:
    """Of formats in which so many losses put a side out: one that had as many before a round published just now sits in
    it. Losses of rounds that a side missed, and by lot, aren't counted."""
    most = {"double-ko": 2, "out-after": now.event.options.get("losses", 0)}.get(now.event.format)
    lost: Counter[tuple[int, ...]] = Counter()
    for draw, played in zip(now.rounds, by_format.played_of(now.event) if most else (), strict=False):
        sides = [side for table in played.tables for side in table.sides]
        out = [side for side in sides if lost[side] >= (most or 0)]
        if out and draw.pk in fresh and not draw.by_hand and not draw.change:
            yield f"{out} have lost {most} times and sit in {draw}"
        for table in played.tables:
            if table.walkover or len(set(table.half_wins)) > 1:
                lost.update(side for side, won in zip(table.sides, table.half_wins, strict=True) if won == 0)


def _rematches(now: Snapshot, fresh: set[int]) -> Iterator[str]:
    """Of leagues: matches of rounds published just now that the two had played as often as everybody meets."""
    if not now.event.traits.plans_matches:
        return
    for number, draw in enumerate(now.rounds):
        if draw.pk not in fresh or draw.by_hand or draw.change:
            continue
        met = Counter(match for before in now.rounds[:number] for match in _matches(now, before))
        for match in _matches(now, draw):
            if met[match] >= now.event.options.get("legs", 1):
                sides = [sorted(side) for side in match]
                yield f"{sides} meet in {draw}, and have met {met[match]} times before"


def _led_on(now: Snapshot) -> Iterator[str]:
    """Of groups: others are in the knock-out than the best of each by the published result, and the desk doesn't say
    so."""
    bracket, event = following_bracket(now.event), now.event
    if bracket is None or event.state != Event.State.FINISHED or not event.traits.in_groups:
        return
    last = max((one for one in now.standings.values() if one.final), key=lambda one: one.number)
    rows = [row for row in map(Row.from_data, last.rows) if row.in_group and not row.withdrawn]
    groups = grouped((row.in_group[0], frozenset(person.name for person in row.persons)) for row in rows)
    best = {side for own in groups.values() for side in own[: event.options["advance"]]}
    there = {frozenset(entry.name for entry in side) for side in sides_here(bracket)}
    if best != there and not bracket_is_outdated(event, bracket):
        yield f"{sorted(map(sorted, there))} play the knock-out, and {sorted(map(sorted, best))} go on"


def _matches(now: Snapshot, draw: Draw) -> list[frozenset[frozenset[int]]]:
    sides: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for seat in now.seats[draw.pk]:
        sides[seat.group][seat.side].add(seat.entry)
    return [frozenset(map(frozenset, at.values())) for at in sides.values()]


# --- Statements ----------------------------------------------------------------------------------------------------


def _contest_statements(now: Snapshot) -> Iterator[str]:
    met: Counter[frozenset[int]] = Counter()
    for draw in now.rounds:
        tables = grouped((seat.table, seat.entry) for seat in now.seats[draw.pk])
        pairs = [frozenset(pair) for people in tables.values() for pair in combinations(people, 2)]
        again = sum(pair in met for pair in pairs)
        said = draw.statement.get("met_again")
        if said != again:
            yield f"{draw} says that {said} pairs meet again, and {again} do"
        if draw.statement.get("entries") != len(now.seats[draw.pk]):
            yield f"{draw} says that it has {draw.statement.get('entries')} entries"
        met.update(pairs)


def _night_statements(now: Snapshot) -> Iterator[str]:
    if not now.event.traits.searched:
        return
    times: dict[str, Counter[frozenset[int]]] = {"partner": Counter(), "opponent": Counter()}
    for draw in now.rounds:
        sides: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for seat in now.seats[draw.pk]:
            sides[seat.group][seat.side].append(seat.entry)
        for table in sides.values():
            times["partner"].update(frozenset(p) for side in table.values() for p in combinations(side, 2))
            times["opponent"].update(
                frozenset((a, b)) for x, y in combinations(table.values(), 2) for a in x for b in y
            )
        couples = [
            frozenset(wish["people"]) for wish in draw.statement["wishes"] if wish["kind"] == "always" and wish["met"]
        ]
        for role, counter in times.items():  # couples who wish to be partners repeat nothing
            repeats = sum(count - 1 for pair, count in counter.items() if pair not in couples)
            if draw.statement[role]["repeats"] != repeats:
                yield f"{draw} says {draw.statement[role]['repeats']} {role} repeats, and there are {repeats}"


# --- The desk ------------------------------------------------------------------------------------------------------


def _points(now: Snapshot) -> dict[int, dict[int, int]]:
    """Draw to entry to points: of the deals that stand, and the director's adjustments. Two queries."""
    made = {(group, side): points for group, side, points in now.ask.points.all()}
    adjusted: Counter[tuple[int, int]] = Counter()
    for stage, entry, points in now.ask.adjustments.all():
        adjusted[stage, entry] += points
    return {
        pk: {s.entry: made.get((s.group, s.side), 0) + adjusted[now.draws[pk].round.stage_id, s.entry] for s in seats}
        for pk, seats in now.seats.items()
    }


def _named_finalists(now: Snapshot, points: dict[int, dict[int, int]]) -> Iterator[str]:
    if not any(cut.state == PUBLISHED for cut in now.cuts.values()) and now.event.state != Event.State.FINISHED:
        return
    desk = now.desk
    differing = {part.stage.pk for part, _difference in desk.differences}
    newest = None
    for stage in now.stages:
        cut, draw = now.published_cut(stage), now.published_draw(stage)
        if cut is None or draw is None:
            continue
        newest = cut
        if (cut.tie_breaks or ["points"])[0] != "points" or stage.pk in differing:
            continue
        if pair := _overtaken(now, stage, draw=draw, cut=cut, points=points[draw.pk]):
            yield f"in {stage} {pair[0]} goes on with worse points than {pair[1]}, and the desk doesn't say so"
    if newest is not None and now.event.state != Event.State.FINISHED:
        through = [now.entries[line.entry_id] for line in now.lines[newest.pk] if line.advances]
        barred = {e.pk for e in through if not e.eligible and e.state != Entry.State.WITHDRAWN}
        if missing := barred - {entry.pk for entry in desk.barred}:
            yield f"{missing} go on and are barred, and the desk doesn't say so"
    if now.event.state == Event.State.FINISHED and desk.next != "corrected":
        last = max((one for one in now.standings.values() if one.final), key=lambda one: one.pk)
        draw = now.published_draw(now.stages[-1])
        said = {row["entry"]: row["points"] for row in last.rows}
        if draw is not None and last.stage_id == now.stages[-1].pk and said != points[draw.pk]:
            yield "points have changed under the published result, and the desk doesn't say so"


def _overtaken(now: Snapshot, stage: Stage, *, draw: Draw, cut: Cut, points: dict[int, int]) -> tuple[int, int] | None:
    """Two of one section, the first through and the second not, though the second has the better points now."""
    if stage.cut_rule == Stage.CutRule.OVERALL:
        section = dict.fromkeys(points, 0)
    else:
        by_table = stage.cut_rule == Stage.CutRule.TABLE
        section = {s.entry: s.table if by_table else s.group for s in now.seats[draw.pk]}
    plain = ("cut.group-winner", "cut.group-top", "cut.table-top", "cut.overall")
    through = [line for line in now.lines[cut.pk] if line.advances and line.reason in plain]
    out = [line for line in now.lines[cut.pk] if line.reason == "cut.below-line"]
    for one in through:
        for other in out:
            ahead = now.event.rules.sign * (points[other.entry_id] - points[one.entry_id])
            if section[one.entry_id] == section[other.entry_id] and ahead > 0:
                return one.entry_id, other.entry_id
    return None


# --- The way on, and back ------------------------------------------------------------------------------------------


def no_way_on(event: Event, by: Actor) -> list[str]:
    """Close every published round and publish the result, only to see whether it can be done. Returns in words what
    couldn't be done; nothing when there is a way."""
    found: list[str] = []
    if not event.by_rounds or event.state == Event.State.FINISHED or not event.stages.exists():
        return found
    with transaction.atomic():
        for draw in published_draws(event).select_related("round__stage__event__club"):
            try:
                publishing.close_round(round=draw.round, by=by, end_open=True, reason="?")
            except StepRefused as refused:
                found.append(f"{draw} can't be closed: {refused}")
        stage = event.stages.get()
        for row in publishing.unfinished_games(event):
            end_game(game=row.game, by=by, reason="?")
        if event.traits.bracket:
            found += _undecided(event, by)
            while by_format.misplaced_message(event):  # as the desk says, a round that doesn't follow is taken back
                publishing.take_back_draw(draw=list(published_draws(event))[-1], by=by)
        if standings_of(stage).deals:
            try:
                standings_results.publish_result(event=event, by=by)
            except StepRefused as refused:
                found.append(f"the result can't be published: {refused}")
        transaction.set_rollback(True)
    return found


def _undecided(event: Event, by: Actor) -> Iterator[str]:
    for draw, played in zip(published_draws(event), by_format.played_of(event), strict=True):
        for group, table in zip(draw.groups, played.tables, strict=False):
            if not table.half_wins or max(table.half_wins) == 2:
                continue
            try:
                actions.give_walkover(group=group, absent=[0], by=by)
            except StepRefused as refused:
                yield f"table {group} of {draw} stays level: {refused}"


def no_way_back(event: Event, by: Actor) -> list[str]:
    """Take everything back, the last first. Returns in words what couldn't be; nothing when everything could."""
    found: list[str] = []

    def attempt(what: str, step: Callable[[], object]) -> None:
        try:
            step()
        except StepRefused as refused:
            found.append(f"{what} can't be taken back: {refused}")

    attempt("the result", partial(standings_results.take_back_result, event=event, by=by, reason="?"))
    now = Snapshot(EventQueries(event))
    for draw in reversed(now.rounds):
        if cut := now.published_cut(draw.round.stage):
            attempt(str(cut), partial(cuts.take_back_cut, cut=cut, by=by))
        if seat_changes.can_change_seats(draw) and not seat_changes.why_final(draw):
            attempt(f"the change of {draw}", partial(seat_changes.take_change_back, draw=draw, by=by))
            draw = draw.round.draws.get(state=PUBLISHED)
        attempt(str(draw), partial(publishing.take_back_draw, draw=draw, by=by))
    return found
