"""Static files as they are built: our own scripts and style sheets without comments and white space.

Comments are for whoever reads the source. A phone in the hall, which takes gzip but no brotli over plain HTTP, loads 10
kB less for a card.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

SMALLER = {".css": cssmin, ".js": jsmin}


def smaller(name: str, text: bytes) -> bytes:
    """The built content of a file. Other people's files, which lie in folders, stay as they are, with their
    licences."""
    make: Any = None if "/" in name else SMALLER.get(Path(name).suffix)
    return make(text) if make else text


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Builds the static files: smaller, named by their content, compressed."""

    def _save(self, name: str, content: Any) -> str:
        content.seek(0)  # it has been read, to name the file by its content
        read = content.read()
        built = smaller(name, read.encode() if isinstance(read, str) else read)
        saved: str = super()._save(name, ContentFile(built))
        return saved
