"""What other score keepers' own tests expect, and what this program makes of the same cards.

- OpenSpiel's `python_canasta` (tests of its scoring module): Classic Canasta by pagat.com.
- github.com/Ebbeling/canasta, src/rules/builtin/modernAmerican.test.ts: Modern American Canasta by canastaleague.org.
- github.com/henriquetamaki-max/Buraco_score, src/engine/__tests__/rodada.test.ts: Buraco as Brazilian clubs play it.

What differs: `python_canasta` deducts 400 for four red threes of a side that melded nothing, where the sources
deduct 800: a setting here. Ebbeling's doesn't fine both players of a side for three aces each, as pagat.com does.
Buraco_score has 10 points for a joker, where others have 20 or 50; none of the three asks what a pack can give.
"""

from dataclasses import replace

import pytest

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, HandAndFootDeal, RankMeld, SideCard
from scoring.engine.hand_and_foot.scoring import score
from tests.scoring.engine.hand_and_foot.columns import CANASTA, MODERN

BURACO = rules_of(shipped()["buraco"])
FOUR_AT_400 = replace(CANASTA, red_three_bonus_deducted=False)


def melds(*laid, left=""):
    """Counted cards: melds of natural cards, and cards left as "K 1, 5 1"."""
    kept = [part.split() for part in left.split(", ") if part]
    cards = tuple(RankMeld(rank=rank, naturals=naturals) for rank, naturals in laid)
    return CountedCards(melds=cards, left=tuple(CardsLeft(of=of, count=int(count)) for of, count in kept))


SEVEN_ACES, THREE_ACES = melds(("A", 7)), melds(("A", 3))

VALUES = [
    # python_canasta: card points
    (CANASTA, {"counted": melds(left="joker 1")}, {}, -50),
    (CANASTA, {"counted": melds(left="joker 2")}, {}, -100),
    (CANASTA, {"counted": melds(left="A 1")}, {}, -20),
    (CANASTA, {"counted": melds(left="2 1")}, {}, -20),
    (CANASTA, {"counted": melds(left="8 1")}, {}, -10),
    (CANASTA, {"counted": melds(left="7 1")}, {}, -5),
    (CANASTA, {"counted": melds(left="joker 1, A 1, K 1, 5 1")}, {}, -85),
    # bonuses of canastas, red threes, going out
    (CANASTA, {"clean": 1}, {}, 500),
    (CANASTA, {"dirty": 1}, {}, 300),
    (CANASTA, {"clean": 1, "dirty": 1}, {}, 800),
    (CANASTA, {"red_threes": 1, "melded": 60}, {}, 60 + 100),
    (CANASTA, {"red_threes": 2, "melded": 60}, {}, 60 + 200),
    (CANASTA, {"red_threes": 3, "melded": 60}, {}, 60 + 300),
    (CANASTA, {"red_threes": 4, "melded": 60}, {}, 60 + 800),
    (CANASTA, {"red_threes": 2}, {}, -200),
    (FOUR_AT_400, {"red_threes": 4}, {}, -400),
    (CANASTA, {}, {"out": 0}, 100),
    (CANASTA, {}, {"out": 0, "concealed": True}, 200),
    # whole hands
    (CANASTA, {"counted": THREE_ACES}, {}, 60),
    (CANASTA, {"counted": SEVEN_ACES}, {}, 640),
    (CANASTA, {"counted": SEVEN_ACES, "red_threes": 2}, {"out": 0}, 940),
    (CANASTA, {"counted": melds(("A", 3), left="K 1, 5 1")}, {}, 45),
    (CANASTA, {"counted": SEVEN_ACES}, {"out": 0, "concealed": True}, 840),
    (CANASTA, {"counted": melds(left="K 1, 5 1"), "red_threes": 2}, {}, -215),
    # Ebbeling's: the threes and the melds of sides without a canasta, with one, with two
    (MODERN, {"red_threes": 2, "black_threes": 1}, {}, -400),
    (MODERN, {"red_threes": 2, "black_threes": 1, "dirty": 1}, {}, 300),
    (MODERN, {"red_threes": 2, "black_threes": 1, "dirty": 2}, {}, 600 + 400),
    (MODERN, {"red_threes": 2, "black_threes": 1, "special": (0, 1), "wild": 1}, {}, 2500 + 2000 + 400),
    (MODERN, {"melded": 300}, {}, -300),
    (MODERN, {"melded": 300, "dirty": 1}, {}, 600),
    # its penalties; the values of its canastas are those of docs/worked-examples.md
    (MODERN, {"extras": (0, 1, 1)}, {}, -4500),
    # its special hands, in place of all else
    (MODERN, {"melded": 400, "clean": 1, "red_threes": 2, "left": 30}, {"out": 0, "special_hand": "garbage"}, 3000),
    (MODERN, {}, {"out": 0, "special_hand": "dream-plus-4"}, 8500),
    (MODERN, {"melded": 200, "dirty": 1, "left": 40}, {"out": 1, "special_hand": "garbage"}, 460),
    # the same card by both rules
    (CANASTA, {"melded": 420, "clean": 1, "red_threes": 2}, {}, 1120),
    (MODERN, {"melded": 420, "clean": 1, "red_threes": 2}, {}, 920),
    # Buraco_score
    (BURACO, {"melded": 200, "clean": 1}, {"out": 0}, 500),
    (BURACO, {"melded": 300}, {}, 300),
    (BURACO, {"melded": 300, "extras": (1,)}, {}, 200),
    (BURACO, {"melded": 300, "left": 40}, {}, 260),
    (BURACO, {"extras": (1,), "left": 40}, {}, -140),
    (BURACO, {"melded": 115, "clean": 1, "dirty": 1, "extras": (1,), "left": 15}, {"out": 0}, 400),
    (BURACO, {"special": (0, 1)}, {}, 1000),
    (BURACO, {"melded": 250}, {"out": 0}, 350),
    (BURACO, {"melded": 80, "extras": (1,)}, {}, -20),
]


@pytest.mark.parametrize(("rules", "card", "facts", "points"), VALUES)
def test_a_card_is_worth_what_other_score_keepers_have_in_their_tests(rules, card, facts, points):
    assert score(HandAndFootDeal(sides=(SideCard(**card), SideCard()), **facts), rules).totals[0] == points
