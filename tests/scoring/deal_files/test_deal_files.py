"""Deal files: what is read and written, what is wrong named at once with its line, the schema, the examples."""

import json
import re
from dataclasses import make_dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from lab.simulation.deals import true_deal
from lab.tools.deal_files import (
    club_deals_schema,
    deals_schema,
    example_games,
    field_meanings,
    file_game,
    insert_facts,
    records_within,
    to_text,
)
from scoring.deal_files.formats import FileDeal, read_games
from scoring.deal_files.json_text import MAX_FIGURE, UnreadableText, walk_values
from scoring.deal_files.scored import GameReport, score_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from tests.examples import examples
from tests.tooling.tree import ROOT

DOCS = ROOT / "docs"
SCHEMA = deals_schema()
HOW = "Run `./dev lab deal_files` and commit what it writes in docs/"


# --- the schema and the examples -----------------------------------------------------------------------


def test_the_schema_in_the_docs_is_the_one_the_reader_goes_by():
    assert json.loads((DOCS / "deal-files.schema.json").read_text()) == SCHEMA, HOW
    Draft202012Validator.check_schema(SCHEMA)


def objects_of(schema):
    found = [schema] if "properties" in schema and "type" in schema else []
    inner = [*schema.get("$defs", {}).values(), *(schema["properties"].values() if found else ())]
    inner += [schema[name] for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)]
    return found + [one for part in inner for one in objects_of(part)]


@pytest.mark.parametrize("schema", [SCHEMA, club_deals_schema()], ids=["deals", "club-deals"])
def test_every_field_of_the_schemas_is_described(schema):
    objects = objects_of(schema)
    assert len(objects) > 14
    named = [(name, field) for one in objects for name, field in one["properties"].items()]
    assert [name for name, field in named if not field.get("description", "").strip()] == []


def test_a_field_without_words_is_refused_where_it_is_defined():
    silent = make_dataclass("Silent", [("points", int)])
    with pytest.raises(TypeError, match=r"Silent\.points has no words"):
        field_meanings(silent)


def test_the_page_lists_the_facts_of_every_family_with_a_line_each():
    page = (DOCS / "deal-files.md").read_text()
    assert insert_facts(page) == page, HOW
    for slug, family in FAMILIES.items():
        listed = page.partition(f"#### Facts of `{slug}`")[2].partition("\n####")[0]
        for kind in records_within(family.facts):
            assert [name for name, words in field_meanings(kind).items() if f"| `{name}` | {words}" not in listed] == []


def test_a_page_without_a_place_for_the_facts_is_refused():
    with pytest.raises(ValueError, match="no place"):
        insert_facts("# Deal files")


def test_the_orders_of_seats_are_those_of_the_page():
    """Dealer 1 is Cal, whose side is the second; the second entry of `counted` is Bob's, of the first side."""
    page = (DOCS / "deal-files.md").read_text()
    assert "Ann | Bob | Cal | Dee |" in page
    assert "Ann | Cal | Bob | Dee |" in page
    family, rules = FAMILIES["partnership-pinochle"], rules_of(shipped()["st-hilary-v3"])
    card = {"bid_side": 0, "bid": 15, "take": [15, 10], "trump": "clubs"}
    bobs = {"counted": [{}, {"melds": [{"kind": "aces"}]}, {}, {}]}
    assert "pinochle.counted-aces" in {
        line.rule for line in family.score(family.read(card | bobs), rules).lines if line.side == 0
    }
    after_cal = card | bobs | {"dealer": 1, "bids": [15, 0, 0, 0]}  # Bob opens, all others pass
    assert family.check(family.read(after_cal), rules) == ()
    assert [p.code for p in family.check(family.read(after_cal | {"dealer": 0}), rules)] == ["pinochle.auction-holder"]


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_rule_set_has_an_example_of_true_deals(slug):
    rule_set, example = shipped()[slug], DOCS / "examples" / f"{slug}.json"
    assert example.exists(), f"There is no example for {slug}. {HOW}"
    again = f"{example.name} is of another version of {slug}. Delete it. {HOW}"
    Draft202012Validator(SCHEMA).validate(json.loads(example.read_text()))
    games = read_games(example.read_text())
    assert {game.rule_set.slug for game in games} == {slug}
    assert {game.shape for game in games} == set(rule_set.shapes), again
    for game in games:
        scored = score_game(game)
        assert scored.progress.over, again
        assert [deal.number for deal in scored.deals if deal.refused] == [], again
        assert [deal.running for deal in scored.deals] == [deal.written for deal in game.deals], again


def test_no_example_is_left_of_a_rule_set_that_is_gone():
    assert {file.stem for file in (DOCS / "examples").iterdir()} <= set(shipped())


