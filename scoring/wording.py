"""Sentences for what the engines say in codes: why there are points, what is wrong and what to do about it.

`LINES` and `PROBLEMS` have every code of every family; the arguments of the code fill the braces. `SETTING`
names the setting of the rule set that a line comes from, so that its source can be shown beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring.engine.arithmetic import Slip
from scoring.engine.ledger import Args, Line, Problem, Severity
from scoring.engine.ruleset import RuleSet, Setting
from scoring.templatetags.figures import points

LINES: dict[str, Promise] = {
    "pinochle.meld": _("Meld: {meld}"),
    "pinochle.take": _("Taken in play: {take}"),
    "pinochle.take-last": _("Taken in play: {counters} in cards and {last} for the last trick"),
    "pinochle.made": _("Bid of {bid} made with {total}"),
    "pinochle.set": _(
        "Set: meld {meld} and take {take} make {total}, {short} short of the bid of {bid}. "
        "The bid is deducted; meld and take don't count"
    ),
    "pinochle.set-off-board": _(
        "Set: not on the board. Meld {meld} and all {most} in play make less than the bid of {bid}. "
        "The bid is deducted; meld and take don't count"
    ),
    "pinochle.meld-lost": _("Meld of {meld} lost: {counters} in counters taken, {needed} needed to save it"),
    "pinochle.meld-lost-no-trick": _("Meld of {meld} lost: no trick with points won"),
    "pinochle.renege-set": _("Set by a renege: the bid of {bid} is deducted and the rest is thrown in"),
    "pinochle.renege-kept": _("Meld counts: the bid side reneged"),
    "pinochle.renege-made": _("Bid of {bid} counts as made: the other side reneged"),
    "pinochle.renege-penalty": _("Single set for a renege: the bid of {bid} is deducted"),
    "pinochle.renege-lost": _("Meld of {meld} lost by a renege"),
    "pinochle.forfeit": _("Wrong lay-down: {points} in the tricks laid down are forfeited"),
    "pinochle.forfeit-gained": _("{points} forfeited by the other side's wrong lay-down"),
    "pinochle.conceded": _("Conceded before the lead: the bid of {bid} is deducted"),
    "pinochle.concession": _("The bidder conceded: {points} beside meld"),
    "hand-and-foot.melded": _("Cards melded: {points}"),
    "hand-and-foot.clean-piles": _("Clean piles: {count} at {each}"),
    "hand-and-foot.dirty-piles": _("Dirty piles: {count} at {each}"),
    "hand-and-foot.wild-piles": _("Wild piles: {count} at {each}"),
    "hand-and-foot.out": _("Going out: {each}"),
    "hand-and-foot.red-threes": _("Red threes on the table: {count} at {each}"),
    "hand-and-foot.red-threes-missed": _("Red threes not tabled: {count} at {each}"),
    "hand-and-foot.left": _("Cards left in hands and feet: {points} off"),
    "points-only.points": _("Points on the card: {points}"),
}

PROBLEMS: dict[str, Promise] = {
    "pinochle.bid-side": _("The bid side must be one of the two sides. Press the side that holds the bid."),
    "pinochle.bidder": _("The bidder must be one of the three players. Press the one who holds the bid."),
    "pinochle.columns": _("There must be {needed} figures, one for each; there are {given}. Fill in all of them."),
    "pinochle.last-trick-side": _("The last trick must be with one of the two sides."),
    "pinochle.last-trick-player": _("The last trick must be with one of the three players."),
    "pinochle.negative": _("{points} can't be: nobody has less than nothing here. Write the figure without a minus."),
    "pinochle.bid-too-low": _(
        "A bid of {bid} is too low: bidding opens at {lowest}, and a dealer whom all pass takes it at {dropped}. "
        "Read the bid on the card again."
    ),
    "pinochle.bid-step": _(
        "Bids go up from {lowest} by {step}: {bid} is none of them. Read the bid on the card again."
    ),
    "pinochle.bid-high": _("A bid of {bid} is rare. Is it right?"),
    "pinochle.meld-impossible": _("No {cards} cards can meld {meld}. Count the meld again."),
    "pinochle.meld-impossible-pair": _(
        "No two partners with {cards} cards each can meld {meld} together. Count both melds again."
    ),
    "pinochle.melds-together": _(
        "One pack can't give all these melds in the same deal. Count the melds again, and check who melded what."
    ),
    "pinochle.meld-high": _("A meld of {meld} is rare. Is it right?"),
    "pinochle.take-total": _(
        "All that was taken comes to {total}; the cards and the last trick are worth {needed}. "
        "Count the tricks of every side again."
    ),
    "pinochle.take-over": _(
        "The two sides' take is {total} together. With a wrong lay-down and {last} noted for the last trick "
        "it is at most {most}. Count only what was taken before the cards were laid down."
    ),
    "pinochle.take-step": _("What is taken comes in steps of {step}: {take} is none of them. Count the tricks again."),
    "pinochle.last-trick-take": _(
        "Whoever wins the last trick takes at least {last}, not {take}. Check who won it, and count again."
    ),
    "pinochle.aces-of-trump": _(
        "With a meld of {meld} every ace of trump is here, and so wins a trick with points. "
        "Check the meld, and who took what."
    ),
    "pinochle.last-trick-needed": _("Who won the last trick? It decides whether a meld counts. Press the side."),
    "pinochle.bidder-scored-take": _(
        "With {take} taken, the bidder did win a trick with points: the discard is worth at most {most}."
    ),
    "pinochle.bidder-scored-last": _("The bidder won the last trick, and so a trick with points."),
    "pinochle.bidder-scored-nothing": _("The bidder took nothing, and so won no trick with points."),
    "pinochle.bidder-scored-needed": _(
        "Did the bidder win a trick with points? All {take} may be from the discard. Press yes or no."
    ),
    "hand-and-foot.sides": _("The card has columns for {written} sides; this game has {sides}."),
    "hand-and-foot.number": _("This is deal {number} of a game of {deals} deals. Check that the card is of this game."),
    "hand-and-foot.negative": _("{field}: {written} can't be. Write the figure without a minus."),
    "hand-and-foot.out-side": _("Side {out} is said to have gone out; this game has {sides} sides."),
    "hand-and-foot.melded-unit": _(
        "Card points are multiples of {unit}; the card says {written} melded. Count the melded cards again."
    ),
    "hand-and-foot.left-unit": _(
        "Card points are multiples of {unit}; the card says {written} left. Count the cards left again."
    ),
    "hand-and-foot.piles": _(
        "One pack can't hold {clean} clean, {dirty} dirty and {wild} wild piles. Count the piles again."
    ),
    "hand-and-foot.no-wild-piles": _("Wild piles aren't played in these rules; the card says {wild}."),
    "hand-and-foot.melded-low": _(
        "{clean} clean, {dirty} dirty and {wild} wild piles are at least {least} points of cards; the card says "
        "{melded} melded. Count the cards in the piles too, without the piles' bonuses."
    ),
    "hand-and-foot.melded-high": _(
        "{clean} clean, {dirty} dirty and {wild} wild piles with any open melds are at most {most} points of cards; "
        "the card says {melded} melded. Leave out the piles' bonuses, or add a pile that is missing."
    ),
    "hand-and-foot.melded-between": _(
        "{clean} clean, {dirty} dirty and {wild} wild piles are {least} points of cards, or {next} and more; "
        "the card says {melded} melded. Count the melded cards again."
    ),
    "hand-and-foot.first-meld": _(
        "The first meld of this deal needs {least} points; the card says {melded} melded in all. "
        "Count the melded cards again."
    ),
    "hand-and-foot.out-piles": _(
        "To go out a side needs {need_clean} clean, {need_dirty} dirty and {need_wild} wild piles; this one has "
        "{clean}, {dirty} and {wild}. Check the piles, and who went out."
    ),
    "hand-and-foot.out-left": _(
        "Whoever went out has nothing left; the card says {left}. Check who went out, and what was left."
    ),
    "hand-and-foot.out-red-threes": _("Whoever went out has no red three in hand; the card says {missed}."),
    "hand-and-foot.out-red-threes-partner": _(
        "Red threes not tabled on the side that went out: {missed}. Did a partner hold them?"
    ),
    "hand-and-foot.left-low": _(
        "Of {dealt} cards dealt at most {melded_cards} are on the table, so {held} or more are still held: at least "
        "{least} points. The card says {left} left. Count hands and feet again."
    ),
    "hand-and-foot.left-none": _(
        "Players who still hold a card: {holders}. That is at least {least} points left; the card says {left}. "
        "Count hands and feet again, or check who went out."
    ),
    "hand-and-foot.red-threes-pack": _(
        "The pack has {most} red threes; the card says {written}, on the table or not. Count the red threes again."
    ),
    "hand-and-foot.piles-together": _(
        "One pack can't hold the piles of all sides: {clean} clean, {dirty} dirty and {wild} wild. "
        "Count the piles again."
    ),
    "hand-and-foot.melded-together": _(
        "The piles of all sides, {clean} clean, {dirty} dirty and {wild} wild, are at least {least} points of cards; "
        "the card says {melded} melded. Count the melded cards again."
    ),
    "hand-and-foot.pack-points": _(
        "The pack has {most} points of cards; the card says {melded} melded and {left} left, {written} in all. "
        "Count again, without bonuses."
    ),
    "points-only.sides": _("The card has points for {written} sides; this game has {sides}."),
    "points-only.low": _("A deal is worth at least {lowest}; the card says {points}. Read the card again."),
    "points-only.high": _("A deal is worth at most {highest}; the card says {points}. Read the card again."),
    "points-only.step": _("Points come in steps of {step}; the card says {points}. Read the card again."),
    "points-only.whole": _(
        "A deal has {whole} points in all; the card has {written}. Count every side's points again."
    ),
    "points-only.never": _(
        "No deal gives a side {points}; the nearest that can be are {below} and {above}. Read the card again."
    ),
    "points-only.nobody": _(
        "In every deal one side has points that decide it, such as {such}; here no side has. Read the card again."
    ),
    "points-only.two": _(
        "{first} and {second} can't be in one deal together: only one side can have such points. Read the card again."
    ),
    "points-only.others": _(
        "The other sides have at most {most} together; the card says {written}. Count their points again."
    ),
}

SLIPS: dict[str, Promise] = {
    "": _("Written {written} after deal {deal}, {amount} too {way}: it should be {right}."),
    "left-out": _("Written {written} after deal {deal}: it should be {right}. That deal's points were left out."),
    "twice": _("Written {written} after deal {deal}: it should be {right}. That deal's points were added twice."),
    "sign": _("Written {written} after deal {deal}: it should be {right}. Points were added in place of deducted."),
    "digits": _("Written {written} after deal {deal}: it should be {right}. Two figures changed places."),
    "other-side": _("Written {written} after deal {deal}: it should be {right}. Another side's points were added."),
    "start": _("Written {written} after deal {deal}: it should be {right}. The starting score was left out."),
}
"""By its likeliest cause, what is wrong with a running total that the scorer wrote."""

HAND_AND_FOOT_FIGURES: dict[str, Promise] = {
    "clean": _("Clean piles"),
    "dirty": _("Dirty piles"),
    "wild": _("Wild piles"),
    "red_threes": _("Red threes on the table"),
    "red_threes_missed": _("Red threes not tabled"),
    "melded": _("Card points melded"),
    "left": _("Card points left"),
}
"""The figures of a side's card, as the facts name them, in the order of the card."""

