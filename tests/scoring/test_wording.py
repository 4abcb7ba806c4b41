"""Every code that an engine can say has its sentence, and the sentence takes the code's arguments."""

import dataclasses
import json
import re
from dataclasses import fields, replace
from itertools import cycle, islice
from random import Random
from string import Formatter

import pytest
from django.core.management import call_command

from lab.simulation.deals import true_deal
from scoring import wording
from scoring.cards.queries import card_of
from scoring.engine.core import game as arithmetic
from scoring.engine.core.ledger import Line, Problem, Severity, named
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, family_of, rules_of
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandDeal
from scoring.engine.settings import setting_kinds
from scoring.families import PAGES, hand_and_foot
from scoring.families.pinochle_words import MELD_VALUES
from scoring.house_rules.in_words import PROBLEMS as SETTING_PROBLEMS, describe_rules
from scoring.wording import NAMES, NOUNS, Figure, named_rule, problem_settings
from tests.scoring.deal_files.test_score_command import TRUE, deals, file_of
from tests.scoring.engine import test_contract, test_cribbage, test_hearts, test_trick_bids
from tests.scoring.engine.hand_and_foot import test_codes as hand_and_foot_codes
from tests.scoring.engine.pinochle import test_codes as pinochle_codes, test_lines as pinochle_lines
from tests.scoring.engine.pinochle.two_hand import test_codes as two_hand_codes

CANASTA = [slug for slug in shipped() if slug.startswith("canasta")]
NOT_CANASTA = re.compile(r"\b(clean|dirty|piles?|feet)\b", re.IGNORECASE)
FIGURES = (-7, 0, 1, 2, 3, 13, 60, 61, 85, 150, 1000, 4003, 40000)


def placeholders(sentence):
    return {name for _, name, _, _ in Formatter().parse(str(sentence)) if name}


def test_every_family_has_words_a_form_and_columns():
    assert FAMILIES.keys() == PAGES.keys()
    assert wording.SETTINGS.keys() >= wording.LINES.keys()
    assert wording.SLIPS.keys() == set(arithmetic.CAUSES)


def test_settings_named_as_sources_exist():
    known = {setting.name for rule_set in shipped().values() for setting in rule_set.settings}
    assert {name for names in wording.SETTINGS.values() for name in names} <= known


def test_whatever_speaks_of_piles_is_said_in_the_words_of_canasta_too():
    own = hand_and_foot.CANASTAS
    usual = {**wording.LINES, **wording.PROBLEMS, **hand_and_foot.FIGURES}
    assert own.keys() == {code for code, words in usual.items() if NOT_CANASTA.search(str(words))}
    assert [code for code, words in own.items() if placeholders(words) != placeholders(usual[code])] == []
    assert [code for code, words in own.items() if NOT_CANASTA.search(re.sub(r"\{\w+\}", "", str(words)))] == []


@pytest.mark.parametrize("slug", CANASTA)
def test_the_rules_of_canasta_in_words_speak_of_canastas(slug):
    words = describe_rules(shipped()[slug])
    said = [words["about"], *(setting["label"] for setting in words["settings"])]
    assert [text for text in said if NOT_CANASTA.search(text.replace("discard pile", ""))] == []
    assert "Each natural canasta" in said


def test_the_card_of_canasta_and_its_form_have_the_same_words(game_of):
    game = game_of("canasta")
    form = PAGES["hand-and-foot"].form(game=game, number=1)
    labels = [str(form.fields[f"{name}_0"].label) for name in game.engine_rules.figures]
    assert labels[:2] == ["Natural canastas", "Mixed canastas"]
    assert labels == list(card_of(game).items)[: len(labels)]


def other(value, rng):
    """An odd figure in place of a figure; anything else stays."""
    return rng.choice(FIGURES) if type(value) is int else value


def spoiled(facts, rng):
    """Facts with one or two figures replaced by odd ones."""
    changes = {}
    for field in rng.sample(fields(facts), k=min(2, len(fields(facts)))):
        value = getattr(facts, field.name)
        if isinstance(value, tuple):
            items = [spoiled(v, rng) if hasattr(v, "__dataclass_fields__") else other(v, rng) for v in value]
            changes[field.name] = tuple(items[: len(items) - (rng.random() < 0.1)])
        elif type(value) is int:
            changes[field.name] = rng.choice(FIGURES)
    return replace(facts, **changes)