def test_the_example_of_the_page_is_read_and_scored_as_the_page_says():
    page = (DOCS / "deal-files.md").read_text()
    blocks = dict(re.findall(r"^```(json|text)\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    (game,) = read_games(blocks["json"])
    assert "\n".join(GameReport(score_game(game), 1).text()) == blocks["text"].strip()


# --- there and back ------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted({rule_set.family: slug for slug, rule_set in shipped().items()}.values()))
def test_what_is_written_is_read_again(slug):
    """Of one rule set of each family."""
    games = list(example_games(shipped()[slug]))
    first = games[0].deals[0]
    blank = (None,) * games[0].shape.sides
    first = first.model_copy(update={"written": blank, "written_sets": (), "ruling": "Ça va"})
    changed = {
        "title": "Table 3 · “first”",
        "start": tuple(range(games[0].shape.sides)),
        "deals": (first, *games[0].deals[1:]),
    }
    games[0] = games[0].model_copy(update=changed)
    text = to_text(games)
    assert read_games(text) == tuple(games)
    assert to_text(read_games(text)) == text


def test_no_games_and_no_deals_are_files_too():
    assert read_games(to_text([])) == ()
    game = file_game(shipped()["st-hilary-v3"], shipped()["st-hilary-v3"].shapes[0])
    assert read_games(to_text([game])) == (game,)


# --- any JSON ------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1]))
def test_any_json_is_read_or_refused_with_faults_whose_lines_exist(data, indent):
    text = json.dumps({"format": "nine-tables/deals", "version": 1, "games": data}, indent=indent)
    faults = ()
    try:
        read_games(text)
    except UnreadableText as no:
        faults = no.faults
    assert bool(faults) == (data != [])  # nothing that is made up here is a game
    assert all(1 <= fault.line <= text.count("\n") + 1 and fault.words for fault in faults)


def paths_within(data, path=""):
    prefix = f"{path}." if path else ""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(inner for name, value in pairs for inner in paths_within(value, f"{prefix}{name}"))]


@given(JSON)
@example({".": [0]})
def test_every_value_of_a_text_has_its_path_and_its_line(data):
    text = json.dumps(data, indent=1)
    found = list(walk_values(text))
    assert [place.path for place in found] == paths_within(data)
    ends = sum(line.strip().rstrip(",") in ("]", "}") for line in text.splitlines())
    assert len({place.line for place in found}) == len(found) == text.count("\n") + 1 - ends
    assert not any(place.again for place in found)


# --- facts of any value --------------------------------------------------------------------------------

FIGURES = st.integers(-3, 40) | st.sampled_from([60, 100, 500, 1000, 4550]) | st.integers(-MAX_FIGURE, MAX_FIGURE)


def valued(schema):
    if "$ref" in schema:
        return valued(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return st.one_of([valued(option) for option in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        return st.lists(valued(schema["items"]), max_size=4)
    if schema["type"] == "object":
        fields = {name: valued(field) for name, field in schema["properties"].items()}
        needed = {name: value for name, value in fields.items() if name in schema.get("required", ())}
        return st.fixed_dictionaries(needed, optional={n: v for n, v in fields.items() if n not in needed})
    plain = {"integer": FIGURES, "boolean": st.booleans(), "string": st.text(max_size=5), "null": st.none()}
    return plain[schema["type"]]


def facts_schema(family):
    return {"$ref": f"#/$defs/{FAMILIES[family].facts.__name__}"}


JUNK = st.none() | st.booleans() | st.just(0.5) | st.text(max_size=3) | st.just([]) | st.just({}) | st.just([None])


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_the_schema_allows_exactly_the_facts_that_are_read(family, data):
    facts = data.draw(valued(facts_schema(family)))
    if data.draw(st.booleans()):
        name = data.draw(st.sampled_from([*facts, "colour"]))
        if data.draw(st.booleans()):
            facts[name] = data.draw(JUNK)
        else:
            facts.pop(name, None)
    allowed = Draft202012Validator({**facts_schema(family), "$defs": SCHEMA["$defs"]}).is_valid(facts)
    try:
        FAMILIES[family].read(facts)
    except ValidationError:
        assert not allowed
    else:
        assert allowed


@pytest.mark.daily(7)
@pytest.mark.parametrize("rule_set", shipped().values(), ids=shipped().keys())
@examples(20, unchecked=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_facts_are_checked_and_told_in_words(rule_set, data):
    family, shape = FAMILIES[rule_set.family], data.draw(st.sampled_from(rule_set.shapes))
    game = file_game(rule_set, shape)
    true = family.write(true_deal(family, Random(data.draw(st.integers(0, 9))), game.engine_rules, deals_before=0))
    drawn = data.draw(valued(facts_schema(rule_set.family)))
    kept = data.draw(st.sets(st.sampled_from(sorted(true))))
    facts = family.read({**true, **{name: value for name, value in drawn.items() if name not in kept}})
    scored = score_game(game.model_copy(update={"deals": (FileDeal(facts=facts), FileDeal(facts=family.read(true)))}))
    assert len(list(GameReport(scored, 1).text())) > 4
    first = scored.deals[0]
    assert first.refused == any(p.severity != "unlikely" for p in first.problems)
    if first.score is not None:
        assert sum(first.score.totals) == sum(line.points for line in first.score.lines)


@pytest.mark.parametrize(
    ("rules", "start", "wrong"),
    [
        ("fletcher-two-hand", [10, 5], ["two-handicaps"]),
        ("fletcher-two-hand", [10, 0], []),
        ("fletcher-two-hand", [0, 5], []),
        ("two-hand-pinochle-classic", [10, 5], []),  # it has no handicap: any start stands on the card
    ],
)
def test_one_of_two_at_most_begins_with_a_handicap(rules, start, wrong):
    game = {"rules": rules, "shape": {"sides": 2, "per_side": 1}, "start": start, "deals": []}
    text = json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]})
    try:
        found = [read_games(text) and ""]
    except UnreadableText as unread:
        found = [fault.code for fault in unread.faults]
    assert [code for code in found if code] == wrong


def test_a_file_goes_on_naming_a_version_that_was_shipped_before():
    sides = [{"left": 300, "red_threes_missed": 1}, {"left": 300}]
    game = {"rules": "hand-and-foot-003", "shape": {"sides": 2, "per_side": 2}, "deals": [{"facts": {"sides": sides}}]}
    totals = {}
    for version in (1, 2, None):
        named = game | ({"rules_version": version} if version else {})
        (read_game,) = read_games(json.dumps({"format": "nine-tables/deals", "version": 1, "games": [named]}))
        totals[version] = score_game(read_game).deals[0].score.totals[0]
    assert totals == {1: -400, 2: -300, None: -300}
