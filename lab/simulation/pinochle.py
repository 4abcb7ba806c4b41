"""The auction and the tricks, for true deals: what a table of sane players does with a real pack.

Trick rules, strict: follow suit and head the highest card of the suit led if you can; else trump, over the
highest trump if you can; else any card. Of equal cards the first wins. Source: 004 "RULES of PLAY".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scoring.engine.pinochle import partnership, three_hand
from scoring.engine.pinochle.auction import PASS, AuctionRules, Bidding, is_bid
from scoring.engine.pinochle.melds import (
    ACE,
    AROUND,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANKS,
    SPADES,
    SUIT_ORDER,
    SUITS,
    Meld,
    MeldKind,
    MeldTable,
    PinochleRules,
    PlayerMelds,
    Suit,
    count_kinds,
    meld_table,
    pack,
    points_in_pack,
    side_points,
    sum_by_side,
    with_melds,
)
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal, PartnershipRules
from scoring.engine.pinochle.three_hand import ThreeHandDeal, ThreeHandRules

COUNTED = 0.4  # the chance that melds are counted by name
UNDECLARED = 0.1  # the chance that a meld stays undeclared


@dataclass(frozen=True, slots=True)
class Tricks:
    """What each seat took: `points` in cards (without the last trick), `scoring`: tricks with points in them."""

    points: tuple[int, ...]
    scoring: tuple[int, ...]
    last: int | None  # seat that won the last trick; None when play stopped before it


def shuffled(rng: Random, rules: PinochleRules, *, seats: int) -> tuple[list[list[int]], list[int]]:
    """The cards of every seat, and the widow: what is left of a shuffled pack."""
    cards = pack(rules)
    rng.shuffle(cards)
    size = rules.hand_size
    return [cards[seat * size : (seat + 1) * size] for seat in range(seats)], cards[seats * size :]


def count_melds(counts: Sequence[int], trump: int) -> list[tuple[MeldKind, int]]:
    """How many of each kind of meld one player has, marriages suit by suit; `counts` are the 24 counts of the cards.

    As many runs are counted as there can be: in no table are other melds of the same cards worth more.
    """
    married = [min(counts[6 * suit + KING], counts[6 * suit + QUEEN]) for suit in SUITS]
    base = 6 * trump
    runs = min(counts[base : base + NINE])
    return [
        (MeldKind.RUN, runs),
        (MeldKind.ROYAL_MARRIAGE, married.pop(trump) - runs),
        *[(MeldKind.MARRIAGE, many) for many in married],
        (MeldKind.NINE_OF_TRUMP, counts[base + NINE]),
        *[(kind, min(counts[rank::6])) for kind, rank in AROUND.items()],
        (MeldKind.PINOCHLE, min(counts[6 * SPADES + QUEEN], counts[6 * DIAMONDS + JACK])),
    ]


def meld_points(counts: Sequence[int], trump: int, *, table: MeldTable) -> int:
    """Points of all melds of one player."""
    return sum([table.worth[kind][many] for kind, many in count_melds(counts, trump) if many])


def all_melds(counts: Sequence[int], trump: Suit) -> PlayerMelds:
    """Every meld in one player's cards; `counts` are the 24 counts of the cards."""
    plain = (suit for suit in SUIT_ORDER if suit is not trump)
    each = [
        Meld(kind, next(plain) if kind is MeldKind.MARRIAGE else None, many)
        for kind, many in count_melds(counts, SUIT_ORDER.index(trump))
    ]
    return PlayerMelds(tuple(meld for meld in each if meld.count))


def points_by_kind(rules: PinochleRules) -> tuple[int, ...]:
    """Points of each kind of card when taken: 24 values, in the rule set's scale."""
    worth = dict(rules.counters)
    return tuple(worth.get(rank, 0) for rank in RANKS) * len(SUITS)


def trick_points(cards: Sequence[int], rules: PinochleRules) -> int:
    """Points of cards taken, without the last trick."""
    worth = points_by_kind(rules)
    return sum(worth[card] for card in cards)


def next_bid(bid: int, rules: AuctionRules) -> int:
    """The lowest bid above this one."""
    bid = max(bid + 1, rules.opening_bid)
    while not is_bid(bid, rules):
        bid += 1
    return bid


