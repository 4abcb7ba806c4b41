"""The standings of a night counted again from its deals, by code that shares nothing with the engine or the standings.

Of every side, or person where partners change: one line, points, games won and played, walkovers, what rounds without a
seat are worth, adjustments, and the place. Only how far a side came in a knock-out is left to the engine; and what a
card is worth, and how many deals count, in games that aren't in plain points.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from math import floor
from typing import Any

from django.db.models import F

from scoring.models import DealVersion, Side
from tournaments.draws.by_format import groups_of
from tournaments.engine.ranking import REACHED
from tournaments.models import Adjustment, Draw, Entry, Event, Seat, SitOut
from tournaments.standings.presentation import net_rows
from tournaments.standings.standings import Row, standings_of

MOST_DEALS = 4  # of a game in plain points; what is written after them does not count
BYES = {"win": Fraction(1), "half": Fraction(1, 2), "nothing": Fraction(0)}
CHAINS = {  # what places go by where the event doesn't say otherwise
    Event.Format.ROUND_ROBIN: ("games-won", "head-to-head", "points", "net", "fewest-sets"),
    Event.Format.TEAM_MATCH: ("games-won", "points", "net"),
}


@dataclass(slots=True)
class Match:
    """A game as it was seated and recorded; `sides` are those who are ranked, by the entry of their first person."""

    round: int
    sides: list[list[int]]
    absent: list[bool]
    state: str
    most: int  # deals that count
    lowest_wins: bool
    deals: list[list[int]] = field(default_factory=list)  # the points of each deal that counts
    failed: Counter[int] = field(default_factory=Counter)  # the bids that each side has failed in them

    @property
    def totals(self) -> list[int]:
        return [sum(deal[side] for deal in self.deals) for side in range(len(self.sides))]

    @property
    def won(self) -> list[Fraction]:
        best = [total == (min if self.lowest_wins else max)(self.totals) for total in self.totals]
        worth = Fraction(1, min(2, sum(best)))
        return [worth if one and self.state == "over" else Fraction(0) for one in best]


@dataclass(slots=True)
class SideRecord:
    games: list[int] = field(default_factory=list)  # its points in each
    net: int = 0
    failed: int = 0
    won: Fraction = Fraction(0)
    walkovers: int = 0
    walkover_points: int = 0
    forfeits: int = 0
    forfeit_points: int = 0
    deals: int = 0
    rounds: set[int] = field(default_factory=set)  # in which it has a seat
    rests: set[int] = field(default_factory=set)
    met: dict[int, list[Fraction]] = field(default_factory=lambda: defaultdict(list))  # other side: what it won of each


class Recount:
    def __init__(self, event: Event) -> None:
        self.event, self.by_result = event, bool(event.result_points)
        self.plain = event.rules.rule_set.family == "points-only"
        self.entries = {entry.pk: entry for entry in Entry.objects.filter(event=event).order_by("number")}
        draws = Draw.objects.filter(round__stage__event=event, state="published").select_related("round")
        self.rounds = {draw.pk: draw.round.number for draw in draws}
        seats = list(Seat.objects.filter(draw__in=self.rounds).order_by("group", "side", "position"))
        self.first = self._first_of_sides(seats)
        self.gone = {self.first[pk]: one.removed for pk, one in self.entries.items() if one.removed}
        self.sides: dict[int, SideRecord] = defaultdict(SideRecord)
        self.winners: dict[int, list[int]] = defaultdict(list)  # round: the points of those who won by their cards
        self.losers: dict[int, list[int]] = defaultdict(list)
        self.unplayed: list[tuple[int, int]] = []  # round and side of each match won by walkover
        self.forfeited: list[tuple[int, int]] = []  # and lost by it
        for seat in seats:
            self.sides[self.first[seat.entry_id]].rounds.add(self.rounds[seat.draw_id])
        for match in self._matches(seats):
            self._add(match)
        self._add_sit_outs()
        self._add_matches_of_the_gone()
        for number, one in self.unplayed:
            side = self.sides[one]
            side.walkover_points += self.walkover_points(number)
            side.walkovers, side.won = side.walkovers + 1, side.won + 1
        for number, one in self.forfeited:
            side = self.sides[one]
            side.forfeits += 1
            for_being_there = self.walkover_points(number)  # which is never less than for being away
            if event.rules.lowest_wins and not self.by_result:
                side.forfeit_points += max(for_being_there, _rounded_average(self.losers[number]))
            else:
                side.forfeit_points += min(for_being_there, 0)
        self.adjusted = self._adjusted()

    def _first_of_sides(self, seats: Sequence[Seat]) -> dict[int, int]:
        """Each entry to the first of its side: of a team, of those who always sit together where partners stay, or
        itself."""
        mates: dict[int, list[int]] = {pk: [pk] for pk in self.entries}
        if self.event.fixed_sides:
            for pk, entry in self.entries.items():
                mates[pk] = [o for o, other in self.entries.items() if other.team == entry.team is not None] or [pk]
        elif (
            self.event.format == "single-table"
            and self.event.options.get("partners") == "stay"
            and not self.event.handicap
        ):
            sat: dict[tuple[int, int], set[int]] = defaultdict(set)
            for seat in seats:
                sat[seat.group_id, seat.side].add(seat.entry_id)
            with_whom = {pk: {frozenset(own) for own in sat.values() if pk in own} for pk in self.entries}
            for pk, own in with_whom.items():
                if len(own) == 1 and all(with_whom[mate] == own for mate in next(iter(own))):
                    mates[pk] = list(next(iter(own)))
        return {pk: min(own, key=lambda mate: self.entries[mate].number) for pk, own in mates.items()}

    def _matches(self, seats: Sequence[Seat]) -> list[Match]:
        at: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))  # group, side: who is ranked
        rounds = {}
        for seat in seats:
            rounds[seat.group_id] = self.rounds[seat.draw_id]
            if self.first[seat.entry_id] not in at[seat.group_id][seat.side]:
                at[seat.group_id][seat.side].append(self.first[seat.entry_id])
        matches: dict[int, Match] = {}
        sides = Side.objects.filter(game__group_game__group__table__draw__in=self.rounds)
        for side in sides.select_related("game__group_game").order_by("number"):
            group = side.game.group_game.group_id
            if side.game_id not in matches:
                who = [at[group][number] for number in sorted(at[group])]
                most = MOST_DEALS if self.plain else side.game.deals_played
                low = self.event.rules.lowest_wins
                matches[side.game_id] = Match(rounds[group], who, [], side.game.state, most, low)
            matches[side.game_id].absent.append(side.absent)
        versions = DealVersion.objects.filter(deal__game__in=matches, current=True).exclude(state="void")
        for version in versions.select_related("deal").prefetch_related("points").order_by("deal__number"):
            match = matches[version.deal.game_id]
            if len(match.deals) < match.most:
                match.deals.append(self.points_of(version))
                match.failed.update(row.side for row in version.points.all() if row.was_set)
        return list(matches.values())

    def points_of(self, version: DealVersion) -> list[int]:
        """The points of each side: those on a card in plain points, or as the game's engine has scored the card."""
        if self.plain:
            return list(version.facts["points"])
        return [row.points for row in version.points.all()]

    def _add(self, match: Match) -> None:
        """Count a game: played, decided by walkover, or none, so that who is still there rests."""
        who = {one for side in match.sides for one in side}
        unplayed = match.state == "not-played" and not any(match.absent)
        if any(self.gone.get(one) == "annulled" for one in who) or (unplayed and who & self.gone.keys()):
            for one in who - self.gone.keys():
                self.sides[one].rests.add(match.round)
        elif any(match.absent):
            for own, other in permutations(range(len(match.sides)), 2):
                won = Fraction(match.absent[other] and not match.absent[own])
                self._meet(match.sides[own], match.sides[other], won=won)
            for side, absent in zip(match.sides, match.absent, strict=True):
                for one in side:
                    (self.forfeited if absent else self.unplayed).append((match.round, one))
        elif match.deals and not unplayed:
            totals, parts = match.totals, match.won
            points = [self.worth_of(match, side) for side in range(len(totals))] if self.by_result else totals
            for number, side in enumerate(match.sides):
                others = totals[:number] + totals[number + 1 :]
                for one in side:
                    self.sides[one].games.append(points[number])
                    self.sides[one].net += totals[number] - _rounded_average(others)
                    self.sides[one].won += parts[number]
                    self.sides[one].failed += match.failed[number]
                    self.sides[one].deals += len(match.deals)
                if match.state == "over":
                    (self.winners if parts[number] else self.losers)[match.round].append(points[number])
            for own, other in permutations(range(len(match.sides)), 2):
                self._meet(match.sides[own], match.sides[other], won=parts[own])

    def worth_of(self, match: Match, side: int) -> int:
        """What a match of two gives a side by its result."""
        given, won = self.event.result_points, match.won[side]
        if match.state != "over":
            return 0
        wide = {0: given["win"], **dict(given["wide"])}
        by = abs(match.totals[0] - match.totals[1])
        worth = {Fraction(1): wide[max(least for least in wide if least <= by)], Fraction(1, 2): given["draw"]}
        return int(worth.get(won, given["loss"]))

    def _meet(self, side: Iterable[int], others: Iterable[int], *, won: Fraction) -> None:
        for one in side:
            for other in others:
                self.sides[one].met[other].append(won)

    def _add_sit_outs(self) -> None:
        """Rounds without a table: rests, and matches won because the others had left."""
        counted = set()
        for out in SitOut.objects.filter(draw__in=self.rounds):
            number, one = self.rounds[out.draw_id], self.first[out.entry_id]
            other = self.first.get(out.against_id or 0)
            if other is None or not (self.event.traits.bracket or self.gone.get(other) == "walkovers"):
                self.sides[one].rests.add(number)
            elif (number, one, other) not in counted:
                counted.add((number, one, other))
                self.unplayed.append((number, one))
                self.forfeited.append((number, other))
                self._meet([one], [other], won=Fraction(1))
                self._meet([other], [one], won=Fraction(0))

    def _add_matches_of_the_gone(self) -> None:
        """In a league, what two sides that have left still had to play against each other: lost by both. Round 0, with
        the winners and losers of all rounds, has those matches."""
        for cards in (self.winners, self.losers):
            cards[0] = [points for own in cards.values() for points in own]
        gone = [one for one, how in self.gone.items() if how == "walkovers"]
        group = groups_of(self.event)
        for one, other in combinations(gone, 2) if self.event.format in ("round-robin", "groups") else ():
            if group.get(one) != group.get(other):
                continue
            for _leg in range(len(self.sides[one].met[other]), self.event.options["legs"]):
                self.forfeited += [(0, one), (0, other)]
                self._meet([one], [other], won=Fraction(0))
                self._meet([other], [one], won=Fraction(0))

    def _adjusted(self) -> dict[int, int]:
        """The adjustments of each side; the same one given to both of two partners counts once."""
        given: dict[int, Counter[tuple[int, str]]] = defaultdict(Counter)
        for made in Adjustment.objects.filter(stage__event=self.event, withdrawn_at=None):
            given[made.entry_id][made.points, made.reason] += 1
        by_side: dict[int, Counter[tuple[int, str]]] = defaultdict(Counter)
        for entry, lines in given.items():
            by_side[self.first[entry]] |= lines
        return {one: sum(points * n for (points, _why), n in lines.items()) for one, lines in by_side.items()}

    def line(self, one: int) -> dict[str, Any]:
        own = self.sides[one]
        bracket = self.event.traits.outs
        missed = self.missed(one)
        credit = 0 if bracket else self.worth(self.event.sit_out_rule, own, rounds=own.rests)
        missed_credit = self.worth(self.event.missing_rule, own, rounds=missed)
        adjusted = self.adjusted.get(one, 0)
        return {
            "points": sum(own.games) + own.walkover_points + own.forfeit_points + credit + missed_credit + adjusted,
            "won": own.won + self.bye * len(own.rests),
            "games_played": len(own.games) + own.walkovers + own.forfeits,
            "walkovers": own.walkovers,
            "walkover_credit": own.walkover_points,
            "forfeits": own.forfeits,
            "forfeit_credit": own.forfeit_points,
            "sit_outs": 0 if bracket else len(own.rests),
            "credit": credit,
            "missed": len(missed),
            "missed_credit": missed_credit,
            "adjusted": adjusted,
        }

    def walkover_points(self, number: int) -> int:
        usual = _rounded_average(self.winners[number])
        return usual if self.event.walkover_points is None else self.event.walkover_points

    def handicap(self, one: int) -> int:
        """Points a deal on top for a member, from their newest deals of earlier nights, of which each game has one."""
        numbers, group = self.event.handicap, "deal__game__group_game__group__"
        seats = {f"{group}seats__entry__member": self.entries[one].member_id or 0}
        earlier = {f"{group}seats__entry__event__starts_at__lt": self.event.starts_at}
        versions = DealVersion.objects.filter(**seats, **earlier, **{f"{group}table__draw__state": "published"})
        versions = versions.filter(current=True).exclude(state="void").exclude(deal__game__state="not-played")
        versions = versions.order_by("deal__game", "deal__number").annotate(side=F(f"{group}seats__side"))
        points = [self.points_of(version)[version.side] for version in versions][-numbers["deals"] :]
        if len(points) < numbers["needed"]:
            return 0
        lacking = max(Fraction(0), numbers["scratch"] - Fraction(sum(points), len(points)))
        return int(min(numbers["most"], floor(lacking * numbers["percent"] / 100 + Fraction(1, 2))))

    @property
    def bye(self) -> Fraction:
        return BYES[self.event.options.get("bye", "win")] if self.event.format == "swiss" else Fraction(0)

    def missed(self, one: int) -> set[int]:
        """The rounds for which a side had neither a seat nor a rest, unless it has left for good."""
        if self.event.traits.outs or one in self.gone:
            return set()
        rounds = {number for side in self.sides.values() for number in side.rounds | side.rests}
        return rounds - self.sides[one].rounds - self.sides[one].rests

    def worth(self, rule: str, own: SideRecord, *, rounds: Iterable[int]) -> int:
        if rule == Event.SitOutRule.OWN_AVERAGE:
            return len(set(rounds)) * _rounded_average(own.games)
        if rule == Event.SitOutRule.ROUND_WINNERS:
            return sum(_rounded_average(self.winners[number]) for number in rounds)
        return 0


