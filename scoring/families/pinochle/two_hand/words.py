"""Sentences for the codes of two-hand pinochle; the arguments of a code fill the braces."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.families.family_pages import Words, by_settings
from scoring.families.pinochle.words import MELD_VALUES

LAYINGS: dict[str, Promise] = {
    "run": _("Run"),
    "double-run": _("Double run"),
    "added-king": _("King added to a run"),
    "added-queen": _("Queen added to a run"),
    "royal-marriage": _("Royal marriage"),
    "marriage-spades": _("Marriage in spades"),
    "marriage-hearts": _("Marriage in hearts"),
    "marriage-diamonds": _("Marriage in diamonds"),
    "marriage-clubs": _("Marriage in clubs"),
    "nine": _("Nine of trump"),
    "aces": _("Aces"),
    "double-aces": _("All eight aces"),
    "kings": _("Kings"),
    "double-kings": _("All eight kings"),
    "queens": _("Queens"),
    "double-queens": _("All eight queens"),
    "jacks": _("Jacks"),
    "double-jacks": _("All eight jacks"),
    "pinochle": _("Pinochle"),
    "double-pinochle": _("Double pinochle"),
}
"""What is laid, by the engine's names."""

LINES: dict[str, Promise] = {
    "two-hand.meld": _("Meld: {meld}"),
    **{f"two-hand.laid-{name}": words for name, words in LAYINGS.items()},
    "two-hand.last-draw-nine": _("A nine as the last card drawn"),
    "two-hand.last-draw-nine-of-trump": _("The nine of trump as the last card drawn: {nine}, and {meld} for its meld"),
    "two-hand.last-draw-put-back": _("The nine drawn last was put under the stock by the same player: nothing"),
    "two-hand.last-draw-jack": _("The jack of clubs as the last card drawn"),
    "two-hand.take": _("Taken in play: {take}"),
    "two-hand.take-last": _("Taken in play: {counters} in cards and {last} for the last trick"),
    "two-hand.made": _("Contract of {bid} made with {total}"),
    "two-hand.set": _(
        "Contract of {bid} not made: {total} is {short:short}. The total goes back to what it was before the deal"
    ),
    "two-hand.set-awards": _(
        "Contract of {bid} not made: {total} is {short:short}. The total goes back to what it was before the deal; "
        "the bonus of {awards} goes too"
    ),
    "two-hand.lost-undeclared": _("A nine of trump wasn't declared: meld {meld} and take {take} are lost"),
    "two-hand.lost-revoke": _("Revoked: meld {meld} and take {take} are lost"),
    "two-hand.take-lost-revoke": _("Revoked: the take of {take} is lost"),
    "two-hand.lost-no-trick": _("No points taken after the last draw: the meld of {meld} is lost"),
    "two-hand.guess-right": _("Guessed the trump"),
    "two-hand.guess-wrong": _("The other player guessed another trump"),
    "two-hand.cards-wrong": _("The other player had the wrong number of cards: {cards} counted in all"),
    "two-hand.led-early": _("The other player led before drawing, times: {times}"),
    "two-hand.claimed": _("Claims the game, before the cards are counted"),
    "two-hand.challenged": _("Claims the game, is challenged, and makes the contract of {bid} with {total}"),
}

