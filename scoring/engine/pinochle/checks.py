"""Checks that every pinochle's card must pass: its bid, its melds, the sum of what was taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.pinochle.cards import PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle.named_melds import SUIT_ORDER, Suit
from scoring.engine.pinochle.possible_totals import can_meld, fit_together, nearest, possible_instead

CHECK_CODES: dict[str, str] = {
    "pinochle.columns": "There must be {needed} figures, one for each; there are {given}.",
    "pinochle.negative": "{points} can't be: nobody has less than nothing here.",
    "pinochle.bid-too-low": "A bid of {bid} is too low: bidding opens at {lowest}, or is dropped on the dealer "
    "at {dropped}.",
    "pinochle.bid-step": "Bids go up from {lowest} by {step}: {bid} is none of them.",
    "pinochle.bid-high": "A bid of {bid} is rare: is it right?",
    # a meld of one player, or of two partners ("-pair"), that no cards make; and melds that don't go together
    "pinochle.meld-impossible": "No {cards} cards can meld {meld}; the nearest are {below} and {above}.",
    "pinochle.meld-impossible-pair": "No two hands of {cards} cards can meld {meld} together; the nearest are {below} "
    "and {above}.",
    "pinochle.meld-most": "No {cards} cards can meld {meld}; the most is {most}.",
    "pinochle.meld-most-pair": "No two hands of {cards} cards can meld {meld} together; the most is {most}.",
    "pinochle.melds-together": "One pack can't give all these melds in the same deal; {less} could be in place of "
    "{meld}.",
    "pinochle.melds-together-others": "One pack can't give all these melds in the same deal, nor all but the {meld}.",
    "pinochle.meld-high": "A meld of {meld} is rare: is it right?",
    "pinochle.take-total": "All that was taken comes to {total}; the cards and the last trick are worth {needed}.",
    "pinochle.take-step": "What is taken comes in steps of {step}: {take} is none of them.",
    "pinochle.last-trick-take": "Whoever wins the last trick takes at least {last}, not {take}.",
    "pinochle.take-cards": "No cards in tricks, with the last trick or without, are worth {take}.",
    "pinochle.takes-cards": "The cards and the last trick can't be shared like this.",
    "pinochle.sure-tricks": "With these melds {tricks} tricks are sure here, and at least {least} in cards; the card "
    "has {take}.",
    "pinochle.aces-of-trump": "A meld of {meld} here needs every ace of trump, and these win a trick with points.",
}


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
    """Melds that the pack can't give, under the trump if it is known: one by one, then all in the same deal."""
    yield from negatives(melds, "meld")
    table, known = meld_table(rules), _place(trump)
    possible = [meld >= 0 and can_meld(table, meld, partners=partners, known=known) for meld in melds]
    for side, meld in enumerate(melds):
        if meld >= 0 and not possible[side]:
            yield _meld_impossible(side, meld, rules, partners, known)
        elif meld > rules.ask_meld_above:
            yield Problem("pinochle.meld-high", Severity.UNLIKELY, "meld", named(meld=meld), side)
    if all(possible) and not fit_together(table, melds, partners=partners, known=known):
        less = possible_instead(table, melds, partners=partners, known=known)
        if less is None:
            args = named(meld=max(melds))
            yield Problem("pinochle.melds-together-others", Severity.IMPOSSIBLE, "meld", args)
        else:
            args = named(meld=max(melds), less=less)
            yield Problem("pinochle.melds-together", Severity.IMPOSSIBLE, "meld", args)


def _place(trump: Suit | None) -> int | None:
    return None if trump is None else SUIT_ORDER.index(trump)


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
    trump: Suit | None = None,
) -> Iterator[Problem]:
    """Melds that only go with every ace of trump, though no trick with points was won (`nothing`, per side)."""
    table, known = meld_table(rules), _place(trump)
    if not any(nothing) or not dict(rules.counters).get("A"):
        return
    if not fit_together(table, melds, partners=partners, known=known):
        return
    for side, took_nothing in enumerate(nothing):
        if took_nothing and not fit_together(table, melds, partners=partners, nothing=side, known=known):
            yield Problem("pinochle.aces-of-trump", Severity.IMPOSSIBLE, "take", named(meld=melds[side]), side)
