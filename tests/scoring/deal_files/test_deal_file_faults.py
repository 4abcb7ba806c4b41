"""Deal files whose versions, marks or facts are wrong. What stands in a right one: `test_deal_files.py`."""

import json
from dataclasses import replace

import pytest

from lab.tools.deal_files import to_text
from scoring.deal_files.formats import FileDeal, FileLimits, TooManyDeals, read_games
from scoring.deal_files.json_text import (
    MAX_FAULTS,
    MAX_FIGURE,
    TextFault,
    UnreadableText,
    ValuePlace,
    decode_utf8,
    parse_json,
    walk_values,
)
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.points_only import PointsDeal

BASE = shipped()["whist-drive"]
KNOWN = {"whist-drive": (replace(BASE, version=3), replace(BASE, version=2), BASE)}


def text(deal, **game):
    head = {"rules": "whist-drive", "shape": {"sides": 2, "per_side": 2}} | game
    return file(games=[{**head, "deals": [deal]}])


def file(**parts):
    return json.dumps({"format": "nine-tables/deals", "version": 1, **parts})


GOOD = {"facts": {"points": [8, 5]}}


def faults(text):
    """Path, code and detail of all that is wrong."""
    with pytest.raises(UnreadableText) as no:
        read_games(text, known=KNOWN)
    return [(fault.path, fault.code, fault.detail) for fault in no.value.faults]


def test_a_game_is_of_the_version_it_names_or_of_the_newest():
    assert [read_games(text(GOOD), known=KNOWN)[0].rule_set.version] == [3]
    assert [read_games(text(GOOD, rules_version=2), known=KNOWN)[0].rule_set.version] == [2]
    assert faults(text(GOOD, rules_version=9)) == [("games.0.rules_version", "not-a-choice", "3, 2, 1")]
    assert faults(text(GOOD, rules_version="2")) == [("games.0.rules_version", "wrong-type", "whole-number")]


PINOCHLE = {"bid_side": 0, "bid": 24, "meld": [10, 6], "take": [15, 10]}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"trump": "stars"}, ("trump", "not-a-choice", "spades, hearts, diamonds, clubs")),
        ({"counted": [{"melds": [7]}]}, ("counted.0.melds.0", "wrong-type", "object")),
        ({"counted": [{"melds": [{"kind": "run", "colour": "red"}]}]}, ("counted.0.melds.0.colour", "unknown", "")),
        ({"counted": [{"melds": [{"suit": "hearts"}]}]}, ("counted.0.melds.0.kind", "missing", "")),
    ],
)
def test_wrong_facts_are_named_within_the_deal(more, found):
    game = {"rules": "st-hilary-v3", "shape": {"sides": 2, "per_side": 2}, "deals": [{"facts": PINOCHLE | more}]}
    with pytest.raises(UnreadableText) as no:
        read_games(file(games=[game]))
    path, code, detail = found
    assert [(f.path, f.code, f.detail) for f in no.value.faults] == [(f"games.0.deals.0.facts.{path}", code, detail)]


def test_marks_of_a_set_are_at_sides_of_the_game():
    assert read_games(text(GOOD | {"written_sets": [1, 0]}), known=KNOWN)[0].deals[0].written_sets == (1, 0)
    assert faults(text(GOOD | {"written_sets": [0, 2]})) == [("games.0.deals.0.written_sets.1", "not-a-choice", "0, 1")]


def test_a_deal_that_is_no_object_or_has_no_facts_is_named():
    assert faults(text(7)) == [("games.0.deals.0", "wrong-type", "object")]
    assert faults(text({})) == [("games.0.deals.0.facts", "missing", "")]
    assert faults(text({"facts": 7})) == [("games.0.deals.0.facts", "wrong-type", "object")]
    assert faults(text({"facts": {}})) == [("games.0.deals.0.facts.points", "missing", "")]
    deep = text({"facts": {"points": [7]}}).replace("7", "[" * 300 + "]" * 300)
    assert faults(deep) == [("", "too-deep", "")]
    assert faults(text(GOOD | {"ruling": "a\nb"})) == [("games.0.deals.0.ruling", "not-a-name", "")]


