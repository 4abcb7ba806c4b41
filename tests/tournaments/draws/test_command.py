"""`manage.py draw`: rounds with what they repeat, in words or as JSON, without a database."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments import engine
from tournaments.draws.words import METHODS, REFUSALS


def drawn(*options):
    out = StringIO()
    call_command("draw", *map(str, options), stdout=out)
    return out.getvalue()


def test_a_draw_in_words_says_who_plays_whom_and_what_is_repeated():
    text = drawn("--players", 22, "--rounds", 4, "--steps", 20_000)
    assert text.count("Round ") == 4
    assert text.count("Table ") == 4 * 5
    assert text.count("Sit out: ") == 4
    assert "Met again as partners: none." in text
    assert "Met again at one table: none." in text
    assert "Sit-outs: 0 to 1 each; 0 times two rounds running." in text


def test_a_draw_as_json_has_every_seat_and_its_statement():
    read = json.loads(drawn("--players", 22, "--rounds", 3, "--odd", "six", "--json", "--seed", 5, "--steps", 20_000))
    assert read["players"] == list(range(1, 23))
    assert read["seed"] == 5
    for one in read["rounds"]:
        assert [table["table"] for table in one["tables"]] == [1, 2, 3, 4, 5]
        assert [[len(side) for side in table["sides"]] for table in one["tables"]] == [[2, 2]] * 4 + [[3, 3]]
        assert one["byes"] == []
    assert read["statement"]["partner"]["repeats"] == 0


def test_the_same_seed_prints_the_same_draw():
    options = ("--players", 13, "--rounds", 2, "--steps", 2_000)
    assert drawn(*options) == drawn(*options)
    assert drawn(*options) != drawn(*options, "--seed", 2)


@pytest.mark.parametrize(
    ("options", "tables"),
    [((), "2-2"), (("--table", 6), "2-2-2"), (("--table", 6, "--sides", 3), "3-3"), (("--sides", 1), "1-1-1-1")],
)
def test_tables_may_be_of_other_kinds(options, tables):
    read = json.loads(drawn("--players", 24, "--rounds", 2, "--json", *options))
    found = {"-".join(str(len(side)) for side in t["sides"]) for one in read["rounds"] for t in one["tables"]}
    assert found == {tables}


WISHES = [
    {"kind": "apart", "people": [1, 2]},
    {"kind": "stay", "people": [3], "table": 2},
    {"kind": "always", "people": [4, 5]},
    {"kind": "once", "people": [6, 7], "hard": False},
]


@pytest.fixture
def file_of(tmp_path):
    """Writes wishes into a file."""

    def write(text):
        (tmp_path / "wishes.json").write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return tmp_path / "wishes.json"

    return write


def test_wishes_come_from_a_file_and_their_fate_is_said(file_of):
    options = ("--players", 12, "--rounds", 3, "--wishes", file_of(WISHES))
    text = drawn(*options)
    assert "1 and 2 are never at one table: met." in text
    assert "3 stays at table 2: met." in text
    assert "4 and 5 are always partners: met." in text
    assert "6 and 7 are partners once: met." in text
    assert json.loads(drawn(*options, "--json"))["constraints"] == {
        "avoid_table": [[1, 2]],
        "fixed_table": {"3": 2},
        "always_partner": [[4, 5]],
        "want_partner": [[6, 7]],
    }


def test_two_with_the_same_table_are_warned_of(file_of):
    file = file_of([{"kind": "stay", "people": [n], "table": 1 + n // 3} for n in (1, 2, 3)])
    errors = StringIO()
    options = ("--players", "12", "--rounds", "2", "--steps", "1000", "--wishes", str(file))
    call_command("draw", *options, stdout=StringIO(), stderr=errors)
    assert errors.getvalue() == "1, 2 stay at table 1: they meet in every round.\n"


def test_wishes_that_collide_are_named_in_words(file_of):
    file = file_of([*WISHES, {"kind": "never", "people": [5, 4]}])
    with pytest.raises(CommandError, match="4 and 5 are always partners; 5 and 4 are never partners"):
        drawn("--players", 12, "--rounds", 3, "--wishes", file)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "wishes.json: "),
        ("7", "wish 1 isn't in the right form"),
        ('[{"kind": "apart", "people": [1, "Bob"]}]', "wish 1 isn't in the right form"),
        ('[{"kind": "apart", "people": [1, 2], "table": "2"}]', "wish 1 isn't in the right form"),
        ('[{"kind": "apart", "people": [1, 2]}, {"people": [1], "when": 2}]', "wish 2 isn't in the right form"),
        ('[{"kind": "apart", "people": [1, 77]}]', "There is no player 77"),
        ('[{"kind": "friends", "people": [1, 2]}]', "Wish 1 isn't clear"),
        ('[{"kind": "host", "people": [1]}]', "Wish 1 isn't clear"),
    ],
)
def test_a_file_that_isn_t_of_the_form_is_refused(file_of, text, says):
    with pytest.raises(CommandError, match=says):
        drawn("--players", 12, "--rounds", 3, "--wishes", file_of(text))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--players", 3, "--rounds", 1), "A draw needs at least 4 people; the number here is 3."),
        (("--players", 201, "--rounds", 1), "at most 200 people"),
        (("--players", 8, "--rounds", 0), "Draw at least one round."),
        (("--players", 8, "--rounds", 1, "--sides", 3), "Sides of 3 don't make up a table of 4."),
        (("--players", 8, "--rounds", 1, "--steps", 0), "at least one step"),
    ],
)
def test_what_can_t_be_drawn_is_refused_in_words(options, says):
    with pytest.raises(CommandError, match=says):
        drawn(*options)


def test_every_refusal_and_every_method_has_its_words():
    sources = [path.read_text() for path in Path(engine.__path__[0]).rglob("*.py")]
    assert REFUSALS.keys() == {code for text in sources for code in re.findall(r'DrawRefused\(\s*"([a-z.-]+)"', text)}
    assert METHODS.keys() == {"movement", "construction", "whist", "stored", "search", "extended"}
