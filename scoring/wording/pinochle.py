"""Sentences for the codes of pinochle; the arguments of a code fill the braces."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LINES: dict[str, Promise] = {
    "pinochle.meld": _("Meld: {meld}"),
    "pinochle.take": _("Taken in play: {take}"),
    "pinochle.take-last": _("Taken in play: {counters} in cards and {last} for the last trick"),
    "pinochle.made": _("Bid of {bid} made with {total}"),
    "pinochle.set": _(
        "Set: meld {meld} and take {take} make {total}, {short} short of the bid of {bid}. "
        "The bid is deducted; meld and take don't count"
    ),
    "pinochle.set-off-board": _(
        "Set: not on the board. Meld {meld} and all {most} in play make less than the bid of {bid}. "
        "The bid is deducted; meld and take don't count"
    ),
    "pinochle.meld-lost": _("Meld of {meld} lost: {counters} in counters taken, {needed} needed to save it"),
    "pinochle.meld-lost-no-trick": _("Meld of {meld} lost: no trick with points won"),
    "pinochle.renege-set": _("Set by a renege: the bid of {bid} is deducted and the rest is thrown in"),
    "pinochle.renege-kept": _("Meld counts: the bid side reneged"),
    "pinochle.renege-made": _("Bid of {bid} counts as made: the other side reneged"),
    "pinochle.renege-penalty": _("Single set for a renege: the bid of {bid} is deducted"),
    "pinochle.renege-lost": _("Meld of {meld} lost by a renege"),
    "pinochle.forfeit": _("Wrong lay-down: {points} in the tricks laid down are forfeited"),
    "pinochle.forfeit-gained": _("{points} forfeited by the other side's wrong lay-down"),
    "pinochle.conceded": _("Conceded before the lead: the bid of {bid} is deducted"),
    "pinochle.concession": _("The bidder conceded: {points} beside meld"),
}
"""What a line's points are for."""

PROBLEMS: dict[str, Promise] = {
    "pinochle.bid-side": _("The bid side must be one of the two sides. Press the side that holds the bid."),
    "pinochle.bidder": _("The bidder must be one of the three players. Press the one who holds the bid."),
    "pinochle.columns": _("There must be {needed} figures, one for each; there are {given}. Fill in all of them."),
    "pinochle.last-trick-side": _("The last trick must be with one of the two sides."),
    "pinochle.last-trick-player": _("The last trick must be with one of the three players."),
    "pinochle.negative": _("{points} can't be: nobody has less than nothing here. Write the figure without a minus."),
    "pinochle.bid-too-low": _(
        "A bid of {bid} is too low: bidding opens at {lowest}, and a dealer whom all pass takes it at {dropped}. "
        "Read the bid on the card again."
    ),
    "pinochle.bid-step": _(
        "Bids go up from {lowest} by {step}: {bid} is none of them. Read the bid on the card again."
    ),
    "pinochle.bid-high": _("A bid of {bid} is rare. Is it right?"),
    "pinochle.meld-impossible": _("No {cards} cards can meld {meld}. Count the meld again."),
    "pinochle.meld-impossible-pair": _(
        "No two partners with {cards} cards each can meld {meld} together. Count both melds again."
    ),
    "pinochle.melds-together": _(
        "One pack can't give all these melds in the same deal. Count the melds again, and check who melded what."
    ),
    "pinochle.meld-high": _("A meld of {meld} is rare. Is it right?"),
    "pinochle.take-total": _(
        "All that was taken comes to {total}; the cards and the last trick are worth {needed}. "
        "Count the tricks of every side again."
    ),
    "pinochle.take-over": _(
        "The two sides' take is {total} together. With a wrong lay-down and {last} noted for the last trick "
        "it is at most {most}. Count only what was taken before the cards were laid down."
    ),
    "pinochle.take-step": _("What is taken comes in steps of {step}: {take} is none of them. Count the tricks again."),
    "pinochle.last-trick-take": _(
        "Whoever wins the last trick takes at least {last}, not {take}. Check who won it, and count again."
    ),
    "pinochle.aces-of-trump": _(
        "With a meld of {meld} every ace of trump is here, and so wins a trick with points. "
        "Check the meld, and who took what."
    ),
    "pinochle.last-trick-needed": _("Who won the last trick? It decides whether a meld counts. Press the side."),
    "pinochle.bidder-scored-take": _(
        "With {take} taken, the bidder did win a trick with points: the discard is worth at most {most}."
    ),
    "pinochle.bidder-scored-last": _("The bidder won the last trick, and so a trick with points."),
    "pinochle.bidder-scored-nothing": _("The bidder took nothing, and so won no trick with points."),
    "pinochle.bidder-scored-needed": _(
        "Did the bidder win a trick with points? All {take} may be from the discard. Press yes or no."
    ),
}
"""What is wrong and what to do about it."""

SETTING: dict[str, str] = {
    "pinochle.meld": "run",
    "pinochle.take": "counters",
    "pinochle.take-last": "last_trick",
    "pinochle.made": "opening_bid",
    "pinochle.set": "opening_bid",
    "pinochle.meld-lost": "counters_to_save_meld",
    "pinochle.meld-lost-no-trick": "scoring_trick_for_meld",
    "pinochle.renege-penalty": "renege_other_side",
    "pinochle.forfeit": "lay_down_forfeit",
    "pinochle.forfeit-gained": "lay_down_forfeit",
    "pinochle.concession": "concession",
}
"""The setting of the rule set that a line comes from, so that its source can be shown beside it."""
