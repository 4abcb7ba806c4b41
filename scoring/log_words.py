"""Sentences of the log for the verbs of cards, rules and handicaps, and labels for a card's fields and values.

`scoring.apps` hands these to `clubsite.accounts.audit_log`.
"""

from collections.abc import Callable
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.audit_log import choice_labels
from scoring.engine.pinochle.melds import MeldKind
from scoring.families.hand_and_foot import FIGURES
from scoring.families.pinochle import ENDINGS
from scoring.families.pinochle_words import MULTIPLES, SUITS
from scoring.models import DealVersion, Game

SENTENCES: dict[str, str | Promise] = {
    "deal.record": _("%(who)s recorded a deal: %(what)s."),
    "deal.correct": _("%(who)s corrected a deal: %(what)s."),
    "deal.agree": _("%(who)s agreed to a deal: %(what)s."),
    "deal.entered": _("%(who)s withdrew a report about a deal: %(what)s."),
    "deal.agreed": _("%(who)s marked a deal as agreed: %(what)s."),
    "deal.disputed": _("%(who)s disputed a deal: %(what)s."),
    "deal.void": _("%(who)s voided a deal: %(what)s."),
    "deals.import": _("%(who)s imported deals from the file %(what)s."),
    "game.end": _("%(who)s ended a game: %(what)s."),
    "game.reopen": _("%(who)s reopened a game: %(what)s."),
    "game.walkover": _("%(who)s gave or removed a walkover: %(what)s."),
    "game.names": _("%(who)s corrected the names on a card: %(what)s."),
    "handicap.bring": _("%(who)s updated the handicap of %(what)s."),
    "rules.copy": _("%(who)s copied rules as %(what)s."),
    "rules.take_in": _("%(who)s imported the rules %(what)s from a file."),
    "rules.publish": _("%(who)s published the rules %(what)s."),
}

_CARDS, _RULES = _("Cards and deals"), _("Rules and handicaps")
KINDS: dict[str, Promise] = {
    **dict.fromkeys(("deal", "deals", "game"), _CARDS),
    **dict.fromkeys(("rules", "handicap"), _RULES),
}

LABELS: dict[str, str | Promise] = {
    **FIGURES,
    "bid": _("bid"),
    "bid_side": _("side that bid"),
    "bids": _("bids"),
    "bidder": _("player who bid"),
    "bidder_scored": _("points that the bidder wrote down"),
    "cards": _("cards"),
    "conceded": _("given up"),
    "count": _("number"),
    "counted": _("counted cards"),
    "dealer": _("dealer"),
    "ending": _("how it ended"),
    "facts": _("card"),
    "games": _("games"),
    "kind": _("kind"),
    "last_trick": _("last trick"),
    "meld": _("meld"),
    "melds": _("melds"),
    "number": _("number"),
    "out": _("side that went out"),
    "reason": _("reason"),
    "ruling": _("ruling"),
    "score_before": _("points before"),
    "shapes": _("who can play"),
    "side": _("side"),
    "sides": _("sides"),
    "special": _("special piles"),
    "state": _("state"),
    "suit": _("suit"),
    "take": _("take"),
    "trump": _("trump"),
    "version": _("version"),
}

MELDS: dict[str, Any] = {
    **{kind: names[0] for kind, names in MULTIPLES.items()},
    MeldKind.ROYAL_MARRIAGE: _("Royal marriage"),
    MeldKind.MARRIAGE: _("Marriage"),
    MeldKind.NINE_OF_TRUMP: _("Nine of trump"),
}


def counted_from_one(value: Any) -> str:
    """Of a side or a player; a card counts from 0."""
    return str(value + 1) if isinstance(value, int) and not isinstance(value, bool) else ""


VALUES: dict[str, Callable[[Any], str]] = {
    "suit": choice_labels(SUITS),
    "trump": choice_labels(SUITS),
    "ending": choice_labels(dict(ENDINGS)),
    "kind": choice_labels(MELDS),
    "state": choice_labels({**dict(Game.State.choices), **dict(DealVersion.State.choices)}),
    **dict.fromkeys(("bid_side", "bidder", "dealer", "last_trick", "out"), counted_from_one),
}
"""By the name of the logged value."""
