"""Loads templates without the white space at the beginning of their lines.

Templates are indented to be read by people. A browser shows no difference, and pages are a fifth smaller.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENT = re.compile(r"\n\s+")


class Loader(filesystem.Loader):
    """Reads templates from `DIRS`, with each line break and the white space after it made one line break."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        return INDENT.sub("\n", super().get_contents(origin))