def find_miscounts(event: Event) -> Iterator[str]:
    """What isn't right in the standings of a night as they are, in words for the one who mends it."""
    stage = event.stages.select_related("event__rules", "event__club").first()
    if stage is None:
        return
    rows, recount = standings_of(stage).rows, Recount(event)
    own = {one for one, side in recount.sides.items() if side.rounds or side.rests}
    if Counter(row.entry for row in rows) != Counter(own):
        yield f"there are lines of {sorted(row.entry for row in rows)}, and {sorted(own)} take part"
        return
    for row in rows:
        people = {pk for pk, first in recount.first.items() if first == row.entry}
        if {person.entry for person in row.persons} != people:
            yield f"the line of {row.name} is of others than {sorted(people)}"
        right = recount.line(row.entry)
        if wrong := {name: getattr(row, name) for name, value in right.items() if getattr(row, name) != value}:
            yield f"{row.name} has {wrong}, and by the deals { {name: right[name] for name in wrong} }"
    yield from _find_misplaced(rows, recount)
    if event.handicap:
        given = {net.row.entry: (net.total, net.place) for net in net_rows(rows)}
        if given != (by_deals := _with_handicap(rows, recount)):
            yield f"with handicap the totals and places are {given}, and by the deals {by_deals}"


def _with_handicap(rows: Sequence[Row], recount: Recount) -> dict[int, tuple[int, int]]:
    deals = {row.entry: recount.sides[row.entry].deals for row in rows}
    totals = {row.entry: row.points + deals[row.entry] * recount.handicap(row.entry) for row in rows}
    return {entry: (total, 1 + sum(other > total for other in totals.values())) for entry, total in totals.items()}


