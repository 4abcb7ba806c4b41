"""Whether cards for several totals fit in one pack: held against trying every choice of ways."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import TypeAlias

import pytest

from scoring.engine.pinochle.fit_in_pack import PLACES, WIDTH, Sharing, Ways, fit_in_pack, soon_fit

Cards: TypeAlias = tuple[int, ...]  # how many of each kind
Player: TypeAlias = set[Cards]  # the ways to meld one total
Side: TypeAlias = list[list[Player]]  # the ways to share its total between its players


def sharings(side: Side, copies: int) -> list[Sharing]:
    def ways(player: Player) -> Ways:
        return Ways(copies, [sum(many << place * WIDTH for place, many in enumerate(cards)) for cards in player])

    return [Sharing.of(*map(ways, players)) for players in side]


def fits(sides: Sequence[Side], copies: int) -> bool:
    return fit_in_pack([sharings(side, copies) for side in sides], copies)


def soon_fits(sides: Sequence[Side], copies: int) -> bool:
    return soon_fit([sharings(side, copies) for side in sides], copies)


def tried(sides: Sequence[Side], copies: int) -> bool:
    """Whether one of all choices needs no more of any card than the pack has."""
    return any(
        all(sum(cards) <= copies for cards in zip(*chosen, strict=True))
        for shared in product(*sides)
        for chosen in product(*(player for players in shared for player in players))
    )


def some_sides(rng: Random, copies: int) -> list[Side]:
    """A few sides, alone or in twos, whose ways need a few of a few kinds of card."""
    kinds = rng.sample(range(PLACES), rng.randint(3, 5))

    def way() -> Cards:
        needed = {kind: rng.randint(0, copies) for kind in rng.sample(kinds, 3)}
        return tuple(needed.get(place, 0) for place in range(PLACES))

    def player() -> Player:
        return {way() for _way in range(rng.randint(1, 5))}

    if rng.random() < 0.5:
        return [[[player()]] for _side in range(rng.randint(2, 5))]
    return [[[player(), player()] for _sharing in range(rng.randint(1, 3))] for _side in range(rng.randint(2, 3))]


def test_sides_fit_in_a_pack_exactly_when_some_choice_of_ways_does() -> None:
    rng = Random(54)
    found = []
    for _pack in range(800):
        copies = rng.randint(1, 4)
        sides = some_sides(rng, copies)
        expected = tried(sides, copies)
        assert fits(sides, copies) == expected, (sides, copies)
        assert soon_fits(sides, copies) == expected, (sides, copies)
        found.append(expected)
    assert 200 < sum(found) < 600


def test_what_is_seen_only_in_many_steps_is_not_soon_seen() -> None:
    """Six for five places, of whom the first can stand aside, when seven others leave room for it and may."""
    aside, places = 6, range(5)

    def only(place: int) -> Cards:
        return tuple(2 * (of == place) for of in range(PLACES))

    six = [{only(place) for place in places} for _player in range(6)]
    six[0].add(only(aside))
    seven = [{only(aside), only(11)}] + [{only(aside), (0,) * PLACES}] * 6
    sides = [[[player]] for player in six + seven]
    assert fits(sides, 2)
    assert not soon_fits(sides, 2)
    six[0].remove(only(aside))
    assert not fits(sides, 2)
    assert not soon_fits(sides, 2)


def test_partners_whose_every_two_ways_clash_over_another_card_fit_in_no_pack() -> None:
    def both(*cards: int) -> Cards:
        return tuple(int(place in cards) for place in range(PLACES))

    first: Player = {both(0, 1), both(2, 3)}
    second: Player = {both(0, 2), both(1, 3)}
    assert not fits([[[first, second], [second, first]]], 1)
    assert not fits([[[first, second]]], 1)
    assert fits([[[first, second]]], 2)


@pytest.mark.parametrize("copies", [1, 2, 4])
def test_a_side_without_a_way_to_share_its_total_fits_in_no_pack(copies: int) -> None:
    nothing: Player = {(0,) * PLACES}
    assert fits([[[nothing]]], copies)
    assert not fits([[], [[nothing]]], copies)
