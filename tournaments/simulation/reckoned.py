"""The standings of an event of fixed sides counted again from its deals, by code that shares nothing with the engine.

Points, games won and played, walkovers and places of every side; what rounds without a seat and adjustments add is
taken from the line itself, but for the wins of byes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scoring.models import DealVersion, Side
from tournaments.events.chains import chain_slugs
from tournaments.models import Draw, Entry, Event, Seat, SitOut
from tournaments.standings.standings import standings_of

MOST_DEALS = 4  # of a game in plain points; what is written after them does not count
BYES = {"win": Fraction(1), "half": Fraction(1, 2), "nothing": Fraction(0)}


@dataclass(slots=True)
class Reckoned:
    """What one side has done."""

    points: int = 0
    won: Fraction = Fraction(0)
    played: int = 0
    walkovers: int = 0
    forfeits: int = 0
    rests: set[int] = field(default_factory=set)  # rounds


def misreckoned(event: Event) -> Iterator[str]:
    """What isn't right in the standings of an event as they stand, in words for whoever mends it."""
    stage = event.stages.select_related("event__rules", "event__club").first()
    if stage is None or not event.traits.fixed_sides or event.rules.lowest_wins:
        return
    rows = standings_of(stage).rows
    chain = chain_slugs(event)
    goes_by = [name for slug, name in (("points", "points"), ("games-won", "games_won")) if slug in chain]
    if len({row.entry for row in rows}) < len(rows):
        yield "somebody has two lines"
    for number, row in enumerate(rows):
        level = [other for other in rows if other.place == row.place]
        if row.place != 1 + sum(other.place < row.place for other in rows) or rows[row.place - 1].place != row.place:
            yield f"{row.name} has place {row.place}, in line {number + 1}"
        if row.shared != (len(level) > 1):
            yield f"{row.name} shares place {row.place}: {row.shared}"
        if any(getattr(other, name) != getattr(row, name) for other in level for name in goes_by):
            yield f"place {row.place} is shared by sides that aren't level"
    found = _reckon(event)
    for row in rows:
        own = found[row.entry]
        added = row.credit + row.missed_credit + row.adjusted
        said = (row.points - added, row.won, row.games_played, row.walkovers, row.forfeits)
        bye = BYES[event.options.get("bye", "win")] if event.format == Event.Format.SWISS else Fraction(0)
        right = (
            own.points,
            own.won + bye * len(own.rests),
            own.played + own.walkovers + own.forfeits,
            own.walkovers,
            own.forfeits,
        )
        if said != right:
            yield f"{row.name} has {said} (points, won, games, walkovers, forfeits), by the deals {right}"


def _reckon(event: Event) -> dict[int, Reckoned]:
    """Each side by the entry of its first person."""
    entries = list(Entry.objects.filter(event=event).order_by("number"))
    first_of_team: dict[int, int] = {}
    for entry in entries:
        if entry.team is not None:
            first_of_team.setdefault(entry.team, entry.pk)
    first = {entry.pk: entry.pk if entry.team is None else first_of_team[entry.team] for entry in entries}
    gone = {first[entry.pk]: entry.removed for entry in entries if entry.removed}
    found: dict[int, Reckoned] = defaultdict(Reckoned)
    for draw in Draw.objects.filter(round__stage__event=event, state="published").select_related("round"):
        _add_round(draw, first=first, gone=gone, found=found, event=event)
    return found


def _add_round(
    draw: Draw, *, first: dict[int, int], gone: dict[int, str], found: dict[int, Reckoned], event: Event
) -> None:
    number, winners = draw.round.number, []
    won_by_walkover: list[int] = []
    at: dict[int, dict[int, int]] = defaultdict(dict)  # group, side: the side's first entry
    for seat in Seat.objects.filter(draw=draw).order_by("side", "position"):
        at[seat.group_id][seat.side] = first[seat.entry_id]
    for group, sides in at.items():
        who = [sides[side] for side in sorted(sides)]
        for game, of_game in _sides(group).items():
            absent = [side.absent for side in of_game]
            if any(gone.get(one) == "annulled" for one in who):
                _rest(who, gone, found=found, number=number)
            elif any(absent):
                for one, away in zip(who, absent, strict=True):
                    found[one].forfeits += away
                    if not away:
                        won_by_walkover.append(one)
            else:
                state, totals = of_game[0].game.state, _totals(game, len(who))
                if state == "not-played" and any(one in gone for one in who):
                    _rest(who, gone, found=found, number=number)
                if totals is None or state == "not-played":
                    continue
                best = [one for one, total in zip(who, totals, strict=True) if total == max(totals)]
                for one, total in zip(who, totals, strict=True):
                    found[one].points += total
                    found[one].played += 1
                    if state == "over" and one in best:
                        found[one].won += Fraction(1, len(best))
                        winners.append(total)
    met: Counter[tuple[int, int]] = Counter()
    for out in SitOut.objects.filter(draw=draw):
        one, other = first[out.entry_id], first.get(out.against_id or 0)
        if other is None or not (event.format == Event.Format.KNOCK_OUT or gone.get(other) == "walkovers"):
            found[one].rests.add(number)
        elif not met[one, other]:
            met[one, other] += 1
            won_by_walkover.append(one)
            found[other].forfeits += 1
    worth = event.walkover_points
    if worth is None:
        worth = int(Fraction(sum(winners), len(winners)) + Fraction(1, 2)) if winners else 0
    for one in won_by_walkover:
        found[one].points += worth
        found[one].won += 1
        found[one].walkovers += 1


def _rest(who: list[int], gone: dict[int, str], *, found: dict[int, Reckoned], number: int) -> None:
    for one in who:
        if one not in gone:
            found[one].rests.add(number)


def _sides(group: int) -> dict[int, list[Side]]:
    """The games of a group with their sides in order."""
    games: dict[int, list[Side]] = defaultdict(list)
    sides = Side.objects.filter(game__group_game__group=group).select_related("game").order_by("game", "number")
    for side in sides:
        games[side.game_id].append(side)
    return games


def _totals(game: int, sides: int) -> list[int] | None:
    """The sides' points in a game of plain points, from what stands on the cards; None without a deal."""
    facts = [
        version.facts["points"]
        for version in DealVersion.objects.filter(deal__game=game, current=True)
        .exclude(state="void")
        .order_by("deal__number")[:MOST_DEALS]
    ]
    return [sum(points[side] for points in facts) for side in range(sides)] if facts else None
