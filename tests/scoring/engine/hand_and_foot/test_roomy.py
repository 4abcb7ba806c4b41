"""Where Hand and Foot spares the search: every limit that figures must keep away from, from both its sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.engine.hand_and_foot.card import Totals
from scoring.engine.hand_and_foot.melds import melds_of
from scoring.engine.hand_and_foot.possible_cards import Wanted, is_roomy, wanted_of
from scoring.engine.hand_and_foot.scoring import HandAndFootRules
from tests.scoring.engine.hand_and_foot.test_codes import BLACK_THREES, FLOATING
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, TWO_PLAYERS

FOUR_DECKS, TWO_DECKS = replace(PARTNERS, decks_in_all=4), replace(PARTNERS, decks_in_all=2)
DEAR_THREES = replace(PARTNERS, card_values=tuple({**PARTNERS.values, "3": 10}.items()))
WIDE = 0, 2000  # the least and the most units of a side's piles

SIDE = Wanted(melded=200, left=100, piles=(2, 2), cards=52, held=2)
EMPTY = Wanted(melded=0, left=100, piles=(0, 0), cards=6, held=2)
HOLDING = Wanted(melded=90, left=14, piles=(2, 1), wild_piles=1, cards=52, held=2)
ENOUGH = 4 * 7 + 4 * (6 + 4)  # units for four clean and four dirty piles


def melding(*units: int, left: int = 100) -> tuple[Wanted, ...]:
    return tuple(replace(SIDE, melded=melded, left=left) for melded in units)


@pytest.mark.parametrize(
    ("rules", "span", "sides", "roomy"),
    [
        (PARTNERS, (60, 400), (SIDE, SIDE), True),
        (replace(PARTNERS, pile_closed=False), (60, 400), (SIDE, SIDE), False),
        (PARTNERS, None, (SIDE, SIDE), False),
        (replace(PARTNERS, decks_in_all=3), WIDE, melding(90, 90), True),
        (TWO_DECKS, WIDE, melding(90, 90), False),
        # each side's points keep away from the least and the most of its piles
        (PARTNERS, (60, 400), melding(70, 200), True),
        (PARTNERS, (60, 400), melding(69, 200), False),
        (PARTNERS, (60, 400), melding(340, 150), True),
        (PARTNERS, (60, 400), melding(341, 150), False),
        # they don't ask for all the dear cards together
        (PARTNERS, (0, 300), melding(203, 201), True),
        (PARTNERS, (0, 300), melding(204, 201), False),
        (FOUR_DECKS, (0, 300), melding(180, 177), True),
        (FOUR_DECKS, (0, 300), melding(180, 180), False),
        (PARTNERS, WIDE, melding(300, 251), True),
        (PARTNERS, WIDE, melding(300, 252), False),
        # nor for the least of all piles
        (PARTNERS, WIDE, melding(ENOUGH, 20), True),
        (PARTNERS, WIDE, melding(ENOUGH, 19), False),
        (PARTNERS, WIDE, (*melding(ENOUGH + 28), replace(SIDE, melded=20, wild_piles=1)), True),
        (PARTNERS, WIDE, (*melding(ENOUGH + 27), replace(SIDE, melded=20, wild_piles=1)), False),
        (PARTNERS, WIDE, (*melding(300), replace(SIDE, piles=(30, 2))), False),
        # what is left is 3 units for every 2 cards that aren't melded
        (PARTNERS, (60, 400), (SIDE, HOLDING), True),
        (PARTNERS, (60, 400), (SIDE, replace(HOLDING, left=13)), False),
        (PARTNERS, (60, 400), (SIDE, replace(HOLDING, cards=0, held=9)), True),
        (PARTNERS, (60, 400), (SIDE, replace(HOLDING, cards=0, held=9, left=13)), False),
        # or black threes are enough for it
        (PARTNERS, WIDE, (SIDE, replace(EMPTY, left=6)), True),
        (PARTNERS, WIDE, (SIDE, replace(EMPTY, left=5)), False),
        (PARTNERS, WIDE, (SIDE, replace(EMPTY, left=5, cards=4), replace(EMPTY, left=5, cards=4)), True),
        (PARTNERS, WIDE, (SIDE, replace(EMPTY, left=5, cards=4), replace(EMPTY, left=6, cards=5)), False),
        (BLACK_THREES, WIDE, (SIDE, replace(EMPTY, left=9)), True),
        (BLACK_THREES, WIDE, (SIDE, replace(EMPTY, left=8)), False),
        (DEAR_THREES, WIDE, (SIDE, replace(EMPTY, left=8)), False),
    ],
)
def test_the_search_is_spared_only_far_from_all_limits(
    rules: HandAndFootRules, span: tuple[int, int] | None, sides: tuple[Wanted, ...], roomy: bool
) -> None:
    assert is_roomy(melds_of(rules), sides, lambda side: span) == roomy


CARD = Totals(clean=1, special=(2,), dirty=3, wild=4, red_threes=2, red_threes_missed=1, melded=800, left=45)
ITS = Wanted(melded=160, left=9, piles=(1, 2, 3), wild_piles=4, cards=49, held=1)


@pytest.mark.parametrize(
    ("rules", "out", "expected"),
    [
        (PARTNERS, False, ITS),
        (PARTNERS, True, replace(ITS, held=0)),
        (FLOATING, False, replace(ITS, held=0)),
        (BLACK_THREES, True, replace(ITS, held=0, black_threes=True)),
        (BLACK_THREES, False, ITS),
        (replace(PARTNERS, hand=1, foot=0), False, replace(ITS, cards=0)),
        (TWO_PLAYERS, False, replace(ITS, cards=23, held=0)),
    ],
)
def test_what_a_sides_cards_must_come_to(rules: HandAndFootRules, out: bool, expected: Wanted) -> None:
    assert wanted_of(CARD, out, melds_of(rules)) == expected
