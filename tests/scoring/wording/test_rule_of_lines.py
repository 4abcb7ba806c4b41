"""A line names the rule that gives its points: with that rule otherwise, the line is another or isn't there."""

import dataclasses
import json

import pytest
from django.core.management import call_command

from scoring import wording
from scoring.engine.core.ledger import Line, Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, family_of, rules_of
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandDeal
from scoring.engine.settings import kinds_of
from scoring.families.pinochle_words import MELD_VALUES
from scoring.wording import named_rule, settings_of
from tests.scoring.deal_files.test_score_command import TRUE, deals, file_of
from tests.scoring.engine.hand_and_foot import test_codes as hand_and_foot_codes
from tests.scoring.engine.pinochle import test_codes as pinochle_codes
from tests.scoring.engine.pinochle import test_lines as pinochle_lines
from tests.scoring.engine.pinochle.two_hand import test_codes as two_hand_codes

FLETCHER = rules_of(shipped()["fletcher-two-hand"])


def laid(laying):
    """A card on which a run and another meld were laid, with its lines."""
    first = () if laying in (Laying.RUN, Laying.DOUBLE_RUN) else (Laying.RUN,)
    card = TwoHandDeal(bidder=0, bid=20, laid=((*first, laying), ()), take=(12, 13))
    return card, FLETCHER, FAMILIES["two-hand-pinochle"].score(card, FLETCHER).lines


CASES = {
    "hand-and-foot": hand_and_foot_codes.LINES,
    "partnership-pinochle": pinochle_lines.LINES_OF_PARTNERS,
    "three-hand-pinochle": pinochle_lines.LINES_OF_THREE,
    "two-hand-pinochle": [*two_hand_codes.LINES, *(laid(laying) for laying in Laying)],
}
"""By family, cards whose lines are known: together they have every line that the family says."""

AS_WRITTEN = {
    "pinochle.meld": MELD_VALUES,
    "pinochle.take": ("counters",),
    "two-hand.meld": MELD_VALUES,
    "two-hand.take": ("counters",),
    "points-only.points": ("one_side", "other_sides", "whole", "lowest", "highest", "step"),
}
"""Lines whose points stand on the card: the rules only say what they can be."""

SAID_ONLY = {
    "pinochle.made": ("set_points",),  # 004, The Count: what a bid that is met, or isn't, counts
    "pinochle.renege-made": ("renege_other_side",),
    "pinochle.renege-lost": ("renege_other_side",),
    "pinochle.forfeit": ("lay_down_forfeit",),
    "pinochle.deal-lost": ("misdeals",),
    "two-hand.claimed": ("claims",),
    "two-hand.challenged": ("claims",),
}
"""Lines that tell how the deal went: no setting has another outcome for them."""


def otherwise(value, kind):
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, 0)
    elif isinstance(value, str):
        yield from (choice for choice in kind.choices if choice != value)
    elif value is None:
        yield 7
    elif isinstance(value, tuple):
        yield tuple((item[0], item[1] + 5) if isinstance(item, tuple) else item + 5 for item in value)


def with_code(lines, code):
    return [line for line in lines if line.rule == code]


def goes_by(code, name):
    """Whether a line of that code is another, on some card, when the setting is."""
    for slug, cases in CASES.items():
        for card, rules, expected in cases:
            if not with_code(tuple(expected), code) or not hasattr(rules, name):
                continue
            for value in otherwise(getattr(rules, name), kinds_of(slug)[name]):
                changed = FAMILIES[slug].score(card, dataclasses.replace(rules, **{name: value}))
                if with_code(changed.lines, code) != with_code(tuple(expected), code):
                    return True
    return False


@pytest.mark.parametrize("code", sorted(wording.LINES))
def test_a_line_names_the_rule_that_gives_its_points(code):
    names = wording.SETTINGS[code]
    if known := {**AS_WRITTEN, **SAID_ONLY}.get(code):
        assert names == known
    else:
        assert any(goes_by(code, name) for name in names), names


@pytest.mark.parametrize("code", sorted(SAID_ONLY.keys() - {"two-hand.challenged"}))
def test_lines_that_only_tell_go_by_no_setting_of_theirs(code):
    assert not any(goes_by(code, name) for name in wording.SETTINGS[code])


OF_CLUB = "“St. Hilary House Rules, Version 3”"  # how readers see the document that the rule set calls 004


@pytest.mark.parametrize(
    ("code", "slug", "settings", "source", "anchor"),
    [
        ("pinochle.made", "st-hilary-v3", ("set_points",), f"{OF_CLUB}, The Count, Bid Winners Team",
         "setting-set_points"),
        (
            "pinochle.meld",
            "st-hilary-v3",
            MELD_VALUES,
            f"{OF_CLUB}, Meld Points Scoring Sheet; {OF_CLUB}, The Meld; Meld Points Scoring Sheet",
            "section-melds",
        ),
        ("pinochle.meld", "double-deck-partnership-pinochle", MELD_VALUES, "Melds: each with its own source",
         "section-melds"),
        ("pinochle.take-last", "st-hilary-v3", ("counters", "last_trick"), f"{OF_CLUB}, The Count", "section-values"),
        ("points-only.points", "whist-drive", None, None, "section-points"),
    ],
)  # fmt: skip
def test_the_rule_of_a_line_in_a_rule_set(code, slug, settings, source, anchor):
    rule = wording.rule_of_line(Line(0, 0, code), shipped()[slug])
    assert rule.settings == (settings or rule.settings)
    assert rule.source == (source or rule.source)
    assert (rule.anchor, bool(rule.settings)) == (anchor, True)
    assert rule.setting == (rule.settings[0] if len(rule.settings) == 1 else "")