@pytest.mark.daily(7)
@pytest.mark.parametrize("rule_set", shipped().values(), ids=shipped().keys())
def test_whatever_the_engine_says_can_be_read(rule_set):
    family = FAMILIES[rule_set.family]
    rng = Random(20130619)
    said = set()
    for rules in islice(cycle(rules_of(rule_set, shape) for shape in rule_set.shapes), 48):
        names, own = [f"Side {side}" for side in range(rules.shape.sides + 1)], wording.own_words(rules)
        facts = true_deal(family, rng, rules, deals_before=rng.randrange(4))
        said |= {wording.explain_line(line, own) for line in family.score(facts, rules).lines}
        for _ in range(4):
            facts = spoiled(facts, rng)
            said |= {wording.describe_problem(problem, names, words=own) for problem in family.check(facts, rules)}
    assert len(said) > 10
    assert not [sentence for sentence in said if re.search(r"[{}]|-\d", sentence)]
    assert any("canasta" in words.lower() for words in said) == (rules_of(rule_set).terms == "canasta")
    assert not [sentence for sentence in said if rule_set.slug in CANASTA and NOT_CANASTA.search(sentence)]


def test_names_in_a_sentence():
    assert [wording.join_names(names) for names in ([], ["Ann"], ["Ann", "Bob"], ["Ann", "Bob", "Cal"])] == [
        "",
        "Ann",
        "Ann and Bob",
        "Ann, Bob and Cal",
    ]


@pytest.mark.parametrize(
    ("code", "args", "words"),
    [
        ("counted-small", {"rank": "wild", "cards": 2, "least": 3}, "A meld of wild cards has 2 cards; it needs 3."),
        ("counted-size", {"rank": "3", "cards": 8, "most": 7}, "A meld of black threes has 8 cards; it takes 7 at"),
        ("counted-pack", {"of": "joker", "counted": 12, "most": 10}, "Jokers: 12 on all sides, melded and left, and"),
        ("counted-pack", {"of": "4-7", "counted": 99, "most": 80}, "4 to 7: 99 on all sides"),
        ("counted-negative", {"of": "2", "written": -1}, "Twos: there can't be −1."),
    ],
    ids=str,
)
def test_kinds_of_cards_have_names_in_words(code, args, words):
    problem = Problem(f"hand-and-foot.{code}", Severity.IMPOSSIBLE, "counted", named(**args))
    assert wording.problem_message(problem, {}).startswith(words)


# --- numbers and names ---------------------------------------------------------------------------------

TEXTS = {"rank": "K", "of": "K", "suit": "hearts", "field": "melded", "ranks": "K Q", "names": "jokers"}
TEXTS |= dict.fromkeys(("choices", "other"), "")
VERBS = r"(?:is|has|was|adds|comes|counts|goes)\b"
ONE_OF_MANY = re.compile(rf"\b1 (?:(?:natural|wild|red|clean|dirty|mixed) )?(?!{VERBS})[a-z]+s\b")
SENTENCES = {
    **wording.LINES,
    **wording.PROBLEMS,
    **{f"canasta: {code}": words for code, words in hand_and_foot.CANASTAS.items()},
    **SETTING_PROBLEMS,
}


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_one_of_a_thing_is_in_the_singular(code):
    words = SENTENCES[code]
    shown = {name: TEXTS.get(name, Figure(1)) for name in placeholders(words)}
    assert not ONE_OF_MANY.search(str(words).format_map(shown)), str(words).format_map(shown)


def test_every_word_for_what_is_counted_is_used():
    used = {spec for words in SENTENCES.values() for _, _, spec, _ in Formatter().parse(str(words)) if spec}
    assert used == NOUNS.keys() | NAMES.keys()


@pytest.mark.parametrize(
    ("code", "args", "words"),
    [
        ("hand-and-foot.counted-naturals", {"rank": "wild", "naturals": 1}, "A meld of wild cards has 1 natural card."),
        ("hand-and-foot.counted-naturals", {"rank": "wild", "naturals": 2}, "has 2 natural cards."),
        ("hand-and-foot.first-meld", {"number": 4, "least": 1500, "melded": 60}, "needs 1,500 points; the card"),
        ("hand-and-foot.counted-wilds", {"rank": "K", "naturals": 4, "wilds": 1, "cards": 5, "most": 0},
         "has 4 natural and 1 wild card; of 5 cards 0 may be wild."),
        ("two-hand.led-early-too-often", {"times": 13, "most": 12}, "drawing: 13; there are only 12 draws"),
    ],
    ids=str,
)  # fmt: skip
def test_numbers_go_with_their_words(code, args, words):
    problem = Problem(code, Severity.IMPOSSIBLE, "", named(**args))
    assert words in wording.problem_message(problem, {})


