"""The headings of the rules in words, and which of them a setting stands under."""

from __future__ import annotations

import re
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OTHER = "other"

SECTIONS: dict[str, Promise] = {
    "game": _("The game"),
    "cards": _("Cards and dealing"),
    "bidding": _("Bidding"),
    "melds": _("Melds"),
    "values": _("What cards and tricks are worth"),
    "bonuses": _("Bonuses"),
    "out": _("Going out"),
    "penalties": _("What goes wrong"),
    "points": _("Points of a deal"),
    OTHER: _("Also"),
    "asks": _("What the scorer is asked"),
}
"""The headings of the rules in words, in their order."""

BELONGS: tuple[tuple[str, str], ...] = (
    (r"ask_.*", "asks"),
    (r"meld_after_last_draw|added_to_run|grown_double|turned_up_nine|.*loses_meld", "melds"),
    (
        r"target|deals|out_by_contract|bid_side_first|lowest_wins|lose_at|.*handicap.*|.*claim.*|.*challenge.*|game_.*|both_over.*",
        "game",
    ),
    (
        r"renege.*|revoke.*|lay_down.*|.*penalt.*|undeclared.*|.*_lost|.*wrong.*|early_lead|concession|.*forfeit.*",
        "penalties",
    ),
    (r"out_.*|may_float", "out"),
    (r".*_pile|pile_bonus.*|special_books|red_three.*|perfect_.*|.*_bonus|.*canasta.*|bonus.*", "bonuses"),
    (r".*bid.*|later_steps|set_.*|.*_set|guess.*|.*contract.*|on_the_board.*", "bidding"),
    (r"counters|take_to_score|take_stays|last_trick(_is_scoring)?|card_values|last_draw.*|.*_last_draw", "values"),
    (
        r"run.*|added_to_run|grown_double|turned_up_nine|.*marriage.*|.*around|pinochle.*|nine_of_trump|.*meld.*|naturals.*|wilds.*|pile_.*|first_.*",
        "melds",
    ),
    (
        r"ranks|copies|.*deck.*|joker.*|hand.*|foot.*|knee|widow.*|cards_.*|five_nines|.*nines|misdeal.*|draw.*|take_.*",
        "cards",
    ),
    (r"choose_.*|stock.*|upcard.*|packets.*|.*redeal.*|dealt.*", "cards"),
    (r"lowest|highest|whole|step|one_side|other_sides|others_most|others_beside", "points"),
)
"""Which heading a setting stands under: the first pattern that its whole name fits, else the last but one heading."""


@cache
def section_of(name: str) -> str:
    """The key of the heading that a setting stands under."""
    return next((section for pattern, section in BELONGS if re.fullmatch(pattern, name)), OTHER)
