"""What an older version kept and gave out is read by today's code as it was: a database and files of deals.

The files in `older/` were made by the version of 21 November 2026, the last with every module at the root of its app:
the demo's database with its competition played out, a correction, an adjustment and handicaps, without passwords and
sessions; what that version said of it (`told_of_database.py`), with its export of each club; and its scores of the deal
files in docs/examples. Words and sources of a score are left out: they may be put better.
"""

import gzip
import json
import re
import sqlite3
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from clubsite.pdf import documents
from scoring.models import DealVersion, Game, Side
from tests.scoring.deal_files.exchanging import out, take
from tests.served import program
from tests.tooling.tree import ROOT

OLDER = Path(__file__).parent / "older"
WORDS = {"words", "source"}


def kept(name):
    return gzip.decompress((OLDER / f"{name}.gz").read_bytes()).decode()


def run(folder, *command):
    database = f"sqlite:///{folder / 'nine-tables.sqlite3'}"  # also where the other tests are on PostgreSQL
    done = program(folder, *command, DATABASE_URL=database, PYTHONPATH=str(ROOT), TASKS_APART="off")
    assert done.returncode == 0, done.stderr
    return done.stdout


FOOT = re.compile(
    r"(St\. Hilary|Harbour Hand and Foot|County Pinochle) \(demo\) · .*"
)  # of a sheet: its club, event and title
PLAINER = (
    (
        r"of the (\S+) that the average of (\d+) deals lacks to (\d+)",
        r"of the \1 by which the average of \2 deals is short of \3",
    ),
    (r"Game: ([\d,.]+)\.", r"Game to \1."),
    (r"\bSets\b", "Failed bids"),
    (r"The bid side is counted first\.", "If several reach it, the bid side wins."),
    (
        r"Set: cross out meld and take, and take the bid off the score",
        "Failed bid: cross out meld and take, and subtract the bid from the score",
    ),
    (r"\bSet\b", "Failed"),
    (r"\bset\b", "failed"),
)
"""What the older version said, and the same with the same figures in plainer words."""
SAY_MORE = ("cells", "paper")
"""Pages and sheets that say more than they did, around the same words and figures: winners, page numbers, when made."""
TOLD = """
import json, runpy, sys

import django

django.setup()
from clubsite.pdf import documents
renderer = json.loads(sys.argv.pop())
documents.program = lambda: renderer
runpy.run_path("tests/ops/told_of_database.py", run_name="__main__")
"""
"""Tells of a database with the renderer that is ready (`tests.ready.renderer`)."""


@pytest.fixture
def folder(tmp_path):
    database = sqlite3.connect(tmp_path / "nine-tables.sqlite3")
    database.executescript(kept("database.sql"))
    database.close()
    run(tmp_path, "manage.py", "migrate", "--verbosity=0")
    return tmp_path


@pytest.mark.proof
@pytest.mark.long
def test_an_older_database_says_the_same(folder):
    expected = json.loads(kept("told.json"))
    told = json.loads(run(folder, "-c", TOLD, json.dumps(documents.renderer_command())))
    assert told.keys() == expected.keys()
    for kind, parts in expected.items():
        assert told[kind].keys() == parts.keys()
        for name, part in parts.items():
            if kind in SAY_MORE:
                for where, said in without_boards(part).items():
                    assert left_out(said, told[kind][name][where]) == [], f"{kind} of {name}: {where}"
            elif kind == "files":
                then = json.loads(part)
                assert as_then(json.loads(told[kind][name]), then) == then, f"{kind} of {name}"
            else:
                assert told[kind][name] == without_boards(part), f"{kind} of {name}"


def words_of(said):
    """Words and figures of a page's cells or of sheets, without marks and without the foot of a sheet."""
    text = " ".join(FOOT.sub("", part) for part in said)
    for before, plainer in PLAINER:
        text = re.sub(before, plainer, text)
    return re.findall(r"[^\W_]+(?:[.,:][^\W_]+)*", text)


def left_out(said_then, said_now):
    """What isn't said any longer in the same order, from the first word that is missing on."""
    then, now = words_of(said_then), words_of(said_now)
    if "Failed" not in now:  # a column of zeros where the game has no bids
        then = [word for word in then if word not in ("Failed", "bids", "0")]
    rest = iter(now)
    return next((then[n:] for n, word in enumerate(then) if word not in rest), [])


def without_boards(part):
    """What the older version said, less its hall boards: a board is another page since, with no table in it."""
    if not isinstance(part, dict):
        return part
    return {name: said for name, said in part.items() if not name.endswith("/board/")}


def test_an_older_file_of_a_clubs_deals_is_taken_in_and_given_out_again(club, actor):
    for text in json.loads(kept("told.json"))["files"].values():
        Game.objects.filter(club=club).delete()
        take(club, text, actor)
        assert as_then(json.loads(out(club)), json.loads(text)) == json.loads(text)


def as_then(now, then):
    """Data without the fields that cards have had since, as far as they say nothing."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: as_then(part, then.get(name)) for name, part in now.items() if part or name in then}
    if isinstance(now, list) and isinstance(then, list):
        return [as_then(part, then[n] if n < len(then) else None) for n, part in enumerate(now)]
    return now


def test_the_deals_of_an_older_file_are_worth_what_they_were(club, actor):
    for text in json.loads(kept("told.json"))["files"].values():
        take(club, text, actor)
    rows = json.loads(kept("told.json"))["rows"]
    totals = list(Side.objects.values_list("total", "half_wins", "sets", "names"))
    played = [row[2:] for row in rows["Side"]]
    assert sorted(map(json.dumps, totals)) == sorted(map(json.dumps, played))
    assert DealVersion.objects.count() == len({row[0] for row in rows["Points"]})


def without_words(said):
    if isinstance(said, dict):
        return {name: without_words(part) for name, part in said.items() if name not in WORDS}
    return [without_words(part) for part in said] if isinstance(said, list) else said


@pytest.mark.parametrize("name", sorted(json.loads(kept("scores.json"))))
def test_an_older_deal_file_has_the_same_scores(name, tmp_path):
    """By the version of the rules that scored it then; today's program may ask about more."""
    older, path, printed = json.loads(kept("scores.json"))[name], tmp_path / "deals.json", StringIO()
    file, scores = json.loads(older["file"]), older["scores"]
    for game, then in zip(file["games"], scores["games"], strict=True):
        game.setdefault("rules_version", then["rules"]["version"])
    path.write_text(json.dumps(file), encoding="utf-8")
    call_command("score", str(path), "--json", stdout=printed)
    now = without_words(json.loads(printed.getvalue()))
    for deals in ([deal for game in made["games"] for deal in game["deals"]] for made in (now, scores)):
        for deal in deals:
            deal["problems"] = [problem for problem in deal["problems"] if problem["severity"] != "unlikely"]
    assert now == scores
