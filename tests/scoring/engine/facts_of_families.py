"""Cards of every family for properties that all keep: true ones, changed ones, and whatever has the right shape."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from random import Random

from hypothesis import strategies as st

from lab.simulation.deals import DEALS_IN_A_GAME, PLAYS, PLAYS_BOTH
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of

SEEDS = st.integers(0, 2**32)
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "joker", "wild", "8-K", "4-7", "")
SMALL, EVERYDAY, EXTREME = st.integers(-2, 8), st.integers(-60, 400), st.sampled_from((-(10**30), -1, 10**9, 10**30))
MOST_ITEMS = 7  # more than any column of any card has


def shapes_in_family(rule_set):
    return st.sampled_from([rules_of(rule_set, shape) for shape in rule_set.shapes])


def true_facts(rule_set, rules):
    """Facts of true deals, early and late in a game: with the figures of a card, or with the cards counted."""
    play, before = PLAYS[rule_set.family], befores(rules)
    figures = st.builds(lambda seed, before: play(Random(seed), rules, deals_before=before), SEEDS, before)
    return figures | counted_facts(rule_set, rules) if rule_set.family in PLAYS_BOTH else figures


def counted_facts(rule_set, rules):
    """Facts of true deals with the cards counted (half the deals of pinochle are, by themselves)."""
    if both := PLAYS_BOTH.get(rule_set.family):
        return st.builds(lambda seed, before: both(Random(seed), rules, deals_before=before)[1], SEEDS, befores(rules))
    return true_facts(rule_set, rules).filter(lambda facts: bool(facts.counted))


def befores(rules):
    return st.integers(0, (rules.deals or DEALS_IN_A_GAME) - 1)


def of_type(kind):
    """JSON data of a type of facts: figures of any size, columns of any length, names that there are and others."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(of_type, typing.get_args(kind)))
    if origin is tuple:
        return st.lists(of_type(typing.get_args(kind)[0]), max_size=MOST_ITEMS)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return st.fixed_dictionaries({field.name: of_type(hints[field.name]) for field in dataclasses.fields(kind)})
    if kind is types.NoneType:
        return st.none()
    if issubclass(kind, Enum):
        return st.sampled_from([choice.value for choice in kind])
    return {bool: st.booleans(), int: SMALL | EVERYDAY | EXTREME, str: st.sampled_from(RANKS) | st.text(max_size=3)}[
        kind
    ]


def whatever(family):
    """Facts of the right shape, and nothing more said."""
    return of_type(family.facts).map(family.read)


def leaves(data, path=()):
    """Where figures, names and answers stand in JSON data."""
    if isinstance(data, Mapping):
        return [leaf for name, item in data.items() for leaf in leaves(item, (*path, name))]
    if isinstance(data, list):
        return [leaf for place, item in enumerate(data) for leaf in leaves(item, (*path, place))]
    return [path]


def at(data, path):
    for step in path:
        data = data[step]
    return data


def with_value(data, path, value):
    if not path:
        return value
    step, rest = path[0], path[1:]
    changed = with_value(data[step], rest, value)
    if isinstance(data, Mapping):
        return {**data, step: changed}
    return [changed if place == step else item for place, item in enumerate(data)]


@st.composite
def changed(draw, family, true):
    """A true card on which up to three figures, or a whole column, were written wrong."""
    data = family.write(draw(true))
    for _mistake in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(leaves(data)))
        old = at(data, path)
        if isinstance(old, int) and not isinstance(old, bool):
            data = with_value(data, path, draw(st.sampled_from((old + 1, old - 1, -old, old * 2)) | SMALL | EXTREME))
        else:
            hints = typing.get_type_hints(family.facts)
            name = str(path[0])
            data = {**data, name: draw(of_type(hints[name]))}
    return family.read(data)


# Which fields name a side (or seat) and which have a column for each; see the classes of the facts.
SIDE_OF = {
    "partnership-pinochle": ("bid_side", "last_trick"),
    "three-hand-pinochle": ("bidder", "last_trick", "dealer"),
    "two-hand-pinochle": ("bidder", "last_trick", "no_trick_points", "claimant"),
    "hand-and-foot": ("out",),
    "trick-bids": (),
    "hearts": ("queen", "king", "ace", "jack"),
    "cribbage": ("dealer",),
    "points-only": (),
    "contract": ("bidder", "partner"),
}
COLUMNS = (
    *("meld", "take", "laid", "last_draw", "undeclared_nine", "revoked", "cards_wrong", "cards_still_wrong"),
    *("led_early", "sides", "points", "redeals", "deals_lost", "tricks", "hearts", "honours", "pegging", "hands"),
    "before",
)
OF_PLAYERS = {"trick-bids": ("bids", "blind", "nil_tricks")}
"""By family, columns with a figure for each player, those of a side together; `counted` is one everywhere."""


def moved_on(family, data, sides):
    """The same card had everybody sat one side further round: the last side's figures stand first.

    Melds of players stand side by side, so that those of a partnership's two move together; seats are one for each
    player, and go by fours at a table of partnerships.
    """
    moved = dict(data)
    for name in COLUMNS:
        if moved.get(name):
            moved[name] = [*moved[name][-1:], *moved[name][:-1]]
    for name in ("counted", *OF_PLAYERS.get(family.slug, ())):
        if players := moved.get(name):
            each = len(players) // sides
            moved[name] = [*players[-each:], *players[:-each]]
    for name in SIDE_OF[family.slug]:
        if moved[name] in range(sides):
            moved[name] = (moved[name] + 1) % sides
    if family.slug == "partnership-pinochle" and moved["dealer"] in range(4):
        moved["dealer"] = (moved["dealer"] + 1) % 4
    return moved


def reordered(data):
    """The same card with every player's (or side's) melds and cards left in another order."""
    if isinstance(data, Mapping):
        return st.fixed_dictionaries(
            {
                name: st.permutations(item) if name in ("melds", "left") and isinstance(item, list) else reordered(item)
                for name, item in data.items()
            }
        )
    if isinstance(data, list):
        return st.tuples(*map(reordered, data)).map(list)
    return st.just(data)


def figures_of(data, side):
    """Where the figures of a side stand; those of a deal that is thrown in may all be missing."""
    columns = [(name, side, *leaf) for name in COLUMNS if data.get(name) for leaf in leaves(data[name][side])]
    return [path for path in columns if type(at(data, path)) is int and "counted" not in path]


def with_mistake(data, side):
    """The card with one figure of one side written wrong, by a little or by much."""
    return st.builds(
        lambda path, by: with_value(data, path, max(0, at(data, path) + by)),
        st.sampled_from(figures_of(data, side)),
        st.sampled_from((-5, -1, 1, 2, 5, 20, 500)),
    )


BY_SLUG = dict(shipped())
