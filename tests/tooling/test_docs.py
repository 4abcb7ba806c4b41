"""What the docs name is there: commands, files, modules and what is in them, links and the headings they lead to."""

import re

import pytest
from django.core.management import get_commands

from tests.tooling.test_dev_script import commands
from tests.tooling.tree import ROOT, shown

DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
NAMED = re.compile(r"`([\w.*-]+(?:/[\w.*-]+)+)/?`")
PLACES = (
    "",
    "clubsite",
    "clubsite/accounts",
    "docs",
    "scoring",
    "scoring/engine",
    "tests/scoring/engine",
    "tournaments",
    "tournaments/documents",
    "tournaments/engine",
)
ELSEWHERE = re.compile(r"clubsite/shipped|var/|\.tools|\.venv|\d+\.\d+|.*(NAME|FILE|CODE)")  # made, addresses, blanks
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(params=DOCS, ids=shown)
def doc(request):
    return request.param.read_text(encoding="utf-8")


def test_every_command_is_there(doc):
    assert set(re.findall(r"\./dev ([a-z]\w+)", doc)) <= commands()
    managed = set(re.findall(r"(?:\./dev manage|manage\.py|nine-tables manage) ([a-z_]+)\b(?! the)", doc))
    assert managed <= set(get_commands())


def there(name):
    """Whether a path is there, a module without its ending, or what is named in one after a point."""
    for place in PLACES:
        path = ROOT / place / name
        if "*" in name:
            if any((ROOT / place).glob(name)):
                return True
            continue
        if path.exists() or path.with_name(f"{path.name}.py").exists():
            return True
        module, _point, member = path.name.partition(".")
        if member and (path.with_name(module) / f"{member}.py").exists():
            return True
        for file in (path.with_name(f"{module}.py"), path.with_name(module) / "__init__.py"):
            if member and file.exists() and re.search(rf"\b{re.escape(member.rpartition('.')[2])}\b", file.read_text()):
                return True
    return False


def test_every_file_and_module_is_there(doc):
    named = {name for name in NAMED.findall(doc) if not ELSEWHERE.match(name)}
    assert {name for name in named if not there(name)} == set()


def links():
    for file in DOCS:
        for target in LINK.findall(file.read_text(encoding="utf-8")):
            if "://" not in target:
                yield file, target


def anchors(file):
    titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_leads_to_a_file_and_a_heading():
    wrong = []
    for file, target in links():
        path, _hash, heading = target.partition("#")
        to = (file.parent / path).resolve() if path else file
        if not to.exists() or (heading and heading not in anchors(to)):
            wrong.append((shown(file), target))
    assert wrong == []
