"""Checks that every pinochle's card must pass: its bid, its melds, the sum of what was taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd

from scoring.engine.core.ledger import Problem, against_rules, impossible, malformed, unlikely
from scoring.engine.pinochle.cards import RANKS, PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle.meld_points import SUIT_ORDER, MeldKind, Suit
from scoring.engine.pinochle.named_melds import PlayerMelds, by_side, cards_needed, counted_problems, points_of_sides
from scoring.engine.pinochle.one_pack import one_pack
from scoring.engine.pinochle.possible_totals import can_meld, nearest


def columns(figures: Sequence[object], needed: int, *, field: str, code: str = "pinochle.columns") -> Iterator[Problem]:
    """A problem unless there is one figure for each side."""
    if len(figures) != needed:
        yield malformed(code, field, needed=needed, given=len(figures))


def bid_problems(bid: int, rules: PinochleRules) -> Iterator[Problem]:
    """What is wrong with the bid of a card. When all others pass the dealer takes it at the dropped bid."""
    if bid == rules.dropped_bid:
        return
    yield from call_problems(bid, rules, field="bid")
    if bid > rules.ask_bid_above:
        yield unlikely("pinochle.bid-high", "bid", bid=bid)


def is_bid(bid: int, rules: PinochleRules) -> bool:
    """Whether a player may bid so much; the dropped bid isn't counted."""
    start, step = rules.steps_at(bid)
    return bid >= rules.opening_bid and (bid - start) % step == 0


def all_bids(most: int, rules: PinochleRules) -> tuple[int, ...]:
    """Every bid that a card can have, up to `most`, in rising order."""
    return tuple(bid for bid in range(most + 1) if bid == rules.dropped_bid or is_bid(bid, rules))


def call_problems(bid: int, rules: PinochleRules, *, field: str) -> Iterator[Problem]:
    """Why nobody can call such a bid."""
    start, step = rules.steps_at(bid)
    if bid < rules.opening_bid:
        yield against_rules("pinochle.bid-too-low", field, bid=bid, lowest=rules.opening_bid, dropped=rules.dropped_bid)
    elif (bid - start) % step:
        yield against_rules("pinochle.bid-step", field, bid=bid, lowest=start, step=step)


def negatives(figures: Sequence[int], field: str) -> Iterator[Problem]:
    """Figures below nought: nobody melds or takes less than nothing."""
    for side, points in enumerate(figures):
        if points < 0:
            yield impossible("pinochle.negative", field, side=side, points=points)


def meld_problems(
    melds: Sequence[int], rules: PinochleRules, *, partners: bool, trump: Suit | None = None
) -> Iterator[Problem]:
    """Melds that no hands can have, under the trump if it is known."""
    yield from negatives(melds, "meld")
    table, known = meld_table(rules), None if trump is None else SUIT_ORDER.index(trump)
    alone = True  # whether each by itself can be melded
    for side, meld in enumerate(melds):
        if meld >= 0 and not can_meld(table, meld, partners=partners, known=known):
            yield _meld_impossible(side, meld, rules=rules, partners=partners, known=known)
            alone = False
        elif meld > rules.ask_meld_above:
            yield unlikely("pinochle.meld-high", "meld", side=side, meld=meld)
    pack, together = one_pack(rules), sum(melds)
    if alone and pack is not None and together > pack.all_players:
        yield impossible("pinochle.meld-pack", "meld", meld=together, most=pack.all_players)


def noted_meld_problems(
    melds: Sequence[int], counted: Sequence[PlayerMelds], *, trump: Suit | None, rules: PinochleRules, least: int = 0
) -> Iterator[Problem]:
    """What is wrong with melds as a card has them, as totals, by name or both. A meld below the `least` may be written
    as 0."""
    one_each = len(melds) == rules.shape.sides
    if counted:
        yield from counted_problems(counted, trump, rules=rules)
        if one_each and len(counted) == rules.shape.players:
            yield from negatives(melds, "meld")
            for side, (written, made) in enumerate(zip(melds, points_of_sides(counted, rules), strict=True)):
                if written != made and not (written == 0 and made < least):
                    yield malformed("pinochle.counted-differs", "meld", side=side, written=written, counted=made)
    elif one_each:
        yield from meld_problems(melds, rules, partners=rules.shape.per_side > 1, trump=trump)


def _meld_impossible(side: int, meld: int, *, rules: PinochleRules, partners: bool, known: int | None) -> Problem:
    """The problem of a meld that no cards make, with the nearest that they can make."""
    below, above = nearest(meld_table(rules), meld, partners=partners, known=known)
    pair, cards = "-pair" if partners else "", rules.hand_size
    if above is None:
        return impossible(f"pinochle.meld-most{pair}", "meld", side=side, meld=meld, cards=cards, most=below)
    code = f"pinochle.meld-impossible{pair}"
    return impossible(code, "meld", side=side, meld=meld, cards=cards, below=below, above=above)


def take_problems(take: Sequence[int], last_trick: int | None, *, rules: PinochleRules) -> Iterator[Problem]:
    """Takes that no tricks are worth, whatever the sides' takes add up to."""
    yield from negatives(take, "take")
    step, possible = _takes(rules)
    for side, points in enumerate(take):
        if step > 1 and points % step:
            yield impossible("pinochle.take-step", "take", side=side, take=points, step=step)
        elif 0 <= points < possible.bit_length() and not possible >> points & 1:
            yield impossible("pinochle.take-cards", "take", side=side, take=points)
    if last_trick is not None and 0 <= (taken := take[last_trick]) < rules.last_trick:
        yield impossible("pinochle.last-trick-take", "take", side=last_trick, take=taken, last=rules.last_trick)


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
    counted: Sequence[PlayerMelds], trump: Suit | None, *, rules: PinochleRules
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
        yield by_side(each, rules)


def sure_problems(take: Sequence[int], least: Iterable[Sequence[int]]) -> Iterator[Problem]:
    """Takes lower than melded trumps are sure to win, whichever suit is trump. `least`: for each such suit, what each
    side is sure to win."""
    found = [
        [
            impossible("pinochle.sure-take", "take", side=side, least=sure, take=taken)
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
        yield impossible("pinochle.take-total", "take", total=sum(take), needed=needed)
