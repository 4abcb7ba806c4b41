"""A club rating over the nights of years: how much each member is worth to a side, and how sure that is.

The Plackett-Luce model of the library openskill (Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
2011): partners share what their side wins or loses, and a game counts for more the less it was expected.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

NEEDED = 3  # nights, for a place
TREND = 4  # nights over which a place is compared

GamePlayed: TypeAlias = Sequence[tuple[Sequence[int | None], int]]
"""The sides of one game, each with its members (None for people without a rating) and its rank in the game, from 1."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A member after all nights. `worth` is three deviations below the estimate: what they are worth almost surely."""

    member: int
    nights: int
    worth: float
    places: tuple[int | None, ...]  # after each night, among those counted; None before there was one

    @property
    def place(self) -> int | None:
        return self.places[-1]

    @property
    def climbed(self) -> int | None:
        """Places won over the last TREND nights, below zero if lost; None without a place before them."""
        before = self.places[-TREND - 1] if len(self.places) > TREND else None
        return None if before is None or self.place is None else before - self.place


def rate_members(nights: Iterable[Iterable[GamePlayed]], *, among: set[int] | None = None) -> list[Rated]:
    """The rating of everybody after these nights in playing order, the best first, then those who haven't come often
    enough. Only members `among` these have places; all count as partners and opponents.

    >>> win, lose = ((1, 2), 1), ((3, None), 2)
    >>> [(rated.member, rated.place) for rated in rate_members([[[win, lose]]] * 3)]
    [(1, 1), (2, 1), (3, 3)]
    """
    model = PlackettLuce()
    ratings: dict[int, PlackettLuceRating] = {}
    came: Counter[int] = Counter()
    after: list[dict[int, int]] = []
    for night in nights:
        present: set[int] = set()
        for game in night:
            teams = [[ratings.get(member or 0) or model.rating() for member in people] for people, _rank in game]
            rated = model.rate(teams, ranks=[float(rank) for _people, rank in game])
            for (people, _rank), team in zip(game, rated, strict=True):
                ratings |= {member: rating for member, rating in zip(people, team, strict=True) if member}
                present |= {member for member in people if member}
        came.update(present)
        after.append(_rank_members({m: rating.ordinal() for m, rating in ratings.items() if came[m] >= NEEDED}, among))
    lines = [
        Rated(member, came[member], ratings[member].ordinal(), tuple(places.get(member) for places in after))
        for member in ratings
        if among is None or member in among
    ]
    return sorted(lines, key=lambda line: (line.place is None, -line.worth, line.member))


def _rank_members(worth: dict[int, float], among: set[int] | None) -> dict[int, int]:
    order = sorted((value for member, value in worth.items() if among is None or member in among), reverse=True)
    return {member: 1 + order.index(value) for member, value in worth.items() if among is None or member in among}