def _find_misplaced(rows: Sequence[Row], recount: Recount) -> Iterator[str]:
    for row in rows:
        level = [other for other in rows if other.place == row.place]
        if row.place != 1 + sum(other.place < row.place for other in rows):
            yield f"{row.name} has place {row.place}, and {sum(o.place < row.place for o in rows)} are before"
        if row.shared != (len(level) > 1):
            yield f"{row.name} shares place {row.place}: {row.shared}"
    last = {recount.first[pk] for pk, entry in recount.entries.items() if _is_last(entry)}
    event = recount.event
    usual = CHAINS.get(Event.Format(event.format), event.traits.chain)
    links = tuple(event.tie_breaks) or (("points", "games-won", "net") if recount.by_result else usual)
    right: list[set[int]] = []
    for among in (set(recount.sides) - last, last):
        there = {row.entry for row in rows} & among
        if any(row.in_group for row in rows):
            right += _in_groups(rows, there, links, recount=recount)
        elif links[0] in REACHED:  # those who came as far are compared by the rest
            places = sorted({row.place for row in rows if row.entry in there})
            blocks = [{row.entry for row in rows if row.place == place} for place in places]
            right += [part for block in blocks for part in _split_level(block, links[1:], recount=recount)]
        else:
            right += _split_level(there, links, recount=recount)
    places = sorted({row.place for row in rows})
    given = [{row.entry for row in rows if row.place == place} for place in places]
    if given != right:
        yield f"the order is {given}, and by {', '.join(links)} it is {right}"


