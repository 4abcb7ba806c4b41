"""`manage.py score`: what it prints, and with which status it ends. No test here has a database: none is needed."""

import json
import os
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from lab.tools.deal_files import example_games, to_text
from scoring.engine.core.ruleset import shipped
from tests.tooling.tree import ROOT

TRUE = {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}
OVER_25 = {**TRUE, "take": [15, 11]}
LOW_BID = {**TRUE, "bid": 14}
TWO_SIDES = {"sides": 2, "per_side": 2}


def file_of(deals, **head):
    game = {"rules": "st-hilary-v3", "shape": TWO_SIDES, **head, "deals": deals}
    return json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]}, indent=1)


def deals(*facts):
    return [{"facts": one} for one in facts]


@pytest.fixture
def score(tmp_path):
    """Score a text: exit status, what is printed, and what is said of errors."""

    def run(text, *options):
        file, out, err = tmp_path / "deals.json", StringIO(), StringIO()
        file.write_text(text, encoding="utf-8")
        status = 0
        try:
            call_command("score", str(file), *options, stdout=out, stderr=err)
        except SystemExit as end:
            status = int(end.code or 0)
        return status, out.getvalue(), err.getvalue()

    return run


# --- what is said of deals -----------------------------------------------------------------------------


def test_a_game_is_told_deal_by_deal_to_its_winner(score):
    head = {"title": "Table 3", "sides": [["Ann", "Bob"], ["Cal", "Dee"]], "start": [130, 0]}
    status, said, errors = score(file_of(deals(TRUE), **head))
    assert (status, errors) == (0, "")
    assert said.splitlines() == [
        "Game 1: Table 3",
        "St. Hilary partnership pinochle, version 3 (st-hilary-v3 version 3; 2 sides of 2 players)",
        "Start: Ann & Bob 130, Cal & Dee 0",
        "",
        "Deal 1: Ann & Bob +25, Cal & Dee +14",
        "  Ann & Bob        0  Bid of 20 made with 25",
        "  Ann & Bob      +10  Meld: 10",
        "  Ann & Bob      +15  Taken in play: 15",
        "  Cal & Dee       +4  Meld: 4",
        "  Cal & Dee      +10  Taken in play: 10",
        "  Totals: Ann & Bob 155, Cal & Dee 14",
        "",
        "Won by Ann & Bob: Ann & Bob 155, Cal & Dee 14. The target is reached.",
        "",
        "1 game, 1 deal: none refused.",
    ]


@pytest.mark.parametrize("facts", [{**TRUE, "take": []}, {**TRUE, "dealer": 7}])
def test_what_is_missing_or_names_nobody_is_not_called_impossible(score, facts):
    status, said, _ = score(file_of(deals(facts)))
    assert status == 1
    assert "  ! Not filled in right: " in said
    assert "Impossible" not in said


@pytest.mark.parametrize(
    ("facts", "severity"), [(OVER_25, "Impossible with a real pack"), (LOW_BID, "Against the rules")]
)
def test_a_refused_deal_ends_with_status_one_and_counts_as_written(score, facts, severity):
    status, said, _ = score(file_of(deals(TRUE, facts)))
    assert status == 1
    assert "Deal 2, refused: " in said
    assert f"  ! {severity}: " in said
    assert "Deal 2 is refused, and counted as written." in said
    assert said.endswith("1 game, 2 deals: 1 refused.\n")


@pytest.mark.parametrize(
    ("facts", "where"),
    [
        (LOW_BID, "Field: bid. Rule: opening_bid, dropped_bid (“St. Hilary House Rules, Version 3”, The Bid)."),
        (OVER_25, "Field: take. Rule: counters, last_trick (“St. Hilary House Rules, Version 3”, The Count)."),
        ({**TRUE, "dealer": 7}, "Field: dealer."),
    ],
)
def test_a_problem_names_its_field_and_its_rule(score, facts, where):
    said = score(file_of(deals(facts)))[1].splitlines()
    (place,) = [place for place, line in enumerate(said) if line.startswith("  ! ")]
    assert said[place + 1] == f"      {where}"
    (game,) = json.loads(score(file_of(deals(facts)), "--json")[1])["games"]
    (problem,) = game["deals"][0]["problems"]
    assert where.startswith(f"Field: {problem['field']}.")
    assert ", ".join(problem["settings"]) in where
    assert problem["source"] in where


def test_nothing_is_won_on_a_refused_deal_and_it_is_said(score):
    head = {"sides": [["Ann", "Bob"], ["Cal", "Dee"]], "start": [130, 0]}
    status, said, _ = score(file_of(deals(OVER_25, TRUE), **head))
    assert status == 1
    assert "Won by" not in said
    assert "The game was over" not in said
    assert "Deal 1, refused: " in said
    assert said.count("  Totals as written: ") == 2
    assert (
        "Not decided yet: Ann & Bob 180, Cal & Dee 29. Deal 1 is refused, and counted as written. "
        "Nobody wins until that is corrected."
    ) in said
    (game,) = json.loads(score(file_of(deals(OVER_25, TRUE), **head), "--json")[1])["games"]
    assert (game["over"], game["winners"], game["ended_by"], game["undecided"]) == (False, [], None, True)
    assert [deal["too_late"] for deal in game["deals"]] == [False, False]


