"""How the log says the codes of a card: suits, melds, how a deal ended, the number of a side.

`scoring.apps` hands these to `clubsite.accounts.log_words`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from clubsite.accounts.log_words import OneOf
from scoring.engine.pinochle.named_melds import MeldKind
from scoring.families.pinochle.partnership import ENDINGS
from scoring.families.pinochle.words import MULTIPLES, SUITS
from scoring.models import DealVersion, Game

MELDS: dict[str, Any] = {
    **{kind: names[0] for kind, names in MULTIPLES.items()},
    MeldKind.ROYAL_MARRIAGE: _("Royal marriage"),
    MeldKind.MARRIAGE: _("Marriage"),
    MeldKind.NINE_OF_TRUMP: _("Nine of trump"),
}


def counted_from_one(kept: Any) -> str:
    """The number of a side or a player as people count them; a card counts from 0."""
    return str(kept + 1) if isinstance(kept, int) and not isinstance(kept, bool) else ""


SAID: dict[str, Callable[[Any], str] | OneOf] = {
    "suit": OneOf(SUITS),
    "trump": OneOf(SUITS),
    "ending": OneOf(dict(ENDINGS)),
    "kind": OneOf(MELDS),
    "state": OneOf({**dict(Game.State.choices), **dict(DealVersion.State.choices)}),
    **dict.fromkeys(("bid_side", "bidder", "dealer", "last_trick", "out"), counted_from_one),
}
"""By the name under which a verb keeps it."""
