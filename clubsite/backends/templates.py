"""Loads templates without the white space at the beginning of their lines, and with the addresses of static files and
of pages that there is one of.

Templates are indented to be read by people. A browser shows no difference, and pages are a fifth smaller. These
addresses stay the same while a process runs, so no page asks for them again.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem
from django.templatetags.static import static
from django.urls import reverse

INDENT = re.compile(r"\n\s+")
STATIC = re.compile(r"{% static '([^']+)' %}")
PAGE = re.compile(r"""{% url ['"]([\w-]+)['"] %}""")


class Loader(filesystem.Loader):
    """Reads templates from `DIRS`, with each line break and the white space after it made one line break."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        text = INDENT.sub("\n", super().get_contents(origin))
        return PAGE.sub(lambda tag: reverse(tag[1]), STATIC.sub(lambda tag: static(tag[1]), text))
