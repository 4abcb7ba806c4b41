"""From pages of HTML to a PDF file: rendered once, in another process, then kept under the hash of its content."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

from clubsite.paper.render import UNAVAILABLE
from clubsite.paper.typeface import advances

STYLES = ("fonts-print.css", "print.css")
MORE_TYPE = "fonts-print-more.css"  # 0.4 s: only for text with letters that Atkinson Hyperlegible Next lacks
TIMEOUT = 120  # seconds; 200 filled cards take about ten
KEEP_FOR = 30 * 24 * 3600  # seconds
KEEP_BYTES = 200 * 1024 * 1024
EPOCH = "1371600000"  # in the fonts of every file, so that the same pages give the same bytes
# What the renderer needs of our environment; the rest (keys, the database) isn't its business.
PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TEMP",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
)


class PdfError(Exception):
    """No PDF came of it."""


class PdfUnavailable(PdfError):
    """This machine lacks WeasyPrint or Pango; the text says which."""


class PdfFailed(PdfError):
    """The renderer gave up or took too long; the text says why."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Documents of HTML that become one file, and the drawings they show."""

    documents: tuple[str, ...]
    drawings: Mapping[str, str] = field(default_factory=dict)

    @property
    def styles(self) -> tuple[str, ...]:
        """The style sheets these pages need."""
        letters = set().union(*self.documents, *self.drawings.values())
        more = any((c.isprintable() or c > "\u017f") and c not in advances(400) for c in letters)
        return (MORE_TYPE, *STYLES) if more else STYLES

    def job(self) -> dict[str, object]:
        """What the renderer reads, but for the file to write."""
        return {
            "static": str(static_folder()),
            "styles": self.styles,
            "drawings": dict(self.drawings),
            "documents": self.documents,
        }


def static_folder() -> Path:
    """The project's own static files."""
    return Path(settings.BASE_DIR) / "static"


def cache_folder() -> Path:
    """Where finished PDFs are kept."""
    folder = Path(settings.VAR_DIR) / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def pdf_of(pages: Pages) -> Path:
    """The PDF of these pages, from the cache or rendered now.

    Raises:
        PdfUnavailable: the machine can't render.
        PdfFailed: the renderer failed or took longer than TIMEOUT.
    """
    target = cache_folder() / f"{_key(pages)}.pdf"
    if not target.exists():
        render_to(pages, target)
        prune()
    return target


def render_to(pages: Pages, target: Path) -> None:
    """Render into a file, which appears whole or not at all. Raises as `pdf_of` does."""
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    os.close(handle)
    try:
        _run(json.dumps({**pages.job(), "target": name}))
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)


def prune(now: float | None = None) -> None:
    """Delete files older than KEEP_FOR, then the oldest until KEEP_BYTES are left."""
    now = time.time() if now is None else now
    kept = 0
    found = [(file, file.stat()) for file in cache_folder().iterdir() if file.suffix in (".pdf", ".part")]
    for file, stat in sorted(found, key=lambda pair: -pair[1].st_mtime):
        kept += stat.st_size
        stale = file.suffix == ".part" and now - stat.st_mtime > TIMEOUT
        if stale or now - stat.st_mtime > KEEP_FOR or (kept > KEEP_BYTES and kept > stat.st_size):
            file.unlink(missing_ok=True)


def _run(job: str) -> None:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {"SOURCE_DATE_EPOCH": EPOCH, "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "clubsite.paper.render"],
            input=job,
            text=True,
            encoding="utf-8",
            capture_output=True,
            timeout=TIMEOUT,
            cwd=settings.BASE_DIR,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PdfFailed(f"no PDF after {TIMEOUT} seconds") from None
    if done.returncode == UNAVAILABLE:
        raise PdfUnavailable(done.stderr.strip())
    if done.returncode:
        raise PdfFailed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")


def _key(pages: Pages) -> str:
    """A hash of everything that the file depends on."""
    digest = hashlib.sha256(json.dumps(pages.job(), sort_keys=True).encode())
    for name in pages.styles:
        digest.update((static_folder() / name).read_bytes())
    digest.update((Path(__file__).with_name("render.py")).read_bytes())
    digest.update(version("weasyprint").encode())
    return digest.hexdigest()
