"""Checks that every pinochle's card must pass: its bid, its melds, the sum of what was taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd

from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.pinochle.cards import RANKS, PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle.named_melds import SUIT_ORDER, MeldKind, PlayerMelds, Suit, by_side, cards_needed
from scoring.engine.pinochle.possible_totals import can_meld, nearest


def columns(figures: Sequence[int], needed: int, *, field: str) -> Iterator[Problem]:
    """A problem unless there is one figure for each side."""
    if len(figures) != needed:
        yield Problem("pinochle.columns", Severity.FORM, field, named(needed=needed, given=len(figures)))


def bid_problems(bid: int, rules: PinochleRules, *, steps: tuple[int, int] | None = None) -> Iterator[Problem]:
    """What is wrong with the bid of a card. When all others pass the dealer takes it at the dropped bid.

    `steps`: the bid from which steps are counted at this height, and the step; else from the opening bid.
    """
    if bid == rules.dropped_bid:
        return
    yield from call_problems(bid, rules, field="bid", steps=steps or (rules.opening_bid, rules.bid_step))
    if bid > rules.ask_bid_above:
        yield Problem("pinochle.bid-high", Severity.UNLIKELY, "bid", named(bid=bid))


def all_bids(most: int, rules: PinochleRules) -> tuple[int, ...]:
    """Every bid up to `most` that a card can have where one step holds at all heights, in rising order."""
    return tuple(sorted({rules.dropped_bid, *range(rules.opening_bid, most + 1, rules.bid_step)}))


def call_problems(bid: int, rules: PinochleRules, *, field: str, steps: tuple[int, int]) -> Iterator[Problem]:
    """Why nobody can call such a bid."""
    start, step = steps
    if bid < rules.opening_bid:
        args = named(bid=bid, lowest=rules.opening_bid, dropped=rules.dropped_bid)
        yield Problem("pinochle.bid-too-low", Severity.AGAINST_RULES, field, args)
    elif (bid - start) % step:
        yield Problem("pinochle.bid-step", Severity.AGAINST_RULES, field, named(bid=bid, lowest=start, step=step))


def negatives(figures: Sequence[int], field: str) -> Iterator[Problem]:
    """Figures below nought: nobody melds or takes less than nothing."""
    for side, points in enumerate(figures):
        if points < 0:
            yield Problem("pinochle.negative", Severity.IMPOSSIBLE, field, named(points=points), side)


def meld_problems(
    melds: Sequence[int], rules: PinochleRules, *, partners: bool, trump: Suit | None = None
) -> Iterator[Problem]:
    """Melds that no hands can have, under the trump if it is known."""
    yield from negatives(melds, "meld")
    table, known = meld_table(rules), None if trump is None else SUIT_ORDER.index(trump)
    for side, meld in enumerate(melds):
        if meld >= 0 and not can_meld(table, meld, partners=partners, known=known):
            yield _meld_impossible(side, meld, rules=rules, partners=partners, known=known)
        elif meld > rules.ask_meld_above:
            yield Problem("pinochle.meld-high", Severity.UNLIKELY, "meld", named(meld=meld), side)


def _meld_impossible(side: int, meld: int, *, rules: PinochleRules, partners: bool, known: int | None) -> Problem:
    """The problem of a meld that no cards make, with the nearest that they can make."""
    below, above = nearest(meld_table(rules), meld, partners=partners, known=known)
    pair = "-pair" if partners else ""
    if above is None:
        args = named(meld=meld, cards=rules.hand_size, most=below)
        return Problem(f"pinochle.meld-most{pair}", Severity.IMPOSSIBLE, "meld", args, side)
    args = named(meld=meld, cards=rules.hand_size, below=below, above=above)
    return Problem(f"pinochle.meld-impossible{pair}", Severity.IMPOSSIBLE, "meld", args, side)


def take_problems(take: Sequence[int], last_trick: int | None, *, rules: PinochleRules) -> Iterator[Problem]:
    """Takes that no tricks are worth, whatever the sides' takes add up to."""
    yield from negatives(take, "take")
    step, possible = _takes(rules)
    for side, points in enumerate(take):
        if step > 1 and points % step:
            yield Problem("pinochle.take-step", Severity.IMPOSSIBLE, "take", named(take=points, step=step), side)
        elif 0 <= points < possible.bit_length() and not possible >> points & 1:
            yield Problem("pinochle.take-cards", Severity.IMPOSSIBLE, "take", named(take=points), side)
    if last_trick is not None and 0 <= take[last_trick] < rules.last_trick:
        args = named(take=take[last_trick], last=rules.last_trick)
        yield Problem("pinochle.last-trick-take", Severity.IMPOSSIBLE, "take", args, last_trick)


