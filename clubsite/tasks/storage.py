"""Where made files are kept by default: a folder, which several hosts may share."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, Storage, storages


class WholeFiles(FileSystemStorage):
    """Files in a folder (`documents` in `VAR_DIR`, or `location`), each of which appears whole or not at all.

    A file of a name that is there takes its place: files are named by a hash of what they depend on.
    """

    def __init__(self, location: str | os.PathLike[str] | None = None) -> None:
        super().__init__(allow_overwrite=True)
        self.folder = location

    @property
    def base_location(self) -> str:
        """The folder: asked for anew, for tests have one each."""
        return str(self.folder or Path(settings.VAR_DIR) / "documents")

    @property
    def location(self) -> str:
        """The folder in full."""
        return str(Path(self.base_location).resolve())

    def _save(self, name: str, content: File) -> str:
        target = Path(self.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=target.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk if isinstance(chunk, bytes) else chunk.encode())
            os.replace(part, target)
        finally:
            Path(part).unlink(missing_ok=True)
        return name


def made() -> Storage:
    """The storage of made files, and of what they are made from: `STORAGES["made"]`."""
    return storages["made"]