NAMES = [["Ann", "Bob"], ["Cal", "Dee"]]
SHAPES = ", ".join(f"{shape.sides} x {shape.per_side}" for shape in BASE.shapes)


@pytest.mark.parametrize(
    ("game", "found"),
    [
        ({"shape": {"sides": 40}}, ("shape", "not-a-choice", SHAPES)),
        ({"sides": NAMES[:1]}, ("sides", "wrong-number", "2")),
        ({"sides": [["Ann"], NAMES[1]]}, ("sides.0", "wrong-number", "2")),
        ({"sides": [NAMES[0], ["Cal", " "]]}, ("sides.1.1", "not-a-name", "")),
        ({"sides": [NAMES[0], ["C\nl", "Dee"]]}, ("sides.1.0", "not-a-name", "")),
        ({"sides": [NAMES[0], ["cal@example.org", "Dee"]]}, ("sides.1.0", "an-address", "")),
        ({"title": "a\nb"}, ("title", "not-a-name", "")),
        ({"start": [1]}, ("start", "wrong-number", "2")),
        ({"colour": 1}, ("colour", "unknown", "")),
        ({"deals": GOOD}, ("deals", "wrong-type", "list")),
        ({"deals": [GOOD | {"written": [8]}]}, ("deals.0.written", "wrong-number", "2")),
        ({"deals": [GOOD, GOOD | {"written": ["8", 5]}]}, ("deals.1.written.0", "wrong-type", "whole-number")),
        ({"deals": [{"facts": {"points": 8}}]}, ("deals.0.facts.points", "wrong-type", "list")),
        ({"deals": [{"facts": {"points": [8, 5], "bid": 1}}]}, ("deals.0.facts.bid", "unknown", "")),
    ],
)
def test_what_is_wrong_with_a_game_is_named_with_what_belongs_there(game, found):
    head = {"rules": "whist-drive", "shape": {"sides": 2, "per_side": 2}, "deals": [GOOD]}
    path, code, detail = found
    assert faults(file(games=[head | game])) == [(f"games.0.{path}", code, detail)]


@pytest.mark.parametrize(
    ("whole", "found"),
    [
        ("[]", [("", "wrong-type", "object")]),
        ("{}", [("format", "missing", ""), ("version", "missing", "")]),
        (file(games={}), [("games", "wrong-type", "list")]),
        (file(games=[7]), [("games.0", "wrong-type", "object")]),
        (file(games=[], players=[]), [("players", "unknown", "")]),
        (json.dumps({"format": "else", "version": 2}), [
            ("format", "not-a-choice", "nine-tables/deals"),
            ("version", "not-a-choice", "1"),
        ]),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_or_with_other_parts_is_named(whole, found):
    assert faults(whole) == found


HEAD = '"rules": "st-hilary-v3", "shape": {"sides": 2, "per_side": 2}'
DEAL = '{"facts": {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}}'


def file_of(games):
    return f'{{"format": "nine-tables/deals", "version": 1, "games": [\n{games}]}}'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '{"format": "nine-tables/deals", "version": 1,\n "game": []}',
            [(1, "games", "missing"), (2, "game", "unknown")],
        ),
        (file_of('{}') + '\n', [(2, f"games.0.{part}", "missing") for part in ("rules", "shape", "deals")]),
        (file_of(f'{{{HEAD}, "start": [1],\n "deals": {{}}}}'), [
            (2, "games.0.start", "wrong-number"),
            (3, "games.0.deals", "wrong-type"),
        ]),
        (file_of(f'{{{HEAD}, "deals": [],\n "sides": [["Ann"],\n ["Cal", "Dee", "Eve"]]}}'), [
            (3, "games.0.sides.0", "wrong-number"),
            (4, "games.0.sides.1", "wrong-number"),
        ]),
        (file_of(f'{{{HEAD}, "deals": [\n{DEAL},\n7,\n{{}},\n{{"facts": 5, "ruling": "\\u0000", "written": [1]}}]}}'), [
            (4, "games.0.deals.1", "wrong-type"),
            (5, "games.0.deals.2.facts", "missing"),
            (6, "games.0.deals.3.written", "wrong-number"),
            (6, "games.0.deals.3.ruling", "not-a-name"),
            (6, "games.0.deals.3.facts", "wrong-type"),
        ]),
        (file_of(f'{{{HEAD}, "deals": [{{"facts": {{"bid": "20",\n "meld": [1, null],\n "ending": "lost"}}}}]}}'), [
            (2, "games.0.deals.0.facts.bid_side", "missing"),
            (2, "games.0.deals.0.facts.bid", "wrong-type"),
            (3, "games.0.deals.0.facts.meld.1", "wrong-type"),
            (4, "games.0.deals.0.facts.ending", "not-a-choice"),
        ]),
        ('{"a": {"b": NaN,\n"b": -Infinity},\n"c": [1, 12345678901]}', [
            (1, "a.b", "not-a-number"),
            (2, "a.b", "twice"),
            (2, "a.b", "not-a-number"),
            (3, "c.1", "too-large"),
        ]),
    ],
)  # fmt: skip
def test_all_that_is_wrong_is_named_at_once_with_its_line(text, found):
    with pytest.raises(UnreadableText) as no:
        read_games(text)
    assert all(fault.words.startswith(f"Line {fault.line}") and not fault.column for fault in no.value.faults)
    named = [(fault.line, fault.path, fault.code) for fault in no.value.faults]
    assert sorted(named) == sorted(found)
    assert [line for line, _, _ in named] == sorted(line for line, _, _ in found)


