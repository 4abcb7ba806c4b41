"""Numbers in sentences: as figures, with the word for what is counted, or as a name ("double run").

A sentence asks for the word by what follows the colon: "{cards:cards}" is "1 card" or "12 cards".
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _now
from django.utils.translation import ngettext_lazy as _n

from scoring.families import PAGES
from scoring.templatetags.figures import points

NOUNS: dict[str, Any] = {
    "cards": _n("%(n)s card", "%(n)s cards", "number"),
    "figures": _n("%(n)s figure", "%(n)s figures", "number"),
    "players": _n("%(n)s player", "%(n)s players", "number"),
    "points": _n("%(n)s point", "%(n)s points", "number"),
    "sides": _n("%(n)s side", "%(n)s sides", "number"),
    **{name: forms for pages in PAGES.values() for name, forms in pages.words.nouns.items()},
}
"""What is counted, in the singular and the plural, by its name in a sentence."""

NAMES = {name: several for pages in PAGES.values() for name, several in pages.words.multiples.items()}
"""What one, two, three and four of a thing are called together."""


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