def best_trump(cards: Sequence[int], rules: PinochleRules, *, suits: Sequence[int] = range(4)) -> tuple[int, int]:
    """The suit that melds most with the cards as trump (of equals the longest), and the points of that meld."""
    counts = count_kinds(cards)
    table = meld_table(rules)
    melds = [(meld_points(counts, suit, table=table), sum(counts[6 * suit : 6 * suit + 6]), suit) for suit in suits]
    meld, _length, suit = max(melds)
    return suit, meld


def note_melds(rng: Random, hands: Sequence[Sequence[int]], *, trump: int, rules: PinochleRules) -> dict[str, Any]:
    """The facts of what players melded, with their cards side by side: as totals, by name, or both; of those by name,
    now and then one stays undeclared."""
    counts = [count_kinds(cards) for cards in hands]
    if rng.random() >= COUNTED:
        return {"meld": sum_by_side([meld_points(each, trump, table=meld_table(rules)) for each in counts], rules)}
    suit = SUIT_ORDER[trump]
    melds = [all_melds(each, suit).melds for each in counts]
    laid = tuple(PlayerMelds(tuple(meld for meld in held if rng.random() >= UNDECLARED)) for held in melds)
    noted = {"trump": suit, "counted": laid}
    return noted | ({"meld": side_points(laid, rules)} if rng.random() < COUNTED else {})


def auction(rng: Random, worth: Sequence[int], *, dealer: int, rules: AuctionRules) -> tuple[int, int, tuple[int, ...]]:
    """An auction in which each seat would go as far as its `worth`: the seat that holds the bid, the bid, and all calls
    from the dealer's left (a pass is 0).

    From the dealer's left, up by a step or a small jump; who passes is out. When all others pass, the dealer
    must take it at the dropped bid. Source: 004 "The Bid".
    """
    seats = len(worth)
    now = Bidding([(dealer + 1 + i) % seats for i in range(seats)])
    calls: list[int] = []
    while not now.over and not now.dropped:
        most, lowest = worth[now.bidding[now.turn]], next_bid(now.highest, rules)
        calls.append(_jump(rng, lowest, most=most, rules=rules) if most >= lowest else PASS)
        now.call(calls[-1])
    return now.bidding[0], rules.dropped_bid if now.dropped else now.highest, tuple(calls)


def _jump(rng: Random, lowest: int, *, most: int, rules: AuctionRules) -> int:
    bid = lowest
    for _step in range(rng.choice((0, 0, 0, rng.randint(0, 3)))):
        if (higher := next_bid(bid, rules)) <= most:
            bid = higher
    return bid


