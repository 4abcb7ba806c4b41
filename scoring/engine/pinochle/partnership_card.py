"""What partnership pinochle knows: the settings of its rules, how a deal can end, and what stands on the card."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from scoring.engine.core.ruleset import Range, Rules
from scoring.engine.pinochle.auction import AuctionRules
from scoring.engine.pinochle.meld_points import Suit
from scoring.engine.pinochle.named_melds import PlayerMelds

SIDES, PER_SIDE = 2, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipRules(AuctionRules):
    """Settings of one partnership game; see the TOML for label and source of each."""

    __hash__ = Rules.__hash__

    cards_passed: Annotated[int, Range(0, 60)]  # how many cards bidder and partner exchange
    five_nines: int  # so many nines and no meld: the player may call for a redeal; 0: never
    misdeals: int  # after so many misdeals in one attempt the deal passes to the left
    meld_to_record: int = 0  # a side's meld below this isn't recorded
    meld_savers: Annotated[str, ("other-side", "both", "nobody")]  # who needs counters to save meld
    counters_to_save_meld: int  # points in cards taken that save meld
    last_trick_saves_meld: bool  # whether the point for the last trick counts towards that
    take_stays: bool = True  # whether a side without so many keeps what it took, such as the point for the last trick
    no_marriage_is_set: bool = False  # a bidder without a marriage in trump is set, and the deal isn't played
    concession: int | None = None  # points of the others, beside meld, when the bidder concedes; None: not allowed
    take_to_score: int = 0  # points in tricks, with the last one, that a side needs to score at all; 0: none
    # what the other side has when the bid side reneges and is set
    renege_bid_side: Annotated[str, ("meld", "nothing")] = "meld"
    renege_other_side: Annotated[str, ("bid", "nothing")]  # what a renege costs the other side beside its meld
    lay_down_forfeit: Annotated[str, ("nobody", "opponents")]  # who gets what a wrong lay-down forfeits


class Ending(StrEnum):
    """How the deal ended. For a lay-down the side named is the one whose lay-down was wrong."""

    PLAYED = "played"  # to the last trick, or by a lay-down that was right
    RENEGE_BID_SIDE = "renege-bid-side"
    RENEGE_OTHER_SIDE = "renege-other-side"
    LAY_DOWN_BID_SIDE = "lay-down-bid-side"
    LAY_DOWN_OTHER_SIDE = "lay-down-other-side"
    CONCEDED = "conceded"  # by the bidder, before the lead
    NO_MARRIAGE = "no-marriage"  # the bidder has no marriage to name a trump with

    @property
    def thrown_in(self) -> bool:
        """Whether the tricks don't count: none were played, or a renege ended them."""
        return self not in (Ending.PLAYED, Ending.LAY_DOWN_BID_SIDE, Ending.LAY_DOWN_OTHER_SIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipDeal:
    """One deal as on the score card, figures in the order of sides.

    After a wrong lay-down `take` is what was taken before the cards were laid down, so it falls short of all by what
    is forfeited, and `last_trick` stays empty unless a side was given the last trick all the same. Seats go round the
    table, seat `s` is of side `s % 2`.
    """

    bid_side: Annotated[int, "the side that holds the bid"]
    bid: Annotated[int, "what it bid"]
    meld: Annotated[tuple[int, ...], "each side's meld; not needed where melds are counted"] = ()
    take: Annotated[tuple[int, ...], "what each side took, before a wrong lay-down; not needed when thrown in"] = ()
    last_trick: Annotated[int | None, "the side that won the last trick; null: not noted"] = None
    ending: Annotated[Ending, "how the deal ended; of a lay-down, whose was wrong"] = Ending.PLAYED
    trump: Annotated[Suit | None, "needed for runs, marriages in trump and nines that are counted"] = None
    counted: Annotated[tuple[PlayerMelds, ...], "each player's melds, side by side"] = ()
    dealer: Annotated[int | None, "the seat that dealt"] = None
    bids: Annotated[tuple[int, ...], "all calls in order from the dealer's left, a pass is 0"] = ()
    redeals: Annotated[
        tuple[int, ...], "how often each side threw in nines without a meld before this deal, which scores nothing"
    ] = ()
    deals_lost: Annotated[
        tuple[int, ...], "how often each side lost the deal after misdeals before this one, which scores nothing"
    ] = ()
