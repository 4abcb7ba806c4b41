"""What a match is worth by its result, in place of the points scored in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPoints:
    """Points for a match won, drawn or lost. `wide` has pairs, by rising lead: the least lead, and what a win by it is
    worth.

    Source of a win 2, a skunk 3: American Cribbage Congress, Tournament Rules; of a double skunk 4, where one is
    played: pagat.com "Six Card Cribbage". A loser with 90 of 121 at most is 31 behind, with 60 at most 61."""

    win: int
    draw: int = 0
    loss: int = 0
    wide: tuple[tuple[int, int], ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self | None:
        """From plain JSON data; None if that is empty.

        >>> ResultPoints.from_data({"win": 2, "wide": [[31, 3]]}).wide, ResultPoints.from_data({})
        (((31, 3),), None)
        """
        return cls(**{**data, "wide": tuple(map(tuple, data["wide"]))}) if data else None

    def worth(self, half_wins: int, ahead: int) -> int:
        """Points of a side with this many half wins in a finished match; `ahead` is the winner's lead.

        >>> acc = ResultPoints(win=2, wide=((31, 3), (61, 4)))
        >>> [acc.worth(2, ahead) for ahead in (1, 30, 31, 61)], acc.worth(0, -31)
        ([2, 2, 3, 4], 0)
        """
        if half_wins < 2:
            return self.draw if half_wins else self.loss
        return next((points for least, points in reversed(self.wide) if ahead >= least), self.win)
