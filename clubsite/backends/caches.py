"""A cache in files that survives a full or read-only disk: what can't be kept is made again when it is wanted."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache


class ForgivingFiles(FileBasedCache):
    """Django's cache in files; where the disk refuses, nothing is kept, and no page fails because of that."""

    def _createdir(self) -> None:
        with suppress(OSError):
            super()._createdir()  # type: ignore[misc]  # the stubs leave it out

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:  # noqa: PLR0917  (Django's)
        """The value that is kept, or the default."""
        try:
            return super().get(key, default, version)
        except OSError:
            return default

    def set(  # noqa: PLR0917  (Django's)
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Keep a value, if the disk takes it."""
        try:
            super().set(key, value, timeout, version)
        except OSError:
            return

    def add(  # noqa: PLR0917  (Django's)
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Keep a value unless there is one; whether there was none. Where nothing can be kept, there never is one."""
        try:
            return bool(super().add(key, value, timeout, version))
        except OSError:
            return True

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Delete a value; whether there was one."""
        try:
            return bool(super().delete(key, version))
        except OSError:
            return False
