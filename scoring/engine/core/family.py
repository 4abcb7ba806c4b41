"""A game family: everything that the rest of the program has to know about one way to score.

Each family's package has one such object, `FAMILY`; `scoring.engine.families` lists them. No other code asks which
family a game belongs to: where families differ, the difference is a field here.

Some checks of a card need the scores before its deal, or the deal's place in the game: 1 for the first deal that
counts, 2 for the next. A card may name its place (`number` of Hand and Foot). Where it doesn't, or names one too low
for what went before, the place is counted.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import add
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from scoring.engine.core.ledger import Problem, Score
from scoring.engine.core.ruleset import SettingProblem

T = TypeVar("T")

Json = Any  # what json.loads gives


class GameChecks:
    """Checks of a card against the rest of its game. These make none; a family that needs some has a subclass."""

    def needs_scores(self, facts: Any, rules: Any) -> bool:
        """Whether anything on a card is checked against the scores before the deal."""
        return False

    def score_problems(self, facts: Any, rules: Any, *, before: Sequence[int]) -> Iterator[Problem]:
        """Problems that only the scores before the deal show; for cards that can be scored."""
        return iter(())

    def needs_place(self, facts: Any, rules: Any) -> bool:
        """Whether anything on a card is checked against the deal's place in its game."""
        return False

    def add_context(self, facts: Any, rules: Any, *, before: Sequence[int] | None, place: int | None) -> Any:
        """The card with the scores `before` the deal, or its place, where checks need them and the card lacks them."""
        return facts

    def noted_place(self, facts: Any, rules: Any) -> int | None:
        """The place that the card names; None where it names none, or one that no deal can have."""
        return None

    def carries(self, rules: Any) -> bool:
        """Whether a deal's points depend on `Score.carried` of the deals before it, such as bags."""
        return False


NO_GAME_CHECKS = GameChecks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One way to score: its types, its functions, and what sets its cards apart."""

    slug: str
    rules: type[Any]
    facts: type[Any]
    check: Callable[[Any, Any], tuple[Problem, ...]]  # all problems of a card; none: real cards could have produced it
    score: Callable[..., Score]  # of facts and rules; where something is carried into the deal, also of `carried`
    unscorable: frozenset[str]  # codes of problems of shape, which no ruling can set aside: nothing says what to score
    # settings that are right one by one and can't be played together
    setting_problems: Callable[[Any], Iterator[SettingProblem]] = lambda rules: iter(())
    contradictions: Callable[[Any], Iterator[SettingProblem]] = lambda rules: iter(())  # ... that nobody wants
    points_are_good: bool = True  # bids, melds and bonuses reward points: the lowest total can't win
    game_checks: GameChecks = NO_GAME_CHECKS
    same_in_a_row: Callable[[Any], int] = lambda _rules: 2  # deals with the same figures, of which one may be a copy
    bid_held: str = ""  # the field of the facts that says which side held the bid; "" where nobody bids

    def read(self, data: Mapping[str, Any]) -> Any:
        """Facts from JSON data. Raises as `from_data` does."""
        return from_data(self.facts, data)

    def write(self, facts: Any) -> dict[str, Any]:
        data: dict[str, Any] = to_data(facts)
        return data


def score_deal(family: Family, facts: Any, *, rules: Any, carried: Sequence[int] = ()) -> Score:
    return (
        family.score(facts, rules, carried=carried) if family.game_checks.carries(rules) else family.score(facts, rules)
    )


def score_deals(family: Family, rules: Any, *, cards: Iterable[Any]) -> list[Score]:
    """The scores of a game's deals, in order, each with what the earlier deals carried into it."""
    scores: list[Score] = []
    for facts in cards:
        scores.append(score_deal(family, facts, rules=rules, carried=scores[-1].carried if scores else ()))
    return scores


def needs_game(family: Family, facts: Any, *, rules: Any, place: int) -> bool:
    """Whether the check of a card needs facts about its game that the card lacks."""
    checks = family.game_checks
    return checks.needs_scores(facts, rules) or bool(
        checks.add_context(facts, rules, before=None, place=place) != facts
    )


