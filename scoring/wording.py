"""Sentences for the engines' codes: why there are points, what is wrong and what to do about it; and the rule that
gives a line its points.

Each family has its sentences (`scoring.families`). Here they are together, by code, and are filled in.

Some rule sets have words of their own: piles are called canastas there. `own_words` gives them, and they are passed
along for every sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext_lazy as _n

from scoring.engine.core.game import Progress, SetSlip, Slip, outcome_code
from scoring.engine.core.ledger import Args, Line, Problem, Severity, Value
from scoring.engine.core.ruleset import Plain, RuleSet, Setting
from scoring.families import PAGES
from scoring.families.deal_form import unnamed_player
from scoring.families.family_pages import OwnWords
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import source_titles

# --- numbers in sentences ----------------------------------------------------------------------------


NOUNS: dict[str, Any] = {
    "cards": _n("%(n)s card", "%(n)s cards", "number"),
    "figures": _n("%(n)s figure", "%(n)s figures", "number"),
    "players": _n("%(n)s player", "%(n)s players", "number"),
    "points": _n("%(n)s point", "%(n)s points", "number"),
    "sides": _n("%(n)s side", "%(n)s sides", "number"),
    **{name: forms for pages in PAGES.values() for name, forms in pages.words.nouns.items()},
}
"""By the name in a sentence's braces."""

NAMES = {name: several for pages in PAGES.values() for name, several in pages.words.multiples.items()}
"""The names of one, two, three and four of a thing together."""


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


# --- the headings of rules in words ------------------------------------------------------------------


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

SECTION_PATTERNS: tuple[tuple[str, str], ...] = (
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
    (r"special_hands|extras|threes_(by|for|against).*", "bonuses"),
    (r"no_wild_ranks|rank_once|sequences", "melds"),
    (r"threes_natural|pot", "cards"),
    (r"black_three_left", "values"),
    (r"hearts?|heart_points|queen|king|ace|jack|moon", "values"),
    (r"hook|exact|(square|made)_points|failed.*|.*nil.*|bag_.*", "bidding"),
    (r".*_pile|pile_bonus.*|special_books|red_three.*|perfect_.*|.*_bonus|.*canasta.*|bonus.*", "bonuses"),
    (r".*bid.*|called_partner|later_steps|set_.*|.*_set|guess.*|.*contract.*|on_the_board.*", "bidding"),
    (r"counters|take_to_score|take_stays|last_trick(_is_scoring)?|card_values|last_draw.*|.*_last_draw", "values"),
    (
        r"run.*|added_to_run|grown_double|turned_up_nine|.*marriage.*|.*around|pinochle.*|nine_of_trump|.*meld.*|naturals.*|wilds.*|pile_.*|first_.*",
        "melds",
    ),
    (
        r"ranks|copies|.*deck.*|joker.*|hand.*|foot.*|knee|widow.*|cards_.*|five_nines|.*nines|misdeal.*|draw.*|take_.*",
        "cards",
    ),
    (r"schedule|choose_.*|stock.*|upcard.*|packets.*|.*redeal.*|dealt.*", "cards"),
    (
        r"trump_values|further_trick|calls|tricks_score|slam|others_trick|misere_tricks|maker_points|odd_trick|.*honours.*",
        "values",
    ),
    (r"tricks", "cards"),
    (r"lowest|highest|whole|step|one_side|other_sides|others_most|others_beside", "points"),
)
"""The section of a setting: the first pattern that its whole name fits, else `OTHER`."""


@cache
def section_key(name: str) -> str:
    return next((section for pattern, section in SECTION_PATTERNS if re.fullmatch(pattern, name)), OTHER)


# --- the rule of a line ------------------------------------------------------------------------------


UNSET: tuple[Plain, ...] = ("", [], {})
MAX_SOURCES = 2  # shown beside a line; of more, their heading


@dataclass(frozen=True, slots=True)
class NamedRule:
    settings: tuple[str, ...] = ()  # names
    setting: str = ""  # the name, if there is only one; "" if several make the rule
    source: str = ""  # document and section
    anchor: str = ""  # id on the page of the rules


def setting_anchor(name: str) -> str:
    return f"setting-{name}"