def test_a_deal_too_many_is_named_where_nothing_is_won_yet(score):
    said = score(file_of(deals({"points": [8, 8]}, *[{"points": [8, 5]}] * 4), rules="whist-drive"))[1]
    assert "! All deals were played before this one." in said
    assert "Not decided yet: " in said
    assert said.endswith("1 game, 5 deals: 2 refused.\n")


def test_a_ruling_lets_a_deal_stand_and_is_told(score):
    status, said, _ = score(file_of([{"facts": OVER_25, "ruling": "A card too many in the pack"}]))
    assert status == 0
    assert "! Impossible with a real pack: All that was taken comes to 26" in said
    assert "! The director's ruling: A card too many in the pack" in said
    assert said.endswith("1 game, 1 deal: none refused.\n")


def test_no_ruling_scores_a_card_that_does_not_say_what_to_score(score):
    nothing = {"facts": {**TRUE, "meld": [10]}, "ruling": "It is so"}
    status, said, _ = score(file_of([*deals(TRUE), nothing, *deals(TRUE)]))
    assert status == 1
    assert "Deal 2, refused\n" in said
    assert "the totals stop here" in said
    assert said.count("Totals: ") == 1
    assert "Not over yet: Side 1 25, Side 2 14." in said


def test_an_unlikely_deal_is_pointed_out_and_stands(score):
    status, said, _ = score(file_of(deals({**TRUE, "bid": 90, "meld": [75, 4]})))
    assert status == 0
    assert "  ! Unlikely: " in said


def test_a_deal_after_the_end_is_refused_and_not_counted(score):
    status, said, _ = score(file_of(deals(TRUE, TRUE), start=[130, 0]))
    assert status == 1
    assert "! The game was over before this deal." in said
    assert "Won by Side 1: Side 1 155, Side 2 14. The target is reached." in said
    assert "counted as written" not in said


def test_a_game_can_be_shared(score):
    text = file_of(deals(*[{"points": [5, 5]}] * 4), rules="points-only")
    assert "Shared by Side 1 and Side 2: Side 1 20, Side 2 20. Level at the end: the game is shared." in score(text)[1]


def test_the_scorers_totals_are_held_against_the_right_ones(score):
    text = file_of([{"facts": TRUE, "written": [25, 14]}, {"facts": TRUE, "written": [25, None]}])
    status, said, _ = score(text)
    assert status == 0
    assert said.count("Written") == 1
    assert "! Side 1: Written 25 after deal 2, 25 too low: it should be 50. That deal's points were left out." in said


def test_set_marks_are_held_against_the_bids(score):
    set_back = {**TRUE, "bid": 30}
    text = file_of([{"facts": TRUE, "written_sets": [1]}, {"facts": set_back, "written_sets": []}, {"facts": set_back}])
    status, said, _ = score(text)
    assert status == 0
    assert "! Side 2: Deal 1 is marked as a failed bid, but this side's bid didn't fail." in said
    assert "! Side 1: This side's bid failed in deal 2, but the card doesn't mark it." in said
    assert said.count("mark") == 2
    (game,) = json.loads(score(text, "--json")[1])["games"]
    assert [slip["code"] for deal in game["deals"] for slip in deal["slips"]] == ["arithmetic.set-mark"] * 2
    _, _, errors = score(file_of([{"facts": TRUE, "written_sets": [0, 2]}]))
    assert "deal 1, written_sets.1: this must be one of: 0, 1." in errors


def test_other_rules_can_be_tried(score):
    text = file_of(deals(TRUE), rules="our-own-rules")
    assert score(text)[0] == 2
    status, said, _ = score(text, "--rules", "st-hilary-v3")
    assert (status, "Side 1 +25" in said) == (0, True)


def test_rules_of_another_game_do_not_fit(score):
    status, said, errors = score(file_of(deals(TRUE)), "--rules", "points-only")
    assert (status, said) == (2, "")
    assert "game 1, deal 1, facts.points: this field is missing." in errors
    assert "game 1, deal 1, facts.bid: this field doesn't exist." in errors


def test_unknown_rules_are_answered_with_the_known_ones():
    with pytest.raises(CommandError, match="st-hilary-v3"):
        call_command("score", "-", "--rules", "bridge")


# --- for programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted({rule_set.family: slug for slug, rule_set in shipped().items()}.values()))
def test_json_says_what_the_text_says(score, slug):
    """Of one rule set of each family."""
    file = to_text(example_games(shipped()[slug]))
    said = score(file)[1]
    status, printed, _ = score(file, "--json")
    data = json.loads(printed)
    assert (status, data["format"], data["version"]) == (0, "nine-tables/scores", 1)
    for game in data["games"]:
        assert game["rules"]["slug"] == slug
        assert game["words"] in said
        assert game["totals"] == game["deals"][-1]["running"]
        assert (game["over"], game["refused"]) == (True, [])
        for deal in game["deals"]:
            sums = [0] * len(game["sides"])
            for line in deal["lines"]:
                sums[line["side"]] += line["points"]
                assert line["words"] in said
            assert sums == deal["points"]


