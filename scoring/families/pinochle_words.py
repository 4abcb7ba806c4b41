"""Sentences for the codes of pinochle."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import (
    gettext as _now,
    gettext_lazy as _,
    ngettext_lazy as _n,
    npgettext_lazy,
    pgettext_lazy,
)

from scoring.engine.pinochle.melds import MeldKind
from scoring.families.family_pages import Words

SUITS: dict[str, Promise] = {
    "spades": _("spades"),
    "hearts": _("hearts"),
    "diamonds": _("diamonds"),
    "clubs": _("clubs"),
}
"""The suits, by the engine's names."""

MELD_VALUES = tuple(kind.setting for kind in MeldKind)
"""The settings that say what melds are worth: together they give the points of a meld that is written as a total."""

LINES: dict[str, Promise] = {
    "meld": _("Meld: {meld}"),
    "take": _("Taken in play: {take}"),
    "take-last": _("Taken in play: {counters} in cards and {last} for the last trick"),
    "made": _("Bid of {bid} made with {total}"),
    "set": _(
        "Failed bid: meld {meld} and take {take} make {total}, {short:short} of the bid of {bid}. The bid is "
        "deducted; meld and take don't count"
    ),
    "set-off-board": _(
        "Failed bid: meld {meld} and all {most} in play can't reach the bid of {bid}. The bid is deducted; meld and "
        "take don't count"
    ),
    "set-reverted": _(
        "Failed bid: meld {meld} and take {take} make {total}, {short:short} of the bid of {bid}. Meld and take don't "
        "count"
    ),
    "set-off-board-reverted": _(
        "Failed bid: meld {meld} and all {most} in play can't reach the bid of {bid}. Meld and take don't count"
    ),
    "set-given": _("The failed bid of {bid} goes to this side"),
    "set-meld": _("Failed bid: the meld of {meld} is deducted too"),
    "meld-too-low": _("Meld of {meld} isn't recorded: {needed:needed}"),
    "meld-lost": _("Meld of {meld} lost: {counters:points} in counters taken, {needed:needed} to save it"),
    "set-too-low": _(
        "Failed bid with less than {needed} in tricks: meld {meld} and take {take} don't count. The bid of {bid} is "
        "deducted"
    ),
    "set-too-low-reverted": _(
        "Failed bid with less than {needed} in tricks: meld {meld} and take {take} don't count. The bid was {bid}"
    ),
    "take-lost": _("Take of {take} lost: {needed:needed} in counters for it to count"),
    "take-too-low": _(
        "Meld {meld} and take {take} don't count: a side with less than {needed} in tricks scores nothing"
    ),
    "meld-lost-no-trick": _("Meld of {meld} lost: no trick with points won"),
    "renege-set": _("Failed bid after a renege: the bid of {bid} is deducted and the rest isn't played"),
    "renege-set-reverted": _("Failed bid after a renege, at {bid}: nothing counts and the rest isn't played"),
    "renege-kept": _("Meld counts: the bid side reneged"),
    "renege-made": _("Bid of {bid} counts as made: the other side reneged"),
    "renege-penalty": _("Single failed bid for a renege: the bid of {bid} is deducted"),
    "renege-lost": _("Meld of {meld} lost by a renege"),
    "forfeit": _("Wrong lay-down: {points:points} in the tricks laid down forfeited"),
    "forfeit-gained": _("{points:points} forfeited by the other side's wrong lay-down"),
    "conceded": _("Conceded before the lead: the bid of {bid} is deducted"),
    "conceded-reverted": _("The bid of {bid} was conceded before the lead: nothing counts"),
    "no-marriage": _("Failed bid without play: no marriage to name trump with. The bid of {bid} is deducted"),
    "no-marriage-reverted": _("Failed bid of {bid} without play: no marriage to name trump with"),
    "counted-run": _("{count:run}"),
    "counted-royal-marriage": _("{count:marriages} in trump"),
    "counted-marriage": _("{count:marriages} in {suit}"),
    "counted-some-marriage": _("{count:marriages}; the suit isn't named"),
    "counted-nine-of-trump": _("{count:nines-of-trump}"),
    "counted-aces": _("{count:aces}"),
    "counted-kings": _("{count:kings}"),
    "counted-queens": _("{count:queens}"),
    "counted-jacks": _("{count:jacks}"),
    "counted-pinochle": _("{count:pinochle}"),
    "redealt": _("{times:redeals} before this deal, for {nines:nines} and no meld"),
    "deal-lost": _("{times:deals-lost} before this deal, after misdeals"),
    "concession": _("The bidder conceded: {points} on top of meld"),
}