def section_anchor(key: str) -> str:
    return f"section-{key}"


def named_rule(names: Sequence[str], rule_set: RuleSet) -> NamedRule:
    """The rule that these settings make together; empty ones are left out, unless all are empty."""
    by_name = rule_set.by_name
    settings = [by_name[name] for name in names if name in by_name]
    settings = [setting for setting in settings if setting.value not in UNSET] or settings
    if not settings:
        return NamedRule()
    together = tuple(setting.name for setting in settings)
    return NamedRule(together, together[0] if len(together) == 1 else "", _source(settings), _anchor(settings))


def _source(settings: Sequence[Setting]) -> str:
    sources = list(dict.fromkeys(setting.source for setting in settings))
    if len(sources) <= MAX_SOURCES:
        return "; ".join(source_titles(source) for source in sources)
    heading = SECTIONS[section_key(settings[0].name)]
    return _now("%(heading)s: each with its own source") % {"heading": heading}


def _anchor(settings: Sequence[Setting]) -> str:
    sections = {section_key(setting.name) for setting in settings}
    if len(settings) > 1 and len(sections) == 1:
        return section_anchor(sections.pop())
    return setting_anchor(settings[0].name)


# --- sentences ---------------------------------------------------------------------------------------


_WORDS = [pages.words for pages in PAGES.values()]
LINES = {f"{words.prefix}.{code}": sentence for words in _WORDS for code, sentence in words.lines.items()}
PROBLEMS = {f"{words.prefix}.{code}": sentence for words in _WORDS for code, sentence in words.problems.items()}
SETTINGS = {
    f"{words.prefix}.{code}": tuple(names.split())
    for words in _WORDS
    for names, codes in words.settings.items()
    for code in codes.split()
}
CHOICES = {choice: shown for words in _WORDS for choice, shown in words.choices.items()}
_NAMES = {name: how for words in _WORDS for name, how in words.names.items()}
_OWN = {terms: sentences for words in _WORDS for terms, sentences in words.own.items()}

SLIPS: dict[str, Promise | str] = {
    "": "",
    "left-out": _("That deal's points were left out."),
    "twice": _("That deal's points were added twice."),
    "sign": _("Points were added instead of deducted, or the other way round."),
    "digits": _("Two figures were swapped."),
    "other-side": _("Another side's points were added."),
    "start": _("The starting score was left out."),
}
"""The likeliest cause of a wrong running total, by its code."""

SEVERITIES: dict[Severity, Promise] = {
    Severity.FORM: _("Not filled in right"),
    Severity.IMPOSSIBLE: _("Impossible with a real pack"),
    Severity.AGAINST_RULES: _("Against the rules"),
    Severity.UNLIKELY: _("Unlikely"),
}

ENDED_BY: dict[str, Promise] = {
    "target": _("The target is reached."),
    "claim": _("A player claimed the game before the cards were counted."),
    "challenge": _("A player claimed the game, was challenged and made the contract."),
    "lost": _("A side is down to the score that loses the game."),
    "deals": _("The last deal is played."),
    "director": _("Ended by the director."),
}

OUTCOMES: dict[str, Promise] = {
    "level": _("Level at {best}: play another deal."),
    "not-out": _("To win, a side must make its contract in the deal: play on."),
    "shared": _("Level at the end: the game is shared."),
    "lowest": _("The lowest total wins."),
    "bid-side-first": _("The bid side is counted first, so {won} beats {best}."),
    "by-contract": _("To win, a side must make its contract in the deal, so {won} beats {best}."),
}
"""By the codes of `engine.core.game.outcome_code`; the others are in `ENDED_BY`."""


def outcome_message(now: Progress, rules: Any) -> str:
    """Why a game ended as it did, or goes on with the target reached; "" where that is plain from the totals."""
    code = outcome_code(now, rules)
    if not code:
        return ""
    won = now.totals[now.winners[0]] if now.winners else 0
    other_totals = [total for side, total in enumerate(now.totals) if side not in now.winners] or now.totals
    sentence = own_words(rules).get(code) or OUTCOMES.get(code) or ENDED_BY[code]
    return str(sentence).format(won=points(won), best=points(max(other_totals)))


