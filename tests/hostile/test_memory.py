"""No file that somebody sends costs more than 64 MB or half a minute; each is refused with a sentence of its own.

They are read in another process, which the system holds to both (`tests.hostile.reading`).
"""

import json
import os
import subprocess
import sys

import pytest

from tests.hostile.bombs import DEAL_FILES, LISTS
from tests.tooling.tree import ROOT

REFUSED = {  # what is said of each but "This spreadsheet is too large"
    "objects in objects": "more in this file than can be read",
    "lists in lists": "nested too deeply",
    "many empty objects": "more in this file than can be read",
    "as many objects as are read": "at most 3,000 deals",
    "as many lists in a fact as are read": "this field is missing.",
    "as many fields as are read": "more in this file than can be read",
    "as many texts as are read": "at most 3,000 deals",
    "a field many times": "twice",
    "a figure of many digits": "no figure can be above",
    "a fraction of many digits": "an object in braces belongs here.",
    "many figures that are none": "NaN is not a figure",
    "as many versions as are read": "this field is missing.",
    "as many names as are read": "this field is missing.",
    "half pairs of surrogates": "this is not JSON",
    "a quotation mark that stays open": "read",
    "many rows": "Only the first 1000 rows are read.",
    "many columns": "too long",
    "no address for long": "read",
    "blanks between few letters": "Only the first 1000 rows are read.",
    "one digit after another": "read",
    "a million rows of xlsx": "too large for a list",
    "a size that the sheet hasn't": "read",
    "as many cells of xlsx as are read": "read",
    "as many rows of xlsx as are read": "read",
    "as many cells of ods as are read": "read",
    "as many cell styles as are read": "read",
    "as many fonts as are read": "read",
    "as many shared strings as are read": "read",
    "empty rows of ods": "read",
    "a billion laughs in xlsx": "can't be read",
    "a billion laughs in ods": "can't be read",
}


@pytest.mark.proof
def test_hostile_files_are_refused_with_a_sentence_and_little_memory(tmp_path, tried):
    names = [*DEAL_FILES, *LISTS]
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.reading", *names],
        cwd=ROOT,
        env={**os.environ, "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "clubsite.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {one["name"] for one in told} == set(names), done.stderr
    wrong = [one for one in told if REFUSED.get(one["name"], "too large") not in one["said"]]
    assert wrong == []
    tried(len(told))
