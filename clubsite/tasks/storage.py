"""Where made files are kept: in a folder, which several hosts may share, or in the database, which they share anyway.

`settings.STORAGES["made"]` says in which; anything else with the interface of Django's storages will do, too.
"""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.utils import timezone

from clubsite.tasks.models import StoredFile


class WholeFiles(FileSystemStorage):
    """Files in a folder (`documents` in `VAR_DIR`, or `location`), each of which appears whole or not at all.

    A file of a name that is there takes its place: files are named by a hash of what they depend on.
    """

    def __init__(self, location: str | os.PathLike[str] | None = None) -> None:
        super().__init__(allow_overwrite=True)
        self.folder = location

    @property
    def base_location(self) -> str:
        """The folder, read from the settings each time, since each test has its own."""
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


class InDatabase(Storage):
    """Files as rows of the site's database, for hosts that share no disk. Each appears whole or not at all.

    A file saved in a transaction is there when that is committed. Reading one that isn't there raises
    FileNotFoundError, as from a folder. A made file is some hundred kilobytes, and all together are bounded
    (`files.KEEP_BYTES`), so each is one value.
    """

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError("Files in the database are written whole, by `save`.")
        content = StoredFile.objects.filter(pk=name).values_list("content", flat=True).first()
        if content is None:
            raise FileNotFoundError(name)
        return ContentFile(bytes(content), name=name)

    def _save(self, name: str, content: File) -> str:
        whole = b"".join(chunk if isinstance(chunk, bytes) else chunk.encode() for chunk in content.chunks())
        row = {"content": whole, "size": len(whole), "stored_at": timezone.now()}
        StoredFile.objects.update_or_create(name=name, defaults=row)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: a file of a name that is there is replaced."""
        return name

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return StoredFile.objects.filter(pk=name).exists()

    def delete(self, name: str) -> None:
        """Delete the file, if it is there."""
        StoredFile.objects.filter(pk=name).delete()

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """No folders, and the names of all files."""
        return [], list(StoredFile.objects.values_list("name", flat=True))

    def size(self, name: str) -> int:
        """Bytes. Raises FileNotFoundError."""
        return self._row(name).size

    def get_modified_time(self, name: str) -> datetime:
        """When the file was saved. Raises FileNotFoundError."""
        return self._row(name).stored_at

    def _row(self, name: str) -> StoredFile:
        try:
            return StoredFile.objects.defer("content").get(pk=name)
        except StoredFile.DoesNotExist as gone:
            raise FileNotFoundError(name) from gone


def made() -> Storage:
    """The storage of made files, and of what they are made from: `STORAGES["made"]`."""
    return storages["made"]
