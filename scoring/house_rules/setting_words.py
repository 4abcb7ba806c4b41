"""Sentences about the settings of rule sets: what is wrong with one, what a choice is called."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine.core.ruleset import RuleSet, SettingProblem
from scoring.templatetags.rule_texts import translated
from scoring.wording import CHOICES
from scoring.wording.counted_words import Figure

PROBLEMS: dict[str, Promise] = {
    "setting.missing": _("Fill this in."),
    "setting.unknown": _("The game has no such setting."),
    "setting.form": _("This can't be read. Write it as it was."),
    "setting.low": _("{figure} is too low: it is at least {least}."),
    "setting.high": _("{figure} is too high: it is at most {most}."),
    "setting.choice": _("Choose one of: {choices}."),
    "setting.ranks": _("Write the ranks from high to low, each once, as in: {ranks}. Only the 9 may be left out."),
    "setting.values-of": _("Write a value for {names} too; 0 for nothing."),
    "setting.not-in-pack": _("The pack has no {names}. Empty that box."),
    "setting.how-many": _(
        "Write {count:figures}: one for each time that the pack's copies allow it. Here the number is {written}."
    ),
    "setting.falling": _("{later} comes after {earlier}: more of the same can't be worth less."),
    "setting.pack": _("All players together would get {dealt:cards}; the pack has {cards}."),
    "setting.pack-left": _("All players together would get {dealt} of the {cards:cards}, and none may be left over."),
    "setting.more-than": _("{figure} is too high: “{other}” is {most}."),
    "setting.steps": _("The scores must rise: {later} comes after {earlier}."),
    "setting.rising": _("The first figures of the lines must rise: {later} comes after {earlier}."),
    "setting.span": _("Beside {figure} the least, {least}, is more than the most, {most}."),
    "setting.out-wild": _("Nobody could go out: this asks for melds of wild cards, and they aren't allowed."),
    "setting.two-packets": _("Players can choose their foot only of two packets; here they have {packets}."),
    "rules.shape": _("The game isn't played by {sides:sides} of {players}."),
    "rules.no-deal": _(
        "No deal can be played by these settings together. Look again at the numbers of cards and at the limits."
    ),
}
"""By code, what is wrong with a setting and what to do about it; the arguments fill the braces."""

NOT_MEANT: dict[str, Promise] = {
    "setting.lowest-wins": _(
        "In this game points are good: bids, melds and bonuses reward who makes them, so the lowest total can't win. "
        "Say no here. It can win where only the points are written down: take such a game for it."
    ),
    "setting.never": _("No deal gives {figures}: the lowest, the highest or the step doesn't allow it."),
    "setting.beside-nobody": _("No side has {figures} in a deal. Write lines only for what one side can have."),
    "setting.no-one-side": _("Empty this, or say first what one side has in every deal."),
    "setting.out-by-contract": _(
        "Say first which points one side has for a contract, and with what score a game ends; or say no here."
    ),
    "setting.first-meld-scores": _(
        "For {melds:figures} of first melds write one score less: {scores}. The first of them holds below all scores."
    ),
    "setting.out-special": _("No rank's pile has a bonus of its own: name one, or say no here."),
    "setting.lost-when-low": _(
        "Empty this box: where the lowest total wins, no score is so low that it loses the game."
    ),
}
"""By code, what nobody can mean who publishes rules (`scoring.engine.settings.sound.not_meant`)."""


def choice_words(choice: str) -> str:
    """A choice as it is shown."""
    return str(CHOICES.get(choice, choice.replace("-", " ")))


def setting_problem(problem: SettingProblem, rule_set: RuleSet) -> str:
    """What is wrong with a setting and what to do about it."""
    shown = {name: Figure(value) if isinstance(value, int) else value for name, value in problem.args}
    if "other" in shown:
        shown["other"] = next(translated(s.label) for s in rule_set.settings if s.name == shown["other"])
    return str({**PROBLEMS, **NOT_MEANT}[problem.code]).format_map(shown)