SETTING: dict[str, str] = {
    "pinochle.meld": "run",
    "pinochle.take": "counters",
    "pinochle.take-last": "last_trick",
    "pinochle.made": "opening_bid",
    "pinochle.set": "opening_bid",
    "pinochle.meld-lost": "counters_to_save_meld",
    "pinochle.meld-lost-no-trick": "scoring_trick_for_meld",
    "pinochle.renege-penalty": "renege_other_side",
    "pinochle.forfeit": "lay_down_forfeit",
    "pinochle.forfeit-gained": "lay_down_forfeit",
    "pinochle.concession": "concession",
    "hand-and-foot.melded": "card_values",
    "hand-and-foot.clean-piles": "clean_pile",
    "hand-and-foot.dirty-piles": "dirty_pile",
    "hand-and-foot.wild-piles": "wild_pile",
    "hand-and-foot.out": "out_bonus",
    "hand-and-foot.red-threes": "red_three",
    "hand-and-foot.red-threes-missed": "red_three_missed",
    "hand-and-foot.left": "card_values",
}

KINDS: dict[str, Promise] = {
    "partnership-pinochle": _("Pinochle"),
    "three-hand-pinochle": _("Pinochle"),
    "hand-and-foot": _("Hand and Foot"),
    "points-only": _("Whist, euchre and other games by points"),
}
"""Family slug to the heading under which its rule sets are offered, in the order in which they are."""