def test_json_names_the_source_of_a_line(score):
    (game,) = json.loads(score(file_of(deals(TRUE)), "--json")[1])["games"]
    assert {line["source"] for line in game["deals"][0]["lines"] if line["rule"] == "pinochle.take"} == {
        "“St. Hilary House Rules, Version 3”, The Count"
    }


def test_json_has_the_problems_and_the_slips(score):
    text = file_of([{"facts": OVER_25, "written": [26, 15]}, {"facts": {**TRUE, "meld": []}}])
    status, printed, _ = score(text, "--json")
    (game,) = json.loads(printed)["games"]
    first, second = game["deals"]
    assert (status, game["refused"], game["over"], game["winners"]) == (1, [1, 2], False, [])
    (problem,) = first["problems"]
    assert (problem["code"], problem["severity"], problem["args"]["total"]) == ("pinochle.take-total", "impossible", 26)
    assert [(slip["side"], slip["args"]["right"]) for slip in first["slips"]] == [(0, 25)]
    assert (second["points"], second["running"], second["lines"]) == (None, None, [])


def test_json_of_several_and_of_no_games_is_json(score):
    none = '{"format": "nine-tables/deals", "version": 1, "games": []}'
    assert json.loads(score(none, "--json")[1])["games"] == []
    several = to_text(example_games(shipped()["points-only"]) * 2)
    assert len(json.loads(score(several, "--json")[1])["games"]) == 2 * len(shipped()["points-only"].shapes)


# --- files that can't be read --------------------------------------------------------------------------


def test_every_wrong_field_is_named_with_its_line(score):
    status, said, errors = score(file_of(deals({**TRUE, "bid": "20"}, {**TRUE, "ending": "won"}), start=[1]))
    assert (status, said) == (2, "")
    assert [error.partition("deals.json: ")[2] for error in errors.splitlines()] == [
        "Line 11, game 1, start: there must be 2 of these.",
        "Line 18, game 1, deal 1, facts.bid: a whole number belongs here.",
        "Line 41, game 1, deal 2, facts.ending: this must be one of: played, renege-bid-side, renege-other-side, "
        "lay-down-bid-side, lay-down-other-side, conceded, no-marriage.",
    ]


def test_faults_can_be_had_as_json(score):
    status, printed, errors = score(file_of([{}]), "--json")
    assert (status, errors) == (2, "")
    (fault,) = json.loads(printed)["faults"]
    assert (fault["path"], fault["code"], fault["column"]) == ("games.0.deals.0.facts", "missing", None)
    assert fault["words"].startswith(f"Line {fault['line']}, game 1, deal 1, facts: ")


def test_the_name_of_a_field_cannot_trick_the_terminal(score):
    _, _, errors = score(file_of([{"facts": {**TRUE, "\x1b[2J": 1}}]))
    assert "\x1b" not in errors


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_is_not_there_and_one_that_is_a_folder(tmp_path, there):
    errors = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("score", str(tmp_path if there else tmp_path / "none.json"), stderr=errors)
    assert end.value.code == 2
    assert errors.getvalue().startswith(f"{tmp_path}")
    assert "directory" in errors.getvalue()


# --- as a program of its own ---------------------------------------------------------------------------


def manage(tmp_path, *args, given=""):
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var"), "DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}
    call = [sys.executable, str(ROOT / "manage.py"), *args]
    return subprocess.run(
        call, cwd=tmp_path, env=environment, input=given, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        (file_of(deals(TRUE)), 0, "1 game, 1 deal: none refused."),
        (file_of(deals(OVER_25)), 1, "1 game, 1 deal: 1 refused."),
        ("{", 2, "standard input: Line 1, column 2: this is not JSON"),
    ],
)
def test_standard_input_is_scored_without_a_database(tmp_path, text, status, said):
    answer = manage(tmp_path, "score", "-", given=text)
    assert answer.returncode == status, answer.stderr
    assert said in (answer.stderr if status == 2 else answer.stdout)
    assert "Traceback" not in answer.stderr


@pytest.mark.proof
def test_a_terminal_of_another_encoding_changes_no_figure(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    answer = manage(tmp_path, "score", "-", given=file_of(deals({**TRUE, "bid": 40})))
    assert answer.returncode == 0, answer.stderr
    assert "\N{MINUS SIGN}40" in answer.stdout


@pytest.mark.proof
def test_a_reader_who_has_read_enough_is_no_error(tmp_path):
    (tmp_path / "many.json").write_text(to_text(example_games(shipped()["hand-and-foot"]) * 20))
    call = f"'{sys.executable}' '{ROOT / 'manage.py'}' score many.json | head -n 1"
    answer = subprocess.run(["sh", "-c", call], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (answer.stdout, answer.stderr) == ("Game 1\n", "")
