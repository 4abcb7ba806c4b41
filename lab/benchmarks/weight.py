"""How many bytes a page brings over the hall's Wi-Fi: at the first visit with all its files, and at every later one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from lab.benchmarks.main_pages import Page

FONT = ".woff2"
SPOKEN = {"Accept-Encoding": "gzip"}  # over plain HTTP, as in a hall; HTTPS has brotli too, a tenth less


@dataclass(frozen=True, slots=True)
class PageWeight:
    """A page with its files in bytes: uncompressed (`raw`), as sent at the `first` visit, with fonts too, and `after`
    that."""

    name: str
    files: int
    raw: int
    first: int
    first_with_fonts: int
    after: int


def build() -> None:
    """Build the static files, where the settings ask for built ones."""
    if settings.STATIC_BUILT:
        call_command("collectstatic", interactive=False, verbosity=0)


def files_of(html: str) -> list[str]:
    """The addresses of the static files that a page names, each once, without its fragment."""
    return list(dict.fromkeys(re.findall(rf'\s(?:href|src)="({settings.STATIC_URL}[^"#]*)', html)))


def page_weight(client: Client, page: Page) -> PageWeight:
    """Weigh a page and the files that it names. A file that browsers may not keep counts at later visits, too."""
    html = client.get(page.address).content
    sent = len(client.get(page.address, headers=SPOKEN).content)
    raw, first, fonts, again = len(html), sent, 0, 0
    files = files_of(html.decode())
    for address in files:
        answer = client.get(address, headers=SPOKEN)
        size = len(answer.getvalue())
        raw += len(client.get(address).getvalue())
        if "immutable" not in answer.get("Cache-Control", ""):
            again += size
        if address.endswith(FONT):
            fonts += size
        else:
            first += size
    return PageWeight(page.name, len(files), raw, first, first + fonts, sent + again)
