"""Every code that an engine can say has its sentence, and the sentence takes the code's arguments."""

import re
from dataclasses import fields, replace
from itertools import cycle, islice
from random import Random
from string import Formatter

import pytest

from lab.simulation.deals import true_deal
from scoring import wording
from scoring.cards.deals import start_game
from scoring.cards.queries import card_of
from scoring.engine.core import arithmetic
from scoring.engine.core.ledger import Line, Problem, Severity, named
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from scoring.families import PAGES, hand_and_foot
from scoring.families.deal_form import DealAt
from scoring.house_rules.in_words import PROBLEMS as SETTING_PROBLEMS
from scoring.house_rules.in_words import rules_in_words
from scoring.wording import NAMES, NOUNS, Figure

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
    words = rules_in_words(shipped()[slug])
    said = [words["about"], *(setting["label"] for setting in words["settings"])]
    assert [text for text in said if NOT_CANASTA.search(text.replace("discard pile", ""))] == []
    assert "Each natural canasta" in said


def test_the_card_of_canasta_and_its_form_have_the_same_words(rules_for):
    rules = rules_for("canasta")
    game = start_game(club=rules.club, rules=rules, title="T", sides=[["Ann", "Bob"], ["Cal", "Dee"]])
    form = PAGES["hand-and-foot"].form(at=DealAt(game, ["A", "B"], 1))
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
        said |= {wording.why(line, own) for line in family.score(facts, rules).lines}
        for _ in range(4):
            facts = spoiled(facts, rng)
            said |= {wording.wrong(problem, names, own=own) for problem in family.check(facts, rules)}
    assert len(said) > 10
    assert not [sentence for sentence in said if re.search(r"[{}]|-\d", sentence)]
    assert any("canasta" in words.lower() for words in said) == (rule_set.slug in CANASTA)
    assert not [sentence for sentence in said if rule_set.slug in CANASTA and NOT_CANASTA.search(sentence)]


def test_names_in_a_sentence():
    assert [wording.list_of(names) for names in ([], ["Ann"], ["Ann", "Bob"], ["Ann", "Bob", "Cal"])] == [
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
    assert wording.what_is_wrong(problem, {}).startswith(words)


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
    assert words in wording.what_is_wrong(problem, {})


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
    assert wording.why(Line(0, 0, f"pinochle.counted-{code}", named(count=count, **suit)), {}) == words


def test_a_player_has_a_name_where_one_is_known():
    problem = Problem("pinochle.marriage-suit", Severity.FORM, "counted", named(player=3), side=1)
    sides, players = ["Ann & Bob", "Cal & Dee"], ("Ann", "Bob", "Cal", "Dee")
    assert wording.wrong(problem, sides, own={}, players=players).startswith(
        "Cal & Dee: Cal has a marriage without its suit."
    )
    assert wording.wrong(problem, sides, own={}).startswith("Cal & Dee: Player 3 has a marriage")