SEVERITIES: dict[Severity, Promise] = {
    Severity.IMPOSSIBLE: _("Impossible with a real pack"),
    Severity.AGAINST_RULES: _("Against the rules"),
    Severity.UNLIKELY: _("Unlikely"),
}

ENDED_BY: dict[str, Promise] = {
    "target": _("The target is reached."),
    "lost": _("A side is down to the score that loses the game."),
    "deals": _("The last deal is played."),
    "director": _("Ended by the director."),
}


def _filled(sentence: Promise, args: Args) -> str:
    shown = {name: points(value) if isinstance(value, int) else value for name, value in args}
    if "field" in shown:
        shown["field"] = str(HAND_AND_FOOT_FIGURES.get(shown["field"], shown["field"]))
    return str(sentence).format_map(shown)


def why(line: Line) -> str:
    """What a line's points are for."""
    return _filled(LINES[line.rule], line.args)


def wrong(problem: Problem, sides: Sequence[str]) -> str:
    """What is wrong, for whom, and what to do about it."""
    sentence = what_is_wrong(problem)
    return sentence if problem.side is None else f"{sides[problem.side]}: {sentence}"


def what_is_wrong(problem: Problem) -> str:
    """What is wrong and what to do about it, for a place where the side's name stands already."""
    return _filled(PROBLEMS[problem.code], problem.args)


