"""Brings the catalogues of messages up to date and says what isn't translated, by file."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

import polib
from django.core.management.base import BaseCommand

from lab.tools.messages import (
    brought_up_to_date,
    catalogue_file,
    fill,
    is_done,
    messages,
    read,
    translated_languages,
)


class Command(BaseCommand):
    """See docs/translating.md."""

    help = "Bring the catalogues of messages up to date; says what isn't translated yet."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=translated_languages(), default=translated_languages()[0])
        parser.add_argument("--fill", nargs="+", metavar="FILE.po", default=[], help="take translations from these")
        parser.add_argument("--missing", metavar="FILE.po", help="write what isn't translated into a file of its own")

    def handle(self, *args: Any, **options: Any) -> None:
        file = catalogue_file(options["language"])
        catalogue = read(file)
        brought_up_to_date(catalogue, messages())
        for given in options["fill"]:
            self.stdout.write(f"{given}: {fill(catalogue, read(Path(given)))} taken")
        catalogue.save(str(file))
        missing = [entry for entry in catalogue if not is_done(entry)]
        if options["missing"]:
            rest = polib.POFile(wrapwidth=0)
            rest.metadata = catalogue.metadata
            rest.extend(missing)
            rest.save(options["missing"])
        for place, count in sorted(Counter(entry.occurrences[0][0] for entry in missing).items()):
            self.stdout.write(f"{count:5}  {place}")
        self.stdout.write(f"{options['language']}: {len(catalogue)} messages, {len(missing)} not translated.")