PROBLEMS: dict[str, Promise] = {
    "bid-side": _("Press who holds the bid."),
    "bidder": _("Press who holds the bid."),
    "columns": _("There must be {needed:figures}, one for each side; there are {given}. Fill in all of them."),
    "last-trick-side": _("Press who won the last trick."),
    "last-trick-player": _("Press who won the last trick."),
    "negative": _("{points} isn't possible: nothing here is below zero. Write the figure without a minus."),
    "bid-too-low": _(
        "A bid of {bid} is too low: bidding opens at {lowest}; if all others pass, the dealer takes it at {dropped}. "
        "Read the bid on the card again."
    ),
    "bid-step": _(
        "Bids go up from {lowest} in steps of {step}, so {bid} isn't possible. Read the bid on the card again."
    ),
    "bid-high": _("A bid of {bid} is rare. Is it right?"),
    "dealer": _("The dealer must be one of the {seats:players} at the table. Press the dealer."),
    "dealer-needed": _("The bids begin on the dealer's left. Say who dealt, or leave the bids out."),
    "dropped-not-dealer": _(
        "Only the dealer takes a bid of {bid}, when all others pass: bidding opens at {lowest}. "
        "Check the bid, who holds it and who dealt."
    ),
    "auction-low": _(
        "Number {place} in the row of bids, {bid}, isn't higher than the {highest} before it. "
        "Read the bids again; a pass is 0."
    ),
    "auction-dropped": _(
        "All others passed, so the dealer takes the bid at {dropped}. Read the end of the row of bids again."
    ),
    "auction-long": _("Only one bidder was left after {enough:calls}; there are {given}. Read the row of bids again."),
    "auction-open": _(
        "Still bidding after this row of bids: {left:players}. Write every bid and every pass, a pass as 0."
    ),
    "auction-bid": _("The row of bids ends at {highest}, but the bid on the card is {bid}. Correct one of them."),
    "auction-holder": _(
        "By the row of bids the other side holds the bid. Check who holds it, who dealt, and the bids."
    ),
    "no-redeals": _("Under these rules nobody throws cards in for a redeal. Leave it empty."),
    "no-deals-lost": _("Under these rules nobody loses the deal after misdeals. Leave it empty."),
    "no-concession": _("Under these rules the bidder can't concede: the deal is played. Choose how it ended."),
    "no-marriage-played": _(
        "Under these rules a bidder without a marriage in trump plays all the same. Choose how the deal ended."
    ),
    "no-marriage-melded": _("Without a marriage there is no trump, and nobody melds. Leave the meld empty."),
    "no-marriage-shown": _(
        "This side held the bid and shows no marriage in trump. Without one its bid fails and the deal isn't played. "
        "Was it played all the same?"
    ),
    "no-marriage-left": _(
        "These melds leave no king and queen of trump for the bidder, who can't play without. "
        "Check trump and the melds."
    ),
    "counted-players": _("There must be melds of {needed:players}, an empty list for nothing; there are {given}."),
    "counted-twice": _("{player} has the same meld in two places. Write it once, with its number."),
    "counted-number": _("{player} can't have {count} of one meld, only 1 to {copies}. Count the meld again."),
    "counted-suit": _("{player} has a meld with a suit that isn't its own. Leave the suit out."),
    "marriage-suit": _("{player} has a marriage without its suit. Name the suit."),
    "marriage-of-trump": _(
        "{player} has a plain marriage in {suit}, but that is trump. Count it as a marriage in trump."
    ),
    "trump-needed": _("A run, a marriage in trump or a nine is counted. Say which suit is trump."),
    "counted-copies": _(
        "The melds of {player} need {lacking}; the pack has {there}. Check trump and count these melds again."
    ),
    "counted-cards": _("The melds of {player} need {needed:cards}, but a player has only {cards}. Count them again."),
    "counted-pack": _(
        "The melds of all players need {lacking}; the pack has {there}. Check trump, and who melded what."
    ),
    "counted-differs": _("The card says {written}, but the melds make {counted}. Correct the figure or the melds."),
    "meld-impossible": _(
        "No {cards:cards} can meld {meld}; the nearest are {below} and {above}. Count the meld again."
    ),
    "meld-most": _("No {cards:cards} can meld {meld}; the most is {most}. Count the meld again."),
    "meld-impossible-pair": _(
        "No melds of two hands of {cards:cards} add up to {meld}; the nearest sums are {below} and {above}. "
        "Count both melds again."
    ),
    "meld-most-pair": _(
        "Two hands of {cards:cards} can't meld {meld} together; no two meld more than {most}. Count both melds again."
    ),
    "meld-pack": _("All melds together are {meld}; the hands of one pack give {most} at most. Count every meld again."),
    "meld-high": _("A meld of {meld} is rare. Is it right?"),
    "take-total": _(
        "All that was taken comes to {total}; the cards and the last trick are worth {needed}. "
        "Count the tricks of every side again."
    ),
    "take-over": _(
        "The two sides' take is {total} together. With a wrong lay-down and {last} noted for the last trick "
        "it is at most {most}. Count only what was taken before the cards were laid down."
    ),
    "take-step": _("Points in tricks come in steps of {step}, so {take} isn't possible. Count the tricks again."),
    "last-trick-take": _(
        "The last trick alone is worth {last}, so its winner can't have {take}. Check who won it, and count again."
    ),
    "take-cards": _(
        "No cards, with the last trick or without, are worth {take}. Count the tricks of every side again."
    ),
    "sure-take": _(
        "The unbeatable trumps that were melded take at least {least} here; the card has {take}. Check who took what, "
        "and the melds."
    ),
    "last-trick-needed": _("Who won the last trick? It decides what counts here. Press the side."),
    "bidder-scored-take": _(
        "With {take} taken, the bidder did win a trick with points: the discard is worth at most {most}. Press Yes."
    ),
    "bidder-scored-last": _("The bidder won the last trick, so won a trick with points. Press Yes."),
    "bidder-scored-nothing": _("The bidder took nothing, so won no trick with points. Press No."),
    "bidder-scored-needed": _(
        "Did the bidder win a trick with points? All {take} may be from the discard. Press yes or no."
    ),
}

