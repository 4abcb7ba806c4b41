"""What tricks can give: which takes the cards make, and which tricks are sure for melds that were shown.

Takes: the cards that were taken have the points of their ranks, the last trick its own; every trick has a card of each
player. So 249 and 1 can't be where cards count 11, 10, 4, 3 and 2, though they add up to all there is.

Sure tricks: cards that were melded are played by who melded them, one to a trick. A trick with such a trump in it is
lost only to a trump of the other side that is higher, or equal and played before; each of these beats in one trick
only. So of one player's known trumps only those are lost that can be matched, one by one, with trumps not known to be
with the side. The others win a trick each, and bring their own points; the other side has at most the tricks left,
with the best cards left in them. The bound doesn't ask how the tricks are led or followed, so no play can break it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from math import gcd

from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.pinochle.cards import RANKS, SUITS, PinochleRules

# --- takes ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Takes:
    """The points in cards that two sides can have at the same time, in units: bit `one + width * other`.

    `bare` says whether a trick can have no points at all; `most` are the points of all cards.
    """

    unit: int
    width: int
    together: int
    bare: bool
    most: int

    def can(self, one: int, other: int) -> bool:
        """Whether the cards of two sides can be worth this."""
        if one % self.unit or other % self.unit or one < 0 or other < 0 or one > self.most or other > self.most:
            return False
        return bool(self.together >> one // self.unit + self.width * (other // self.unit) & 1)


@lru_cache(maxsize=64)
def takes_of(counters: tuple[tuple[str, int], ...], ranks: tuple[str, ...], copies: int, trick: int) -> Takes:
    """The takes of two sides in tricks of so many cards; 1 where cards also come singly, as from a discard."""
    worth, each = dict(counters), len(SUITS) * copies
    values = [worth.get(rank, 0) for rank in ranks]
    unit = gcd(*values) or 1
    width = each * sum(values) // unit + 1
    many = {value: each * values.count(value) for value in values}  # cards, by what one is worth
    states = {(0, 0): 1}  # by the cards of either side, modulo those of a trick
    for value, cards in many.items():
        made: dict[tuple[int, int], int] = {}
        for (one, other), known in states.items():
            for ones in range(cards + 1):
                for others in range(cards - ones + 1):
                    state = (one + ones) % trick, (other + others) % trick
                    shifted = known << value // unit * (ones + width * others)
                    made[state] = made.get(state, 0) | shifted
        states = made
    return Takes(unit, width, states.get((0, 0), 0), many.get(0, 0) >= trick, each * sum(values))


def take_card_problems(
    take: Sequence[int], lasts: Sequence[int | None], rules: PinochleRules, *, trick: int
) -> tuple[Problem, ...]:
    """Takes that no cards and last trick make, of figures that are right by themselves (see `take_problems`).

    `lasts`: the sides that may have the points of the last trick, None for nobody.
    """
    return _take_card_problems(tuple(take), tuple(lasts), rules, trick)


@lru_cache(maxsize=1024)  # the same takes come again and again
def _take_card_problems(
    take: tuple[int, ...], lasts: tuple[int | None, ...], rules: PinochleRules, trick: int
) -> tuple[Problem, ...]:
    takes = takes_of(rules.counters, rules.ranks, rules.copies, trick)
    winners = [last for last in lasts if last is None or take[last] >= rules.last_trick]
    if sum(take) > takes.most + rules.last_trick or not winners:
        return ()
    if any(_shared(take, last, takes, rules) for last in winners):
        return ()
    alone = [side for side in range(len(take)) if not any(_alone(take, side, last, takes, rules) for last in winners)]
    if not alone:
        return (Problem("pinochle.takes-cards", Severity.IMPOSSIBLE, "take"),)
    code = "pinochle.take-cards"
    return tuple(Problem(code, Severity.IMPOSSIBLE, "take", named(take=take[side]), side) for side in alone)


def _cards(take: Sequence[int], side: int, last: int | None, rules: PinochleRules) -> int:
    return take[side] - (rules.last_trick if side == last else 0)


def _shared(take: Sequence[int], last: int | None, takes: Takes, rules: PinochleRules) -> bool:
    """Whether the first two sides can have their points, beside whatever a third has."""
    cards = list(take)
    if last is not None:
        cards[last] -= rules.last_trick
        if not takes.bare and not cards[last]:
            return False
    return takes.can(cards[0], cards[1]) and (len(cards) < 3 or takes.can(cards[2], 0))


def _alone(take: Sequence[int], side: int, last: int | None, takes: Takes, rules: PinochleRules) -> bool:
    return takes.can(_cards(take, side, last, rules), 0)


# --- sure tricks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sure:
    """What is sure for one side: so many tricks, and so many points in cards (without the last trick)."""

    tricks: int
    points: int


NOTHING = Sure(0, 0)


def sure_of(trumps: Sequence[Sequence[int]], rules: PinochleRules, *, seats: int, tricks: int, apart: int = 0) -> Sure:
    """What is sure for the side of these players, whose known trumps are six counts each, from the ace down.

    `seats` play, and so many `tricks`; so many cards `apart` from these may count for the others too, as a discard.
    """
    held = list(map(sum, zip(*trumps, strict=True)))
    pack = _trumps_down_to(rules.ranks, rules.copies)
    if not any(2 * known > among for known, among in zip(accumulate(held), pack, strict=True)):
        return NOTHING  # spares most sides the rest: half of the trumps from the ace down outnumber nobody
    theirs = []
    for name, known in zip(RANKS, held, strict=True):
        theirs.append(max(0, (rules.copies if name in rules.ranks else 0) - known))
    if not any(_outnumber(mine, theirs) for mine in trumps):
        return NOTHING
    worth = dict(rules.counters)
    values = [worth.get(rank, 0) for rank in RANKS]
    won = [_won(mine, theirs, values) for mine in trumps]
    most = max(map(sum, won))
    left, lost, whole = max(0, (tricks - most) * seats + apart), 0, 0
    gone = list(map(sum, zip(*won, strict=True)))
    for rank in sorted(range(len(RANKS)), key=lambda rank: -values[rank]):
        cards = len(SUITS) * rules.copies if RANKS[rank] in rules.ranks else 0
        whole += cards * values[rank]
        theirs_now = min(left, cards - gone[rank])
        lost, left = lost + theirs_now * values[rank], left - theirs_now
    return Sure(most, whole - lost)


@lru_cache(maxsize=16)
def _trumps_down_to(ranks: tuple[str, ...], copies: int) -> tuple[int, ...]:
    """Trumps in the pack from the ace down to each rank."""
    return tuple(accumulate(copies if rank in ranks else 0 for rank in RANKS))


def _outnumber(mine: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether one player has more trumps than the others from the ace down to some rank: only then is a trick sure."""
    ahead = 0
    for held, against in zip(mine, theirs, strict=True):
        ahead += held - against
        if ahead > 0:
            return True
    return False


