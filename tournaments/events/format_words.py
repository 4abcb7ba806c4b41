"""Formats of events in words: what each is, its options with their choices, and a description made from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

ABOUT: dict[str, Promise] = {
    "contest": _(
        "A list of names, tables drawn by lot, a set of games in each group. The best go on, down to one final table."
    ),
    "rotation": _(
        "Whoever is here plays several rounds, with new partners in every round. Each scores for themselves, and the "
        "season adds it up."
    ),
    "progressive": _("Tables of four, with new partners after each round. Everyone wants to reach the top table."),
    "round-robin": _("Fixed partners. As few rounds as possible."),
    "swiss": _("Fixed partners. In every round sides with similar scores meet; no rematches if avoidable."),
    "ladder": _("Fixed partners. Winners go up a table, losers down: the king of the hall stays at table 1."),
    "knock-out": _("Fixed partners. Winners go on; the last two play the final."),
    "single-table": _("One table plays several rounds."),
    "team-match": _("Two clubs. At every table a side of the one meets a side of the other; the games add up."),
}
"""What each format is, in the order in which they are offered. What an option says stands there alone."""

LABELS: dict[str, Promise] = {
    "rounds": _("Rounds"),
    "legs": _("How often everybody meets everybody"),
    "bye": _("A side without a table in a round scores"),
    "first_by_lot": _("The first round is by lot"),
    "rematches": _("When not all can meet somebody new"),
    "moves": _("After each round"),
    "consolation": _("Whoever loses the first match plays on in a consolation"),
    "third": _("The losers of the semi-finals play for the third place"),
    "level": _("A match that ends level is settled by"),
    "partners": _("Partners"),
}

CHOICES: dict[str, dict[str, Promise]] = {
    "bye": {"win": _("a game won"), "half": _("half a game won"), "nothing": _("nothing")},
    "moves": {
        "losers-stay": _("winners go up a table, losers stay; the losers of the head table go to the last"),
        "losers-down": _("winners go up a table, losers go down one"),
        "colours": _("two colours: winners of the first go up, of the second down, losers stay"),
    },
    "rematches": {
        "refused": _("no further round is drawn"),
        "fewest": _("the fewest sides meet again, or rest again"),
    },
    "level": {"extra-deal": _("one more deal"), "lots": _("lots")},
    "partners": {"change": _("change, so that all partner all"), "stay": _("stay")},
}


def described(format: str, options: Mapping[str, Any]) -> list[str]:
    """How an event of this format runs, one sentence for each of its options."""
    said = []
    for name, value in options.items():
        if name == "rounds":
            said.append(ngettext("%(n)d round is played.", "%(n)d rounds are played.", value) % {"n": value})
        elif name == "legs":
            said.append(
                _now("Every side meets every other once.")
                if value == 1
                else _now("Every side meets every other %(n)d times.") % {"n": value}
            )
        elif name in CHOICES:
            said.append(_now("%(what)s: %(choice)s.") % {"what": LABELS[name], "choice": CHOICES[name][value]})
        elif name in LABELS and value:
            said.append(_now("%(what)s.") % {"what": LABELS[name]})
    return said