SETTINGS = {
    " ".join(MELD_VALUES): "meld",
    **{kind.setting: f"counted-{kind}" for kind in MeldKind},
    "marriage": "counted-marriage counted-some-marriage",
    "royal_marriage marriage": "marriage-of-trump",
    "counters": "take",
    "counters last_trick": "take-last take-total take-over take-step take-cards sure-take",
    "last_trick": "last-trick-take",
    "last_trick_saves_meld last_trick_is_scoring": "last-trick-needed",
    "last_trick_is_scoring": "bidder-scored-last",
    "widow counters": "bidder-scored-take",
    "meld_to_record": "meld-too-low",
    "take_to_score": "take-too-low",
    "take_to_score set_points": "set-too-low set-too-low-reverted",
    "take_stays counters_to_save_meld": "take-lost",
    "counters_to_save_meld": "meld-lost",
    "scoring_trick_for_meld": "meld-lost-no-trick bidder-scored-nothing bidder-scored-needed",
    "set_points": "made set set-off-board set-reverted set-off-board-reverted set-given set-meld",
    "renege_bid_side set_points": "renege-set renege-set-reverted",
    "renege_bid_side": "renege-kept",
    "renege_other_side": "renege-made renege-lost renege-penalty",
    "lay_down_forfeit": "forfeit forfeit-gained",
    "concession set_points": "conceded conceded-reverted",
    "concession": "concession no-concession",
    "five_nines": "redealt no-redeals",
    "misdeals": "deal-lost no-deals-lost",
    "no_marriage_is_set set_points": "no-marriage no-marriage-reverted",
    "no_marriage_is_set": "no-marriage-played no-marriage-melded no-marriage-left no-marriage-shown",
    "opening_bid dropped_bid": "bid-too-low dropped-not-dealer",
    "dropped_bid": "auction-dropped",
    "bid_step": "auction-low",
    "bid_step later_steps": "bid-step",
    "ask_bid_above": "bid-high",
    "ask_meld_above": "meld-high",
    "copies": "counted-number counted-copies counted-pack",
    "hand_size": "counted-cards",
    "hand_size copies": "meld-impossible meld-most meld-impossible-pair meld-most-pair meld-pack",
}

NOUNS = {
    "calls": _n("%(n)s bid or pass", "%(n)s bids and passes", "number"),
    "marriages": npgettext_lazy("melds", "Marriage", "%(n)s marriages", "number"),
    "nines-of-trump": npgettext_lazy("melds", "Nine of trump", "%(n)s nines of trump", "number"),
    "needed": _n("%(n)s needed", "%(n)s needed", "number"),
    "short": _n("%(n)s short", "%(n)s short", "number"),
    "nines": _n("%(n)s nine", "%(n)s nines", "number"),
    "redeals": _n("%(n)s redeal", "%(n)s redeals", "number"),
    "deals-lost": _n("%(n)s deal lost", "%(n)s deals lost", "number"),
    "draws": _n("%(n)s draw", "%(n)s draws", "number"),
}

