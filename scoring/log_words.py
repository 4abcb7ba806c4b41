"""What the verbs of cards, rules and handicaps mean in the log: see `clubsite.accounts.log_words`."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "deal.record": _("%(who)s wrote down a deal: %(what)s."),
    "deal.correct": _("%(who)s corrected a deal: %(what)s."),
    "deal.agree": _("%(who)s said that a deal is right: %(what)s."),
    "deal.entered": _("%(who)s took back what was said of a deal: %(what)s."),
    "deal.agreed": _("%(who)s marked a deal as agreed: %(what)s."),
    "deal.disputed": _("%(who)s said that a deal is wrong: %(what)s."),
    "deal.void": _("%(who)s made a deal void: %(what)s."),
    "deals.import": _("%(who)s took in deals from the file %(what)s."),
    "game.end": _("%(who)s ended a game: %(what)s."),
    "game.reopen": _("%(who)s opened a game again: %(what)s."),
    "handicap.bring": _("%(who)s brought the handicap of %(what)s up to date."),
    "rules.copy": _("%(who)s made the rules %(what)s as a copy."),
    "rules.publish": _("%(who)s published the rules %(what)s."),
}

LABELS: dict[str, str | Promise] = {
    "bid": _("bid"),
    "bid_side": _("side that bid"),
    "bids": _("bids"),
    "bidder": _("player who bid"),
    "bidder_scored": _("points that the bidder wrote down"),
    "cards": _("cards"),
    "clean": _("Clean piles"),
    "concealed": _("Went out concealed"),
    "conceded": _("given up"),
    "count": _("number"),
    "counted": _("counted cards"),
    "dealer": _("dealer"),
    "dirty": _("Dirty piles"),
    "ending": _("how it ended"),
    "facts": _("card"),
    "games": _("games"),
    "kind": _("kind"),
    "last_trick": _("last trick"),
    "left": _("Card points left"),
    "meld": _("meld"),
    "melded": _("Card points melded"),
    "melds": _("melds"),
    "number": _("number"),
    "out": _("side that went out"),
    "perfect": _("Players who took exactly their cards"),
    "red_threes": _("Red threes on the table"),
    "red_threes_missed": _("Red threes not tabled"),
    "reason": _("reason"),
    "ruling": _("ruling"),
    "score_before": _("points before"),
    "side": _("side"),
    "sides": _("sides"),
    "special": _("special piles"),
    "state": _("state"),
    "suit": _("suit"),
    "take": _("take"),
    "trump": _("trump"),
    "version": _("version"),
    "wild": _("Wild piles"),
}
