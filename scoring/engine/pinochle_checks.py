"""Checks that every pinochle's card must pass: its bid, its melds, the sum of what was taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from scoring.engine.ledger import Problem, Severity, named
from scoring.engine.pinochle_cards import PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle_melds import can_meld, fit_together

CHECK_CODES: dict[str, str] = {
    "pinochle.columns": "There must be {needed} figures, one for each; there are {given}.",
    "pinochle.negative": "{points} can't be: nobody has less than nothing here.",
    "pinochle.bid-too-low": "A bid of {bid} is too low: bidding opens at {lowest}, or is dropped on the dealer "
    "at {dropped}.",
    "pinochle.bid-step": "Bids go up from {lowest} by {step}: {bid} is none of them.",
    "pinochle.bid-high": "A bid of {bid} is rare: is it right?",
    "pinochle.meld-impossible": "No {cards} cards can meld {meld}.",  # one player's cards
    "pinochle.meld-impossible-pair": "No two hands of {cards} cards can meld {meld} together.",
    "pinochle.melds-together": "One pack can't give all these melds in the same deal.",
    "pinochle.meld-high": "A meld of {meld} is rare: is it right?",
    "pinochle.take-total": "All that was taken comes to {total}; the cards and the last trick are worth {needed}.",
    "pinochle.take-step": "What is taken comes in steps of {step}: {take} is none of them.",
    "pinochle.last-trick-take": "Whoever wins the last trick takes at least {last}, not {take}.",
    "pinochle.aces-of-trump": "A meld of {meld} here needs every ace of trump, and these win a trick with points.",
}


def columns(figures: Sequence[int], needed: int, field: str) -> Iterator[Problem]:
    """One figure for each side."""
    if len(figures) != needed:
        yield Problem(
            "pinochle.columns",
            Severity.IMPOSSIBLE,
            field,
            named(needed=needed, given=len(figures)),
        )


def bid_problems(bid: int, rules: PinochleRules) -> Iterator[Problem]:
    """What is wrong with a bid. When all others pass the dealer takes it at the dropped bid, which may be lower."""
    if bid == rules.dropped_bid:
        return
    if bid < rules.opening_bid:
        args = named(bid=bid, lowest=rules.opening_bid, dropped=rules.dropped_bid)
        yield Problem("pinochle.bid-too-low", Severity.AGAINST_RULES, "bid", args)
    elif (bid - rules.opening_bid) % rules.bid_step:
        args = named(bid=bid, lowest=rules.opening_bid, step=rules.bid_step)
        yield Problem("pinochle.bid-step", Severity.AGAINST_RULES, "bid", args)
    if bid > rules.ask_bid_above:
        yield Problem("pinochle.bid-high", Severity.UNLIKELY, "bid", named(bid=bid))


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


def meld_problems(melds: Sequence[int], rules: PinochleRules, *, partners: bool) -> Iterator[Problem]:
    """Melds that the pack can't give: one by one, then all in the same deal."""
    yield from negatives(melds, "meld")
    table = meld_table(rules)
    code = "pinochle.meld-impossible-pair" if partners else "pinochle.meld-impossible"
    possible = [can_meld(table, meld, partners=partners) for meld in melds]
    for side, meld in enumerate(melds):
        if meld >= 0 and not possible[side]:
            yield Problem(
                code,
                Severity.IMPOSSIBLE,
                "meld",
                named(meld=meld, cards=rules.hand_size),
                side,
            )
        elif meld > rules.ask_meld_above:
            yield Problem("pinochle.meld-high", Severity.UNLIKELY, "meld", named(meld=meld), side)
    if all(possible) and not fit_together(table, melds, partners=partners):
        yield Problem("pinochle.melds-together", Severity.IMPOSSIBLE, "meld")


def take_problems(take: Sequence[int], last_trick: int | None, rules: PinochleRules) -> Iterator[Problem]:
    """Figures that no tricks give, whatever they add up to."""
    yield from negatives(take, "take")
    step = gcd(rules.last_trick, *(worth for _rank, worth in rules.counters))
    for side, points in enumerate(take):
        if step > 1 and points % step:
            yield Problem(
                "pinochle.take-step",
                Severity.IMPOSSIBLE,
                "take",
                named(take=points, step=step),
                side,
            )
    if last_trick is not None and 0 <= take[last_trick] < rules.last_trick:
        args = named(take=take[last_trick], last=rules.last_trick)
        yield Problem("pinochle.last-trick-take", Severity.IMPOSSIBLE, "take", args, last_trick)


def whole_take(take: Sequence[int], rules: PinochleRules) -> Iterator[Problem]:
    """A deal played out shares all the points of the pack."""
    if sum(take) != (needed := points_in_pack(rules)):
        yield Problem(
            "pinochle.take-total",
            Severity.IMPOSSIBLE,
            "take",
            named(total=sum(take), needed=needed),
        )


def ace_problems(
    melds: Sequence[int],
    nothing: Sequence[bool],
    rules: PinochleRules,
    *,
    partners: bool,
) -> Iterator[Problem]:
    """Melds that only go with every ace of trump, though no trick with points was won (`nothing`, per side)."""
    table = meld_table(rules)
    if not any(nothing) or not dict(rules.counters).get("A") or not fit_together(table, melds, partners=partners):
        return
    for side in range(len(melds)):
        alone = [nothing[side] and other == side for other in range(len(melds))]
        if not fit_together(table, melds, partners=partners, takes_nothing=alone):
            yield Problem("pinochle.aces-of-trump", Severity.IMPOSSIBLE, "take", named(meld=melds[side]), side)
