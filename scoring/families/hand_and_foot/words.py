"""Sentences for the codes of Hand and Foot; the arguments of a code fill the braces."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy as _n

from scoring.engine.hand_and_foot.card import BLACK_THREE, JOKER, SPECIAL, TWO, WILD, HandAndFootRules
from scoring.families.family_pages import Own, Words, by_settings

LINES: dict[str, Promise] = {
    "hand-and-foot.melded": _("Cards melded: {points}"),
    "hand-and-foot.clean-piles": _("Clean piles: {count} × {each}"),
    "hand-and-foot.dirty-piles": _("Dirty piles: {count} × {each}"),
    "hand-and-foot.wild-piles": _("Wild piles: {count} × {each}"),
    "hand-and-foot.special-piles": _("Piles of {rank}s: {count} × {each}"),
    "hand-and-foot.out": _("Going out: {each}"),
    "hand-and-foot.out-concealed": _("Going out concealed: {each}"),
    "hand-and-foot.red-threes": _("Red threes on the table: {count} × {each}"),
    "hand-and-foot.red-threes-missed": _("Red threes not tabled: {count} × {each}"),
    "hand-and-foot.red-threes-unmelded": _("Red threes of a side that melded nothing: {count} × {each}"),
    "hand-and-foot.red-threes-count": _("{count:red-threes} on one side: {points} beside their own points"),
    "hand-and-foot.perfect": _("Players who took exactly the cards to be dealt: {count} × {each}"),
    "hand-and-foot.left": _("Cards left in hands and feet: {points} off"),
}

FIGURES: dict[str, Promise] = {
    "clean": _("Clean piles"),
    "dirty": _("Dirty piles"),
    "wild": _("Wild piles"),
    SPECIAL: _("Piles of {rank}s"),
    "red_threes": _("Red threes on the table"),
    "red_threes_missed": _("Red threes not tabled"),
    "perfect": _("Players who took exactly their cards"),
    "melded": _("Card points melded"),
    "left": _("Card points left"),
    "concealed": _("Went out concealed"),
}
"""What is noted on the card, as the facts name it."""

PROBLEMS: dict[str, Promise] = {
    "hand-and-foot.sides": _("The card has columns for {written:sides}; this game has {sides}."),
    "hand-and-foot.number": _("This is deal {number} of a game of {deals:deals}. Check that the card is of this game."),
    "hand-and-foot.negative": _("{field}: {written} can't be. Write the figure without a minus."),
    "hand-and-foot.special": _("The card has {written:figures} for piles of named ranks; these rules have {books}."),
    "hand-and-foot.not-played": _("{field}: these rules have no place for it, or nobody went out. Take it off."),
    "hand-and-foot.perfect-players": _(
        "Players who took exactly the cards to be dealt: {written}. A side has {players:players}. Count again."
    ),
    "hand-and-foot.out-side": _("Side {out} is said to have gone out; this game has {sides:sides}."),
    "hand-and-foot.melded-unit": _(
        "Card points are multiples of {unit}; the card says {written} melded. Count the melded cards again."
    ),
    "hand-and-foot.left-unit": _(
        "Card points are multiples of {unit}; the card says {written} left. Count the cards left again."
    ),
    "hand-and-foot.piles": _(
        "One pack can't hold {clean} clean, {dirty} dirty and {wild:wild-piles}. Count the piles again."
    ),
    "hand-and-foot.no-wild-piles": _("Wild piles aren't played in these rules; the card says {wild}."),
    "hand-and-foot.melded-low": _(
        "{clean} clean, {dirty} dirty and {wild:wild-piles} are at least {least:points} of cards; the card says "
        "{melded} melded. Count the cards in the piles too, without the piles' bonuses."
    ),
    "hand-and-foot.first-meld": _(
        "The first meld of this deal needs {least:points}; the card says {melded} melded in all. "
        "Count the melded cards again."
    ),
    "hand-and-foot.out-piles": _(
        "To go out a side needs {need_clean} clean, {need_dirty} dirty and {need_wild:wild-piles}; this one has "
        "{clean}, {dirty} and {wild}. Check the piles, and who went out."
    ),
    "hand-and-foot.out-piles-any": _(
        "To go out a side needs {need:piles}; this one has {piles}. Check the piles, and who went out."
    ),
    "hand-and-foot.out-special": _(
        "To go out a side needs a pile of {rank}s without wild cards. Check the piles, and who went out."
    ),
    "hand-and-foot.concealed": _(
        "To go out concealed a player lays {least} to {most:cards} in one turn, with a pile among them and none on a "
        "partner's melds. The melds on the card don't allow it. Count them again, or say that it wasn't concealed."
    ),
    "hand-and-foot.out-left": _(
        "Whoever went out has nothing left; the card says {left}. Check who went out, and what was left."
    ),
    "hand-and-foot.out-red-threes": _("Whoever went out has no red three in hand; the card says {missed}."),
    "hand-and-foot.out-red-threes-partner": _(
        "Red threes not tabled on the side that went out: {missed}. Did a partner hold them?"
    ),
    "hand-and-foot.left-low": _(
        "Of {dealt:cards} dealt at most {melded_cards} are on the table, so {held} or more are still held: at least "
        "{least:points}. The card says {left} left. Count hands and feet again."
    ),
    "hand-and-foot.left-none": _(
        "Players who still hold a card: {holders}. That is at least {least:points} left; the card says {left}. "
        "Count hands and feet again, or check who went out."
    ),
    "hand-and-foot.red-threes-pack": _(
        "The pack has {most:red-threes}; the card says {written}, on the table or not. Count the red threes again."
    ),
    "hand-and-foot.piles-together": _(
        "One pack can't hold the piles of all sides: {clean} clean, {dirty} dirty and {wild} wild. "
        "Count the piles again."
    ),
    "hand-and-foot.melded-together": _(
        "The piles of all sides, {clean} clean, {dirty} dirty and {wild} wild, are at least {least:points} of cards; "
        "the card says {melded} melded. Count the melded cards again."
    ),
    "hand-and-foot.pack-points": _(
        "The pack has {most:points} of cards; the card says {melded} melded and {left} left, {written} in all. "
        "Count again, without bonuses."
    ),
    "hand-and-foot.counted-rank": _("{rank} isn't a rank that is melded. Write A, K, Q, J, 10 to 4, or wild."),
    "hand-and-foot.counted-left": _("{of}: there are no such cards to be left. Name a rank, 2, 3 or joker."),
    "hand-and-foot.counted-negative": _("{of}: there can't be {written}. Write the number without a minus."),
    "hand-and-foot.counted-differs": _(
        "{field}: the card says {written}, the cards counted come to {counted}. Count again, or take the figure off."
    ),
    "hand-and-foot.counted-small": _("A meld of {rank} has {cards:cards}; it needs {least}. Count its cards again."),
    "hand-and-foot.counted-size": _(
        "A meld of {rank} has {cards:cards}; it takes {most} at most. Count its cards again, or write it as two."
    ),
    "hand-and-foot.counted-wilds": _(
        "A meld of {rank} has {naturals} natural and {wilds:wild-cards}; of {cards:cards} {most} may be wild. "
        "Count its cards again."
    ),
    "hand-and-foot.counted-naturals": _(
        "A meld of wild cards has {naturals:natural-cards}. Write them beside their own rank."
    ),
    "hand-and-foot.counted-wild-meld": _("Melds of wild cards alone aren't played in these rules."),
    "hand-and-foot.counted-black-threes": _(
        "Black threes are on the table; only the side that goes out can meld them, where the rules allow it. "
        "Count them with the cards left."
    ),
    "hand-and-foot.counted-open": _(
        "Melds of {rank} that have fewer than {size:cards}: {count}. A side has one such meld of a rank at a time. "
        "Put them together."
    ),
    "hand-and-foot.counted-one-meld": _("Melds of {rank}: {count}. A side has one meld of a rank. Put them together."),
    "hand-and-foot.counted-pack": _(
        "{of}: {counted} on all sides, melded and left, and the pack has {most}. Count them again."
    ),
    "hand-and-foot.counted-dealt": _(
        "Dealt to the side: {dealt:cards}; on the table or left: {counted}. Some are missing. Count again."
    ),
    "hand-and-foot.counted-holders": _(
        "Players who still hold a card: {holders}. Cards left: {left}. Count hands and feet again, or check who went "
        "out."
    ),
}

CANASTAS: dict[str, Promise] = {
    "clean": _("Natural canastas"),
    "dirty": _("Mixed canastas"),
    "wild": _("Wild canastas"),
    SPECIAL: _("Canastas of {rank}s"),
    "hand-and-foot.clean-piles": _("Natural canastas: {count} × {each}"),
    "hand-and-foot.dirty-piles": _("Mixed canastas: {count} × {each}"),
    "hand-and-foot.wild-piles": _("Wild canastas: {count} × {each}"),
    "hand-and-foot.special-piles": _("Canastas of {rank}s: {count} × {each}"),
    "hand-and-foot.left": _("Cards left in hands: {points} off"),
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
        "To go out a side needs a canasta of {rank}s without wild cards. Check the canastas, and who went out."
    ),
    "hand-and-foot.concealed": _(
        "To go out concealed a player lays {least} to {most:cards} in one turn, with a canasta among them and none on "
        "a partner's melds. The melds on the card don't allow it. Count them again, or say that it wasn't concealed."
    ),
    "hand-and-foot.left-low": _(
        "Of {dealt:cards} dealt at most {melded_cards} are on the table, so {held} or more are still held: at least "
        "{least:points}. The card says {left} left. Count the hands again."
    ),
    "hand-and-foot.left-none": _(
        "Players who still hold a card: {holders}. That is at least {least:points} left; the card says {left}. "
        "Count the hands again, or check who went out."
    ),
    "hand-and-foot.piles-together": _(
        "One pack can't hold the canastas of all sides: {clean} natural, {dirty} mixed and {wild} wild. "
        "Count the canastas again."
    ),
    "hand-and-foot.melded-together": _(
        "The canastas of all sides, {clean} natural, {dirty} mixed and {wild} wild, are at least {least:points} of "
        "cards; the card says {melded} melded. Count the melded cards again."
    ),
    "hand-and-foot.counted-holders": _(
        "Players who still hold a card: {holders}. Cards left: {left}. Count the hands again, or check who went out."
    ),
}
"""Figures and codes that are said otherwise where there is a hand and no foot: piles are canastas there."""

KNEES: dict[str, Promise] = {
    "hand-and-foot.left": _("Cards left in hands, knees and feet: {points} off"),
    "hand-and-foot.left-low": _(
        "Of {dealt:cards} dealt at most {melded_cards} are on the table, so {held} or more are still held: at least "
        "{least:points}. The card says {left} left. Count hands, knees and feet again."
    ),
    "hand-and-foot.left-none": _(
        "Players who still hold a card: {holders}. That is at least {least:points} left; the card says {left}. "
        "Count hands, knees and feet again, or check who went out."
    ),
    "hand-and-foot.counted-holders": _(
        "Players who still hold a card: {holders}. Cards left: {left}. Count hands, knees and feet again, or check who "
        "went out."
    ),
}
"""Codes that are said otherwise where there is a knee between hand and foot."""

SETTINGS = by_settings(
    "hand-and-foot",
    {
        "card_values": "melded left melded-unit left-unit",
        "card_values pile_size": "melded-low melded-together",
        "card_values decks_added decks_in_all": "pack-points",
        "decks_added decks_in_all": "red-threes-pack counted-pack",
        "pile_size decks_added decks_in_all": "piles piles-together",
        "pile_size pile_closed": "counted-size",
        "pile_closed": "counted-open counted-one-meld",
        "clean_pile": "clean-piles",
        "dirty_pile": "dirty-piles",
        "wild_pile": "wild-piles",
        "special_books": "special-piles",
        "meld_least": "counted-small",
        "naturals_per_wild naturals_least wilds_most": "counted-wilds",
        "wild_melds": "no-wild-piles counted-naturals counted-wild-meld",
        "black_three_melds": "counted-black-threes",
        "first_meld first_meld_scores": "first-meld",
        "out_bonus": "out",
        "out_concealed": "out-concealed concealed not-played:concealed",
        "out_clean out_dirty out_wild": "out-piles",
        "out_piles": "out-piles-any",
        "out_special": "out-special",
        "red_three": "red-threes",
        "red_three_missed": "red-threes-missed out-red-threes out-red-threes-partner",
        "red_three_needs_meld red_three": "red-threes-unmelded",
        "red_three_count_bonus": "red-threes-count",
        "perfect_bonus": "perfect perfect-players not-played:perfect",
        "hand knee foot": "left-low counted-dealt",
        "may_float": "left-none counted-holders",
        "deals": "number",
    },
)


OWN = {"canasta": CANASTAS, "knee": KNEES}


def rank_name(rank: str) -> str:
    """What melds of a rank are melds of.

    >>> rank_name("wild"), rank_name("K")
    ('wild cards', 'K')
    """
    return {WILD: _now("wild cards"), BLACK_THREE: _now("black threes")}.get(rank, rank)


def cards_name(kind: str) -> str:
    """What cards of a rank, or of ranks of one value, are called.

    >>> cards_name("joker"), cards_name("8-K"), cards_name("Q")
    ('Jokers', '8 to K', 'Q')
    """
    names = {JOKER: _now("Jokers"), TWO: _now("Twos"), BLACK_THREE: _now("Black threes"), "A": _now("Aces")}
    names[WILD] = _now("Wild cards")
    low, _dash, high = kind.partition("-")
    return _now("%(low)s to %(high)s") % {"low": low, "high": high} if high else names.get(kind, kind)


def own_words(rules: HandAndFootRules) -> Own:
    """The words that rules have of their own, by figure and code."""
    return OWN.get(rules.terms, {})


def figure_name(name: str, own: Own) -> str:
    """What a figure of the card is called, in a rule set's `own_words`; a name of another game as it is.

    >>> figure_name("special_7", {}), figure_name("clean", {}), figure_name("clean", CANASTAS)
    ('Piles of 7s', 'Clean piles', 'Natural canastas')
    """
    known = {**FIGURES, **own}
    if name.startswith(SPECIAL):
        return str(known[SPECIAL]).format(rank=name.removeprefix(SPECIAL))
    return str(known.get(name, name))


NOUNS = {
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
    lines=LINES,
    problems=PROBLEMS,
    settings=SETTINGS,
    names={"field": figure_name, "rank": lambda rank, own: rank_name(rank), "of": lambda kind, own: cards_name(kind)},
    own=OWN,
    nouns=NOUNS,
)