def _in_groups(rows: Sequence[Row], there: set[int], links: Sequence[str], *, recount: Recount) -> Iterator[set[int]]:
    """The order over all groups: who has the first place of theirs, then the second, and so on."""
    place: dict[int, int] = {}
    for group in sorted({row.in_group[:1] for row in rows if row.entry in there}):
        level = {row.entry for row in rows if row.entry in there and row.in_group[:1] == group}
        before = 1 if group else len(rows) + 1  # without one: their side was taken apart
        for block in _split_level(level, links, recount=recount) if group else [level]:
            place |= dict.fromkeys(block, before)
            before += len(block)
    over_all = [link for link in links if link != "head-to-head"]
    for number in sorted(set(place.values())):
        yield from _split_level({one for one in place if place[one] == number}, over_all, recount=recount)


def _is_last(entry: Entry) -> bool:
    return bool(entry.disqualified or entry.stands_in_id or entry.removed == "annulled")


def _split_level(level: set[int], links: Sequence[str], *, recount: Recount) -> list[set[int]]:
    """Sides that are level so far, by the rest of the chain: those that stay level together."""
    if not links or len(level) < 2:
        return [level] if level else []
    few = -1 if recount.event.rules.lowest_wins else 1  # are good in its game
    sign = 1 if recount.by_result else few
    figures: dict[str, Callable[[int], object]] = {
        "points": lambda one: sign * recount.line(one)["points"],
        "games-won": lambda one: recount.line(one)["won"],
        "net": lambda one: few * recount.sides[one].net,
        "fewest-sets": lambda one: -recount.sides[one].failed,
    }
    keys: dict[int, object] | None = None
    if links[0] in figures:
        keys = {one: figures[links[0]](one) for one in level}
    elif links[0] == "best-game" and all(recount.sides[one].games for one in level):
        keys = {one: max(sign * points for points in recount.sides[one].games) for one in level}
    elif links[0] == "head-to-head":
        games = {one: {other: recount.sides[one].met.get(other, []) for other in level - {one}} for one in level}
        times = {len(own) for met in games.values() for own in met.values()}
        if len(times) == 1 and times != {0}:
            keys = {one: sum((sum(own) for own in games[one].values()), Fraction(0)) for one in level}
    if keys is None:
        return _split_level(level, links[1:], recount=recount)
    blocks = [{one for one in level if keys[one] == key} for key in sorted(set(keys.values()), reverse=True)]  # type: ignore[type-var]  # one link has keys of one type
    return [part for block in blocks for part in _split_level(block, links[1:], recount=recount)]


def _rounded_average(points: Sequence[int]) -> int:
    """The average of points, a half rounded up; nothing of none."""
    return floor(Fraction(sum(points), len(points)) + Fraction(1, 2)) if points else 0
