"""Documents: pages of HTML made into a PDF, once in another process, then kept under the hash of their content.

`make_pdf` is the task, `render_now` renders in this process; `pdf_response` answers a request with the PDF, or a page
that waits for it, or one that says why there is none. On a computer without Pango it is a page to print from the
browser, and no PDF is ordered.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django_tasks import TaskContext, task

from clubsite import pango
from clubsite.jobs.files import FULL, NotMade, Unavailable, making_file, order_file, unfinished_folder
from clubsite.jobs.models import MadeFile
from clubsite.jobs.orders import WantedFile, file_response
from clubsite.jobs.queue import Priority
from clubsite.pdf.browser import printable
from clubsite.pdf.render import NO_ROOM, UNAVAILABLE
from clubsite.pdf.typeface import advances
from clubsite.request_limits import HEADERS


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of upright paper, in millimetres."""

    width: float
    height: float

    @property
    def size(self) -> str:
        return f"{self.width}mm {self.height}mm"


PAPERS = {
    "A4": Paper(210.0, 297.0),  # ISO 216
    "Letter": Paper(215.9, 279.4),  # ANSI/ASME Y14.1, size A
}


def choose_paper(chosen: str, usual: str) -> str:
    return chosen if chosen in PAPERS else usual


@dataclass(frozen=True, slots=True)
class Heading:
    """`mark` is printed large beside the title: "draft", "provisional", or nothing."""

    club: str
    event: str
    when: str  # date in the club's zone
    title: str = ""  # of the document: "Standings · Qualifying"
    note: str = ""  # version, or the time of provisional figures
    mark: str = ""
    crest: str = ""  # which crest the club has; empty: none
    club_key: int | None = None  # the club whose members' wish for initials holds on sheets for the wall


STYLES = ("fonts-print.css", "print.css", "print-rules.css", "print-hall.css")
MORE_TYPE = "fonts-print-more.css"  # makes all text slower: only for letters that Atkinson Hyperlegible Next lacks
SCREEN_STYLE = "print-page.css"  # of a page that a browser prints
TIMEOUT = 120  # seconds; 200 filled cards take about ten
EPOCH = "1371600000"  # the time written into the fonts, so that the same pages give the same bytes
MADE = re.compile(r'<i class="made">.*?</i>', re.DOTALL)  # matches templates/documents/shared/_made.html


@dataclass(frozen=True, slots=True)
class Pages:
    """Documents of HTML that become one file, and the drawings they show.

    `per_sheet`: how many pages of each document share a sheet, made smaller: 1, 2 or 4; empty: 1 of each. A document
    says when it was made in the element that MADE matches. `pages_key` leaves that time out, so a stored file shows
    when it was first made.
    """

    documents: tuple[str, ...]
    drawings: Mapping[str, str] = field(default_factory=dict)
    per_sheet: tuple[int, ...] = ()

    @classmethod
    def together(cls, parts: Iterable[Pages]) -> Pages:
        parts = tuple(parts)
        return cls(
            tuple(document for part in parts for document in part.documents),
            {name: svg for part in parts for name, svg in part.drawings.items()},
            tuple(number for part in parts for number in part.per_sheet or (1,) * len(part.documents)),
        )

    def smaller(self, per_sheet: int) -> Pages:
        return replace(self, per_sheet=(per_sheet,) * len(self.documents)) if per_sheet else self

    @property
    def styles(self) -> tuple[str, ...]:
        letters = set().union(*self.documents, *self.drawings.values())
        lacking = any((c.isprintable() or c > "\u017f") and c not in advances(400) for c in letters)
        return (MORE_TYPE, *STYLES) if lacking else STYLES

    def job(self) -> dict[str, object]:
        return {"styles": self.styles, **asdict(self)}

    def payload(self) -> str:
        return json.dumps(self.job())


def static_folder() -> Path:
    return Path(settings.BASE_DIR) / "static"


@task(takes_context=True)
def make_pdf(context: TaskContext, key: str, run: int) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    with making_file(key, run=run, attempt=context.attempt) as job:
        if job is not None:
            pdf, picture = render_pdf(job.payload, job.progress)
            job.save(pdf, picture=picture)


def render_now(pages: Pages) -> bytes:
    """Raises as `render_pdf` does."""
    return render_pdf(pages.payload())[0]


def render_pdf(payload: str, progress: Callable[[int, int], None] = lambda done, of: None) -> tuple[bytes, bytes]:
    """The PDF of a `Pages.payload`, and its first sheet as PNG.

    Raises:
        Unavailable: this machine lacks WeasyPrint or Pango.
        NotMade: the renderer failed or took longer than TIMEOUT.
    """
    with unfinished_folder() as folder:
        target, picture = Path(folder) / "pages.pdf", Path(folder) / "sheet.png"
        job = {**json.loads(payload), "static": str(static_folder())}
        parts = len(job["documents"])
        job |= {"target": str(target), "picture": str(picture)}
        _run(json.dumps(job), lambda line: progress(int(line), parts), folder=folder)
        return target.read_bytes(), picture.read_bytes()


def renderer_command() -> list[str]:
    """The renderer's command; it reads a job on standard input."""
    return [sys.executable, "-m", "clubsite.pdf.render"]