def all_takes(rules: PinochleRules) -> tuple[int, ...]:
    """Every number of points that one side can take in a deal, in rising order."""
    step, possible = _takes(rules)
    return tuple(points for points in range(0, points_in_pack(rules) + 1, step or 1) if possible >> points & 1)


@lru_cache(maxsize=64)
def _takes(rules: PinochleRules) -> tuple[int, int]:
    """The step of all takes, and the possible takes as bits: bit n is set if some cards, with the last trick or
    without, are worth n points."""
    sums = 1
    for _rank, worth in rules.counters:
        for _card in range(len(SUIT_ORDER) * rules.copies):
            sums |= sums << worth
    return gcd(rules.last_trick, *(worth for _rank, worth in rules.counters)), sums | sums << rules.last_trick


def unbeaten(trumps: Sequence[int], rules: PinochleRules) -> int:
    """The least points in cards that one player's trumps are sure to take; `trumps` are six counts, from the ace down.

    A player who has every copy of the highest trumps, rank after rank, wins a trick with each, whoever leads.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> st_hilary = rules_of(shipped()["st-hilary-v3"])
    >>> [unbeaten(trumps, st_hilary) for trumps in ((2, 2, 2, 2, 2, 2), (2, 0, 2, 2, 2, 2), (1, 2, 2, 2, 2, 2))]
    [6, 2, 0]
    """
    points, worth = 0, dict(rules.counters)
    for rank, many in zip(RANKS, trumps, strict=True):
        if many < rules.copies:
            break
        points += many * worth.get(rank, 0)
    return points


def sure_takes(
    counted: Sequence[PlayerMelds], trump: Suit | None, *, rules: PinochleRules, per_side: int
) -> Iterator[tuple[int, ...]]:
    """For each suit that can be trump, the points that each side is sure to take with the trumps that it melded;
    nothing where the melds aren't counted by name."""
    if not counted:
        return
    married = {meld.suit for player in counted for meld in player.melds if meld.kind is MeldKind.MARRIAGE}
    for suit in SUIT_ORDER if trump is None else (trump,):
        if trump is None and suit in married:
            continue
        base = len(RANKS) * SUIT_ORDER.index(suit)
        each = [unbeaten(cards_needed(player, suit)[base : base + len(RANKS)], rules) for player in counted]
        yield by_side(each, per_side)


def sure_problems(take: Sequence[int], least: Iterable[Sequence[int]]) -> Iterator[Problem]:
    """Takes lower than melded trumps are sure to win, whichever suit is trump. `least`: for each such suit, what each
    side is sure to win."""
    found = [
        [
            Problem("pinochle.sure-take", Severity.IMPOSSIBLE, "take", named(least=sure, take=taken), side)
            for side, (taken, sure) in enumerate(zip(take, sides, strict=True))
            if 0 <= taken < sure
        ]
        for sides in least
    ]
    if found and all(found):
        yield from found[0]


def whole_take(take: Sequence[int], rules: PinochleRules) -> Iterator[Problem]:
    """A problem unless the takes of a deal played out add up to all the points of the pack."""
    if sum(take) != (needed := points_in_pack(rules)):
        yield Problem("pinochle.take-total", Severity.IMPOSSIBLE, "take", named(total=sum(take), needed=needed))