def slip(found: Slip, sides: Sequence[str]) -> str:
    """What is wrong with a running total that the scorer wrote, and how far it is carried on."""
    way = _now("high") if found.difference > 0 else _now("low")
    shown = {**dict(found.args), "amount": abs(found.difference)}
    numbers = {name: points(value) if isinstance(value, int) else value for name, value in shown.items()}
    sentence = str(SLIPS[found.cause]).format_map({**numbers, "way": way})
    if found.until > found.deal:
        more = _now("The difference is carried on to deal %(deal)d.") % {"deal": found.until}
        sentence = f"{sentence} {more}"
    return f"{sides[found.side]}: {sentence}"


def source_of(line: Line, rule_set: RuleSet) -> Setting | None:
    """The setting of the rule set that a line comes from, where one is known."""
    known: Mapping[str, Setting] = {setting.name: setting for setting in rule_set.settings}
    return known.get(SETTING.get(line.rule, ""))


def kind_of(rule_set: RuleSet, *, own: bool) -> str:
    """The heading under which a rule set is offered: the club's own rules stand together, others by kind of game."""
    return _now("The club's own rules") if own else str(KINDS[rule_set.family])


def order_of(rule_set: RuleSet) -> tuple[int, str]:
    """Sorts rule sets by kind of game, then by title."""
    return list(KINDS).index(rule_set.family), rule_set.title


def list_of(names: Sequence[str]) -> str:
    """Names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cal"."""
    if len(names) < 2:
        return "".join(names)
    return _now("%(some)s and %(last)s") % {"some": ", ".join(names[:-1]), "last": names[-1]}