def legal(cards: Sequence[int], trick: Sequence[int], *, trump: int) -> list[int]:
    """The cards that may be played to a trick (cards in order of play; none: any card may be led)."""
    if not trick:
        return list(cards)
    led = trick[0] // 6
    for suit in (led, trump):
        if held := [card for card in cards if card // 6 == suit]:
            highest = min((card for card in trick if card // 6 == suit), default=6 * suit + 6)
            return [card for card in held if card < highest] or held
    return list(cards)


def winner(trick: Sequence[int], trump: int) -> int:
    """Place in the trick of the card that wins it; of equal cards the first."""
    suit = trump if any(card // 6 == trump for card in trick) else trick[0] // 6
    return trick.index(min(card for card in trick if card // 6 == suit))


def play_tricks(
    rng: Random,
    hands: Sequence[Sequence[int]],
    *,
    leader: int,
    trump: int,
    rules: PinochleRules,
    stop_after: int | None = None,
) -> Tricks:
    """Legal play to the last trick, or for `stop_after` tricks. Each seat leans, at random, to high or to low cards."""
    seats = len(hands)
    held = [list(cards) for cards in hands]
    lean = [rng.choice((0.0, 0.0, 0.5, -0.5, 0.9, -0.9)) for _seat in range(seats)]
    worth = points_by_kind(rules)
    points, scoring = [0] * seats, [0] * seats
    last: int | None = None
    for number in range(len(held[0])):
        if number == stop_after:
            return Tricks(tuple(points), tuple(scoring), None)
        trick: list[int] = []
        for turn in range(seats):
            seat = (leader + turn) % seats
            card = _choose_card(rng, legal(held[seat], trick, trump=trump), lean=lean[seat])
            held[seat].remove(card)
            trick.append(card)
        leader = last = (leader + winner(trick, trump)) % seats
        taken = sum(worth[card] for card in trick)
        points[leader] += taken
        scoring[leader] += taken > 0
    return Tricks(tuple(points), tuple(scoring), last)


def _choose_card(rng: Random, cards: list[int], *, lean: float) -> int:
    if len(cards) == 1:
        return cards[0]
    if rng.random() < abs(lean):
        return (min if lean > 0 else max)(cards, key=lambda card: card % 6)
    return cards[int(rng.random() * len(cards))]


def split_off_least(
    cards: Sequence[int], many: int, *, trump: int, rules: PinochleRules
) -> tuple[list[int], list[int]]:
    """Cards to keep and `many` to give away: one at a time the card that costs least meld; of equals one not of trump,
    then a low one."""
    table = meld_table(rules)
    kept = list(cards)
    given = []
    counts = count_kinds(kept)
    for _card in range(many):
        costs = []
        for card in set(kept):
            counts[card] -= 1
            costs.append((-meld_points(counts, trump, table=table), card // 6 == trump, -(card % 6), card))
            counts[card] += 1
        card = min(costs)[-1]
        kept.remove(card)
        counts[card] -= 1
        given.append(card)
    return kept, given


# --- partnership -----------------------------------------------------------------------------------------

REDEALS = 20  # at most
RENEGE, CONCEDES, LAY_DOWN, UNNOTED = 0.02, 0.5, 0.04, 0.3  # chances of the rarer endings and of no note
MISDEALS = 0.01  # the chance that the deal was lost before


def play_partnership(
    rng: Random, rules: PartnershipRules, *, deals_before: int, before: Sequence[int] | None = None
) -> PartnershipDeal:
    """The card of a true deal: a real pack, shuffled, bid, passed, melded and played by the rules.

    Seat `s` is of side `s % 2`; the deal passes to the left.
    """
    redeals = [0, 0]
    for _again in range(REDEALS):
        hands, _widow = shuffled(rng, rules, seats=4)
        thrown_in = next((seat for seat, cards in enumerate(hands) if may_redeal(cards, rules)), None)
        if thrown_in is None:
            break
        redeals[thrown_in % 2] += 1
    dealer = deals_before % 4
    bidder, bid, calls = auction(
        rng, [_highest_bid_of_two(rng, cards, rules=rules) for cards in hands], dealer=dealer, rules=rules
    )
    partner = (bidder + 2) % 4
    deal = PartnershipDeal(bid_side=bidder % 2, bid=bid, redeals=tuple(redeals) if any(redeals) else ())
    if rules.misdeals and rng.random() < MISDEALS:
        deal = replace(deal, deals_lost=(1, 0) if dealer % 2 else (0, 1))  # the dealer sits on the loser's left
    if rng.random() < COUNTED:
        deal = replace(deal, dealer=dealer, bids=calls if rng.random() < COUNTED else ())
    married = (suit for suit in range(4) if {6 * suit + KING, 6 * suit + QUEEN} <= {*hands[bidder]})
    suits = tuple(married if rules.no_marriage_is_set else range(4))
    if not suits:
        return replace(deal, ending=Ending.NO_MARRIAGE)
    trump, _meld = best_trump(hands[bidder], rules, suits=suits)
    kept, back = split_off_least(hands[bidder], rules.cards_passed, trump=trump, rules=rules)
    wanted = sorted(hands[partner], key=lambda card: (card // 6 != trump or card % 6 == NINE, card % 6))
    over, rest = wanted[: rules.cards_passed], wanted[rules.cards_passed :]
    hands[bidder], hands[partner] = kept + over, rest + back
    deal = replace(deal, **note_melds(rng, [hands[seat] for seat in (0, 2, 1, 3)], trump=trump, rules=rules))
    return _play_out(rng, deal, hands=hands, bidder=bidder, trump=trump, rules=rules)


def _play_out(
    rng: Random, deal: PartnershipDeal, *, hands: list[list[int]], bidder: int, trump: int, rules: PartnershipRules
) -> PartnershipDeal:
    if rng.random() < RENEGE:
        return replace(deal, ending=rng.choice((Ending.RENEGE_BID_SIDE, Ending.RENEGE_OTHER_SIDE)))
    meld = with_melds(deal, rules).meld[deal.bid_side]
    hopeless = meld + points_in_pack(rules) // 2 < deal.bid
    if hopeless and rules.concession is not None and rng.random() < CONCEDES:
        return replace(deal, ending=Ending.CONCEDED)
    stop, ending = None, Ending.PLAYED
    if rng.random() < LAY_DOWN:
        stop = rng.randrange(rules.hand_size)
        ending = rng.choice((Ending.LAY_DOWN_BID_SIDE, Ending.LAY_DOWN_OTHER_SIDE))
    tricks = play_tricks(rng, hands, leader=bidder, trump=trump, rules=rules, stop_after=stop)
    take = [tricks.points[0] + tricks.points[2], tricks.points[1] + tricks.points[3]]
    if tricks.last is None:
        return replace(deal, take=tuple(take), ending=ending)
    last = tricks.last % 2
    take[last] += rules.last_trick
    deal = replace(deal, take=tuple(take), last_trick=last)
    unnoted = replace(deal, last_trick=None)
    return unnoted if rng.random() < UNNOTED and not partnership.check(unnoted, rules) else deal


def may_redeal(cards: Sequence[int], rules: PartnershipRules) -> bool:
    """Whether a player may throw these cards in: five nines (or more) and no meld. Source: 004 "Five-9's, no Meld"."""
    nines = sum(card % 6 == NINE for card in cards)
    if not rules.five_nines or nines < rules.five_nines:
        return False
    counts = [0 if kind % 6 == NINE else many for kind, many in enumerate(count_kinds(cards))]
    return not any(meld_points(counts, trump, table=meld_table(rules)) for trump in range(4))


def _highest_bid_of_two(rng: Random, cards: Sequence[int], *, rules: PartnershipRules) -> int:
    """The highest bid that a player goes to: own meld, counters for aces and trumps, what the partner brings, luck."""
    trump, meld = best_trump(cards, rules)
    aces = sum(card % 6 == ACE for card in cards)
    trumps = sum(card // 6 == trump for card in cards)
    most = points_in_pack(rules)
    return meld + 2 * aces + trumps + rng.randint(most // 12, most * 2 // 5)


# --- three-hand ------------------------------------------------------------------------------------------

CONCEDES_ALONE, NOTED = 0.5, 0.7  # chances: to concede a hopeless bid, to note who won the last trick


def play_three_hand(
    rng: Random, rules: ThreeHandRules, *, deals_before: int, before: Sequence[int] | None = None
) -> ThreeHandDeal:
    """A true deal: a real pack shuffled, bid, the widow taken, melded, discarded and played by the rules."""
    hands, widow = shuffled(rng, rules, seats=3)
    dealer = deals_before % 3
    bidder, bid, calls = auction(
        rng, [_highest_bid_alone(rng, cards, rules=rules) for cards in hands], dealer=dealer, rules=rules
    )
    trump, _meld = best_trump(hands[bidder], rules)
    hands[bidder], discard = split_off_least(hands[bidder] + widow, rules.widow, trump=trump, rules=rules)
    deal = ThreeHandDeal(bidder=bidder, bid=bid, **note_melds(rng, hands, trump=trump, rules=rules))
    if rng.random() < COUNTED:
        deal = replace(deal, dealer=dealer, bids=calls if rng.random() < COUNTED else ())
    if with_melds(deal, rules).meld[bidder] + points_in_pack(rules) // 2 < bid and rng.random() < CONCEDES_ALONE:
        return replace(deal, conceded=True)
    tricks = play_tricks(rng, hands, leader=bidder, trump=trump, rules=rules)
    last = tricks.last or 0
    take = list(tricks.points)
    take[last] += rules.last_trick
    take[bidder] += trick_points(discard, rules)
    scored = tricks.scoring[bidder] > 0 or (last == bidder and rules.last_trick_is_scoring)
    full = replace(deal, take=tuple(take), last_trick=last, bidder_scored=scored)
    unnoted = replace(full, last_trick=None if rng.random() > NOTED else last, bidder_scored=None)
    return full if three_hand.check(unnoted, rules) else unnoted


def _highest_bid_alone(rng: Random, cards: Sequence[int], *, rules: ThreeHandRules) -> int:
    """The highest bid that a player goes to: own meld, points for aces and trumps, what the widow may bring, luck."""
    trump, meld = best_trump(cards, rules)
    aces = sum(card % 6 == 0 for card in cards)
    trumps = sum(card // 6 == trump for card in cards)
    return meld + 20 * aces + 10 * trumps + 10 * rng.randint(0, 20)
