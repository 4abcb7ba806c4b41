"""What is on a Hand and Foot card, and the numbers that it is counted with."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from scoring.engine.core.ledger import named
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than

SUITS, RED_SUITS = 4, 2
JOKER, TWO, BLACK_THREE = "joker", "2", "3"
NEVER_IN_A_RANK_MELD = (JOKER, TWO, BLACK_THREE)
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
CARD_VALUES = (JOKER, TWO, *RANKS, BLACK_THREE)  # the cards that have a value
SPECIAL = "special_"  # before the rank: the figure of a special book
EXTRA = "extra_"  # before the name: the figure of one of `EXTRAS`
WILD = "wild"  # in place of a rank: a meld of wild cards alone
SEQUENCE, SEMI_CLEAN, KING_HIGH, ACE_TO_ACE = "sequence", "semi-clean", "ace-to-king", "ace-to-ace"
BOOKS = (*RANKS, TWO, JOKER, SEQUENCE, SEMI_CLEAN, KING_HIGH, ACE_TO_ACE)
"""Piles that can have a bonus of their own: natural ones of a rank; of twos alone; of wild cards with all jokers of the
pack; sequences; seven natural cards and a wild one; the whole suit from ace to king, and with a second ace."""
UNFINISHED, HELD, POT = "unfinished-", "three-held", "pot"
HELD_RANKS = ("A", "7")
ALL_BLACK_THREES, FIRST_TURN = "all-black-threes", "first-turn"
EXTRAS = (
    *(f"{UNFINISHED}{rank}" for rank in ("A", "7", WILD)),
    HELD,
    ALL_BLACK_THREES,
    FIRST_TURN,
    POT,
)
"""What some rules also count: melds that aren't complete; hands with three aces or more, and with three sevens or
more; all black threes melded in going out; going out in the player's first turn; the pot (*pozzetto*, *morto*) that
the side didn't take."""
SPECIAL_HANDS = (
    *("straight", "pairs", "wild-pairs", "miami-pairs", "zip-code", "garbage", "blast-off", "triples", "quads"),
    *("dream-plus-4", "dream-plus-5"),
)
"""Hands of fourteen cards. Source: canastaleague.org "Modern American Canasta", Special Hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAndFootRules(Rules):
    """The settings of a Hand and Foot rule set; points in card points, sizes in cards.

    Each name is a setting of the rule set's file, which has its label and source.
    """

    __hash__ = Rules.__hash__

    decks_added: Annotated[int, Range(0, 20)]  # decks of 52 and their jokers = players + this
    jokers_per_deck: Annotated[int, Range(0, 10)]
    hand: Annotated[int, Range(1, 60)]
    foot: Annotated[int, Range(0, 60)]
    card_values: Annotated[tuple[tuple[str, int], ...], CARD_VALUES]  # "joker", "2", "A" ... "4", "3" (black) -> points
    clean_pile: int
    dirty_pile: int
    wild_pile: int
    out_bonus: int
    red_three: int  # points of each one on the table
    red_three_missed: int  # points of each one left in the hand or the unopened foot; a loss is negative
    meld_least: Annotated[int, Range(2, 20)]
    pile_size: Annotated[int, Range(3, 20)]
    naturals_per_wild: Annotated[int, Range(0, 20)]  # a rank meld has at least this many naturals for each wild card
    wild_melds: bool
    first_meld: tuple[int, ...]  # least card points of a side's first meld, by deal; the last one for later deals
    out_clean: int
    out_dirty: int
    out_wild: int
    may_float: bool  # a player in the foot may end a turn with no card left, without going out
    draw: Annotated[int, Range(1, 20)]  # cards drawn from the stock in a turn
    take_most: Annotated[int, Range(1, 500)]  # the most cards taken from the discard pile
    foot_takes_all: bool = False  # a player in the foot takes the whole discard pile
    choose_foot: bool = False  # a player chooses which packet is the hand and passes the other on as a foot
    knee: Annotated[int, Range(0, 60)] = 0  # cards in the packet played between hand and foot
    decks_in_all: Annotated[int | None, Range(1, 12)] = None  # None: as many as `decks_added` says
    naturals_least: int = 2  # the fewest naturals in a rank meld
    wilds_most: int | None = None  # the most wild cards in a rank meld, beside the ratio; None: only the ratio
    pile_closed: bool = True  # a pile takes no more cards, another meld of its rank may start
    black_three_melds: bool = False  # black threes may be melded, without wild cards, by the side that goes out
    # which pile (see `BOOKS`) -> its bonus, in place of `clean_pile`, `dirty_pile` or `wild_pile`
    special_books: Annotated[tuple[tuple[str, int], ...], BOOKS] = ()
    out_special: bool = False  # going out needs a pile of each of `special_books`
    out_piles: int = 0  # piles of whatever kind needed to go out
    # for a player's going out in one turn who had melded nothing before, in place of `out_bonus`
    out_concealed: int | None = None
    red_three_count: int = 0  # this many on the table earn `red_three_count_bonus`; 0: no bonus
    red_three_count_bonus: int = 0  # beside their points
    red_three_needs_meld: bool = False  # those on the table count against a side that has melded nothing
    perfect_bonus: int = 0  # for each player who took exactly the cards to be dealt from the pack; 0: not played
    first_meld_scores: tuple[int, ...] = ()  # the scores from which first_meld's next figure holds; (): by the deal
    out_clean_by_deal: tuple[int, ...] = ()  # in place of `out_clean`, by deal; the last one for later deals
    out_dirty_by_deal: tuple[int, ...] = ()
    no_wild_ranks: Annotated[tuple[str, ...], RANKS] = ()  # their melds take no wild card
    rank_once: bool = False  # a side has one meld of a rank; once a pile is complete nobody melds its rank any more
    sequences: bool = False  # cards of one suit in sequence are melds too
    threes_natural: bool = False  # threes are cards like any others
    pot: Annotated[int, Range(0, 60)] = 0  # cards of the packet that a side takes with its first empty hand; 0: none
    black_three_left: int | None = None  # points of a black three left in the hand; None: its card value
    threes_by_count: tuple[int, ...] = ()  # of one, two ... threes of a colour on the table; (): `red_three` each
    threes_for: int = 0  # piles with which a side's threes count for it
    threes_against: int = 0  # piles without which they count against it
    red_three_bonus_deducted: bool = True  # where they count against a side, so does `red_three_count_bonus`
    melds_against: bool = False  # the melds of a side without a pile are deducted
    piles_bonus: tuple[tuple[int, int], ...] = ()  # piles of a side -> bonus; for each step that it has reached
    extras: Annotated[tuple[tuple[str, int], ...], EXTRAS] = ()  # name -> points; a loss is negative
    # name -> all that its side scores in the deal
    special_hands: Annotated[tuple[tuple[str, int], ...], SPECIAL_HANDS] = ()

    @property
    def terms(self) -> str:
        """ "canasta" without a foot: a pile is called a canasta; "burraco" where a pile can be semi-clean."""
        if SEMI_CLEAN in dict(self.special_books):
            return "burraco"
        return "" if self.foot else "canasta"

    @property
    def decks(self) -> int:
        return self.shape.players + self.decks_added if self.decks_in_all is None else self.decks_in_all

    @property
    def packets(self) -> tuple[int, ...]:
        """Cards in each of a player's packets, in the order in which they are played."""
        return tuple(size for size in (self.hand, self.knee, self.foot) if size)

    @property
    def dealt(self) -> int:
        """Cards dealt to one side, in all packets; the pot isn't among them."""
        return self.shape.per_side * sum(self.packets)

    @property
    def concealed_cards(self) -> tuple[int, int]:
        """The fewest and the most cards that a player who goes out concealed lays: all cards dealt and drawn, less a
        discard a turn. A player who took the discard pile would have melded."""
        cards, players = sum(self.packets), self.shape.players
        stock = self.decks * (52 + self.jokers_per_deck) - players * cards
        turns = -(-stock // (players * self.draw))
        return cards + self.draw - 1, cards + self.draw + (self.draw - 1) * (turns - 1)

    def wilds_in(self, cards: int) -> int:
        """The most wild cards in a meld of a rank with this many cards: where each needs two naturals, one in 3 to 5
        cards and two in 6 or 7."""
        most = min(cards // (1 + self.naturals_per_wild), cards - self.naturals_least)
        return max(0, most if self.wilds_most is None else min(most, self.wilds_most))

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures in a side's column, in the order of the card; a book of 7s is "special_7"."""
        piles = ("clean", "dirty", *(("wild",) if self.wild_melds else ()))
        books = tuple(f"{SPECIAL}{rank}" for rank, _ in self.special_books)
        perfect = ("perfect",) if self.perfect_bonus else ()
        extras = tuple(f"{EXTRA}{name}" for name, _ in self.extras)
        return (*piles, *books, *self._red_three_figures, *extras, *perfect, "melded", "left")

    @property
    def _red_three_figures(self) -> tuple[str, ...]:
        if self.threes_natural:
            return ()
        return ("red_threes", "black_threes" if self.threes_by_count else "red_threes_missed")

    @property
    def zero_when_out(self) -> tuple[str, ...]:
        """The figures that are zero for the side that went out: red threes not tabled (except, seldom, a partner's)
        and the card points left of a player without a partner."""
        alone = ("left",) if self.shape.per_side == 1 else ()
        return (*(("red_threes_missed",) if "red_threes_missed" in self._red_three_figures else ()), *alone)

    @property
    def values(self) -> dict[str, int]:
        return dict(self.card_values)

    @property
    def natural_ranks(self) -> list[str]:
        """The ranks whose melds can have natural cards; black threes only where they are cards like any others."""
        natural = (BLACK_THREE,) if self.threes_natural else ()
        return [rank for rank in self.values if rank not in NEVER_IN_A_RANK_MELD or rank in natural]

    def needs_to_go_out(self, number: int | None) -> tuple[int, int, int]:
        """The clean, dirty and wild piles that going out needs in deal `number`; the fewest where it isn't known."""

        def of_deal(by_deal: tuple[int, ...], usual: int) -> int:
            if not by_deal:
                return usual
            return min(by_deal) if number is None else by_deal[min(max(number, 1), len(by_deal)) - 1]

        clean = of_deal(self.out_clean_by_deal, self.out_clean)
        return clean, of_deal(self.out_dirty_by_deal, self.out_dirty), self.out_wild

    def least_first_meld(self, number: int | None, score_before: int | None = None) -> int:
        """The card points that a side's first meld needs in deal `number`, or with `score_before` where the rules go by
        the score; the lowest of all where that isn't known."""
        if not self.first_meld:
            return 0
        if self.first_meld_scores:
            place = None if score_before is None else bisect_right(self.first_meld_scores, score_before)
        else:
            place = None if number is None else max(number, 1) - 1
        if place is None:
            return min(self.first_meld)
        return self.first_meld[min(place, len(self.first_meld) - 1)]


def setting_problems(rules: HandAndFootRules) -> Iterator[SettingProblem]:
    if missing := [name for name in CARD_VALUES if name not in rules.values]:
        yield SettingProblem("card_values", "setting.values-of", named(names=", ".join(missing)))
    if unknown := sorted(rules.values.keys() - set(CARD_VALUES)):
        yield SettingProblem("card_values", "setting.not-in-pack", named(names=", ".join(unknown)))
    if rules.meld_least > rules.pile_size:
        yield more_than("meld_least", rules.meld_least, other="pile_size", most=rules.pile_size)
    if rules.out_wild and not rules.wild_melds:
        yield SettingProblem("out_wild", "setting.out-wild")
    if rules.choose_foot and len(rules.packets) != 2:
        yield SettingProblem("choose_foot", "setting.two-packets", named(packets=len(rules.packets)))
    dealt, cards = rules.shape.sides * (rules.dealt + rules.pot), rules.decks * (52 + rules.jokers_per_deck)
    if dealt > cards:
        yield SettingProblem("hand", "setting.pack", named(dealt=dealt, cards=cards))


def contradictions(rules: HandAndFootRules) -> Iterator[SettingProblem]:
    """Settings that contradict each other, or that no deal can reach."""
    if rules.out_special and not rules.special_books:
        yield SettingProblem("out_special", "setting.out-special")
    if rules.first_meld_scores:
        if len(rules.first_meld) != len(rules.first_meld_scores) + 1:
            figures = named(melds=len(rules.first_meld), scores=len(rules.first_meld) - 1)
            yield SettingProblem("first_meld_scores", "setting.first-meld-scores", figures)
        for earlier, later in pairwise(rules.first_meld_scores):
            if later <= earlier:
                yield SettingProblem("first_meld_scores", "setting.steps", named(later=later, earlier=earlier))
    if rules.threes_against > rules.threes_for:
        yield more_than("threes_against", rules.threes_against, other="threes_for", most=rules.threes_for)
    if rules.red_three_count > (most := RED_SUITS * rules.decks):
        yield SettingProblem("red_three_count", "setting.high", named(figure=rules.red_three_count, most=most))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMeld:
    """One meld or pile, as it lies on the table."""

    rank: Annotated[str, "A to 4, 3 for black threes, or wild for wild cards alone"]
    naturals: Annotated[int, "its cards of that rank"] = 0
    twos: Annotated[int, "its twos"] = 0
    jokers: Annotated[int, "its jokers"] = 0

    @property
    def wilds(self) -> int:
        return self.twos + self.jokers

    @property
    def cards(self) -> int:
        return self.naturals + self.wilds


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsLeft:
    """Cards of one kind left in a side's hands and feet."""

    of: Annotated[str, "A to 4, 2, 3 for black threes, joker, or ranks of one value together, such as 8-K"]
    count: Annotated[int, "how many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCards:
    """One side's cards, counted: what is on the table, and what is left. Red threes have figures of their own."""

    melds: Annotated[tuple[RankMeld, ...], "the melds and piles, one entry each"] = ()
    left: Annotated[tuple[CardsLeft, ...], "the cards left in hands and feet, one entry for each kind"] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCard:
    """One side's column of a deal. Red threes have no card points: they are in neither `melded` nor `left`.

    None is a figure that isn't noted: it is what the counted cards come to, or 0 where none are counted.
    """

    clean: Annotated[int | None, "clean piles, without those of named ranks; null: as counted, or none"] = None
    dirty: Annotated[int | None, "dirty piles; null: as counted, or none"] = None
    wild: Annotated[int | None, "wild piles; null: as counted, or none"] = None
    special: Annotated[tuple[int | None, ...], "piles with a bonus of their own, in the order of the rules"] = ()
    red_threes: Annotated[int, "red threes on the table"] = 0
    black_threes: Annotated[int, "black threes on the table, where they count as red ones do"] = 0
    red_threes_missed: Annotated[int, "red threes in a hand or an unopened foot"] = 0
    perfect: Annotated[int, "players who took exactly the cards to be dealt"] = 0
    melded: Annotated[int | None, "card points of all melds and piles; null: as counted, or none"] = None
    left: Annotated[int | None, "card points left in hands and feet, without a minus; null: as counted, or none"] = None
    counted: Annotated[CountedCards | None, "the side's cards, counted out in place of figures or beside them"] = None
    extras: Annotated[
        tuple[int | None, ...], "what else the rules count, in their order; null: as counted, or none"
    ] = ()
    score_before: Annotated[
        int | None, "the side's score before the deal, where a first meld goes by it; null: as the deals before make it"
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAndFootDeal:
    """One deal as it is on the card."""

    sides: Annotated[tuple[SideCard, ...], "a column for each side"]
    out: Annotated[int | None, "the side that went out; null: nobody, the stock ran out"] = None
    number: Annotated[int | None, "of the deal in its game, from 1; null: its place among the deals"] = None
    concealed: Annotated[
        bool, "whether the player who went out had melded nothing before, and added nothing to a partner's melds"
    ] = False
    special_hand: Annotated[str | None, "the special hand of the player who went out; null: none"] = None

    @property
    def special_hand_of(self) -> int | None:
        """The side that went out with a special hand."""
        return None if self.special_hand is None else self.out


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """One side's figures with nothing left open: as noted, or else as counted (`cards.side_totals`)."""

    clean: int = 0  # piles, without special books
    dirty: int = 0
    wild: int = 0
    special: tuple[int, ...] = ()  # one for each special book of the rules
    extras: tuple[int, ...] = ()  # one for each of the rules
    red_threes: int = 0
    black_threes: int = 0
    red_threes_missed: int = 0
    perfect: int = 0
    melded: int = 0
    left: int = 0

    def figure(self, name: str, rules: HandAndFootRules) -> int:
        for prefix, names, figures in (
            (SPECIAL, rules.special_books, self.special),
            (EXTRA, rules.extras, self.extras),
        ):
            if name.startswith(prefix):
                return figures[[key for key, _ in names].index(name.removeprefix(prefix))]
        figure: int = getattr(self, name)
        return figure

    @property
    def piles(self) -> int:
        return self.clean + self.dirty + self.wild + sum(self.special)