def test_the_rules_that_a_file_can_name_are_said():
    with pytest.raises(UnreadableText) as no:
        read_games(text(GOOD, rules="bridge"), known={**KNOWN, "euchre": (shipped()["euchre"],)})
    assert [fault.detail for fault in no.value.faults] == ["whist-drive, euchre"]


def test_the_rules_that_are_asked_for_score_whatever_the_file_names():
    older = KNOWN["whist-drive"][1]
    assert read_games(text(GOOD), older, known=KNOWN)[0].rule_set is older
    assert read_games(text(GOOD, rules="bridge"), older, known=KNOWN)[0].rule_set is older


def test_all_that_a_file_says_is_read_and_written_as_it_was():
    said = {"title": "“Ça va”", "rules_version": 2, "sides": NAMES, "start": [3, 0]}
    (game,) = read_games(
        text(GOOD | {"written": [11, None], "written_sets": [1], "ruling": "Oui"}, **said), known=KNOWN
    )
    assert (game.rule_set.version, game.rules_version, game.title) == (2, 2, "“Ça va”")
    assert (game.shape, game.sides, game.start) == (Shape(2, 2), (("Ann", "Bob"), ("Cal", "Dee")), (3, 0))
    assert game.deals == (
        FileDeal(facts=PointsDeal(points=(8, 5)), written=(11, None), written_sets=(1,), ruling="Oui"),
    )
    assert to_text([game, game]) == WRITTEN
    assert read_games(WRITTEN, known=KNOWN) == (game, game)


ONE_GAME = """\
  {
   "rules": "whist-drive",
   "shape": {"sides": 2, "per_side": 2},
   "rules_version": 2,
   "title": "“Ça va”",
   "sides": [["Ann", "Bob"], ["Cal", "Dee"]],
   "start": [3, 0],
   "deals": [
    {"facts": {"points": [8, 5]}, "written": [11, null], "written_sets": [1], "ruling": "Oui"}
   ]
  }"""
WRITTEN = f"""{{
 "format": "nine-tables/deals",
 "version": 1,
 "games": [
{ONE_GAME},
{ONE_GAME}
 ]
}}
"""


def test_where_the_game_cannot_be_read_its_deals_still_are():
    """Of rules that aren't known nothing can be said of the facts."""
    wrong = {"facts": {"points": "?"}, "written_sets": ["?"]}
    assert faults(text(wrong, rules="bridge", shape={"sides": 2})) == [
        ("games.0.rules", "not-a-choice", "whist-drive"),
        ("games.0.deals.0.written_sets.0", "wrong-type", "whole-number"),
    ]
    assert faults(text(GOOD | {"written": [1, 2, 3]}, shape={"sides": "two"})) == [
        ("games.0.shape.sides", "wrong-type", "whole-number")
    ]
    assert faults(text(GOOD, rule_set={})) == [("games.0.rule_set", "unknown", "")]


