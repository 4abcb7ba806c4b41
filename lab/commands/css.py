"""Bootstrap cut to what the site uses: its rules as published, without those that can apply to no page.

A rule stays when every class in its selector is a word in one of our templates, modules or scripts, or when it has
none; a variable stays while something reads it; animations go, as no page has one of Bootstrap's. So the result follows
from the sources alone: `./dev css` writes `static/vendor/bootstrap/bootstrap.cut.css` anew, and a test says when it is
out of date.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

import django_tables2
import tinycss2
from django.conf import settings
from django.core.management.base import BaseCommand

STATIC: Path = settings.BASE_DIR / "static"
FOLDER = STATIC / "vendor" / "bootstrap"
WHOLE, CUT = FOLDER / "bootstrap.min.css", FOLDER / "bootstrap.cut.css"
OURS = ("clubsite", "scoring", "tournaments")
TABLES = ("bootstrap5.html", "bootstrap5-responsive.html")  # django-tables2's own templates that are used


def classes() -> set[str]:
    """The words of templates, Python code and scripts: the classes of pages are among them."""
    tables = Path(django_tables2.__file__).parent / "templates" / "django_tables2"
    sources = (
        *(settings.BASE_DIR / "templates").rglob("*.html"),
        *(tables / name for name in TABLES),
        *STATIC.glob("*.js"),
        *(path for folder in OURS for path in (settings.BASE_DIR / folder).rglob("*.py")),
    )
    return {word for path in sources for word in re.findall(r"[\w-]+", path.read_text())}


def asked_for(selector: str) -> set[str]:
    """The classes that an element must have for a selector; those in `:not()` it must not have."""
    return set(re.findall(r"\.(-?[A-Za-z_][\w-]*)", re.sub(r":not\([^()]*\)", "", selector)))


def cut(sheet: str, used: set[str], *, others: str) -> str:
    """A style sheet without the rules for other classes than `used`, and without variables that neither it nor the
    style sheets in `others` read. One rule a line, so that a change shows in a diff."""
    licence = re.search(r"/\*!.*?\*/", sheet, re.DOTALL)
    rules = _kept(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), used)
    while (fewer := _without_unread("\n".join(rules), others)) != "\n".join(rules):
        rules = fewer.split("\n")
    return "\n".join([*([licence[0]] if licence else []), *(rule for rule in rules if not rule.endswith("{}"))]) + "\n"


def _without_unread(text: str, others: str) -> str:
    """A style sheet without the variables that nothing reads. Others may be unread then, so this is repeated."""
    read = set(re.findall(r"var\((--[\w-]+)", text + others))
    return re.sub(r"(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=}))", lambda found: found[0] * (found[1] in read), text)


def _kept(rules: list[Any], used: set[str]) -> list[str]:
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = _selectors(rule.prelude)
            if staying := [selector for selector in selectors if asked_for(selector) <= used]:
                kept.append(",".join(staying) + "{" + _minified(rule.content) + "}")
        elif rule.lower_at_keyword in ("media", "supports"):
            inside = "".join(_kept(tinycss2.parse_blocks_contents(rule.content, True, True), used))
            kept.append(f"@{rule.at_keyword} {_minified(rule.prelude)}{{{inside}}}")
    return kept


def _selectors(prelude: list[Any]) -> list[str]:
    parts = groupby(prelude, key=lambda token: token.type == "literal" and token.value == ",")
    return [tinycss2.serialize(part).strip() for is_comma, part in parts if not is_comma]


def _minified(tokens: list[Any]) -> str:
    text: str = tinycss2.serialize(tokens)
    return text.strip().replace("\n", " ")


def cut_bootstrap() -> str:
    others = "".join(path.read_text() for path in sorted(STATIC.glob("*.css")))
    return cut(WHOLE.read_text(), classes(), others=others)


class Command(BaseCommand):
    """Writes the part of Bootstrap that the site uses."""

    help = "Cuts Bootstrap to what templates, widgets and scripts use. Run it when one of them takes a new class."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        CUT.write_text(cut_bootstrap())
        self.stdout.write(f"{CUT.name}: {CUT.stat().st_size:,} bytes of {WHOLE.stat().st_size:,}")
