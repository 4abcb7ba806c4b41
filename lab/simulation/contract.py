"""True deals of five hundred, euchre, bid euchre and whist: dealt and played trick by trick, with a real pack.

Players follow suit if they can, else play any card; the highest trump wins, else the highest card of the suit led.
Bowers and a joker are left out: they change who wins a trick, not what a card of tricks can say.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring.engine.contract import HONOURS, Alone, Call, ContractDeal, ContractRules, Trump

SUITS = tuple(trump for trump in Trump if trump is not Trump.NO_TRUMP)
TRUMPS: dict[Trump, int] = {suit: number for number, suit in enumerate(SUITS)}

Card = tuple[int, int]  # suit, rank: the higher wins


def play(rng: Random, rules: ContractRules, /, *, deals_before: int, before: Sequence[int] | None = None) -> Any:
    """One deal. Honours of a side that counts none by its score aren't noted."""
    sides, seats = rules.shape.sides, rules.shape.players
    hands = _deal_hands(rng, seats=seats, cards=rules.tricks)
    trump = rng.choice(tuple(Trump) if rules.bids else SUITS)
    facts: dict[str, Any] = _call(rng, rules, trump)
    call, partner, alone = facts.get("call"), facts.get("partner"), facts.get("alone")
    bidder = rng.randrange(seats)
    out = set()
    if rules.bids or rules.maker_points:
        facts["bidder"] = bidder % sides
        if partner:
            facts["partner"] = (bidder + partner) % sides
        if call or (alone and alone.made):
            out |= set(range(bidder % sides, seats, sides)) - {bidder}
        if alone and alone.defended:
            other = (bidder + 1) % sides
            out |= set(range(other, seats, sides)) - {other}
    if rules.honours and rng.random() < 0.9:
        held = tuple(_honours(hands, TRUMPS[trump], side=side, sides=sides) for side in range(sides))
        late = [rules.no_honours_from is not None and score >= rules.no_honours_from for score in before or held]
        facts["honours"] = () if before is not None and any(late) else held
    stops = call is not None and call.takes_none and not rules.misere_tricks and rng.random() < 0.5
    won_by = _play_tricks(
        rng,
        {seat: hand for seat, hand in enumerate(hands) if seat not in out},
        trump=TRUMPS.get(Trump.NO_TRUMP if call and call.takes_none else trump),
        stop_at=bidder if stops else None,
    )
    tricks = tuple(sum(seat % sides == side for seat in won_by) for side in range(sides))
    return ContractDeal(tricks=tricks, **facts)


def _call(rng: Random, rules: ContractRules, trump: Trump) -> dict[str, Any]:
    """What is bid, or who plays alone; of five players who is called, as seats from the bidder."""
    if rules.bids:
        partner = rng.randrange(1, 5) if rules.partners_called and rng.random() < 0.8 else None
        if rules.calls and rng.random() < 0.3:
            call = Call(rng.choice(rules.calls)[0])
            return {"call": call, "partner": None if call.takes_none else partner}
        bid = min(rules.tricks, (rules.opening_bid or 1) + int(rng.expovariate(0.7)))
        return {"bid": bid, "trump": trump if rules.trump_values else None, "partner": partner}
    points = dict(rules.maker_points)
    if "lone-march" in points and rng.random() < 0.3:
        both = "defended-alone" in points and rng.random() < 0.3
        return {"alone": Alone.BOTH if both else Alone.MAKER}
    return {}


def _deal_hands(rng: Random, *, seats: int, cards: int) -> list[list[Card]]:
    """So many cards for each seat, of a pack with as many ranks as that takes."""
    ranks = max(13 if seats * cards == 52 else 6, -(-seats * cards // 4))
    pack = [(suit, rank) for suit in range(4) for rank in range(ranks)]
    rng.shuffle(pack)
    return [pack[seat * cards : (seat + 1) * cards] for seat in range(seats)]


def _play_tricks(rng: Random, hands: dict[int, list[Card]], *, trump: int | None, stop_at: int | None) -> list[int]:
    """The seats that won the tricks, in order; play ends early with a trick of `stop_at`."""
    leader, won = rng.choice(list(hands)), list[int]()
    for _trick in range(len(hands[leader])):
        seats = sorted(hands, key=lambda seat: (seat - leader) % (max(hands) + 1))
        played: dict[int, Card] = {}
        for seat in seats:
            led = played[leader][0] if played else None
            can = [card for card in hands[seat] if card[0] == led] or hands[seat]
            played[seat] = rng.choice(can)
            hands[seat].remove(played[seat])
        suit = played[leader][0]
        leader = max(seats, key=lambda seat: (played[seat][0] == trump, played[seat][0] == suit, played[seat][1]))
        won.append(leader)
        if leader == stop_at:
            break
    return won


def _honours(hands: Sequence[Sequence[Card]], trump: int, *, side: int, sides: int) -> int:
    highest = max(rank for hand in hands for _suit, rank in hand)
    return sum(suit == trump and rank > highest - HONOURS for hand in hands[side::sides] for suit, rank in hand)