PROBLEMS: dict[str, Promise] = {
    "two-hand.bidder": _("The bidder must be one of the two players. Press the one who holds the contract."),
    "two-hand.bid-needed": _("Write the bid: without it nobody can tell whether the contract is made."),
    "two-hand.last-trick-player": _("The last trick must be with one of the two players."),
    "two-hand.not-in-rules": _("The house rules of this game know nothing of the kind. Leave it empty."),
    "two-hand.meld-impossible": _("Nobody can meld {meld} from the {cards:cards} of a deal. Count the melds again."),
    "two-hand.melds-together": _(
        "One pack, shared between the two players, can't give both these melds. Count them again, and check who "
        "melded what."
    ),
    "two-hand.meld-differs": _(
        "The card says {written}, the melds written one by one make {counted}. Count both again, or leave the total "
        "empty."
    ),
    "two-hand.added-without-run": _(
        "Meld {place} adds a king or queen to a run, but there is no run before it, or no card left to add. "
        "Check the order."
    ),
    "two-hand.royal-from-run": _(
        "Meld {place} is a royal marriage, but its cards are in a run or a royal marriage already. A run gives no "
        "marriage of its own: check the order."
    ),
    "two-hand.laid-too-often": _(
        "Meld {place} can't be laid once more: its cards, or those of the double, lie already. Check the order."
    ),
    "two-hand.marriage-of-trump": _("Meld {place} is a marriage in trump: write it as a royal marriage."),
    "two-hand.no-trump": _("There are marriages in all four suits, but one of them is trump: a royal marriage."),
    "two-hand.cards-seen": _("These melds need {needed:cards}, and a player sees {cards} in a deal. Look again."),
    "two-hand.laid-pack": _("Both players' melds need {lacking}; the pack has {there}. Check who laid what."),
    "two-hand.laid-pack-any": _(
        "One pack can't give both players' melds, whichever suit is trump. Check who laid what."
    ),
    "two-hand.too-many-melds": _(
        "Melds written down: {laid}. With one after each trick both players together can lay {most}."
    ),
    "two-hand.too-many-nines": _("Nines of trump counted: {nines}, more than the pack can give. Look again."),
    "two-hand.undeclared-none-left": _(
        "All nines of trump were declared or drawn last: none was left to keep silent about. "
        "Check who declared them, and who didn't."
    ),
    "two-hand.put-back-undeclared": _(
        "The nine that was put under the stock had been declared: write its point with the meld."
    ),
    "two-hand.put-back-twice": _("Only one player can draw the nine that was put under the stock. Check who drew it."),
    "two-hand.take-over": _(
        "The two have taken {total} together; all cards and the last trick are worth {most}. Count the tricks again."
    ),
    "two-hand.take-little": _("Together at least {last} is taken in the trick play, not {total}. Count again."),
    "two-hand.no-trick-player": _("Who took nothing in the trick play must be one of the two players."),
    "two-hand.no-trick-last": _("Who won the last trick has its point, and so has taken something. Check which it is."),
    "two-hand.no-trick-take": _(
        "Somebody who took nothing after the last draw can't have {take}: before it at most {most} can be taken."
    ),
    "two-hand.still-wrong": _(
        "Cards still wrong a trick later: {still}, but none are written as wrong before. Fill in both."
    ),
    "two-hand.cards-wrong-high": _("Cards too few or too many: {cards} in one deal is rare. Is it right?"),
    "two-hand.led-early-too-often": _("Leads before drawing: {times}; there are only {most:draws} in a deal."),
    "two-hand.claimant": _("Press the player who claimed the game."),
    "two-hand.claimant-without-claim": _("A claim of the game is noted, but the deal was played out. Check."),
    "two-hand.claim-without-count": _(
        "A player who claims the game must have won a trick with points. Tick that, or write what was taken."
    ),
    "two-hand.challenge-not-bidder": _("Only a player who holds the contract can be challenged. Check who claimed."),
    "two-hand.claim-short": _(
        "With this deal the claimant has {total}: the game is claimed with {target}. Check the figures and the totals "
        "before, write what was taken if that was counted, or write the deal as played out."
    ),
}

SETTINGS = by_settings(
    "two-hand",
    {
        " ".join(MELD_VALUES): "meld",
        "run": "laid-run laid-double-run",
        "added_to_run": "laid-added-king laid-added-queen added-without-run",
        "royal_marriage": "laid-royal-marriage royal-from-run",
        "marriage": "laid-marriage-spades laid-marriage-hearts laid-marriage-diamonds laid-marriage-clubs",
        "royal_marriage marriage": "marriage-of-trump no-trump",
        "nine_of_trump": "laid-nine",
        "aces_around": "laid-aces laid-double-aces",
        "kings_around": "laid-kings laid-double-kings",
        "queens_around": "laid-queens laid-double-queens",
        "jacks_around": "laid-jacks laid-double-jacks",
        "pinochle": "laid-pinochle laid-double-pinochle",
        "last_draw_nine": "last-draw-nine last-draw-put-back put-back-undeclared put-back-twice",
        "last_draw_nine nine_of_trump": "last-draw-nine-of-trump",
        "last_draw_jack": "last-draw-jack",
        "last_draw_nine last_draw_jack": "not-in-rules:last_draw",
        "counters": "take",
        "counters last_trick": "take-last take-over",
        "last_trick": "take-little",
        "bidding": "made set set-awards not-in-rules:bidder not-in-rules:bid",
        "guess": "guess-right guess-wrong not-in-rules:guess",
        "undeclared_nine": "lost-undeclared not-in-rules:undeclared_nine",
        "undeclared_nine copies": "undeclared-none-left",
        "revoke_loses": "lost-revoke take-lost-revoke not-in-rules:revoked",
        "no_trick_points_loses_meld": "lost-no-trick no-trick-last no-trick-take",
        "wrong_cards": "cards-wrong cards-wrong-high not-in-rules:cards_wrong",
        "early_lead": "led-early led-early-too-often not-in-rules:led_early",
        "claims": "claimed challenged claim-without-count challenge-not-bidder not-in-rules:ending",
        "claims target": "claim-short",
        "hand_size": "cards-seen",
        "hand_size copies": "meld-impossible",
        "copies": "melds-together laid-pack laid-pack-any",
        "copies turned_up_nine": "too-many-nines",
        "grown_double copies": "laid-too-often",
        "meld_after_last_draw": "too-many-melds",
    },
)

WORDS = Words(lines=LINES, problems=PROBLEMS, settings=SETTINGS)
