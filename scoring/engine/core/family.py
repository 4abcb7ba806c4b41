"""A game family: everything that the rest of the program has to know of one way to score.

Each family's package has one such object, `FAMILY`; `scoring.engine.families` lists them. No other code asks which
family a game belongs to: whatever one family has and another hasn't is a field here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.core.facts import Json, from_data, to_data
from scoring.engine.core.ledger import Problem, Score
from scoring.engine.core.ruleset import SettingProblem


class InGame:
    """How a card is checked against the rest of its game: not at all, unless a family has a subclass."""

    def goes_by_scores(self, facts: Any, rules: Any) -> bool:
        """Whether anything on a card is checked against the scores before the deal."""
        return False

    def against_scores(self, facts: Any, rules: Any, *, before: Sequence[int]) -> Iterator[Problem]:
        """What the scores before the deal show to be wrong with a card that can be scored."""
        return iter(())

    def goes_by_place(self, facts: Any, rules: Any) -> bool:
        """Whether anything on a card is checked against the deal's place in its game."""
        return False

    def placed(self, facts: Any, rules: Any, *, before: Sequence[int] | None, place: int | None) -> Any:
        """The card with what a check goes by and it doesn't note itself: the scores `before` the deal, or its place."""
        return facts

    def place_noted(self, facts: Any, rules: Any) -> int | None:
        """The place in the game that a card itself names; None where it names none, or one that no deal can have."""
        return None


BY_ITSELF = InGame()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One way to score: its types, its functions, and what its cards have that others haven't."""

    slug: str
    rules: type[Any]
    facts: type[Any]
    check: Callable[[Any, Any], tuple[Problem, ...]]
    score: Callable[[Any, Any], Score]
    unscorable: frozenset[str]  # codes of problems that no ruling can set aside: `score` needs the figure
    setting_problems: Callable[[Any], Iterator[SettingProblem]]  # settings that don't go together, each sound by itself
    contradictions: Callable[[Any], Iterator[SettingProblem]] = lambda rules: iter(())  # ... that nobody can mean
    points_are_good: bool = True  # bids, melds and bonuses reward points: the lowest total can't win
    in_game: InGame = BY_ITSELF
    is_counted: Callable[[Any], bool] | None = None  # whether a card's melds or cards are counted; None: they can't be
    melded: Callable[[Sequence[Json], Any], int] | None = None  # points of one player's melds, as deal files have them
    same_in_a_row: Callable[[Any], int] = lambda _rules: 2  # deals with the same figures, of which one may be a copy
    bid_held: str = ""  # the field of the facts that says which side held the bid; "" where nobody bids

    def read(self, data: Mapping[str, Any]) -> Any:
        """Facts from JSON data. Raises FactsError naming every wrong field."""
        return from_data(self.facts, data)

    def write(self, facts: Any) -> dict[str, Any]:
        data: dict[str, Any] = to_data(facts)
        return data
