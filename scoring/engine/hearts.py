"""Hearts for three to six, each alone: each heart and a few other cards count for the player who takes them. The
lowest score wins.

A different family from spades and oh hell: nobody bids, and players take cards, not tricks.

Sources: thebearknowsbest.com, Hearts; toothycat.net, Black Maria (king and ace of spades); codensteis306 (Trickster),
Hearts (the jack of diamonds); the numbers are settings of `scoring/rules/hearts.toml`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Annotated

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules

CARDS = ("queen", "king", "ace", "jack")
"""The cards beside hearts that can count: queen, king and ace of spades, jack of diamonds."""


class Moon(StrEnum):
    """What the player who took all penalty cards gets for it."""

    OTHERS = "others"  # nothing, and each of the others all these points
    OWN = "own"  # all these points off


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartsRules(Rules):
    __hash__ = Rules.__hash__

    hearts: Annotated[int, Range(1, 200)]  # all hearts together, as they are written: 13, or more where ranks count
    heart_points: Annotated[int, Range(0, 100)]  # for each of these
    queen: Annotated[int, Range(0, 100)]  # the queen of spades; 0: it doesn't count, and isn't on the card
    king: Annotated[int, Range(0, 100)]
    ace: Annotated[int, Range(0, 100)]
    jack: Annotated[int, Range(0, 100)]  # what the jack of diamonds takes off
    moon: Annotated[str, ("others", "own", "choice", "nothing")]  # for all penalty cards in one hand

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards beside hearts that count."""
        return tuple(name for name in CARDS if getattr(self, name))

    @property
    def whole(self) -> int:
        """What all penalty cards come to: 26."""
        return self.hearts * self.heart_points + self.queen + self.king + self.ace


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartsDeal:
    """One deal: what each player took."""

    hearts: Annotated[tuple[int, ...], "how many hearts each player took; where ranks count, what they come to"]
    queen: Annotated[int | None, "the player who took the queen of spades; null where it doesn't count"] = None
    king: Annotated[int | None, "the player who took the king of spades; null where it doesn't count"] = None
    ace: Annotated[int | None, "the player who took the ace of spades; null where it doesn't count"] = None
    jack: Annotated[int | None, "the player who took the jack of diamonds; null where it doesn't count"] = None
    moon: Annotated[Moon | None, "what a player with all penalty cards chose; null where there is no choice"] = None


UNSCORABLE = frozenset({"hearts.players", "hearts.taker", "hearts.missing", "hearts.moon-choice"})


def shooter(deal: HeartsDeal, rules: HeartsRules) -> int | None:
    """The player who took every penalty card; None for nobody, or where the rules give nothing special for it."""
    if rules.moon == "nothing":
        return None
    takers = {getattr(deal, name) for name in rules.cards if name != "jack"}
    takers |= {player for player, hearts in enumerate(deal.hearts) if hearts} if rules.heart_points else set()
    return takers.pop() if len(takers) == 1 else None


def score(deal: HeartsDeal, rules: HeartsRules) -> Score:
    """The points of a deal.

    Source: thebearknowsbest.com, Hearts: 1 for each heart, 13 for the queen of spades; a player who takes them all
    scores nothing, and each of the others 26. The jack of diamonds counts for the player who took it, moon or not.

    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.families import rules_of
    >>> rules = rules_of(shipped()["hearts"])
    >>> score(HeartsDeal(hearts=(5, 0, 7, 1), queen=3), rules).totals
    (5, 0, 7, 14)
    >>> score(HeartsDeal(hearts=(13, 0, 0, 0), queen=0), rules).totals
    (0, 26, 26, 26)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal, rules), None):
        raise ValueError(problem.code)
    shot, sides = shooter(deal, rules), rules.shape.sides
    lines = [line for player in range(sides) for line in _player_lines(deal, player, rules=rules, shot=shot)]
    return Score(sides, tuple(lines))


def _player_lines(deal: HeartsDeal, player: int, *, rules: HeartsRules, shot: int | None) -> Iterator[Line]:
    if shot is None:
        hearts = deal.hearts[player]
        yield Line(player, hearts * rules.heart_points, "hearts.hearts", named(hearts=hearts))
    elif (deal.moon or rules.moon) == Moon.OWN:
        if player == shot:
            yield Line(player, -rules.whole, "hearts.moon-own", named(points=rules.whole))
    elif player == shot:
        yield Line(player, 0, "hearts.moon", named(points=rules.whole))
    else:
        yield Line(player, rules.whole, "hearts.moon-others", named(points=rules.whole))
    for name in rules.cards:
        if getattr(deal, name) != player:
            continue
        if name == "jack":
            yield Line(player, -rules.jack, "hearts.jack")
        elif shot is None:
            yield Line(player, getattr(rules, name), f"hearts.{name}")


# --- check -------------------------------------------------------------------------------------------


def check(deal: HeartsDeal, rules: HeartsRules) -> tuple[Problem, ...]:
    if wrong := tuple(_shape_problems(deal, rules)):
        return wrong
    return tuple(chain(_heart_problems(deal, rules), _other_card_problems(deal, rules)))


def _shape_problems(deal: HeartsDeal, rules: HeartsRules) -> Iterator[Problem]:
    sides = rules.shape.sides
    if len(deal.hearts) != sides:
        yield malformed("hearts.players", "hearts", written=len(deal.hearts), players=sides)
        return
    for name in rules.cards:
        if (taker := getattr(deal, name)) is None:
            yield malformed("hearts.missing", name, taken=name)
        elif not 0 <= taker < sides:
            yield malformed("hearts.taker", name, taken=name)
    if rules.moon == "choice" and deal.moon is None and shooter(deal, rules) is not None:
        yield malformed("hearts.moon-choice", "moon")


def _heart_problems(deal: HeartsDeal, rules: HeartsRules) -> Iterator[Problem]:
    if (written := sum(deal.hearts)) != rules.hearts:
        yield impossible("hearts.whole", "hearts", written=written, whole=rules.hearts)
    for player, hearts in enumerate(deal.hearts):
        if not 0 <= hearts <= rules.hearts:
            yield impossible("hearts.hearts", "hearts", side=player, hearts=hearts, whole=rules.hearts)


def _other_card_problems(deal: HeartsDeal, rules: HeartsRules) -> Iterator[Problem]:
    for name in CARDS:
        if getattr(deal, name) is not None and name not in rules.cards:
            yield against_rules("hearts.not-in-rules", name, taken=name)
    if deal.moon is not None and rules.moon != "choice":
        yield against_rules("hearts.no-choice", "moon")
    elif deal.moon is not None and shooter(deal, rules) is None:
        yield malformed("hearts.no-moon", "moon")


FAMILY = Family(
    slug="hearts",
    rules=HeartsRules,
    facts=HeartsDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    points_are_good=False,
)
