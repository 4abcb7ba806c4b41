"""What the verbs of cards, rules and handicaps mean in the log: see `clubsite.accounts.log_words`."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "deal.record": _("%(who)s wrote down the deal %(what)s."),
    "deal.correct": _("%(who)s corrected the deal %(what)s."),
    "deal.agree": _("%(who)s said that the deal %(what)s is right."),
    "deal.entered": _("%(who)s took back what was said of the deal %(what)s."),
    "deal.agreed": _("%(who)s marked the deal %(what)s as agreed."),
    "deal.disputed": _("%(who)s said that the deal %(what)s is wrong."),
    "deal.void": _("%(who)s made the deal %(what)s void."),
    "deals.import": _("%(who)s took in deals from the file %(what)s."),
    "game.end": _("%(who)s ended the game %(what)s."),
    "game.reopen": _("%(who)s opened the game %(what)s again."),
    "handicap.bring": _("%(who)s brought the handicap of %(what)s up to date."),
    "rules.copy": _("%(who)s made the rules %(what)s as a copy."),
    "rules.publish": _("%(who)s published the rules %(what)s."),
}

LABELS: dict[str, str | Promise] = {
    "bid": _("bid"),
    "bid_side": _("side that bid"),
    "bids": _("bids"),
    "cards": _("cards"),
    "counted": _("counted cards"),
    "dealer": _("dealer"),
    "ending": _("how it ended"),
    "facts": _("card"),
    "games": _("games"),
    "last_trick": _("last trick"),
    "meld": _("meld"),
    "reason": _("reason"),
    "ruling": _("ruling"),
    "side": _("side"),
    "sides": _("sides"),
    "state": _("state"),
    "take": _("take"),
    "trump": _("trump"),
    "version": _("version"),
}