MULTIPLES = {
    "run": (_("Run"), _("Double run"), _("Triple run"), _("Quadruple run")),
    "aces": (_("Aces around"), _("Double aces around"), _("Triple aces around"), _("Quadruple aces around")),
    "kings": (_("Kings around"), _("Double kings around"), _("Triple kings around"), _("Quadruple kings around")),
    "queens": (_("Queens around"), _("Double queens around"), _("Triple queens around"), _("Quadruple queens around")),
    "jacks": (_("Jacks around"), _("Double jacks around"), _("Triple jacks around"), _("Quadruple jacks around")),
    "pinochle": (_("Pinochle"), _("Double pinochle"), _("Triple pinochle"), _("Quadruple pinochle")),
}

CHOICES: dict[str, Promise] = {
    "other-side": _("the other side"),
    "both": _("both sides"),
    "nobody": _("nobody"),
    "bid": _("the bid"),
    "nothing": _("nothing"),
    "meld": _("the meld"),
    "opponents": _("the opponents"),
    "deducted": _("deducted"),
    "with-meld": _("deducted, and the meld too"),
    "reverted": _("nothing counts, the score stays"),
    "given": _("given to the others"),
    "full": _("full, on top of the single"),
    "difference": _("the difference to the double"),
    "never": _("never: it must be laid in one go"),
    "all": _("meld and take"),
    "take": _("the take"),
}

KIND = _("Pinochle")
NUMBERS: tuple[Promise, ...] = (
    pgettext_lazy("cards", "none"),
    pgettext_lazy("cards", "one"),
    pgettext_lazy("cards", "two"),
    pgettext_lazy("cards", "three"),
    pgettext_lazy("cards", "four"),
    pgettext_lazy("cards", "five"),
    pgettext_lazy("cards", "six"),
    pgettext_lazy("cards", "seven"),
    pgettext_lazy("cards", "eight"),
    pgettext_lazy("cards", "nine"),
    pgettext_lazy("cards", "ten"),
)
RANKS: dict[str, Promise] = {
    "A": pgettext_lazy("cards", "aces"),
    "10": pgettext_lazy("cards", "tens"),
    "K": pgettext_lazy("cards", "kings"),
    "Q": pgettext_lazy("cards", "queens"),
    "J": pgettext_lazy("cards", "jacks"),
    "9": pgettext_lazy("cards", "nines"),
}


def number_word(number: int) -> str:
    """
    >>> number_word(2), number_word(12)
    ('two', '12')
    """
    return str(NUMBERS[number]) if number < len(NUMBERS) else str(number)


def describe_cards(cards: str) -> str:
    """The sentence of `cards_argument`; suits with the same needs together.

    >>> describe_cards("3 A spades")
    'three aces of spades'
    >>> describe_cards("3 A spades, 3 A hearts, 3 A diamonds, 3 A clubs, 2 9 clubs")
    'three aces of each suit and two nines of clubs'
    """
    each = [card.split(" ") for card in cards.split(", ")]
    by_suit: dict[tuple[str, str], list[str]] = {}  # number and suit -> ranks
    for many, rank, suit in each:
        by_suit.setdefault((many, suit), []).append(rank)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}  # number and ranks -> suits
    for (many, suit), ranks in by_suit.items():
        alike.setdefault((many, tuple(ranks)), []).append(suit)
    return _join(
        _now("%(many)s %(ranks)s of %(suits)s")
        % {
            "many": number_word(int(many)),
            "ranks": _join(str(RANKS[rank]) for rank in ranks),
            "suits": _now("each suit") if len(suits) == len(SUITS) else _join(str(SUITS[suit]) for suit in suits),
        }
        for (many, ranks), suits in alike.items()
    )


def _join(words: Iterable[str]) -> str:
    return get_text_list(list(words), _now("and"))


WORDS = Words(
    prefix="pinochle",
    lines=LINES,
    problems=PROBLEMS,
    settings=SETTINGS,
    names={
        "suit": lambda suit, words: str(SUITS.get(suit, suit)),
        "lacking": lambda cards, words: describe_cards(cards),
        "there": lambda many, words: number_word(int(many)),
    },
    choices=CHOICES,
    nouns=NOUNS,
    multiples=MULTIPLES,
)
