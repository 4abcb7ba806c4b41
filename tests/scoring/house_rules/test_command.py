"""`manage.py rules`: the shipped rule sets in words. No test here has a database: none is needed."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.engine.core.ruleset import shipped
from scoring.engine.files.deal_files import read
from scoring.house_rules.in_words import rules_in_words


def rules(*args: str) -> str:
    out = StringIO()
    call_command("rules", *args, stdout=out)
    return out.getvalue()


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_list_has_every_rule_set_on_a_line() -> None:
    lines = rules("list").splitlines()
    assert [line.split()[0] for line in lines] == sorted(shipped())
    assert all(shipped()[line.split()[0]].title in line for line in lines)


def test_the_list_says_how_many_can_play() -> None:
    (line,) = [line for line in rules("list").splitlines() if line.startswith("st-hilary-v3 ")]
    assert line.endswith("St. Hilary partnership pinochle, version 3 (version 3; players: 4)")


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_a_rule_set_is_shown_with_every_label_value_source_and_ruling(slug: str) -> None:
    shown, words = rules("show", slug), rules_in_words(shipped()[slug])
    assert shown.startswith(f"{words.title}\n{slug}, version {words.version} of ")
    for row in words.settings:
        mark = "Ruling" if row.ruling else "Source"
        assert squeezed(f"{row.label}: {row.value} {mark}: {row.source}") in squeezed(shown)
    assert all(sitting in squeezed(shown) for sitting in words.sittings)
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_an_unknown_rule_set_is_answered_with_the_known_ones() -> None:
    with pytest.raises(CommandError, match="three-hand-double-pinochle"):
        rules("show", "bridge")


@pytest.mark.parametrize(("in_the_way", "into"), [("docs", "docs"), ("docs", "docs/deeper"), ("examples", ".")])
def test_a_folder_that_cannot_be_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_the_way: str, into: str
) -> None:
    (tmp_path / in_the_way).write_text("a file in the way")
    with pytest.raises(SystemExit) as ended:
        call_command("rules", "examples", "--into", str(tmp_path / into))
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"Nothing can be written to .+: .+\n", said.err)
    assert [file.name for file in tmp_path.rglob("*")] == [in_the_way]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deal-files.schema.json").mkdir()
    with pytest.raises(SystemExit) as ended:
        call_command("rules", "examples", "--into", str(tmp_path))
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"{tmp_path / 'deal-files.schema.json'}: Is a directory\n"


def test_the_schema_and_the_missing_examples_are_written(tmp_path: Path) -> None:
    kept = tmp_path / "examples" / "points-only.json"
    kept.parent.mkdir()
    kept.write_text("what a club wrote")
    written = {Path(line).name for line in rules("examples", "--into", str(tmp_path)).splitlines()}
    schemas = {"deal-files.schema.json", "club-deals.schema.json"}
    assert written == {*schemas, *(f"{slug}.json" for slug in shipped() if slug != "points-only")}
    assert kept.read_text() == "what a club wrote"
    assert json.loads((tmp_path / "deal-files.schema.json").read_text())["$defs"]
    assert len(read((tmp_path / "examples" / "st-hilary-v3.json").read_text())) == 1
    assert [Path(line).name for line in rules("examples", "--into", str(tmp_path)).splitlines()] == [
        "deal-files.schema.json",
        "club-deals.schema.json",
    ]
