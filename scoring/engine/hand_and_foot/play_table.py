"""What lies on the table and what is in the players' hands while a true deal of Hand and Foot is played."""

from __future__ import annotations

from scoring.engine.hand_and_foot.card import JOKER, TWO, WILD, HandAndFootRules

RED_THREE = "red 3"
Laid = tuple[int, int, int]  # naturals, twos, jokers
NOTHING: Laid = (0, 0, 0)


class SideAtTable:
    """What a side has on the table. `open` are the melds that take more cards, `closed` the others."""

    def __init__(self, rules: HandAndFootRules) -> None:
        self.open: dict[str, Laid] = {}  # by rank or WILD
        self.closed: list[tuple[str, Laid]] = []
        self.piles = {"clean": 0, "dirty": 0, "wild": 0, **{rank: 0 for rank, _ in rules.special_books}}
        self.red_threes = 0
        self.melded = 0
        self.first_meld = 0  # card points that it needs

    @property
    def wild(self) -> int:
        """Cards in the open meld of wild cards."""
        return sum(self.open.get(WILD, NOTHING))

    @property
    def all_piles(self) -> int:
        return sum(self.piles.values())

    def melds(self) -> list[tuple[str, Laid]]:
        return [*self.closed, *self.open.items()]


class PlayerAtTable:
    def __init__(self, side: int, packets: list[list[str]]) -> None:
        self.side = side
        self.hand: dict[str, int] = {}
        self.cards = 0  # in the hand
        self.packets = packets[1:]  # still to be picked up, the knee before the foot
        self.started = False
        self.played_foot = len(packets) == 1
        for card in packets[0]:
            self.take(card)

    @property
    def in_foot(self) -> bool:
        """Whether the last packet is in hand."""
        return not self.packets

    def take(self, card: str) -> None:
        self.hand[card] = self.hand.get(card, 0) + 1
        self.cards += 1

    def give(self, card: str, count: int = 1) -> None:
        if self.hand[card] == count:
            del self.hand[card]
        else:
            self.hand[card] -= count
        self.cards -= count

    @property
    def wilds(self) -> int:
        return self.hand.get(TWO, 0) + self.hand.get(JOKER, 0)
