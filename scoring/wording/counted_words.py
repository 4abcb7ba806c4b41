"""Numbers in sentences: as figures, with the word for what is counted, or as a name ("double run").

A sentence asks for the word by what follows the colon: "{cards:cards}" is "1 card" or "12 cards".
"""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy as _n

from scoring.templatetags.figures import points

NOUNS: dict[str, Any] = {
    "calls": _n("%(n)s bid or pass", "%(n)s bids and passes", "number"),
    "canastas": _n("%(n)s canasta", "%(n)s canastas", "number"),
    "cards": _n("%(n)s card", "%(n)s cards", "number"),
    "deals": _n("%(n)s deal", "%(n)s deals", "number"),
    "draws": _n("%(n)s draw", "%(n)s draws", "number"),
    "figures": _n("%(n)s figure", "%(n)s figures", "number"),
    "marriages": _n("Marriage", "%(n)s marriages", "number"),
    "natural-cards": _n("%(n)s natural card", "%(n)s natural cards", "number"),
    "nines-of-trump": _n("Nine of trump", "%(n)s nines of trump", "number"),
    "piles": _n("%(n)s pile", "%(n)s piles", "number"),
    "players": _n("%(n)s player", "%(n)s players", "number"),
    "points": _n("%(n)s point", "%(n)s points", "number"),
    "red-threes": _n("%(n)s red three", "%(n)s red threes", "number"),
    "sides": _n("%(n)s side", "%(n)s sides", "number"),
    "times": _n("%(n)s time", "%(n)s times", "number"),
    "wild-canastas": _n("%(n)s wild canasta", "%(n)s wild canastas", "number"),
    "wild-cards": _n("%(n)s wild card", "%(n)s wild cards", "number"),
    "wild-piles": _n("%(n)s wild pile", "%(n)s wild piles", "number"),
}
"""What is counted, in the singular and the plural, by its name in a sentence."""

NAMES: dict[str, tuple[Promise, ...]] = {
    "run": (_("Run"), _("Double run"), _("Triple run"), _("Quadruple run")),
    "aces": (_("Aces around"), _("Double aces around"), _("Triple aces around"), _("Quadruple aces around")),
    "kings": (_("Kings around"), _("Double kings around"), _("Triple kings around"), _("Quadruple kings around")),
    "queens": (_("Queens around"), _("Double queens around"), _("Triple queens around"), _("Quadruple queens around")),
    "jacks": (_("Jacks around"), _("Double jacks around"), _("Triple jacks around"), _("Quadruple jacks around")),
    "pinochle": (_("Pinochle"), _("Double pinochle"), _("Triple pinochle"), _("Quadruple pinochle")),
}
"""What one, two, three and four of a meld are called together."""


class Figure(int):
    """A number of a sentence.

    >>> "{0} points, {0:points}, {1:run}".format(Figure(1), Figure(2))
    '1 points, 1 point, Double run'
    """

    def __format__(self, what: str) -> str:
        if not what:
            return points(self)
        if what not in NAMES:
            return str(NOUNS[what] % {"number": int(self), "n": points(self)})
        if 1 <= self <= len(NAMES[what]):
            return str(NAMES[what][self - 1])
        return _now("%(name)s, times: %(n)s") % {"name": NAMES[what][0], "n": points(self)}
