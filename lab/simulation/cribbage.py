"""Deals of cribbage played with a real pack: any discards, any card that may be played, and what they peg."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

from scoring.engine.cribbage import CribbageDeal, CribbageRules

Card: TypeAlias = tuple[int, int]  # rank from 1 (ace) to 13 (king), suit
Scores: TypeAlias = Callable[[int, int], None]  # a player pegs points
PACK = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
JACK, FIFTEEN, FULL = 11, 15, 31
KEPT = 4  # cards of a hand


def count_hand(hand: Sequence[Card], starter: Card, *, crib: bool) -> int:
    """What a hand or crib counts with the starter: fifteens, pairs, runs, a flush, his nobs."""
    cards = [*hand, starter]
    total = sum(2 for n in range(2, 6) for some in combinations(cards, n) if sum(map(_pips, some)) == FIFTEEN)
    total += sum(2 for one, other in combinations(cards, 2) if one[0] == other[0])
    for length in (5, 4, 3):
        runs = [some for some in combinations(cards, length) if _is_run([rank for rank, _suit in some])]
        if runs:
            total += length * len(runs)
            break
    if len({suit for _rank, suit in hand}) == 1:
        total += 5 if starter[1] == hand[0][1] else 0 if crib else 4
    return total + ((JACK, starter[1]) in hand)


def _pips(card: Card) -> int:
    return min(card[0], 10)


def _is_run(ranks: Sequence[int]) -> bool:
    return len(set(ranks)) == len(ranks) == max(ranks) - min(ranks) + 1


def peg(pile: Sequence[int]) -> int:
    """What the last card of a pile pegs, without go: 15 and 31, pairs, a run."""
    total = 2 * (sum(min(rank, 10) for rank in pile) in (FIFTEEN, FULL))
    same = next((n for n, rank in enumerate(reversed(pile)) if rank != pile[-1]), len(pile))
    total += same * (same - 1)
    return total + next((n for n in range(len(pile), 2, -1) if _is_run(pile[-n:])), 0)


class _Out(Exception):
    """A side is in the game hole."""


def play(rng: Random, rules: CribbageRules, *, deals_before: int, before: Sequence[int] | None = None) -> CribbageDeal:
    """A deal, cut short as soon as a side has the target; with the scores `before` it, or none."""
    sides, players = rules.shape.sides, rules.shape.players
    dealer, totals = deals_before % players, list(before or (0,) * sides)
    pack = rng.sample(PACK, len(PACK))
    dealt = {2: 6, 3: 5, 4: 5}[players]
    hands = [[pack.pop() for _card in range(dealt)] for _player in range(players)]
    crib = [hand.pop() for hand in hands for _card in range(dealt - KEPT)]
    crib += [pack.pop() for _card in range(KEPT - len(crib))]
    starter = pack.pop()
    found = {"pegging": [0] * sides, "hands": [0] * sides, "crib": [0] * sides}

    def score(what: str, player: int, points: int) -> None:
        side = player % sides
        points = min(points, rules.target - totals[side])
        totals[side] += points
        found[what][side] += points
        if totals[side] == rules.target:
            raise _Out

    try:
        score("pegging", dealer, 2 * (starter[0] == JACK))
        _play_out(rng, [list(hand) for hand in hands], dealer=dealer, score=lambda p, n: score("pegging", p, n))
        for place in range(1, players + 1):
            player = (dealer + place) % players
            score("hands", player, count_hand(hands[player], starter, crib=False))
        score("crib", dealer, count_hand(crib, starter, crib=True))
    except _Out:
        pass
    return CribbageDeal(
        dealer=dealer % sides, pegging=tuple(found["pegging"]), hands=tuple(found["hands"]), crib=sum(found["crib"])
    )


def _play_out(rng: Random, left: list[list[Card]], *, dealer: int, score: Scores) -> None:
    turn, pile, last = (dealer + 1) % len(left), list[int](), dealer
    passed = 0
    while any(left):
        room = FULL - sum(min(rank, 10) for rank in pile)
        can = [card for card in left[turn] if _pips(card) <= room]
        if can:
            card = rng.choice(can)
            left[turn].remove(card)
            pile.append(card[0])
            last, passed = turn, 0
            score(turn, peg(pile))
            if sum(min(rank, 10) for rank in pile) == FULL:
                pile = []
        else:
            passed += 1
        if passed == len(left) and pile:
            score(last, 1)
            pile, passed, turn = [], 0, last
        turn = (turn + 1) % len(left)
    if pile:
        score(last, 1)
