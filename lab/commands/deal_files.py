"""Write what docs/ has of deal files: schemas, the list of facts, examples that are missing."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lab.tools.deal_files import write_docs


class Command(BaseCommand):
    help = "Write the JSON Schemas, the facts in docs/deal-files.md, and an example for each rule set that has none."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for file in write_docs(settings.BASE_DIR / "docs"):
            self.stdout.write(f"{file.relative_to(settings.BASE_DIR)} is written.")