def own_words(rules: Any) -> OwnWords:
    return _OWN.get(rules.terms, {})


def _fill(
    sentences: Mapping[str, Promise], code: str, *, args: Args, words: OwnWords, players: Sequence[str] = ()
) -> str:
    shown = {name: Figure(value) if isinstance(value, int) else value for name, value in args}
    if isinstance(place := shown.get("player"), int):
        shown["player"] = players[place - 1] if 1 <= place <= len(players) else unnamed_player(place)
    shown |= {name: how(str(shown[name]), words) for name, how in _NAMES.items() if name in shown}
    return str(words.get(code, sentences[code])).format_map(shown)


def explain_line(line: Line, words: OwnWords) -> str:
    return _fill(LINES, line.rule, args=line.args, words=words)


def describe_problem(problem: Problem, sides: Sequence[str], *, words: OwnWords, players: Sequence[str] = ()) -> str:
    """With the side's name. `players`: as `player_names` gives them. A card may name a side that doesn't exist."""
    sentence = problem_message(problem, words, players=players)
    side = problem.side
    return sentence if side is None or side >= len(sides) else f"{sides[side]}: {sentence}"


def problem_message(problem: Problem, words: OwnWords, *, players: Sequence[str] = ()) -> str:
    return _fill(PROBLEMS, problem.code, args=problem.args, words=words, players=players)


def slip_message(mistake: Slip | SetSlip, sides: Sequence[str]) -> str:
    return f"{sides[mistake.side]}: {' '.join(_slip_sentences(mistake))}"


def _slip_sentences(mistake: Slip | SetSlip) -> Iterator[str]:
    if isinstance(mistake, SetSlip):
        marked = _now("Deal %(deal)d is marked as a failed bid, but this side's bid didn't fail.")
        missing = _now("This side's bid failed in deal %(deal)d, but the card doesn't mark it.")
        yield (marked if mistake.marked else missing) % {"deal": mistake.deal}
        return
    shown: dict[str, Value] = {
        **{name: points(value) if isinstance(value, int) else value for name, value in mistake.args},
        "amount": points(abs(mistake.difference)),
        "way": _now("high") if mistake.difference > 0 else _now("low"),
        "more": points(abs(mistake.step)),
    }
    if mistake.until > mistake.deal:
        yield _now("The total after deal {until} is {amount} too {way}, from deal {deal} on:").format_map(shown)
        yield _now("written {written} after deal {deal}, it should be {right}.").format_map(shown)
    else:
        yield _now("Written {written} after deal {deal}, {amount} too {way}: it should be {right}.").format_map(shown)
    if mistake.step != mistake.difference:
        words = _now("{more} more than before.") if mistake.step > 0 else _now("{more} less than before.")
        yield words.format_map(shown)
    if mistake.between < mistake.deal:
        yield _now("The mistake is in one of the deals {between} to {deal}.").format_map(shown)
    if mistake.cause:
        yield str(SLIPS[mistake.cause])


def line_rule(line: Line, rule_set: RuleSet) -> NamedRule:
    return named_rule(SETTINGS[line.rule], rule_set)


def problem_rule(problem: Problem, rule_set: RuleSet) -> NamedRule:
    return named_rule(problem_settings(problem), rule_set)


def problem_settings(problem: Problem) -> tuple[str, ...]:
    """None where the problem is about the card alone."""
    return SETTINGS.get(f"{problem.code}:{problem.field}", SETTINGS.get(problem.code, ()))


def offer_heading(rule_set: RuleSet, *, of_club: bool = False) -> str:
    """The club's own rules are together, others by kind of game."""
    return _now("The club's own rules") if of_club else str(PAGES[rule_set.family].kind)


def offer_order(rule_set: RuleSet) -> tuple[int, str]:
    """Sort key: by kind of game, then by title."""
    return list(PAGES).index(rule_set.family), rule_set.title


def join_names(names: Sequence[str]) -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cal"."""
    if len(names) < 2:
        return "".join(names)
    return _now("%(some)s and %(last)s") % {"some": ", ".join(names[:-1]), "last": names[-1]}
