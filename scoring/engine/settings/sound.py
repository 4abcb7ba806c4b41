"""Whether settings make rules that can be played: every figure in its range, settings that go together, true deals.

A rule set with a problem is never published. Problems are codes with arguments and the name of the setting to look
at; "" is the rule set as a whole. Sentences stand in `scoring.house_rules.setting_words`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from scoring.engine.core.ledger import Args, named
from scoring.engine.core.ruleset import Plain, RuleSet, shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootRules
from scoring.engine.pinochle.cards import RANKS, PinochleRules
from scoring.engine.pinochle.partnership import PartnershipRules
from scoring.engine.pinochle.three_hand import ThreeHandRules
from scoring.engine.points_only import SLUG as POINTS_ONLY
from scoring.engine.points_only import PointsRules
from scoring.engine.settings.kinds import CARD_VALUES, Form, Kind, defaults_of, figures_in, kinds_of

CODES = (
    "setting.missing",  # This setting has no value.
    "setting.unknown",  # The game has no such setting.
    "setting.form",  # What stands here isn't of the kind that belongs here.
    "setting.low",  # {figure} is less than the {least} that it can be.
    "setting.high",  # {figure} is more than the {most} that it can be.
    "setting.choice",  # It must be one of {choices}.
    "setting.ranks",  # The ranks are some of {ranks}, each once and in this order.
    "setting.values-of",  # A value is missing for {names}.
    "setting.not-in-pack",  # The pack has no {names}.
    "setting.how-many",  # {count} figures belong here, one for each number of copies; there are {written}.
    "setting.falling",  # {later} after {earlier}: more of the same can't be worth less.
    "setting.pack",  # {dealt} cards would be dealt; the pack has {cards}.
    "setting.pack-left",  # {dealt} cards would be dealt; the pack has {cards}, and none may be left over.
    "setting.more-than",  # {figure} is more than the {most} of "{other}". ({other}: the name of a setting)
    "setting.steps",  # The scores from which a line holds must rise; {later} follows {earlier}.
    "setting.rising",  # The figures before the others must rise; {later} follows {earlier}.
    "setting.span",  # Beside {figure} the least of {least} is more than the most of {most}.
    "setting.out-wild",  # Nobody could go out: wild piles are needed for it, and melds of wild cards aren't allowed.
    "setting.two-packets",  # A foot can be chosen of two packets only; there are {packets}.
    "rules.shape",  # The game isn't played by {sides} sides of {players}.
    "rules.no-deal",  # No deal can be played by these settings together.
)

NOT_MEANT = (
    "setting.lowest-wins",  # The lowest total can't win: in this game points are what everybody plays for.
    "setting.lost-when-low",  # The lowest total wins, so no score can be so low that it loses the game.
)

TRIALS = 3  # true deals for each shape
MELDS = (
    "run",
    "royal_marriage",
    "marriage",
    "aces_around",
    "kings_around",
    "queens_around",
    "jacks_around",
    "pinochle",
)


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """One thing that is wrong with the settings of a rule set. `setting` is its name, "" for all together."""

    setting: str
    code: str
    args: Args = ()


def setting_problems(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """Everything wrong with a rule set's settings; empty means that games can be played and scored by it.

    First each setting by itself, then those that belong together, then a few true deals of every shape: what would
    be wrong only because of something before isn't named.
    """
    found = tuple(_each(rule_set))
    if found:
        return found
    found = tuple(dict.fromkeys(p for shape in rule_set.shapes for p in _together(rules_of(rule_set, shape))))
    return found or tuple(_tried(rule_set))


def not_meant(rule_set: RuleSet) -> tuple[SettingProblem, ...]:
    """What nobody can mean who publishes rules, though games could be scored: who has the lowest total wins a game in
    which bids, melds and bonuses reward points and a failed bid takes them away.

    Codes of NOT_MEANT. Apart from `setting_problems`, so that a club's games by such a version from before can still be
    taken in.
    """
    if not rule_set.lowest_wins:
        return ()
    if rule_set.family != POINTS_ONLY:
        return (SettingProblem("lowest_wins", "setting.lowest-wins"),)
    return (SettingProblem("lose_at", "setting.lost-when-low"),) if rule_set.values.get("lose_at") is not None else ()


def _each(rule_set: RuleSet) -> Iterator[SettingProblem]:
    kinds = kinds_of(family_of(rule_set).slug)
    values, later = rule_set.values, defaults_of(rule_set.family)
    known = {shape for other in shipped().values() if other.family == rule_set.family for shape in other.shapes}
    for shape in sorted(set(rule_set.shapes) - known):
        yield SettingProblem("", "rules.shape", named(sides=shape.sides, players=shape.per_side))
    for name in sorted(values.keys() - kinds.keys()):
        yield SettingProblem(name, "setting.unknown")
    for name, kind in kinds.items():
        if name in values:
            yield from _one(name, values[name], kind)
        elif name not in later:
            yield SettingProblem(name, "setting.missing")


def _one(name: str, value: Plain, kind: Kind) -> Iterator[SettingProblem]:
    if value is None:
        if not kind.none:
            yield SettingProblem(name, "setting.missing")
        return
    if not _is(value, kind.form):
        yield SettingProblem(name, "setting.form")
        return
    if kind.form is Form.CHOICE and value not in kind.choices:
        yield SettingProblem(name, "setting.choice", named(choices=", ".join(kind.choices)))
    if kind.form is Form.STEPS:
        for (earlier, _held), (later, _holds) in pairwise(value):
            if later <= earlier:
                yield SettingProblem(name, "setting.steps", named(later=later, earlier=earlier))
    if kind.form is Form.SPANS:
        for (earlier, *_before), (later, *_after) in pairwise(value):
            if later < earlier:
                yield SettingProblem(name, "setting.rising", named(later=later, earlier=earlier))
        for figure, least, most in value:
            if least > most:
                yield SettingProblem(name, "setting.span", named(figure=figure, least=least, most=most))
    for figure in figures_in(value):
        if figure < kind.range.least:
            yield SettingProblem(name, "setting.low", named(figure=figure, least=kind.range.least))
        if figure > kind.range.most:
            yield SettingProblem(name, "setting.high", named(figure=figure, most=kind.range.most))


def _is(value: Plain, form: Form) -> bool:
    """Whether a value is written as its form wants it."""
    if form is Form.YES_NO:
        return isinstance(value, bool)
    if form is Form.FIGURE:
        return _figure(value)
    if form is Form.CHOICE:
        return isinstance(value, str)
    if form is Form.TABLE:
        pairs = tuple(value.items()) if isinstance(value, Mapping) else value
        return _pairs(pairs, str)
    if form is Form.STEPS:
        return _pairs(value, int)
    if form is Form.SPANS:
        rows = value if isinstance(value, list | tuple) else [None]
        return all(isinstance(row, list | tuple) and len(row) == 3 and all(map(_figure, row)) for row in rows)
    wanted = _figure if form is Form.FIGURES else lambda item: isinstance(item, str)
    return isinstance(value, list | tuple) and all(wanted(item) for item in value)


def _figure(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pairs(value: Any, first: type) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, list | tuple) and len(item) == 2 and isinstance(item[0], first) and _figure(item[1])
        for item in value
    )


# --- settings that belong together -------------------------------------------------------------------------


def _together(rules: Any) -> Iterator[SettingProblem]:
    for kind, check in TOGETHER:
        if isinstance(rules, kind):
            yield from check(rules)


def _pinochle(rules: PinochleRules) -> Iterator[SettingProblem]:
    if rules.ranks != tuple(rank for rank in RANKS if rank in rules.ranks) or len(rules.ranks) < len(RANKS) - 1:
        yield SettingProblem("ranks", "setting.ranks", named(ranks=", ".join(RANKS)))
    if missing := [rank for rank, _worth in rules.counters if rank not in rules.ranks]:
        yield SettingProblem("counters", "setting.not-in-pack", named(names=", ".join(missing)))
    for name in MELDS:
        yield from _meld(name, getattr(rules, name), rules.copies)
    if rules.dropped_bid > rules.opening_bid:
        yield _more_than("dropped_bid", rules.dropped_bid, "opening_bid", rules.opening_bid)
    dealt = rules.shape.players * rules.hand_size + getattr(rules, "widow", 0)
    cards = 4 * len(rules.ranks) * rules.copies
    if dealt > cards:
        yield SettingProblem("hand_size", "setting.pack", named(dealt=dealt, cards=cards))
    elif dealt < cards and isinstance(rules, PartnershipRules | ThreeHandRules):
        yield SettingProblem("hand_size", "setting.pack-left", named(dealt=dealt, cards=cards))


def _meld(name: str, values: tuple[int, ...], copies: int) -> Iterator[SettingProblem]:
    if len(values) != copies:
        yield SettingProblem(name, "setting.how-many", named(count=copies, written=len(values)))
        return
    for earlier, later in pairwise(values):
        if later < earlier:
            yield SettingProblem(name, "setting.falling", named(later=later, earlier=earlier))
            return


def _partnership(rules: PartnershipRules) -> Iterator[SettingProblem]:
    if rules.cards_passed > rules.hand_size:
        yield _more_than("cards_passed", rules.cards_passed, "hand_size", rules.hand_size)


def _hand_and_foot(rules: HandAndFootRules) -> Iterator[SettingProblem]:
    named_values = {name for name, _points in rules.card_values}
    if missing := [name for name in CARD_VALUES if name not in named_values]:
        yield SettingProblem("card_values", "setting.values-of", named(names=", ".join(missing)))
    if unknown := sorted(named_values - set(CARD_VALUES)):
        yield SettingProblem("card_values", "setting.not-in-pack", named(names=", ".join(unknown)))
    if rules.meld_least > rules.pile_size:
        yield _more_than("meld_least", rules.meld_least, "pile_size", rules.pile_size)
    if rules.out_wild and not rules.wild_melds:
        yield SettingProblem("out_wild", "setting.out-wild")
    if rules.choose_foot and len(rules.packets) != 2:
        yield SettingProblem("choose_foot", "setting.two-packets", named(packets=len(rules.packets)))
    dealt, cards = rules.shape.sides * rules.dealt, rules.decks * (52 + rules.jokers_per_deck)
    if dealt > cards:
        yield SettingProblem("hand", "setting.pack", named(dealt=dealt, cards=cards))


def _points(rules: PointsRules) -> Iterator[SettingProblem]:
    if rules.lowest is not None and rules.highest is not None and rules.lowest > rules.highest:
        yield _more_than("lowest", rules.lowest, "highest", rules.highest)


def _more_than(name: str, figure: int, other: str, most: int) -> SettingProblem:
    return SettingProblem(name, "setting.more-than", named(figure=figure, most=most, other=other))


TOGETHER: tuple[tuple[type, Callable[[Any], Iterator[SettingProblem]]], ...] = (
    (PinochleRules, _pinochle),
    (PartnershipRules, _partnership),
    (HandAndFootRules, _hand_and_foot),
    (PointsRules, _points),
)


# --- true deals --------------------------------------------------------------------------------------------


def _tried(rule_set: RuleSet) -> Iterator[SettingProblem]:
    """Play a few deals with a real pack: settings under which none comes about make no game."""
    family, rng = family_of(rule_set), Random(rule_set.slug)
    for shape in rule_set.shapes:
        rules = rules_of(rule_set, shape)
        try:
            for number in range(TRIALS):
                facts = family.play(rng, rules, number % (rules.deals or TRIALS))
                family.score(facts, rules)
                family.check(facts, rules)
        except (ValueError, ArithmeticError, LookupError):
            yield SettingProblem("", "rules.no-deal")
            return