def check_in_game(
    family: Family, facts: Any, *, rules: Any, before: Sequence[int] | None, place: int | None = None
) -> tuple[Problem, ...]:
    """Everything wrong with a card, also at this place of its game.

    Args:
        before: every side's score before the deal; None where it isn't known.
        place: of the deal among those that count, from 1; None where it isn't known.

    A first meld that goes by the score is checked against the score before the deal, unless the card notes that score
    itself; one that goes by the deal, against its place; a claim of the game, against the target.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding
    >>> card = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=TwoHandEnding.CLAIM, claimant=0)
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> [p.code for p in check_in_game(FAMILIES["two-hand-pinochle"], card, rules=fletcher, before=(123, 0))]
    ['two-hand.claim-short']
    >>> check_in_game(FAMILIES["two-hand-pinochle"], card, rules=fletcher, before=(124, 0))
    ()
    """
    facts = family.game_checks.add_context(facts, rules, before=before, place=place)
    problems = family.check(facts, rules)
    if before is None or any(problem.code in family.unscorable for problem in problems):
        return problems
    return (*problems, *family.game_checks.score_problems(facts, rules, before=before))


def judge_deals(
    family: Family, rules: Any, *, cards: Iterable[Any], start: Sequence[int] = ()
) -> Iterator[tuple[tuple[Problem, ...], Score | None]]:
    """The problems and the score of each deal of a game, in order; no score where the card doesn't say what to score.

    After a deal without a score, later deals are checked without the scores before them. A game may begin with a later
    deal than the first if its card says so; places are counted from there.
    """
    before: tuple[int, ...] | None = tuple(start) or (0,) * rules.shape.sides
    carried: tuple[int, ...] = ()
    place = 0
    for facts in cards:
        place = next_place(family, place, facts=facts, rules=rules)
        problems = check_in_game(family, facts, rules=rules, before=before, place=place)
        score = None
        if not any(p.code in family.unscorable for p in problems):
            score = score_deal(family, facts, rules=rules, carried=carried)
            carried = score.carried
        before = tuple(map(add, before, score.totals)) if before is not None and score is not None else None
        yield problems, score


def next_place(family: Family, place: int, *, facts: Any, rules: Any) -> int:
    """The place of the deal that comes after one at `place`: the next, or a later one that its card names.

    >>> from scoring.engine.families import FAMILIES, rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.hand_and_foot.card import HandAndFootDeal
    >>> family, rules = FAMILIES["hand-and-foot"], rules_of(shipped()["hand-and-foot"])
    >>> deals = [HandAndFootDeal(sides=(), number=number) for number in (None, 1, 3, 9)]
    >>> [next_place(family, 1, facts=deal, rules=rules) for deal in deals]
    [2, 2, 3, 2]
    """
    return max(place + 1, family.game_checks.noted_place(facts, rules) or 1)


# --- facts to and from plain JSON data ---------------------------------------------------------------
# Facts are frozen dataclasses. Their fields are int, bool, str, a StrEnum, such a dataclass, a tuple of one of these,
# or None.


def to_data(facts: Any) -> Json:
    """Plain JSON data of facts; `from_data` gives the same facts back."""
    return _adapter(cast(Any, type(facts))).dump_python(facts, mode="json")


def from_data(kind: type[T], data: Json) -> T:
    """Facts of the given dataclass from JSON data. Raises pydantic's ValidationError, which names every wrong field."""
    return _adapter(cast(Any, kind)).validate_json(_json_text(data), strict=True, extra="forbid")  # type: ignore[no-any-return]


def fits(kind: Any, data: Json) -> bool:
    """Whether JSON data are of a type, such as `tuple[int, ...]`: a list is a tuple, a boolean isn't an int."""
    try:
        _adapter(kind).validate_json(_json_text(data), strict=True)
    except (ValidationError, RecursionError):
        return False
    return True


def _json_text(data: Json) -> bytes:
    """JSON text. A lone surrogate, which UTF-8 can't hold, becomes a NUL character, which no line of text may have."""
    try:
        return to_json(data)
    except PydanticSerializationError:
        return re.sub("[\ud800-\udfff]", r"\\u0000", json.dumps(data, ensure_ascii=False)).encode()


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Pydantic's adapter of a type; cached, because making one takes as long as a thousand deals."""
    return TypeAdapter(kind)
