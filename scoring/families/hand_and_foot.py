"""Hand and Foot on pages and paper: its sentences; the form, with each side's piles, red threes and card points, or its
cards counted out; a column for each deal and a row for each item, for each side."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext_lazy as _n, pgettext_lazy

from scoring.engine.core.ledger import Problem, Score
from scoring.engine.hand_and_foot.card import (
    ACE_TO_ACE,
    ALL_BLACK_THREES,
    BLACK_THREE,
    CARD_VALUES,
    EXTRA,
    FIRST_TURN,
    HELD,
    JOKER,
    KING_HIGH,
    POT,
    SEMI_CLEAN,
    SEQUENCE,
    SPECIAL,
    TWO,
    UNFINISHED,
    WILD,
    CardsLeft,
    CountedCards,
    HandAndFootDeal,
    HandAndFootRules,
    RankMeld,
    SideCard,
)
from scoring.engine.hand_and_foot.cards import cards_in_pack, limits_of, ranks_by_kind, side_totals
from scoring.engine.hand_and_foot.scoring import FAMILY
from scoring.families.deal_form import Block, DealForm
from scoring.families.family_pages import (
    FOLLOWS,
    RUNNING,
    BoxContent,
    Boxes,
    Cell,
    Column,
    Columns,
    FamilyPages,
    OwnWords,
    Words,
)
from scoring.form_parts import FigureField, Hints, compress_figures
from scoring.templatetags.figures import points

# --- sentences ---------------------------------------------------------------------------------------


EXTRA_FIGURES: dict[str, Promise] = {
    f"{UNFINISHED}A": _("Unfinished aces"),
    f"{UNFINISHED}7": _("Unfinished sevens"),
    f"{UNFINISHED}{WILD}": _("Unfinished wild cards"),
    HELD: _("Hands with 3 aces or 3 sevens"),
    ALL_BLACK_THREES: _("All black threes melded"),
    FIRST_TURN: _("Out in the first turn"),
    POT: _("Pot not taken"),
}

BOOK_FIGURES: dict[str, Promise] = {
    TWO: _("Twos alone"),
    JOKER: _("Wild cards with all jokers"),
    SEQUENCE: _("Sequences"),
    SEMI_CLEAN: _("Of seven cards and a wild one"),
    KING_HIGH: _("Ace to king"),
    ACE_TO_ACE: _("Ace to ace"),
}

HANDS: dict[str, Promise] = {
    "straight": _("straight"),
    "pairs": _("pairs"),
    "wild-pairs": _("wild pairs"),
    "miami-pairs": _("Miami pairs"),
    "zip-code": _("zip code"),
    "garbage": _("garbage"),
    "blast-off": _("blast off"),
    "triples": _("triples"),
    "quads": _("quads"),
    "dream-plus-4": _("dream hand plus 4"),
    "dream-plus-5": _("dream hand plus 5"),
}
"""The special hands of Modern American Canasta, by the names that its players have for them."""

LINES: dict[str, Promise] = {
    "melded": _("Cards melded: {points}"),
    "clean-piles": _("Clean piles: {count} × {each}"),
    "dirty-piles": _("Dirty piles: {count} × {each}"),
    "wild-piles": _("Wild piles: {count} × {each}"),
    "special-piles": _("Piles of {rank}: {count} × {each}"),
    "piles-bonus": _("{count} in all: {points}"),
    "melded-against": _("Cards melded by a side without a canasta: {points} off"),
    "special-hand": _("Special hand, and nothing else: {hand}"),
    "out": _("Going out: {each}"),
    "out-concealed": _("Going out concealed: {each}"),
    "red-threes": _("Red threes on the table: {count} × {each}"),
    "red-threes-missed": _("Red threes not tabled: {count} × {each}"),
    "red-threes-unmelded": _("Red threes of a side that melded nothing: {count} × {each}"),
    "red-threes-short": _("Red threes of a side with too few canastas: {count} × {each}"),
    "red-threes-together": _("{count:red-threes} together: {points}"),
    "black-threes-together": _("{count:black-threes} together: {points}"),
    "red-threes-count": _("{count:red-threes} on one side: {points} on top of their own points"),
    "perfect": _("Players who took exactly the cards to be dealt: {count} × {each}"),
    "special-book": _("{field}: {count} × {each}"),
    "extra": _("{field}: {count} × {each}"),
    "left": _("Cards left: {points} off"),
}

FIGURES: dict[str, Promise] = {
    "clean": _("Clean piles"),
    "dirty": _("Dirty piles"),
    "wild": _("Wild piles"),
    SPECIAL: _("Piles of {rank}"),
    **{f"{SPECIAL}{name}": figure for name, figure in BOOK_FIGURES.items()},
    **{f"{EXTRA}{name}": figure for name, figure in EXTRA_FIGURES.items()},
    "red_threes": _("Red threes on the table"),
    "black_threes": _("Black threes on the table"),
    "red_threes_missed": _("Red threes not tabled"),
    "perfect": _("Players who took exactly their cards"),
    "melded": _("Card points melded"),
    "left": _("Card points left"),
    "concealed": _("Went out concealed"),
    "counted": _("Cards counted one by one"),
}
"""What is noted on the card, as the facts name it."""

PROBLEMS: dict[str, Promise] = {
    "sides": _("The card has figures for {written:sides}; this game has {sides}."),
    "number": _("This is deal {number} of a game of {deals:deals}. Check that the card is of this game."),
    "negative": _("{field}: {written} isn't possible. Write the figure without a minus."),
    "special": _("The card has {written:figures} for piles of named ranks; these rules have {books}."),
    "extras": _("The card has {written:figures} for other notes; these rules have {known}."),
    "extra-many": _("{field}: {written}, and there can be {most}. Count again."),
    "extra-out": _("{field}: the side that went out can't have this. Check who went out."),
    "extra-not-out": _("{field}: only the side that went out can have this. Check who went out."),
    "special-hand": _("Nobody went out with that special hand in these rules. Choose another, or none."),
    "special-hand-melds": _(
        "A side with a special hand lays nothing else, but the card says {melded} melded. Remove the melds or the "
        "special hand."
    ),
    "not-played": _("{field}: these rules don't have this, or nobody went out. Remove it."),
    "perfect-players": _(
        "Players who took exactly the cards to be dealt: {written}. A side has {players:players}. Count again."
    ),
    "out-side": _("Side {out} can't have gone out: this game has {sides:sides}."),
    "melded-unit": _(
        "Card points are multiples of {unit}; the card says {written} melded. Count the melded cards again."
    ),
    "left-unit": _("Card points are multiples of {unit}; the card says {written} left. Count the cards left again."),
    "piles": _("One pack can't hold {clean} clean, {dirty} dirty and {wild:wild-piles}. Count the piles again."),
    "no-wild-piles": _("Wild piles aren't played in these rules; the card says {wild}."),
    "melded-low": _(
        "{clean} clean, {dirty} dirty and {wild:wild-piles} are at least {least:points} of cards; the card says "
        "{melded} melded. Count the cards in the piles too, without the piles' bonuses."
    ),
    "first-meld": _(
        "The first meld of this deal needs {least:points}; the card says {melded} melded in all. "
        "Count the melded cards again."
    ),
    "out-piles": _(
        "To go out a side needs {need_clean} clean, {need_dirty} dirty and {need_wild:wild-piles}; this one has "
        "{clean}, {dirty} and {wild}. Check the piles, and who went out."
    ),
    "out-piles-any": _("To go out a side needs {need:piles}; this one has {piles}. Check the piles, and who went out."),
    "out-special": _("To go out a side needs a pile of {rank} without wild cards. Check the piles, and who went out."),
    "out-book": _("{field}: to go out a side needs one. Count them again, or check who went out."),
    "concealed": _(
        "To go out concealed a player lays {least} to {most:cards} in one turn, with a pile among them and none on a "
        "partner's melds. The melds on the card don't allow it. Count them again, or say that it wasn't concealed."
    ),
    "out-left": _(
        "A player who goes out has nothing left; the card says {left}. Check who went out, and what was left."
    ),
    "out-red-threes": _("A player who goes out has no red three in hand; the card says {missed}."),
    "out-red-threes-partner": _("Red threes not tabled on the side that went out: {missed}. Did a partner hold them?"),
    "left-low": _(
        "Of {dealt:cards} dealt at most {melded_cards} are on the table, so {held} or more are still held: at least "
        "{least:points}. The card says {left} left. Count the cards left again."
    ),
    "left-none": _(
        "Players who still hold a card: {holders}. That is at least {least:points} left; the card says {left}. "
        "Count the cards left again, or check who went out."
    ),
    "red-threes-pack": _(
        "The pack has {most:red-threes}; the card says {written}, on the table or not. Count the red threes again."
    ),
    "black-threes-pack": _("The pack has {most:black-threes}; the card says {written}. Count the black threes again."),
    "piles-together": _(
        "One pack can't hold the piles of all sides: {clean} clean, {dirty} dirty and {wild} wild. "
        "Count the piles again."
    ),
    "melded-together": _(
        "The piles of all sides, {clean} clean, {dirty} dirty and {wild} wild, are at least {least:points} of cards; "
        "the card says {melded} melded. Count the melded cards again."
    ),
    "pack-points": _(
        "The pack has {most:points} of cards; the card says {melded} melded and {left} left, {written} in all. "
        "Count again, without bonuses."
    ),
    "counted-rank": _("{rank} isn't a rank that is melded. Write A, K, Q, J, 10 to 4, or wild."),
    "counted-left": _("{of} is no card of this game. Name a rank, 2, 3 or joker."),
    "counted-negative": _("{of}: there can't be {written}. Write the number without a minus."),
    "counted-differs": _(
        "{field}: the card says {written}, but the cards counted come to {counted}. Count again, or clear the figure."
    ),
    "counted-small": _("A meld of {rank} has {cards:cards}; it needs {least}. Count its cards again."),
    "counted-size": _(
        "A meld of {rank} has {cards:cards}; it takes {most} at most. Count its cards again, or write it as two."
    ),
    "counted-wilds": _(
        "A meld of {rank} has {naturals} natural and {wilds:wild-cards}; of {cards:cards} {most} may be wild. "
        "Count its cards again."
    ),
    "counted-naturals": _("A meld of wild cards has {naturals:natural-cards}. Write them under their own rank."),
    "counted-wild-meld": _("Under these rules a meld needs natural cards: no melds of only wild cards."),
    "counted-black-threes": _(
        "Black threes are on the table; only the side that goes out can meld them, where the rules allow it. "
        "Count them with the cards left."
    ),
    "counted-open": _(
        "Melds of {rank} with fewer than {size:cards}: {count}. A side has only one of these for each rank at a time. "
        "Put them together."
    ),
    "counted-one-meld": _("Melds of {rank}: {count}. A side has one meld of a rank. Put them together."),
    "counted-pack": _("{of}: {counted} on all sides, melded and left, and the pack has {most}. Count them again."),
    "counted-dealt": _(
        "Dealt to the side: {dealt:cards}; on the table or left: {counted}. Some are missing. Count again."
    ),
    "counted-holders": _(
        "Players who still hold a card: {holders}. Cards left: {left}. Count the cards left again, or check who went "
        "out."
    ),
}

CANASTAS: dict[str, Promise] = {
    "clean": _("Natural canastas"),
    "dirty": _("Mixed canastas"),
    "wild": _("Wild canastas"),
    SPECIAL: _("Canastas of {rank}"),
    "hand-and-foot.clean-piles": _("Natural canastas: {count} × {each}"),
    "hand-and-foot.dirty-piles": _("Mixed canastas: {count} × {each}"),
    "hand-and-foot.wild-piles": _("Wild canastas: {count} × {each}"),
    "hand-and-foot.special-piles": _("Canastas of {rank}: {count} × {each}"),
    "hand-and-foot.special": _("The card has {written:figures} for canastas of named ranks; these rules have {books}."),
    "hand-and-foot.piles": _(
        "One pack can't hold {clean} natural, {dirty} mixed and {wild:wild-canastas}. Count the canastas again."
    ),
    "hand-and-foot.no-wild-piles": _("Wild canastas aren't played in these rules; the card says {wild}."),
    "hand-and-foot.melded-low": _(
        "{clean} natural, {dirty} mixed and {wild:wild-canastas} are at least {least:points} of cards; the card says "
        "{melded} melded. Count the cards in the canastas too, without the canastas' bonuses."
    ),
    "hand-and-foot.out-piles": _(
        "To go out a side needs {need_clean} natural, {need_dirty} mixed and {need_wild:wild-canastas}; this one has "
        "{clean}, {dirty} and {wild}. Check the canastas, and who went out."
    ),
    "hand-and-foot.out-piles-any": _(
        "To go out a side needs {need:canastas}; this one has {piles}. Check the canastas, and who went out."
    ),
    "hand-and-foot.out-special": _(
        "To go out a side needs a canasta of {rank} without wild cards. Check the canastas, and who went out."
    ),
    "hand-and-foot.concealed": _(
        "To go out concealed a player lays {least} to {most:cards} in one turn, with a canasta among them and none on "
        "a partner's melds. The melds on the card don't allow it. Count them again, or say that it wasn't concealed."
    ),
    "hand-and-foot.piles-together": _(
        "One pack can't hold the canastas of all sides: {clean} natural, {dirty} mixed and {wild} wild. "
        "Count the canastas again."
    ),
    "hand-and-foot.melded-together": _(
        "The canastas of all sides, {clean} natural, {dirty} mixed and {wild} wild, are at least {least:points} of "
        "cards; the card says {melded} melded. Count the melded cards again."
    ),
}
"""Figures and codes in other words where there is a hand and no foot: piles are called canastas there."""

BURRACOS: dict[str, Promise] = {
    "clean": _("Clean burracos"),
    "dirty": _("Dirty burracos"),
    f"{SPECIAL}{SEMI_CLEAN}": _("Semi-clean burracos"),
    "hand-and-foot.clean-piles": _("Clean burracos: {count} × {each}"),
    "hand-and-foot.dirty-piles": _("Dirty burracos: {count} × {each}"),
    "hand-and-foot.piles": _("One pack can't hold {clean} clean and {dirty} dirty burracos. Count the burracos again."),
    "hand-and-foot.melded-low": _(
        "{clean} clean and {dirty} dirty burracos are at least {least:points} of cards; the card says {melded} melded. "
        "Count the cards in the burracos too, without their bonuses."
    ),
    "hand-and-foot.out-piles": _(
        "To go out a side needs {need_clean} clean and {need_dirty} dirty burracos; this one has {clean} and {dirty}. "
        "Check the burracos, and who went out."
    ),
    "hand-and-foot.out-piles-any": _("To go out a side needs a burraco. Check the burracos, and who went out."),
    "hand-and-foot.piles-together": _(
        "One pack can't hold the burracos of all sides: {clean} clean and {dirty} dirty. Count the burracos again."
    ),
    "hand-and-foot.melded-together": _(
        "The burracos of all sides, {clean} clean and {dirty} dirty, are at least {least:points} of cards; the card "
        "says {melded} melded. Count the melded cards again."
    ),
}
"""The same where piles are called burracos."""

SETTINGS = {
    "card_values": "melded left melded-unit left-unit",
    "card_values pile_size": "melded-low melded-together",
    "card_values decks_added decks_in_all": "pack-points",
    "decks_added decks_in_all": "red-threes-pack black-threes-pack counted-pack",
    "pile_size decks_added decks_in_all": "piles piles-together",
    "pile_size pile_closed": "counted-size",
    "pile_closed rank_once": "counted-open counted-one-meld",
    "clean_pile": "clean-piles",
    "dirty_pile": "dirty-piles",
    "wild_pile": "wild-piles",
    "special_books": "special-piles special-book",
    "piles_bonus": "piles-bonus",
    "melds_against": "melded-against",
    "special_hands": "special-hand special-hand-melds",
    "extras": "extra extra-many extra-out extra-not-out",
    "threes_by_count threes_for threes_against": "red-threes-together black-threes-together",
    "threes_for threes_against red_three": "red-threes-short",
    "sequences": "not-played:counted",
    "threes_by_count threes_natural": "not-played:red_threes not-played:black_threes not-played:red_threes_missed",
    "meld_least": "counted-small",
    "naturals_per_wild naturals_least wilds_most no_wild_ranks": "counted-wilds",
    "wild_melds": "no-wild-piles counted-naturals counted-wild-meld",
    "black_three_melds": "counted-black-threes",
    "first_meld first_meld_scores": "first-meld",
    "out_bonus": "out",
    "out_concealed": "out-concealed concealed not-played:concealed",
    "out_clean out_dirty out_wild out_clean_by_deal out_dirty_by_deal": "out-piles",
    "out_piles": "out-piles-any",
    "out_special": "out-special out-book",
    "red_three": "red-threes",
    "red_three_missed": "red-threes-missed out-red-threes out-red-threes-partner",
    "red_three_needs_meld red_three": "red-threes-unmelded",
    "red_three_count_bonus": "red-threes-count",
    "perfect_bonus": "perfect perfect-players not-played:perfect",
    "hand knee foot pot": "left-low counted-dealt",
    "may_float": "left-none counted-holders",
    "deals": "number",
}


OWN = {"canasta": CANASTAS, "burraco": BURRACOS}


RANKS: dict[str, Promise] = {
    WILD: _("wild cards"),
    BLACK_THREE: _("black threes"),
    "A": _("aces"),
    "K": _("kings"),
    "Q": _("queens"),
    "J": _("jacks"),
    "10": _("10s"),
    "9": _("9s"),
    "8": _("8s"),
    "7": _("7s"),
    "6": _("6s"),
    "5": _("5s"),
    "4": _("4s"),
}
"""What the melds of each rank consist of."""


def rank_name(rank: str) -> str:
    """An unknown rank stays as it is.

    >>> rank_name("wild"), rank_name("K"), rank_name("11")
    ('wild cards', 'kings', '11')
    """
    return str(RANKS.get(rank, rank))


def cards_name(kind: str) -> str:
    """The name of cards of a rank, or of ranks of one value.

    >>> cards_name("joker"), cards_name("8-K"), cards_name("Q")
    ('Jokers', '8 to K', 'Q')
    """
    names = {JOKER: _now("Jokers"), TWO: _now("Twos"), BLACK_THREE: _now("Black threes"), "A": _now("Aces")}
    names[WILD] = _now("Wild cards")
    low, _dash, high = kind.partition("-")
    return _now("%(low)s to %(high)s") % {"low": low, "high": high} if high else names.get(kind, kind)


def own_words(rules: HandAndFootRules) -> OwnWords:
    return OWN.get(rules.terms, {})


def figure_name(name: str, words: OwnWords) -> str:
    """In a rule set's `own_words`; a figure of another game stays as it is.

    >>> figure_name("special_7", {}), figure_name("clean", {}), figure_name("clean", CANASTAS)
    ('Piles of 7s', 'Clean piles', 'Natural canastas')
    """
    figures = {**FIGURES, **words}
    if name.startswith(SPECIAL) and name not in figures:
        return str(figures[SPECIAL]).format(rank=rank_name(name.removeprefix(SPECIAL)))
    return str(figures.get(name, name))


NOUNS = {
    "black-threes": _n("%(n)s black three", "%(n)s black threes", "number"),
    "canastas": _n("%(n)s canasta", "%(n)s canastas", "number"),
    "deals": _n("%(n)s deal", "%(n)s deals", "number"),
    "natural-cards": _n("%(n)s natural card", "%(n)s natural cards", "number"),
    "piles": _n("%(n)s pile", "%(n)s piles", "number"),
    "red-threes": _n("%(n)s red three", "%(n)s red threes", "number"),
    "wild-canastas": _n("%(n)s wild canasta", "%(n)s wild canastas", "number"),
    "wild-cards": _n("%(n)s wild card", "%(n)s wild cards", "number"),
    "wild-piles": _n("%(n)s wild pile", "%(n)s wild piles", "number"),
}

WORDS = Words(
    prefix="hand-and-foot",
    lines=LINES,
    problems=PROBLEMS,
    settings=SETTINGS,
    names={
        "field": figure_name,
        "rank": lambda rank, words: rank_name(rank),
        "of": lambda kind, words: cards_name(kind),
        "hand": lambda hand, words: str(HANDS.get(hand, hand)),
    },
    own=OWN,
    choices={
        **HANDS,
        **EXTRA_FIGURES,
        **{name: BOOK_FIGURES[name] for name in BOOK_FIGURES if name not in CARD_VALUES},
    },
    nouns=NOUNS,
)


# --- cards counted out on the form: melds in rows by rank, cards left by value -----------------------


ONE_PLACE = 9  # ten cards of a kind in one meld, or left, are rare
MORE = 2  # rows for further melds of a rank, for each deck
CARDS = ("naturals", "twos", "jokers")


class CountingFields:
    """The fields of a form for counting out cards: a row for each rank, rows for further melds, and cards left."""

    def __init__(self, form: forms.Form, rules: HandAndFootRules, *, sides: int) -> None:
        self.form, self.rules, self.sides = form, rules, sides
        recorded = sum(name.startswith("rank_more") for name in form.initial)
        several = rules.pile_closed and not rules.rank_once  # else a side has one meld of a rank
        usual = MORE * rules.decks if several else 0
        self.more = range(1, max(usual, recorded) + 1)
        kinds = ranks_by_kind(rules)
        classes = {rank: name for name, ranks in kinds.items() if len(ranks) > 1 for rank in ranks}
        self.left = list(dict.fromkeys(classes.get(rank, rank) for rank in rules.values))
        # and kinds that are usually part of a larger one, where recorded facts have cards of them
        further = [kind for kind in kinds if kind not in self.left]
        self.left += [kind for kind in further if any(f"cards_{kind}_{n}" in form.initial for n in range(sides))]

    def add_fields(self) -> None:
        fields, rules = self.form.fields, self.rules
        rows = [(rank, row_name(rank), cards) for rank, cards in fixed_rows(rules)]
        choices = [("", ""), *((rank, name) for rank, name, _cards in rows)]
        further = [(f"more{n}", _now("Another meld (%(number)d)") % {"number": n}, CARDS) for n in self.more]
        for side in range(self.sides):
            for row, name, _cards in further:
                words = f"{name}: {_now('rank')}"
                select = forms.Select(attrs={"aria-label": words})
                fields[f"rank_{row}_{side}"] = forms.ChoiceField(
                    label=words, choices=choices, required=False, widget=select
                )
            for row, name, cards in (*rows, *further):
                for card in cards:
                    label = f"{name}: {_card_heading(card)}"
                    fields[f"{card}_{row}_{side}"] = field = _count_field(label, _most_cards(card, rules))
                    field.widget.attrs["aria-label"] = label
            for kind in self.left:
                most = cards_in_pack(kind, rules)
                fields[f"cards_{kind}_{side}"] = _count_field(cards_name(kind), most)

    def blocks(self, side: int, name: str) -> Iterator[Block]:
        form = self.form
        # `rank` asks for the rank where `head` doesn't name it; a cell is None where the row can't have such cards
        rows: list[dict[str, Any]] = [
            {"head": row_name(rank), "cells": [form[f"{c}_{rank}_{side}"] if c in cards else None for c in CARDS]}
            for rank, cards in fixed_rows(self.rules)
        ]
        rows += [
            {"rank": form[f"rank_more{n}_{side}"], "cells": [form[f"{c}_more{n}_{side}"] for c in CARDS]}
            for n in self.more
        ]
        fields = tuple(field for row in rows for field in (row.get("rank"), *row["cells"]) if field is not None)
        heads = (_now("Meld of"), *(_card_heading(card) for card in CARDS))
        yield Block("melds", _now("%(side)s: melds") % {"side": name}, fields, rows, heads)
        left = tuple(form[f"cards_{kind}_{side}"] for kind in self.left)
        yield Block("counts", _now("%(side)s: cards left") % {"side": name}, left)

    # Reading them

    def ranks_missing(self, cleaned: Mapping[str, Any]) -> Iterator[str]:
        """The names of empty rank fields in rows with figures."""
        for side in range(self.sides):
            for n in self.more:
                name = f"rank_more{n}_{side}"
                if not cleaned.get(name) and any(cleaned.get(f"{c}_more{n}_{side}") for c in CARDS):
                    yield name

    def melds(self, cleaned: Mapping[str, Any], side: int) -> tuple[RankMeld, ...]:
        rows = [(rank, rank) for rank, _cards in fixed_rows(self.rules)]
        rows += [(cleaned.get(f"rank_more{n}_{side}") or "", f"more{n}") for n in self.more]
        laid = [(rank, {card: cleaned.get(f"{card}_{row}_{side}") or 0 for card in CARDS}) for rank, row in rows]
        return tuple(RankMeld(rank=rank, **cards) for rank, cards in laid if any(cards.values()))

    def cards_left(self, cleaned: Mapping[str, Any], side: int) -> tuple[CardsLeft, ...]:
        counts = [(kind, cleaned.get(f"cards_{kind}_{side}") or 0) for kind in self.left]
        return tuple(CardsLeft(of=kind, count=count) for kind, count in counts if count)

    def counted(self, cleaned: Mapping[str, Any], side: int) -> CountedCards | None:
        counted = CountedCards(melds=self.melds(cleaned, side), left=self.cards_left(cleaned, side))
        return counted if counted.melds or counted.left else None


def fixed_rows(rules: HandAndFootRules) -> list[tuple[str, tuple[str, ...]]]:
    """Ranks, and the kinds of cards that their melds can have."""
    rows: list[tuple[str, tuple[str, ...]]] = [(rank, CARDS) for rank in rules.natural_ranks]
    if rules.wild_melds:
        rows.append((WILD, ("twos", "jokers")))
    if rules.black_three_melds:
        rows.append((BLACK_THREE, ("naturals",)))
    return rows


def _most_cards(card: str, rules: HandAndFootRules) -> int:
    in_pack = cards_in_pack({"twos": TWO, "jokers": JOKER}.get(card, rules.natural_ranks[0]), rules)
    return min(in_pack, rules.pile_size) if rules.pile_closed else in_pack


def _count_field(label: str, most: int) -> FigureField:
    hints = Hints(can=compress_figures(range(most + 1)), usual=ONE_PLACE, steps=True)
    return FigureField(label=label, required=False, hints=hints)


def counting_values(side: int, counted: CountedCards) -> dict[str, Any]:
    """By field name, for recorded cards."""
    values: dict[str, Any] = {}
    further = 0
    for meld in counted.melds:
        row = meld.rank
        if any(f"{card}_{row}_{side}" in values for card in CARDS):
            further += 1
            row = f"more{further}"
            values[f"rank_{row}_{side}"] = meld.rank
        values |= {f"{card}_{row}_{side}": count for card in CARDS if (count := getattr(meld, card))}
    values |= {f"cards_{left.of}_{side}": left.count for left in counted.left}
    return values


def row_name(rank: str) -> str:
    return {WILD: _now("Wild cards"), BLACK_THREE: _now("Black threes")}.get(rank, rank)


def _card_heading(cards: str) -> str:
    return {"naturals": _now("Natural"), "twos": _now("Twos"), "jokers": _now("Jokers")}[cards]


# --- the form ----------------------------------------------------------------------------------------


NOBODY = -1  # the answer to who went out
POINTS = ("melded", "left")  # these have to be filled in or counted out; an empty number of piles or red threes is none
PILES = ("clean", "dirty", "wild")
THREES = ("red_threes", "black_threes", "red_threes_missed")
ONE_FIGURE = 9  # a side with ten piles of a kind, or ten red threes, is rare
KEYS = {"clean": 10, "dirty": 6, "wild": 3, "red_threes": 9}  # values, from 0, with a key; other figures: FEW
FEW = 4


@lru_cache(maxsize=256)
def figure_hints(name: str, rules: HandAndFootRules) -> Hints:
    """Points in steps of the cards' values, or a number of things."""
    limits = limits_of(rules)
    if name in POINTS:
        can = compress_figures(range(0, limits.most_of(name) + 1, limits.unit or 1))
        return Hints(can=can, usual=limits.pack_points, small=name == "left")
    most = limits.most_of(name)
    keys = min(KEYS.get(name, FEW), most + 1)
    return Hints(
        can=compress_figures(range(most + 1)), usual=ONE_FIGURE, steps=True, rare=name == "red_threes_missed", keys=keys
    )


