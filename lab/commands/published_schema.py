"""Writes the JSON schema of published pages into the docs."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tournaments.exports.published import schema


class Command(BaseCommand):
    help = "Write docs/published-pages.schema.json again."

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(schema(), indent=2, ensure_ascii=False)
        (settings.BASE_DIR / "docs" / "published-pages.schema.json").write_text(f"{text}\n")
