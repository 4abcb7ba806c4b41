"""Bootstrap as pages load it: small, up to date, and with every rule that a page of ours can meet."""

from __future__ import annotations

import re
from functools import cache

import pytest

from lab.commands.css import CUT, WHOLE, asked_for, classes, cut, cut_bootstrap

SHEET = """/*! licence */
:root{--bs-a:1px;--bs-b:2px;--bs-c:3px}
p{margin:var(--bs-a)}
.used{color:red;--bs-d:1;width:var(--bs-d)}
.unused{margin:var(--bs-b)}
.used,.unused{top:0}
.used .unused{left:0}
.used:not(.unused):hover{right:0}
@media (min-width:9px){.used{top:1px}.unused{top:2px}}
@media print{.unused{top:3px}}
@keyframes turn{to{top:4px}}
"""


@cache
def in_use() -> set[str]:
    """The classes of all pages, looked for once."""
    return classes()


def test_only_what_a_page_can_meet_stays() -> None:
    kept = cut(SHEET, {"used"}, others=".ours { margin: var(--bs-c); }")
    assert kept.splitlines() == [
        "/*! licence */",
        ":root{--bs-a:1px;--bs-c:3px}",
        "p{margin:var(--bs-a)}",
        ".used{color:red;--bs-d:1;width:var(--bs-d)}",
        ".used{top:0}",
        ".used:not(.unused):hover{right:0}",
        "@media (min-width:9px){.used{top:1px}}",
    ]


@pytest.mark.parametrize("name", ["btn", "btn-check", "form-select", "page-link", "text-nowrap", "visually-hidden"])
def test_classes_of_templates_widgets_and_tables_are_found(name: str) -> None:
    assert name in in_use()


def test_the_file_is_up_to_date() -> None:
    assert CUT.read_text() == cut_bootstrap(), "Run ./dev css: a template or widget took a class, or lost one."


def test_every_class_in_use_that_bootstrap_knows_is_still_known() -> None:
    used = in_use()
    whole, kept = (
        {
            name
            for rule in re.findall(r"[^{};]*{", sheet.read_text())
            for selector in rule.split(",")
            if asked_for(selector) <= used
            for name in asked_for(selector)
        }
        for sheet in (WHOLE, CUT)
    )
    assert len(whole) > 25
    assert whole == kept


def test_it_is_a_small_part_of_the_whole() -> None:
    assert CUT.stat().st_size < WHOLE.stat().st_size / 5