def figure_pairs(rules: HandAndFootRules) -> Iterator[tuple[str, str]]:
    """Figures that a phone asks for together, two by two."""
    counts = [name for name in rules.figures if name not in POINTS and not figure_hints(name, rules).rare]
    return zip(counts[::2], counts[1::2], strict=False)  # the last of an odd number is asked alone


class HandAndFootForm(DealForm):
    counting_summary = _("Count it for me")
    counting_help = _(
        "Write how many cards each meld and pile has, and which cards are left. Put a second meld of a rank in the "
        "rows at the end. Figures above that you leave empty are filled in. Red threes are noted above."
    )

    one_meld_help = _(
        "Write how many cards each meld has, and which cards are left. Figures above that you leave empty are filled "
        "in. Red threes are noted above."
    )

    shared_last = True  # "Going out" is the last row of the card

    def add_fields(self) -> None:
        for name in self.rules.figures:
            self.add_figures(name, figure_name(name, own_words(self.rules)), hints=figure_hints(name, self.rules))
        for name in self.rules.zero_when_out:
            for side in range(len(self.sides)):
                attrs = {"data-none-by": f"out={side}", "data-none-words": _now("went out")}
                self.fields[f"{name}_{side}"].widget.attrs |= attrs
        limits = limits_of(self.rules)
        for side in range(len(self.sides)):
            least, when_out = limits.least_left(out=False), limits.least_left(out=True)
            attrs = {"data-least": str(least), "data-least-out": str(when_out), "data-out": f"out={side}"}
            self.fields[f"left_{side}"].widget.attrs |= attrs | {"data-unless": f"red_threes_missed_{side}"}
        for first, second in figure_pairs(self.rules):
            for side in range(len(self.sides)):
                self.fields[f"{first}_{side}"].widget.attrs["data-with"] = f"{second}_{side}"
        self.add_choice(
            "out", _now("Who went out?"), choices=[*self.side_choices(), (NOBODY, _now("Nobody: the stock ran out"))]
        )
        if self.rules.special_hands:
            hands = [(name, f"{HANDS[name]} {points(worth)}") for name, worth in self.rules.special_hands]
            self.add_choice("special_hand", _now("With a special hand?"), choices=hands, none=_now("No"), kind=str)
        if self.rules.out_concealed is not None:
            self.fields["concealed"] = forms.BooleanField(
                required=False,
                label=_now("Concealed: in one turn, with nothing melded before and nothing added to a partner's melds"),
            )
        self.cards = CountingFields(self, self.rules, sides=len(self.sides))
        if not self.cards.more:  # a side has one meld of a rank
            self.counting_help = self.one_meld_help
        if not self.rules.sequences:
            self.cards.add_fields()

    def blocks(self) -> Iterator[Block]:
        yield Block("choice", "", (self["out"],))
        if "concealed" in self.fields:
            yield Block("plain", "", (self["concealed"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, tuple(self[f"{figure}_{side}"] for figure in self.rules.figures))

    def rare_blocks(self) -> Iterator[Block]:
        if "special_hand" in self.fields:
            yield Block("choice", "", (self["special_hand"],))

    def counting_blocks(self) -> Iterator[Block]:
        if self.rules.sequences:  # which cards a sequence has isn't written anywhere
            return
        for side, name in enumerate(self.sides):
            yield from self.cards.blocks(side, name)

    def clean(self) -> dict[str, Any]:
        """Card points must be noted or counted, and a meld with cards needs a rank."""
        cleaned = super().clean() or {}
        out = cleaned.get("out") if cleaned.get("special_hand") else None
        for side in range(len(self.sides)):
            if side == out:  # the special hand is all that it scores
                continue
            counted = {"melded": self.cards.melds(cleaned, side), "left": self.cards.cards_left(cleaned, side)}
            for name in POINTS:
                if not counted[name]:
                    self.require(f"{name}_{side}")
        for name in self.cards.ranks_missing(cleaned):
            self.add_error(name, ValidationError(_now("Choose the rank of this meld."), code="required"))
        return cleaned

    def facts(self) -> HandAndFootDeal:
        return HandAndFootDeal(
            sides=tuple(self._side_card(side) for side in range(len(self.sides))),
            out=None if self.cleaned_data["out"] == NOBODY else self.cleaned_data["out"],
            number=self.place_in_game(),
            concealed=self.cleaned_data.get("concealed", False),
            special_hand=self.cleaned_data.get("special_hand"),
        )

    def _side_card(self, side: int) -> SideCard:
        """A number of piles that isn't noted is 0, or left to the melds where these are counted."""
        skipped = bool(self.cleaned_data.get("special_hand")) and self.cleaned_data["out"] == side
        counted = self.cards.counted(self.cleaned_data, side)
        nothing = None if counted is not None and counted.melds else 0
        noted: dict[str, Any] = {name: self.cleaned_data[f"{name}_{side}"] for name in self.rules.figures}
        piles: dict[str, Any] = {name: nothing if noted.get(name) is None else noted[name] for name in (*PILES, *noted)}
        return SideCard(
            **{name: piles[name] for name in PILES},
            special=tuple(figure for name, figure in piles.items() if name.startswith(SPECIAL)),
            extras=tuple(figure for name, figure in piles.items() if name.startswith(EXTRA)),
            **{name: noted.get(name) or 0 for name in (*THREES, "perfect")},
            **{name: 0 if skipped else noted[name] for name in POINTS},
            counted=counted,
        )

    def field_values(self, facts: HandAndFootDeal) -> dict[str, Any]:
        values: dict[str, Any] = {"out": NOBODY if facts.out is None else facts.out}
        if facts.concealed:
            values["concealed"] = True
        if facts.special_hand:
            values["special_hand"] = facts.special_hand
        books = [f"{SPECIAL}{rank}" for rank, _bonus in self.rules.special_books]
        extras = [f"{EXTRA}{name}" for name, _points in self.rules.extras]
        for side, card in enumerate(facts.sides):
            shown = (*PILES, *THREES, *POINTS, *(["perfect"] if card.perfect else []))
            noted = {name: getattr(card, name) for name in shown if name in self.rules.figures}
            noted |= dict(zip((*books, *extras), (*card.special, *card.extras), strict=False))
            values |= {f"{name}_{side}": figure for name, figure in noted.items() if figure is not None}
            if card.counted is not None:
                values |= counting_values(side, card.counted)
        return values

    def problem_fields(self, problem: Problem) -> list[str]:
        """For counted cards: the fields of the problem's rank, or all that are filled in."""
        if problem.field != "counted":
            return super().problem_fields(problem)
        sides = range(len(self.sides)) if problem.side is None else [problem.side]
        named = dict(problem.args)
        rank, of = named.get("rank"), named.get("of")
        names = [
            name
            for side in sides
            for block in self.cards.blocks(side, "")
            for field in block.fields
            if (name := field.name) and field.value() not in (None, "", 0)
        ]
        close = [name for name in names if f"_{rank}_" in name or f"_{of}_" in name]
        return close or names


# --- the card ----------------------------------------------------------------------------------------


DEALS = 6  # columns of a card where no number of deals ends a game: Canasta took at most 9


def _columns(rules: HandAndFootRules) -> Columns:
    words = own_words(rules)

    def cells(deal: HandAndFootDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        card = side_totals(deal.sides[side], rules)
        out: Promise = _("concealed") if deal.concealed else pgettext_lazy("went out", "out")
        out = HANDS.get(deal.special_hand or "", out)
        return (*(card.figure(name, rules) for name in rules.figures), out if deal.out == side else None)

    return Columns((*(figure_name(name, words) for name in rules.figures), _("Went out")), cells, per_deal=True)


def _boxes(rules: HandAndFootRules) -> Boxes:
    shape = rules.shape
    deals = rules.deals or DEALS
    least = max(9.0, min(18.0, 210.0 / (shape.sides * deals)))
    narrow, words = least < 15.0, own_words(rules)
    items = [_figure_with_worth(name, rules, words=words) for name in rules.figures]
    if rules.out_concealed is None:
        items.append(_now("Going out") + f"  {points(rules.out_bonus)}")
    else:
        both = {"out": points(rules.out_bonus), "concealed": points(rules.out_concealed)}
        items.append(_now("Going out  %(out)s, concealed %(concealed)s") % both)
    deal, minimum = (_now("%(n)d"), "%(n)d") if narrow else (_now("Deal %(n)d"), _now("first meld %(n)d"))
    by_deal = bool(rules.first_meld) and not rules.first_meld_scores
    return Boxes(
        leads=(*items, _now("Points"), _now("Running")),
        lead_width=47.0,
        columns=tuple(
            Column(deal % {"n": n}, least, minimum % {"n": rules.least_first_meld(n)} if by_deal else "")
            for n in range(1, deals + 1)
        ),
        sides=shape.sides,
        per_side=shape.per_side,
        lead_head=_now("Deal, and points for the first meld") if narrow and by_deal else "",
        strong=(len(items), len(items) + 1),
        sign=_now("Signed"),
        note=_first_meld_note(rules) if rules.first_meld_scores else "",
    )


def _in_boxes(rules: HandAndFootRules) -> tuple[BoxContent, ...]:
    questions = {"concealed": rules.out_concealed is not None, "special_hand": bool(rules.special_hands)}
    out = BoxContent("", ("out",), tuple(name for name, asked in questions.items() if asked))
    return (*map(BoxContent, rules.figures), out, FOLLOWS, RUNNING)


def _figure_with_worth(name: str, rules: HandAndFootRules, *, words: OwnWords) -> str:
    if rules.threes_by_count and name in ("red_threes", "black_threes"):
        by_count = {"points": " · ".join(map(points, rules.threes_by_count))}
        return (_now("Red threes  %(points)s") if name == "red_threes" else _now("Black threes  %(points)s")) % by_count
    return f"{figure_name(name, words)}{_worth(name, rules)}"


def _worth(name: str, rules: HandAndFootRules) -> str:
    each = {
        "clean": rules.clean_pile,
        "dirty": rules.dirty_pile,
        "wild": rules.wild_pile,
        "red_threes": rules.red_three,
        "red_threes_missed": rules.red_three_missed,
        "perfect": rules.perfect_bonus,
        **{f"{SPECIAL}{rank}": bonus for rank, bonus in rules.special_books},
        **{f"{EXTRA}{extra}": each for extra, each in rules.extras},
    }
    if name in each:
        return f"  × {points(each[name])}"
    return " (−)" if name == "left" else ""


def _first_meld_note(rules: HandAndFootRules) -> str:
    """ "First meld, by the side's score: 15; 50 from 0, 90 from 1,500, 120 from 3,000."."""
    least, *later = rules.first_meld
    steps = [
        _now("%(points)s from %(score)s") % {"points": points(figure), "score": points(score)}
        for figure, score in zip(later, rules.first_meld_scores, strict=False)
    ]
    return _now("First meld, by the side's score: %(least)s; %(more)s.") % {
        "least": points(least),
        "more": ", ".join(steps),
    }


def _before_deal(rules: HandAndFootRules, *, place: int, totals: Mapping[str, int]) -> str:
    """What the first meld needs: one figure or, where the rules go by the score, one for each side."""
    least = {name: rules.least_first_meld(place, total) for name, total in totals.items()}
    if not rules.first_meld:
        return ""
    same = len(set(least.values())) == 1
    needed = [points(figure) if same else f"{name} {points(figure)}" for name, figure in least.items()]
    return _now("First meld: %(points)s.") % {"points": ", ".join(needed[:1] if same else needed)}


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Hand and Foot, canasta"),
    words=WORDS,
    form=HandAndFootForm,
    columns=_columns,
    boxes=_boxes,
    box_contents=_in_boxes,
    before_deal=_before_deal,
)
