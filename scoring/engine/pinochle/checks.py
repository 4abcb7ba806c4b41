"""Checks that every pinochle's card must pass: its bid, its melds, the sum of what was taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import gcd

from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.pinochle.cards import PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle.named_melds import SUIT_ORDER, Suit
from scoring.engine.pinochle.possible_totals import can_meld, nearest


def columns(figures: Sequence[int], needed: int, field: str) -> Iterator[Problem]:
    """One figure for each side."""
    if len(figures) != needed:
        yield Problem(
            "pinochle.columns",
            Severity.FORM,
            field,
            named(needed=needed, given=len(figures)),
        )


def bid_problems(bid: int, rules: PinochleRules, steps: tuple[int, int] | None = None) -> Iterator[Problem]:
    """What is wrong with the bid of a card. When all others pass the dealer takes it at the dropped bid.

    `steps`: the bid from which steps are counted at this height, and the step; else from the opening bid.
    """
    if bid == rules.dropped_bid:
        return
    yield from call_problems(bid, rules, "bid", steps or (rules.opening_bid, rules.bid_step))
    if bid > rules.ask_bid_above:
        yield Problem("pinochle.bid-high", Severity.UNLIKELY, "bid", named(bid=bid))


def call_problems(bid: int, rules: PinochleRules, field: str, steps: tuple[int, int]) -> Iterator[Problem]:
    """Why nobody can call such a bid."""
    start, step = steps
    if bid < rules.opening_bid:
        args = named(bid=bid, lowest=rules.opening_bid, dropped=rules.dropped_bid)
        yield Problem("pinochle.bid-too-low", Severity.AGAINST_RULES, field, args)
    elif (bid - start) % step:
        yield Problem("pinochle.bid-step", Severity.AGAINST_RULES, field, named(bid=bid, lowest=start, step=step))


def negatives(figures: Sequence[int], field: str) -> Iterator[Problem]:
    """Nobody melds or takes less than nothing."""
    for side, points in enumerate(figures):
        if points < 0:
            yield Problem(
                "pinochle.negative",
                Severity.IMPOSSIBLE,
                field,
                named(points=points),
                side,
            )


def meld_problems(
    melds: Sequence[int], rules: PinochleRules, *, partners: bool, trump: Suit | None = None
) -> Iterator[Problem]:
    """Melds that no hands can have, under the trump if it is known."""
    yield from negatives(melds, "meld")
    table, known = meld_table(rules), None if trump is None else SUIT_ORDER.index(trump)
    for side, meld in enumerate(melds):
        if meld >= 0 and not can_meld(table, meld, partners=partners, known=known):
            yield _meld_impossible(side, meld, rules, partners, known)
        elif meld > rules.ask_meld_above:
            yield Problem("pinochle.meld-high", Severity.UNLIKELY, "meld", named(meld=meld), side)


def _meld_impossible(side: int, meld: int, rules: PinochleRules, partners: bool, known: int | None) -> Problem:
    """A meld that no cards make, and what they can make instead."""
    below, above = nearest(meld_table(rules), meld, partners=partners, known=known)
    pair = "-pair" if partners else ""
    if above is None:
        args = named(meld=meld, cards=rules.hand_size, most=below)
        return Problem(f"pinochle.meld-most{pair}", Severity.IMPOSSIBLE, "meld", args, side)
    args = named(meld=meld, cards=rules.hand_size, below=below, above=above)
    return Problem(f"pinochle.meld-impossible{pair}", Severity.IMPOSSIBLE, "meld", args, side)


def take_problems(take: Sequence[int], last_trick: int | None, rules: PinochleRules) -> Iterator[Problem]:
    """Figures that no tricks give, whatever they add up to."""
    yield from negatives(take, "take")
    step, possible = _takes(rules)
    for side, points in enumerate(take):
        if step > 1 and points % step:
            yield Problem(
                "pinochle.take-step",
                Severity.IMPOSSIBLE,
                "take",
                named(take=points, step=step),
                side,
            )
        elif 0 <= points < possible.bit_length() and not possible >> points & 1:
            yield Problem("pinochle.take-cards", Severity.IMPOSSIBLE, "take", named(take=points), side)
    if last_trick is not None and 0 <= take[last_trick] < rules.last_trick:
        args = named(take=take[last_trick], last=rules.last_trick)
        yield Problem("pinochle.last-trick-take", Severity.IMPOSSIBLE, "take", args, last_trick)


@lru_cache(maxsize=64)
def _takes(rules: PinochleRules) -> tuple[int, int]:
    """The step of all takes, and bit n for each n that some cards, with the last trick or without, are worth."""
    sums = 1
    for _rank, worth in rules.counters:
        for _card in range(len(SUIT_ORDER) * rules.copies):
            sums |= sums << worth
    return gcd(rules.last_trick, *(worth for _rank, worth in rules.counters)), sums | sums << rules.last_trick


def whole_take(take: Sequence[int], rules: PinochleRules) -> Iterator[Problem]:
    """A deal played out shares all the points of the pack."""
    if sum(take) != (needed := points_in_pack(rules)):
        yield Problem(
            "pinochle.take-total",
            Severity.IMPOSSIBLE,
            "take",
            named(total=sum(take), needed=needed),
        )
