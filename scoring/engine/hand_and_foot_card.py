"""What stands on a Hand and Foot card, and the numbers that it is counted with."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.engine.ruleset import Rules

JOKER, TWO, BLACK_THREE = "joker", "2", "3"
NEVER_IN_A_RANK_MELD = (JOKER, TWO, BLACK_THREE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAndFootRules(Rules):
    """The settings of a Hand and Foot rule set; points in card points, sizes in cards.

    Each name is a setting of the rule set's file, where its label and its source stand.
    """

    decks_added: int  # decks of 52 and their jokers = players + this
    jokers_per_deck: int
    hand: int
    foot: int
    card_values: tuple[tuple[str, int], ...]  # "joker", "2", "A" ... "4", "3" (black) -> points
    clean_pile: int
    dirty_pile: int
    wild_pile: int
    out_bonus: int
    red_three: int  # each, on the table
    red_three_missed: int  # each, not tabled: in the hand or the unopened foot; a minus is written as one
    meld_least: int
    pile_size: int
    naturals_per_wild: int  # a rank meld has at least this many naturals for each wild card
    wild_melds: bool
    first_meld: tuple[int, ...]  # least card points of a side's first meld, by deal; the last one for later deals
    out_clean: int
    out_dirty: int
    out_wild: int
    may_float: bool  # a player in the foot may end a turn with no card left, without going out
    draw: int  # cards drawn from the stock in a turn
    take_most: int  # cards taken from the discard pile at most
    foot_takes_all: bool = False  # a player in the foot takes the whole discard pile
    choose_foot: bool = False  # a player chooses which packet is the hand and passes the other on as a foot

    @property
    def decks(self) -> int:
        """Decks shuffled together for this shape."""
        return self.shape.players + self.decks_added

    @property
    def dealt(self) -> int:
        """Cards dealt to one side, hands and feet."""
        return self.shape.per_side * (self.hand + self.foot)

    @property
    def values(self) -> dict[str, int]:
        """Points of a card by rank."""
        return dict(self.card_values)

    def least_first_meld(self, number: int | None) -> int:
        """Card points that a side's first meld needs in that deal; the lowest of all when the deal isn't known."""
        if not self.first_meld:
            return 0
        if number is None:
            return min(self.first_meld)
        return self.first_meld[min(max(number, 1), len(self.first_meld)) - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCard:
    """One side's column of a deal. Red threes have no card points: they stand in neither `melded` nor `left`."""

    clean: int = 0  # piles
    dirty: int = 0
    wild: int = 0
    red_threes: int = 0  # on the table
    red_threes_missed: int = 0  # in a hand or an unopened foot
    melded: int = 0  # card points of all melds and piles
    left: int = 0  # card points left in hands and feet, written without a minus

    @property
    def piles(self) -> int:
        """All complete piles."""
        return self.clean + self.dirty + self.wild


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAndFootDeal:
    """One deal as it stands on the card."""

    sides: tuple[SideCard, ...]
    out: int | None = None  # the side that went out; None when the stock ran out
    number: int | None = None  # of the deal in the game, from 1
