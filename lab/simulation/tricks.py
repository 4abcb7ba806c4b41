"""Deals of games of tricks, played with a real pack: any card that may be played, by players who bid by their hands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from scoring.engine.hearts import HeartsDeal, HeartsRules, Moon, shooter
from scoring.engine.trick_bids import TrickBidsDeal, TrickBidsRules

Card: TypeAlias = tuple[int, int]  # suit from 0, rank from 2 to 14

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
PACK = [(suit, rank) for suit in range(4) for rank in range(2, 15)]
NIL = 0.12  # the chance that a player bids nil, and of these that it is bid blind
BLIND = 0.3
MOON = 0.03  # the chance that a player of hearts has the cards to shoot the moon
QUEEN = 12
LEFT_OUT = [(DIAMONDS, 2), (CLUBS, 2), (CLUBS, 3), (SPADES, 2)]  # so many that all have as many cards


@dataclass(frozen=True, slots=True)
class Tricks:
    """What each player took, trick by trick; `hands` are as they were dealt."""

    hands: tuple[tuple[Card, ...], ...]
    took: tuple[tuple[tuple[Card, ...], ...], ...]


def play_out(rng: Random, hands: Sequence[Sequence[Card]], *, trump: int | None = None) -> Tricks:
    """Play all cards: follow suit if you can; the highest trump, else the highest of the suit led, takes the trick."""
    left, leader = [list(hand) for hand in hands], 0
    took: list[list[tuple[Card, ...]]] = [[] for _hand in hands]
    for _trick in range(len(hands[0])):
        played: dict[int, Card] = {}
        for turn in range(len(hands)):
            player = (leader + turn) % len(hands)
            suit = played[leader][0] if played else None
            card = rng.choice([card for card in left[player] if card[0] == suit] or left[player])
            left[player].remove(card)
            played[player] = card
        led = played[leader][0]
        leader = max(played, key=lambda player: (played[player][0] == trump, played[player][0] == led, played[player]))
        took[leader].append(tuple(played.values()))
    return Tricks(tuple(map(tuple, hands)), tuple(map(tuple, took)))


def deal_hands(rng: Random, players: int, cards: int) -> list[list[Card]]:
    pack = rng.sample(PACK, len(PACK))
    return [pack[player * cards : (player + 1) * cards] for player in range(players)]


def play_bids(
    rng: Random, rules: TrickBidsRules, *, deals_before: int, before: Sequence[int] | None = None
) -> TrickBidsDeal:
    """A deal of bids and tricks, with as many cards as its place in the game has."""
    shape, cards = rules.shape, rules.cards_at(deals_before + 1)
    played = play_out(rng, deal_hands(rng, shape.players, cards), trump=SPADES)
    bids, blind = _bids(rng, rules, played.hands)
    took = [len(tricks) for tricks in played.took]
    seats = [rules.players_of(side) for side in range(shape.sides)]
    nils = [bid == 0 and (rules.nil is not None or marked) for bid, marked in zip(bids, blind, strict=True)]
    after = tuple(tricks if nil else 0 for tricks, nil in zip(took, nils, strict=True))
    return TrickBidsDeal(
        bids=tuple(bids),
        tricks=tuple(sum(took[player] for player in players) for players in seats),
        blind=tuple(blind) if any(blind) else (),
        nil_tricks=after if shape.per_side > 1 and any(nils) else (),
    )


def _bids(rng: Random, rules: TrickBidsRules, hands: Sequence[Sequence[Card]]) -> tuple[list[int], list[bool]]:
    """What each player bids, and whether blind. The last one keeps the sum from being the number of cards."""
    bids, blind, cards = [], [], len(hands[0])
    for hand in hands:
        high = sum(rank > 11 for _suit, rank in hand) + sum(suit == SPADES and rank < 12 for suit, rank in hand) // 2
        nil = (rules.nil, rules.blind_nil) != (None, None) and rng.random() < NIL
        blind.append(nil and rules.blind_nil is not None and rng.random() < BLIND)
        guess = max(0, min(cards, high * 10 // 13 + rng.randint(-1, 1)))
        bids.append(0 if nil else guess if rules.nil is None else max(1, guess))
    if rules.hook and sum(bids) == cards:
        bids[-1] += 1 if bids[-1] < cards else -1
    return bids, blind


def play_hearts(
    rng: Random, rules: HeartsRules, *, deals_before: int, before: Sequence[int] | None = None
) -> HeartsDeal:
    """A deal of hearts; in a few one player is dealt so many high ones that nobody else takes a penalty card."""
    players = rules.shape.sides
    pack = [card for card in PACK if card not in LEFT_OUT[: len(PACK) % players]]
    if rng.random() < MOON:
        pack.sort(key=lambda card: (card[0] != HEARTS, card[0] != SPADES, -card[1]))
    else:
        rng.shuffle(pack)
    cards = len(pack) // players
    hands = [pack[player * cards : (player + 1) * cards] for player in range(players)]
    turn = rng.randrange(players)
    played = play_out(rng, hands).took
    took = [[card for trick in tricks for card in trick] for tricks in (*played[turn:], *played[:turn])]
    taker = {card: player for player, cards in enumerate(took) for card in cards}
    other = {"queen": (SPADES, QUEEN), "king": (SPADES, 13), "ace": (SPADES, 14), "jack": (DIAMONDS, 11)}
    deal = HeartsDeal(hearts=tuple(sum(card[0] == HEARTS for card in cards) for cards in took))
    for name in rules.cards:
        deal = replace(deal, **{name: taker[other[name]]})  # type: ignore[arg-type]  # fields by name
    if rules.moon == "choice" and shooter(deal, rules) is not None:
        return replace(deal, moon=rng.choice(list(Moon)))
    return deal