def test_after_so_many_faults_the_rest_is_not_looked_at():
    games = [{"rules": "whist-drive", "shape": {"sides": 2, "per_side": 2}, "deals": [{}] * (MAX_FAULTS + 20)}]
    found = faults(file(games=games))
    assert (len(found), found[-1][1]) == (MAX_FAULTS, "and-more")


def test_deals_beyond_the_most_are_not_read():
    games = [{"rules": "whist-drive", "shape": {"sides": 2, "per_side": 2}, "deals": [GOOD] * 3}]
    assert len(read_games(file(games=games), known=KNOWN, limits=FileLimits(deals=3))[0].deals) == 3
    with pytest.raises(TooManyDeals):
        read_games(file(games=games), known=KNOWN, limits=FileLimits(deals=2))


def test_plain_json_is_what_it_says():
    assert parse_json(' {"a": [1, -2, 3.5, true, null, "x"], "b": {}} ') == {
        "a": [1, -2, 3.5, True, None, "x"],
        "b": {},
    }
    assert parse_json(str(MAX_FIGURE)) == MAX_FIGURE
    assert parse_json(f"-{MAX_FIGURE}") == -MAX_FIGURE


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [TextFault(1, 1, "", "not-json", "Expecting value")]),
        ('{"a" 1}', [TextFault(1, 6, "", "not-json", "Expecting ':' delimiter")]),
        (
            '{"a": 1, "a": 2',
            [TextFault(1, 16, "", "not-json", "Expecting ',' delimiter")],
        ),  # what isn't JSON comes first
        ("[" * 100_000, [TextFault(1, 0, "", "too-deep")]),
        ('\n{"a": 1,\n "a": 2}', [TextFault(3, 0, "a", "twice")]),
        ("[NaN]", [TextFault(1, 0, "0", "not-a-number", "NaN")]),
        ("[Infinity]", [TextFault(1, 0, "0", "not-a-number", "Infinity")]),
        ("[1,\n -Infinity]", [TextFault(2, 0, "1", "not-a-number", "-Infinity")]),
        ('{"a": {"b": [-1234567890]}}', [TextFault(1, 0, "a.b.0", "too-large", "999999999")]),
        (f"[1{'0' * 5000}]", [TextFault(1, 0, "0", "too-large", "999999999")]),  # more figures than Python would read
        ('{"a": 1, "a": 1234567890}', [TextFault(1, 0, "a", "twice"), TextFault(1, 0, "a", "too-large", "999999999")]),
    ],
)
def test_a_fault_says_where_it_is_and_what_belongs_there(text, faults):
    with pytest.raises(UnreadableText) as no:
        parse_json(text)
    assert list(no.value.faults) == faults


def test_the_faults_say_themselves_in_one_line():
    with pytest.raises(UnreadableText, match="line 2: a twice"):
        parse_json('{"a": 1,\n "a": 2}')


def test_text_is_utf_8_with_or_without_a_mark():
    assert decode_utf8("\N{BLACK HEART SUIT}".encode()) == decode_utf8("\N{BLACK HEART SUIT}".encode("utf-8-sig"))
    assert decode_utf8(b"\xef\xbb\xbf[]") == "[]"
    with pytest.raises(UnreadableText) as no:
        decode_utf8("fine\nso far\n\N{BLACK HEART SUIT} ".encode() + b"\xff")
    assert no.value.faults == (TextFault(3, 3, "", "not-utf-8"),)


def test_every_value_has_its_place():
    text = '{"a": "x",\n "b": [1, {"c": null}], "a": []}'
    assert list(walk_values(text)) == [
        ValuePlace("", 1, False, ""),
        ValuePlace("a", 1, False, ""),
        ValuePlace("b", 2, False, ""),
        ValuePlace("b.0", 2, False, "1"),
        ValuePlace("b.1", 2, False, ""),
        ValuePlace("b.1.c", 2, False, "null"),
        ValuePlace("a", 2, True, ""),
    ]
    assert list(walk_values(' "alone" ')) == [ValuePlace("", 1, False, "")]


def test_a_text_that_would_take_too_much_memory_is_refused_before_a_value_is_made():
    with pytest.raises(UnreadableText) as no:
        parse_json("[1, 2, 3]", most_weight=5)
    assert [fault.code for fault in no.value.faults] == ["too-many-values"]