def _won(mine: Sequence[int], theirs: Sequence[int], worth: Sequence[int]) -> list[int]:
    """By rank, how many of one player's known trumps win a trick even where the dearest of them are lost.

    Trumps down to any rank are lost at most to as many of theirs down to that rank.
    """
    room = [sum(theirs[: rank + 1]) for rank in range(len(mine))]
    lost = [0] * len(mine)
    for rank in sorted(range(len(mine)), key=lambda rank: -worth[rank]):
        lost[rank] = min(mine[rank], *room[rank:])
        room[rank:] = [free - lost[rank] for free in room[rank:]]
    return [held - gone for held, gone in zip(mine, lost, strict=True)]


def sure_problems(
    take: Sequence[int],
    lasts: Sequence[int | None],
    ways: Sequence[Sequence[Sure]],
    rules: PinochleRules,
    *,
    tricks: int,
) -> Iterator[Problem]:
    """Sides that took less than is sure for them, by every suit that may be trump and every side that may have won
    the last trick: `ways` has what is sure for each side, once for each suit.
    """
    if any(all(one.tricks == 0 for one in sure) for sure in ways):
        return
    found: list[Problem] = []
    winners = [last for last in lasts if last is None or take[last] >= rules.last_trick]
    for sure, last in product(ways, winners):
        short = [side for side in range(len(take)) if _short(take, side, last, sure[side], rules, tricks)]
        if not short:
            return
        found = found or [
            Problem(
                "pinochle.sure-tricks",
                Severity.IMPOSSIBLE,
                "take",
                named(
                    tricks=sure[side].tricks,
                    least=sure[side].points,
                    take=max(_cards(take, side, other, rules) for other in winners),
                ),
                side,
            )
            for side in short
        ]
    yield from found


def _short(take: Sequence[int], side: int, last: int | None, sure: Sure, rules: PinochleRules, tricks: int) -> bool:
    """Whether a side has less than what is sure for it, the last trick among it when all tricks are."""
    return _cards(take, side, last, rules) < sure.points or (sure.tricks == tricks and last not in (None, side))
