"""`manage.py rules`: the rule sets that come with the program, in words. Needs no database."""

import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.engine.core.ruleset import RuleSet, shipped
from scoring.house_rules.in_words import describe_rules
from scoring.templatetags.rule_texts import translated

WIDTH = 100  # columns of text


class Command(BaseCommand):
    help = "The rule sets that come with the program: `rules list`, `rules show SLUG`. Needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        commands.add_parser("list", help="the rule sets, one a line")
        show = commands.add_parser("show", help="a rule set in words: every setting, where it comes from, rulings")
        show.add_argument("slug", metavar="SLUG", choices=sorted(shipped()))

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if what == "list":
            self.stdout.write("\n".join(_list()))
        else:
            self.stdout.write("\n".join(_shown(shipped()[options["slug"]])))


def _list() -> Iterator[str]:
    width = max(len(slug) for slug in shipped())
    for slug, rule_set in sorted(shipped().items()):
        players = ", ".join(str(n) for n in sorted({shape.players for shape in rule_set.shapes}))
        words = {"title": translated(rule_set.title), "version": rule_set.version, "players": players}
        yield f"{slug:{width}}  {_('%(title)s (version %(version)d; players: %(players)s)') % words}"


def _shown(rule_set: RuleSet) -> Iterator[str]:
    words = describe_rules(rule_set)
    yield words["title"]
    published = date_format(words["published"], "DATE_FORMAT")
    yield _("%(slug)s, version %(version)d of %(date)s") % {
        "slug": rule_set.slug,
        "version": words["version"],
        "date": published,
    }
    yield from textwrap.wrap(words["about"], WIDTH)
    yield from textwrap.wrap("; ".join(words["sittings"]) + ".", WIDTH)
    for row in words["settings"]:
        yield ""
        yield from textwrap.wrap(f"{row['label']}: {row['value']}", WIDTH, subsequent_indent="  ")
        mark = _("Ruling: %(source)s") if row["ruling"] else _("Source: %(source)s")
        source = mark % {"source": row["source"]}
        yield from textwrap.wrap(source, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
