"""Turns pages of HTML into one PDF: a program of its own, so that no web worker ever lays out a page.

    python -m clubsite.pdf.render < job.json

The job names the folder of static files, the style sheets in it, pictures (name to SVG or PNG, shown as
`drawing:NAME`), documents of HTML, how many pages of each share a sheet, the file to write, and if it is wanted another
for a picture of the first sheet. Each document is laid out by itself, which keeps memory low and counts its own pages;
their pages become one file; after each, the number laid out so far is printed on a line. Exit status 3: WeasyPrint or a
library it needs is missing; 4: the disk is full.
"""

import errno
import gc
import json
import os
import sys
from base64 import b64decode
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

UNAVAILABLE = 3
NO_ROOM = 4
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
DRAWING = "drawing:"
PNG = "data:image/png;base64,"  # how a drawing begins that is no SVG
NICE = 10  # the process's niceness, a worker's own included: the site itself goes first
PICTURE_WIDTH = 240  # pixels of the picture of a first sheet


class NotOurFile(Exception):
    """A page asked for a file that isn't the project's own."""


def allowed_file(url: str, static: Path) -> Path:
    """The file of a `file:` address under the static folder. Raises NotOurFile for anything else."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(url)
    file = Path(url2pathname(parts.path)).resolve()
    if parts.scheme != "file" or parts.netloc or not file.is_relative_to(static.resolve()):
        raise NotOurFile(url)
    return file


def make_fetcher(static: Path, drawings: dict[str, str]) -> Any:
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class ClosedFetcher(URLFetcher):
        def fetch(self, url: str, headers: Any = None) -> Any:
            if url.startswith(DRAWING) and (drawing := drawings.get(url.removeprefix(DRAWING))):
                if drawing.startswith(PNG):
                    picture = b64decode(drawing.removeprefix(PNG))
                    return URLFetcherResponse(url, picture, {"Content-Type": "image/png"})
                return URLFetcherResponse(url, drawing.encode(), {"Content-Type": "image/svg+xml"})
            try:
                file = allowed_file(url, static)
            except NotOurFile as closed:
                raise FatalURLFetchingError(f"not one of the project's own files: {closed}") from None
            return URLFetcherResponse(url, file.read_bytes())

    return ClosedFetcher()


def parse_styles(static: Path, names: Sequence[str]) -> tuple[Any, list[Any]]:
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration

    fonts, fetch = FontConfiguration(), make_fetcher(static, {})
    return fonts, [CSS(filename=static / name, font_config=fonts, url_fetcher=fetch) for name in names]


def render(job: dict[str, Any]) -> None:
    from weasyprint import HTML

    static = Path(job["static"])
    fetch = make_fetcher(static, job.get("drawings", {}))
    fonts, styles = parse_styles(static, job["styles"])
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    images: dict[str, Any] = {}
    documents = []
    for number, html in enumerate(job["documents"], start=1):
        documents.append(
            HTML(string=html, base_url=static.as_uri() + "/", url_fetcher=fetch).render(
                stylesheets=styles, font_config=fonts, cache=images
            )
        )
        print(number, flush=True)  # fails if the worker that wanted it is dead
    pages = [page for document in documents for page in document.pages]
    documents[0].copy(pages).write_pdf(job["target"])
    if job.get("per_sheet"):
        from clubsite.pdf.sheets import share_sheets

        counts = zip(documents, job["per_sheet"], strict=True)
        share_sheets(Path(job["target"]), [number for document, number in counts for _page in document.pages])


def main() -> int:
    """Read a job, write its file. The status is 0, 3 without WeasyPrint, 4 on a full disk; anything else is a fault."""
    job = json.load(sys.stdin)
    if hasattr(os, "nice"):
        os.nice(max(0, NICE - os.nice(0)))
    try:
        with redirect_stdout(sys.stderr):  # where Pango is missing it prints a banner, then raises OSError
            import weasyprint  # noqa: F401  (only whether it can be)
    except (ImportError, OSError) as missing:
        print(missing, file=sys.stderr)
        return UNAVAILABLE
    try:
        render(job)
        if job.get("picture"):
            from clubsite.pdf.sheets import draw_first_sheet

            Path(job["picture"]).write_bytes(draw_first_sheet(Path(job["target"]).read_bytes(), PICTURE_WIDTH))
    except OSError as refused:
        if refused.errno not in DISK_FULL:
            raise
        return NO_ROOM
    return 0


if __name__ == "__main__":
    sys.exit(main())