def _run(job: str, on_line: Callable[[str], None], *, folder: str) -> None:
    """`folder` is for WeasyPrint's own files too: a renderer that is killed leaves them."""
    environment = pango.environment() | {"SOURCE_DATE_EPOCH": EPOCH, "PYTHONUTF8": "1", "TMPDIR": folder}
    with (
        TemporaryFile("w+", encoding="utf-8") as complaints,
        subprocess.Popen(  # noqa: S603 - our own program, or the tests' in its place
            renderer_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            cwd=settings.BASE_DIR,
            env=environment,
        ) as renderer,
    ):
        too_long = Timer(TIMEOUT, renderer.kill)
        too_long.start()
        try:
            assert renderer.stdin and renderer.stdout  # noqa: S101, PT018 - pipes, as asked for
            with suppress(BrokenPipeError), renderer.stdin as pipe:
                pipe.write(job)
            for line in renderer.stdout:
                on_line(line)
            status = renderer.wait()
        except BaseException:  # also when the worker is stopped
            renderer.kill()
            raise
        finally:
            stopped = not too_long.is_alive()
            too_long.cancel()
        complaints.seek(0)
        lines = complaints.read().strip().splitlines()
    if status == NO_ROOM:
        raise NotMade(FULL)
    if status and stopped:
        raise NotMade(f"no PDF after {TIMEOUT} seconds")
    if status:
        why = lines[-1] if lines else f"status {status}"
        raise Unavailable(why) if status == UNAVAILABLE else NotMade(why)


def pages_key(pages: Pages) -> str:
    """A hash of everything that the file depends on except the time: the same pages are one file for everybody, on any
    host."""
    timeless = [MADE.sub("", document) for document in pages.documents]
    digest = hashlib.sha256(json.dumps({**pages.job(), "documents": timeless}, sort_keys=True).encode())
    for name in pages.styles:
        digest.update((static_folder() / name).read_bytes())
    for name in ("render.py", "sheets.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    for name in ("weasyprint", "pypdfium2"):
        digest.update(version(name).encode())
    return digest.hexdigest()


PRINTED_BY = ("GET", "HEAD", "POST")  # methods of a document's page; a POST orders it
PICTURE_KEPT = 60  # seconds for which a browser doesn't ask again for a picture
# A sheet that isn't made yet, in a grey that is seen on light and dark pages.
NO_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" width="240" height="320">'
    '<rect x="1" y="1" width="238" height="318" fill="#fff" stroke="#767676" stroke-width="2"/>'
    '<path d="M40 60h160M40 100h160M40 140h160M40 180h110" stroke="#949494" stroke-width="8" stroke-linecap="round"/>'
    "</svg>"
)


def pdf_response(request: HttpRequest, pages: Pages, *, name: str, back: str) -> HttpResponse:
    """The PDF of these pages under a name, or a page that orders it and waits; 503 with the reason, and the way `back`,
    when none can be made. GET opens it, POST orders it. With `?browser`, or without Pango, a page to print instead."""
    if "browser" in request.GET or pango.missing():
        return printable_response(request, pages, name=name, back=back)
    wanted = WantedFile(
        key=pages_key(pages),
        suffix="pdf",
        title=name,
        back=back,
        task=make_pdf,
        payload=pages.payload,
        at_once=lambda: render_now(pages),
    )
    return file_response(request, wanted)


def printable_response(request: HttpRequest, pages: Pages, *, name: str, back: str) -> HttpResponse:
    """A page for the browser to print; above it, on screen only, how to do that."""
    nonce, policy = secrets.token_urlsafe(), "Content-Security-Policy"
    shown = printable(pages.documents, pages.drawings)
    longest = max(max(size) for size in shown["sizes"])
    context = {
        "title": name,
        "back": back,
        "nonce": nonce,
        "style_sheets": (*pages.styles, SCREEN_STYLE),
        "paper": next(paper for paper, size in PAPERS.items() if size.height == longest),
        "across": any(width > height for width, height in shown["sizes"]),
        "smaller": any(number > 1 for number in pages.per_sheet),
    }
    response = render(request, "jobs/in_browser.html", context | shown)
    response[policy] = f"{HEADERS[policy]}; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:"
    return response


def order_ahead(pages: Pages) -> None:
    order_file(key=pages_key(pages), suffix="pdf", payload=pages.payload(), task=make_pdf, priority=Priority.AHEAD)


def picture_response(request: HttpRequest, key: str | None) -> HttpResponse:
    """The first sheet of the PDF of `pages_key` as a small picture; an empty sheet while it isn't made.

    A browser keeps it for a minute, and asks then whether it is still the same.
    """
    file = MadeFile.objects.filter(key=key).first() if key else None
    picture = file and file.content("picture")
    if not picture:
        response = HttpResponse(NO_PICTURE, content_type="image/svg+xml")
        patch_cache_control(response, private=True, no_cache=True)
        return response
    response = HttpResponse(picture, content_type="image/png")
    patch_cache_control(response, private=True, max_age=PICTURE_KEPT)
    etag = response["ETag"] = f'"{key}"'
    answered = get_conditional_response(request, etag=etag, response=response)
    return answered if isinstance(answered, HttpResponse) else response
