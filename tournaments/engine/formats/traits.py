"""What is true of each format of an event, whatever its options: its traits.

Whoever treats formats differently asks for a trait, never which format it is. The traits of a format whose next round
follows from the rounds played stand on its class in this folder; here are those of the two that are drawn otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tournaments.engine.rounds import PAIR_WISHES, PLACE_WISHES


class Traits:
    """The traits of a format, as they are where it doesn't say otherwise."""

    slug: ClassVar[str]
    has_cut: ClassVar[bool] = False  # stages with cuts between them; else rounds of those who are here
    searched: ClassVar[bool] = False  # a draw is searched for, all planned rounds together
    fixed_sides: ClassVar[bool] = False  # somebody says who plays with whom, for the whole event
    between_clubs: ClassVar[bool] = False  # each side plays for one of two clubs
    bracket: ClassVar[bool] = False  # who loses is out: nobody sits out a round, nobody comes later
    one_table: ClassVar[bool] = False
    by_order_of_tables: ClassVar[bool] = False  # who plays where next follows from the order of the tables
    all_meet: ClassVar[bool] = False  # so that games against each other can decide among those who are level
    plans_matches: ClassVar[bool] = False  # all matches are known beforehand
    by_score: ClassVar[bool] = False  # sides of like score meet, by the totals of the standings
    wishes: ClassVar[tuple[str, ...]] = ()  # the kinds of `rounds.DrawWish` that its draws are held to
    late_tables: ClassVar[bool] = False  # people who come late play at a table more in the round that is on
    tells_rematches: ClassVar[bool] = False  # its draws say who meets again
    two_sides: ClassVar[bool] = True  # it takes games of two sides only
    fours: ClassVar[bool] = False  # it takes games of two sides of two only
    chain: ClassVar[tuple[str, ...]] = ("points", "games-won", "fewest-sets", "best-game", "play-off", "lots")
    # what places go by, where nobody says otherwise

    @classmethod
    def fits(cls, sides: int, per_side: int) -> bool:
        """Whether a game of so many sides can be played in this format."""
        return (sides == 2 or not cls.two_sides) and ((sides, per_side) == (2, 2) or not cls.fours)

    @classmethod
    def sides_stay(cls, options: Mapping[str, object]) -> bool:
        """Whether the same people score together all along by these options, so that sides are ranked, not people."""
        return cls.fixed_sides


class ContestTraits(Traits):
    """A competition: stages of groups drawn by lot, cuts, a final."""

    slug = "contest"
    has_cut = True
    two_sides = False


class RotationTraits(Traits):
    """A club night with new partners in every round."""

    slug = "rotation"
    searched = True
    late_tables = True
    wishes = (*PAIR_WISHES, *PLACE_WISHES)
    fours = True