@pytest.mark.parametrize(
    ("code", "count", "words"),
    [
        ("run", 1, "Run"),
        ("run", 2, "Double run"),
        ("run", 4, "Quadruple run"),
        ("run", 13, "Run, times: 13"),
        ("pinochle", 2, "Double pinochle"),
        ("aces", 2, "Double aces around"),
        ("nine-of-trump", 1, "Nine of trump"),
        ("nine-of-trump", 2, "2 nines of trump"),
        ("royal-marriage", 2, "2 marriages in trump"),
        ("marriage", 1, "Marriage in clubs"),
        ("some-marriage", 2, "2 marriages; the suit isn't named"),
    ],
)
def test_melds_counted_have_the_names_that_players_use(code, count, words):
    suit = {"suit": "clubs"} if code == "marriage" else {}
    assert wording.explain_line(Line(0, 0, f"pinochle.counted-{code}", named(count=count, **suit)), {}) == words


def test_a_player_has_a_name_where_one_is_known():
    problem = Problem("pinochle.marriage-suit", Severity.FORM, "counted", named(player=3), side=1)
    sides, players = ["Ann & Bob", "Cal & Dee"], ("Ann", "Bob", "Cal", "Dee")
    assert wording.describe_problem(problem, sides, words={}, players=players).startswith(
        "Cal & Dee: Cal has a marriage without its suit."
    )
    assert wording.describe_problem(problem, sides, words={}).startswith("Cal & Dee: Player 3 has a marriage")


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
    "contract": test_contract.LINES,
    "two-hand-pinochle": [*two_hand_codes.LINES, *(laid(laying) for laying in Laying)],
    "trick-bids": test_trick_bids.LINES,
    "hearts": test_hearts.LINES,
    "cribbage": test_cribbage.LINES,
}
"""By family, cards whose lines are known: together they have every line that the family says."""

AS_WRITTEN = {
    "pinochle.meld": MELD_VALUES,
    "pinochle.take": ("counters",),
    "two-hand.meld": MELD_VALUES,
    "two-hand.take": ("counters",),
    "points-only.points": ("one_side", "other_sides", "whole", "lowest", "highest", "step"),
    **dict.fromkeys(("cribbage.pegging", "cribbage.hands", "cribbage.crib"), ("target",)),
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
            for value in otherwise(getattr(rules, name), setting_kinds(slug)[name]):
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
    rule = wording.line_rule(Line(0, 0, code), shipped()[slug])
    assert rule.settings == (settings or rule.settings)
    assert rule.source == (source or rule.source)
    assert (rule.anchor, bool(rule.settings)) == (anchor, True)
    assert rule.setting == (rule.settings[0] if len(rule.settings) == 1 else "")


def test_a_renege_has_the_sentence_about_that_renege():
    rule_set = shipped()["st-hilary-v3"]
    by_bid_side, by_others = (
        {wording.line_rule(Line(0, 0, f"pinochle.renege-{code}"), rule_set).source for code in codes}
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
    said = [
        wording.problem_message(problem, wording.own_words(rules)) for _slug, _card, rules, problem in PROBLEM_CASES
    ]
    assert all(said)


def test_every_problem_but_those_of_the_card_alone_names_the_rule_that_is_not_kept():
    silent = {problem for _slug, _card, _rules, problem in PROBLEM_CASES if not problem_settings(problem)}
    assert {p.code for p in silent if p.severity is not Severity.FORM} == OF_THE_CARD
    assert {code.partition(":")[0] for code in wording.SETTINGS} <= wording.LINES.keys() | wording.PROBLEMS.keys()


@pytest.mark.parametrize("code", sorted({problem.code for *_, problem in PROBLEM_CASES}))
def test_the_settings_of_a_problem_are_those_of_the_family_that_says_it(code):
    for slug, _card, rules, problem in PROBLEM_CASES:
        if problem.code == code and (names := problem_settings(problem)):
            assert any(hasattr(rules, name) for name in names), (slug, names)


POINTS_PROBLEMS = {code for code in wording.PROBLEMS if code.startswith("points-only.")}


def test_problems_of_points_name_their_limits():
    named = {code: wording.SETTINGS.get(code, ()) for code in POINTS_PROBLEMS}
    assert {code for code, names in named.items() if not names} == {"points-only.sides"}
