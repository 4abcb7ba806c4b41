"""`manage.py rules`: the rule sets that come with the program, in words. Needs no database."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.engine.core.ruleset import RuleSet, shipped
from scoring.engine.files.deal_files import to_text
from scoring.engine.files.examples import examples_of
from scoring.engine.files.schema import deals_schema
from scoring.exchange.facts_listed import with_facts
from scoring.exchange.schema import club_deals_schema
from scoring.house_rules.in_words import rules_in_words
from scoring.templatetags.rule_texts import translated

WIDTH = 100  # columns of text
SCHEMAS = {"deal-files.schema.json": deals_schema, "club-deals.schema.json": club_deals_schema}
EXAMPLES, LISTED_IN = "examples", "deal-files.md"
UNWRITABLE = 2  # exit status


class Command(BaseCommand):
    """Lists the shipped rule sets, shows one in words, writes their example files."""

    help = (
        "The rule sets that come with the program: `rules list`, `rules show SLUG`. `rules examples` writes the "
        "JSON Schemas of deal files and of a club's games, the list of facts in docs/deal-files.md, and an example for "
        "each rule set that has none; exit status 2: they can't be written. Needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand each to list, show and write."""
        commands = parser.add_subparsers(dest="what", required=True)
        commands.add_parser("list", help="the rule sets, one a line")
        show = commands.add_parser("show", help="a rule set in words: every setting, where it comes from, rulings")
        show.add_argument("slug", metavar="SLUG", choices=sorted(shipped()))
        examples = commands.add_parser("examples", help="write the schemas and the examples that are missing")
        examples.add_argument("--into", type=Path, metavar="FOLDER", default=settings.BASE_DIR / "docs")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        """List, show or write."""
        if what == "list":
            self.stdout.write("\n".join(_list()))
        elif what == "show":
            self.stdout.write("\n".join(_shown(shipped()[options["slug"]])))
        else:
            self._examples(options["into"])

    def _examples(self, folder: Path) -> None:
        try:
            (folder / EXAMPLES).mkdir(parents=True, exist_ok=True)
        except OSError as no:
            self.stderr.write(_("Nothing can be written to %(path)s: %(why)s") % {"path": folder, "why": no.strerror})
            raise SystemExit(UNWRITABLE) from no
        try:
            for file in _write(folder):
                self.stdout.write(f"{file}")
        except OSError as no:
            self.stderr.write(f"{no.filename}: {no.strerror}")
            raise SystemExit(UNWRITABLE) from no


def _list() -> Iterator[str]:
    width = max(len(slug) for slug in shipped())
    for slug, rule_set in sorted(shipped().items()):
        players = ", ".join(str(n) for n in sorted({shape.players for shape in rule_set.shapes}))
        words = {"title": translated(rule_set.title), "version": rule_set.version, "players": players}
        yield f"{slug:{width}}  {_('%(title)s (version %(version)d; players: %(players)s)') % words}"


def _shown(rule_set: RuleSet) -> Iterator[str]:
    words = rules_in_words(rule_set)
    yield words.title
    published = date_format(words.published, "DATE_FORMAT")
    yield _("%(slug)s, version %(version)d of %(date)s") % {
        "slug": rule_set.slug,
        "version": words.version,
        "date": published,
    }
    yield from textwrap.wrap(words.about, WIDTH)
    yield from textwrap.wrap("; ".join(words.sittings) + ".", WIDTH)
    for row in words.settings:
        yield ""
        yield from textwrap.wrap(f"{row.label}: {row.value}", WIDTH, subsequent_indent="  ")
        mark = _("Ruling: %(source)s") if row.ruling else _("Source: %(source)s")
        yield from textwrap.wrap(mark % {"source": row.source}, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _write(folder: Path) -> Iterator[Path]:
    """Write the schemas, the facts into the page that lists them, the examples that aren't there; the files written."""
    for name, made in SCHEMAS.items():
        schema = folder / name
        schema.write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
        yield schema
    page = folder / LISTED_IN
    if page.exists():
        page.write_text(with_facts(page.read_text(encoding="utf-8")), encoding="utf-8")
        yield page
    for slug, rule_set in shipped().items():
        example = folder / EXAMPLES / f"{slug}.json"
        if not example.exists():
            example.write_text(to_text(examples_of(rule_set)), encoding="utf-8")
            yield example
