"""The rule sets as a newcomer chooses among them: under the name of the game, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.templatetags.rule_texts import translated
from tournaments.events.actions import GameChoice

KINDS: dict[str, Promise] = {
    "pinochle": _("Pinochle"),
    "hand-and-foot": _("Hand and Foot"),
    "canasta": _("Canasta"),
    "other": _("Whist, euchre and other games"),
    "own": _("The club's own rules"),
}

IN_A_SENTENCE: dict[str, dict[str, Promise]] = {
    "pinochle": {
        "st-hilary-v3": _("Two against two with one pack: bid, pass three cards, meld and play to 150."),
        "double-deck-partnership-pinochle": _("Two against two with two packs and no nines: bids from 50, to 500."),
        "three-hand-double-pinochle": _("Three players, each alone, with two packs: the game of the big competition."),
        "fletcher-two-hand": _("For two, with bidding, penalties and a handicap between the players, to 150."),
        "two-hand-pinochle-classic": _("For two without bidding: the card turned up is trump, to 1,000."),
    },
    "hand-and-foot": {
        "hand-and-foot": _("The usual rules: four deals with clean, dirty and wild piles, in pairs, threes or alone."),
        "hand-and-foot-003": _(
            "The usual rules, but a wild pile is worth 150 and a red three not laid down costs nothing."
        ),
        "hand-and-foot-bicycle": _(
            "Eleven cards in the hand and eleven in the foot, and no piles of wild cards alone."
        ),
        "hand-and-foot-choose-your-foot": _("You choose which packet is your hand, and pass the other to the left."),
        "hand-and-foot-saskatchewan": _("A hand of eleven and a foot of thirteen; one pile of each kind to go out."),
        "hand-and-foot-simpson": _("Each alone: 300 for a clean pile, and every red three costs 500."),
        "hand-knee-and-foot": _("Two against two with three packets each, and bonuses for sevens and fives."),
    },
    "canasta": {
        "canasta": _("The classic game for four in two partnerships, to 5,000."),
        "canasta-three-hand": _("The classic game for three, each alone, thirteen cards each."),
        "canasta-two-hand": _("The classic game for two: two canastas are needed to go out."),
    },
    "other": {
        "whist-drive": _("Both sides write down their tricks, thirteen in every deal, and move on."),
        "euchre": _("Two against two: 1, 2 or 4 points a deal for one side, to 10."),
        "five-hundred": _("By the Avondale schedule: contracts made or lost, 10 a trick for the others, to 500."),
        "cribbage": _("A row of the card is a whole game: 121 for its winner, the holes pegged for the others."),
        "beetle": _("A point for every part drawn, 13 for a beetle, and whoever has all of it stops the round."),
        "points-only": _("Any other game: only the points are written down, within limits that you set."),
    },
}
"""By the kind of game under which a newcomer looks for it, by slug; all others are a club's own."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A rule set to choose from."""

    game: GameChoice
    about: str

    @property
    def title(self) -> str:
        """What it is called, in the reader's language."""
        return translated(self.game.rule_set.title)


def kind_of(slug: str) -> str:
    """The kind of game under which a rule set is offered: a key of `KINDS`."""
    return next((kind for kind, sentences in IN_A_SENTENCE.items() if slug in sentences), "own")


def offered(games: Sequence[GameChoice], *, kind: str = "") -> Iterator[tuple[str, str, list[Offered]]]:
    """For each kind of game, in the order of `KINDS`: its key, title and rule sets. With `kind`, for that one only."""
    for one, title in KINDS.items():
        rows = [
            Offered(game, str(IN_A_SENTENCE.get(one, {}).get(game.slug, game.rule_set.about)))
            for game in games
            if kind_of(game.slug) == one and kind in ("", one)
        ]
        if rows:
            yield one, str(title), rows
