"""An afternoon of St. Hilary pinochle counted again from the exported deals, by code of its own.

It imports nothing of the project: the rules are those of the parish's paper (House Rules, version 3), of an event whose
sit-outs are worth the player's own average and whose missed rounds are worth nothing.
"""

from dataclasses import dataclass, field
from fractions import Fraction

TARGET = 150


@dataclass
class Player:
    points: int = 0
    wins: Fraction = Fraction(0)
    sets: int = 0
    games: list[int] = field(default_factory=list)  # points of their side in each

    @property
    def average(self):
        return (2 * sum(self.games) + len(self.games)) // (2 * len(self.games))


@dataclass(frozen=True, order=True)
class Line:
    place: int
    shared: bool
    name: str
    points: int
    wins: Fraction
    sets: int
    games: int


def deal_points(facts):
    """The points of both sides, and whether the bid side is set."""
    bidder = facts["bid_side"]
    other = 1 - bidder
    points = [0, 0]
    total = facts["meld"][bidder] + facts["take"][bidder]
    is_set = total < facts["bid"]
    points[bidder] = -facts["bid"] if is_set else total
    counters = facts["take"][other] - (facts.get("last_trick") == other)
    points[other] = facts["take"][other] + (facts["meld"][other] if counters else 0)
    return points, is_set


def standings(file, *, sat_out):
    """The standings after all games of an exported file; `sat_out` says how often each name did.

    Points, then games won, then the fewest sets, then the best game; who is still level shares the place.
    """
    players = {}
    for game in file["games"]:
        _count(game, players)
    totals = {name: one.points + sat_out.get(name, 0) * one.average for name, one in players.items()}
    keys = {name: (-totals[name], -one.wins, one.sets, -max(one.games)) for name, one in players.items()}
    every = list(keys.values())
    return sorted(
        Line(
            place=1 + sum(other < key for other in every),
            shared=every.count(key) > 1,
            name=name,
            points=totals[name],
            wins=players[name].wins,
            sets=players[name].sets,
            games=len(players[name].games),
        )
        for name, key in keys.items()
    )


def _count(game, players):
    """Add a game to those who played it: "Ruth for Ann" scores for Ann."""
    totals, sets, winners = [0, 0], [0, 0], list[int]()
    for deal in game["deals"]:
        last = deal["versions"][-1]
        if last.get("state") == "void":
            continue
        points, is_set = deal_points(last["facts"])
        totals = [total + own for total, own in zip(totals, points, strict=True)]
        bidder = last["facts"]["bid_side"]
        sets[bidder] += is_set
        if totals[bidder] >= TARGET:
            winners = [bidder]
        elif max(totals) >= TARGET and totals[0] != totals[1]:
            winners = [totals.index(max(totals))]
        if winners:
            break
    if not winners:
        assert game["ended"], "a game that neither reached its target nor was ended"
        winners = [side for side in (0, 1) if totals[side] == max(totals)]
    for side, names in enumerate(game["sides"]):
        for seat in names:
            one = players.setdefault(seat.split(" for ")[-1], Player())
            one.points += totals[side]
            one.games.append(totals[side])
            one.sets += sets[side]
            if side in winners:
                one.wins += Fraction(1, len(winners))
