"""Two-hand pinochle: the settings of its rules, the melds that are laid, and what is on the card."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from scoring.engine.core.ruleset import Rules
from scoring.engine.pinochle.melds import SUITS, PinochleRules, Suit

SIDES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHandRules(PinochleRules):
    __hash__ = Rules.__hash__

    bidding: bool  # somebody holds a contract and names trump; otherwise the card turned up does
    added_to_run: int  # for each king or queen of trump added to a run; 0: nothing
    grown_double: Annotated[str, ("full", "difference", "never")]  # what a double counts if its single was laid before
    meld_after_last_draw: bool  # whether one more meld may be laid after the last draw
    turned_up_nine: bool  # the dealer counts a nine that is turned up; the player who takes it counts it again
    meld_play_tricks_count: bool  # cards taken before the last draw count as those taken after it
    no_trick_points_loses_meld: bool  # a player who takes no points after the last draw loses meld
    guess: int  # points for a right or a wrong guess of the trump; 0: nobody guesses
    last_draw_nine: int  # for a nine as the last card drawn; of trump, the nine's own meld beside it
    last_draw_jack: int  # for the jack of clubs as the last card drawn
    last_draw_is_meld: bool  # these points help to make the contract and are lost with meld
    undeclared_nine: bool  # an undeclared nine of trump costs meld and trick points
    wrong_cards: int  # to the opponent, for each card too few or too many; 0: no penalty
    early_lead: int  # to the opponent, for leading before drawing; 0: no penalty
    revoke_loses: Annotated[str, ("all", "take", "nothing")]  # what a revoke costs
    claims: bool  # a player may claim the game as soon as it is won
    handicap: int  # what the loser of a game gains (`scoring.engine.core.game`); 0: no handicap
    handicap_below: int  # a loser with less than this ...
    handicap_larger: int  # ... gains this much

    @property
    def tricks_before_last_draw(self) -> int:
        """How many tricks are followed by a draw: 12 with 48 cards."""
        return len(SUITS) * len(self.ranks) * self.copies // SIDES - self.hand_size

    @property
    def cards_seen(self) -> int:
        """How many cards one player is dealt and draws: 24 with 48 cards."""
        return self.hand_size + self.tricks_before_last_draw

    @property
    def most_layings(self) -> int:
        """How many melds both players together can lay, not counting nines and cards added to runs."""
        return self.tricks_before_last_draw + self.meld_after_last_draw


class Laying(StrEnum):
    """What is laid at one time. A double laid at once is one laying; two singles laid one after the other are two."""

    RUN = "run"  # A 10 K Q J of trump
    DOUBLE_RUN = "double-run"
    ADDED_KING = "added-king"  # to a run that lies
    ADDED_QUEEN = "added-queen"
    ROYAL_MARRIAGE = "royal-marriage"  # K Q of trump
    MARRIAGE_SPADES = "marriage-spades"
    MARRIAGE_HEARTS = "marriage-hearts"
    MARRIAGE_DIAMONDS = "marriage-diamonds"
    MARRIAGE_CLUBS = "marriage-clubs"
    NINE = "nine"  # of trump
    ACES = "aces"
    DOUBLE_ACES = "double-aces"
    KINGS = "kings"
    DOUBLE_KINGS = "double-kings"
    QUEENS = "queens"
    DOUBLE_QUEENS = "double-queens"
    JACKS = "jacks"
    DOUBLE_JACKS = "double-jacks"
    PINOCHLE = "pinochle"
    DOUBLE_PINOCHLE = "double-pinochle"


class LastDraw(StrEnum):
    """What a player drew as the last card, for which there may be points."""

    OTHER = "other"
    NINE = "nine"  # not of trump
    NINE_OF_TRUMP = "nine-of-trump"
    NINE_PUT_BACK = "nine-put-back"  # of trump, put under the stock by the same player for the card turned up
    JACK_OF_CLUBS = "jack-of-clubs"


class Guess(StrEnum):
    """Whether the bidder's opponent guessed the trump that was written down."""

    NONE = "none"
    RIGHT = "right"
    WRONG = "wrong"


class TwoHandEnding(StrEnum):
    """How the deal ended. Only a claimant who holds the contract can be challenged, and must then make it first."""

    PLAYED = "played"  # to the last trick, and counted
    CLAIM = "claim"  # a player claimed the game before the cards were counted
    CHALLENGE = "challenge"  # a claim was challenged: played on until the contract was made, or to the last trick


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHandDeal:
    """One deal as on the score card, figures in the order of players; a column that isn't used stays empty.

    `meld` has the nines of trump but no points for the last draw. With the melds themselves (`laid`, in the order
    in which they were laid, without a nine drawn last) `meld` may stay empty. After a claim, `take` is what the
    tricks won so far hold, and may stay empty, as nobody counts them (002, section 13); otherwise it is all that was
    taken, and the last trick.
    """

    bidder: Annotated[int | None, "the player who holds the contract; null where there is no bidding"] = None
    bid: Annotated[int | None, "what was bid; null where there is no bidding"] = None
    trump: Annotated[Suit | None, "the suit of trump; needed for nothing, the melds are held against it"] = None
    meld: Annotated[
        tuple[int, ...],
        "each player's meld with the nines of trump, without the last draw; may be left out where the melds are laid",
    ] = ()
    laid: Annotated[
        tuple[tuple[Laying, ...], ...],
        "for each player the melds in the order in which they were laid, without a nine drawn last",
    ] = ()
    take: Annotated[
        tuple[int, ...], "what each player took; after a claim what the tricks won so far hold, or nothing"
    ] = ()
    last_trick: Annotated[int | None, "the player who won the last trick; null: not noted"] = None
    last_draw: Annotated[
        tuple[LastDraw, ...], "what each player drew as the last card, where there are points for it"
    ] = ()
    guess: Annotated[Guess, "whether the bidder's opponent guessed the trump that was written down"] = Guess.NONE
    no_trick_points: Annotated[
        int | None, "the player who took nothing after the last draw; not needed of one who took nothing at all"
    ] = None
    undeclared_nine: Annotated[tuple[bool, ...], "for each player whether a nine of trump wasn't declared"] = ()
    revoked: Annotated[tuple[bool, ...], "for each player whether there was a revoke"] = ()
    cards_wrong: Annotated[tuple[int, ...], "for each player the cards too few or too many, whenever it was seen"] = ()
    cards_still_wrong: Annotated[tuple[int, ...], "of these, for each player those at the end of the next trick"] = ()
    led_early: Annotated[tuple[int, ...], "for each player how often a lead came before the draw"] = ()
    ending: Annotated[TwoHandEnding, "how the deal ended"] = TwoHandEnding.PLAYED
    claimant: Annotated[int | None, "the player who claimed the game"] = None
    trick_won: Annotated[bool, "whether the claimant had won a trick with points; the take may show it too"] = False

    def took(self, player: int) -> int:
        return self.take[player] if self.take else 0

    def drew(self, player: int) -> LastDraw:
        return self.last_draw[player] if self.last_draw else LastDraw.OTHER

    def forfeits_all(self, player: int, rules: TwoHandRules) -> bool:
        """Whether a penalty takes all the meld and all the take of a player."""
        undeclared = bool(self.undeclared_nine) and self.undeclared_nine[player] and rules.undeclared_nine
        return bool(undeclared or (self.has_revoked(player) and rules.revoke_loses == "all"))

    def has_revoked(self, player: int) -> bool:
        return bool(self.revoked) and bool(self.revoked[player])
