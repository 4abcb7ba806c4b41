"""What every pinochle shares: the pack, the points in it, and the settings that name them.

A card is an int, `6 * suit + rank`; ranks run from the highest (ace, 0) to the lowest (nine, 5). A packet
of cards is a plain sequence of cards, or 24 counts, one per kind of card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, TypeAlias

from scoring.engine.core.ledger import Line, named
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than
from scoring.engine.pinochle.meld_points import SUITS, MeldKind, MeldTable
from scoring.engine.pinochle.one_pack import OnePack, one_pack

RANKS = ("A", "10", "K", "Q", "J", "9")
KINDS = len(SUITS) * len(RANKS)
MELD = Range(0, 10_000)  # points
MeldPoints: TypeAlias = Annotated[tuple[int, ...], MELD]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinochleRules(Rules):
    """Settings that every pinochle has. Points are in the rule set's own scale.

    A meld that can come more than once has a tuple: the value of one, of two together, and so on up to `copies`.
    """

    ranks: tuple[str, ...]  # in the pack, high to low
    copies: Annotated[int, Range(1, 4)]  # of each card in the pack
    hand_size: Annotated[int, Range(1, 60)]  # cards each player melds and plays with
    opening_bid: Annotated[int, Range(1)]  # lowest bid
    dropped_bid: Annotated[int, Range(1)]  # the bid that the dealer must take when all others pass
    bid_step: Annotated[int, Range(1, 1000)]  # bids are the opening bid plus a multiple of this
    # points of a card taken, by rank; ranks not named are worth nothing
    counters: Annotated[tuple[tuple[str, int], ...], Range(0, 100), RANKS]
    last_trick: Annotated[int, Range(0, 1000)]  # points for the last trick
    run: MeldPoints  # A 10 K Q J of trump
    royal_marriage: MeldPoints  # K Q of trump, beyond those in runs
    marriage: MeldPoints  # K Q of another suit
    nine_of_trump: Annotated[int, MELD]  # each
    aces_around: MeldPoints
    kings_around: MeldPoints
    queens_around: MeldPoints
    jacks_around: MeldPoints
    pinochle: MeldPoints  # queen of spades and jack of diamonds
    ask_bid_above: int  # the form asks once more about a bid above this
    ask_meld_above: int  # likewise about a meld

    def steps_at(self, bid: int) -> tuple[int, int]:
        """The bid from which steps are counted at this height, and the step."""
        return self.opening_bid, self.bid_step


MELDS = tuple(kind.setting for kind in MeldKind if kind is not MeldKind.NINE_OF_TRUMP)
"""The settings of melds that are worth more where they come more than once."""


def setting_problems(rules: PinochleRules, *, widow: int = 0, all_dealt: bool = True) -> Iterator[SettingProblem]:
    """What is wrong with a pinochle's settings together; with `all_dealt`, no card of the pack may be left over."""
    if rules.ranks != tuple(rank for rank in RANKS if rank in rules.ranks) or len(rules.ranks) < len(RANKS) - 1:
        yield SettingProblem("ranks", "setting.ranks", named(ranks=", ".join(RANKS)))
    if missing := [rank for rank, _worth in rules.counters if rank not in rules.ranks]:
        yield SettingProblem("counters", "setting.not-in-pack", named(names=", ".join(missing)))
    for name in MELDS:
        yield from _meld_setting(name, getattr(rules, name), copies=rules.copies)
    if rules.dropped_bid > rules.opening_bid:
        yield more_than("dropped_bid", rules.dropped_bid, other="opening_bid", most=rules.opening_bid)
    dealt = rules.shape.players * rules.hand_size + widow
    cards = 4 * len(rules.ranks) * rules.copies
    if dealt > cards:
        yield SettingProblem("hand_size", "setting.pack", named(dealt=dealt, cards=cards))
    elif dealt < cards and all_dealt:
        yield SettingProblem("hand_size", "setting.pack-left", named(dealt=dealt, cards=cards))


def _meld_setting(name: str, values: tuple[int, ...], *, copies: int) -> Iterator[SettingProblem]:
    if len(values) != copies:
        yield SettingProblem(name, "setting.how-many", named(count=copies, written=len(values)))
        return
    for earlier, later in pairwise(values):
        if later < earlier:
            yield SettingProblem(name, "setting.falling", named(later=later, earlier=earlier))
            return


@lru_cache(maxsize=64)
def meld_table(rules: PinochleRules) -> MeldTable:
    """The meld values of a rule set."""
    ranks = tuple(RANKS.index(rank) for rank in rules.ranks)
    nines = tuple(count * rules.nine_of_trump for count in range(rules.copies + 1))
    worth = {kind: nines if kind is MeldKind.NINE_OF_TRUMP else (0, *getattr(rules, kind.setting)) for kind in MeldKind}
    pack = one_pack(rules) or OnePack(0)
    return MeldTable(
        copies=rules.copies,
        hand_size=rules.hand_size,
        ranks=ranks,
        worth=worth,
        partners_most=pack.partners,
        partners_gaps=pack.gaps,
    )


@lru_cache(maxsize=64)
def points_by_kind(rules: PinochleRules) -> tuple[int, ...]:
    """Points of each kind of card when taken: 24 values, in the rule set's scale."""
    worth = dict(rules.counters)
    return tuple(worth.get(rank, 0) for rank in RANKS) * len(SUITS)


def points_in_pack(rules: PinochleRules) -> int:
    """All that can be taken in one deal, the last trick included: 25 at St. Hilary, 500 in the x10 scale."""
    return len(SUITS) * rules.copies * sum(worth for _rank, worth in rules.counters) + rules.last_trick


def pack(rules: PinochleRules) -> list[int]:
    """All cards of the pack, in order."""
    return [
        6 * suit + RANKS.index(rank)
        for suit in range(len(SUITS))
        for rank in rules.ranks
        for _copy in range(rules.copies)
    ]


def counted(cards: Iterable[int]) -> list[int]:
    """How many of each of the 24 kinds of card."""
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    return counts


def points_of(cards: Sequence[int], rules: PinochleRules) -> int:
    """Points of cards taken, without the last trick."""
    worth = points_by_kind(rules)
    return sum(worth[card] for card in cards)


def in_cards(take: Sequence[int], side: int, *, last: int | None, rules: PinochleRules) -> int:
    """What a side took in cards alone, when side `last` won the last trick."""
    return take[side] - (rules.last_trick if side == last else 0)


def take_line(side: int, take: int, *, last: int | None, rules: PinochleRules, game: str = "pinochle") -> Line:
    """The line of what a side took, with the codes of the `game`; `last` is the side that won the last trick, None
    where nobody knows."""
    if side != last:
        return Line(side, take, f"{game}.take", named(take=take))
    return Line(side, take, f"{game}.take-last", named(counters=take - rules.last_trick, last=rules.last_trick))