def test_a_renege_has_the_sentence_about_that_renege():
    rule_set = shipped()["st-hilary-v3"]
    by_bid_side, by_others = (
        {wording.rule_of_line(Line(0, 0, f"pinochle.renege-{code}"), rule_set).source for code in codes}
        for codes in (("set", "kept"), ("made", "lost", "penalty"))
    )
    assert all("automatically is set" in source for source in by_bid_side)
    assert all("automatically makes" in source for source in by_others)


def test_a_rule_that_the_rule_set_does_not_have_is_none():
    none = named_rule(("no_such_setting",), shipped()["st-hilary-v3"])
    assert (none.settings, none.setting, none.source, none.anchor) == ((), "", "", "")


def test_a_club_can_leave_the_other_side_nothing_for_a_renege_of_the_bid_side():
    rule_set = shipped()["st-hilary-v3"]
    family, rules = family_of(rule_set), rules_of(rule_set)
    card = family.read({"bid_side": 0, "bid": 24, "meld": [10, 6], "ending": "renege-bid-side"})
    assert family.score(card, rules).totals == (-24, 6)
    assert family.score(card, dataclasses.replace(rules, renege_bid_side="nothing")).totals == (-24, 0)


def test_the_file_command_names_the_settings_of_each_game(tmp_path, capsys):
    data = json.loads(file_of(deals(TRUE)))
    bare = json.loads(file_of(deals({**TRUE, "meld": [0, 0], "bid": 15})))["games"][0]  # no meld: nothing to name
    (tmp_path / "deals.json").write_text(json.dumps({**data, "games": [*data["games"], bare]}))
    call_command("score", str(tmp_path / "deals.json"), "--json")
    game, without = json.loads(capsys.readouterr().out)["games"]
    assert without["settings"] == {}
    told = {line["rule"]: line["setting"] for line in game["deals"][0]["lines"]}
    assert (told["pinochle.made"], told["pinochle.meld"]) == ("set_points", "")
    assert game["settings"] == {"pinochle.meld": list(MELD_VALUES)}


# --- problems ------------------------------------------------------------------------------------------

OF_THE_CARD = {
    *("pinochle.negative", "hand-and-foot.negative", "hand-and-foot.counted-negative"),  # nobody has less than nothing
    *("pinochle.auction-long", "pinochle.auction-open", "pinochle.auction-bid", "pinochle.auction-holder"),
    "hand-and-foot.out-left",  # what going out is
}
"""Problems that aren't of the form alone, and about which no setting says anything."""

PROBLEM_CASES = [
    (slug, card, rules, problem)
    for slug, cases in {
        "hand-and-foot": hand_and_foot_codes.PROBLEMS,
        "partnership-pinochle": pinochle_codes.OF_PARTNERS,
        "three-hand-pinochle": pinochle_codes.OF_THREE,
        "two-hand-pinochle": two_hand_codes.PROBLEMS,
    }.items()
    for card, rules, problems in cases
    for problem in problems
]


def test_every_problem_can_be_said():
    said = [wording.what_is_wrong(problem, wording.own_words(rules)) for _slug, _card, rules, problem in PROBLEM_CASES]
    assert all(said)


def test_every_problem_but_those_of_the_card_alone_names_the_rule_that_is_not_kept():
    silent = {problem for _slug, _card, _rules, problem in PROBLEM_CASES if not settings_of(problem)}
    assert {p.code for p in silent if p.severity is not Severity.FORM} == OF_THE_CARD
    assert {code.partition(":")[0] for code in wording.SETTINGS} <= wording.LINES.keys() | wording.PROBLEMS.keys()


@pytest.mark.parametrize("code", sorted({problem.code for *_, problem in PROBLEM_CASES}))
def test_the_settings_of_a_problem_are_those_of_the_family_that_says_it(code):
    for slug, _card, rules, problem in PROBLEM_CASES:
        if problem.code == code and (names := settings_of(problem)):
            assert any(hasattr(rules, name) for name in names), (slug, names)


POINTS_PROBLEMS = {code for code in wording.PROBLEMS if code.startswith("points-only.")}


def test_problems_of_points_name_their_limits():
    named = {code: wording.SETTINGS.get(code, ()) for code in POINTS_PROBLEMS}
    assert {code for code, names in named.items() if not names} == {"points-only.sides"}
    known = {setting.name for setting in shipped()["euchre"].settings}
    assert {name for names in named.values() for name in names} <= known
